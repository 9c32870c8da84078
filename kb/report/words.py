"""How a report says things, whatever its format."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from kb.reasons import Reason
from kb.report.news import news
from kb.report.now import Contradiction
from kb.report.phrases import ASKS, asking, count, listed, plain
from kb.report.summary import Summary
from kb.store import ClaimNow, EventNow

__all__ = [
    "basis",
    "by_source",
    "changed_between",
    "count",
    "counts_line",
    "first_up",
    "headline",
    "how",
    "link",
    "marked",
    "newer_value",
    "own_words",
    "passage",
    "place",
    "plain",
    "reason_sentence",
    "stated",
    "statement",
    "value_text",
    "when",
    "which_is_primary",
]


def statement(claim: ClaimNow) -> str:
    """What a claim is about, as a phrase: subject, attribute."""
    return plain(claim.subject + (f", {claim.attribute}" if claim.attribute else ""))


def value_text(value: str | list[str] | None, claim: ClaimNow | None = None) -> str:
    """A stated or found value for people."""
    text = plain(", ".join(value) if isinstance(value, list) else value or "")
    return f"no {text}" if claim is not None and claim.kind == "absent" and text else text


def basis(claim: ClaimNow) -> str:
    """`per GPU, each way`, where the claim says so; else empty."""
    per = f"per {claim.per}" if claim.per and claim.per != "unspecified" else ""
    direction = claim.direction if claim.direction and claim.direction != "unspecified" else ""
    return plain(", ".join(p for p in (per, direction) if p))


def stated(claim: ClaimNow, value: str | list[str] | None = None) -> str:
    """What we state (or stated: `value`), with its basis."""
    text = value_text(claim.stated if value is None else value, claim)
    return " ".join(p for p in (text, basis(claim)) if p)


def reason_sentence(reason: str | None) -> str:
    """A reason's sentence; what to say where nothing was ever tried."""
    return Reason(reason).sentence if reason else "stated, not checked here yet"


def when(time: str | None) -> str:
    """`2026-11-30 17:00`, in UTC; empty for None."""
    if not time:
        return ""
    return f"{datetime.fromisoformat(time).astimezone(UTC):%Y-%m-%d %H:%M}"


def place(evidence: dict[str, Any] | None) -> str:
    """Where on the page the passage stands: headings, row and column, page."""
    if not evidence:
        return ""
    parts = [" > ".join(evidence["headings"])]
    parts += [f"row {' / '.join(evidence['row'])}" if evidence["row"] else ""]
    parts += [f"column {' / '.join(evidence['column'])}" if evidence["column"] else ""]
    parts += [f"page {evidence['page']}" if evidence["page"] else ""]
    return plain("; ".join(p for p in parts if p))


def marked(text: str, values: Iterable[str]) -> list[tuple[str, bool]]:
    """`text` in pieces, each with whether it is one of `values`, first occurrences only."""
    spots = []
    for value in values:
        at = text.find(value) if value else -1
        if at >= 0:
            spots.append((at, at + len(value)))
    pieces, end = [], 0
    for start, stop in sorted(spots):
        if start >= end:
            pieces += [(text[end:start], False), (text[start:stop], True)]
            end = stop
    pieces.append((text[end:], False))
    return [p for p in pieces if p[0]]


def passage(claim: ClaimNow, limit: int = 600) -> list[tuple[str, bool]]:
    """The quoted evidence in pieces, the figure marked, cut to about `limit` characters around it."""
    if not claim.evidence or not claim.evidence["quote"]:
        return []
    quote = plain(claim.evidence["quote"])
    selector = claim.evidence.get("selector") or {}
    found = claim.found if isinstance(claim.found, list) else [claim.found or ""]
    values = [plain(v) for v in found if v and plain(v) in quote]
    if not values and claim.verdict in ("holds", "drifted") and selector:
        values = [plain(selector["exact"])]
    if len(quote) > limit:
        at = max(0, min((quote.find(v) for v in values if v in quote), default=0) - limit // 2)
        cut = quote[at : at + limit]
        quote = ("… " if at else "") + cut + (" …" if at + limit < len(quote) else "")
    return marked(quote, values)


def changed_between(claim: ClaimNow) -> str:
    """Between which captures the page changed; else since when it is as it is."""
    if claim.changed:
        return f"between {when(claim.changed[0])} and {when(claim.changed[1])} UTC"
    return f"{when(claim.since)} UTC" if claim.since else ""


def newer_value(claim: ClaimNow, event: EventNow) -> str:
    """What the newest reading says, where it is no longer what the event tells; else empty."""
    if claim.verdict == event.verdict and (claim.found == event.found or event.verdict == "gone"):
        return ""
    if claim.verdict == "drifted" and claim.confirmed:
        return ""  # the same value in another spelling
    if claim.verdict == "drifted":
        return f"the newest reading gives {value_text(claim.found)}, which is not confirmed yet"
    return f"the newest reading is {claim.verdict}: {reason_sentence(claim.reason)}"


def own_words(claim: ClaimNow) -> str:
    """The source's own words: the evidence's quote, else as a person copied them; a line or two."""
    text = "".join(t for t, _ in passage(claim, 240)) or plain(claim.quote or "")
    return text if len(text) <= 260 else text[:259] + "…"


def which_is_primary(one: Contradiction) -> str:
    """Which of the sources that contradict each other is primary."""
    names = one.primary
    if not names:
        return "none of them is primary"
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} primary"


def link(claim: ClaimNow) -> str:
    """The address of the spot, else of the page; empty where it is none that a browser should follow."""
    address = plain((claim.evidence or {}).get("link") or claim.url or "")
    return address if address.lower().startswith(("https://", "http://")) else ""


def how(ended: str | None) -> str:
    """How an event ended, in words."""
    return {
        "held": "the page states our value again",
        "accepted": "we know of it, and keep ours",
        "edited": "the claim was edited",
    }.get(ended or "", ended or "")


def headline(summary: Summary) -> str:
    """The one line that says how things stand; with `since`, what is new."""
    if not summary.claims and not summary.proposed:
        return "No claim is selected, so nothing is known."
    if not summary.claims:
        return f"{count(len(summary.proposed), 'claim is', 'claims are')} only proposed, so nothing is known."
    parts = news(summary)
    if summary.since is not None and parts.quiet:
        still = f"; {count(parts.older, 'older one is', 'older ones are')} still open" if parts.older else ""
        return f"Nothing new since {when(summary.since.isoformat())} UTC{still}."
    said = asking({group: len(getattr(parts, group)) for group in ASKS})
    if said or summary.since:
        news_of = f"Since {when(summary.since.isoformat())} UTC: " if summary.since else ""
        older = f" {count(parts.older, 'older one is', 'older ones are')} still open." if parts.older else ""
        return f"{news_of}{listed(said or ['nothing to act on'])}.{older}"
    held = summary.counts["holds"]
    known = f", {len(summary.accepted)} differ and are accepted" if summary.accepted else ""
    return f"{'The one claim holds' if held == 1 else f'All {held} claims hold'}{known}."


def proposed_line(claim: ClaimNow) -> str:
    """A claim that waits for a review, with what its page says of it."""
    said = f"{claim.verdict}: {reason_sentence(claim.reason)}" if claim.reason else "not checked yet"
    there = f", the page has {value_text(claim.found)}" if claim.found and claim.verdict == "drifted" else ""
    return f"{stated(claim)}; {said}{there}"


def counts_line(summary: Summary) -> str:
    """Counts by verdict, zeros left out; and how many are only proposed, or were not stated yet."""
    said = [f"{word} {n}" for word, n in summary.counts.items() if n]
    said += [f"proposed {len(summary.proposed)}"] if summary.proposed else []
    said += [f"not yet stated {summary.not_yet}"] if summary.not_yet else []
    return ", ".join(said) or "no claims"


def by_source(claims: Iterable[ClaimNow]) -> list[tuple[ClaimNow, list[ClaimNow]]]:
    """Claims grouped by their source, each group with its first claim, in order."""
    groups: dict[str, list[ClaimNow]] = {}
    for claim in claims:
        groups.setdefault(claim.source, []).append(claim)
    return [(group[0], group) for _, group in sorted(groups.items())]


def first_up(text: str) -> str:
    """`text` with its first letter as a sentence begins."""
    return text[:1].upper() + text[1:]
