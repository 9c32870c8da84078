"""A small knowledge base in memory, with one claim for each thing that can become of a claim."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from kb.claims import Claim, Source
from kb.claims.claim import Accepted, Was
from kb.claims.source import Check
from kb.judging import Verdict
from kb.judging.verdict import Evidence, Other, Selector
from kb.quantity import parse_figure
from kb.reasons import Reason
from kb.snapshots import Capture
from kb.store import BuildInput, Seen, write_database

FIRST = datetime(2026, 11, 1, 9, tzinfo=UTC)
NOW = FIRST + timedelta(days=9)

HOSTILE = '<script>alert(1)</script> "quoted" & \u202erevo\u202c javascript:alert(1) |x| [a](javascript:1)'


def at(day: float) -> datetime:
    return FIRST + timedelta(days=day)


def a_claim(name: str, value: str | tuple[str, ...], kind: str = "figure", **facts: object) -> Claim:
    file = name.partition(".")[0]
    quantity = parse_figure(str(value)) if kind in ("figure", "formula") else None
    given: dict[str, object] = {
        "id": name,
        "subject": name.partition(".")[2],
        "kind": kind,
        "value": value,
        "quantity": quantity,
        "source_id": file,
        "file": f"claims/{file}.yaml",
        "line": 9,
        **facts,
    }
    return Claim(**given)  # type: ignore[arg-type]


def a_source(name: str, *claims: Claim, **facts: object) -> Source:
    given: dict[str, object] = {
        "id": name,
        "title": f"The page of {name}",
        "publisher": "Example Works",
        "url": f"https://{name}.example/page",
        "retrieved": "2026-11-01",
        "role": "primary",
        "claims": claims,
        "file": f"claims/{name}.yaml",
        **facts,
    }
    return Source(**given)  # type: ignore[arg-type]


def a_capture(source: str, day: float, **facts: object) -> Capture:
    url = f"https://{source}.example/page"
    given: dict[str, object] = {
        "requested": url,
        "url": url,
        "time": at(day),
        "digest": f"sha256:{int(day * 24):064x}",
        "status": 200,
        "headers": (("Content-Type", "text/html"),),
        "length": 1234,
        "file": f"2026/run-{int(day * 24)}.warc.gz",
        "run": f"run-{int(day * 24)}",
        **facts,
    }
    return Capture(**given)  # type: ignore[arg-type]


def a_verdict(
    reason: Reason, found: str | tuple[str, ...] | None, quote: str = "", **facts: object
) -> Verdict:
    exact = found if isinstance(found, str) else ""
    evidence = Evidence(
        quote=quote or f"The page says {exact} here.",
        headings=("Networking", "Bandwidth"),
        row=("Large",),
        column=("Bandwidth",),
        selector=Selector(exact, "says ", " here"),
        link="https://vm.example/page#:~:text=here",
    )
    given: dict[str, object] = {"found": found, "score": 0.9, "evidence": evidence, **facts}
    return Verdict(reason.outcome, reason, **given)  # type: ignore[arg-type]


def sources() -> tuple[Source, ...]:
    vm = a_source(
        "vm",
        a_claim("vm.bandwidth", "3,200 Gbps", attribute="network bandwidth", per="VM", direction="each way"),
        a_claim("vm.memory", "640 GB", attribute="memory"),
        a_claim("vm.makers", ("HPE", "IBM", "Intel"), "list", attribute="makers"),
        a_claim("vm.fabric", "Quantum-2 InfiniBand", "text", attribute="fabric", quote="our own quote"),
        a_claim("vm.price", "price", "absent"),
        a_claim("vm.since", "2024-03-18", "date", attribute="announced"),
        a_claim("vm.kept", "8 GPU", accepted=Accepted("16 GPU", "2026-11-04", "they count twice")),
        a_claim("vm.edited", "20 W", was=(Was("10 W", "2026-11-08", "doubled"),)),
        tags=("cloud",),
    )
    sums = Source(
        id="sums",
        claims=(
            a_claim("sums.each", "400.0 Gbps", "formula", formula="{vm.bandwidth} / 8", sourced=False),
            a_claim("sums.twice", "800.0 Gbps", "formula", formula="{sums.each} * 2", sourced=False),
            a_claim("sums.assumed", "8 GPU", note="our assumption", sourced=False),
        ),
        file="claims/sums.yaml",
    )
    return (
        vm,
        sums,
        a_source("wall", a_claim("wall.rate", "900 GB/s"), publisher="Walled Garden"),
        a_source("never", a_claim("never.count", "12 GPU"), publisher="Walled Garden"),
        a_source("off", a_claim("off.count", "3 GPU"), check=Check(off="the page is paid for")),
        a_source(
            "hostile",
            a_claim("hostile.text", HOSTILE, "text", subject=HOSTILE),
            publisher=HOSTILE,
            title=HOSTILE,
        ),
    )


def an_input() -> BuildInput:
    days = (0, 7, 7.25)
    vm = {day: a_capture("vm", day) for day in days}
    hostile = a_capture("hostile", 7)
    wall = (a_capture("wall", 0), a_capture("wall", 7, status=403), a_capture("wall", 7.25, status=403))
    verdicts: list[tuple[str, Capture | None, Verdict]] = []

    def say(name: str, *answers: Verdict) -> None:
        for day, answer in zip(days, answers, strict=True):
            verdicts.append((name, vm[day], answer))

    held = a_verdict(Reason.VERBATIM, "3,200 Gbps")
    drift = a_verdict(Reason.CHANGED, "6,400 Gbps", "Networking of 6,400 Gbps for each Large VM.")
    say(
        "vm.bandwidth", held, drift, a_verdict(Reason.CHANGED, "6.4 Tbps", "Networking of 6.4 Tbps for each.")
    )
    say("vm.memory", *[a_verdict(Reason.RESPELLED, "640GB")] * 3)
    gone = a_verdict(Reason.REMOVED, None, "HPE, IBM")
    say("vm.makers", a_verdict(Reason.VERBATIM, ("HPE", "IBM", "Intel")), gone, gone)
    unclear = a_verdict(
        Reason.SEVERAL_VALUES, "Quantum-X800", others=(Other("Quantum-3", 0.7, Evidence("Quantum-3 here")),)
    )
    say("vm.fabric", *[unclear] * 3)
    say("vm.price", *[a_verdict(Reason.VERBATIM, None, "no price")] * 3)
    say("vm.since", *[a_verdict(Reason.RESPELLED, "18 March 2024")] * 3)
    say("vm.kept", *[a_verdict(Reason.DIFFERS, "16 GPU")] * 3)
    say("vm.edited", *[a_verdict(Reason.VERBATIM, "10 W"), *[a_verdict(Reason.CHANGED, "20 W")] * 2])
    for name in ("sums.each", "sums.twice"):
        for day, reason in zip(days, (Reason.RECOMPUTED, *[Reason.INPUT_DRIFTED] * 2), strict=True):
            found = "800 Gbps" if reason is Reason.INPUT_DRIFTED else None
            said = Verdict(reason.outcome, reason, found=found, captured=vm[day].captured)
            verdicts.append((name, None, said))
    verdicts.append(("wall.rate", wall[0], a_verdict(Reason.VERBATIM, "900 GB/s")))
    verdicts.append(("hostile.text", hostile, a_verdict(Reason.VERBATIM, HOSTILE, HOSTILE)))
    return BuildInput(
        sources=sources(),
        captures={
            "https://vm.example/page": [Seen(c) for c in vm.values()],
            "https://hostile.example/page": [Seen(hostile)],
            "https://wall.example/page": [
                Seen(wall[0]),
                *(Seen(c, Reason.BLOCKED, "by a wall") for c in wall[1:]),
            ],
        },
        verdicts=verdicts,
        name="example",
    )


def a_database(folder: Path) -> Path:
    path = folder / "kb.db"
    write_database(path, an_input())
    return path
