"""Reading and judging of many captures: one unit of work, and who runs it."""

from kb.engine.derive import Judged, derive
from kb.engine.local import judge_units
from kb.engine.unit import JudgedCapture, Unit, judge_unit

__all__ = ["Judged", "JudgedCapture", "Unit", "derive", "judge_unit", "judge_units"]
