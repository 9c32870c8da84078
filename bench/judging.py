"""How long it takes to judge a claim on a page that has been read, what claims share, and that it is linear.

Pages of our own (a table, prose, list items) in three sizes with 100 claims each, judged with and without
an earlier edition in which every tenth value is another. A page counts as read when its blocks are indexed
and its values found; what that takes stands beside. Times are the process's own; rapidfuzz's `partial_ratio`
of a claim over the same blocks stands beside each, so that machines compare.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from rapidfuzz import fuzz, process

from kb.app.cases import read_cases
from kb.app.verify import read_file
from kb.claims import Claim
from kb.judging.judgement import judge
from kb.judging.reading import PageReading, _read, reading_of
from kb.page import Page, read_page

CASES = Path(__file__).resolve().parent.parent.parent / "shared" / "cases"
CLAIMS = 100
SIZES = {"small": 100, "medium": 1_000, "large": 5_000}
GOAL = 1.0  # ms a claim, in the median
NAMES = ("Falcon", "Heron", "Osprey", "Kestrel", "Merlin", "Vulture", "Kite", "Swift", "Tern", "Ibis")
FEATURES = (
    ("port speed", "Gbps"),
    ("memory", "GB"),
    ("latency", "ms"),
    ("power draw", "W"),
    ("queue length", "messages"),
)
TALK = "Whoever plans a hall asks first what each part needs, and only then what it can do for others."

Rows = list[tuple[str, list[int]]]


def rows(count: int) -> Rows:
    """Subjects, each with a value of each feature."""
    pick = random.Random(count)
    return [
        (f"{NAMES[i % 10]}-{i // 10 + 2}", [pick.randint(2, 900) for _ in FEATURES]) for i in range(count)
    ]


def another_edition(data: Rows) -> Rows:
    """The same with every tenth value another."""
    out = []
    for i, (name, values) in enumerate(data):
        out.append((name, [v + 1 if (i + n) % 10 == 0 else v for n, v in enumerate(values)]))
    return out


def table(data: Rows) -> str:
    """One row for each subject."""
    head = "".join(f"<th>{name} ({unit})</th>" for name, unit in FEATURES)
    body = "".join(
        f"<tr><th scope=row>{name}</th>{''.join(f'<td>{v}</td>' for v in values)}</tr>"
        for name, values in data
    )
    return f"<h2>All parts</h2><table><tr><th>Part</th>{head}</tr>{body}</table>"


def prose(data: Rows) -> str:
    """One paragraph for each value, under one heading for each subject."""
    out = []
    for name, values in data:
        out.append(f"<h2>{name}</h2>")
        for (feature, unit), value in zip(FEATURES, values, strict=True):
            out.append(f"<p>{TALK} The {feature} of the {name} is {value} {unit}, measured in a rack.</p>")
    return "".join(out)


def items(data: Rows) -> str:
    """One list for each subject, one item for each value."""
    out = []
    for name, values in data:
        its = "".join(f"<li>{f}: {v} {u}</li>" for (f, u), v in zip(FEATURES, values, strict=True))
        out.append(f"<h3>{name}</h3><ul>{its}</ul>")
    return "".join(out)


FORMS: dict[str, Callable[[Rows], str]] = {"table": table, "prose": prose, "list": items}


def page_of(form: str, data: Rows) -> Page:
    """The page as it is read."""
    return read_page(
        f'<html lang="en"><title>Parts</title><h1>Parts of a hall</h1>{FORMS[form](data)}</html>'
    )


def claims_on(data: Rows) -> list[Claim]:
    """A hundred claims, spread over the page."""
    out = []
    for n in range(CLAIMS):
        name, values = data[n * len(data) // CLAIMS]
        feature, unit = FEATURES[n % len(FEATURES)]
        out.append(Claim.parse(f"{name}, {feature}: {values[n % len(FEATURES)]} {unit}"))
    return out


def milliseconds(work: Callable[[], object]) -> float:
    """The process's own time for one piece of work."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e3


def found(page: Page) -> PageReading:
    """The page with its blocks indexed and its values found."""
    reading = reading_of(page)
    for index in range(len(reading.blocks)):
        reading.figures(index)
    return reading


def timed(claims: list[Claim], page: Page, base: Page | None) -> list[float]:
    """Milliseconds for each claim on a page that has been read."""
    found(page)
    if base is not None:
        found(base)
    gc.collect()
    return [milliseconds(lambda c=claim: judge(c, page, base)) for claim in claims]  # type: ignore[misc]


def spread(times: list[float]) -> str:
    """Median and ninetieth percentile."""
    return f"{statistics.median(times):8.2f}{statistics.quantiles(times, n=10)[8]:8.2f}"


def pages() -> None:
    """Print the table of pages."""
    print(
        f"{'':8}{'size':8}{'blocks':>8}{'ms a claim':>16}{'with earlier':>16}{'partial_ratio':>15}"
        f"{'reading':>10}{'shared':>8}"
    )
    print(f"{'':24}{'median':>8}{'90 %':>8}{'median':>8}{'90 %':>8}{'times ours':>15}{'ms':>10}")
    for form in FORMS:
        for size, blocks in SIZES.items():
            data = rows(blocks // (len(FEATURES) + 1))
            page, base = page_of(form, data), page_of(form, another_edition(data))
            claims = claims_on(data)
            alone, placed = timed(claims, page, None), timed(claims, page, base)
            texts = [b.text for b in page.blocks]
            words = f"{claims[0].subject} {claims[0].attribute} {claims[0].value}"
            rival = milliseconds(lambda w=words, x=texts: process.extract(w, x, scorer=fuzz.partial_ratio))  # type: ignore[misc]
            reading = milliseconds(lambda p=page: found(replace(p)))  # type: ignore[misc]
            print(
                f"{form:8}{size:8}{len(page.blocks):>8}{spread(alone)}{spread(placed)}"
                f"{rival / statistics.median(alone):>15.1f}{reading:>10.1f}{sharing(page, claims):>8.2f}"
            )
    print("shared: the time for 100 claims on one page over that for 100 pages with one claim each")


def sharing(page: Page, claims: list[Claim]) -> float:
    """What 100 claims on one page take of what they take on a page each, reading included."""
    gc.collect()
    own = replace(page)
    together = milliseconds(lambda: [judge(claim, own) for claim in claims])
    few = claims[:: CLAIMS // 5]
    apart = milliseconds(lambda: [judge(claim, replace(page)) for claim in few]) / len(few) * CLAIMS
    return together / apart


def linear() -> None:
    """Print how the time for a claim grows with the page."""
    print("\ntime for one claim on pages of n, 2n, 4n and 8n blocks, over that of n (2, 4, 8 is linear)")
    for form in FORMS:
        counts, medians = [], []
        for times in (1, 2, 4, 8):
            data = rows(250 * times)
            page, base = page_of(form, data), page_of(form, another_edition(data))
            counts.append(len(page.blocks))
            medians.append(statistics.median(timed(claims_on(data), page, base)))
        ratios = "".join(f"{m / medians[0]:8.2f}" for m in medians)
        print(f"{form:8}{counts[0]:>8} blocks{ratios}")


def hostile() -> None:
    """Print what pages cost that are one block: reading and judging for twice as much over the half."""
    print("\npages of one block: time for twice as much over the time for it (2 is linear)")
    speed, version = "Falcon-2, port speed: 400 Gbps", "Falcon-2 software, Loom version: 1.3"
    for name, unit in (
        ("one word", "abcdefgh"),
        ("dotted", "a."),
        ("numbers", "12 Gbps "),
        ("digits", "1"),
        ("words", "port speed "),
        ("versions", "Loom 1.5, Reed 10.1, "),
    ):
        claim = Claim.parse(version if name == "versions" else speed)
        took = []
        for size in (1_000_000, 2_000_000):
            body = f"<p>{unit * (size // len(unit))}</p>"
            page: list[Page] = []
            reads = milliseconds(lambda b=body, p=page: p.append(read_page(b)))  # type: ignore[misc]
            took.append((reads, milliseconds(lambda p=page, c=claim: judge(c, p[0]))))  # type: ignore[misc]
        (r1, j1), (r2, j2) = took
        print(f"{name:10} read {r2:8.0f} ms {r2 / r1:6.2f}   judged {j2:8.0f} ms {j2 / j1:6.2f}")


def shared_cases() -> None:
    """Print the times over the real page revisions beside the project, the claims of a page together."""
    files = sorted(CASES.glob("drift-*/cases.jsonl"))
    if not files:
        print("\nno labelled page revisions beside the project")
        return
    times: dict[bool, list[float]] = {False: [], True: []}
    for file in files:
        together: dict[tuple[Path, Path | None], list[Claim]] = {}
        for case in read_cases(file):
            if case.claim is not None and case.page is not None:
                together.setdefault((case.page, case.baseline), []).append(case.claim)
        for (of_page, of_base), claims in together.items():
            base = read_file(of_base) if of_base else None
            base = base if isinstance(base, Page) else None
            page = read_file(of_page, base)
            if isinstance(page, Page):
                judge(replace(claims[0], attribute=f"{claims[0].attribute} "), page, base)
                times[base is not None] += timed(claims, page, base)
    print(f"\n{'real page revisions':22}{'claims':>8}{'median':>8}{'90 %':>8}   ms a claim, goal {GOAL}")
    for known, name in ((False, "no earlier edition"), (True, "with an earlier one")):
        print(f"{name:22}{len(times[known]):>8}{spread(times[known])}")
    print(f"{'all':22}{sum(map(len, times.values())):>8}{spread(times[False] + times[True])}")


def main() -> None:
    """Print all tables."""
    read_of_nothing = _read(read_page("<p>400 Gbps</p>"))  # what is loaded once is loaded
    judge(Claim.parse("Falcon-2: 400 Gbps"), read_of_nothing.page)
    pages()
    linear()
    hostile()
    shared_cases()


if __name__ == "__main__":
    main()
