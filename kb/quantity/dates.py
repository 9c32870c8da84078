"""Text to dates, at their precision: ISO 8601, the usual orders and languages, quarters, fiscal years."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from kb.quantity.lexicon import months, word_set
from kb.quantity.numerals import language
from kb.quantity.plain import original, plain
from kb.quantity.quantity import Date

_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4} | {
    "erste": 1, "ersten": 1, "zweite": 2, "zweiten": 2, "dritte": 3, "dritten": 3, "vierte": 4, "vierten": 4,
    "premier": 1, "deuxième": 2, "troisième": 3, "quatrième": 4,
}  # fmt: skip

_MONTH_FIRST = frozenset({"en"})
"""Languages in which 04/05/2024 is often April: both orders stay open, and this one leads."""


def _branches(words: frozenset[str]) -> str:
    """A pattern for any of the words, the longest first, that looks at each letter once."""
    heads = sorted({w[0] for w in words if w})
    inner = [re.escape(h) + _branches(frozenset(w[1:] for w in words if w[:1] == h)) for h in heads]
    if "" in words:
        inner.append("")
    return inner[0] if len(inner) == 1 else f"(?:{'|'.join(inner)})"


@cache
def _pattern() -> re.Pattern[str]:
    names = _branches(frozenset(months()))
    year = r"(?:1[5-9]|20|21)\d\d"
    edge = r"(?:(?<![\w.,/$€£¥#+-])(?<!\d:)|(?<=mid-)|(?<=end-)|(?<=late-)|(?<=early-))"
    clock = r"\d\d:\d\d(?::\d\d)?(?:\s[A-Z]{3,4})?"  # Sep 17 16:00:00 GMT 2040
    sep = r"(?:\.\s?|\s|-|\sde\s|\sdel\s|\sof\s|,\s)"
    return re.compile(
        rf"""{edge}(?:
          (?P<iso>{year}-(?:[01]\d(?:-[0-3]\d)?|1?\d-[0-3]?\d))
            (?:[T\ ][0-2]?\d:\d\d(?::\d\d(?:[.,]\d{{1,9}})?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\w-]|\.\d)
        | (?P<ymd>{year}(?P<s1>[./])[01]?\d(?P=s1)[0-3]?\d)(?![\w./-]*\d)
        | (?P<compact>20\d\d[01]\d[0-3]\d)(?![\w.,%]|\s?[%°€$])
        | (?P<ym>{year}/(?:0[1-9]|1[0-2]|(?<=\[\d{{4}}/)[1-9](?=\])))(?![\w/–-]|[.,]\d)
        | (?<=\[)(?P<short>\d\d/[01]\d/[0-3]\d)(?=\])
        | (?P<ymond>{year}[-\s./](?:{names})[-\s./][0-3]?\d)(?![\w-]|[.,]\d)
        | (?P<slash>\d{{1,2}}(?P<s2>[./-])\d{{1,2}}(?P=s2)(?:{year}|\d\d))(?![\w/-]|[.,:]\d)
        | (?P<dotmy>(?:0[1-9]|1[0-2])[./]{year})(?![\w/-]|[.,]\d)
        | (?P<cjk>{year}\s?[年년](?:\s?\d{{1,2}}\s?[月월](?:\s?\d{{1,2}}\s?[日일])?)?)
        | (?P<d>[0-3]?\d)(?:st|nd|rd|th|er|º)?{sep}(?P<m>{names})(?![^\W\d_])\.?
            (?:(?:,?\s|-|\sde\s|\sdel\s|\sof\s|,\s)(?P<y>{year}|['’]\d\d))?(?![\w]|[.,]\d)
        | (?P<fy>(?:FY|fiscal(?:\s year)?|Geschäftsjahr|exercice)\s?['’]?)(?P<fyn>{year}|\d\d)
            (?:[-/–](?P<fy2>\d\d(?:\d\d)?))?(?![\w.,]\d|\w)
        | (?P<cy>CY\s?['’]?)(?P<cyn>{year}|\d\d)(?:[\s-]?Q(?P<cyq>[1-4]))?(?!\w)
        | [QT](?P<q>[1-4])[\s/,-]{{0,2}}(?P<qf>FY\s?|CY\s?)?(?P<qy>{year}|['’]\d\d|(?<=Y)\d\d)(?!\w|[.,]\d)
        | (?P<q3>[1-4])[QT][\s-]?(?P<q3y>{year}|['’]?\d\d)(?!\w|[.,]\d)
        | (?P<qy2>{year})[\s/-]{{0,2}}[QT](?P<q2>[1-4])(?!\w)
        | (?P<qw>{"|".join(_QUARTERS)})\s(?:quarter|quartal|trimestre)\s
            (?:of\s|de\s|des\s(?:Jahres\s)?)?(?P<qwy>{year})(?!\w|[.,]\d)
        | (?P<m2>{names})(?![^\W\d_])\.?
            (?:(?:\s\s?|-|(?<=\.))(?P<d2>[0-3]?\d)(?:st|nd|rd|th)?(?![\w:]|[.,]\d)
              (?:(?:\s?[-–]\s?[0-3]?\d(?:st|nd|rd|th)?(?=,?\s{year})|\s{clock})?[,.]?\s(?P<y2>{year}|['’]\d\d)(?![\d%]))?
              |(?:\s|,\s|-|\sde\s|\sdel\s|\sof\s)(?P<y3>{year}|['’]\d\d)(?!\w|[.,]\d))
        | (?P<year>{year})(?!\w|[.,:]\d|['’]\d)
        )""",
        re.VERBOSE | re.IGNORECASE,
    )


def dates(text: str, lang: str | None = None) -> list[Date]:
    """Read all dates in a text, in order.

    Years stand alone only where nothing makes them a number of something: not
    in prices, versions or names. Where the order of day and month is open,
    `readings` has the other one.
    """
    clean, offsets = plain(text)
    out: list[Date] = []
    for begin, stop in _dated_lines(clean):
        for m in _pattern().finditer(clean, begin, stop):
            values = _values(m, clean, language(lang))
            if values:
                a, b = original(offsets, *m.span())
                out.append(Date(values[0], text[a:b], a, b, tuple(values[1:])))
    return out


def _dated_lines(text: str) -> Iterator[tuple[int, int]]:
    """The lines in which a date may stand."""
    if "\n" not in text:
        if dated(text):
            yield 0, len(text)
        return
    pos = 0
    for line in text.split("\n"):
        if line and dated(line):
            yield pos, pos + len(line)
        pos += len(line) + 1


@cache
def _month_names() -> frozenset[str]:
    return frozenset(months())


_DIGITS = re.compile(
    r"\d(?:(?:(?<=1)[5-9]|(?<=2)[01])\d\d(?!\d)|[./-]\d{1,2}[./-]\d|(?<=2)0\d{6}(?!\d)|\s?[年년월月]|[QT]\s?['’]?\d)"
)
_MARKED = re.compile(r"(?:[QT][1-4][\s/,-]{0,2}(?:['’]|[FC]Y)|[FC]Y\s?['’]?)\d|['’]\d\d(?!\d)")
_ONE_DIGIT = re.compile(r"\d")
_SPLIT = str.maketrans(".,(", "   ")


def dated(text: str) -> bool:
    """Whether a date may stand in the text: a cheap look before the whole pattern."""
    if _DIGITS.search(text) or (("Y" in text or "'" in text or "’" in text) and _MARKED.search(text)):
        return True
    if not _ONE_DIGIT.search(text):
        return False
    return not _month_names().isdisjoint(text.lower().translate(_SPLIT).split())


def dates_between(text: str, lang: str | None, *, years: bool = True) -> list[tuple[int, int]]:
    """The spans of dates in a text without markup, so that no quantity is read out of them.

    `years` False: four digits alone may be a number, as under a header that says so.
    """
    if not dated(text):
        return []
    out = []
    for m in _pattern().finditer(text):
        if (years or not m["year"]) and _values(m, text, language(lang)):
            out.append(m.span())
    return out


def _values(m: re.Match[str], text: str, lang: str | None) -> list[str]:
    g = m.groupdict()
    if g["year"]:
        return [g["year"]] if year_stands_alone(text, m.start(), m.end()) else []
    for read in (_numeric, _worded, _quarter):
        values = read(g, lang, m)
        if values:
            return values
    return []


def _numeric(g: dict[str, str | None], lang: str | None, m: re.Match[str]) -> list[str]:
    if g["iso"]:
        return _iso(*g["iso"].split("-"))
    if g["ymd"]:
        return _iso(*re.split(r"[./]", g["ymd"]))
    if g["ym"]:
        year, month = g["ym"].split("/")
        return [year] if (int(year) + 1) % 100 == int(month) else _iso(year, month)  # 2011/12: a season
    if g["short"]:
        year, month, day = g["short"].split("/")  # [24/05/14] in a list of news, as ISO 8601 has it
        return _iso(_century(year), month, day)
    if g["compact"]:
        c = g["compact"]
        return _iso(c[:4], c[4:6], c[6:])
    if g["dotmy"]:
        month, year = re.split(r"[./]", g["dotmy"])
        return _iso(year, month)
    if g["cjk"]:
        return _iso(*re.findall(r"\d+", g["cjk"]))
    if g["ymond"]:
        year, name, day = re.split(r"[-\s./]+", g["ymond"])
        return _iso(year, str(months()[name.lower()]), day)
    if g["slash"]:
        first, second, year = re.split(r"[./-]", g["slash"])
        return _open_order(first, second, year, g["s2"] or "", lang)
    return []


def _open_order(first: str, second: str, year: str, mark: str, lang: str | None) -> list[str]:
    if len(year) == 2:
        if mark == "." and len(first) + len(second) < 3:
            return []  # 1.2.34 is a version
        year = _century(year)
    day_first, month_first = _iso(year, second, first), _iso(year, first, second)
    if mark == "." and day_first:
        return day_first
    if lang is None or lang in _MONTH_FIRST:
        return list(dict.fromkeys(month_first + day_first))
    return day_first or month_first


def _worded(g: dict[str, str | None], lang: str | None, m: re.Match[str]) -> list[str]:
    name = g["m"] or g["m2"]
    if not name:
        return []
    month = str(months()[name.lower()])
    year, day = g["y"] or g["y2"] or g["y3"], g["d"] or g["d2"]
    if year:
        year = _century(year[1:]) if year[0] in "'’" else year
        return _iso(year, month, day) if day else _iso(year, month)
    if not day or not (name[0].isupper() or (lang not in (None, "en") and len(name) > 3)):
        return []  # "may 5" is no date, "May 5" is
    if name.lower() in _ALSO_WORDS and lang in (None, "en"):
        return []
    whole = _iso("2000", month, day)
    return [f"--{whole[0][5:]}"] if whole else []


_ALSO_WORDS = frozenset({"set", "gen", "out", "mag", "ago", "ene", "jam", "ott", "lug"})
"""Months of other languages that are common words or short for them in English: Gen 2, Set 3."""


def _quarter(g: dict[str, str | None], lang: str | None, m: re.Match[str]) -> list[str]:
    if g["fy"]:
        last = g["fy2"] or g["fyn"] or ""
        return [f"FY{_century(last) if len(last) == 2 else last}"]
    if g["cy"]:
        year = g["cyn"] or ""
        year = _century(year) if len(year) == 2 else year
        return [f"{year}-Q{g['cyq']}" if g["cyq"] else year]
    quarter = g["q"] or g["q2"] or g["q3"] or _QUARTERS.get((g["qw"] or "").lower())
    year = (g["qy"] or g["qy2"] or g["q3y"] or g["qwy"] or "").lstrip("'’")
    if not quarter or not year:
        return []
    year = _century(year) if len(year) == 2 else year
    return [f"FY{year}-Q{quarter}" if (g["qf"] or "").upper().startswith("F") else f"{year}-Q{quarter}"]


def _century(two: str) -> str:
    return ("20" if int(two) < 70 else "19") + two


def _iso(year: str, month: str = "", day: str = "") -> list[str]:
    """The date in ISO 8601, in a list; an empty list where there is no such date."""
    if not month:
        return [year]
    if not 1 <= int(month) <= 12:
        return []
    if not day:
        return [f"{year}-{int(month):02}"]
    if not 1 <= int(day) <= _DAYS[int(month) - 1]:
        return []
    leap = int(year) % 4 == 0 and (int(year) % 100 != 0 or int(year) % 400 == 0)
    if int(month) == 2 and int(day) == 29 and not leap:
        return []
    return [f"{year}-{int(month):02}-{int(day):02}"]


_BEFORE_YEAR = re.compile(
    r"(?:^|[(\[→,;:·|–—/>\"'=-]|=\s?\{|\b(?:in|by|the|since|until|till|from|of|during|before|after|through|to|and|or|for|early|late"
    r"|mid|end|year|years|circa|as of|around|between|spring|summer|autumn|fall|winter"
    r"|seit|im|ab|bis|ende|anfang|mitte|jahr"
    r"|en|depuis|fin|début|année|desde|hasta|año|nel|em|sedan|sinds|vor|nach|und|oder|von|ca|copyright|©|le|del|de|a|à))\s*$",
    re.IGNORECASE,
)
_AFTER_YEAR = re.compile(
    r"\s?[-–]?(?:[%°€$£¥x×+*^_@]|[\w]{1,4}/s|(?:bits|bytes|octets)\b|(?:[kMGTP]i?)?(?:B|b|bit|Hz|W|Wh|bps|Bps)\b|(?:mm|cm|km|m|kg|g|s|ms|h|min|nm|px)\b)"
    r"|\s(?:to\s)?(?!(?:1[5-9]|20|21)\d\d(?!\d))\d|\.\d|\s(?:per|pro)\s"
)
_AFTER_NOUN = re.compile(
    r"\s(?:(?P<first>[A-Za-z][\w-]*)\s){0,1}(?P<noun>[A-Z]{2,5}s\b|[a-z]{3,}s\b(?<!was)(?<!has)(?<!its)(?<!this)(?<!ss))"
)
_BY_AMOUNT = re.compile(
    r"(?i)\b(?:and|or|to|of|for|from|between|around|than|und|oder|bis|von|et|ou|à|de|y|o)\s*$"
)
"""Words before a number that say an amount as often as a year."""

_ANOTHER_YEAR = re.compile(
    r"(?i)\b(?:1[5-9]|20|21)\d\d(?:[-–/]\d\d)?,?\s(?:and|or|to|through|until|und|oder|bis|et|ou|à|y|o)\s*$"
)
_ROUND_YEARS = frozenset({2000, 2048})
_LISTED_BEFORE = re.compile(r"(?<![\d.,])(?!(?:1[5-9]|20|21)\d\d\D)\d{3,6},?\s(?:(?:and|or|to)\s)?$")
_LISTED_AFTER = re.compile(
    r"(?:,\s(?:(?:and|or)\s)?|\s(?:and|or|to)\s)(?!(?:1[5-9]|20|21)\d\d\b)\d{3,6}(?![\d.,%])"
)
_UNTIL_NOW = range(1985, 2061)


def year_stands_alone(text: str, begin: int, stop: int) -> bool:
    """Whether four digits are a year: placed like one, and not a number of something."""
    if _AFTER_YEAR.match(text, stop):
        return False
    before = text[max(0, begin - 24) : begin]
    placed = bool(_BEFORE_YEAR.search(before))
    year = int(text[begin:stop])
    if _counts(text, stop) and not (
        placed and year in _UNTIL_NOW and re.search(r"\w\s*$", before) and not _amount(year, before)
    ):
        return False
    if _LISTED_BEFORE.search(before) and _LISTED_AFTER.match(text, stop):
        return False  # 1024, 2048 or 4096
    if re.match(r"\s?\|", text[stop : stop + 2]) and re.search(r"\w $", before):
        return year in _UNTIL_NOW
    if text[stop : stop + 1] == ")" and re.search(r"[a-z] $", before):
        return year in _UNTIL_NOW
    if year not in _UNTIL_NOW:
        return placed and bool(re.search(r"(?i)\b(?:in|since|by|of|seit|im|en|until|from)\s*$", before))
    return placed


def _counts(text: str, stop: int) -> bool:
    """Whether a plural noun follows: what is counted, and no verb (in 2024 the firm has)."""
    m = _AFTER_NOUN.match(text, stop)
    return m is not None and m["noun"] not in _no_nouns() and (m["first"] or "").lower() not in _no_nouns()


@cache
def _no_nouns() -> frozenset[str]:
    return word_set("stop", "en", "verb") | word_set("not plural")


def _amount(year: int, before: str) -> bool:
    """Whether digits before a plural noun are an amount all the same: and 2048 entries, to 2000 users."""
    if year in _ROUND_YEARS:
        return not re.search(
            r"(?i)\b(?:since|by|until|before|after|early|late|mid|year|summer|winter)\s*$", before
        )
    return bool(_BY_AMOUNT.search(before)) and not _ANOTHER_YEAR.search(before)
