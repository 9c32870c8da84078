"""The figures of claims: every form that the claims files may have, and clear words for the others."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kb.quantity import (
    FigureError,
    dimension_named,
    format_quantity,
    parse_figure,
    quantities,
    unit_dimension,
)

ROWS = """
400 Gbps | 400 Gbps
1,600 to 3,200 Gbps | 1,600 to 3,200 Gbps
more than 50 members | more than 50 members
about 6.9 billion USD | about 6,900,000,000 USD
8x400G | 8 x 400 Gbps
8 GPUs | 8 GPUs
1 GPU | 1 GPU
24,576 GPUs | 24,576 GPUs
18 to 1 | 18 to 1
7x | 7x
1.5 times | 1.5x
a ninth | 1/9
1/9 | 1/9
16 to 18 bytes | 16 to 18 B
4791 | 4,791
0.999 | 0.999
-40 °C | -40 celsius
98% | 98%
at least 8 GB | at least 8 GB
$2.49/hr | 2.49 USD/hour
$18/TB/month | 18 USD/month per terabyte
eight GPUs | 8 GPUs
2,160 GB | 2,160 GB
"""
TABLE = [tuple(c.strip() for c in row.split("|")) for row in ROWS.strip().splitlines()]


@pytest.mark.parametrize(("figure", "told"), TABLE, ids=[f for f, _ in TABLE])
def test_a_figure_is_read_and_told_to_people(figure: str, told: str) -> None:
    assert format_quantity(parse_figure(figure)) == told


@pytest.mark.parametrize("figure", [t for _, t in TABLE])
def test_what_is_told_reads_back_as_the_same(figure: str) -> None:
    once = parse_figure(figure)
    again = parse_figure(format_quantity(once))
    assert (Fraction(once.value), once.high, once.unit, once.bound, once.times) == (
        Fraction(again.value), again.high, again.unit, again.bound, again.times,
    )  # fmt: skip


def test_a_unit_in_the_attribute_counts_where_the_figure_has_none() -> None:
    assert parse_figure("400", "bandwidth (Gbps)").unit == "gigabit/second"
    assert parse_figure("400 Mbps", "bandwidth (Gbps)").unit == "megabit/second"
    assert parse_figure("400", "bandwidth").unit == "number"


def test_a_period_goes_into_the_unit_and_another_basis_does_not() -> None:
    assert parse_figure("$4.00", per="hour").unit == "usd/hour"
    assert parse_figure("$4.00/hr", per="GPU").per == "GPU"
    assert parse_figure("400 Gbps", per="GPU").per == "GPU"


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        ("", "empty"),
        ("fast", "no quantity"),
        ("400 Gbsp", "unknown"),
        ("400 Gbps and 8 GPUs", "2 quantities"),
    ],
)
def test_what_is_no_figure_is_refused_with_what_would_be_right(figure: str, words: str) -> None:
    with pytest.raises(FigureError, match=words) as caught:
        parse_figure(figure)
    assert "would be right" in str(caught.value) or "did you mean" in str(caught.value)


def test_an_unknown_unit_names_the_nearest() -> None:
    with pytest.raises(FigureError, match='did you mean "Gbps"'):
        parse_figure("400 Gbsp")


@pytest.mark.parametrize(
    ("words", "dimension"),
    [
        ("data rate", "data rate"),
        ("bandwidth", "data rate"),
        ("price", "money"),
        ("size limit of variables", "data size"),
        ("latency", "time"),
        ("number of GPUs", "count"),
        ("the colour", None),
    ],
)
def test_words_name_a_dimension(words: str, dimension: str | None) -> None:
    assert dimension_named(words) == dimension


@pytest.mark.parametrize(
    ("unit", "dimension"),
    [
        ("gigabit/second", "data rate"),
        ("gigabyte/day", "data rate"),
        ("gibibyte", "data size"),
        ("usd", "money usd"),
        ("usd/hour", "money usd"),
        ("eur/month", "money eur"),
        ("count:GPU", "count"),
        ("request/second", "count rate"),
        ("percent", "fraction"),
        ("fraction", "fraction"),
        ("kilowatt", "power"),
        ("kilowatt-hour", "energy"),
        ("month", "time"),
        ("number", "number"),
    ],
)
def test_each_unit_has_one_dimension(unit: str, dimension: str) -> None:
    assert unit_dimension(unit) == dimension


def test_over_reaches_from_one_round_count_to_the_next() -> None:
    found = quantities("over 10,000 readers and 36,000 loans in 12 branches")
    assert [q.bound for q in found] == ["more-than", "more-than", "exact"]
    found = quantities("over 50 readers and 8 helpers")
    assert [q.bound for q in found] == ["more-than", "exact"]


def test_an_hour_is_one_hour() -> None:
    hour = parse_figure("an hour")
    assert (hour.value, hour.unit, hour.text) == (1, "hour", "an hour")
    with pytest.raises(FigureError):
        parse_figure("a node")
