"""The language of a page that does not say it, by the commonest words of some languages."""

from __future__ import annotations

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

ENOUGH = 20  # common words; fewer tell no language
LEAD = 2.0  # how many times as many as of the next language


def language_of(texts: Iterable[str]) -> str | None:
    """The language that most of the common words belong to; None where it is not plain."""
    heard: Counter[str] = Counter()
    for text in texts:
        for word in text.lower().split():
            for lang in _OF.get(word, ()):
                heard[lang] += 1
    ranked = heard.most_common(2)
    if not ranked or ranked[0][1] < ENOUGH:
        return None
    if len(ranked) > 1 and ranked[0][1] < LEAD * ranked[1][1]:
        return None
    return ranked[0][0]
