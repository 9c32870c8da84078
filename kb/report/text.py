"""The drift report for a terminal or a mail: first what needs a person."""

from __future__ import annotations

import textwrap
from collections import Counter

from kb.report import words
from kb.report.entry import Entry, archived_copy, change_entry, doubt_entry, found_text
from kb.report.news import News
from kb.report.now import value_now
from kb.report.sections import Section, in_order
from kb.report.summary import Summary
from kb.store import ClaimNow

WIDTH = 100


def render_text(summary: Summary) -> str:
    """The whole report; one line where there is nothing to tell."""
    lines = [words.headline(summary), *in_order(summary, _SECTIONS)]
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
        lines.append(_change("confirmed", claim, event.verdict, event.found, summary))
    for claim in summary.suspected:
        lines.append(_change("suspected", claim, claim.verdict or "", claim.found, summary))
    for claim in summary.unclear:
        lines.append(f"  unclear    {claim.id}: {words.reason_sentence(claim.reason)}")
    for first, group in words.by_source(summary.unread):
        lines.append(f"  unread     {first.source} ({words.count(len(group), 'claim')}): {why_unread(first)}")
    for first, group in words.by_source(_in_copies(summary)):
        size = words.count(len(group), "claim")
        lines.append(f"  archived   {first.source} ({size}): {archived_copy(first)}")
    for first, group in words.by_source(summary.proposed):
        said = Counter(c.verdict or "unchecked" for c in group)
        counts = ", ".join(f"{word} {n}" for word, n in sorted(said.items()))
        lines.append(f"  proposed   {first.source} ({words.count(len(group), 'claim')} to review): {counts}")
    lines += [f"{words.first_up(str(summary.coverage))}.", f"{words.counts_line(summary)}."]
    return "\n".join(lines)


def _in_copies(summary: Summary) -> list[ClaimNow]:
    return [c for c in summary.checked if c.memento]


def _change(word: str, claim: ClaimNow, verdict: str, found: str | list[str] | None, summary: Summary) -> str:
    now = found_text(verdict, found, summary.would_be.get(claim.id)) if verdict == "drifted" else verdict
    return f"  {word:10} {claim.id}: {words.value_text(claim.stated, claim)} -> {now}"


def _confirmed(summary: Summary, parts: News) -> list[str]:
    lines: list[str] = []
    if parts.confirmed:
        lines += ["", f"CONFIRMED CHANGES ({len(parts.confirmed)})"]
    for claim in parts.confirmed:
        lines += ["", *entry_lines(change_entry(claim, summary.open[claim.id], summary))]
    return lines


def entry_lines(entry: Entry) -> list[str]:
    """One change or doubt with all that a person needs to act."""
    lines = _wrap(f"{entry.title}  [{entry.id}]", "")
    lines += _row("stated", entry.stated)
    lines += _row("found", f"{entry.found}: {entry.why}")
    lines += _row("but", entry.but)
    quote = "".join(f"»{t}«" if m else t for t, m in entry.quote)
    lines += _row("quote", f'"{quote}"' if quote else "")
    lines += _row("where", entry.place)
    lines += ["  link     " + entry.link] if entry.link else []
    for label, text in entry.facts:
        lines += _row(label, text)
    for value, place in entry.others:
        lines += _row("or", f"{value}{f' ({place})' if place else ''}")
    for n, (command, what) in enumerate(entry.actions):
        text = f"{command}  ({what})" if command else what
        lines += _row("" if n else "do", f"or {text}" if n and not command else text)
    return lines


def _doubtful(title: str, claims: list[ClaimNow], what: str) -> list[str]:
    lines = ["", f"{title} ({len(claims)}): {what}"] if claims else []
    for claim in claims:
        lines += ["", *entry_lines(doubt_entry(claim))]
    return lines


def _unread(summary: Summary, parts: News) -> list[str]:
    claims = parts.unread
    lines = ["", f"UNREAD ({words.count(len(claims), 'claim')})"] if claims else []
    for first, group in words.by_source(claims):
        lines += ["", f"{words.plain(first.title or first.source)}  [{first.source}]"]
        lines += _row("why", why_unread(first))
        lines += _row("link", first.url or "")
        held = sum(1 for c in group if c.verdict != "unread")
        last = f"; {words.count(held, 'has', 'have')} an older verdict" if held else ""
        lines += _row("claims", f"{len(group)}{last}")
    unseen = parts.unseen
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


def _stale(summary: Summary, parts: News) -> list[str]:
    claims = parts.stale
    lines = ["", f"STALE ({words.count(len(claims), 'claim')}): last read too long ago"] if claims else []
    for first, group in words.by_source(claims):
        size = words.count(len(group), "claim")
        lines += _wrap(f"{first.source}: last read {words.when(first.captured)} UTC ({size})", "  ")
    return lines


def _archived(summary: Summary, parts: News) -> list[str]:
    """Sources for which an archived copy stood in: what is said of them is of that day."""
    claims = _in_copies(summary)
    lines = ["", f"READ IN ARCHIVED COPIES ({words.count(len(claims), 'claim')})"] if claims else []
    for first, group in words.by_source(claims):
        size = words.count(len(group), "claim")
        lines += _wrap(f"{first.source} ({size}): {words.plain(first.memento or '')}", "  ")
    return lines


def _contradictions(summary: Summary, parts: News) -> list[str]:
    """Sources that contradict each other, with what each says in its own words."""
    found = parts.contradictions
    lines = ["", f"CONTRADICTIONS ({len(found)}): sources that cannot all be right"] if found else []
    for one in found:
        lines += ["", *_wrap(f"{words.statement(one.claims[0])}: {words.which_is_primary(one)}", "")]
        for claim in one.claims:
            lines += _wrap(
                f"{words.stated(claim, value_now(claim))}  [{claim.id}, {claim.role or 'no role'}]", "  "
            )
            quote = words.own_words(claim)
            lines += _row("  quote", f'"{quote}"' if quote else "")
    return lines


def _undelivered(summary: Summary, parts: News) -> list[str]:
    lines = ["", f"ALERTS NOT DELIVERED ({len(summary.undelivered)})"] if summary.undelivered else []
    for one in summary.undelivered:
        lines += _wrap(words.plain(one), "  ")
    return lines


def _accepted(summary: Summary, parts: News) -> list[str]:
    claims = parts.accepted
    lines = ["", f"ACCEPTED ({len(claims)}): the page differs, and we know"] if claims else []
    for claim in claims:
        why = f" ({words.plain(claim.accepted['why'])})" if claim.accepted and claim.accepted["why"] else ""
        lines += _wrap(
            f"{claim.id}: {words.stated(claim)}, the page has {words.value_text(claim.found)}{why}", "  "
        )
    return lines


def _proposed(summary: Summary, parts: News) -> list[str]:
    """Claims that nobody has reviewed: checked like all others, and counted nowhere else."""
    claims = summary.proposed if summary.since is None else ()
    lines = ["", f"PROPOSED ({len(claims)}): checked, and waiting for a person's review"] if claims else []
    for claim in claims:
        lines += _wrap(f"{claim.id}: {words.statement(claim)}: {words.proposed_line(claim)}", "  ")
    return lines


def _closed(summary: Summary, parts: News) -> list[str]:
    """Events that ended: shown where the report looks back to a day."""
    lines = ["", f"CLOSED ({len(parts.closed)})"] if parts.closed else []
    for e in parts.closed:
        had = f" (had {words.value_text(e.found)})" if e.found else ""
        lines += _wrap(f"{e.claim}: {words.when(e.closed)} UTC, {words.how(e.how)}{had}", "  ")
    return lines


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


_SECTIONS: dict[str, Section] = {
    "confirmed": _confirmed,
    "suspected": lambda summary, parts: _doubtful("SUSPECTED", parts.suspected, "will be read again soon"),
    "unclear": lambda summary, parts: _doubtful("UNCLEAR", parts.unclear, "a person must look"),
    "unread": _unread,
    "stale": _stale,
    "archived": _archived,
    "contradictions": _contradictions,
    "accepted": _accepted,
    "proposed": _proposed,
    "closed": _closed,
    "undelivered": _undelivered,
}
