"""Add a claim that its page states: read the page, find the figure, keep the page, write the YAML."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from kb.app.base import KnowledgeBase
from kb.app.incoming import free, slug, source_name, trial, write_file
from kb.claims import Claim, Source, add_claims, write_source
from kb.errors import ClaimsError, UnreadableError, UsageError
from kb.judging import Evidence, Verdict, judge
from kb.page import Page, Unread, read_response
from kb.quantity import quantities
from kb.reasons import Outcome, Reason

if TYPE_CHECKING:
    from kb.fetch import FetchSettings
    from kb.snapshots.capture import Exchange

SAVE_IT = "save the page with a browser and add --page FILE"

MAX_FILE = 50_000_000


@dataclass(frozen=True, slots=True)
class Looked:
    """A page that was asked for or opened: what came, and what it says."""

    exchange: Exchange
    page: Page


@dataclass(frozen=True, slots=True)
class Named:
    """What a person may say of the source and the claim; "" leaves it to kb."""

    source: str = ""
    claim: str = ""
    title: str = ""
    publisher: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A claim with its source, ready to be written, and the file's whole text."""

    claim: Claim
    source: Source
    verdict: Verdict
    file: str
    text: str


def look(
    url: str,
    settings: FetchSettings,
    clock: Callable[[], datetime],
    page: Path | None = None,
) -> Looked:
    """Read the page at an address, or one that was saved from there.

    Raises:
        UsageError: no web address, or no such file.
        UnreadableError: the page could not be read, with the reason.
    """
    if not url.lower().startswith(("http://", "https://")) or not urlsplit(url).hostname:
        raise UsageError(f"{url!r} is no web address; write https://…, and a saved page with --page FILE")
    exchange = _saved(url, page, clock()) if page else _fetched(url, settings, clock)
    if exchange.reason is not None:
        raise UnreadableError(
            f"{url}: {exchange.reason.sentence}{f' ({exchange.detail})' if exchange.detail else ''}; "
            + ("admit it with --allow-private" if exchange.reason is Reason.REFUSED else SAVE_IT),
            reason=exchange.reason,
        )
    seen = read_response(
        status=exchange.status or 200,
        headers=dict(exchange.headers),
        requested=url,
        url=exchange.url,
        body=exchange.body,
    )
    if isinstance(seen, Unread):
        raise UnreadableError(
            f"{url}: {seen.reason.sentence} ({seen.reason}); {SAVE_IT}",
            reason=seen.reason,
        )
    return Looked(exchange, seen)


def _fetched(url: str, settings: FetchSettings, clock: Callable[[], datetime]) -> Exchange:
    from kb.fetch import fetch_one  # start-up time

    return fetch_one(url, settings, clock=clock)


def _saved(url: str, page: Path, now: datetime) -> Exchange:
    from kb.snapshots.capture import Exchange  # start-up time

    try:
        if page.stat().st_size > MAX_FILE:
            raise UsageError(
                f"{page}: more than {MAX_FILE // 1_000_000} MB is too large for a page; save it as HTML alone"
            )
        body = page.read_bytes()
    except OSError as error:
        raise UsageError(f"{page}: cannot be read: {error.strerror}; name a saved page") from error
    kind = mimetypes.guess_type(page.name)[0] or "text/html"
    if page.suffix.lower() in (".md", ".markdown"):
        kind = "text/markdown"
    headers = (("Content-Type", kind),)
    return Exchange(
        url, url, now, status=200, headers=headers, body=body, imported=f"a saved page, {page.name}"
    )


def propose(
    kb: KnowledgeBase, looked: Looked, claim: Claim, named: Named, *, anyway: bool = False
) -> Proposal:
    """What would be written for a claim.

    Raises:
        UsageError: the page does not state it, and nobody said `anyway`; or an id is taken.
        ClaimsError: the file would not be a valid claims file.
    """
    url = looked.exchange.requested
    verdict = judge(claim, looked.page)
    if verdict.outcome is not Outcome.HOLDS and not anyway:
        found = verdict.found if isinstance(verdict.found, str) else ", ".join(verdict.found or ())
        says = f"; it says {found}" if found else ""
        raise UsageError(
            f"{url} does not state it ({verdict.outcome}: {verdict.reason.sentence}){says}; "
            "correct the statement, or add it all the same with --anyway"
        )
    retrieved = claim.retrieved or looked.exchange.time.date().isoformat()
    known = next((s for s in kb.claims.sources if s.url == url), None)
    source = known or _new_source(kb, looked, named, retrieved)
    filled = _filled(claim, verdict, looked.page) if verdict.outcome is Outcome.HOLDS else claim
    taken = {(c.id or "").rpartition(".")[2] for c in source.claims}
    name = named.claim or free(slug(f"{claim.subject} {claim.attribute}", 6), taken)
    written = replace(
        filled, id=f"{source.id}.{name}", retrieved=retrieved, source_id=source.id, file=source.file
    )
    text = _with(kb, known, source, written)
    if _check(source.file, text, kb) and written.quote:
        # A quote that spells the figure otherwise makes `kb lint` warn: the place is enough then.
        bare = replace(written, quote=None)
        without = _with(kb, known, source, bare)
        if not _check(source.file, without, kb):
            written, text = bare, without
    return Proposal(written, source, verdict, source.file, text)


def _with(kb: KnowledgeBase, known: Source | None, source: Source, claim: Claim) -> str:
    if known is None:
        return write_source(replace(source, claims=(claim,)))
    return add_claims((kb.root / known.file).read_bytes().decode("utf-8"), known, [claim])


def _new_source(kb: KnowledgeBase, looked: Looked, named: Named, retrieved: str) -> Source:
    page, url = looked.page, looked.exchange.requested
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    title = named.title or " ".join(page.title.split()) or url
    used = {s.id for s in kb.claims.sources} | {p.stem for p in (kb.root / "claims").rglob("*.yaml")}
    if named.source and not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", named.source):
        raise UsageError(f'--source "{named.source}" is no id; write small letters, digits and -')
    if named.source and named.source in used:
        raise UsageError(
            f"claims/{named.source}.yaml is there already, for another page; give --source another id"
        )
    id = named.source or free(source_name(title, url), used)
    return Source(
        id=id,
        title=title,
        publisher=named.publisher or host,
        url=url,
        published=page.published,
        retrieved=retrieved,
        role=named.role or None,
        file=f"claims/{id}.yaml",
    )


def _filled(claim: Claim, verdict: Verdict, page: Page) -> Claim:
    """The claim with what the page says around the figure, as long as the page still states it so."""
    evidence = verdict.evidence
    if evidence is None:
        return claim
    claim = replace(claim, quote=evidence.quote or None, where=_where(evidence) or None)
    richer = claim
    if not claim.attribute and evidence.column:
        richer = replace(richer, attribute=evidence.column[-1])
    if claim.per is None and claim.quantity is not None and isinstance(verdict.found, str):
        bases = {
            q.per for q in quantities(evidence.quote) if q.text in verdict.found or verdict.found in q.text
        }
        if len(bases) == 1 and None not in bases:
            richer = replace(richer, per=bases.pop())
    if richer is claim or judge(richer, page).outcome is not Outcome.HOLDS:
        return claim
    return richer


def _where(evidence: Evidence) -> str:
    parts = [" > ".join(evidence.headings)]
    parts += [f"row {' / '.join(evidence.row)}"] if evidence.row else []
    parts += [f"column {' / '.join(evidence.column)}"] if evidence.column else []
    parts += [f"page {evidence.page}"] if evidence.page else []
    return ", ".join(p for p in parts if p)


def _check(file: str, text: str, kb: KnowledgeBase) -> bool:
    """Read the text as kb will read it, among the other files, before anything is written.

    Returns whether there is something that `kb lint` would warn of in the file.
    """
    problems = trial(kb, {file: text})
    wrong = [p for p in problems if p.level == "error" and p.file == file]
    if wrong:
        raise ClaimsError(wrong)
    return any(p.file == file for p in problems)


def write(kb: KnowledgeBase, looked: Looked, proposal: Proposal, *, keep: bool = True) -> None:
    """Keep the page as the baseline, then write the claims file: a claim never stands without its page.

    `keep`: not where the same page was just kept for another claim.

    Raises:
        LockedError: another run writes the archive.
        ArchiveError: the archive cannot be written.
    """
    if keep:
        with kb.archive.begin(looked.exchange.time, {"source": proposal.source.id}, "kb add") as run:
            run.keep(looked.exchange)
    write_file(kb.root / proposal.file, proposal.text)
