"""`kb read`: what kb sees on a page: blocks, tables, quantities."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.cli.options import allow_private_option, complete_files, json_option
from kb.cli.output import colour_wanted, plain, print_json
from kb.errors import UnreadableError, UsageError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from kb.page import Block, Page, Unread
    from kb.quantity import Quantity


_ENCODING = {
    "bom": " (by its byte order mark)",
    "header": " (as the header says)",
    "meta": " (as the page says)",
    "guess": " (guessed)",
}


@click.command()
@click.argument("page", metavar="PAGE|URL", shell_complete=complete_files)
@click.option("--quantities", "only_quantities", is_flag=True, help="List the quantities only.")
@click.option("--all", "everything", is_flag=True, help="Show embedded data too, in the text form.")
@json_option
@allow_private_option
def command(page: str, only_quantities: bool, everything: bool, as_json: bool, allow_private: bool) -> None:
    """Show what kb sees on a saved page or at an address: blocks, tables, quantities.

    \b
    Quantities are marked with what they were read as. What is hidden, boilerplate
    or embedded data is dimmed and begins with its role. A page that is a wall, a
    sign-in or an error page is shown all the same, and the exit code is 3.
    """
    seen, refused = _look(page, allow_private)
    if seen is None:
        raise UnreadableError(
            f"{page}: {_why(refused)}; name a page that a browser saved", reason=refused and refused.reason
        )
    if as_json:
        print_json(_as_json(seen, refused, only_quantities))
    elif only_quantities:
        _show_quantities(seen)
    else:
        _show(seen, everything)
    if refused is not None:
        click.echo(f"unread: {_why(refused)}", err=True)
        sys.exit(3)


def _look(page: str, allow_private: bool) -> tuple[Page | None, Unread | None]:
    """What is there, and why it would not be judged, if so."""
    from kb.app.verify import read_file, read_url
    from kb.fetch import FetchSettings
    from kb.page import Page, Unread, read_body

    if page.lower().startswith(("http://", "https://")):
        seen = read_url(page, FetchSettings(allow_private=allow_private))
        return (seen, None) if isinstance(seen, Page) else (None, seen)
    path = Path(page)
    if not path.is_file():
        raise UsageError(f"{page}: there is no such file; name a saved page, or an address with https://")
    seen = read_file(path)
    if isinstance(seen, Page):
        return seen, None
    body = read_body(path.read_bytes(), url=path.name)
    return (None if isinstance(body, Unread) else body), seen


def _why(unread: Unread | None) -> str:
    if unread is None:
        return ""
    return f"{unread.reason.sentence} ({unread.reason})" + (
        f": {plain(unread.detail)}" if unread.detail else ""
    )


# --- JSON -----------------------------------------------------------------------------------------


def _as_json(page: Page, refused: Unread | None, only_quantities: bool) -> dict[str, Any]:
    about = {f.name: getattr(page, f.name) for f in fields(page) if f.name != "blocks"}
    about["unread"] = {"reason": str(refused.reason), "detail": refused.detail} if refused else None
    if only_quantities:
        return {"page": about, "quantities": [_quantity_json(b, q) for b, q in _quantities(page)]}
    return {"page": about, "blocks": [_block_json(b) for b in page.blocks]}


def _block_json(block: Block) -> dict[str, Any]:
    told = {f.name: getattr(block, f.name) for f in fields(block)}
    return {k: list(v) if isinstance(v, tuple) else v for k, v in told.items()}


def _quantity_json(block: Block, quantity: Quantity) -> dict[str, Any]:
    from kb.quantity import format_quantity

    return {
        "text": quantity.text,
        "read": format_quantity(quantity),
        "value": str(quantity.value),
        "high": None if quantity.high is None else str(quantity.high),
        "unit": quantity.unit,
        "bound": quantity.bound,
        "per": quantity.per,
        "times": None if quantity.times is None else str(quantity.times),
        "readings": [format_quantity(other) for other in quantity.readings],
        "block": _block_json(block),
    }


def _of(block: Block, lang: str | None) -> list[Quantity]:
    from kb.quantity import quantities

    header = " ".join(block.column) or None
    row = " ".join(block.row) or None
    found = quantities(block.text, header=header, row=row, lang=lang)
    ends = -1
    outer = []
    for quantity in sorted(found, key=lambda q: (q.start, -q.end)):
        if quantity.start >= ends:
            outer.append(quantity)
            ends = quantity.end
    return outer


def _quantities(page: Page) -> Iterator[tuple[Block, Quantity]]:
    for block in page.blocks:
        for quantity in _of(block, page.lang):
            yield block, quantity


# --- text -----------------------------------------------------------------------------------------


def _console() -> Console:
    from rich.console import Console  # start-up time

    wide = None if sys.stdout.isatty() else 100
    return Console(
        file=sys.stdout,
        width=wide,
        force_terminal=colour_wanted(),
        no_color=not colour_wanted(),
        highlight=False,
        emoji=False,
        markup=False,
        soft_wrap=False,
    )


def _show_quantities(page: Page) -> None:
    from kb.quantity import format_quantity

    console = _console()
    for block, quantity in _quantities(page):
        where = " › ".join((*block.headings[-1:], *block.row, *block.column))
        role = "" if block.role == "content" else f" ({block.role})"
        line = f"{plain(quantity.text)}  =  {format_quantity(quantity)}"
        if quantity.readings:
            line += "  or  " + ", ".join(format_quantity(other) for other in quantity.readings)
        console.print(_styled(line + (f"  [{plain(where)}]" if where else "") + role, block))


def _show(page: Page, everything: bool) -> None:
    console = _console()
    head = [f"{page.content_type}, {page.encoding}{_ENCODING.get(page.encoding_source, '')}"]
    head += [f"language {page.lang}"] if page.lang else []
    head += [f"published {page.published}"] if page.published else []
    head += [f"{page.pages} pages"] if page.pages else []
    head += [f"canonical {page.canonical}"] if page.canonical else []
    console.print(plain(page.title) or "(no title)", style="bold")
    console.print(plain(", ".join(head)), style="dim")
    left_out = 0
    for table, group in groupby(page.blocks, key=lambda b: b.table):
        if table is None:
            for block in group:
                if block.role == "data" and not everything:
                    left_out += 1
                elif block.kind != "title" and not (block.kind == "caption" and block.text == ""):
                    _show_block(console, block, page.lang)
        else:
            _show_table(console, list(group), page.lang)
    if left_out:
        console.print(f"\n{left_out} pairs of embedded data; --all shows them", style="dim")


def _show_block(console: Console, block: Block, lang: str | None) -> None:
    indent = "  " * len(block.headings)
    kind = block.kind
    if kind == "heading":
        console.print()
        console.print(_marked(indent, block, lang, bold=True))
        return
    before = {"item": indent + "  " * max(0, block.level - 1) + "• ", "definition": indent + "    "}.get(
        kind, indent
    )
    if kind in ("pair", "code", "definition") and block.row and not _has_label(block):
        before += f"{plain(' › '.join(block.row))}: "
    if block.page is not None:
        before = f"[{block.page}] {before}"
    console.print(_marked(before, block, lang, bold=kind == "term"))


def _has_label(block: Block) -> bool:
    """Whether the text itself has its label, or its term stands above it."""
    return block.kind == "definition" or block.row[-1] in block.text


def _show_table(console: Console, cells: list[Block], lang: str | None) -> None:
    from rich.table import Table  # start-up time

    width = 1 + max(cell.column_index or 0 for cell in cells)
    indent = 2 * len(cells[0].headings)
    if width > 30:
        for cell in cells:
            _show_block(console, cell, lang)
        return
    table = Table(
        show_header=False, show_lines=False, title=plain(cells[0].caption) or None, title_justify="left"
    )
    for _ in range(width):
        table.add_column(overflow="fold")
    for row in _rows(cells):
        line: list[Text | str] = [""] * width
        for cell in row:
            at = cell.column_index or 0
            text = _marked("", cell, lang, bold=cell.header)
            line[at] = text if not line[at] else _joined(line[at], text)
        head = all(cell.header for cell in row)
        table.add_row(*line, end_section=head)
    _indented(console, table, indent)


def _rows(cells: Iterable[Block]) -> Iterator[list[Block]]:
    for _, row in groupby(cells, key=lambda cell: cell.row_index):
        yield list(row)


def _joined(first: Text | str, second: Text) -> Text:
    from rich.text import Text

    return Text("\n").join([Text(first) if isinstance(first, str) else first, second])


def _indented(console: Console, table: Table, indent: int) -> None:
    from rich.padding import Padding  # start-up time

    console.print(Padding(table, (0, 0, 0, indent), expand=False))


def _marked(before: str, block: Block, lang: str | None, bold: bool = False) -> Text:
    """The block's words, each quantity underlined and followed by what it was read as."""
    from rich.text import Text  # start-up time

    from kb.quantity import format_quantity

    quiet = block.role != "content"
    text = Text(before + (f"({block.role}) " if quiet else ""), style="dim" if quiet else "")
    style = " ".join(word for word in ("dim" if quiet else "", "bold" if bold else "") if word)
    at = 0
    for quantity in _of(block, lang):
        text.append(plain(block.text[at : quantity.start]), style=style or None)
        text.append(plain(quantity.text), style=f"{style} underline".strip())
        read = format_quantity(quantity)
        if " ".join(read.split()).casefold() != " ".join(quantity.text.split()).casefold():
            text.append(f" [={read}]", style="dim")
        at = quantity.end
    text.append(plain(block.text[at:]), style=style or None)
    return text


def _styled(line: str, block: Block) -> Text:
    from rich.text import Text  # start-up time

    return Text(line, style="" if block.role == "content" else "dim")
