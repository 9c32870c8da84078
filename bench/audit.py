"""How many of the seed articles' figures `kb audit` matches to the right claim, and how many to a wrong one.

A figure counts as right where a place in the words that state it names its claim, as wrong where the places
with its value in those words name others only. Texts and absences are no figures; they are counted apart.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from datetime import date
from pathlib import Path

from kb.app.audit import Mention, audit_page
from kb.app.audit_read import read_article
from kb.claims import Claim, ClaimSet, load_claims
from kb.quantity import compare, dates, quantities

ROOT = Path(__file__).resolve().parent.parent
SEEDS = ROOT.parent / "shared" / "seeds"
FIGURES = ("figure", "derived", "range", "ratio", "date", "list")
GOAL_RIGHT, GOAL_WRONG = 0.95, 0.02


def main() -> int:
    """Print the shares for each article, and the figures that were missed."""
    if not SEEDS.is_dir():
        print("no seed articles beside the project: nothing to measure")
        return 0
    claims = load_claims(ROOT, date(2026, 12, 1))
    with (SEEDS / "figures.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for article in sorted(SEEDS.glob("*.txt")):
        _article(article, [r for r in rows if r["seed"] == article.name[:3]], claims)
    return 0


def _article(article: Path, rows: list[dict[str, str]], claims: ClaimSet) -> None:
    page, _ = read_article(article)
    mentions = audit_page(page, claims)
    tally: Counter[str] = Counter()
    missed = []
    for row in rows:
        if row["kind"] not in FIGURES:
            continue
        got = _matched(row, mentions, claims)
        tally[got] += 1
        tally["all"] += 1
        if got != "right":
            missed.append(f"  {got:8} {row['id']} ({row['kind']}): {row['stated']}")
    named = [len(m.claims) for m in mentions if m.claims]
    print(
        f"{article.name}: {len(mentions)} places, {len(named)} matched, "
        f"{sum(named) / len(named):.2f} claims each"
    )
    right, wrong = tally["right"] / tally["all"], tally["wrong"] / tally["all"]
    print(
        f"  right {right:.1%} of {tally['all']} (goal {GOAL_RIGHT:.0%}), "
        f"wrong {wrong:.1%} (goal {GOAL_WRONG:.0%})"
    )
    print("\n".join(missed))


def _matched(row: dict[str, str], mentions: list[Mention], claims: ClaimSet) -> str:
    wanted = next((c for c in claims.claims if (c.id or "").rpartition(".")[2] == row["id"]), None)
    if wanted is None:
        return "unclaimed"
    words = _plain(row["stated"])
    places = [m for m in mentions if words in _plain(m.row or m.block.text) or words in _plain(m.block.text)]
    inside = [m for m in places if m.kind == "list" or _plain(m.text) in words] or places
    if any(wanted.id in m.claims for m in inside):
        return "right"
    same = [m for m in inside if m.claims and wanted.kind in (m.kind, "formula") and _value(wanted, m)]
    return "wrong" if same else "missed"


def _value(wanted: Claim, mention: Mention) -> bool:
    """Whether the place states the figure's value: only then can it have been given to a wrong claim."""
    if wanted.quantity is not None:
        return any(compare(wanted.quantity, q).holds for q in quantities(mention.text))
    return any(wanted.value == d.value for d in dates(mention.text))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


if __name__ == "__main__":
    sys.exit(main())
