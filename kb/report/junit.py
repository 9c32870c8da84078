"""The drift report as JUnit XML, so that a CI shows each claim as a test."""

from __future__ import annotations

from xml.etree import ElementTree

from kb.report import words
from kb.report.entry import change_entry, doubt_entry
from kb.report.summary import Summary
from kb.report.text import entry_lines, why_unread
from kb.report.xml import add, document
from kb.store import ClaimNow


def render_junit(summary: Summary, strict: bool = False) -> str:
    """A suite for each source, a test for each claim.

    As with exit codes, only a confirmed change fails; what is not known is skipped, with
    why, or fails with `strict`.
    """
    root = ElementTree.Element("testsuites", {"name": f"kb {words.plain(summary.kb)}"})
    totals = [0, 0, 0]
    stale = {c.id for c in summary.stale}
    for first, group in words.by_source(summary.claims):
        suite = add(root, "testsuite", name=first.source)
        counts = [0, 0, 0]
        for claim in group:
            counts[0] += 1
            test = add(suite, "testcase", classname=claim.source, name=_name(claim), time="0")
            failed, skipped = _told(test, claim, summary, strict, claim.id in stale)
            counts[1] += failed
            counts[2] += skipped
        _count(suite, counts)
        # `timestamp` is what many readers want, and is when the newest page was read.
        newest = max((c.captured for c in group if c.captured), default=summary.now.isoformat())
        suite.set("timestamp", newest[:19])
        totals = [a + b for a, b in zip(totals, counts, strict=True)]
    _count(root, totals)
    return document(root)


def _count(node: ElementTree.Element, counts: list[int]) -> None:
    for name, value in zip(("tests", "failures", "skipped"), counts, strict=True):
        node.set(name, str(value))
    node.set("errors", "0")
    node.set("time", "0")


def _name(claim: ClaimNow) -> str:
    return f"{claim.id.rpartition('.')[2]}: {words.statement(claim)} {words.stated(claim)}"


def _told(
    test: ElementTree.Element, claim: ClaimNow, summary: Summary, strict: bool, stale: bool
) -> tuple[bool, bool]:
    """Write what became of the claim; whether it failed, and whether it is skipped."""
    event = summary.open.get(claim.id)
    if event is not None:
        entry = change_entry(claim, event, summary)
        message = f"stated {entry.stated}, found {entry.found}: {entry.why}"
        add(test, "failure", "\n".join(entry_lines(entry)), message=message, type=event.reason)
        return True, False
    why = _unknown(claim, stale)
    if not why:
        return False, False
    if strict and claim.verdict is not None:
        add(test, "failure", "\n".join(entry_lines(doubt_entry(claim))), message=why, type=claim.state)
        return True, False
    add(test, "skipped", message=why)
    return False, True


def _unknown(claim: ClaimNow, stale: bool) -> str:
    """Why a claim is not known to hold; empty where it is."""
    if claim.verdict is None:
        return "unchecked: nothing is fetched for it"
    if claim.unread or claim.state == "unread":
        return f"unread: {why_unread(claim)}"
    if claim.state in ("suspected", "unclear"):
        found = words.value_text(claim.found)
        return f"{claim.state}: {words.reason_sentence(claim.reason)}{f', found {found}' if found else ''}"
    return f"stale: last read {words.when(claim.captured)} UTC" if stale else ""
