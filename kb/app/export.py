"""Claims, sources and verdicts as one document in a standard format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from kb.app.base import KnowledgeBase
from kb.claims import Claim

if TYPE_CHECKING:
    from kb.store import ClaimNow

FORMATS = ("csv", "csl", "bibtex", "annotations")


def export_document(kb: KnowledgeBase, form: str, only: Sequence[str] = (), tags: Sequence[str] = ()) -> str:
    """The chosen claims in one of `FORMATS`; verdicts come from the database, where there is one.

    Raises:
        StoreError: the database is there and cannot be read.
    """
    from kb.export.annotation import as_annotations  # start-up time
    from kb.export.citation import as_bibtex, as_csl, cite_sources
    from kb.export.table import as_csv

    chosen = _chosen(kb, only, tags)
    if form in ("csl", "bibtex"):
        archive = kb.archive if kb.snapshots.is_dir() else None
        citations = cite_sources(kb.claims, [c.id or "" for c in chosen], archive)
        return f"{as_bibtex(citations, True)}\n" if form == "bibtex" else _json(as_csl(citations, True))
    now = _verdicts(kb)
    if form == "csv":
        return as_csv(kb.claims, chosen, now)
    return _json(as_annotations(kb.claims, chosen, now))


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _chosen(kb: KnowledgeBase, only: Sequence[str], tags: Sequence[str]) -> list[Claim]:
    return [
        c
        for c in kb.claims.claims
        if (not only or any(fnmatchcase(c.id or "", p) or fnmatchcase(c.source_id or "", p) for p in only))
        and (not tags or set(tags) & set(c.tags))
    ]


def _verdicts(kb: KnowledgeBase) -> dict[str, ClaimNow]:
    from kb.store import open_rows  # start-up time

    if not kb.database.exists():
        return {}
    with open_rows(kb.database) as rows:
        return {c.id: c for c in rows.claims()}
