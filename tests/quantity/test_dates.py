"""Dates at their precision, in the usual orders and languages; never out of prices, versions or counts."""

from __future__ import annotations

import pytest

from kb.quantity import FigureError, dates, parse_date

ROWS = """
announced on 18 March 2024 | en | 2024-03-18
March 18, 2024 | en | 2024-03-18
Mar. 18th, 2024 | en | 2024-03-18
Dec 31 2027 | en | 2027-12-31
Not After: Sep 17 16:00:00 2040 GMT | en | 2040-09-17
Sep 17 16:00 UTC 2040 | en | 2040-09-17
Sept  4 00:00:00 2020 | en | 2020-09-04
2024-03-18 | en | 2024-03-18
2024-03-18T11:25:08Z | en | 2024-03-18
2015-08 | en | 2015-08
[2023/12] A new release | en | 2023-12
2023/12: a new release | en | 2023-12
[2024/7] A new release | en | 2024-07
the 2011/12 season | en | 2011
[23/08/11] A new release | en | 2023-08-11
[24/05/14] A new release | en | 2024-05-14
[Aug.28 2023] A new release | en | 2023-08-28
August 2015 | en | 2015-08
Sept. 2024 to today | en | 2024-09
founded in 1999 | en | 1999
(2021) | en | 2021
  year = {2021}, | en | 2021
year={2021}, | en | 2021
by Q3 2024 | en | 2024-Q3
2024-Q3 | en | 2024-Q3
3Q24 results | en | 2024-Q3
CY26 Q1 | en | 2026-Q1
the third quarter of 2024 | en | 2024-Q3
in FY2025 | en | FY2025
FY2021-22 | en | FY2022
fiscal year 2025 | en | FY2025
mid-2025 | en | 2025
end-2026 | en | 2026
on 28 December | en | --12-28
December 28 | en | --12-28
16. September 2024 | de | 2024-09-16
18. März 2024 | de | 2024-03-18
01.04.2026 | de | 2026-04-01
seit 2019 | de | 2019
1er août 2015 | fr | 2015-08-01
03/12/2024 | fr | 2024-12-03
18 de marzo de 2024 | es | 2024-03-18
2024年3月18日 | zh | 2024-03-18
2024년 3월 | ko | 2024-03
31/12/2024 | en | 2024-12-31
2020 to 2024 | en | 2020, 2024
in 2024 it cost $2024 | en | 2024
2048 GPUs, 2000 W and version 2019.3 |en |
MSVC 2022 and RTX 2050 | en |
since the 1950s | en |
99/99/2024 and 30 February 2024 | en |
you may 5 times | en |
Nov 30th, '25 | en | 2025-11-30
June 3–5, 2025 | en | 2025-06-03
ISO 9001:2015 and Gen 2x2 | en |
Set 3 and Gen 2 | en |
2023-Aug-15 | en | 2023-08-15
2025-3-14 and 2025-11-4 | en | 2025-03-14, 2025-11-04
Nov 1. 2023 | en | 2023-11-01
21‐Dec‐2017 | en | 2017-12-21
"""
TABLE = [tuple(c.strip() for c in row.split("|")) for row in ROWS.strip().splitlines()]


@pytest.mark.parametrize(("text", "lang", "values"), TABLE, ids=[t for t, _, _ in TABLE])
def test_dates_in_a_text(text: str, lang: str, values: str) -> None:
    assert ", ".join(d.value for d in dates(text, lang)) == values


@pytest.mark.parametrize(
    ("lang", "first", "others"),
    [("en", "2024-04-05", ("2024-05-04",)), (None, "2024-04-05", ("2024-05-04",)), ("fr", "2024-05-04", ())],
)
def test_an_open_order_of_day_and_month_keeps_both(
    lang: str | None, first: str, others: tuple[str, ...]
) -> None:
    (date,) = dates("due 04/05/2024", lang)
    assert (date.value, date.readings, date.text) == (first, others, "04/05/2024")


def test_the_span_is_that_of_the_text() -> None:
    text = "<p>On 18&nbsp;March 2024 it was</p>"
    (date,) = dates(text, "en")
    assert text[date.start : date.end] == date.text == "18&nbsp;March 2024"


@pytest.mark.parametrize("text", ["2024-03-18", "18 March 2024", "2015-08", "1999", "Q3 2024"])
def test_a_whole_text_may_be_one_date(text: str) -> None:
    assert parse_date(text).text == text


@pytest.mark.parametrize("text", ["", "soon", "2024-13-01", "18 March 2024 and more", "400 Gbps"])
def test_what_is_not_one_date_is_refused_with_what_would_be(text: str) -> None:
    with pytest.raises(FigureError, match="would be right"):
        parse_date(text)
