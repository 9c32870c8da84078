"""How pages of services, benchmarks and handbooks spell quantities: one row a spelling."""

from __future__ import annotations

import pytest

from kb.quantity import Comparison, Quantity, compare, parse_figure, quantities

ROWS = """
290 op/s | 290 op/second
290 ops/sec | 290 op/second
290 ops per minute | 290 op/minute
1,000 req/min per project | 1000 count:request/minute project
5 reqs/sec | 5 count:request/second
5 it/s | 5 count:iteration/second
5 img/sec | 5 count:image/second
12 ns/op | 12 nanosecond op
99.95% monthly uptime | 99.95 percent
2% monthly | 2 percent/month
1,500/3h | 1500 number ; 3 hour
25/100 GbE | 25 gigabit/second ; 100 gigabit/second
4_000 | 4000 number
1_000_000 rows | 1000000 count:row
1 234,56 EUR | 1234.56 eur
250,000 threads | 250000 count:thread
1y | 1 year
5y, 3d | 5 year ; 3 day
default = 2w | 2 week
1w2d | 9 day
a 65w charger and 2 w | 2 number
Default: 30s. Maximum: 10m. | 30 second ; 10 minute
limited to 4kb, 64 kb pages | 4 kilobyte ; 64 kilobyte
4 kb/s | 4 kilobit/second
a 10m rope in 30s and 5 km | 10 metre ; 30 second ; 5 kilometre
99 cents | 0.99 usd
0.5 cents per minute | 0.005 usd/minute
fifty cents | 0.5 usd
160 Mi of memory, 1.25 Gi RAM | 160 mebibyte ; 1.25 gibibyte
512 Mi | 512 mebibyte
4095 [B], 12 [ms], 30 [GB/s] | 4095 byte ; 12 millisecond ; 30 gigabyte/second
wing 12 [m] of stork | 12 number
a band of 10 Mi and of 3 cores | 10 number ; 3 count:core
"""
TABLE = [tuple(c.strip() for c in row.split("|")) for row in ROWS.strip().splitlines()]


def told(q: Quantity) -> str:
    return " ".join(filter(None, (str(q.value), q.unit, q.per)))


@pytest.mark.parametrize(("text", "read"), TABLE, ids=[text for text, _ in TABLE])
def test_a_spelling_is_read_as_it_is_meant(text: str, read: str) -> None:
    assert " ; ".join(told(q) for q in quantities(text, lang="en", bare=True)) == read


@pytest.mark.parametrize(
    ("header", "value", "unit"),
    [
        ("Params (M)", "70000000", "count:parameter"),
        ("Tokens (B)", "70000000000", "count:token"),
        ("Users (millions)", "70000000", "count:user"),
        ("Revenue (in millions)", "70000000", "number"),
        ("Size (B)", "70", "byte"),
        ("Temps (K)", "70", "kelvin"),
    ],
)
def test_a_letter_behind_what_is_counted_is_a_scale(header: str, value: str, unit: str) -> None:
    (q,) = quantities("70", header=header, bare=True)
    assert (f"{q.value:f}", q.unit) == (value, unit)


def test_the_label_of_a_row_scales_as_a_header_does() -> None:
    (q,) = quantities("70", header="Pro", row="Threads (thousands)", bare=True)
    assert f"{q.value:f}" == "70000"
    assert parse_figure("87.7", "parameters in millions").unit == "count:parameter"


def test_names_with_underscores_have_no_numbers_in_groups() -> None:
    assert [q.value for q in quantities("max_size_100 v1_000 a_1_000", bare=True)] == []


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("5 req/s", "5 requests/sec"),
        ("5 req/min", "5 requests per minute"),
        ("9 op/s", "9 ops/sec"),
        ("9 ops/s", "9 operations per second"),
    ],
)
def test_rates_in_short_are_the_same_rates(ours: str, theirs: str) -> None:
    assert compare(parse_figure(ours), parse_figure(theirs)) is Comparison.SAME


@pytest.mark.parametrize(("lang", "value"), [("fr", "200"), (None, "200")])
def test_a_hundred_in_french_words_is_no_part_of_money(lang: str | None, value: str) -> None:
    assert [str(q.value) for q in quantities("deux cents euros", lang=lang)] == [value]


def test_a_k_under_a_size_is_kilobytes_and_no_temperature() -> None:
    assert [told(q) for q in quantities("128 K", row="Request payload size")] == ["128 kilobyte"]
    assert [told(q) for q in quantities("300 K", row="Temperature of the file store")] == ["300 kelvin"]


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("MAX_WAIT_MS", "5 millisecond"),
        ("cache_size_mb", "5 megabyte"),
        ("cacheSizeMB", "5 megabyte"),
        ("CACHE_SIZE_BYTES", "5 byte"),
        ("max_open_files", "5 count:file"),
        ("NODES_US", "5 number"),
    ],
)
def test_a_setting_tells_its_unit_by_its_name(name: str, read: str) -> None:
    assert [told(q) for q in quantities("5", row=name, bare=True)] == [read]


@pytest.mark.parametrize(
    ("row", "unit"),
    [
        ("Number of minutes a build may run", "minute"),
        ("The number of seconds between two probes", "second"),
        ("Number of bytes in a tuple", "byte"),
        ("Maximum time in seconds to wait for a reply", "second"),
        ("Time in milliseconds that a query may take", "millisecond"),
        ("Number of GPUs in a node", "number"),
        ("Items in hours worked", "number"),
    ],
)
def test_a_label_that_goes_on_behind_its_unit_gives_it_to_the_row(row: str, unit: str) -> None:
    (q,) = quantities("5 to 480", header="Default", row=row, bare=True)
    assert (q.value, q.high, q.unit) == (5, 480, unit)


@pytest.mark.parametrize(
    ("row", "value", "unit"),
    [("Codebase length", 3000, "number"), ("Melting point", 3, "kelvin"), ("Cache size", 3, "kilobyte")],
)
def test_a_cell_in_k_is_thousands_under_a_label_that_is_no_temperature(
    row: str, value: int, unit: str
) -> None:
    (q,) = quantities("3 K", row=row, bare=True)
    assert (q.value, q.unit) == (value, unit)


@pytest.mark.parametrize("text", ["3 M", "~ 3 M", "3 M+"])
def test_a_cell_in_m_is_millions(text: str) -> None:
    (q,) = quantities(text, header="Total", bare=True)
    assert (q.value, q.unit, q.text) == (3000000, "number", "3 M")


@pytest.mark.parametrize("mark", [" [1]", "*", " **", "†", "¹"])
def test_a_footnotes_mark_hides_no_unit_or_noun_of_a_label(mark: str) -> None:
    assert [told(q) for q in quantities("5000", header=f"Peak IOPS{mark}", bare=True)] == ["5000 iops"]
    assert [told(q) for q in quantities("5", header=f"Max nodes{mark}", bare=True)] == ["5 count:node"]


def test_what_is_in_brackets_behind_a_label_may_be_a_unit() -> None:
    assert [told(q) for q in quantities("5", header="Memory [GB]", bare=True)] == ["5 gigabyte"]


@pytest.mark.parametrize("figure", ["500m", "500 m"])
def test_thousandths_of_a_processor_may_stand_apart_from_their_letter(figure: str) -> None:
    assert [told(q) for q in quantities(figure, header="CPU limit")] == ["0.5 count:CPU"]


@pytest.mark.parametrize("size", ["S", "M", "L"])
def test_a_size_of_one_letter_that_labels_a_row_is_no_unit(size: str) -> None:
    assert [told(q) for q in quantities("512", header="PID", row=size, bare=True)] == ["512 number"]


def test_two_hyphens_between_numbers_are_a_dash() -> None:
    (q,) = quantities("pages = {4211--4215}", bare=True)
    assert (q.text, q.value, q.high) == ("4211--4215", 4211, 4215)
    assert [told(q) for q in quantities("boil --rings 5 -- 6", bare=True)] == ["5 number", "6 number"]
