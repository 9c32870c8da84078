"""What stands before Datasette: which requests are let in, and which headers go out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

from kb.publish.generations import one_generation
from kb.publish.harmless import harmless, is_looked_at
from kb.publish.reachable import spoken
from kb.publish.refusals import refusal
from kb.publish.site import site_of

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST = 2000
"""Bytes of an address, beyond which none of ours is."""

# `data:` is for an image in Datasette's own style sheet.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=()",
}

_OPEN = ("/-/static/", "/-/static-plugins/")  # all else below `/-/` shows the machine
_CACHED = b"public, max-age=30"

# Datasette's own parameters that a visitor needs, by how they begin. Others (a time limit, a
# trace, a join) either change what the site costs or make Datasette stumble. `_where` is let
# through, as Datasette itself answers it with 403.
_PARAMETERS = (
    *("_col", "_nocol", "_dl", "_extra", "_facet", "_filter", "_header", "_hide_sql", "_json", "_label"),
    *("_next", "_nl", "_nocount", "_nofacet", "_nosuggest", "_search", "_shape", "_show_sql", "_size"),
    *("_sort", "_ttl", "_where"),
)


def gated(datasette: Any, app: App) -> App:
    """`app` behind the gate: where only kb's files are served, for all addresses; else for kb's alone."""

    async def gate(scope: Scope, receive: Receive, send: Send) -> None:
        site = site_of(datasette)
        if scope["type"] != "http" or not site.serves_kb:
            await app(scope, receive, send)
            return
        path = _inside(datasette, scope)
        if not site.alone and not _is_ours(datasette, path):
            with one_generation():
                await app(scope, receive, send)
            return
        refused = _refusal(scope, path)
        outgoing = _with_headers(scope, path, send)
        if refused:
            status, words = refused
            accept = next((v for n, v in scope["headers"] if n.lower() == b"accept"), b"").decode("latin-1")
            answer = refusal(datasette, accept, status, words)
            await _answer(outgoing, status, *answer, head=scope["method"] == "HEAD")
            return
        with one_generation():
            await app(_stripped(scope), receive, outgoing)

    return gate


def _inside(datasette: Any, scope: Scope) -> str:
    """The path as the router sees it, without the base address, as text of one byte a character."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode("utf-8")
    path = raw.partition(b"?")[0].decode("latin-1")
    base = datasette.setting("base_url")
    if base != "/" and path.startswith(base):
        path = "/" + path[len(base) :]
    return path


def _is_ours(datasette: Any, path: str) -> bool:
    """Whether the path leads to what this plugin adds or to one of kb's databases."""
    from kb.publish.site import is_ours

    first = path.split("/")[1].partition(".")[0] if path.count("/") else ""
    ours = ("claims", "sources", "publishers", "search", "drift", "review", "method")
    return first in ours or is_ours(datasette, first)


def _refusal(scope: Scope, path: str) -> tuple[int, str] | None:
    """Why the request is not let in: a status and words; None where it is."""
    if scope["method"] not in ("GET", "HEAD"):
        return 405, "This site is read-only: GET and HEAD are all it answers."
    query = scope.get("query_string", b"")
    if len(path) + len(query) > LONGEST:
        return 414, "The address is too long."
    if not query.isascii() or not (scope.get("raw_path") or b"").isascii():
        return 400, "The address is malformed."
    if not path.startswith("/") or path.startswith(("//", "/\\")) or not _well_formed(path):
        return 400, "The address is malformed."
    if b"%00" in query or b"\x00" in query:
        return 400, "The address is malformed."
    names = (part.partition(b"=")[0] for part in query.split(b"&"))
    if not all(_known(unquote_to_bytes(name)) for name in names):
        return 400, "The address asks for something that does not exist."
    plain = unquote_to_bytes(path)
    if (path.startswith("/-/") or plain.startswith(b"/-/")) and not path.startswith(_OPEN):
        return 403, "This address is not public."
    if b"/../" in plain or plain.endswith(b"/.."):
        return 400, "The address is malformed."
    return None


def _known(name: bytes) -> bool:
    """Whether a parameter may be passed on: a column's, or one of Datasette's that are listed."""
    return not name.startswith(b"_") or name.decode("latin-1").startswith(_PARAMETERS)


def _well_formed(path: str) -> bool:
    """Whether the path is printable ASCII whose percent signs encode UTF-8."""
    if not path.isascii() or not path.isprintable():
        return False
    for part in path.split("%")[1:]:
        if len(part) < 2 or not all(c in "0123456789abcdefABCDEF" for c in part[:2]):
            return False
    try:
        plain = unquote_to_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return "\x00" not in plain


def _stripped(scope: Scope) -> Scope:
    """The request without cookies and credentials: nobody logs in here."""
    kept = [(n, v) for n, v in scope["headers"] if n.lower() not in (b"cookie", b"authorization")]
    return {**scope, "headers": kept}


def _with_headers(scope: Scope, path: str, send: Send) -> Send:
    """`send` with our headers; what scraped text could do harm in is held back until it is whole."""
    held: list[bytes] = []
    start: Message = {}

    async def outgoing(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.body" and start:
            held.append(message.get("body", b""))
            if message.get("more_body"):
                return
            media_type = _media_type(start, path)
            body = spoken(media_type, harmless(media_type, b"".join(held)))
            length = (b"content-length", str(len(body)).encode())
            headers = [h for h in start["headers"] if h[0].lower() != b"content-length"]
            await send({**start, "headers": [*headers, length]})
            await send({"type": "http.response.body", "body": body})
            return
        if message["type"] == "http.response.start":
            ours = dict(HEADERS)
            status = message["status"]
            if not path.startswith(_OPEN):
                ours[b"cache-control"] = _CACHED if status in (200, 304) else b"no-store"
                if scope.get("query_string") or status >= 400:
                    ours[b"x-robots-tag"] = b"noindex, nofollow"
            kept = [(n, v) for n, v in message.get("headers", []) if n.lower() not in ours]
            message = {**message, "headers": [*kept, *ours.items()]}
            if not path.startswith(_OPEN) and is_looked_at(_media_type(message, path)):
                start = message
                return
        await send(message)

    return outgoing


def _media_type(start: Message, path: str) -> str:
    found = next((v for n, v in start["headers"] if n.lower() == b"content-type"), b"")
    said = found.partition(b";")[0].strip().lower().decode("latin-1")
    # Datasette sends CSV as plain text, so that browsers show it.
    return "text/csv" if said == "text/plain" and unquote(path).endswith(".csv") else said


async def _answer(send: Send, status: int, media_type: str, text: str, *, head: bool) -> None:
    body = text.encode()
    headers = [
        (b"content-type", media_type.encode()),
        (b"content-length", str(len(body)).encode()),
    ]
    if status == 405:
        headers.append((b"allow", b"GET, HEAD"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if head else body})
