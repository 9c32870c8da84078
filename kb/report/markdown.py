"""The drift report as Markdown, for an issue, a wiki or a pull request."""

from __future__ import annotations

import re

from kb.report import words
from kb.report.entry import Entry, change_entry, doubt_entry
from kb.report.news import News
from kb.report.now import value_now
from kb.report.sections import Section, in_order
from kb.report.summary import Summary
from kb.report.text import why_unread
from kb.store import ClaimNow

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&])")
_OPENING = re.compile(r"^(\d{1,9})([.)])(?=\s|$)|^([-+#=])")  # what begins a list or a heading


def render_markdown(summary: Summary) -> str:
    """The whole report; a heading and one line where there is nothing to tell."""
    lines = [f"# Drift report: {safe(summary.kb)}", "", f"**{safe(words.headline(summary))}**"]
    lines += in_order(summary, _SECTIONS)
    lines += ["", f"{safe(words.first_up(str(summary.coverage)))}.", ""]
    lines += ["| verdict | claims |", "|---|---|"]
    lines += [f"| {word} | {n} |" for word, n in summary.counts.items()]
    lines += ["", f"Made {words.when(summary.now.isoformat())} UTC."]
    return "\n".join(lines)


def entry_markdown(entry: Entry, heading: str = "###") -> list[str]:
    """One change or doubt with all that a person needs to act; no heading where `heading` is empty."""
    lines = [f"{heading} {safe(entry.title)}", ""] if heading else []
    lines += [
        "| claim | stated | found | source |",
        "|---|---|---|---|",
        f"| `{entry.id}` | {safe(entry.stated)} | {safe(entry.found)} | {safe(entry.source)} |",
        "",
        f"{safe(words.first_up(entry.why))}.",
    ]
    lines += [f"But {safe(entry.but)}."] if entry.but else []
    if entry.quote:
        lines += ["", "> " + "".join(_bold(safe(t)) if m else safe(t) for t, m in entry.quote)]
    if entry.place or entry.link:
        gap = " " if entry.place and entry.link else ""
        lines += ["", safe(entry.place) + gap + (_link(entry.link) if entry.link else "")]
    lines += ["", *(f"- {words.first_up(label)}: {safe(text)}" for label, text in entry.facts)]
    lines += [f"- Or: {safe(value)}{f' ({safe(place)})' if place else ''}" for value, place in entry.others]
    for command, what in entry.actions:
        lines.append(f"- To do: `{command}` to {safe(what)}" if command else f"- To do: {safe(what)}")
    return lines


def _confirmed(summary: Summary, parts: News) -> list[str]:
    lines = ["", "## Confirmed changes"] if parts.confirmed else []
    for claim in parts.confirmed:
        lines += ["", *entry_markdown(change_entry(claim, summary.open[claim.id], summary))]
    return lines


def _doubtful(title: str, claims: list[ClaimNow]) -> list[str]:
    lines = ["", f"## {title}"] if claims else []
    for claim in claims:
        lines += ["", *entry_markdown(doubt_entry(claim))]
    return lines


def _archived(summary: Summary, parts: News) -> list[str]:
    copies = [c for c in summary.checked if c.memento]
    lines = ["", "## Read in archived copies", ""] if copies else []
    for first, group in words.by_source(copies):
        size = words.count(len(group), "claim")
        lines.append(f"- {safe(first.source)} ({size}): {safe(words.plain(first.memento or ''))}")
    return lines


def _bold(text: str) -> str:
    inner = text.strip()
    return text.replace(inner, f"**{inner}**", 1) if inner else text


def _link(address: str) -> str:
    """A link that no character in the address can end."""
    return (
        "[open at the spot](<" + address.replace("<", "%3C").replace(">", "%3E").replace("\\", "%5C") + ">)"
    )


def _unread(summary: Summary, parts: News) -> list[str]:
    claims = parts.unread
    lines = ["", "## Unread", "", "| source | why | claims |", "|---|---|---|"] if claims else []
    for first, group in words.by_source(claims):
        lines.append(f"| {_title(first)} | {safe(why_unread(first))} | {len(group)} |")
    if parts.unseen:
        lines += ["", "## Stated, not checked here yet", ""]
    for first, group in words.by_source(parts.unseen):
        lines.append(f"- {_title(first)}: {words.count(len(group), 'claim')}")
    return lines


def _stale(summary: Summary, parts: News) -> list[str]:
    claims = parts.stale
    lines = ["", "## Stale", ""] if claims else []
    for first, group in words.by_source(claims):
        size = words.count(len(group), "claim")
        lines.append(f"- {_title(first)}: last read {words.when(first.captured)} UTC, {size}")
    return lines


def _contradictions(summary: Summary, parts: News) -> list[str]:
    lines = ["", "## Contradictions"] if parts.contradictions else []
    for one in parts.contradictions:
        lines += ["", f"### {safe(words.statement(one.claims[0]))}", ""]
        lines += [f"{safe(words.first_up(words.which_is_primary(one)))}.", ""]
        lines += ["| claim | role | says | quote |", "|---|---|---|---|"]
        for claim in one.claims:
            says = safe(words.stated(claim, value_now(claim)))
            lines.append(f"| `{claim.id}` | {claim.role or ''} | {says} | {safe(words.own_words(claim))} |")
    return lines


def _accepted(summary: Summary, parts: News) -> list[str]:
    lines = ["", "## Accepted", ""] if parts.accepted else []
    for claim in parts.accepted:
        why = f": {safe(words.plain(claim.accepted['why']))}" if claim.accepted else ""
        lines.append(
            f"- `{claim.id}` {safe(words.stated(claim))}, the page has "
            f"{safe(words.value_text(claim.found))}{why}"
        )
    return lines


def _proposed(summary: Summary, parts: News) -> list[str]:
    claims = summary.proposed if summary.since is None else ()
    lines = ["", "## Proposed, waiting for a review", ""] if claims else []
    for claim in claims:
        lines.append(f"- `{claim.id}` {safe(f'{words.statement(claim)}: {words.proposed_line(claim)}')}")
    return lines


def _closed(summary: Summary, parts: News) -> list[str]:
    lines = ["", "## Closed", ""] if parts.closed else []
    for e in parts.closed:
        had = f" (had {safe(words.value_text(e.found))})" if e.found else ""
        lines.append(f"- `{e.claim}` {words.when(e.closed)} UTC: {safe(words.how(e.how))}{had}")
    return lines


def _title(claim: ClaimNow) -> str:
    return safe(words.plain(claim.title or claim.source))


def safe(text: str) -> str:
    """`text` so that Markdown shows it as it is: scraped words make no link, table, list or tag."""
    text = _SPECIAL.sub(r"\\\1", text)
    return _OPENING.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", text)


def _undelivered(summary: Summary, parts: News) -> list[str]:
    lines = ["", "## Alerts not delivered", ""] if summary.undelivered else []
    return lines + [f"- {safe(words.plain(one))}" for one in summary.undelivered]


_SECTIONS: dict[str, Section] = {
    "confirmed": _confirmed,
    "suspected": lambda summary, parts: _doubtful("Suspected", parts.suspected),
    "unclear": lambda summary, parts: _doubtful("Unclear", parts.unclear),
    "unread": _unread,
    "stale": _stale,
    "archived": _archived,
    "contradictions": _contradictions,
    "accepted": _accepted,
    "proposed": _proposed,
    "closed": _closed,
    "undelivered": _undelivered,
}
