"""How values compare: design, sections 4, 8 and 9, as tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kb.quantity import Comparison, Quantity, compare, parse_figure, quantities, same_basis


def found(text: str, lang: str | None = "en") -> Quantity:
    return quantities(text, lang=lang, bare=True)[0]


ROWS = """
# the same value in other spellings; never the digits alone
400 Gbps | 400 Gb/s | same
400 Gbps | 0.4 Tbps | same
400 Gbps | 400 gigabits per second | same
400 Gbps | 50 GB/s | same
400 Gbps | 400 GB/s | differs
900 GB/s | 900 Gb/s | differs
112.5 GB/s | 900 Gb/s | same
80 GB | 80 GiB | differs
90 minutes | 1.5 hours | same
# a kilobyte is 1,000 bytes or 1,024: both are one size where the numbers say so exactly
4096 KB | 4 MB | same
4 MB | 4096 KB | same
4000 KB | 4 MB | same
4100 KB | 4 MB | differs
0.5 MB | 512 KB | same
1024 MB | 1 GB | same
2 TB | 2048 GB | same
1 to 4 MB | 1024 to 4096 KB | same
up to 1 MB | up to 1,048,576 bytes | same
at least 1 GB | at least 1024 MB | same
1 MB | 1024 KiB | differs
1 GB | 1024 MiB | differs
1 GB/s | 1024 MB/s | differs
8 Gbit | 8192 Mbit | differs
1024 MB | 1 GB per node | same
0.5 | 50% | same
a ninth | 1/9 | same
100 °C | 212 °F | same
24,576 GPUs | 24 576 GPUs | same
24,576 GPUs | 24,576 H100 GPUs | same
8 GPUs | 8 VMs | other-dimension
24,576 | 24,576 GPUs | same
18 to 1 | 18:1 | same
7x | 7 times faster | same
# rounding is by the precision as written
3.2 Tbps | 3,200 Gbps | same
3.2 Tbps | 3,204 Gbps | differs
about 3.2 Tbps | 3,204 Gbps | same
about 3.2 Tbps | 3,260 Gbps | differs
about 6.9 billion USD | $6.94B | same
about 6.9 billion USD | $6.96B | differs
about 400 Gbps | 415 Gbps | same
about 400 Gbps | 425 Gbps | differs
3.2 Tbps | about 3.2 Tbps | same
# bounds
400 Gbps | up to 400 Gbps | same
up to 400 Gbps | 400 Gbps | same
at least 50 members | 60 members | within
at least 50 members | 50 members | same
at least 50 members | 40 members | differs
at least 50 members | more than 60 members | differs
at least 50 members | 60 to 80 members | within
at least 50 members | 40 to 80 members | differs
more than 50 members | 60 members | within
more than 50 members | 50 members | differs
more than 50 members | over 50 members | same
at least 50 members | up to 50 members | bound-unclear
up to 50 members | at least 50 members | bound-unclear
up to 50 members | 40 members | differs
up to 50 members | up to 60 members | differs
less than 50 members | 50 members | differs
# ranges
1,600 to 3,200 Gbps | 1.6 to 3.2 Tbps | same
1,600 to 3,200 Gbps | 1,600 Gbps | differs
1,600 to 3,200 Gbps | 800 to 3,200 Gbps | differs
400 Gbps | 200 to 400 Gbps | differs
about 4 to 8 GB | 4.1 to 8.2 GB | same
# multipliers
8x400G | 3.2 Tbps | same
3.2 Tbps | 8x400G | same
8x400G | 8 × 400 Gb/s | same
8x400G | 4x400G | differs
8x400G | 4x800G | same
400G | 8x400G | same
# periods are units (hard reading 3)
$4.00/hr | $4.00 per hour | same
$4.00/hr | $4.00/month | other-period
$4.00/hr | $2,880 per month | other-period
$4.00/hr | $4.00 | same
100 requests per minute | 100 requests per second | other-period
100 requests per 10 minutes | 100 requests per minute | other-period
4 GB/s | 240 GB/minute | same
120 kQPS | 120,000 queries per second | same
120 kQPS | 120 QPS | differs
1.2 Mpps | 1,200,000 packets per second | same
1300 img/s | 1,300 images per second | same
2.1M req/s | 2,100,000 requests/s | same
406 allocs/op | 406 allocations per operation | same
406 allocs/op | 406 allocations per request | basis-differs
7.2M params | 7.2 million parameters | same
# what a figure is for
400 Gbps per GPU | 400 Gbps per GPU | same
400 Gbps per GPU | 400 Gbps | same
400 Gbps per GPU | 400 Gbps per node | basis-differs
400 Gbps per VM | 400 Gbps per instance | same
$2 per million tokens | $2 per 1,000 tokens | basis-differs
# other dimensions (hard reading 11)
400 Gb/s | 400 GBd | other-dimension
$98 | €98 | other-dimension
400 Gb/s | 400 GB | other-dimension
5 percent | 5 percentage points | differs
"""
TABLE = [tuple(c.strip() for c in r.split("|")) for r in ROWS.strip().splitlines() if not r.startswith("#")]


@pytest.mark.parametrize(("claimed", "page", "answer"), TABLE, ids=[f"{a} / {b}" for a, b, _ in TABLE])
def test_a_claimed_value_against_a_found_one(claimed: str, page: str, answer: str) -> None:
    assert compare(found(claimed), found(page)) == answer


@pytest.mark.parametrize(
    ("claimed", "page", "lang", "answer"),
    [
        ("1400 Euro", "1.400 Euro", "de", "same"),  # by its language
        ("1.4 Euro", "1.400 Euro", "de", "differs"),
        ("1400 Euro", "1.400 Euro", None, "two-readings"),
        ("1.4 Euro", "1.400 Euro", None, "two-readings"),
        ("5 Euro", "1.400 Euro", None, "differs"),  # whichever it is
        ("1400 Euro", "1,400 Euro", "de", "two-readings"),  # three decimals are rare
        ("1400 Euro", "1,400 Euro", "en", "same"),
        ("1.4 Euro", "1.400 Euro", "en", "same"),
        ("1400 Euro", "1.400,00 Euro", None, "same"),
        ("1400 Euro", "1.400.000 Euro", None, "differs"),
        ("at least 1 Euro", "1.400 Euro", None, "within"),
    ],
)
def test_one_separator_before_three_digits(claimed: str, page: str, lang: str | None, answer: str) -> None:
    assert compare(parse_figure(claimed), found(page, lang)) == answer


def test_one_spelling_is_the_same_though_nothing_settles_how_a_page_reads_it() -> None:
    assert compare(parse_figure("4,096 parts"), found("4,096 parts", None)) == "same"


def test_what_settled_a_reading_is_told() -> None:
    german, unknown = found("1.400 Euro", "de"), found("1.400 Euro", None)
    assert (str(german.value), german.settled) == ("1400", "the language (de)")
    assert [str(r.value) for r in german.readings] == ["1.400"]
    assert (unknown.settled, len(unknown.readings)) == ("", 1)
    english = found("the price of one of them is up to 1,400 Euro", None)
    assert (str(english.value), english.readings) == ("1400", ())


def test_one_ambiguous_spelling_on_both_sides_is_the_same() -> None:
    page = found("1.400 Euro", None)
    assert compare(page, replace(page)) is Comparison.SAME


def test_a_period_given_apart_goes_into_the_unit() -> None:
    claimed = parse_figure("$4.00", per="hour")
    assert (claimed.unit, claimed.per) == ("usd/hour", None)
    assert compare(claimed, found("$4.00/hr")) is Comparison.SAME
    burst = parse_figure("1000 requests", per="10 minutes")
    assert compare(burst, found("1000 requests per minute")) is Comparison.OTHER_PERIOD
    assert compare(burst, found("1000 requests per 10 minutes")) is Comparison.SAME
    assert (
        compare(parse_figure("400 Gbps", per="GPU"), found("400 Gbps per node")) is Comparison.BASIS_DIFFERS
    )


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        ("VM", "instance", True),
        ("GPU", "GPUs", True),
        ("hr", "hour", True),
        ("node", "GPU node", True),
        ("GPU", "node", False),
        ("port", "ports", True),
        ("GPU", None, None),
        (None, "GPU", None),
        ("unspecified", "GPU", None),
        ("1000 token", "1,000 tokens", True),
        ("1000 token", "1000000 token", False),
        ("100K messages", "100000 message", True),
        ("1M tokens", "million tokens", True),
        ("1.5 million tokens", "1,500,000 tokens", True),
        ("1M tokens", "1K tokens", False),
        ("token", "1M tokens", False),
    ],
)
def test_bases(a: str | None, b: str | None, answer: bool | None) -> None:
    assert same_basis(a, b) is answer


def test_an_adjective_before_what_a_figure_is_for_is_no_basis() -> None:
    assert quantities("needs about 16 KiB per unique metric collected")[0].per == "metric"


def test_holding_answers_say_so() -> None:
    assert [c.value for c in Comparison if c.holds] == ["same", "within"]


def test_a_basis_with_a_period_goes_into_unit_and_basis_and_saying_less_is_no_other_basis() -> None:
    from kb.quantity import parse_figure, same_basis

    price = parse_figure("$2.49", "price per GPU-hour", "GPU-hour")
    assert (price.unit, price.per) == ("usd/hour", "GPU")
    price = parse_figure("$0.30", "storage price", "GB per 30-day month")
    assert (price.unit, price.per) == ("usd/month", "gigabyte")
    assert parse_figure("400 Gbps", "", "GPU").per == "GPU"
    assert same_basis("GB per month", "gigabyte") is None
    assert same_basis("GPU", "node") is False


def test_a_period_in_smaller_ones_is_the_same_basis() -> None:
    assert same_basis("7 days", "week") and same_basis("24 hours", "day")
    assert same_basis("nest per 60 minutes", "nest per hour")
    assert same_basis("14 days", "week") is False


def test_a_full_stop_in_an_english_count_has_two_readings_that_other_numbers_settle() -> None:
    lone, beside = found("250.000+ nodes"), found("250.000+ nodes and 16.000.000.000+ calls")
    assert [str(lone.value), *(str(r.value) for r in lone.readings)] == ["250000", "250.000"]
    assert compare(found("250,000 nodes"), lone) is Comparison.TWO_READINGS
    assert compare(found("9 nodes"), lone) is Comparison.DIFFERS
    assert compare(found("250,000 nodes"), beside) is Comparison.SAME
    assert beside.settled == "other numbers beside it"
    assert [str(q.value) for q in quantities("3.250 GB, 1.250 requests per user, 3.125 million rows", lang="en")] == [
        "3.250", "1.250", "3125000"
    ]  # fmt: skip


def test_a_time_for_a_period_is_the_same_with_the_period_apart() -> None:
    (found,) = quantities("30 minutes per month")
    assert compare(parse_figure("30 minutes", "", "month"), found).holds
    assert not compare(parse_figure("30 minutes", "", "week"), found).holds
