"""Take over the page's value for a claim that drifted, or keep ours knowingly, in the claims file itself."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from kb.app.base import KnowledgeBase
from kb.claims.edit import keep as keep_ours
from kb.claims.edit import set_url, take_over
from kb.errors import UsageError
from kb.report import Entry, change_entry, doubt_entry, summarise
from kb.store import ClaimNow, open_rows


@dataclass(frozen=True, slots=True)
class Accepting:
    """What was written: the claim as it stood, and the file."""

    claim: ClaimNow
    file: Path


_INSTEAD = {
    "gone": "no page states a value to take over; cite another source, or take the claim out",
    "unclear": "look at the page (kb report shows its readings), and edit the claims file",
    "unread": "kb check reads its page again when that is due",
    "holds": "there is nothing to accept",
}
"""What to do in place of accepting, by verdict."""


def accept(kb: KnowledgeBase, id: str, why: str, day: date, *, keep: bool = False) -> Accepting:
    """Write the page's value into the claim's file, the old one into `was`; or `accepted` beside ours.

    Args:
        kb: the knowledge base; its database says what the page states.
        id: the claim.
        why: kept in the file.
        day: the last day on which the old value stood, or on which ours was kept knowingly.
        keep: keep our value.

    Raises:
        UsageError: no such claim, or it has not drifted: there is nothing to accept.
        StoreError: there is no database.
        ClaimsError: the file cannot be changed there.
    """
    if not why.strip():
        raise UsageError("say why: kb accept ID --why TEXT")
    stated = kb.claims.claim(id)
    with open_rows(kb.database) as rows:
        now = rows.claim(id)
        event = next((e for e in rows.events() if e.claim == id and e.closed is None), None)
    if now is None:
        raise UsageError(f"{id} is not in {kb.database}; run kb build first")
    if now.kind == "formula":
        raise UsageError(f"{id} is calculated; settle what it is calculated from: {', '.join(now.inputs)}")
    if now.verdict != "drifted" or now.found is None:
        raise UsageError(
            f"{id} has not drifted: its verdict is {now.verdict or 'none'}; "
            + _INSTEAD.get(now.verdict or "", "edit the claims file by hand")
        )
    if event is None and not now.suspected:
        raise UsageError(f"{id} is settled already; there is nothing left to do")
    found = tuple(now.found) if isinstance(now.found, list) else now.found
    path = kb.root / stated.file
    text = path.read_bytes().decode("utf-8")  # with its own line ends
    name = id.rpartition(".")[2]
    on = day.isoformat()
    key = "figure" if now.kind == "absent" else None
    changed = keep_ours(text, name, found, on, why) if keep else take_over(text, name, found, on, why, key)
    _replace(path, changed)
    return Accepting(now, path)


@dataclass(frozen=True, slots=True)
class Moved:
    """A source whose page was last read at another address than the one we state."""

    source: str
    old: str
    new: str
    file: Path


def acceptable(kb: KnowledgeBase) -> tuple[list[tuple[ClaimNow, Entry]], list[str]]:
    """What there is to accept, confirmed first, each with the words of the report; and what is gone.

    Raises:
        StoreError: there is no database.
    """
    with open_rows(kb.database) as rows:
        summary = summarise(rows, datetime.now(UTC))
    drifted = [c for c in (*summary.confirmed, *summary.suspected) if c.verdict == "drifted" and c.found]
    entries = [
        (c, change_entry(c, summary.open[c.id], summary) if c.id in summary.open else doubt_entry(c))
        for c in drifted
        if c.kind != "formula"
    ]
    gone = [c.id for c in (*summary.confirmed, *summary.suspected) if c.verdict == "gone"]
    return entries, gone


def moved(kb: KnowledgeBase) -> list[Moved]:
    """The sources whose page answers from another address now, by id."""
    found = []
    newest = kb.archive.newest()
    for source in kb.claims.sources:
        last = newest.get(source.url or "")
        if not source.fetched or not source.url or last is None or last.reason is not None:
            continue
        if last.via == "memento":
            continue  # an archive spells the addresses of its copies in its own way
        if last.status in (200, 304) and _page(last.url) != _page(source.url):
            found.append(Moved(source.id, source.url, last.url, kb.root / source.file))
    return found


def follow(kb: KnowledgeBase, id: str, url: str = "") -> Moved:
    """Write the address from which a source's page answers now into its file.

    Args:
        kb: the knowledge base.
        id: a source, or one of its claims.
        url: the new address; empty: the one that the last reading was led to.

    Raises:
        UsageError: there is no such source, its page has not moved, or `url` is no web address.
        ClaimsError: the file cannot be changed there.
    """
    name = kb.claims.claim(id).source_id or "" if id in kb.claims else id
    source = kb.claims.source(name)
    if not source.url:
        raise UsageError(f"{name} has no url, so nothing can have moved; name a source that has one")
    if not url:
        its = next((m for m in moved(kb) if m.source == name), None)
        if its is None:
            raise UsageError(
                f"{name} was not led to another address when it was last read; "
                "say where its page is now: --url=https://…"
            )
        url = its.new
    if not url.lower().startswith(("http://", "https://")):
        raise UsageError(f"{url!r} is no web address; write https://…")
    if url == source.url:
        raise UsageError(f"{name} has this address already; there is nothing to change")
    path = kb.root / source.file
    _replace(path, set_url(path.read_text(encoding="utf-8"), url))
    return Moved(name, source.url, url, path)


def _page(url: str) -> str:
    """The address without its fragment, which names a place on the page."""
    return url.partition("#")[0]


def _replace(path: Path, text: str) -> None:
    """Swap the file in whole, so that a full disk loses nothing."""
    new = path.with_name(f".{path.name}.new")
    with new.open("w", encoding="utf-8", newline="") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    new.replace(path)
