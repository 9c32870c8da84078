"""How one value on the page answers the value that a claim states, leaving aside where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import lru_cache

from kb.judging.mention import SHAPES, Mention
from kb.judging.words import STOP, keys, speech, stem
from kb.quantity import (
    Comparison,
    Date,
    Number,
    Quantity,
    compare,
    convert,
    is_known,
    quantities,
    unit_dimension,
)


class Answer(Enum):
    """What a value says to the claimed one."""

    VERBATIM = "verbatim"
    SAME = "same"
    WITHIN = "within"
    OTHER = "other"
    BOUND_UNCLEAR = "bound-unclear"
    BASIS = "basis"
    READINGS = "readings"
    COARSER = "coarser"
    RESTRICTED = "restricted"

    holds: bool
    """Whether the claim stands, if this is the value that answers it."""


for _answered in Answer:  # asked of every candidate many times, so worked out once
    _answered.holds = _answered in (Answer.VERBATIM, Answer.SAME, Answer.WITHIN)


@dataclass(frozen=True, slots=True)
class Fit:
    """An answer, how much such a value is one of the claimed kind, and how near it is in size (0 to 1).

    `size` is the value in the claim's unit, where there is one: two spellings of it are one value.
    """

    answer: Answer
    kin: float
    near: float = 0.0
    size: Fraction | None = None


_LETTER = re.compile(r"[^\W\d_]|[%$€£¥]")


@lru_cache(maxsize=4096)
def bare(text: str) -> bool:
    """Whether a figure is a number alone, in digits or words, its unit left to its words or to nothing."""
    if not _LETTER.search(text):
        return True
    found = quantities(text, bare=True)
    return len(found) == 1 and found[0].unit == "number" and found[0].text == text.strip()


def squeezed(text: str) -> str:
    """A spelling without its white space and quotes, for `verbatim`."""
    return re.sub(r"[\s`\"'’,]+", "", text).casefold()


def as_we_wrote(ours: str, theirs: str) -> bool:
    """Whether a figure stands in the page's words as we spelled it, a basis or noun after it aside."""
    a, b = squeezed(ours), squeezed(theirs)
    return bool(a) and (a == b or (b.startswith(a) and not b[len(a)].isdigit() and b[len(a)] not in ".,"))


KIN_SAME = 1.0  # the same unit, noun or dimension
KIN_BARE = 0.92  # a number without a unit where ours has one, or the other way round
KIN_NOUN = 0.8  # another counted noun: words for one thing change
AS_WRITTEN = 0.93
KIN_CASE = 0.85  # a name in other case
KIN_END = 0.9  # one end of a range
KIN_FAR = 0.6  # another dimension, where the claim's own unit is only in its words


def quantity_fitter(
    claimed: Quantity, text: str, attribute: frozenset[str] = frozenset()
) -> Callable[[Mention], Fit | None]:
    """How quantities on a page answer a claimed one, spelled `text`; None where one is of another kind.

    `attribute` are the words that say what the claim is of: a count of them is one of its kind.
    """
    ours, plain = unit_dimension(claimed.unit), bare(text)
    counts = plain and (_COUNTING in attribute or not _DIGIT.search(text))
    kins: dict[str, float] = {}  # a page has few units
    strange: set[str] = set()  # units that are never of its kind
    known: dict[tuple[object, ...], Fit | None] = {}  # most values stand on both editions, and some often

    def fit(mention: Mention) -> Fit | None:
        q = mention.quantity
        if q is None or q.unit in strange:
            return None
        if q.readings:
            return answered(mention, q)
        spelled = mention.text, q.text, mention.prose, mention.end_of_range
        key = (q.value, q.high, q.unit, q.bound, q.per, q.times, q.settled, *spelled)
        if key not in known:
            known[key] = answered(mention, q)
        return known[key]

    def answered(mention: Mention, found: Quantity) -> Fit | None:
        if ours == "time" and found.unit == "metre" and _MINUTES.fullmatch(mention.text):
            found = replace(found, unit="minute")
        if ours == "data size" and (letter := _SIZED.fullmatch(mention.text)) and found.high is None:
            units = OF_LETTERS[letter["letter"].lower()]
            unit = units["bi" in claimed.unit]  # in steps as the claim's
            found = replace(found, unit=unit, value=Decimal(letter["number"]), readings=())
        if ours == "time" and found.unit.startswith("count:") and is_known(noun := found.unit[6:]):
            found = replace(found, unit=noun)  # 300 under "Build minutes" are minutes
        if found.unit[6:].lower() == claimed.unit and found.unit.startswith("count:"):
            found = replace(found, unit=claimed.unit)  # 5000 under "Peak IOPS per disk"
        found = _without_period(claimed, found)
        kin = kins.get(found.unit)
        if kin is None:
            kin = _kin(claimed, found, ours, unit_dimension(found.unit), plain)
            if kin == KIN_BARE and claimed.unit == "number" and _counts(found.unit, attribute):
                kin = KIN_SAME
            if kin == KIN_FAR and counts and not _counts(found.unit, attribute):
                kin = 0.0
            kins[found.unit] = kin
            if not kin and _is_plain(found.unit, ours):
                strange.add(found.unit)
        if mention.prose and found.unit == "number" and kin == KIN_NOUN:
            kin = KIN_FAR
        if mention.end_of_range:
            kin *= KIN_END if claimed.high is None else 0.0
        if kin:
            return _answer(claimed, found, text, mention, kin)
        alone = found.unit == "number" and not mention.prose and not mention.end_of_range
        return _without_unit(claimed, found) if alone else None

    return fit


_COUNTING = stem("number")
_DIGIT = re.compile(r"\d")


def _is_plain(unit: str, ours: str) -> bool:
    """Whether a unit says all of what a value is of, wherever it stands."""
    other = ours == "time" and (unit == "metre" or unit.startswith("count:"))
    return unit != "number" and "/" not in unit and not other


def _counts(unit: str, words: frozenset[str]) -> bool:
    """Whether a unit counts what some words say: count:bug for "bugs found", months for "months to wait"."""
    noun = unit.removeprefix("count:").partition("/")[0].replace("-", " ")
    return bool(noun) and (keys(noun) <= words or keys(noun + "s") <= words)


def _answer(
    claimed: Quantity,
    found: Quantity,
    text: str,
    mention: Mention,
    kin: float,
) -> Fit:
    said = compare(claimed, found)
    if said is Comparison.OTHER_DIMENSION:
        if claimed.value == found.value and claimed.high == found.high:
            return Fit(Answer.VERBATIM if as_we_wrote(text, mention.text) else Answer.SAME, kin)
        return Fit(Answer.OTHER, kin, _near(claimed, found.value), _exact(found.value))
    if said.holds:
        if said is Comparison.WITHIN:
            return Fit(Answer.WITHIN, kin)
        return Fit(Answer.VERBATIM if as_we_wrote(text, mention.text) else Answer.SAME, kin)
    if said is Comparison.BOUND_UNCLEAR:
        return Fit(Answer.BOUND_UNCLEAR, kin)
    if said is Comparison.TWO_READINGS:
        return Fit(Answer.READINGS, kin)
    if said is Comparison.BASIS_DIFFERS:
        return Fit(Answer.BASIS, kin)
    theirs = convert(found.value, found.unit, claimed.unit) if found.unit != claimed.unit else None
    size = found.value if theirs is None else theirs
    return Fit(Answer.OTHER, kin, _near(claimed, size), _exact(size) if found.high is None else None)


def _without_unit(claimed: Quantity, found: Quantity) -> Fit:
    """A number in a slot, whose unit the page says elsewhere if at all: `Default: 3600` for an hour."""
    if (claimed.value, claimed.high) == (found.value, found.high) or _in_small_units(claimed, found):
        return Fit(Answer.SAME, KIN_NOUN)
    return Fit(Answer.OTHER, KIN_FAR * KIN_FAR, _near(claimed, found.value), _exact(found.value))


def _in_small_units(claimed: Quantity, found: Quantity) -> bool:
    """Whether a number is our time in seconds or their thousandths, which slots without a unit count in."""
    if claimed.high is not None or found.high is not None or unit_dimension(claimed.unit) != "time":
        return False
    return any(convert(claimed.value, claimed.unit, unit) == found.value for unit in _SMALL_UNITS)


_SMALL_UNITS = ("second", "millisecond")
_MINUTES = re.compile(r"\d+(?:\.\d+)?m")
"""So many minutes, or metres, as what is asked for is a time or not."""
_SIZED = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<letter>[kKMGT])")
"""So many megabytes, or millions, as what is asked for is a size of data or not; 256M is 256 MiB to some."""
OF_LETTERS = {
    "k": ("kilobyte", "kibibyte"),
    "m": ("megabyte", "mebibyte"),
    "g": ("gigabyte", "gibibyte"),
    "t": ("terabyte", "tebibyte"),
}
"""What a letter alone behind a size of data stands for, by thousands of 1,000 and of 1,024."""

_exact = lru_cache(maxsize=16384)(Fraction)

_PERIODS = ("minute", "hour", "day", "week", "month", "year")


def _without_period(claimed: Quantity, found: Quantity) -> Quantity:
    """`30 minutes of usage per month` as 30 minutes, where the claim leaves the period to its words.

    Where the claim says the period in its basis, it is the basis of both.
    """
    if "/" not in found.unit:
        return found
    above, _, below = found.unit.rpartition("/")
    dimension = unit_dimension(claimed.unit)
    if below not in _PERIODS or "/" in claimed.unit:
        return found
    if claimed.per:
        timed = unit_dimension(above) == "time" and found.per is None
        return replace(found, unit=above, per=below) if timed else found
    if dimension.startswith(("count", "money")) or unit_dimension(above) != dimension:
        return found  # there another period is another value
    return replace(found, unit=above)


def _near(claimed: Quantity, size: Number) -> float:
    """Nearness in size, 1 for equal: values change by a part of themselves more often than a hundredfold."""
    ours, other = abs(float(claimed.value)), abs(float(size))
    if ours == 0 or other == 0:
        return 0.0
    return min(ours / other, other / ours)


_OFTEN = {"count:time", "multiple"}
"""`20 times` is a factor beside `faster`, and a count where nothing says of what."""


def _kin(claimed: Quantity, found: Quantity, ours: str, theirs: str, plain: bool) -> float:
    if ours == theirs:
        if claimed.unit.startswith("count:") and found.unit.startswith("count:"):
            from kb.quantity.basis import noun_of, same_noun

            if same_noun(noun_of(claimed.unit), noun_of(found.unit)) is False:
                return KIN_BARE if plain else KIN_NOUN
        return KIN_SAME
    if claimed.unit == "count:time" and found.unit == "multiple":
        return KIN_SAME  # "up to 4 times", of something that is so much faster
    counted = ("count", "number", "ratio", "fraction", "multiple")
    if theirs == "number":
        if plain:
            return KIN_BARE
        return KIN_NOUN if ours.startswith("count") else KIN_FAR if ours in counted else 0.0
    if ours.startswith("count") and theirs.startswith("count"):
        return KIN_NOUN
    if {claimed.unit, found.unit} == _OFTEN:
        return KIN_BARE
    if ours == "number":
        return KIN_BARE if theirs.startswith("count") or theirs in counted else KIN_FAR if plain else 0.0
    if plain and ours.startswith("count") and theirs in counted:
        return KIN_NOUN
    return 0.0


def fit_date(claimed: Date, mention: Mention) -> Fit | None:
    """How a date on the page answers a claimed one, at the claim's precision."""
    found = mention.date
    if found is None:
        return None
    ours, theirs = claimed.value, found.value
    if ours == theirs:
        same = squeezed(claimed.text) == squeezed(mention.text)
        return Fit(Answer.VERBATIM if same else Answer.SAME, KIN_SAME)
    if claimed.readings or found.readings:
        left, right = {ours, *claimed.readings}, {theirs, *found.readings}
        if left & right:
            both = claimed.text.strip() == found.text.strip() or left == right
            return Fit(Answer.SAME if both else Answer.READINGS, KIN_SAME)
    if theirs.startswith(ours + "-"):
        return Fit(Answer.SAME, KIN_SAME)  # a finer date inside ours
    if ours.startswith(theirs + "-") or _inside(ours, theirs):
        return Fit(Answer.COARSER, KIN_BARE)
    if len(ours) != len(theirs):
        return Fit(Answer.OTHER, KIN_NOUN)
    return Fit(Answer.OTHER, KIN_SAME)


def _inside(ours: str, theirs: str) -> bool:
    """Whether an ISO day or month lies in a quarter such as 2024-Q3."""
    match = re.fullmatch(r"(\d{4})-Q([1-4])", theirs)
    if not match or not re.match(r"\d{4}-\d{2}", ours):
        return False
    return ours[:4] == match[1] and (int(ours[5:7]) - 1) // 3 + 1 == int(match[2])


_NEAR = 24  # characters in which the words of a figure such as `CUDA 12.3` stand beside its value


_NAMED = re.compile(
    r"(?<![\w.])(?P<name>(?:[A-Z][\w.+#-]{0,30}\s)?"
    r"(?P<last>(?![vV]er(?:sions?|\.)?[\s:]|[rR]eleases?[\s:])[^\W\d_][\w.+#-]{0,40}?))(?:\s(?:19|20)\d\d)?"
    r"(?P<sign>\s?\(?(?:[<>=~^!]=?|[≥≤])=?\s?)?"
    r"(?:\s?\(?(?:[vV]er(?:sion|\.)?s?|[rR]eleases?)\s?:?)?[\s:]{0,2}$"
)
_OF_NOTHING = frozenset(
    {
        "version", "versions", "release", "releases", "since", "until", "from", "requires",
        "require", "required", "minimum", "least", "supports", "supported", "using", "use",
        "before", "after", "and", "or", "to", "than", "in", "latest", "stable", "current", "now",
        "only", "default", "build", "series", "branch", "update", "upgrade", "install", "with",
        "at", "is", "are", "needs", "need", "through", "up", "newer", "older", "later", "earlier",
        "recommended", "tested", "v", "the", "a",
    }
)  # fmt: skip
"""Words before a version that name nothing which it could be of."""


def name_before(text: str, start: int) -> str:
    """The name that a version belongs to, right before it: `Loom>=1.8`, `Loom 2.1`, `Loom version 3`.

    A word without a capital is a name before a sign or a version with a point, if it does not join others.
    """
    match = _NAMED.search(text[max(0, start - 60) : start])
    if match is None or match["last"].casefold() in _OF_NOTHING:
        return ""
    plain = match["last"].casefold() in STOP or "." not in text[start : start + 6].split(" ")[0][:-1]
    sure = match["sign"] or any(c.isupper() for c in match["last"]) or not plain
    return match["name"] if sure else ""


_SINCE = re.compile(r"\b(?:since|as of|in|before|until|from|than)(?:\sversion)?\s$", re.IGNORECASE)
"""What stands before a version of the very thing that a text is about: `Since v3.0`."""


def fit_shape(value: str, mention: Mention, beside: frozenset[str], text: str) -> Fit | None:
    """How a token that is no quantity (a version, an address) answers a claimed one: to the letter.

    `beside` are the other words of the figure (`CUDA` of `CUDA 12.3`), which stand beside it in `text`;
    the version of another name than those is None, and so is one since which the text says something.
    """
    if beside and SHAPES["version"].fullmatch(mention.text):
        name = name_before(text, mention.start)
        if name and speech(name).keys().isdisjoint(beside):
            return None
    near = speech(text[max(0, mention.start - _NEAR) : mention.end + _NEAR // 2]).keys()
    kin = KIN_SAME if beside <= near else KIN_NOUN if beside & near else KIN_FAR
    if kin == KIN_FAR and _SINCE.search(text, 0, mention.start):
        return None  # a version of what the page is about
    if ("." in value) != ("." in mention.text):
        kin *= KIN_NOUN  # a step of a recipe is no version
    return Fit(_spelled_answer(squeezed(value), squeezed(mention.text)), kin)


def _spelled_answer(ours: str, theirs: str) -> Answer:
    if ours == theirs:
        return Answer.VERBATIM
    if re.fullmatch(r"0x[0-9a-f]+", ours) and re.fullmatch(r"0x[0-9a-f]+", theirs):
        return Answer.SAME if int(ours, 16) == int(theirs, 16) else Answer.OTHER
    if ours.replace("–", "-") == theirs.replace("–", "-") or _same_version(ours, theirs):
        return Answer.SAME
    return Answer.OTHER


_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)((?:\.[x*])?)")


def _same_version(ours: str, theirs: str) -> bool:
    """Whether two dotted versions are one: 3.8 is 3.8.0, v2.1 is 2.1, 3.x is 3."""
    a, b = _VERSION.fullmatch(ours), _VERSION.fullmatch(theirs)
    if a is None or b is None or "." not in a[1] + b[1] + a[2] + b[2]:
        return False
    return re.sub(r"(?:\.0)+$", "", a[1]) == re.sub(r"(?:\.0)+$", "", b[1])


def as_written(fit: Fit | None, value: str, rest: str, mention: Mention, text: str) -> Fit | None:
    """A little less kin for our value where the figure's other words are not beside it as we wrote them."""
    if fit is None or not fit.answer.holds or not rest.strip():
        return fit
    around = text[max(0, mention.start - len(value)) : mention.end + len(value)]
    return fit if squeezed(value) in squeezed(around) else replace(fit, kin=fit.kin * AS_WRITTEN)
