"""Close races that a reader would settle: one value is named and placed at least as well as any other."""

from __future__ import annotations

from collections.abc import Sequence

from kb.judging import thresholds as t
from kb.judging.candidate import Candidate
from kb.judging.fit import Answer

RACE = 4.0  # log odds behind the best from which on a value is no rival
EVEN = 0.02  # of a sign that is no difference
TELLS = 0.25  # how much more of the subject's heaviest word others must lack, of what it weighs
CLEARLY = 0.2  # by how much another value must be named better than ours
LEAST = (0.0, -0.5)  # log odds that ours must have; less where an earlier place is known
SAID = 0.5  # how well the words around our value must say the subject
SAID_OTHER = (0.55, 0.4)  # likewise subject and attribute at another value

_NAMED = ("subject", "attribute", "owner")
_PLACED = ("placed", "text alike", "counterpart")
_AGAINST = ("unnamed identifiers", "anothers label")
_NAMES = (list(t.WEIGHTS), list(t.WEIGHTS_PLACED))  # by whether an earlier place is known
_SUBJECT, _ATTRIBUTE = (tuple(names.index(name) for names in _NAMES) for name in _NAMED[:2])
_LOST = tuple(names.index("subject lost") for names in _NAMES)
_ALL = tuple(tuple(names.index(n) for n in _NAMED + _PLACED if n in names) for names in _NAMES)
_BETTER = tuple(tuple(names.index(n) for n in _NAMED + _PLACED[:1] if n in names) for names in _NAMES)
_WORSE = tuple(tuple(names.index(n) for n in _AGAINST) for names in _NAMES)


def ours_unrivalled(candidates: Sequence[Candidate], *, placed: bool) -> Candidate | None:
    """Our number, where no other in the race is named or placed better in anything; else None.

    A short number is there by chance, so the subject must be said, or (where no earlier place is known)
    the number stand as we spelled it. Where the subject's most telling word is at our number alone, it need
    not be placed as well: two values of one sentence may change places, each with its name.
    """
    ours = next((c for c in candidates if c.fit.answer.holds), None)
    if ours is None or ours.off or ours.unnamed or ours.total <= LEAST[placed] or ours.mention.textual:
        return None
    said = ours.signs[_SUBJECT[placed]] >= SAID
    if not said and (placed or ours.fit.answer is not Answer.VERBATIM):
        return None
    best = candidates[0].total
    rivals = [c for c in candidates if not c.fit.answer.holds and c.total > best - RACE]
    if any(c.fit.answer is not Answer.OTHER for c in rivals):
        return None  # a bound, a basis or a reading is in doubt
    lost = _LOST[placed]
    more = min((c.signs[lost] for c in rivals), default=0.0) - ours.signs[lost]
    signs = (_SUBJECT[placed], _ATTRIBUTE[placed]) if more >= TELLS else _ALL[placed]
    return ours if more >= -EVEN and all(_as_good(ours, c, signs) for c in rivals) else None


def better_named(
    candidates: Sequence[Candidate], other: Candidate | None, *, placed: bool
) -> Candidate | None:
    """The other value, where it is named clearly better than ours and nowhere worse than any; else None."""
    ours = next((c for c in candidates if c.fit.answer.holds), None)
    if ours is None or other is None or other.fit.answer is not Answer.OTHER or other.mention.textual:
        return None
    if other.fit.kin < ours.fit.kin or other.total < ours.total - RACE:
        return None
    subject, attribute = other.signs[_SUBJECT[placed]], other.signs[_ATTRIBUTE[placed]]
    more = max(subject - ours.signs[_SUBJECT[placed]], attribute - ours.signs[_ATTRIBUTE[placed]])
    if more < CLEARLY or subject < SAID_OTHER[0] or attribute < SAID_OTHER[1]:
        return None
    if any(other.signs[i] > ours.signs[i] for i in _WORSE[placed]):
        return None
    best = candidates[0].total
    rivals = (c for c in candidates if c.mention.text != other.mention.text and c.total > best - RACE)
    return other if all(_as_good(other, c, _BETTER[placed]) for c in rivals) else None


def in_our_place(candidates: Sequence[Candidate], other: Candidate | None) -> Candidate | None:
    """The other value, where an earlier place is known and it is in nothing behind ours; else None.

    Then our number stands on as a neighbour's: of the fourth year's 100 and 150 for the third now.
    """
    ours = next((c for c in candidates if c.fit.answer.holds), None)
    if ours is None or other is None or other.fit.answer is not Answer.OTHER or other.mention.textual:
        return None
    if other.fit.kin < ours.fit.kin or other.total < ours.total - 1.0:
        return None
    if any(other.signs[i] > ours.signs[i] for i in _WORSE[True]) or not _as_good(other, ours, _ALL[True]):
        return None
    return None if _as_good(ours, other, _ALL[True]) else other


def _as_good(candidate: Candidate, other: Candidate, signs: Sequence[int]) -> bool:
    return all(candidate.signs[i] >= other.signs[i] - EVEN for i in signs)
