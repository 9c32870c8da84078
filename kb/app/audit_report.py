"""An audit as JSON, SARIF, GitHub annotations, and an HTML copy of the article with marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Any
from urllib.parse import quote

from kb.app.audit_lines import Place
from kb.app.audit_mention import Mention, Status
from kb.page import Block, Page
from kb.version import __version__

SAYS = {
    Status.HOLDS: "backed by a claim",
    Status.DRIFTED: "backed by a claim that no longer holds",
    Status.OTHER: "a claim says something else",
    Status.DERIVED: "follows from claims",
    Status.SOURCE: "the date of a source",
    Status.NONE: "no claim",
}
"""What each status means, in words."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
body { font: 16px/1.55 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b1b1b; background: #fff; display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr);
  gap: 2rem; }
h1.audit { grid-column: 1 / -1; font-size: 1.3rem; margin: 0; }
table { border-collapse: collapse; }
td, th { border: 1px solid #bbb; padding: .25rem .5rem; text-align: left; }
mark { color: inherit; background: #d5efd9; } mark.drifted { background: #ffb8b8; }
mark.other { background: #ffd9a8; } mark.derived { background: #d3e4ff; }
mark.source { background: #e8e8e8; }
mark.none { background: none; border-bottom: 2px dotted #999; }
aside ol { padding-left: 1.5rem; font-size: .9rem; }
aside li { margin-bottom: .5rem; overflow-wrap: anywhere; }
pre { overflow-x: auto; }
@media (max-width: 50rem) { body { display: block; } }
@media print { body { display: block; } }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #151515; } mark { background: #1d5a2b; }
  mark.drifted { background: #7a2020; } mark.other { background: #704407; }
  mark.derived { background: #1f3f70; }
  mark.source { background: #444; } }
"""


def counts(mentions: Sequence[Mention]) -> dict[str, int]:
    """How many mentions have each status, all statuses named."""
    seen = Counter(m.status for m in mentions)
    return {str(s): seen[s] for s in Status}


def sentence_for(mention: Mention) -> str:
    """What is to be said of a mention, in one line."""
    text = f'"{mention.text}": {SAYS[mention.status]}'
    if mention.claims:
        text += f" ({mention.claims[0]}"
        if mention.status in (Status.OTHER, Status.DRIFTED):
            text += f" states {mention.stated}" + (f", its page {mention.found}" if mention.found else "")
        text += ")"
    return text


def as_json(article: str, mentions: Sequence[Mention], where: Sequence[Place | None]) -> dict[str, Any]:
    """The whole audit."""
    return {
        "article": article,
        "counts": counts(mentions),
        "mentions": [
            {
                "text": m.text,
                "kind": m.kind,
                "line": p.line if p else None,
                "column": p.column if p else None,
                "page": m.block.page,
                "sentence": m.sentence,
                "status": str(m.status),
                "claim": m.claims[0] if m.claims else None,
                "also": list(m.claims[1:]),
                "verdict": m.verdict or None,
                "stated": m.stated or None,
                "found": m.found or None,
                "formula": m.formula or None,
                "gone": m.gone,
            }
            for m, p in zip(mentions, where, strict=True)
        ],
    }


def _told(
    mentions: Sequence[Mention], where: Sequence[Place | None]
) -> Iterator[tuple[str, Mention, Place | None]]:
    for mention, place in zip(mentions, where, strict=True):
        if mention.gone:
            yield "error", mention, place
        elif mention.doubtful:
            yield "warning", mention, place
        elif mention.status is Status.NONE:
            yield "note", mention, place


def as_sarif(article: str, mentions: Sequence[Mention], where: Sequence[Place | None]) -> dict[str, Any]:
    """A SARIF 2.1.0 log of what needs a look: errors, warnings, and notes for what has no claim."""
    results = []
    for level, mention, place in _told(mentions, where):
        location: dict[str, Any] = {"artifactLocation": {"uri": quote(article)}}
        if place:
            location["region"] = {
                "startLine": place.line,
                "startColumn": place.column,
                "endColumn": place.column + place.end - place.start,
            }
        results.append(
            {
                "ruleId": str(mention.status),
                "level": level,
                "message": {"text": sentence_for(mention)},
                "locations": [{"physicalLocation": location}],
            }
        )
    rules = [{"id": str(s), "shortDescription": {"text": SAYS[s]}} for s in Status]
    driver = {"name": "kb audit", "version": __version__, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def as_github(article: str, mentions: Sequence[Mention], where: Sequence[Place | None]) -> str:
    """GitHub's annotations, a line each; what merely has no claim is left out."""
    lines = []
    for level, mention, place in _told(mentions, where):
        if level != "note":
            at = f",line={place.line},col={place.column}" if place else ""
            file = _escaped(article).replace(":", "%3A").replace(",", "%2C")
            lines.append(f"::{level} file={file}{at}::{_escaped(sentence_for(mention))}")
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


# --- HTML -----------------------------------------------------------------------------------------


def as_html(article: str, page: Page, mentions: Sequence[Mention]) -> str:
    """A copy of the article with marks and a list beside it; it asks for nothing."""
    number = {id(m): i for i, m in enumerate(mentions, 1)}
    by_block: dict[int, list[Mention]] = {}
    for mention in mentions:
        by_block.setdefault(id(mention.block), []).append(mention)

    def marked(block: Block) -> str:
        out, at = [], 0
        for m in sorted(by_block.get(id(block), []), key=lambda m: (m.start, -m.end)):
            if m.start < at:
                continue
            i = number[id(m)]
            out.append(escape(block.text[at : m.start]))
            out.append(
                f'<mark class="{m.status}" id="m{i}" title="{escape(sentence_for(m))}">'
                f"{escape(m.text)}<sup>{i}</sup></mark>"
            )
            at = m.end
        return "".join(out) + escape(block.text[at:])

    body: list[str] = []
    visible = [b for b in page.blocks if b.visible and b.role == "content"]
    for table, blocks in groupby(visible, key=lambda b: b.table):
        if table is None:
            body += [_element(b, marked(b)) for b in blocks]
            continue
        body.append("<table>")
        for _, row in groupby(blocks, key=lambda b: b.row_index):
            cells = (f"<th>{marked(b)}</th>" if b.header else f"<td>{marked(b)}</td>" for b in row)
            body.append(f"<tr>{''.join(cells)}</tr>")
        body.append("</table>")
    side = [
        f'<li value="{i}"><a href="#m{i}">{escape(m.text)}</a>: {escape(SAYS[m.status])}'
        + "".join(f"<br><code>{escape(c)}</code>" for c in m.claims)
        + (f"<br>claim: {escape(m.stated)}" if m.stated else "")
        + (f"<br>page: {escape(m.found)}" if m.found else "")
        + (f"<br>{escape(m.formula)}" if m.formula else "")
        + "</li>"
        for i, m in enumerate(mentions, 1)
    ]
    title = escape(f"Audit of {article}")
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{escape(page.lang or "en")}"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{title}</title><style>{_STYLE}</style></head><body>",
            f'<h1 class="audit">{title}</h1><main>',
            *body,
            "</main><aside><ol>",
            *side,
            "</ol></aside></body></html>",
        ]
    )


def _element(block: Block, text: str) -> str:
    if block.kind in ("title", "heading"):
        level = min(max(block.level, 1) + 1, 6)
        return f"<h{level}>{text}</h{level}>"
    if block.kind == "code":
        return f"<pre>{text}</pre>"
    return f"<p>• {text}</p>" if block.kind == "item" else f"<p>{text}</p>"
