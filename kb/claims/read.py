"""One claims file to a source and its claims, with every fault that the file alone shows."""

from __future__ import annotations

import re
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from yaml import Node, SequenceNode

from kb.claims.claim import Claim
from kb.claims.draft import Draft
from kb.claims.entry import read_entry
from kb.claims.shape import ID, shape_problems
from kb.claims.source import Check, Source
from kb.claims.yaml import compose, entries

_SECONDS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}
_EVERY = re.compile(r"([1-9]\d{0,5})([mhdw])")
_ID = re.compile(ID)
_SOURCE_TEXTS = ("title", "publisher", "url", "url_status", "published", "retrieved", "role", "note")
_LISTS = ("list", "tags")


def read_text(text: str, file: str, today: date) -> Draft:
    """Read a file's text; `file` is its path below the knowledge base, whose stem is the source's id."""
    draft = Draft(file, file.rpartition("/")[2].removesuffix(".yaml"), today.isoformat())
    node, data, problems = compose(text, file)
    draft.problems += problems
    if node is None:
        return draft
    wrong = shape_problems(data, node, file)
    draft.problems += wrong
    if isinstance(data, dict):
        _read(draft, data, node, shapely=not wrong)
    return draft


def _read(draft: Draft, data: dict[str, Any], node: Node, shapely: bool) -> None:
    nodes = entries(node)
    draft.sourced = "source" in data
    head: dict[str, Any] = {}
    if isinstance(data.get("source"), dict):
        source = data["source"] if shapely else _sane(data["source"])
        head = _head(draft, source, nodes["source"][1])
    claims: list[Claim] = []
    listed = nodes["claims"][1] if "claims" in nodes else None
    if isinstance(listed, SequenceNode):
        first: dict[str, int] = {}
        retrieved = head.get("retrieved")
        for entry, at in zip(data["claims"], listed.value, strict=True):
            if not shapely:
                if not isinstance(entry, dict):
                    continue
                entry = _sane(entry)
            claim = read_entry(draft, entry, at, retrieved, first)
            if claim is not None:
                claims.append(claim)
    draft.source = Source(id=draft.id, claims=tuple(claims), file=draft.file, **head)


def _sane(data: dict[str, Any]) -> dict[str, Any]:
    """The part of a faulty mapping whose values have the form that their keys ask for."""
    kept: dict[str, Any] = {}
    for key, value in data.items():
        if key in _LISTS:
            if isinstance(value, list) and value and all(isinstance(v, str) and v for v in value):
                kept[key] = value
        elif key in ("check", "accepted"):
            if isinstance(value, dict):
                kept[key] = _sane(value)
        elif key == "was":
            if isinstance(value, list) and all(isinstance(v, dict) for v in value):
                kept[key] = [_sane(v) for v in value]
        elif isinstance(value, str) and value and (key != "id" or _ID.match(value)):
            kept[key] = value
    return kept


def _head(draft: Draft, data: dict[str, Any], node: Node) -> dict[str, Any]:
    """The source's own fields."""
    nodes = entries(node)
    head: dict[str, Any] = {k: data[k] for k in _SOURCE_TEXTS if k in data}
    for key in ("title", "publisher"):
        if key not in nodes:
            draft.warned(node, f"the source has no {key}", f"add `{key}: …`", f"no-{key}")
    if "url" in head:
        _url(draft, head["url"], head.get("url_status"), nodes["url"][1])
    elif "url" not in nodes and "off" not in data.get("check", ()):
        remedy = "add `url: https://…`; what we state ourselves stands in a file without `source`"
        draft.told(node, 'the source has no "url"', remedy, "missing-key")
    if "published" in head:
        draft.when(head["published"], nodes["published"][1], "published", past=True)
    if "retrieved" in head:
        draft.day(head["retrieved"], nodes["retrieved"][1], "retrieved")
    if "check" in data:
        head["check"] = _check(draft, data["check"], nodes["check"][1])
    if "tags" in data:
        head["tags"] = tuple(data["tags"])
    return head


def _url(draft: Draft, url: str, status: str | None, node: Node) -> None:
    wrong = wrong_url(url)
    if wrong:
        draft.told(node, *wrong, "bad-url")
        return
    parts = urlsplit(url)
    if parts.path in ("", "/") and not parts.query:
        draft.warned(node, "the url is a bare domain", "name the page that states the claims", "bare-domain")
    if status == "supposed":
        draft.warned(
            node,
            "the url is only supposed",
            "open it, then correct it or delete `url_status: supposed`",
            "supposed-url",
        )


def wrong_url(url: str) -> tuple[str, str] | None:
    """What keeps a text from being an address that kb can ask for, and what would be right."""
    if re.search(r"[\s<>\"\x00-\x20\x7f]", url):
        return f'the url "{url}" has a space or a sign that no url has', "encode it, as in %20"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        return f'the url "{url}" cannot be read ({error})', "write https://host/path"
    if parts.scheme not in ("http", "https"):
        remedy = f'write "https://{url}"' if "." in url.partition("/")[0] and ":" not in url else ""
        return f'the url "{url}" is not http or https', remedy or "write https://host/path"
    if not host or port == 0:
        return f'the url "{url}" names no host', "write https://host/path"
    return None


def seconds(interval: str) -> int | None:
    """The seconds of `12h`, `7d` or `2w`; None for what is no interval."""
    match = _EVERY.fullmatch(interval)
    return int(match[1]) * _SECONDS[match[2]] if match else None


def _check(draft: Draft, data: dict[str, Any], node: Node) -> Check:
    every = None
    if "every" in data:
        every = seconds(data["every"])
        if every is None:
            draft.told(
                entries(node)["every"][1],
                f'the interval "{data["every"]}" cannot be read',
                "write a number of m, h, d or w, as in 12h, 7d or 2w",
                "bad-interval",
            )
    return Check(
        every=every,
        browser=data.get("browser") == "true",
        archive=data.get("archive") == "only",
        off=data.get("off"),
    )
