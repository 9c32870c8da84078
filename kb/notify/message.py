"""Messages: what is told, in words for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb.notify.tell import CLOSED, OPENED, REOPENED, UPDATED, Tell
from kb.report import Entry, Summary, change_entry, entry_lines, entry_markdown, words
from kb.store import EventNow

TITLE = 180
"""Characters of a title; mail programs and issue lists cut longer ones anyway."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message: a title on one line, the text for people, and the same as Markdown."""

    title: str
    text: str
    markdown: str
    tells: tuple[Tell, ...]


def message(tell: Tell, summary: Summary) -> Message:
    """The message for one event."""
    subject = _subject(tell, summary)
    title = _cut(f"[{words.plain(summary.kb)}] {_action(tell)}: {subject}: {_change(tell, summary)}")
    opening = _sentence(tell)
    entry = _entry(tell, summary)
    text = [opening, "", *entry_lines(entry)] if entry else [opening]
    marked = [_harmless(opening), ""]
    marked += entry_markdown(_quiet(entry), heading="") if entry else []
    return Message(title, "\n".join(text), "\n".join(marked), (tell,))


def digest(tells: Sequence[Tell], summary: Summary) -> Message:
    """One message for many events."""
    count = {a: sum(1 for t in tells if t.action == a) for a in (OPENED, UPDATED, REOPENED, CLOSED)}
    said = ", ".join(f"{n} {action}" for action, n in count.items() if n)
    lines = [f"{len(tells)} changes at once: {said}.", ""]
    for tell in tells:
        lines += [f"{tell.claim} ({_action(tell)}): {_subject(tell, summary)}: {_change(tell, summary)}"]
    lines += ["", "kb report has the evidence for each, and what to do."]
    text = "\n".join(lines)
    return Message(
        _cut(f"[{words.plain(summary.kb)}] {len(tells)} changes: {said}"), text, text, tuple(tells)
    )


def _entry(tell: Tell, summary: Summary) -> Entry | None:
    """The event as the report tells it; None where it is no longer there."""
    event = _event(tell, summary)
    claim = next((c for c in summary.claims if c.id == tell.claim), None)
    return change_entry(claim, event, summary) if event and claim and tell.how != "withdrawn" else None


def _event(tell: Tell, summary: Summary) -> EventNow | None:
    its = [e for e in summary.events if e.claim == tell.claim]
    return next((e for e in its if e.id == tell.event), its[0] if its else None)


def _subject(tell: Tell, summary: Summary) -> str:
    claim = next((c for c in summary.claims if c.id == tell.claim), None)
    return words.statement(claim) if claim else tell.claim


def _action(tell: Tell) -> str:
    return tell.verdict if tell.action == OPENED else f"{tell.action}, {tell.verdict}"


def _change(tell: Tell, summary: Summary) -> str:
    stated = words.value_text(tell.stated)
    found = words.value_text(tell.found)
    if not found and tell.claim in summary.would_be:
        found = words.plain(summary.would_be[tell.claim].result)
    if not found:
        return f"{stated}, no longer stated" if tell.verdict == "gone" else stated
    return f"{stated} -> {found}"


def _sentence(tell: Tell) -> str:
    if tell.action == CLOSED:
        return f"This change is closed: {words.how(tell.how)}."
    return {
        OPENED: "A change is confirmed.",
        UPDATED: "A change that was told before has changed again.",
        REOPENED: "A change that was closed is there again.",
    }[tell.action]


def _quiet(entry: Entry) -> Entry:
    """The entry so that words of strangers call nobody and link to nothing on a forge."""
    return replace(
        entry,
        title=_harmless(entry.title),
        stated=_harmless(entry.stated),
        found=_harmless(entry.found),
        but=_harmless(entry.but),
        quote=[(_harmless(t), m) for t, m in entry.quote],
        place=_harmless(entry.place),
        source=_harmless(entry.source),
        facts=tuple((label, _harmless(text)) for label, text in entry.facts),
        others=tuple((_harmless(v), _harmless(p)) for v, p in entry.others),
    )


def _harmless(text: str) -> str:
    """`@name` and `#12` broken by a character without width."""
    return text.replace("@", "@\u200b").replace("#", "#\u200b")


def _cut(text: str) -> str:
    return text if len(text) <= TITLE else text[: TITLE - 1] + "…"
