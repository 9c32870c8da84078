"""What a claim stated on a day, and when two spellings of a found value are one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

from kb.claims.claim import Claim, Was, folded
from kb.judging.verdict import Found


def in_force(claim: Claim, day: date) -> Was | None:
    """The `was` entry that was in force on `day`, or None where the present value was.

    It is the one with the earliest `until` that is not before `day`.
    """
    standing = [w for w in claim.was if last_day(w.until) >= day]
    return min(standing, key=lambda w: last_day(w.until)) if standing else None


def stated_on(claim: Claim, day: date) -> Claim:
    """The claim as it stood on `day`: what a capture of that day is judged against."""
    was = in_force(claim, day)
    if was is None:
        return claim
    from kb.claims import restate  # start-up time

    return restate(claim, was)


def as_of(claim: Claim, day: date) -> Claim:
    """The claim as it was known at the end of `day`: a later `was` or `accepted` is not there yet.

    What ended later was still in force, so the claim was stated then, whenever its present value
    was retrieved. When the old value was is not known.
    """
    known = claim
    was = in_force(claim, day)
    if was is not None:
        from kb.claims import restate  # start-up time

        own = "figure" if claim.kind == "formula" else claim.kind
        known = replace(
            restate(claim, was),
            # Of another kind now, the older ones must say theirs.
            was=tuple(replace(w, kind=w.kind or own) for w in claim.was if last_day(w.until) < day),
            retrieved=None if retrieved_later(claim, day) else claim.retrieved,
        )
    if known.accepted is not None and first_day(known.accepted.on) > day:
        known = replace(known, accepted=None)
    return known


def retrieved_later(claim: Claim, day: date) -> bool:
    """Whether the claim's present value was retrieved after `day` only."""
    return claim.retrieved is not None and first_day(claim.retrieved) > day


def found_key(claim: Claim, found: Found) -> str:
    """A text that is equal for two spellings of one value."""
    if found is None:
        return ""
    if isinstance(found, tuple):
        return "|".join(sorted(folded(member) for member in found))
    if claim.kind in ("figure", "formula", "absent"):
        return _figure_key(found, claim.attribute, claim.per) or folded(found)
    if claim.kind == "date":
        return _date_key(found) or folded(found)
    return folded(found)


def first_day(text: str) -> date:
    """The first day of a date as precise as it is known: 2015, 2015-08, 2015-08-20."""
    year, month, day = ([int(part) for part in text[:10].split("-")] + [1, 1])[:3]
    return date(year, month, day)


def last_day(text: str) -> date:
    """The last day of a date as precise as it is known."""
    parts = [int(part) for part in text[:10].split("-")]
    if len(parts) == 3:
        return date(*parts)
    year, month = parts[0], parts[1] if len(parts) == 2 else 12
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


@lru_cache(4096)
def _figure_key(text: str, attribute: str, per: str | None) -> str:
    from kb.quantity import parse_figure, unit_vector  # start-up time

    try:
        q = parse_figure(text, attribute, per)
        factor, base = unit_vector(q.unit)
    except ValueError:
        return ""
    from fractions import Fraction

    scale = Fraction(factor) * Fraction(q.times or 1)
    high = "" if q.high is None else str(Fraction(q.high) * scale)
    return f"{q.bound} {Fraction(q.value) * scale} {high} {base}"


@lru_cache(4096)
def _date_key(text: str) -> str:
    from kb.quantity import parse_date  # start-up time

    try:
        return parse_date(text).value
    except ValueError:
        return ""
