"""The pages that are not Datasette's own: each asks, shapes and renders."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from datetime import UTC, date, datetime
from hashlib import sha256
from importlib import resources
from typing import Any, TypeVar
from urllib.parse import unquote

from datasette import Response
from datasette.utils import sqlite_timelimit, tilde_decode, tilde_encode
from datasette.utils.asgi import NotFound

from kb.publish import queries
from kb.publish.allowed import is_full
from kb.publish.badge import badge
from kb.publish.cells import is_web
from kb.publish.drawing import time_line
from kb.publish.finding import search as find
from kb.publish.linked import in_html, linked
from kb.publish.saying import SAYING, passage_before, short
from kb.publish.site import kb_database
from kb.publish.state import state_word
from kb.reasons import Outcome, Reason
from kb.report import Published, claim_json, feed_summary, render_atom, words

T = TypeVar("T")

MENU = (
    ("/drift", "Changes"),
    ("/review", "Review"),
    ("/sources", "Sources"),
    ("/method", "Method"),
)

LONGEST_MS = 3000
"""Milliseconds that all of a page's questions may take together."""

ROBOTS = "User-agent: *\nDisallow: /*?\nDisallow: /-/\nAllow: /\n"


def prepare(env: Any, datasette: Any) -> None:
    """Give the templates what they share."""

    def static(name: str) -> str:
        digest = sha256(resources.files("kb.publish").joinpath("static", name).read_bytes()).hexdigest()
        return f"{datasette.urls.static_plugins('citedrift', name)}?{digest[:8]}"

    env.globals |= {
        "kb_still": False,
        "kb_css": static("kb.css"),
        "kb_icon": static("icon.svg"),
        "kb_menu": [(datasette.urls.path(path), label) for path, label in MENU],
        "kb_path": datasette.urls.path,
        "kb_words": SAYING,
        "kb_publisher": lambda name: datasette.urls.path(f"/publishers/{tilde_encode(name)}"),
        "kb_short": short,
        "kb_sentence": _sentence,
        "kb_is_web": is_web,
        "kb_ago": _ago,
        "kb_without": _without,
        "kb_before": lambda time, now: datetime.fromisoformat(time) < now,
        "kb_state": state_word,
        "kb_tone": lambda state: _TONES.get(state, state),
        "kb_ended": lambda how: _ENDED.get(how, how),
        "kb_title": lambda: datasette.metadata("title") or "Knowledge base",
    }


_TONES = {"confirmed": "drifted"}
_ENDED = {"held": "holds again", "accepted": "differs, known", "edited": "edited since"}


async def home(request: Any, datasette: Any) -> Any:
    """The first page."""
    now = datetime.now(UTC)
    found, sums = await _ask(
        datasette,
        lambda db: (h := queries.home(db, queries.now_text(now)), queries.sums(db, h.changes)),
    )
    return await _page(datasette, request, "kb_home.html", home=found, sums=sums, now=now)


async def claim(request: Any, datasette: Any) -> Any:
    """A claim's page; its JSON, feed or badge where `.json`, `.atom` or `.svg` follows the id."""
    name = unquote(request.url_vars["id"])
    found = await _ask(datasette, lambda db: queries.claim_page(db, name))
    if found is None:
        start, _, ending = name.rpartition(".")
        if ending in _FORMS:
            found = await _ask(datasette, lambda db: queries.claim_page(db, start))
            if found is not None:
                return _FORMS[ending](datasette, request, found)
        raise NotFound("There is no such claim.")
    return await _page(
        datasette,
        request,
        "kb_claim.html",
        page=found,
        claim=found.claim,
        line=time_line(found.readings),
        passage=words.passage(found.claim),
        before=passage_before(found.claim, found.before) if found.before else None,
        linked=in_html(linked(found.claim, found.source, _at(datasette, request, f"/claims/{name}"))),
        now=datetime.now(UTC),
    )


def _json(datasette: Any, request: Any, page: queries.ClaimPage) -> Any:
    return Response.json(claim_json(page.claim))


def _feed_of(datasette: Any, request: Any, page: queries.ClaimPage) -> Any:
    address = _at(datasette, request, f"/claims/{page.claim.id}")
    published = Published(
        words.statement(page.claim), f"{address}.atom", address, _at(datasette, request, "/claims/")
    )
    return _feed(page.kb, [(e, page.claim) for e in page.events], published)


def _badge(datasette: Any, request: Any, page: queries.ClaimPage) -> Any:
    return Response(badge(page.claim), content_type="image/svg+xml; charset=utf-8")


_FORMS = {"json": _json, "atom": _feed_of, "svg": _badge}
_HOST = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?")


def _at(datasette: Any, request: Any, path: str) -> str:
    """The whole address of one of our pages, as the visitor reached the site."""
    host = request.headers.get("host") or ""
    inside = str(datasette.urls.path(path))
    return f"{request.scheme}://{host}{inside}" if _HOST.fullmatch(host) else inside


def _feed(kb: str, changes: list[tuple[Any, Any]], published: Published) -> Any:
    summary = feed_summary(kb, datetime.now(UTC), changes)
    return Response(render_atom(summary, published), content_type="application/atom+xml; charset=utf-8")


async def feed(request: Any, datasette: Any) -> Any:
    """The newest confirmed changes of all claims, for feed readers."""
    kb, changes = await _ask(datasette, lambda db: (queries.name(db), queries.changes(db)))
    addresses = (_at(datasette, request, path) for path in ("/drift.atom", "/drift", "/claims/"))
    return _feed(kb, changes, Published("", *addresses))


async def claims(request: Any, datasette: Any) -> Any:
    """All claims, or as many as one page can bear."""
    limit = queries.ALL if datasette.jinja_env.globals["kb_still"] else queries.MANY
    found = await _ask(datasette, lambda db: queries.claims(db, limit))
    return await _page(datasette, request, "kb_claims.html", claims=found, limit=limit)


async def source(request: Any, datasette: Any) -> Any:
    """A source's page."""
    name = unquote(request.url_vars["id"])
    found = await _ask(datasette, lambda db: queries.source_page(db, name))
    if found is None:
        raise NotFound("There is no such source.")
    return await _page(
        datasette, request, "kb_source.html", page=found, source=found.source, now=datetime.now(UTC)
    )


async def text(request: Any, datasette: Any) -> Any:
    """All that a source's page says, where the settings make it public."""
    name = unquote(request.url_vars["id"])
    found = await _ask(datasette, lambda db: queries.text_page(db, name))
    if found is None:
        raise NotFound("There is no such text.")
    return await _page(datasette, request, "kb_text.html", page=found, now=datetime.now(UTC))


async def sources(request: Any, datasette: Any) -> Any:
    """All sources."""
    found = await _ask(datasette, queries.sources)
    return await _page(datasette, request, "kb_sources.html", sources=found, now=datetime.now(UTC))


async def drift(request: Any, datasette: Any) -> Any:
    """Events, newest first: all, or those of some days, a publisher or a tag."""
    given = {n: (request.args.get(n) or "")[:200] for n in ("since", "until", "publisher", "tag")}
    days = {n: given[n] if _is_day(given[n]) else "" for n in ("since", "until")}
    wanted = queries.Wanted(**{**given, **days})
    found, (publishers, tags), sums = await _ask(
        datasette,
        lambda db: (
            c := queries.changes(db, wanted=wanted),
            queries.choices(db),
            queries.sums(db, c),
        ),
    )
    return await _page(
        datasette,
        request,
        "kb_drift.html",
        changes=found,
        sums=sums,
        wanted=wanted,
        filtered=wanted != queries.Wanted(),
        publishers=publishers,
        tags=tags,
        limit=queries.LISTED,
    )


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


async def publisher(request: Any, datasette: Any) -> Any:
    """How a publisher's claims stand."""
    name = tilde_decode(request.url_vars["name"])
    found = await _ask(datasette, lambda db: queries.publisher_page(db, name))
    if found is None:
        raise NotFound("There is no such publisher.")
    sums = await _ask(datasette, lambda db: queries.sums(db, found.changes))
    return await _page(
        datasette,
        request,
        "kb_publisher.html",
        page=found,
        sums=sums,
        now=datetime.now(UTC),
        limit=queries.LISTED,
    )


async def method(request: Any, datasette: Any) -> Any:
    """How verdicts come about, and how often they were right."""
    text = resources.files("kb.publish").joinpath("accuracy.json").read_text(encoding="utf-8")
    verdicts = [(str(o), o.sentence) for o in Outcome]
    return await _page(datasette, request, "kb_method.html", accuracy=json.loads(text), verdicts=verdicts)


async def review(request: Any, datasette: Any) -> Any:
    """What is suspected, unclear, unread, stale or not checked yet."""
    now = datetime.now(UTC)
    found = await _ask(datasette, lambda db: queries.to_review(db, queries.now_text(now)))
    return await _page(datasette, request, "kb_review.html", review=found, now=now, limit=queries.LISTED)


async def search(request: Any, datasette: Any) -> Any:
    """Claims by words and figures."""
    asked = request.args.get("q") or ""
    found = await _ask(datasette, lambda db: find(db, asked))
    return await _page(datasette, request, "kb_search.html", claims=found, asked=asked, limit=queries.LISTED)


def robots(datasette: Any) -> Any:
    """What crawlers may ask for: no facets, no filters."""
    return Response.text(ROBOTS)


ROUTES: list[tuple[str, Any]] = [
    (r"/claims$", claims),
    (r"/claims/(?P<id>[^/]+)$", claim),
    (r"/sources/(?P<id>[^/]+)$", source),
    (r"/sources/(?P<id>[^/]+)/text$", text),
    (r"/sources$", sources),
    (r"/drift\.atom$", feed),
    (r"/drift$", drift),
    (r"/publishers/(?P<name>[^/]+)$", publisher),
    (r"/method$", method),
    (r"/review$", review),
    (r"/search$", search),
]

ROUTES_ALONE: list[tuple[str, Any]] = [(r"/$", home), (r"/robots\.txt$", robots)]
"""Addresses that other databases beside kb's may want for themselves."""


async def _ask(datasette: Any, question: Callable[[sqlite3.Connection], T]) -> T:
    def in_time(db: sqlite3.Connection) -> T:
        with sqlite_timelimit(db, LONGEST_MS):
            return question(db)

    answer: T = await kb_database(datasette).execute_fn(in_time)
    return answer


async def _page(datasette: Any, request: Any, template: str, **context: Any) -> Any:
    context["database"] = kb_database(datasette).name
    context["here"] = str(datasette.urls.path(request.path))
    context["full"] = await _ask(datasette, is_full)
    return Response.html(await datasette.render_template(template, context, request=request))


def _sentence(word: str | None) -> str:
    """The sentence of an outcome or a reason."""
    if not word:
        return "stated, not checked here yet"
    return Outcome(word).sentence if word in set(Outcome) else Reason(word).sentence


def _without(said: Any) -> str:
    """What stands in place of a value that a reading or an event does not give."""
    return "other inputs" if said.reason == Reason.INPUT_DRIFTED else "nothing"


def _ago(time: str | None, now: datetime) -> str:
    """How long ago, in words."""
    if not time:
        return ""
    seconds = (now - datetime.fromisoformat(time)).total_seconds()
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            return f"{words.count(int(seconds // size), unit)} ago"
    return "just now"
