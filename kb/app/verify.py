"""Judge claims on pages named by the caller, writing nothing."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.app.cases import Case
from kb.claims import Claim
from kb.errors import UsageError
from kb.fetch import FetchSettings
from kb.judging import Explained, Verdict, explained, judge
from kb.page import Page, Unread, read_response
from kb.reasons import Outcome, Reason

PAGES_KEPT = 8
"""Pages held while a file of cases is judged: cases of one page stand together."""

MAX_FILE = 50_000_000


@dataclass(slots=True)
class Verifier:
    """Reads pages from files and addresses, and judges claims on them.

    Pages are kept while they are used again; memory does not grow with the cases.
    """

    settings: FetchSettings
    _kept: OrderedDict[tuple[str, str], Page | Unread] = field(default_factory=OrderedDict)

    def verify(
        self, claim: Claim, *, page: Path | None = None, url: str | None = None, baseline: Path | None = None
    ) -> Verdict:
        """Judge one claim on a file or an address.

        Raises:
            UsageError: a file cannot be opened.
        """
        last = self._file(baseline, None) if baseline else None
        # A baseline that cannot be read shows nothing; the page is then judged without.
        earlier = last if isinstance(last, Page) else None
        seen = self._file(page, earlier) if page else self._address(url or "", earlier)
        if isinstance(seen, Unread):
            return Verdict(Outcome.UNREAD, seen.reason, seen.detail).named(claim.id)
        return judge(claim, seen, earlier).named(claim.id)

    def explain(
        self, claim: Claim, *, page: Path | None = None, url: str | None = None, baseline: Path | None = None
    ) -> tuple[Explained, ...]:
        """All candidates for a claim that was verified on this page, best first; none where it is unread."""
        last = self._file(baseline, None) if baseline else None
        earlier = last if isinstance(last, Page) else None
        seen = self._file(page, earlier) if page else self._address(url or "", earlier)
        return explained(claim, seen, earlier) if isinstance(seen, Page) else ()

    def _file(self, path: Path, last: Page | None) -> Page | Unread:
        key = (str(path), str(id(last)) if last else "")
        return self._once(key, lambda: read_file(path, last))

    def _address(self, url: str, last: Page | None) -> Page | Unread:
        key = (url, str(id(last)) if last else "")
        return self._once(key, lambda: read_url(url, self.settings, last))

    def _once(self, key: tuple[str, str], read: Callable[[], Page | Unread]) -> Page | Unread:
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        page = self._kept[key] = read()
        while len(self._kept) > PAGES_KEPT:
            self._kept.popitem(last=False)
        return page


def read_file(path: Path, last: Page | None = None) -> Page | Unread:
    """Read a saved page as a response with status 200 and no headers.

    Raises:
        UsageError: the file cannot be opened, or is far too large for a page.
    """
    try:
        if path.stat().st_size > MAX_FILE:
            return Unread(Reason.TOO_LARGE, f"more than {MAX_FILE // 1_000_000} MB")
        body = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}; name a saved page") from error
    name = path.name
    # The name decides how the file is read and says what it is about; evidence links to no file.
    return read_response(status=200, headers={}, requested=name, url=name, body=body, last=last)


def read_url(url: str, settings: FetchSettings, last: Page | None = None) -> Page | Unread:
    """Fetch a page with all the manners of `kb check`, and keep it in memory only.

    Raises:
        UsageError: `url` is no web address.
    """
    from kb.fetch import fetch_one  # start-up time

    if not url.lower().startswith(("http://", "https://")):
        raise UsageError(f"{url!r} is no web address; write https://…")
    exchange = fetch_one(url, settings)
    if exchange.reason is not None:
        return Unread(exchange.reason, exchange.detail)
    return read_response(
        status=exchange.status or 200,
        headers=dict(exchange.headers),
        requested=exchange.requested,
        url=exchange.url,
        body=exchange.body,
        last=last,
    )


def verify_cases(
    cases: Iterator[Case], verifier: Verifier
) -> Iterator[tuple[Case, dict[str, Any], Outcome | None]]:
    """Judge each case; a malformed one is answered with its error, and the others go on.

    Yields the case, its answer (design, section 4; or `{"id", "error"}`) and the outcome.
    """
    for case in cases:
        error = case.error
        if case.claim is not None and not error:
            try:
                verdict = verifier.verify(case.claim, page=case.page, url=case.url, baseline=case.baseline)
            except UsageError as fault:
                error = f"line {case.line}: {fault}"
            else:
                yield case, verdict.named(case.id).to_json(), verdict.outcome
                continue
        yield case, {"id": case.id, "error": error}, None
