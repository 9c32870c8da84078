"""Where a claim asks for the latest or the largest, and the page lists several, the last of them answers."""

from __future__ import annotations

import kb
from kb.claims.case import claim_from_case

SIZES = "<h1>Loom pods</h1><table><tr><th>Spindles</th><th>Yarn</th></tr>{}</table>"


def said(now: str, before: str | None = None, subject: str = "Loom", **case: str) -> tuple[str, object]:
    claim = claim_from_case({"subject": subject, **case})
    verdict = kb.judge(claim, kb.read_page(now), kb.read_page(before) if before else None)
    return str(verdict.outcome), verdict.found


def releases(*versions: str) -> str:
    return "<h1>Loom</h1><h2>Releases</h2>" + "".join(
        f"<h3>v{v} - May {i + 1}, 2024</h3><p>Fixes for worn shuttles.</p>" for i, v in enumerate(versions)
    )


def sizes(*rows: tuple[str, str]) -> str:
    return SIZES.format("".join(f"<tr><td>{a} spindles</td><td>{b}</td></tr>" for a, b in rows))


def test_a_release_that_newer_ones_stand_above_is_no_longer_the_latest() -> None:
    now = releases("3.0.0", "2.10.0", "2.9.0", "1.8.0")
    assert said(now, attribute="latest release", text="v1.8.0") == ("drifted", "v3.0.0")
    assert said(now, attribute="latest release", text="v3.0.0")[0] == "holds"


def test_versions_are_in_order_by_their_numbers() -> None:
    now = releases("2.9.0", "2.10.0", "1.8.0")
    assert said(now, attribute="latest release", text="v2.9.0") == ("drifted", "v2.10.0")


def test_a_release_that_is_not_asked_for_as_the_latest_holds() -> None:
    now = releases("3.0.0", "2.10.0", "2.9.0", "1.8.0")
    assert said(now, attribute="release with new shuttles", text="v1.8.0")[0] == "holds"


def test_the_latest_of_the_dates_in_one_sentence_answers() -> None:
    page = "<h1>Loom</h1><h2>Release date</h2><p>{}</p>"
    before = page.format("May 2022 (first series) and June 2023 (second series)")
    now = page.format("May 2022 (first series), June 2023 (second series), July 2024 (third series)")
    assert said(now, before, attribute="latest release date", date="June 2023")[0] == "drifted"
    assert said(before, before, attribute="latest release date", date="June 2023")[0] == "holds"


def test_the_largest_value_of_a_column_answers() -> None:
    before = sizes(("1", "2 km"), ("2", "4 km"), ("4", "8 km"))
    now = sizes(("1", "2 km"), ("2", "4 km"), ("4", "8 km"), ("8", "16 km"), ("16", "32 km"))
    case = {"subject": "Loom pods", "attribute": "largest number of spindles"}
    assert said(now, before, figure="4 spindles", **case)[0] == "drifted"
    assert said(now, before, figure="4 spindles", **case)[1] == "16 spindles"


def test_a_value_that_was_not_the_largest_of_its_column_is_asked_for_otherwise() -> None:
    before = sizes(("1", "2 km"), ("2", "4 km"), ("4", "8 km"), ("8", "16 km"))
    now = sizes(("1", "2 km"), ("2", "4 km"), ("4", "8 km"), ("16", "32 km"))
    case = {"subject": "Loom pods", "attribute": "largest number of spindles in a shed"}
    assert said(now, before, figure="4 spindles", **case)[1] != "16 spindles"


def test_the_rows_of_other_things_are_no_series() -> None:
    row = "<tr><td>{}</td><td>{}</td></tr>"
    head = "<h1>Releases</h1><table><tr><th>Product</th><th>Latest release</th></tr>"
    now = head + "".join(
        row.format(n, v) for n, v in (("Loom", "1.2.3"), ("Carder", "4.5.6"), ("Heddle", "2.0.1"))
    )
    assert said(now + "</table>", attribute="latest release", text="1.2.3")[0] == "holds"


def speeds(*rows: tuple[str, str]) -> str:
    told = "".join(f"<tr><td>{name}</td><td>{speed}</td></tr>" for name, speed in rows)
    return f"<h1>Loom presets</h1><table><tr><th>Preset</th><th>Thread rate</th></tr>{told}</table>"


def test_a_larger_one_beside_a_place_that_stays_answers_a_claim_on_the_largest_thing() -> None:
    before = speeds(("Slow", "2 kbps"), ("Even", "5 kbps"), ("Brisk", "11 kbps"))
    now = speeds(("Slow", "2 kbps"), ("Even", "5 kbps"), ("Brisk", "11 kbps"), ("Turbo", "22 kbps"))
    claim = {"subject": "fastest Loom preset", "attribute": "thread rate", "figure": "11 kbps"}
    assert said(now, before, **claim) == ("drifted", "22 kbps")
    assert said(before, before, **claim) == ("holds", "11 kbps")


def test_the_largest_thing_is_told_by_its_property_only_where_it_was_so_before() -> None:
    before = speeds(("Slow", "2 kbps"), ("Even", "5 kbps"), ("Brisk", "11 kbps"))
    now = speeds(("Slow", "2 kbps"), ("Even", "5 kbps"), ("Brisk", "11 kbps"), ("Turbo", "22 kbps"))
    assert (
        said(now, before, subject="fastest Loom", attribute="thread rate of Even", figure="5 kbps")[0]
        != "drifted"
    )
