"""Text to quantities and dates, each with its words and span."""

from kb.quantity.quantity import BOUNDS, Date, Number, Quantity

__all__ = ["BOUNDS", "Date", "Number", "Quantity"]
