"""One change as a report tells it, whatever its format: the words, ready to be laid out."""

from __future__ import annotations

from dataclasses import dataclass

from kb.report import words
from kb.report.now import WouldBe
from kb.report.summary import Summary
from kb.store import ClaimNow, EventNow

Pieces = list[tuple[str, bool]]
"""A text in pieces, each with whether it is marked."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a person needs to act on one claim. Texts are plain, and empty where there is nothing to say.

    `facts` are label and text; `actions` a command (empty: none) and what it does.
    """

    id: str
    title: str
    stated: str
    found: str
    why: str
    but: str
    quote: Pieces
    place: str
    link: str
    source: str
    facts: tuple[tuple[str, str], ...]
    actions: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...] = ()


def change_entry(claim: ClaimNow, event: EventNow, summary: Summary) -> Entry:
    """A confirmed change, open or closed."""
    again = f", reopened {words.count(event.reopened, 'time')}" if event.reopened else ""
    users = summary.dependents.get(claim.id, ())
    facts = (
        ("source", _source(claim)),
        ("archived", archived_copy(claim)),
        ("changed", words.changed_between(claim)),
        ("told", f"{words.when(event.opened)} UTC{again}"),
        ("updated", f"{words.when(event.updated)} UTC" if event.updated else ""),
        ("closed", f"{words.when(event.closed)} UTC, {words.how(event.how)}" if event.closed else ""),
        ("follows", words.plain(str(summary.would_be.get(claim.id, "")))),
        ("used by", ", ".join(used_by(u, summary) for u in users)),
    )
    return Entry(
        id=claim.id,
        title=words.statement(claim),
        stated=words.stated(claim, event.stated),
        found=found_text(event.verdict, event.found, summary.would_be.get(claim.id)),
        why=words.reason_sentence(event.reason),
        but=words.newer_value(claim, event) if event.closed is None else "",
        quote=words.passage(claim),
        place=words.place(claim.evidence),
        link=words.link(claim),
        source=words.plain(claim.title or claim.source),
        facts=tuple(f for f in facts if f[1]),
        actions=() if event.closed else what_to_do(claim, event.found),
    )


def doubt_entry(claim: ClaimNow) -> Entry:
    """A claim that is suspected or unclear."""
    facts = (("source", _source(claim)), ("detail", words.plain(claim.detail or "")))
    return Entry(
        id=claim.id,
        title=words.statement(claim),
        stated=words.stated(claim),
        found=words.value_text(claim.found) or "nothing",
        why=words.reason_sentence(claim.reason),
        but="",
        quote=words.passage(claim),
        place=words.place(claim.evidence),
        link=words.link(claim),
        source=words.plain(claim.title or claim.source),
        facts=tuple(f for f in facts if f[1]),
        actions=(),
        others=tuple(
            (words.value_text(o["found"]), words.place(o["evidence"])) for o in claim.others[:3] if o["found"]
        ),
    )


def found_text(verdict: str, found: str | list[str] | None, would_be: WouldBe | None = None) -> str:
    """What the page gives instead, in words; for a calculation what it would give."""
    if would_be is not None:
        return f"{words.plain(would_be.result)}, calculated anew"
    return words.value_text(found) or ("another input" if verdict == "drifted" else f"nothing ({verdict})")


def used_by(user: ClaimNow, summary: Summary) -> str:
    """A calculation that uses a claim, with its result and what it would be."""
    now = summary.would_be.get(user.id)
    text = words.value_text(user.stated) + (f", would be {words.plain(now.result)}" if now else "")
    return f"{user.id} ({text})"


def what_to_do(claim: ClaimNow, found: str | list[str] | None) -> tuple[tuple[str, str], ...]:
    """What settles a change: accept, keep, or replace the source."""
    if claim.kind == "formula":
        return (("", f"settle its inputs: {', '.join(claim.inputs)}"),)
    cite = ("", f"edit claims/{claim.source}.yaml and cite another source")
    if not found:
        return (cite,)
    ours = words.value_text(claim.stated, claim)
    return (
        (f"kb accept {claim.id} --why TEXT", f"state {words.value_text(found)} from now on"),
        (f"kb accept {claim.id} --keep --why TEXT", f"keep {ours}, knowingly"),
        cite,
    )


def archived_copy(claim: ClaimNow) -> str:
    """The archived copy in which a claim was read, in words; empty where it was read live."""
    return f"read in an archived copy, {words.plain(claim.memento)}" if claim.memento else ""


def _source(claim: ClaimNow) -> str:
    parts = (
        words.plain(claim.title or claim.source),
        words.plain(claim.publisher or ""),
        f"retrieved {claim.retrieved}" if claim.retrieved else "",
    )
    return ", ".join(p for p in parts if p)
