"""What stands before a Markdown page, in YAML, TOML or JSON: its fields, and lists and rows among them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from kb.page.json import pairs
from kb.page.lines import width_of
from kb.page.page import Block
from kb.page.part import BREAK, Part, fold, plain_table
from kb.page.tables import table_blocks

_FRONT = re.compile(
    r"\A(?:---|\+\+\+)[ \t]*\n(.*?)^(?:---(?: abstract| middle)?|\+\+\+|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M
)
"""Drafts of internet standards end theirs with the name of their first part: `--- abstract`."""
_FRONT_JSON = re.compile(r"\A\s*<!--\s*(\{.*?\})\s*-->", re.S)
_FIELD = re.compile(r"""^([A-Za-z_][\w.-]*)[ \t]*[:=][ \t]*(\S.*?)[ \t]*$""", re.M)
_LINE = re.compile(
    r" *(?:-(?:\s+|$))?"
    r"(?:(?P<key>[A-Za-z_][\w. /-]{0,60}|\"[^\"]{1,60}\"|'[^']{1,60}'):(?:\s+|$))?(?P<value>.*)$"
)
_COMMENT = re.compile(r"(?:^|\s+)#(?:\s.*)?$")
_SCALARS = ("|", ">", "|-", ">-", "|+", ">+")
"""What opens a text over several lines."""
_DEEPEST = 8

Fields = list[tuple[str, str]]


def front_matter(text: str) -> tuple[Fields, str, str]:
    """The fields before a page, their text if lists or rows may stand in it, and the page itself."""
    found = _FRONT.match(text)
    if found is not None:
        lines = _FIELD.findall(found.group(1))
        fields = [(n, fold(v.strip("'\"").replace(BREAK, " "))) for n, v in lines]
        whole = "" if text.startswith("+++") else found[1]
        return [(n, v) for n, v in fields if v and v not in _SCALARS], whole, text[found.end() :]
    found = _FRONT_JSON.match(text)
    if found is not None:
        try:
            data = json.loads(found.group(1), strict=False)
        except (ValueError, RecursionError):
            return [], "", text
        said = [(n, fold(v)) for n, v in data.items() if isinstance(v, str) and v.strip()]
        return said, "", text[found.end() :]
    return [], "", text


def nested(front: str, tables: int) -> list[Part | Block]:
    """What stands indented or dashed under a field: rows of a table, items of a list, or pairs.

    `tables`: how many the page has beside those.
    """
    out: list[Part | Block] = []
    for name, inner in _sections(front.replace(BREAK, " ").split("\n")):
        data = _read(inner, 0)
        rows = [each for each in data if isinstance(each, dict)] if isinstance(data, list) else []
        if len(rows) > 1 and len(rows) == len(data) and all(_flat(row) for row in rows):
            columns = list(dict.fromkeys(key for row in rows for key in row))
            cells = [[row.get(column, "") for column in columns] for row in rows]
            table = plain_table([columns, *cells], 1, tables)
            table.caption = name
            out += table_blocks(table)
            tables += 1
        elif isinstance(data, list) and all(isinstance(each, str) for each in data):
            out += [Part("item", each, "data", 1, (), (name,)) for each in data]
        else:
            out += [Part("pair", value, "data", 0, (), names) for names, value in pairs({name: data})]
    return out


def _flat(row: dict[str, Any]) -> bool:
    return all(isinstance(value, str) for value in row.values())


def _sections(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The fields without a value of their own, each with the lines under it."""
    name, inner = "", list[str]()
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0] in " -" and line[:2] != "--":
            inner.append(line)
            continue
        if name and inner:
            yield name, inner
        opens = _LINE.match(line)
        bare = opens is not None and opens["key"] and not _COMMENT.sub("", opens["value"])
        name, inner = (opens["key"].strip("'\"") if opens and bare else ""), []
    if name and inner:
        yield name, inner


def _read(lines: Sequence[str], depth: int) -> Any:
    """The value that lines of one block hold: a list, a mapping, or a text."""
    first = width_of(lines[0])
    if depth > _DEEPEST:
        return " ".join(line.strip() for line in lines)
    if lines[0].lstrip().startswith("-"):
        return [_entry(each, depth) for each in _parts(lines, first) if each]
    if not _keyed(lines[0]):
        return fold(" ".join(line.strip() for line in lines).strip("'\""))
    out: dict[str, Any] = {}
    for part in _parts(lines, first):
        match = _LINE.match(part[0])
        if match is None or not match["key"]:
            continue
        value = fold(_COMMENT.sub("", match["value"]).strip("'\""))
        under = part[1:]
        if under and (not value or value in _SCALARS):
            out[match["key"].strip("'\"")] = _read(under, depth + 1) if not value else _text(under)
        elif value:
            out[match["key"].strip("'\"")] = _text([value, *under])
    return out


def _entry(lines: list[str], depth: int) -> Any:
    """The value of one entry of a list: what follows its dash."""
    head = re.sub(r"-\s*", lambda m: " " * len(m[0]), lines[0], count=1)
    rest = [head, *lines[1:]] if head.strip() else lines[1:]
    if not rest:
        return ""
    return _read(rest, depth + 1)


def _parts(lines: Sequence[str], indent: int) -> Iterator[list[str]]:
    part: list[str] = []
    for line in lines:
        if width_of(line) <= indent and part:
            yield part
            part = []
        part.append(line)
    if part:
        yield part


def _keyed(line: str) -> bool:
    match = _LINE.match(line)
    return match is not None and bool(match["key"])


def _text(lines: Sequence[str]) -> str:
    return fold(" ".join(line.strip() for line in lines))
