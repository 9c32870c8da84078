"""What Datasette's templates leave out for people who listen to a page or use a keyboard alone."""

from __future__ import annotations

import re

from markupsafe import Markup

_LABELS = {
    "_filter_column": "Column",
    "_filter_op": "Comparison",
    "_filter_value": "Value",
    "_sort": "Sort by",
    "_size": "Rows",
}
_FIELD = re.compile(r'<(input|select)\b(?![^<>]*aria-label)([^<>]*\sname="(_[a-z_]+?)(?:_\d+)?"[^<>]*)>')
_COLUMNS = re.compile(r'<dl class="column-descriptions">.*?</dl>', re.DOTALL)
_WRAPPER = '<div class="table-wrapper">'
_HEADING = re.compile(r"<(/?)h3\b")


def reachable(rendered: str) -> Markup:
    """A rendered block of Datasette's with labels, a way into what scrolls, and headings in order.

    Like `inline.without_inline` it works on what autoescaping templates wrote, where a `<`
    begins a tag.
    """
    text = _FIELD.sub(_labelled, str(rendered))
    text = _COLUMNS.sub(
        lambda m: f'<details class="columns"><summary>What the columns hold</summary>{m[0]}</details>', text
    )
    text = text.replace(_WRAPPER, '<div class="table-wrapper" tabindex="0" role="group" aria-label="Rows">')
    if "<h2" not in text:
        text = _HEADING.sub(r"<\1h2", text)
    # What is returned was safe before, and only got texts of this file.
    return Markup(f"<main>{text}</main>")  # noqa: S704


def _labelled(found: re.Match[str]) -> str:
    label = _LABELS.get(found[3])
    return f'<{found[1]} aria-label="{label}"{found[2]}>' if label else found[0]


def spoken(media_type: str, body: bytes) -> bytes:
    """The page with the language it is in, which Datasette's do not say."""
    return body.replace(b"<html>", b'<html lang="en">', 1) if media_type == "text/html" else body
