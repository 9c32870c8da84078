"""What a Datasette serves: which of its databases are kb's, and whether all are."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

from kb.publish.generations import SwappedDatabase
from kb.store.schema import APPLICATION_ID, marks

_KEPT = "_kb_site"


class Site:
    """What one Datasette serves. Found out once, when it starts."""

    def __init__(self, datasette: Any) -> None:
        files = [Path(f) for f in (*datasette.files, *datasette.immutables)]
        ours = [f for f in files if _is_ours(f)]
        self.serves_kb = bool(ours)
        # Where other databases are served too, everything that is not kb's is left as it is.
        self.alone = bool(ours) and len(ours) == len(files)
        self.settings: Path | None = None  # where kb.toml is, when not beside the database
        self.metadata: dict[str, Any] = {}
        self.described: set[str] = set()  # the databases that `metadata` is about


def site_of(datasette: Any) -> Site:
    """The site of `datasette`."""
    found = getattr(datasette, _KEPT, None)
    if not isinstance(found, Site):
        found = Site(datasette)
        setattr(datasette, _KEPT, found)
    return found


def kb_database(datasette: Any) -> SwappedDatabase:
    """The knowledge base's database: `kb`, else the first that is one.

    Raises:
        LookupError: there is none.
    """
    ours = {n: d for n, d in datasette.databases.items() if isinstance(d, SwappedDatabase)}
    if not ours:
        raise LookupError("no kb.db is served")
    return ours.get("kb") or next(iter(ours.values()))


def is_ours(datasette: Any, database: str | None) -> bool:
    """Whether the database of that name is kb's."""
    return isinstance(datasette.databases.get(database), SwappedDatabase)


def metadata(datasette: Any) -> dict[str, Any]:
    """What Datasette is to know of kb's tables, under each name that a kb.db is served by."""
    site = site_of(datasette)
    names = {n for n, d in datasette.databases.items() if isinstance(d, SwappedDatabase)}
    if not site.metadata or site.described != names:
        text = resources.files("kb.publish").joinpath("metadata.json").read_text(encoding="utf-8")
        # Datasette writes into what it is given, so each Datasette gets its own, and what it
        # was made for is remembered apart.
        site.metadata = {"databases": {name: json.loads(text) for name in sorted(names)}}
        site.described = names
        if site.alone:
            site.metadata["title"] = "Knowledge base"
    return site.metadata


def _is_ours(path: Path) -> bool:
    found = marks(path)
    return found is not None and found[0] == APPLICATION_ID
