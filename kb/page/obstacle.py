"""Whether an answer is the page that was asked for, or what stands in its place.

The marks are data (`obstacle_rules.toml`); here is how status, redirects,
structure and the amount of real text are weighed with them. No word decides
alone: an answer with text of its own is a page, whatever that text is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import urljoin

from kb.page.obstacle_look import Look, count_words, look_at
from kb.page.obstacle_moved import locale_changed, moved_to
from kb.page.obstacle_rules import Marks, Weighing
from kb.page.obstacle_types import supported
from kb.page.page import Page, Unread
from kb.page.read import read_body
from kb.reasons import Reason

_SOFT = (
    Reason.BLOCKED,
    Reason.LOGIN,
    Reason.CONSENT,
    Reason.PLACEHOLDER,
    Reason.SERVER_ERROR,
    Reason.SOFT_404,
    Reason.MOVED,
)
"""What stands in place of a page with a status of success, in order of precedence."""

_CLOSE = 1.0
"""Ranks this near to the best are equal, and precedence decides."""

_STILL_THERE = 0.6
"""Share of the last good reading's lines from which the answer is that page, whatever else it carries."""

_SHELL_WORDS = 8
_SHELL_WORDS_TOLD = 30
"""Words that a shell may have; more where it says itself that it needs scripts."""


def read_response(
    *,
    status: int | None,
    headers: Mapping[str, str] | Iterable[tuple[str, str]],
    requested: str,
    url: str,
    body: bytes | str,
    last: Page | None = None,
) -> Page | Unread:
    """Tell an answer apart: the page that was asked for, or why it is not.

    Pure, and never raises for what a server sent. Where several reasons apply the
    first in the order of `UNREAD_REASONS` is given, unless another has much more to it.

    Args:
        status: of HTTP, after redirects; None counts as 200.
        headers: of the answer; names in any case.
        requested: the address that was asked for.
        url: the address that answered.
        body: with content coding removed; a `str` is text already decoded.
        last: the last good reading; what is still there of it speaks for the page,
            and another language or currency than its own shows.

    Design, sections 4 and 5. Measured by the labelled responses.
    """
    known = _lower(headers)
    # A 304 comes with the body that it confirms, once it is read from the archive.
    code = 200 if status is None or (status == 304 and body) else status
    media = known.get("content-type", "")
    if code in (204, 205):
        return Unread(Reason.EMPTY, f"status {code}")
    if 200 <= code < 300 and (not supported(media) or not body):
        return Unread(Reason.EMPTY) if supported(media) else Unread(Reason.UNSUPPORTED_TYPE, media[:100])
    look = Look(markup=False) if _is_binary(body, media) else look_at(body, media or None)
    weighing = Weighing(look, known, requested, url)
    if not 200 <= code < 300:
        return _by_status(code, weighing)
    page = read_body(body, url, media or None)
    if isinstance(page, Unread) and page.reason is not Reason.EMPTY:
        return page
    still = _still_there(page, last)
    if still < _STILL_THERE and (why := _obstacle(look, weighing, requested, url, page, last, still)):
        return why
    if isinstance(page, Page) and last is not None and (told := locale_changed(page, last)):
        return Unread(Reason.OTHER_LOCALE, told)
    if isinstance(page, Page) and not any(b.text for b in page.blocks if b.visible or b.role == "data"):
        return Unread(Reason.EMPTY)
    return page


def _lower(headers: Mapping[str, str] | Iterable[tuple[str, str]]) -> dict[str, str]:
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    found: dict[str, str] = {}
    for name, value in pairs:
        key = str(name).lower()
        found[key] = f"{found[key]}, {value}" if key in found else str(value)
    return found


def _is_binary(body: bytes | str, media: str) -> bool:
    head = body[:5]
    known = head in (b"%PDF-", "%PDF-") or head[:4] == b"PK\x03\x04"
    return known or "pdf" in media.lower() or "officedocument" in media.lower()


def _by_status(code: int, weighing: Weighing) -> Unread:
    """Name an answer that its status already tells from a page."""
    said = f"status {code}"
    blocked = weighing.marks(Reason.BLOCKED)
    by = f"{said}, {blocked.by}" if blocked.by else said
    walled = blocked.score >= 5 and bool(blocked.places & {"header", "source", "says"})
    if code < 200 or 300 <= code < 400:
        return Unread(Reason.REDIRECTS, f"{said}, which leads nowhere")
    if code in (401, 402, 407):
        return Unread(Reason.LOGIN, said)
    if code in (404, 410):
        return Unread(Reason.BLOCKED, by) if walled else Unread(Reason.NOT_FOUND, said)
    if code == 408:
        return Unread(Reason.TIMEOUT, f"{said}: the server waited for us in vain")
    if code < 500:
        login = weighing.marks(Reason.LOGIN)
        if code in (400, 403) and login.score >= 4 and login.score > blocked.score + 1:
            return Unread(Reason.LOGIN, said)
        return Unread(Reason.BLOCKED, by)
    placeholder, error = weighing.marks(Reason.PLACEHOLDER), weighing.marks(Reason.SERVER_ERROR)
    if walled:
        return Unread(Reason.BLOCKED, by)
    if placeholder.score >= (3 if code == 503 else 5) and placeholder.score > error.score:
        return Unread(Reason.PLACEHOLDER, f"{said}, {placeholder.by}" if placeholder.by else said)
    return Unread(Reason.SERVER_ERROR, said)


def _obstacle(
    look: Look,
    weighing: Weighing,
    requested: str,
    url: str,
    page: Page | Unread,
    last: Page | None,
    still: float,
) -> Unread | None:
    """What stands in place of the page, though the status says that all is well."""
    # Nothing of the last reading is left: then less is needed to see what has come instead.
    lenient = 2.0 if last is not None and still < 0.05 else 1.0
    passing: dict[Reason, Marks] = {}
    for reason in _SOFT:
        marks = weighing.marks(reason)
        if marks.hold(lenient) and _enough(marks, look):
            passing[reason] = marks
    best = max((m.rank for m in passing.values()), default=0.0)
    for reason, marks in passing.items():
        if marks.rank >= best - _CLOSE:
            return Unread(reason, marks.by or _seen(marks))
    if told := moved_to(requested, url, page, look, last, still):
        return told
    if look.refresh and (told := _refreshed(look, url)):
        return told
    shell = _shell(look, weighing) if look.markup else _bare(look)
    notice = weighing.notice()
    if notice is None or notice is Reason.NEEDS_JAVASCRIPT:
        return shell
    return Unread(notice, "a few words that speak of nothing else")


def _enough(marks: Marks, look: Look) -> bool:
    """Whether the marks are more than one heading on a page that has nothing else against it.

    A title alone, with figures below it, is more often the name of a thing than a notice.
    """
    if marks.places & {"says", "header", "source", "url"} or len(marks.places) > 1:
        return True
    return not any(
        re.search(r"\d", line.text) for line in look.lines if line.part == "main" and not line.heading
    )


def _seen(marks: Marks) -> str:
    words = {
        "url": "the address it led to",
        "header": "headers",
        "title": "title",
        "head": "heading",
        "says": "text",
        "source": "markup",
    }
    return "told by " + ", ".join(words[p] for p in words if p in marks.places)


def _refreshed(look: Look, url: str) -> Unread | None:
    """A page that only sends the browser on, by a meta refresh to another address."""
    assert look.refresh is not None
    target = urljoin(url, look.refresh[1])
    if target.split("#")[0] == url.split("#")[0] or look.words("main", "dialog") > 30:
        return None
    return Unread(Reason.MOVED, f"sends the browser on to {target[:200]}")


def _shell(look: Look, weighing: Weighing) -> Unread | None:
    """An application's empty shell, or a frame around nothing."""
    told = weighing.marks(Reason.NEEDS_JAVASCRIPT)
    content = _content(look)
    own = max(0, min(content, told.own + sum(line.linked for line in look.lines if line.part == "main")))
    filled_by_script = look.scripts > 0 or look.frames > 0
    loud = "says" in told.places
    if _figures(look) and not look.mount and not loud:
        return None  # few words, and what a page is cited for
    if (own <= _SHELL_WORDS and (filled_by_script or loud)) or (
        own <= _SHELL_WORDS_TOLD and filled_by_script and loud and look.mount
    ):
        detail = "sends the browser on by a script" if look.goes_on else "next to no text without scripts"
        if look.frames and not look.scripts:
            detail = "the text stands in frames"
        return Unread(Reason.NEEDS_JAVASCRIPT, detail)
    if own <= _SHELL_WORDS_TOLD and look.mount and look.scripts and not _figures(look):
        return Unread(Reason.NEEDS_JAVASCRIPT, "an empty element that an application fills")
    if content == 0:
        return Unread(Reason.EMPTY, "no text")
    return None


def _bare(look: Look) -> Unread | None:
    return None if look.lines or not look.raw else Unread(Reason.EMPTY, "no text")


def _content(look: Look) -> int:
    """Words of the page itself, links included; a title that only repeats itself does not count."""
    return sum(
        line.words
        for line in look.lines
        if line.part in ("main", "dialog")
        and not (line.heading and line.text.casefold() in look.title.casefold())
    )


def _figures(look: Look) -> bool:
    main = [line.text for line in look.lines if line.part == "main"]
    return any(re.search(r"\d", text) and not re.match(r"(?:©|\(c\)|copyright)", text, re.I) for text in main)


def _still_there(page: Page | Unread, last: Page | None) -> float:
    """Share of the last reading's content lines that stand in this one; 0 where there is none to compare."""
    if last is None or isinstance(page, Unread):
        return 0.0
    before = {b.text for b in last.blocks if b.role == "content" and count_words(b.text) >= 4}
    if not before:
        return 0.0
    return len(before & {b.text for b in page.blocks}) / len(before)
