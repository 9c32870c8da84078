"""Whether a redirect led to the same page at another place, or away from it."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from kb.page.obstacle_look import Look
from kb.page.page import Page, Unread
from kb.reasons import Reason

_INDEX = re.compile(
    r"^(?:index|default|home|start|main|welcome|accueil|startseite|inicio)(?:\.\w{2,5})?$", re.I
)
_LOCALE = re.compile(r"^[a-z]{2}(?:[-_][a-z]{2,4})?$", re.I)
_SUFFIX = re.compile(r"\.(?:html?|php|aspx?|jsp|cfm|md|txt|pdf|shtml|xhtml)$", re.I)
_TOKEN = re.compile(r"[^\W\d_]{3,}|\d{3,}")
_GENERIC = frozenset(
    [
        "index",
        "default",
        "home",
        "page",
        "pages",
        "html",
        "htm",
        "php",
        "asp",
        "aspx",
        "node",
        "article",
        "articles",
        "post",
        "posts",
        "item",
        "items",
        "view",
        "show",
        "detail",
        "details",
        "product",
        "products",
        "doc",
        "docs",
        "id",
        "the",
        "and",
        "for",
        "with",
        "from",
        "die",
        "der",
        "das",
        "und",
        "les",
        "des",
        "una",
        "los",
    ]
)
_ENOUGH = 0.4
"""Share of the words in the old address that the new one, or its title, must have."""

_VERSION = re.compile(r"^(?:v?\d[\w.]*|latest|stable|current|master|main|dev|next)$", re.I)
_CURRENCIES = {
    "$": "usd",
    "€": "eur",
    "£": "gbp",
    "¥": "jpy",
    "₹": "inr",
    "₩": "krw",
    "zł": "pln",
    "₽": "rub",
}
_MONEY = re.compile(
    r"(?:([$€£¥₹₩₽])\s?\d)|(?:\d[\d.,]*\s?(€|£|zł|₽|₹))|\b(USD|EUR|GBP|JPY|INR|CHF|PLN)\s?\d", re.I
)


def moved_to(
    requested: str, url: str, page: Page | Unread, look: Look, last: Page | None, still: float
) -> Unread | None:
    """Why the page at `url` is not the one that `requested` was; None: it may well be."""
    try:
        was, now = urlsplit(requested), urlsplit(url)
    except ValueError:
        return None
    before, after = _segments(was), _segments(now)
    if still <= 0.2 and (locale := _other_locale(was, now)):
        return Unread(Reason.OTHER_LOCALE, locale)
    if before == after and was.query == now.query:
        return None
    if not before and not was.query:
        return None  # a front page was asked for, and any page may be that
    same_host = _host(was) == _host(now)
    if same_host and before == after and not _tells(was.query):
        return None
    wanted = _tokens(before, was.query)
    names = _words(look.title) | {w for h in look.headings[:2] for w in _words(h)}
    names |= {w for part in [*after, now.query] for w in _words(unquote(part))}
    if still > 0.2:
        return None
    if not after:
        # The home page, in whatever language. Only a site of its own for the thing may be that thing.
        if not same_host and wanted and wanted <= _words(look.title) | _tokens([_host(now)], ""):
            return None
        return Unread(Reason.MOVED, "led to the home page")
    if not wanted:
        return None  # a short link or a number tells nothing of the page
    squashed = _squash(before[-1]) if before else ""
    here = _squash(" ".join([*after, look.title, *look.headings[:2]]))
    if len(wanted & names) >= _ENOUGH * len(wanted) or (len(squashed) >= 5 and squashed in here):
        if same_host and len(after) < len(before) and before[: len(after)] == after:
            return Unread(Reason.MOVED, f"led to the section above it, {now.path[:100]}")
        return None
    if last is not None and still == 0.0 and last.title and last.title == look.title:
        return None
    return Unread(Reason.MOVED, f"led to another page, {now.path[:100]}")


def locale_changed(page: Page, last: Page) -> str:
    """Which language or currency took the place of the last reading's; "" where neither did."""
    if page.lang and last.lang and page.lang != last.lang:
        return f"language {page.lang}, {last.lang} before"
    now, before = _currencies(page), _currencies(last)
    if sum(now.values()) >= 3 and sum(before.values()) >= 3 and not set(now) & set(before):
        return f"prices in {now.most_common(1)[0][0]}, {before.most_common(1)[0][0]} before"
    return ""


def _currencies(page: Page) -> Counter[str]:
    found: Counter[str] = Counter()
    for match in _MONEY.finditer(page.text[:400_000]):
        sign = next(g for g in match.groups() if g)
        found[_CURRENCIES.get(sign.lower(), sign.lower())] += 1
    return found


def _host(url: SplitResult) -> str:
    return (url.hostname or "").removeprefix("www.").removeprefix("m.")


def _segments(url: SplitResult) -> list[str]:
    """The path's parts that name something: no index file, no language at the front."""
    parts = [p for p in unquote(url.path).casefold().split("/") if p]
    if parts and _INDEX.match(parts[-1]):
        parts.pop()
    while parts and _LOCALE.match(parts[0]):
        parts.pop(0)
    return [_SUFFIX.sub("", p) for p in parts]


def _tokens(segments: list[str], query: str) -> set[str]:
    """Words and numbers that name a page: of the last part that has any, or of the query."""
    for segment in reversed(segments):
        if _VERSION.match(segment):
            continue
        found = set(_TOKEN.findall(segment)) - _GENERIC
        if any(t.isalpha() for t in found):
            return {_stem(t) for t in found}
    values = " ".join(value for _, value in parse_qsl(query)).casefold()
    return {_stem(t) for t in _TOKEN.findall(values) if t not in _GENERIC and t.isalpha()}


def _squash(text: str) -> str:
    """Letters and digits alone, as `nd-h100-v5` may be `ndh100v5` elsewhere."""
    return re.sub(r"[\W_]", "", text.casefold())


def _words(text: str) -> set[str]:
    return {_stem(t) for t in _TOKEN.findall(text.casefold())} - _GENERIC


def _stem(word: str) -> str:
    """Crude, and enough to find `price` in `prices`."""
    return word[:-1] if len(word) > 4 and word.endswith(("s", "e", "n")) else word


def _tells(query: str) -> bool:
    return bool(re.search(r"(?:^|&)(?:id|p|page|q|article|item|doc|product)=", query, re.I))


def _locale(url: SplitResult) -> str:
    first = next((p for p in url.path.split("/") if p), "")
    return first[:2].lower() if _LOCALE.match(first) else ""


def _other_locale(was: SplitResult, now: SplitResult) -> str:
    before, after = _locale(was), _locale(now)
    if before and after and before != after and _segments(was) == _segments(now):
        return f"led from /{before}/ to /{after}/"
    return ""
