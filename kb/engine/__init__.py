"""Reading and judging of many captures: one unit of work, and who runs it."""

from kb.engine.derive import Judged, derive
from kb.engine.elsewhere import Elsewhere, siblings, siblings_name
from kb.engine.local import judge_units
from kb.engine.memory import Memory
from kb.engine.resume import place
from kb.engine.unit import JudgedCapture, Unit, can_go_on, judge_unit

__all__ = [
    "Elsewhere",
    "Judged",
    "JudgedCapture",
    "Memory",
    "Unit",
    "can_go_on",
    "derive",
    "judge_unit",
    "judge_units",
    "place",
    "siblings",
    "siblings_name",
]
