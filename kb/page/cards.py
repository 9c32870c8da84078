"""Cards: boxes side by side whose first words name what the rest of the box is about."""

from __future__ import annotations

import re
from typing import NamedTuple

from kb.page.page import Block
from kb.page.part import Part

_FIGURE = re.compile(r"\W{0,3}\d")
_MAX_LABEL = 60
_MAX_VALUE = 80
_PLAIN = ("paragraph", "item")


class Child(NamedTuple):
    """A box: its element, and which blocks of the sink it has."""

    tag: str
    cls: str
    start: int
    end: int


def shape_cards(sink: list[Part | Block], children: list[Child]) -> bool:
    """Give the values in boxes their labels; True where the boxes have headings of their own."""
    headed = False
    for at, child in enumerate(children):
        alone = len(children) == 1
        if not alone and not any(
            (child.tag, child.cls) == (other.tag, other.cls)
            for other in (children[at - 1], children[(at + 1) % len(children)])
        ):
            continue
        parts = [p for p in sink[child.start : child.end] if p.role not in ("alt", "data", "struck")]
        if parts and isinstance(parts[0], Part) and parts[0].kind == "heading" and not alone:
            headed = headed or bool(child.cls) or child.tag in ("li", "article")
            continue
        if len(parts) == 2:
            _shape_two(parts, alone)
        elif not alone and child.cls and len(parts) > 2:
            _shape_many(parts)
    return headed


def _shape_two(parts: list[Part | Block], alone: bool) -> None:
    first, second = parts
    if not _is_plain(first) or not _is_plain(second):
        return
    assert isinstance(first, Part) and isinstance(second, Part)
    if (
        max(len(first.text), len(second.text)) > _MAX_VALUE
        or min(len(first.text), len(second.text)) > _MAX_LABEL
    ):
        return
    figures = bool(_FIGURE.match(first.text)), bool(_FIGURE.match(second.text))
    if figures[0] == figures[1] and alone:
        return
    label, value = (second, first) if figures == (True, False) else (first, second)
    if len(label.text) > _MAX_LABEL or label.text[-1] in ".!?":
        return
    value.row = (*value.row, label.text)
    if value.kind == "paragraph" and figures[0] != figures[1]:
        value.kind = "pair"
    if label.kind == "paragraph" and figures[0] != figures[1]:
        label.kind = "term"


def _shape_many(parts: list[Part | Block]) -> None:
    first = parts[0]
    if (
        not _is_plain(first)
        or len(first.text) > _MAX_LABEL
        or _FIGURE.match(first.text)
        or first.text[-1] in ".!?"
    ):
        return
    for part in parts[1:]:
        if isinstance(part, Part) and part.kind in ("paragraph", "item", "pair", "term", "definition"):
            part.row = (first.text, *part.row)


def _is_plain(part: Part | Block) -> bool:
    return isinstance(part, Part) and part.kind in _PLAIN and not part.row and "\n" not in part.text
