"""A knowledge base as an RO-Crate: its files, each described, in a folder or a ZIP file."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb.errors import UsageError
from kb.version import __version__

if TYPE_CHECKING:
    from kb.claims import Source

UNSTATED = "No license is stated. Quotes and snapshots are other people's words, with their own terms."


@dataclass(frozen=True, slots=True)
class Part:
    """One file of the crate.

    Attributes:
        path: where it stands in the crate.
        body: a file to be copied, or the text itself.
        kind: its media type.
        name: what it is, in a few words; `description` in a sentence.
        about: ids of the pages that it is about.
    """

    path: str
    body: Path | str
    kind: str
    name: str
    description: str
    about: tuple[str, ...] = ()


def write_crate(
    out: Path,
    name: str,
    parts: Sequence[Part],
    sources: Sequence[Source],
    now: datetime,
    license: str = "",
) -> None:
    """Write a crate into a new or empty folder, or into a `.zip` file, which it replaces.

    Args:
        out: the folder, or a path that ends in `.zip`.
        name: of the knowledge base.
        parts: the files.
        sources: the pages that the claims are about; each becomes an entity of its own.
        now: when the crate is made.
        license: an address, or words; empty says that none is stated.

    Raises:
        UsageError: rocrate is not installed, or the folder holds something.
    """
    try:
        from rocrate.model import ContextEntity  # start-up time; an extra
        from rocrate.rocrate import ROCrate
    except ImportError as error:
        raise UsageError(
            "an RO-Crate needs rocrate, which is not installed; run pip install 'citedrift[cite]'"
        ) from error
    if out.is_dir() and any(out.iterdir()):
        raise UsageError(f"{out} is not empty; name a new folder, or a file that ends in .zip")
    crate = ROCrate()
    crate.name = f"Knowledge base {name}"
    claims = sum(len(s.claims) for s in sources)
    crate.description = (
        f"{claims} claims from {len(sources)} sources, with what was read of them. The claims files and "
        f"the web archive are the truth; all else is made from them. Made by kb {__version__}."
    )
    crate.datePublished = now

    def described(id: str, kind: str, **facts: Any) -> Any:
        return crate.add(ContextEntity(crate, id, properties={"@type": kind, **facts}))

    if license.lower().startswith(("http://", "https://")):
        terms = {"name": license, "description": "The terms under which this crate may be used."}
        crate.license = described(license, "CreativeWork", **terms)
    else:
        crate.license = license or UNSTATED
    pages: dict[str, Any] = {}
    for source in sources:
        if source.url and source.url not in pages:
            facts = {"name": source.title or source.url, "url": source.url, "datePublished": source.published}
            given = {k: v for k, v in facts.items() if v}
            pages[source.url] = described(source.url, "WebPage", **given)
            if source.publisher:
                by = described(f"#publisher-{source.id}", "Organization", name=source.publisher)
                pages[source.url]["publisher"] = by
    for part in parts:
        facts = {"name": part.name, "description": part.description, "encodingFormat": part.kind}
        size = part.body.stat().st_size if isinstance(part.body, Path) else len(part.body.encode("utf-8"))
        body = part.body if isinstance(part.body, Path) else io.StringIO(part.body)
        file = crate.add_file(body, part.path, properties={**facts, "contentSize": str(size)})
        about = [pages[url] for url in part.about if url in pages]
        if about:
            file["about"] = about[0] if len(about) == 1 else about
    _write(crate, out)


def _write(crate: Any, out: Path) -> None:
    """Make the crate beside its place, then put it there whole."""
    new = out.with_name(f".{out.name}.{os.getpid()}.new")
    try:
        crate.write(new)
        if out.suffix.lower() == ".zip":
            packed = new.with_name(f"{new.name}.zip")
            try:
                _pack(new, packed)
                packed.replace(out)
            finally:
                packed.unlink(missing_ok=True)
        else:
            if out.is_dir():
                out.rmdir()
            new.replace(out)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _pack(folder: Path, out: Path) -> None:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            packed.write(path, path.relative_to(folder).as_posix())
