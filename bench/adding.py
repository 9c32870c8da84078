"""How much of the seed articles `kb add --from` proposes, and under which source.

A source counts as found where the article's list gives one of its title. A figure counts as right where a
claim with its value, from the words that state it, is proposed under its source; as wrong where such claims
stand under others only. The second line of an article asks the same of a base that has the sources, which
matters where the article itself lists none. Texts, lists and absences are not proposed.
"""

from __future__ import annotations

import csv
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

from kb.app.base import KnowledgeBase
from kb.app.from_article import propose_claims
from kb.app.incoming import Incoming, changes, slug
from kb.claims import Check, Source, write_source
from kb.quantity import dates, quantities

ROOT = Path(__file__).resolve().parent.parent
SEEDS = ROOT.parent / "shared" / "seeds"
KINDS = ("figure", "date", "range")


def main() -> int:
    """Print the counts for each article, and what went under a wrong source."""
    if not SEEDS.is_dir():
        print("no seed articles beside the project: nothing to measure")
        return 0
    with (SEEDS / "sources.csv").open(encoding="utf-8", newline="") as file:
        sources = list(csv.DictReader(file))
    with (SEEDS / "figures.csv").open(encoding="utf-8", newline="") as file:
        figures = [r for r in csv.DictReader(file) if r["kind"] in KINDS and r["source_id"]]
    titles = {s["source_id"]: s["source_title"] for s in sources}
    for article in sorted(SEEDS.glob("*.txt")):
        seed = article.name[:3]
        its = [s for s in sources if s["seed"] == seed or seed in s["note"]]
        rows = [r for r in figures if r["seed"] == seed]
        for known in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                kb = _base(Path(folder), its if known else [])
                incoming = propose_claims(kb, article)
                changes(kb, incoming)  # as strict as kb lint
            _tell(article.name, incoming, rows, titles, None if known else its)
    return 0


def _base(folder: Path, sources: list[dict[str, str]]) -> KnowledgeBase:
    """A base of nothing but sources."""
    (folder / "claims").mkdir()
    for row in sources:
        publisher, _, title = row["source_title"].rpartition(": ")
        id = slug(row["source_id"], 9)
        source = Source(
            id=id,
            title=title,
            publisher=publisher or row["publisher"],
            published=row["published"] or None,
            retrieved=row["retrieved"] or None,
            check=Check(off="not asked for in this bench"),
        )
        (folder / "claims" / f"{id}.yaml").write_text(write_source(source), encoding="utf-8")
    return KnowledgeBase.open(folder)


def _tell(
    name: str,
    incoming: Incoming,
    rows: list[dict[str, str]],
    titles: dict[str, str],
    wanted: list[dict[str, str]] | None,
) -> None:
    claims = [c for s in incoming.sources for c in s.claims]
    if wanted is not None:
        there = {_plain(f"{s.publisher} {s.title}") for s in incoming.sources}
        there |= {_plain(s.title) for s in incoming.sources}
        found = sum(_plain(w["source_title"]) in there for w in wanted)
        print(f"{name}: {found} of {len(wanted)} sources found, {len(incoming.sources)} proposed")
    else:
        print(f"{name}, where the base has the sources:")
    tally: Counter[str] = Counter()
    wrong = []
    for row in rows:
        got = _got(row, incoming, _plain(titles[row["source_id"]]))
        tally[got] += 1
        if got == "wrong":
            wrong.append(f"    wrong {row['id']}: {row['stated']}")
    print(f"  {len(claims)} claims proposed, {len(incoming.unplaced)} places not placed")
    counts = f"{tally['right']} right, {tally['wrong']} wrong, {tally['none']} not proposed"
    print(f"  of {len(rows)} figures and dates that have a source: {counts}")
    if wrong:
        print("\n".join(wrong))


def _got(row: dict[str, str], incoming: Incoming, title: str) -> str:
    words = _plain(row["stated"])
    number = row["value"].replace(",", "")
    if re.fullmatch(r"\d+(?:\.\d+)?", number):
        number = f"{float(number):g}"
    under = set()
    for source in incoming.sources:
        for claim in source.claims:
            said = _plain((claim.note or "").partition(": ")[2])
            near = words in said or said in words or (claim.value and _plain(str(claim.value)) in words)
            if near and (words in said or said in words) and number in _values(str(claim.value)):
                under.add(_plain(f"{source.publisher} {source.title}"))
                under.add(_plain(source.title))
    return "right" if title in under else "wrong" if under else "none"


def _values(value: str) -> set[str]:
    found = {f"{float(q.value):g}" for q in quantities(value, bare=True)}
    return {value.replace(",", ""), *(d.value for d in dates(value)), *found}


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


if __name__ == "__main__":
    sys.exit(main())
