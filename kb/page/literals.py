"""Rows that a source writes as literals: `[('1 sheet', '41p'), …]` in a template, objects in a script."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.page.page import Block
from kb.page.part import fold, plain_table
from kb.page.tables import table_blocks

_STRING = r"'(?:[^'\\\n]|\\.){0,400}'|\"(?:[^\"\\\n]|\\.){0,400}\"|`[^`\\\n]{0,400}`"
_VALUE = rf"(?:{_STRING}|-?\d[\d._]{{0,30}}|[A-Za-z_][\w.]{{0,60}})"
_KEY = r"(?:[A-Za-z_]\w{0,60}|'[^'\n]{1,60}'|\"[^\"\n]{1,60}\")"
_ROW = re.compile(rf"[(\[]\s*({_VALUE}(?:\s*,\s*{_VALUE}){{1,40}})\s*,?\s*[)\]]")
_OBJECT = re.compile(rf"\{{\s*({_KEY}\s*:\s*{_VALUE}(?:\s*,\s*{_KEY}\s*:\s*{_VALUE}){{1,40}})\s*,?\s*\}}")
_EACH = re.compile(_VALUE)
_EACH_PAIR = re.compile(rf"({_KEY})\s*:\s*({_VALUE})")
_BETWEEN = re.compile(r"[\s,]*\Z")
_CAPTION = re.compile(rf"(?:caption|title)\s*[=:]\s*({_STRING})")
_VALUES = re.compile(r"\s*(?:\{\{.*?\}\}\s*)+", re.S)
_RETURNED = re.compile(r"(?:return|=>)\s*\(?\s*(<[A-Za-z>].*?)(?=\n\S|\Z)", re.S)
_JSX_SPACE = re.compile(r"\{\s*(['\"])\s*\1\s*\}|\{/\*.*?\*/\}", re.S)
_MAX = 2_000_000
_NAMES = ("name", "title", "label", "model", "plan", "heading", "id", "key")
"""Keys that name an object, so that the others are told of it."""


def literal_tables(code: str, number: int, headings: tuple[str, ...]) -> list[Block]:
    """Tables of the rows in `code`, numbered from `number`.

    A list of as many texts before the rows names their columns; of objects, their keys do.
    """
    blocks: list[Block] = []
    if len(code) > _MAX:
        return blocks
    for rows, heads, caption in _runs(code):
        table = plain_table(rows, heads, number, headings)
        table.caption = caption
        number += 1
        blocks.extend(table_blocks(table))
    return blocks


def _runs(code: str) -> Iterator[tuple[list[list[str]], int, str]]:
    run: list[list[str]] = []
    header: list[str] = []
    start = end = 0
    for found in [*_ROW.finditer(code), None]:
        row = [_plain(v) for v in _EACH.findall(found.group(1))] if found else []
        if found and run and len(row) == len(run[0]) and _follows(code, end, found):
            run.append(row)
        else:
            if len(run) > 1:
                named = [header] if len(header) == len(run[0]) else []
                yield named + run, len(named), _caption(code[max(0, start - 400) : start])
            elif run and all(run[0]):
                header = run[0]
            run = [row] if found else []
            start = found.start() if found else 0
        end = found.end() if found else 0
    yield from _object_runs(code)


def _object_runs(code: str) -> Iterator[tuple[list[list[str]], int, str]]:
    run: list[dict[str, str]] = []
    start = end = 0
    for found in [*_OBJECT.finditer(code), None]:
        if found and run and _follows(code, end, found):
            run.append(_object(found.group(1)))
        else:
            if len(run) > 1:
                keys = list(dict.fromkeys(key for each in run for key in each))
                keys.sort(key=lambda key: _NAMES.index(key.lower()) if key.lower() in _NAMES else len(_NAMES))
                rows = [[each.get(key, "") for key in keys] for each in run]
                yield [keys, *rows], 1, _caption(code[max(0, start - 400) : start])
            run = [_object(found.group(1))] if found else []
            start = found.start() if found else 0
        end = found.end() if found else 0


def _follows(code: str, end: int, found: re.Match[str]) -> bool:
    return found.start() - end < 40 and bool(_BETWEEN.match(code[end : found.start()]))


def _object(body: str) -> dict[str, str]:
    return {_plain(key): _plain(value) for key, value in _EACH_PAIR.findall(body)}


def _plain(literal: str) -> str:
    if literal[:1] in "'\"`":
        return fold(re.sub(r"\\(.)", r"\1", literal[1:-1]))
    return literal.replace("_", " ") if literal[:1].isalpha() else literal


def _caption(before: str) -> str:
    found = [_plain(m.group(1)) for m in _CAPTION.finditer(before)]
    return found[-1] if found else ""


def without_tags(text: str) -> tuple[str, list[str]]:
    """The text without a template's control tags, and the tags; costs no more than the text's length."""
    kept: list[str] = []
    tags: list[str] = []
    at = 0
    while (start := text.find("{%", at)) >= 0 and (end := text.find("%}", start)) >= 0:
        kept.append(text[at:start])
        at = end + 2
        tags.append(text[start:at])
    kept.append(text[at:])
    return (" ".join(kept) if tags else text), tags


def is_placeholder(text: str) -> bool:
    """Whether a text is nothing but a template's values."""
    return bool(_VALUES.fullmatch(text))


def jsx_markup(text: str) -> str:
    """The markup that the functions of a component's source return."""
    found = "\n".join(m.group(1)[: m.group(1).rfind(">") + 1] for m in _RETURNED.finditer(text))
    return _JSX_SPACE.sub(" ", found)
