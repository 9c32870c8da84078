"""How many of the articles' figures `kb audit` matches to the right claim, and how many to a wrong one.

A figure counts as right where a place in the words that state it names its claim, as first where it names
it before any other, as wrong where places with its value in those words name others only. Where the words
leave the value out, the paragraph or row around them counts. Texts and absences are no figures.

The seed articles were tuned on, and so were trams and batteries; the others in `tests/audit` were first
measured, and what they showed was mended by general means. Speed is told as ratios: an article of 10,000
words against 10,000 claims, and half of each.
"""

from __future__ import annotations

import csv
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from kb.app.audit import Mention, audit_page
from kb.app.audit_read import read_article
from kb.claims import Claim, ClaimSet, load_claims
from kb.page import read_page
from kb.quantity import compare, dates, quantities

ROOT = Path(__file__).resolve().parent.parent
SEEDS = ROOT.parent / "shared" / "seeds"
OURS = ROOT / "tests" / "audit"
FIGURES = ("figure", "derived", "range", "ratio", "date", "list")
GOAL_RIGHT, GOAL_WRONG = 0.95, 0.02
TODAY = date(2026, 12, 1)

Wanted = tuple[str, Claim | None]
"""The words that state a figure, and its claim."""


def main() -> int:
    """Print the shares for each article with the figures that were missed, then the speed."""
    if SEEDS.is_dir():
        claims = load_claims(ROOT, TODAY)
        names = {(c.id or "").rpartition(".")[2]: c for c in claims.claims}
        with (SEEDS / "figures.csv").open(encoding="utf-8", newline="") as file:
            rows = [r for r in csv.DictReader(file) if r["kind"] in FIGURES]
        for article in sorted(SEEDS.glob("*.txt")):
            mine = [(r["stated"], names.get(r["id"])) for r in rows if r["seed"] == article.name[:3]]
            _article(article.name, article, claims, mine)
    else:
        print("no seed articles beside the project: only our own are measured")
    for folder in sorted(p.parent for p in OURS.glob("*/figures.csv")):
        _article(folder.name, *own_article(folder))
    _speed()
    return 0


def own_article(folder: Path) -> tuple[Path, ClaimSet, list[Wanted]]:
    """An article of our own, its claims, and the words that state each figure with its claim."""
    claims = load_claims(folder, TODAY)
    with (folder / "figures.csv").open(encoding="utf-8", newline="") as file:
        wanted: list[Wanted] = [(r["stated"], claims.claim(r["claim"])) for r in csv.DictReader(file)]
    return next(folder.glob("article.*")), claims, wanted


def shares(article: Path, claims: ClaimSet, wanted: Sequence[Wanted]) -> tuple[dict[str, float], list[str]]:
    """The shares that are right, first and wrong, and a line for each figure that is not right."""
    mentions = audit_page(read_article(article)[0], claims)
    places = [(_plain(m.text), {_plain(m.row or m.block.text), _plain(m.block.text)}, m) for m in mentions]
    tally: Counter[str] = Counter()
    missed = []
    for stated, claim in wanted:
        words = _plain(stated)
        around = [(text, m) for text, texts, m in places if any(words in t for t in texts)]
        got = "unclaimed" if claim is None else _matched(claim, words, around)
        tally["right" if got == "first" else got] += 1
        tally["first"] += got == "first"
        if got not in ("first", "right"):
            missed.append(f"  {got:8} {claim.id if claim else '-'}: {stated}")
    return {name: tally[name] / len(wanted) for name in ("right", "first", "wrong")}, missed


def _matched(claim: Claim, words: str, around: Sequence[tuple[str, Mention]]) -> str:
    inside = [m for text, m in around if m.kind in ("list", "text", "absence") or text in words]
    if not any(_value(claim, m) for m in inside):
        inside = [m for _, m in around]
    if any(m.claims[:1] == (claim.id,) for m in inside):
        return "first"
    if any(claim.id in m.claims for m in inside):
        return "right"
    same = [m for m in inside if m.claims and claim.kind in (m.kind, "formula") and _value(claim, m)]
    return "wrong" if same else "missed"


def _article(name: str, article: Path, claims: ClaimSet, wanted: Sequence[Wanted]) -> None:
    share, missed = shares(article, claims, wanted)
    print(
        f"{name}: right {share['right']:.1%} of {len(wanted)} (goal {GOAL_RIGHT:.0%}), "
        f"wrong {share['wrong']:.1%} (goal {GOAL_WRONG:.0%}), named first {share['first']:.1%}"
    )
    if missed:
        print("\n".join(missed))


def _value(claim: Claim, mention: Mention) -> bool:
    """Whether the place states the claim's value: only then can it have been given to a wrong claim."""
    if claim.quantity is not None:
        return any(compare(claim.quantity, q).holds for q in quantities(mention.text))
    return any(claim.value == d.value for d in dates(mention.text))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


# --- speed ----------------------------------------------------------------------------------------


def _speed() -> None:
    """Processor times of one run: the whole, half the words, half the claims, twice the words."""
    print("\nwords      claims    audit      ratio to the first line")
    first = 0.0
    for words, count in ((10_000, 10_000), (5_000, 10_000), (10_000, 5_000), (20_000, 10_000)):
        claims, text = _made(words, count)
        page = read_page(text, content_type="text/markdown")
        start = time.process_time()
        mentions = audit_page(page, claims)
        took = time.process_time() - start
        first = first or took
        backed = sum(bool(m.claims) for m in mentions)
        print(
            f"{words:6,} {count:10,} {took:8.2f} s {took / first:8.2f}   {backed} of {len(mentions)} matched"
        )


def _made(words: int, count: int) -> tuple[ClaimSet, str]:
    """Claims on many things, and an article that states some of them in paragraphs of about 120 words."""
    dice = random.Random(7)
    attributes = ("bandwidth", "memory", "power draw", "price", "ports", "weight")
    units = {
        "bandwidth": "Gbps",
        "memory": "GB",
        "power draw": "W",
        "price": "EUR",
        "ports": "ports",
        "weight": "kg",
    }
    made = []
    for n in range(count // len(attributes) + 1):
        for attribute in attributes:
            made.append(
                (f"Model {chr(65 + n % 26)}{n}", attribute, f"{dice.randint(1, 400) * 4} {units[attribute]}")
            )
    made = made[:count]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "claims").mkdir()
        for start in range(0, count, 100):
            lines = [
                f"source: {{title: Sheet {start}, publisher: Maker {start}, url: https://m{start}.example/}}"
            ]
            lines.append("claims:")
            for n, (subject, attribute, figure) in enumerate(made[start : start + 100]):
                lines.append(
                    f"  - {{id: c{n}, subject: {subject}, attribute: {attribute}, figure: {figure}}}"
                )
            path = Path(folder) / "claims" / f"s{start}.yaml"
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        claims = load_claims(Path(folder), TODAY)
    paragraphs, total = [], 0
    while total < words:
        sentences = []
        for _ in range(8):
            subject, attribute, figure = dice.choice(made)
            sentences.append(
                f"In our tests the {attribute} of the {subject} was given as {figure} by its maker."
            )
        paragraphs.append(" ".join(sentences))
        total += len(paragraphs[-1].split())
    return claims, "\n\n".join(paragraphs)


if __name__ == "__main__":
    sys.exit(main())
