"""The site as files that any web host serves: the same pages, without what needs a server."""

from __future__ import annotations

import asyncio
import posixpath
import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kb.errors import MachineError, UsageError
from kb.publish.allowed import is_full
from kb.publish.serve import make_datasette

LISTING = ".kb-site"
"""A file that lists what was written, so that the next time what is gone is removed and nothing else."""

_PAGES = ("/", "/claims", "/drift", "/review", "/sources", "/method")
_FORMS = (".json", ".atom", ".svg")
_HERE = "still.invalid"  # stands for the site's own host until its address is put in
_LINK = re.compile(r'<a ((?:class="[^"]*" )?)href="(/[^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)
_IMAGE = re.compile(r'(<img src=")(/[^"]*)(")')
_HEAD = re.compile(r'(<link rel="[^"]*"[^>]* href=")(/[^"]*)(")')
_POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; "
    "img-src 'self' data:; form-action 'none'; base-uri 'none'\">"
)
_LONGEST = 200  # bytes that file systems take as one name, and some to spare


def write_site(
    database: Path,
    folder: Path,
    address: str = "",
    metadata: Path | None = None,
    settings: Path | None = None,
) -> int:
    """Write the site of `database` to `folder` and return how many files it has.

    `address` is where it will be served (`https://kb.example`): feeds name it. Links between
    pages are relative, so the folder may lie anywhere.

    Raises:
        StoreError: `database` is missing, or not kb's, or holds more than the settings allow.
        UsageError: `folder` holds files that are not this program's.
        MachineError: a file cannot be written.
    """
    listing = folder / LISTING
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not listing.is_file())):
        raise UsageError(f"{folder} holds other files; name an empty folder, or a new one")
    datasette = make_datasette(database, metadata, settings)
    try:
        files = asyncio.run(_files(datasette, database, address.rstrip("/")))
    finally:
        for served in datasette.databases.values():
            served.close()
        if datasette.executor is not None:
            datasette.executor.shutdown()
    try:
        old = listing.read_text(encoding="utf-8").splitlines() if listing.is_file() else []
        for name, body in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body)
        for name in set(old) - files.keys():
            if ".." not in name.split("/") and not name.startswith("/"):
                (folder / name).unlink(missing_ok=True)
        listing.write_text("".join(f"{n}\n" for n in sorted(files)), encoding="utf-8")
    except OSError as error:
        raise MachineError(
            f"{folder} cannot be written ({error.strerror or error}); name another folder"
        ) from error
    return len(files)


async def _files(datasette: Any, database: Path, address: str) -> dict[str, bytes]:
    from importlib import resources

    await datasette.invoke_startup()
    datasette.jinja_env.globals["kb_still"] = True
    known = datasette.jinja_env.globals
    places = {known["kb_css"]: "static/kb.css", known["kb_icon"]: "static/icon.svg"}
    here = resources.files("kb.publish")
    files = {place: here.joinpath(place).read_bytes() for place in places.values()}
    pages = {p: _place(p) for p in _addresses(database)}
    places |= pages
    for path, place in pages.items():
        answer = await datasette.client.get(path, headers={"Host": _HERE})
        if answer.status_code != 200:
            raise MachineError(
                f"the page {path} could not be made (status {answer.status_code}); try again after kb build"
            )
        text = answer.text.replace(f"http://{_HERE}", address)
        files[place] = (_still(text, place, places) if place.endswith(".html") else text).encode()
    return files


def _addresses(database: Path) -> list[str]:
    """All pages and their other forms."""
    from datasette.utils import tilde_encode

    with sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True) as db:
        full = is_full(db)
        claims, sources, texts, publishers = (
            [str(r[0]) for r in db.execute(sql)]
            for sql in (
                "SELECT id FROM claims ORDER BY id",
                "SELECT id FROM sources ORDER BY id",
                "SELECT s.id FROM sources AS s JOIN texts AS t ON t.url = s.url WHERE s.fetched ORDER BY 1",
                "SELECT DISTINCT publisher FROM sources WHERE publisher IS NOT NULL ORDER BY 1",
            )
        )
    db.close()
    return [
        *(*_PAGES, "/drift.atom"),
        *(f"/claims/{c}{form}" for c in _names(claims) for form in ("", *_FORMS)),
        *(f"/sources/{s}" for s in _names(sources)),
        *(f"/sources/{s}/text" for s in _names(texts) if full),
        *(f"/publishers/{p}" for p in _names(tilde_encode(p) for p in publishers)),
    ]


def _names(given: Iterable[str]) -> list[str]:
    """Those that can be names of files."""
    return [
        n for n in given if re.fullmatch(r"[\w.~+-]+", n, re.ASCII) and n.strip(".") and len(n) < _LONGEST
    ]


def _place(path: str) -> str:
    """The file for an address: a folder's index for a page."""
    if (path.startswith("/claims/") and path.endswith(_FORMS)) or path == "/drift.atom":
        return path[1:]
    return f"{path.strip('/')}/index.html".lstrip("/")


def _still(text: str, place: str, places: dict[str, str]) -> str:
    """A page whose links lead to files beside it; what only a server has is left as words."""
    here = posixpath.dirname(place) or "."

    def beside(address: str) -> str:
        to = posixpath.relpath(places[address], here)
        return to.removesuffix("index.html") or "./"

    def link(found: re.Match[str]) -> str:
        before, address, more, words = found.groups()
        return f'<a {before}href="{beside(address)}"{more}>{words}</a>' if address in places else words

    def head(found: re.Match[str]) -> str:
        before, address, after = found.groups()
        return f"{before}{beside(address)}{after}" if address in places else found[0]

    text = _IMAGE.sub(head, _HEAD.sub(head, _LINK.sub(link, text)))
    return text.replace("<head>\n", f"<head>\n{_POLICY}\n", 1)
