"""An audit as an HTML copy of the article: its places marked, and beside it what the claims say of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby

from kb.app.audit_evidence import Behind
from kb.app.audit_mention import Mention, Status
from kb.app.audit_report import SAYS, counts, sentence_for
from kb.page import Block, Page

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --soft: #5c5c5c; --line: #c9c9c9;
  --link: #0b57a4; --holds: #d5efd9; --drifted: #ffc2c2; --other: #ffdcae; --derived: #d3e4ff;
  --source: #e8e8e8; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --paper: #161616; --soft: #a9a9a9;
  --line: #4a4a4a; --link: #8fc1ff; --holds: #1d4f2a; --drifted: #7a2323; --other: #6b430c;
  --derived: #21406f; --source: #3d3d3d; } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 82rem; margin: 0 auto; padding: 1.5rem 1rem 4rem;
  color: var(--ink); background: var(--paper); display: grid; gap: 0 2.5rem;
  grid-template-columns: minmax(0, 1fr) minmax(0, 24rem); }
header { grid-column: 1 / -1; border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
header h1 { font-size: 1.35rem; margin: 0 0 .4rem; }
header ul { list-style: none; margin: 0 0 1rem; padding: 0; display: flex; flex-wrap: wrap;
  gap: .3rem .8rem; }
main { overflow-wrap: anywhere; }
main h2, main h3, main h4, main h5, main h6 { line-height: 1.25; margin: 1.6rem 0 .5rem; }
a { color: var(--link); }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .92rem; }
td, th { border: 1px solid var(--line); padding: .3rem .55rem; text-align: left; vertical-align: top; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
mark { color: inherit; background: var(--holds); border-radius: .15rem; padding: 0 .1rem; }
mark.drifted { background: var(--drifted); } mark.other { background: var(--other); }
mark.derived { background: var(--derived); } mark.source { background: var(--source); }
mark.gone { background: var(--drifted); }
mark.none { background: none; border-bottom: 2px dotted var(--soft); border-radius: 0; }
mark sup { font-size: .65em; } mark sup a { text-decoration: none; color: inherit; }
:target { outline: 2px solid var(--link); }
aside { font-size: .88rem; border-left: 1px solid var(--line); padding-left: 1.2rem;
  overflow-wrap: anywhere; }
aside ol { list-style: none; margin: 0; padding: 0; }
aside li { margin: 0 0 .8rem; padding-left: 2.2rem; position: relative; }
aside li > a:first-child { position: absolute; left: 0; min-width: 1.6rem; }
aside p { margin: .1rem 0; } aside q { color: var(--soft); }
aside code { font-size: .95em; }
pre { overflow-x: auto; }
@media (min-width: 60.01rem) { aside { position: sticky; top: 0; align-self: start; max-height: 100vh;
  overflow-y: auto; padding-top: .5rem; } }
@media (max-width: 60rem) { body { display: block; } aside { border-left: 0; padding: 1rem 0 0;
  margin-top: 2rem; border-top: 1px solid var(--line); } }
@media print { body { display: block; } aside { max-height: none; position: static; } }
"""

Marked = Callable[[Block], str]
"""A block's text as HTML, with its places marked."""

FIRST_UP = 20
"""Places that the head of the page links to."""

QUOTED = 300
"""Characters of a page's words that the list shows."""


def as_html(article: str, page: Page, mentions: Sequence[Mention], behind: Mapping[str, Behind]) -> str:
    """A copy of the article with marks and a list beside it; it asks for nothing."""
    number = {id(m): i for i, m in enumerate(mentions, 1)}
    by_block: dict[int, list[Mention]] = {}
    for mention in mentions:
        by_block.setdefault(id(mention.block), []).append(mention)

    def marked(block: Block) -> str:
        return _marked(block, by_block.get(id(block), []), number)

    title = escape(f"Audit of {article}")
    seen = counts(mentions)
    totals = "".join(
        f'<li><mark class="{s}">{seen[str(s)]}</mark> {escape(SAYS[s])}</li>' for s in Status if seen[str(s)]
    )
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="{escape(page.lang or "en")}"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title><style>{_STYLE}</style></head><body>",
            f"<header><h1>{title}</h1><ul>{totals or '<li>nothing to match</li>'}</ul>",
            f"{_first_up(mentions)}</header><main>",
            *_body(page, marked),
            '</main><aside aria-label="What the claims say"><ol>',
            *(_entry(i, m, behind) for i, m in enumerate(mentions, 1)),
            "</ol></aside></body></html>",
        ]
    )


def _first_up(mentions: Sequence[Mention]) -> str:
    """Links to the places that a person should look at."""
    places = [(i, m) for i, m in enumerate(mentions, 1) if m.gone or m.doubtful]
    if not places:
        return ""
    links = ", ".join(f'<a href="#m{i}">{escape(m.text)}</a>' for i, m in places[:FIRST_UP])
    more = f" and {len(places) - FIRST_UP} more" if len(places) > FIRST_UP else ""
    return f"<p>To look at: {links}{more}</p>"


def _class(mention: Mention) -> str:
    return f"{mention.status} gone" if mention.gone else str(mention.status)


def _marked(block: Block, mentions: Sequence[Mention], number: Mapping[int, int]) -> str:
    out, at = [], 0
    for m in sorted(mentions, key=lambda m: (m.start, -m.end)):
        i = number[id(m)]
        if m.start < at:  # inside another place: only its number
            out.append(f'<sup id="m{i}"><a href="#c{i}">{i}</a></sup>')
            continue
        out.append(escape(block.text[at : m.start]))
        out.append(
            f'<mark class="{_class(m)}" id="m{i}" title="{escape(sentence_for(m))}">{escape(m.text)}'
            f'<sup><a href="#c{i}">{i}</a></sup></mark>'
        )
        at = m.end
    return "".join(out) + escape(block.text[at:])


def _body(page: Page, marked: Marked) -> Iterator[str]:
    visible = [b for b in page.blocks if b.visible and b.role == "content"]
    for (kind, _), blocks in groupby(visible, key=_group):
        if kind == "item":
            yield "<ul>" + "".join(f"<li>{marked(b)}</li>" for b in blocks) + "</ul>"
        elif kind == "table":
            yield '<div class="table"><table>'
            for _, row in groupby(blocks, key=lambda b: b.row_index):
                cells = (f"<th>{marked(b)}</th>" if b.header else f"<td>{marked(b)}</td>" for b in row)
                yield f"<tr>{''.join(cells)}</tr>"
            yield "</table></div>"
        else:
            yield from (_element(b, marked(b)) for b in blocks)


def _group(block: Block) -> tuple[str, int]:
    if block.table is not None:
        return "table", block.table
    return ("item", 0) if block.kind == "item" else ("text", 0)


def _element(block: Block, text: str) -> str:
    if block.kind in ("title", "heading"):
        level = min(max(block.level, 1) + 1, 6)
        return f"<h{level}>{text}</h{level}>"
    return f"<pre>{text}</pre>" if block.kind == "code" else f"<p>{text}</p>"


def _entry(number: int, mention: Mention, behind: Mapping[str, Behind]) -> str:
    """One place in the list: what is said of it, and its evidence."""
    parts = [
        f'<p><mark class="{_class(mention)}">{escape(mention.text)}</mark> {escape(SAYS[mention.status])}'
        f"{', and it no longer holds' if mention.gone else ''}</p>"
    ]
    if mention.claims:
        parts.append("<p>" + ", ".join(f"<code>{escape(c)}</code>" for c in mention.claims) + "</p>")
    if mention.formula:
        parts.append(f"<p>= {escape(mention.worked or mention.formula)}</p>")
    elif mention.stated and mention.status in (Status.OTHER, Status.DRIFTED):
        parts.append(f"<p>the claim: {escape(mention.stated)}</p>")
    if mention.found:
        parts.append(f"<p>its page: {escape(mention.found)}</p>")
    if mention.claims:
        parts += _evidence(behind[mention.claims[0]])
    return f'<li id="c{number}"><a href="#m{number}">{number}</a>{"".join(parts)}</li>'


def _evidence(one: Behind) -> Iterator[str]:
    if one.name:
        day = f", retrieved {escape(one.retrieved)}" if one.retrieved else ""
        name = escape(one.name)
        link = one.link or ""
        if link.startswith(("https://", "http://")):
            name = f'<a href="{escape(link)}" rel="noreferrer">{name}</a>'
        yield f"<p>{name}{day}</p>"
    if one.quote:
        short = one.quote if len(one.quote) <= QUOTED else one.quote[: QUOTED - 1] + "…"
        yield f"<p><q>{escape(short)}</q></p>"
