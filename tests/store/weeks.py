"""A knowledge base that goes from day to day, and all rows of its database."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

from kb.app.base import KnowledgeBase
from kb.app.prune import prune_plan
from kb.claims import read_claims
from kb.claims.edit import keep, set_value, take_over
from kb.reasons import Reason
from kb.snapshots import Exchange
from kb.snapshots.importer import import_files
from kb.snapshots.prune import Policy, prune

FIRST = datetime(2026, 1, 1, 9, tzinfo=UTC)

SOURCE = """\
source:
  title: {name} sizes
  publisher: Example
  url: https://{name}.example/a.html
  retrieved: 2026-01-01
claims:
  - id: memory
    subject: {name}
    attribute: memory
    figure: 640 GB
  - id: makers
    subject: {name}
    attribute: makers
    list: [Alpha, Beta, Gamma]
"""

SUMS = """\
claims:
  - id: half
    subject: half of atlas
    attribute: memory
    formula: "{atlas.memory} / 2"
    figure: 320 GB
  - id: quarter
    subject: quarter of atlas
    attribute: memory
    formula: "{sums.half} / 2"
    figure: 160 GB
"""

NAMES = ("atlas", "borea", "cygnus")


def page(name: str, figure: str, makers: str = "Alpha, Beta and Gamma") -> bytes:
    return (
        f"<html lang=en><title>{name}</title><h1>{name} sizes</h1><p>{name} has a memory of {figure}.</p>"
        f"<p>{name} comes from its makers {makers}.</p></html>"
    ).encode()


class Base:
    """A knowledge base that goes from day to day."""

    def __init__(self, root: Path, sums: bool) -> None:
        self.root = root
        self.day = 0.0
        (root / "claims").mkdir(parents=True)
        for name in NAMES:
            (root / "claims" / f"{name}.yaml").write_text(SOURCE.format(name=name), encoding="utf-8")
        if sums:
            (root / "claims" / "sums.yaml").write_text(SUMS, encoding="utf-8")

    @property
    def now(self) -> datetime:
        return FIRST + timedelta(days=self.day)

    def open(self) -> KnowledgeBase:
        return KnowledgeBase.open(self.root, today=self.now.date())

    def see(self, seen: dict[str, bytes | Reason]) -> None:
        """One run: what each page answers."""
        with self.open().archive.begin(self.now) as run:
            for number, (name, answer) in enumerate(seen.items()):
                url = f"https://{name}.example/a.html"
                time = self.now + timedelta(seconds=number)
                if isinstance(answer, Reason):
                    run.keep(Exchange(url, url, time, reason=answer, detail="as told"))
                else:
                    headers = (("Content-Type", "text/html"),)
                    run.keep(Exchange(url, url, time, 200, headers, answer))

    def bring(self, name: str, body: bytes, days_ago: float) -> None:
        """A page that somebody saved is imported."""
        saved = self.root / "saved.html"
        saved.write_bytes(body)
        date = self.now - timedelta(days=days_ago)
        import_files(self.open().archive, [saved], self.now, url=f"https://{name}.example/a.html", date=date)

    def prune(self) -> int:
        """What nothing hangs on goes; how many captures that were."""
        kb = self.open()
        plan = prune_plan(kb, Policy(timedelta(days=5), every=timedelta(days=60)), self.now)
        return len(prune(kb.archive, plan, self.now, apply=True).captures)

    def edit(self, name: str, change: str) -> None:
        path = self.root / "claims" / f"{name}.yaml"
        text = path.read_text(encoding="utf-8")
        day = self.now.date().isoformat()
        if change == "take over":
            text = take_over(text, "memory", "960 GB", day, "raised")
        elif change == "keep":
            text = keep(text, "memory", "960 GB", day, "known")
        else:
            text = set_value(text, "memory", "800 GB")
        before = path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        if any(p.level == "error" for p in read_claims(self.root, self.now.date())[1]):
            path.write_text(before, encoding="utf-8")  # a sum would be wrong, or two ends on one day


def rows(database: Path) -> dict[str, list[tuple[object, ...]]]:
    db = sqlite3.connect(database)
    try:
        names = [
            n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        ]
        tables = {
            n: sorted(db.execute(f"SELECT * FROM [{n}]").fetchall(), key=repr)
            for n in names
            if "_fts" not in n
        }
        found = "SELECT id FROM claims_fts WHERE claims_fts MATCH ? ORDER BY id"
        for word in ("atlas", "960", "beta", "memory"):
            tables[f"search {word}"] = db.execute(found, (word,)).fetchall()
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return tables
    finally:
        db.close()
