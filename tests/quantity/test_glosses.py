"""Brackets behind a number that say its unit, or spell it with one."""

from __future__ import annotations

import pytest

from kb.quantity import quantities


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("Default: 300 (milliseconds)", "300", "millisecond"),
        ("Default: 45 (in days)", "45", "day"),
        ("Default: 30G (30 GiB)", "30", "gibibyte"),
        ("Default: 5G (5 GiB)", "5", "gibibyte"),
        ("Default: 640M (640 MiB)", "640", "mebibyte"),
        ("Default: 40K (40 kB)", "40", "kilobyte"),
    ],
)
def test_a_bracket_behind_a_number_says_what_it_is_of(text: str, value: str, unit: str) -> None:
    first = quantities(text, bare=True)[0]
    assert (str(first.value), first.unit) == (value, unit)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("nest 2 (second) is empty", "number"),
        ("at most 40 (nests) in all", "number"),
        ("Default: 300M (400 MiB)", "number"),
        ("20 GB (18.6 GiB)", "gigabyte"),
    ],
)
def test_other_brackets_leave_a_number_as_it_is(text: str, unit: str) -> None:
    assert quantities(text, bare=True)[0].unit == unit


def test_a_few_g_behind_a_default_or_limit_are_gigabytes_and_elsewhere_a_network() -> None:
    assert quantities("Default: 5G")[0].unit == "gigabyte"
    assert quantities("Connectivity: 5G") == []
