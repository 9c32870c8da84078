"""Formulas: what they may say, what they give, and how a wrong one is told (design, section 3)."""

from __future__ import annotations

import pickle
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.claims import Claim, FormulaError, check_formula, evaluate, formula_inputs, worked
from kb.claims.figures import quantity_of, read_figure, written_step
from kb.claims.formula import full_formula, parse_formula
from kb.quantity import FigureError, Quantity, convert, parse_figure

VALUES = {
    f"a.{name}": parse_figure(figure)
    for name, figure in {
        "instance": "3,200 Gbps",
        "gpus": "8 GPUs",
        "adapters": "8x400 Gb/s",
        "bytes": "16 to 18 bytes",
        "parameters": "70 billion parameters",
        "nvlink": "1.8 TB/s",
        "rack": "72 GPUs",
        "price": "$2.49/hour",
        "share": "20%",
        "days": "24",
    }.items()
}

RIGHT = [
    ("{a.instance} / 8", "400.0 Gbps"),
    ("{a.instance} / {a.gpus}", "400 Gb/s"),
    ("{a.instance}/{a.gpus}", "50 GB/s"),
    ("{a.instance} / {a.gpus}", "0.4 Tbps"),
    ("{a.adapters}", "3,200 Gb/s"),
    ("{a.adapters} * 2", "6,400 Gb/s"),
    ("8 * 400 Gb/s * 2", "0.8 TB/s"),
    ("450 GB/s / (50 GB/s)", "9x"),
    ("450 GB/s / 400 Gb/s", "9"),
    ("{a.parameters} * {a.bytes}", "1.12 TB"),
    ("{a.parameters} * {a.bytes}.high", "1.26 TB"),
    ("ceil({a.parameters} * {a.bytes}.high / 80 GiB)", "15 GPUs"),
    ("ceil({a.parameters} * {a.bytes}.high / 80 GiB)", "at least 15 GPUs"),
    ("{a.rack} * {a.nvlink}", "129.6 TB/s"),
    ("{a.rack} * {a.nvlink}", "130 TB/s"),
    ("72.7 GB + 42.9 GB", "115.6 GB"),
    ("1 TB - 100 GB", "0.9 TB"),
    ("131072 * 80 * 2 * 8 * 128 * 2 bytes", "42.9 GB"),
    ("131072 * 80 * 2 * 8 * 128 * 2 / 1e9", "42.9"),
    ("{a.price} * 24 hours", "$59.76"),
    ("{a.price} * 24", "59.76 USD/hour"),
    ("$2.49 / 2", "$1.25"),
    ("{a.share} * {a.instance}", "640 Gbps"),
    ("min({a.instance}, 1 Tbps, 2000 Gbps)", "1 Tbps"),
    ("max(1, 200, 3)", "200"),
    ("floor({a.days} / 7)", "3"),
    ("ceil({a.days} / 7) * 2", "8"),
    ("round(2.5)", "3"),
    ("round({a.days} / 7, 2)", "3.43"),
    ("round({a.nvlink} * 10) / 10", "1.8 TB/s"),
    ("-(2 - 5) * 2", "6"),
    ("2 + 3 * 4 - 6 / 2", "11"),
    ("12 / 3 / 2", "2"),
    ("10 - 3 - 2", "5"),
    ("1,200 / 2", "600"),
    ("70 billion parameters * 2 bytes", "140 GB"),
]


@pytest.mark.parametrize(("formula", "figure"), RIGHT)
def test_a_right_sum_passes_in_any_unit_at_the_precision_written(formula: str, figure: str) -> None:
    assert check_formula(claim(formula, figure), VALUES) is None


WRONG = [
    ("{a.instance} / 8", "40.0 Gbps", "3,200 Gbps / 8 is 400 Gbps, the file says 40.0 Gbps", "400.0 Gbps"),
    ("{a.instance} / 8", "400 GB/s", "3,200 Gbps / 8 is 50 GB/s, the file says 400 GB/s", "50 GB/s"),
    (
        "{a.rack} * {a.nvlink}",
        "129.5 TB/s",
        "72 GPUs * 1.8 TB/s is 129.6 TB/s, the file says 129.5 TB/s",
        "129.6 TB/s",
    ),
    ("{a.adapters} / 2", "400 Gbps", "(8 * 400 Gbps) / 2 is 1,600 Gbps, the file says 400 Gbps", "1600 Gbps"),
    ("{a.days} / 7", "3.5", "24 / 7 is about 3.4286, the file says 3.5", "3.4"),
    ("({a.days} + 1) / (7 - 2)", "6", "(24 + 1) / (7 - 2) is 5, the file says 6", "5"),
    ("24 - (7 - 2)", "15", "24 - (7 - 2) is 19, the file says 15", "19"),
]


@pytest.mark.parametrize(("formula", "figure", "what", "right"), WRONG)
def test_a_wrong_sum_is_told_with_both_sides_in_words(
    formula: str, figure: str, what: str, right: str
) -> None:
    told = check_formula(claim(formula, figure), VALUES)
    assert told == (what, f'write "{right}", or put the formula right', "wrong-sum")


def test_a_result_of_another_dimension_is_a_wrong_sum() -> None:
    assert check_formula(claim("{a.instance} / {a.gpus}", "8 GPUs"), VALUES) == (
        "3,200 Gbps / 8 GPUs is 400 Gbps (data rate), the file says 8 GPUs (a count)",
        "write it in Gbps, or put the formula right",
        "wrong-sum",
    )


def test_about_reaches_as_far_as_its_digits_and_never_beyond_five_percent() -> None:
    assert check_formula(claim("129.6 TB/s * 1", "about 130 TB/s"), {}) is None
    assert check_formula(claim("12,340 * 1", "about 12,000 GPUs"), {}) is None
    assert check_formula(claim("12,640 * 1", "about 12,000 GPUs"), {}) is not None
    assert check_formula(claim("14 * 1", "about 10 GPUs"), {}) is not None


def test_a_range_is_the_result_of_no_formula() -> None:
    told = check_formula(claim("{a.parameters} * {a.bytes}", "1.12 to 1.26 TB"), VALUES)
    assert told is not None and told[1] == "write two claims, one for each end"


UNREADABLE = [
    ("", "the formula is empty", "write a calculation, as in {a.b} / 8"),
    ("{a.b} x 2", '"x" means nothing in a formula', 'write "*"'),
    ("{a.b} × 2", '"×" means nothing in a formula', 'write "*"'),
    ("{a.b", "a brace is not closed", "write claims as {source.claim}"),
    ("a.b / 8", '"a.b" means nothing in a formula', "write claims as {source.claim}"),
    ("{a b} / 8", '"{a b}" names no claim', "write {source.claim}"),
    ("({a.b}", "a bracket is not closed", 'add ")"'),
    ("{a.b})", '")" is out of place', "leave it out, or open a bracket before it"),
    ("{a.b} 8", '"8" is out of place', "a sign (+ - * /) should stand before it"),
    ("2 ** 3", '"*" is out of place', "a value should stand before it"),
    ("1 +", "the formula ends where a value should stand", "complete it"),
    ("sqrt(4)", '"sqrt" is no function', "the functions are min max ceil floor round"),
    ("ceil(1, 2)", "ceil has 2 values", "it takes 1 at most"),
    ("max(1,200)", '"1,200" may be one number or several', 'write "1200" or "1, 200"'),
    ("__import__('os')", '"\'" means nothing in a formula', "it knows + - * / ( ) min max ceil floor round"),
    ("1" * 3000, "the formula is too long to be checked", "split it into several claims"),
    ("(" * 60 + "1" + ")" * 60, "the formula is nested too deep", "split it into several claims"),
]


@pytest.mark.parametrize(("formula", "what", "remedy"), UNREADABLE)
def test_a_formula_that_cannot_be_read_is_told_with_what_would_be_right(
    formula: str, what: str, remedy: str
) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula(formula)
    assert (caught.value.message, caught.value.remedy) == (what, remedy)


def test_an_unknown_unit_in_a_formula_is_told_with_the_nearest() -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula("3,200 Gbsp / 8")
    assert caught.value.rule == "unknown-unit"
    assert "did you mean" in caught.value.remedy


UNCOMPUTABLE = [
    ("{a.instance} / 0", "divided-by-zero", "the formula divides by zero"),
    ("{a.instance} / ({a.gpus} - 8)", "divided-by-zero", "the formula divides by zero"),
    ("72.7 GB + 42.9 Gbps", "units-differ", "72.7 GB + 42.9 Gbps mixes data size and data rate"),
    ("max(1, 1 GB)", "units-differ", "1 max 1 GB mixes a plain number and data size"),
    ("{a.instance}.high", "not-a-range", '"a.instance" is no range, so it has no upper end'),
    ("{b.c}", "unknown-claim", 'no figure is known for "b.c"'),
    ("ceil({a.instance} * 2 seconds)", "units-differ", "it is not said in which unit ceil counts"),
    ("round(1, 1 GB)", "bad-formula", "the places to round to must be a small whole number"),
    ("1e30 * 1e30 * 1e30", "bad-formula", "the result is out of reach"),
]


@pytest.mark.parametrize(("formula", "rule", "what"), UNCOMPUTABLE)
def test_a_formula_that_cannot_be_computed_is_told(formula: str, rule: str, what: str) -> None:
    with pytest.raises(FormulaError) as caught:
        evaluate(formula, VALUES)
    assert (caught.value.rule, caught.value.message) == (rule, what)


def test_the_result_keeps_the_unit_of_its_inputs() -> None:
    result = evaluate("{a.instance} / {a.gpus}", VALUES)
    assert (result.value, result.unit) == (Decimal(400), "gigabit/second")


def test_a_result_that_no_decimal_equals_is_a_fraction() -> None:
    assert evaluate("1 / 9", {}).value == Fraction(1, 9)


def test_ids_inside_the_file_are_completed_and_told_once_each() -> None:
    full = full_formula("{gpus} * {b.x} + { gpus } * {b.r.high}", "a")
    assert full == "{a.gpus} * {b.x} + {a.gpus} * {b.r}.high"
    assert formula_inputs(full) == ("a.gpus", "b.x", "b.r")


def test_a_formula_is_shown_with_figures_in_place_of_ids() -> None:
    assert worked("ceil({a.parameters} * {a.bytes}.high / 80 GiB)", VALUES) == (
        "ceil(70,000,000,000 parameters * 18 B / 80 GiB)"
    )


def test_a_formula_error_survives_pickling() -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula("1 +")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.message, copy.at, copy.remedy, copy.rule) == (
        *("the formula ends where a value should stand", 3, "complete it", "bad-formula"),
    )


@pytest.mark.parametrize(
    ("figure", "step"),
    [
        ("400 Gbps", "1"),
        ("400.0 Gbps", "1/10"),
        ("3,200 Gbps", "1"),
        ("0.05 USD", "1/100"),
        ("$2.49", "1/100"),
        ("6.9 billion USD", "100000000"),
        ("24k tokens", "1000"),
        ("1.5x", "1/10"),
        ("at least 15 GPUs", "1"),
    ],
)
def test_precision_is_that_of_the_last_digit_written(figure: str, step: str) -> None:
    assert written_step(parse_figure(figure)) == Fraction(step)


@given(st.text("{}a.b8 +-*/(),ceilmx%GBs$.", max_size=40))
def test_any_text_is_a_formula_or_a_told_fault(text: str) -> None:
    try:
        evaluate(text, VALUES)
    except FormulaError as error:
        assert error.message


numbers = st.decimals(min_value="0.01", max_value=10**6, places=2)
units = st.sampled_from(["Gbps", "Mbps", "GB/s", "Tbps"])


@given(numbers, units, st.integers(1, 500))
def test_dividing_and_multiplying_back_gives_the_same(number: Decimal, unit: str, by: int) -> None:
    there = evaluate(f"{number} {unit} / {by}", {})
    back = evaluate(f"{{x.y}} * {by}", {"x.y": there})
    figure = parse_figure(f"{number} {unit}")
    assert convert(back.value, back.unit, figure.unit) == Fraction(number)


@given(numbers, numbers, units, units)
def test_sums_do_not_hang_on_the_order_or_the_unit(a: Decimal, b: Decimal, one: str, two: str) -> None:
    left = evaluate(f"{a} {one} + {b} {two}", {})
    right = evaluate(f"{b} {two} + {a} {one}", {})
    assert convert(left.value, left.unit, right.unit) == Fraction(right.value)


@given(st.integers(0, 10**9), st.sampled_from(["GPUs", "Gbps", "GB", "%", "hours"]))
def test_figures_that_differ_in_the_number_alone_read_alike(number: int, unit: str) -> None:
    """The shortcut for simple figures gives what the whole reader gives."""
    for text in (f"{number} {unit}", f"{number:,} {unit}", f"{number}.5 {unit}"):
        assert read_figure(text)[0] == in_our_hand(text)


def in_our_hand(text: str) -> Quantity:
    """As the whole reader has it, where commas stand between thousands."""
    quantity = quantity_of(text)
    readings = (quantity, *quantity.readings)
    return replace(max(readings, key=lambda q: q.value), readings=())


@given(
    st.sampled_from(["", "about ", "at least ", "~", "$", "up to "]),
    st.integers(0, 10**9),
    st.sampled_from(["", " GPUs", " Gbps", "%", " GB", " members", "x"]),
)
def test_figures_with_words_around_the_number_read_alike(before: str, number: int, after: str) -> None:
    for text in (f"{before}50{after}", f"{before}{number}{after}", f"{before}{number}.25{after}"):
        quantity, problem = read_figure(text)
        if problem is None:
            assert quantity == in_our_hand(text)
        else:
            with pytest.raises(FigureError):
                quantity_of(text)


def test_four_digits_alone_are_a_number_where_a_figure_is_asked_for() -> None:
    quantity, problem = read_figure("2000")
    assert problem is None
    assert quantity is not None and (quantity.value, quantity.unit) == (2000, "number")


def test_a_comma_before_three_digits_groups_and_a_point_has_two_readings() -> None:
    grouped, pointed = read_figure("1,600 to 3,200 Gbps")[0], read_figure("1.400 GB")[0]
    assert grouped is not None and (grouped.value, grouped.high, grouped.readings) == (1600, 3200, ())
    assert pointed is not None and len(pointed.readings) == 1


def claim(formula: str, figure: str) -> Claim:
    quantity: Quantity = parse_figure(figure)
    return Claim(id="z.z", subject="S", kind="formula", value=figure, formula=formula, quantity=quantity)
