"""The drift report for a terminal or a mail: first what needs a person."""

from __future__ import annotations

import textwrap

from kb.report import words
from kb.report.summary import Summary
from kb.store import ClaimNow

WIDTH = 100


def render_text(summary: Summary) -> str:
    """The whole report; one line where there is nothing to tell."""
    lines = [words.headline(summary)]
    lines += _confirmed(summary)
    lines += _doubtful("SUSPECTED", summary.suspected, "will be read again soon")
    lines += _doubtful("UNCLEAR", summary.unclear, "a person must look")
    lines += _unread(summary)
    lines += _stale(summary)
    lines += _accepted(summary)
    lines += _closed(summary)
    quiet = len(lines) == 1
    ending = f"{words.first_up(str(summary.coverage))}."
    if quiet:
        unchecked = len(summary.unchecked)
        more = f" {words.count(unchecked, 'more is', 'more are')} not checked." if unchecked else ""
        return f"{lines[0]} {ending}{more}"
    lines += ["", ending, f"{words.counts_line(summary)}."]
    return "\n".join(lines)


def render_summary(summary: Summary) -> str:
    """A few lines: how things stand, a line for each change, coverage and counts."""
    lines = [words.headline(summary)]
    for claim in summary.confirmed:
        event = summary.open[claim.id]
        lines.append(_change("confirmed", claim, event.verdict, event.found))
    for claim in summary.suspected:
        lines.append(_change("suspected", claim, claim.verdict or "", claim.found))
    for claim in summary.unclear:
        lines.append(f"  unclear    {claim.id}: {words.reason_sentence(claim.reason)}")
    for first, group in words.by_source(summary.unread):
        lines.append(f"  unread     {first.source} ({words.count(len(group), 'claim')}): {why_unread(first)}")
    lines += [f"{words.first_up(str(summary.coverage))}.", f"{words.counts_line(summary)}."]
    return "\n".join(lines)


def _change(word: str, claim: ClaimNow, verdict: str, found: str | list[str] | None) -> str:
    now = words.value_text(found) if verdict == "drifted" else verdict
    return f"  {word:10} {claim.id}: {words.value_text(claim.stated, claim)} -> {now}"


def _confirmed(summary: Summary) -> list[str]:
    lines: list[str] = []
    if summary.confirmed:
        lines += ["", f"CONFIRMED CHANGES ({len(summary.confirmed)})"]
    for claim in summary.confirmed:
        event = summary.open[claim.id]
        found = words.value_text(event.found) if event.found else f"nothing ({event.verdict})"
        lines += ["", *_title(claim)]
        lines += _row("stated", f"{words.stated(claim, event.stated)}{_retrieved(claim)}")
        lines += _row("found", f"{found}: {words.reason_sentence(event.reason)}")
        lines += _row("but", words.newer_value(claim, event))
        lines += _evidence(claim)
        lines += _row("changed", words.changed_between(claim))
        again = f", reopened {words.count(event.reopened, 'time')}" if event.reopened else ""
        lines += _row("told", f"{words.when(event.opened)} UTC{again}")
        users = summary.dependents.get(claim.id, ())
        lines += _row("used by", ", ".join(f"{u.id} ({words.value_text(u.stated)})" for u in users))
        lines += _what_to_do(claim, event.found)
    return lines


def _what_to_do(claim: ClaimNow, found: str | list[str] | None) -> list[str]:
    if claim.kind == "formula":
        return _row("do", f"settle its inputs: {', '.join(claim.inputs)}")
    cite = f"edit claims/{claim.source}.yaml and cite another source"
    if not found:
        return _row("do", cite)
    ours = words.value_text(claim.stated, claim)
    choices = [
        f"kb accept {claim.id} --why TEXT  (state {words.value_text(found)} from now on)",
        f"kb accept {claim.id} --keep --why TEXT  (keep {ours}, knowingly)",
        f"or {cite}",
    ]
    return [line for n, c in enumerate(choices) for line in _row("" if n else "do", c)]


def _doubtful(title: str, claims: list[ClaimNow], what: str) -> list[str]:
    lines = ["", f"{title} ({len(claims)}): {what}"] if claims else []
    for claim in claims:
        found = words.value_text(claim.found) or "nothing"
        lines += ["", *_title(claim)]
        lines += _row("stated", f"{words.stated(claim)}{_retrieved(claim)}")
        lines += _row("found", f"{found}: {words.reason_sentence(claim.reason)}")
        lines += _row("detail", words.plain(claim.detail or ""))
        lines += _evidence(claim)
        for other in claim.others[:3]:
            where = words.place(other["evidence"])
            lines += _row("or", f"{words.value_text(other['found'])}{f' ({where})' if where else ''}")
    return lines


def _unread(summary: Summary) -> list[str]:
    claims = summary.unread
    lines = ["", f"UNREAD ({words.count(len(claims), 'claim')})"] if claims else []
    for first, group in words.by_source(claims):
        lines += ["", f"{words.plain(first.title or first.source)}  [{first.source}]"]
        lines += _row("why", why_unread(first))
        lines += _row("link", first.url or "")
        held = sum(1 for c in group if c.verdict != "unread")
        last = f"; {words.count(held, 'has', 'have')} an older verdict" if held else ""
        lines += _row("claims", f"{len(group)}{last}")
    unseen = summary.unseen
    if unseen:
        lines += ["", f"STATED, NOT CHECKED HERE YET ({words.count(len(unseen), 'claim')})"]
        names = [f"{first.source} ({len(group)})" for first, group in words.by_source(unseen)]
        lines += _wrap(", ".join(names), "  ")
    return lines


def why_unread(claim: ClaimNow) -> str:
    """Why a claim's newest capture was not read, since when, and how often it was tried."""
    if not claim.unread:
        return "stated, not checked here yet"
    unread = claim.unread
    since = f"since {words.when(unread['since'])} UTC, tried {words.count(unread['tries'], 'time')}"
    return f"{unread['reason']}: {words.reason_sentence(unread['reason'])} ({since})"


def _stale(summary: Summary) -> list[str]:
    claims = summary.stale
    lines = ["", f"STALE ({words.count(len(claims), 'claim')}): last read too long ago"] if claims else []
    for first, group in words.by_source(claims):
        size = words.count(len(group), "claim")
        lines += _row("", f"{first.source}: last read {words.when(first.captured)} UTC ({size})")
    return lines


def _accepted(summary: Summary) -> list[str]:
    claims = summary.accepted
    lines = ["", f"ACCEPTED ({len(claims)}): the page differs, and we know"] if claims else []
    for claim in claims:
        why = f" ({words.plain(claim.accepted['why'])})" if claim.accepted and claim.accepted["why"] else ""
        lines += _row(
            "", f"{claim.id}: {words.stated(claim)}, the page has {words.value_text(claim.found)}{why}"
        )
    return lines


def _closed(summary: Summary) -> list[str]:
    """Events that ended: shown where the report looks back to a day."""
    events = [e for e in summary.events if e.closed] if summary.since else []
    lines = ["", f"CLOSED ({len(events)})"] if events else []
    for e in events:
        lines += _row("", f"{e.claim}: {e.how} {words.when(e.closed)} UTC (had {words.value_text(e.found)})")
    return lines


def _title(claim: ClaimNow) -> list[str]:
    return _wrap(f"{words.statement(claim)}  [{claim.id}]", "")


def _retrieved(claim: ClaimNow) -> str:
    source = words.plain(claim.title or "")
    parts = [source, f"retrieved {claim.retrieved}" if claim.retrieved else ""]
    said = ", ".join(p for p in parts if p)
    return f"  ({said})" if said else ""


def _evidence(claim: ClaimNow) -> list[str]:
    quote = "".join(f"»{t}«" if m else t for t, m in words.passage(claim))
    lines = _row("quote", f'"{quote}"' if quote else "")
    lines += _row("where", words.place(claim.evidence))
    link = (claim.evidence or {}).get("link") or claim.url
    return lines + (["  link     " + words.plain(link)] if link else [])


def _row(label: str, text: str) -> list[str]:
    return _wrap(text, f"  {label:8} ") if text else []


def _wrap(text: str, label: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=label,
        subsequent_indent=" " * len(label),
        break_long_words=False,
        break_on_hyphens=False,
    )
