"""Tables drawn with characters: grid and simple tables, pipes, columns aligned by spaces."""

from __future__ import annotations

import re
from itertools import pairwise

from kb.page.lines import width_of
from kb.page.part import Cell, Part, Table, plain_table

GRID = re.compile(r"\s*\+(?:[-=]{2,}\+)+\s*$")
SIMPLE = re.compile(r"\s*={2,}(?:\s+={2,})+\s*$")
_RULE = re.compile(r"\s*[-=─━]{2,}(?:(?:\s+|[|+┼│])[-=─━]{2,})*\s*$")
_PIPE_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:[|+]\s*:?-{2,}:?\s*)+\|?\s*$")
_LEADERS = re.compile(r"(\S.*?)\s?(?:\.{4,}|(?:\s\.){3,}|…{2,})\s*(\S.*)$")
_BR = re.compile(r"\s*<br\s*/?>\s*", re.I)
_MAX_LINES = 5_000
_MAX_COLUMNS = 200


def grid_table(lines: list[str], number: int, headings: tuple[str, ...]) -> Table | None:
    """A table drawn with `+---+`, its cells of any height and width; None where the drawing is broken."""
    indent = len(lines[0]) - len(lines[0].lstrip())
    lines = [line[indent:].rstrip() for line in lines[:_MAX_LINES]]
    edges = sorted({at for line in lines if GRID.match(line) for at, c in enumerate(line) if c == "+"})
    if not 2 <= len(edges) <= _MAX_COLUMNS:
        return None
    spans = list(pairwise(edges))
    width = edges[-1] + 1
    lines = [line.ljust(width) for line in lines]
    cuts = [n for n, line in enumerate(lines) if any(_is_rule(line[a + 1 : b]) for a, b in spans)]
    if len(cuts) < 2 or cuts[0] != 0:
        return None
    head = next((n for n, cut in enumerate(cuts[1:], 1) if "=" in lines[cut] and n < len(cuts) - 1), 0)
    begun = all(lines[n][1 : edges[1]].strip() for n in range(1, cuts[-1]) if n not in cuts)
    if len(cuts) == 3 and not head and cuts[2] - cuts[1] > 2 and begun:
        return _one_line_rows(lines, edges, cuts, number, headings)
    return _spanned(lines, spans, cuts, head, number, headings)


def _is_rule(text: str) -> bool:
    return len(text) > 0 and not text.strip("-=+")


def _one_line_rows(
    lines: list[str], edges: list[int], cuts: list[int], number: int, headings: tuple[str, ...]
) -> Table:
    """As database shells draw them: each line between the rules is a row."""
    rows = [
        [line[a + 1 : b].strip() for a, b in pairwise(edges)]
        for n, line in enumerate(lines)
        if n not in cuts and line.strip()
    ]
    return plain_table(rows, cuts[1] - cuts[0] - 1, number, headings)


def _spanned(
    lines: list[str],
    spans: list[tuple[int, int]],
    cuts: list[int],
    head: int,
    number: int,
    headings: tuple[str, ...],
) -> Table:
    table = Table(number)
    taken: set[tuple[int, int]] = set()
    bands = list(pairwise(cuts))
    for r, (top, bottom) in enumerate(bands):
        row = table.add_row("head" if r < head else "body")
        for c in range(len(spans)):
            if (r, c) in taken:
                continue
            right = c
            while right + 1 < len(spans) and all(
                lines[n][spans[right][1]] not in "|+" for n in range(top + 1, bottom)
            ):
                right += 1
            down = r
            while down + 1 < len(bands) and not _is_rule(
                lines[bands[down][1]][spans[c][0] + 1 : spans[c][1]]
            ):
                down += 1
            taken.update((y, x) for y in range(r, down + 1) for x in range(c, right + 1))
            words = [lines[n][spans[c][0] + 1 : spans[right][1]] for n in range(top + 1, bands[down][1])]
            cell = Cell(r < head, headings=headings)
            cell.rowspan, cell.colspan = down - r + 1, right - c + 1
            text = " ".join(" ".join(words).split())
            if text:
                cell.parts.append(Part("paragraph", text))
            row.append(cell)
    return table


def simple_table(lines: list[str], number: int, headings: tuple[str, ...]) -> Table:
    """A table between `====  ====` rules; an empty first column goes on with the row above."""
    columns = [(m.start(), m.end()) for m in re.finditer(r"=+", lines[0])][:_MAX_COLUMNS]
    rules = [n for n, line in enumerate(lines) if SIMPLE.match(line) or (_RULE.match(line) and "=" in line)]
    heads = 0
    rows: list[list[str]] = []
    fresh = True
    for n, line in enumerate(lines[:_MAX_LINES]):
        if n in rules:
            if len(rules) > 2 and n == rules[1]:
                heads = len(rows)
            continue
        if not line.strip() or _RULE.match(line):
            fresh = True
            continue
        words = []
        for at, (start, _) in enumerate(columns):
            end = columns[at + 1][0] if at + 1 < len(columns) else None
            words.append(line[start:end].strip())
        if rows and not words[0] and not fresh:
            rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], words, strict=True)]
        else:
            rows.append([w if w != "\\" else "" for w in words])
        fresh = False
    return plain_table(rows, heads, number, headings)


def piped_table(lines: list[str], number: int, headings: tuple[str, ...]) -> Table | None:
    """Rows split by `|`; a rule under the header tells it, else three rows alike are needed."""
    rule = next((n for n, line in enumerate(lines[1:3], 1) if _PIPE_RULE.match(line)), 0)
    rows = []
    for n, line in enumerate(lines[:_MAX_LINES]):
        if not (rule and n == rule) and not _RULE.match(line) and not _PIPE_RULE.match(line):
            cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
            rows.append([_BR.sub("\n", cell).strip() for cell in cells[:_MAX_COLUMNS]])
    if len(rows) < (1 if rule else 3) or len(rows[0]) < 2:
        return None
    alike = sum(1 for row in rows if len(row) == len(rows[0]))
    if alike * 4 < len(rows) * 3:
        return None
    return plain_table(rows, rule, number, headings)


def aligned_table(lines: list[str], number: int, headings: tuple[str, ...]) -> Table | None:
    """Columns told apart by at least two spaces that stand below each other; None where there are none."""
    ruled = [n for n, line in enumerate(lines) if _RULE.match(line)]
    body = [line for n, line in enumerate(lines) if n not in ruled]
    if len(body) < (2 if ruled else 3) or len(body) > _MAX_LINES:
        return None
    width = max(map(len, body))
    if width > 1_000:
        return None
    blank = bytearray(b"\x01" * (width + 2))
    for line in body:
        for at, c in enumerate(line):
            if c != " ":
                blank[at] = 0
    columns = _columns(blank, width, min(width_of(line) for line in body))
    if len(columns) < 2 or len(columns) > _MAX_COLUMNS:
        return None
    rows = [[line[a:b].strip() for a, b in columns] for line in body]
    full = sum(1 for row in rows if sum(1 for cell in row if cell) > 1)
    gaps = sum(1 for line in body if re.search(r"\S(?: {2,})\S", line.strip()))
    if full * 4 < len(rows) * 3 or gaps * 4 < len(rows) * 3:
        return None
    joined = _continued(rows)
    heads = 1 if ruled and ruled[-1] >= 1 and ruled[0] in (0, 1) and len(joined) > 1 else 0
    return plain_table(joined, heads, number, headings)


def _columns(blank: bytearray, width: int, start: int) -> list[tuple[int, int]]:
    columns: list[tuple[int, int]] = []
    at = start
    while at < width:
        end = at
        while end < width and not (blank[end] and blank[end + 1]):
            end += 1
        columns.append((at, end))
        while end < width and blank[end]:
            end += 1
        at = end
    return [(a, columns[n + 1][0] if n + 1 < len(columns) else width) for n, (a, _) in enumerate(columns)]


def _continued(rows: list[list[str]]) -> list[list[str]]:
    """Join a row that has only its last cell to the row that it goes on with."""
    joined: list[list[str]] = []
    for row in rows:
        if joined and not any(row[:-1]) and row[-1] and joined[-1][-1]:
            joined[-1][-1] += " " + row[-1]
        else:
            joined.append(row)
    return joined


def is_rule(line: str) -> bool:
    """Whether a line only rules off."""
    return bool(_RULE.match(line))


def leader_pair(line: str) -> tuple[str, str] | None:
    """Label and value of a line `Memory ........ 80 GB`."""
    found = _LEADERS.match(line.strip())
    return (found.group(1).strip(), found.group(2).strip()) if found else None
