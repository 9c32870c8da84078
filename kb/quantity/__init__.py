"""Text to quantities and dates, each with its words and span."""

from kb.quantity.basis import basis_key, noun_of, same_basis
from kb.quantity.compare import Comparison, compare, half_of_last_digit
from kb.quantity.dates import dates
from kb.quantity.figure import (
    FigureError,
    apart_from,
    dimension_named,
    format_quantity,
    parse_date,
    parse_figure,
)
from kb.quantity.numerals import numbers_of
from kb.quantity.quantity import BOUNDS, Date, Number, Quantity
from kb.quantity.reader import quantities
from kb.quantity.units import convert, is_known, is_symbol, unit_dimension, unit_from_vector, unit_vector

QUANTITY_VERSION = "8"
"""Changes whenever the reader may read some text differently: part of every cache key."""

__all__ = [
    "BOUNDS",
    "QUANTITY_VERSION",
    "Comparison",
    "Date",
    "FigureError",
    "Number",
    "Quantity",
    "apart_from",
    "basis_key",
    "compare",
    "convert",
    "dates",
    "dimension_named",
    "format_quantity",
    "half_of_last_digit",
    "is_known",
    "is_symbol",
    "noun_of",
    "numbers_of",
    "parse_date",
    "parse_figure",
    "quantities",
    "same_basis",
    "unit_dimension",
    "unit_from_vector",
    "unit_vector",
]
