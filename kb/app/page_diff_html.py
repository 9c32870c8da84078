"""The differences between two captures as one HTML document, with nothing in it from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from kb.app.page_diff import Change
from kb.app.snapshots import Compared
from kb.page import Unread
from kb.snapshots import Capture

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_HEAD = "".join(f'<th scope="col">{name}</th>' for name in ("Where", "Before", "After"))
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b1b1b; background: #fff; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; width: 42%;
  border-bottom: 1px solid #ddd; }
th[scope=row] { width: 16%; font-weight: 600; }
td { overflow-wrap: anywhere; } del, ins { text-decoration: none; }
del mark { background: #ffc9c9; } ins mark { background: #b8f0c0; } mark { font-weight: 700; }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #151515; }
  th, td { border-color: #444; } del mark { background: #7a2020; color: #fff; }
  ins mark { background: #1d6b2b; color: #fff; } }
"""


def as_html(result: Compared) -> str:
    """A whole document; everything scraped in it is escaped, and it asks for nothing."""
    title = f"What changed on {result.after.url}"
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
            f"<h1>{escape(title)}</h1>",
            f"<p>Before: {_named(result.before)}<br>After: {_named(result.after)}</p>",
            *_content(result),
            "</body></html>",
        ]
    )


def _content(result: Compared) -> list[str]:
    if any(result.unread):
        names = zip(("Before", "After"), result.unread, strict=True)
        return [f"<p>{name}: {_why(unread)}</p>" for name, unread in names if unread]
    if not result.changes:
        same = (
            "the bytes are the same" if result.same_bytes else "the bytes differ, the visible text does not"
        )
        return [f"<p>No difference: {same}.</p>"]
    lines: list[str] = []
    headings: tuple[str, ...] | None = None
    for change in result.changes:
        if change.headings != headings:
            if headings is not None:
                lines.append("</table>")
            headings = change.headings
            lines.append(f"<h2>{escape(' › '.join(headings)) or 'Top of the page'}</h2>")
            lines.append(f"<table><tr>{_HEAD}</tr>")
        lines.append(_row(change))
    return [*lines, "</table>"]


def _row(change: Change) -> str:
    where = " · ".join(x for x in (" / ".join(change.row), " / ".join(change.column)) if x) or change.kind
    before = f"<del>{_marked(change.before, change.lost)}</del>" if change.before else ""
    after = f"<ins>{_marked(change.after, change.new)}</ins>" if change.after else ""
    return f'<tr><th scope="row">{escape(where)}</th><td>{before}</td><td>{after}</td></tr>'


def _marked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if start >= done:
            parts += [escape(text[done:start]), "<mark>", escape(text[start:end]), "</mark>"]
            done = end
    return "".join([*parts, escape(text[done:])])


def _named(capture: Capture) -> str:
    return f"{escape(capture.captured)} <code>{escape(capture.digest.removeprefix('sha256:')[:12])}</code>"


def _why(unread: Unread) -> str:
    detail = f" ({escape(unread.detail)})" if unread.detail else ""
    return f"not the page, as {escape(unread.reason.sentence)}{detail}"
