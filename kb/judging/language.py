"""The language of a page that does not say it, by its script or the commonest words of some languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_COMMON = {
    "en": "the of and to in is for that with are this be as on or it by from at an",
    "de": "der die und das den von zu mit ist des im für auf ein eine nicht werden sich dem oder",
    "fr": "le la les des et est une du dans pour que par sur sont avec aux pas plus ou cette",
    "es": "el la los las de que y en del para por con una es se al como más su lo",
    "it": "il di che la e per un del una non con sono della le si da gli nel alla più",
    "pt": "o de que e do da em para com uma os não no na por mais das dos ao são",
    "nl": "de het een en van is dat op te voor met niet zijn aan door bij ook naar uit wordt",
}
_OF: dict[str, list[str]] = {}
for _lang, _words in _COMMON.items():
    for _word in _words.split():
        _OF.setdefault(_word, []).append(_lang)

ENOUGH = 20  # common words; fewer tell no language, unless they are all of one
LEAD = 2.0  # how many times as many as of the next language
FEW = 5  # common words of a short page, of which
ALL_BUT = 3.0  # times as many must be of one language as of the next

_SCRIPTS = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "zh": re.compile("[\u3400-\u9fff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "hi": re.compile("[\u0900-\u097f]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "el": re.compile("[\u0370-\u03ff]"),
}
"""Languages that alone, or nearly, are written in their script; Japanese has Chinese characters too."""

_LETTERS = re.compile(r"[^\W\d_]")
SAMPLE = 20_000  # characters whose script is looked at
WRITTEN = 0.2  # of the letters are in a script that a page is written in: its code and names are not


def language_of(texts: Iterable[str]) -> str | None:
    """The language that the script or most of the common words belong to; None where it is not plain."""
    heard: Counter[str] = Counter()
    sample: list[str] = []
    size = 0
    for text in texts:
        if size < SAMPLE:
            sample.append(text)
            size += len(text)
        for word in text.lower().split():
            for lang in _OF.get(word, ()):
                heard[lang] += 1
    if script := _by_script("".join(sample)[:SAMPLE]):
        return script
    ranked = heard.most_common(2)
    second = ranked[1][1] if len(ranked) > 1 else 0
    for enough, lead in ((ENOUGH, LEAD), (FEW, ALL_BUT)):
        if ranked and ranked[0][1] >= enough and ranked[0][1] >= lead * second:
            return ranked[0][0]
    return None


def _by_script(text: str) -> str | None:
    if text.isascii():
        return None
    letters = len(_LETTERS.findall(text))
    for lang, pattern in _SCRIPTS.items():
        if (found := len(pattern.findall(text))) and found >= WRITTEN * letters:
            return lang
    return None
