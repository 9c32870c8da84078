"""The whole knowledge base as an RO-Crate: claims, snapshots, verdicts and report."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from kb.app.base import KnowledgeBase
from kb.app.export import export_document
from kb.export.table import guarded

if TYPE_CHECKING:
    from kb.export.crate import Part
    from kb.store import Rows

READINGS = (
    "claim",
    "captured",
    "stated",
    "verdict",
    "reason",
    "detail",
    "found",
    "score",
    "digest",
    "capture",
)
"""The columns of the table of all readings, as kb.db has them."""


def export_crate(
    kb: KnowledgeBase, out: Path, now: datetime, *, license: str = "", snapshots: bool = True
) -> int:
    """Write the crate, and say how many files it has.

    Args:
        out: a new or empty folder, or a path that ends in `.zip`.
        now: when the report in it is made.
        license: the crate's, an address or words.
        snapshots: whether the archive goes with it: it holds other people's pages whole.

    Raises:
        StoreError: there is no kb.db, or it cannot be read.
        UsageError: rocrate is not installed, or the folder holds something.
    """
    from kb.export.crate import write_crate  # start-up time
    from kb.store import open_rows

    with open_rows(kb.database) as rows:
        name = rows.about().name
        parts = [*_claims(kb), *(_snapshots(kb) if snapshots else ()), *_made(kb, rows, now)]
    write_crate(out, name, parts, kb.claims.sources, now, license)
    return len(parts) + 1


def _claims(kb: KnowledgeBase) -> Iterator[Part]:
    from kb.export.crate import Part  # start-up time

    for source in kb.claims.sources:
        of = f"{source.title}, {source.publisher}" if source.publisher else source.title or source.id
        count = len(source.claims)
        yield Part(
            source.file,
            kb.root / source.file,
            "application/yaml",
            f"Claims of {of}" if source.title else f"Statements of our own: {source.id}",
            f"{count} claim{'' if count == 1 else 's'}, as people state them, with figure, place and day.",
            (source.url,) if source.url else (),
        )


def _snapshots(kb: KnowledgeBase) -> Iterator[Part]:
    from kb.export.crate import Part  # start-up time

    pages = tuple(dict.fromkeys(s.url for s in kb.claims.sources if s.url))
    for path in sorted(kb.snapshots.rglob("*.warc.gz")) if kb.snapshots.is_dir() else ():
        yield Part(
            path.relative_to(kb.root).as_posix(),
            path,
            "application/warc",
            f"Web archive {path.name}",
            "What the pages said at one time: a WARC 1.1 file of requests, responses and failures.",
            pages,
        )


def _made(kb: KnowledgeBase, rows: Rows, now: datetime) -> Iterator[Part]:
    """What kb makes of the two folders."""
    from kb.export.crate import Part  # start-up time
    from kb.report import render_html, report_json, summarise

    summary = summarise(rows, now)
    report = json.dumps(report_json(summary), ensure_ascii=False, indent=2) + "\n"
    for path, body, kind, name, description in (
        (
            "report.html",
            render_html(summary),
            "text/html",
            "Drift report",
            "What became of the claims, for people.",
        ),
        ("report.json", report, "application/json", "Drift report as data", "The same for programs."),
        (
            "verdicts.csv",
            _readings(rows),
            "text/csv",
            "Verdicts",
            "What each reading of a page said of each claim.",
        ),
        (
            "claims.csv",
            export_document(kb, "csv"),
            "text/csv",
            "Claims as a table",
            "Each claim with its source and its present verdict.",
        ),
        (
            "annotations.json",
            export_document(kb, "annotations"),
            "application/ld+json",
            "Claims as Web Annotations",
            "Each claim at the words of its page that state it.",
        ),
    ):
        yield Part(path, body, kind, name, description)


def _readings(rows: Rows) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(READINGS)
    for row in rows.readings(READINGS):
        writer.writerow([guarded(v) if isinstance(v, str) else v for v in row])
    return out.getvalue()
