"""The marks of obstacles, loaded from their file, and what they add up to on one answer."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from kb.page.obstacle_look import ENOUGH, Line, Look, count_words, sentences
from kb.reasons import Reason

SOURCE = 60_000
"""Characters at each end of the markup in which marks are looked for."""

_PLACES = ("title", "head", "form", "says", "source", "url")
_UNEXPLAINED = 150
"""Words beyond which sentences alone, without any other mark, cannot make an obstacle."""

_EXPLAINED = 25
"""Words of one sentence that a mark in it explains; what is longer has more to say."""

_FIGURE = 4
"""Words that a figure in an unexplained sentence counts for: notices have few, pages are cited for theirs."""

_NOTICE = 45
"""Words of a page that may be nothing but a notice."""

_NOTICE_LINES = 6
_NOTICE_LONG = (
    20_000  # characters of a page of few words, its menus and footer included; a longer one is data
)

_FIGURES = re.compile(r"\d(?![\d ]*(?:©|\(c\)))")

_OFFERS = re.compile(
    r"popular|you (?:may|might) (?:also )?(?:like|be interested)|related|recommend|recent|best-?sell|similar|"
    r"more from|other (?:products|articles|pages|offers)|also bought|latest|trending|top (?:stories|sellers)|"
    r"das könnte|beliebt|ähnliche|empfehl|neueste|vous (?:aimerez|pourriez)|populaires|similaires|récents|"
    r"te puede|relacionad|recientes|potrebbe|correlati|gerelateerd|populair|похожие|популярн|рекоменд|"
    r"相关|推荐|おすすめ|関連",
    re.I,
)
"""Headings under which a page offers something else."""

_QUOTED = re.compile(
    '“[^”]{1,90}”|„[^“”]{1,90}[“”]|«[^»]{1,90}»|"[^"]{1,90}"|‘[^’]{4,90}’(?!\\w)|「[^」]{1,60}」'
)
"""Words in quotation marks: whoever quotes a notice does not give one."""


@dataclass(frozen=True, slots=True)
class _Rule:
    reason: str
    by: str
    weight: float
    wall: bool
    support: bool
    header: tuple[tuple[str, re.Pattern[str]], ...]
    places: Mapping[str, re.Pattern[str]]


@dataclass(slots=True)
class Marks:
    """What speaks for one reason.

    Attributes:
        score: the weights found.
        by: who put the obstacle there, where a rule names it.
        own: words of the page that no rule of this reason explains.
        sentences: sentences, of six words or more, among those.
        wall: whether the text breaks off at words that ask for an account or a payment.
        places: where marks were found.
    """

    score: float = 0.0
    by: str = ""
    own: int = 0
    sentences: int = 0
    wall: bool = False
    places: set[str] = field(default_factory=set)

    @property
    def rank(self) -> float:
        """The score, less what it leaves unexplained: of two that hold, the one that explains more leads."""
        return self.score - self.own / 10

    def hold(self, lenient: float = 1.0) -> bool:
        """Whether the answer is this obstacle: what it says of its own is too little for a page.

        The more speaks for the obstacle, the more text of its own it may have. From the
        labelled answers: refusals and notices stay below half of these bounds, the
        shortest articles about such things are above them.
        """
        if self.score < 2:
            return False
        over = self.score - 2
        words = 8 + 9 * over if self.places != {"says"} else 4 + 7 * over
        lines = 1 + over / 2
        if self.wall:
            words, lines = words + 150, lines + 10
        if "url" in self.places:
            words, lines = words + 100, lines + 6
        return self.own <= words * lenient and self.sentences <= lines * lenient


@cache
def _rules() -> tuple[_Rule, ...]:
    text = files("kb.page").joinpath("obstacle_rules.toml").read_text(encoding="utf-8")
    return tuple(_rule(entry) for entry in tomllib.loads(text)["rule"])


@cache
def _weak() -> tuple[tuple[Reason, tuple[re.Pattern[str], ...]], ...]:
    text = files("kb.page").joinpath("obstacle_rules.toml").read_text(encoding="utf-8")
    found = []
    for entry in tomllib.loads(text)["weak"]:
        found.append((Reason(entry["reason"]), tuple(re.compile(words, re.I) for words in entry["words"])))
    return tuple(found)


def _rule(entry: Mapping[str, object]) -> _Rule:
    def patterns(place: str) -> list[str]:
        found = entry.get(place, [])
        assert isinstance(found, list)
        return [str(p) for p in found]

    header = []
    for pattern in patterns("header"):
        name, _, value = pattern.partition(": ")
        header.append((re.compile(name + r"\Z", re.I), re.compile(value, re.I)))
    weight = entry["weight"]
    assert isinstance(weight, (int, float))
    return _Rule(
        reason=str(entry["reason"]),
        by=str(entry.get("by", "")),
        weight=float(weight),
        wall=bool(entry.get("wall", False)),
        support=bool(entry.get("support", False)),
        header=tuple((name.pattern, value) for name, value in header),
        places={
            place: re.compile("|".join(f"(?:{p})" for p in found), 0 if place == "source" else re.I | re.M)
            for place in _PLACES
            if (found := patterns(place))
        },
    )


class Weighing:
    """One answer under all rules."""

    def __init__(self, look: Look, headers: Mapping[str, str], requested: str, url: str) -> None:
        self._look = look
        self._headers = headers
        self._url = url if url != requested else ""
        self._requested = requested
        self._title = look.title
        self._lines = [line for line in look.lines if line.part != "frame"]
        headings = [line.text for line in self._lines if line.heading]
        first = [line.text for line in self._lines if line.part in ("main", "dialog")][:1]
        self._heads = [h for h in dict.fromkeys(headings[:3] or first) if len(h) <= 160]
        self._wordy = look.words("main", "dialog") > ENOUGH
        self._found: dict[str, Marks] = {}
        self._source: str | None = None

    def marks(self, reason: Reason) -> Marks:
        """What speaks for `reason`."""
        key = str(reason)
        if key not in self._found:
            self._found[key] = self._weigh(key)
        return self._found[key]

    def notice(self) -> Reason | None:
        """What a page of a few words is a notice about; None where it has more, or speaks of nothing such.

        No word decides alone: two such marks must be there, more in more words or beside a figure.
        """
        main = [line for line in self._lines if line.part in ("main", "dialog")]
        words = sum(max(0, line.words - line.linked) for line in main)
        figures = sum(bool(_FIGURES.search(line.text)) for line in main)
        if not self._look.markup or not 0 < words <= _NOTICE or figures > 1 or len(main) > _NOTICE_LINES:
            return None
        said = "\n".join([self._title, *(line.text for line in self._lines if line.part != "noscript")])
        if len(said) > _NOTICE_LONG:
            return None  # few words, but endless ones
        best: tuple[int, Reason] | None = None
        for reason, patterns in _weak():
            hits = sum(bool(pattern.search(said)) for pattern in patterns)
            hits += bool(hits and self.marks(reason).places & {"header", "source", "form"})
            if best is None or hits > best[0]:
                best = hits, reason
        assert best is not None
        enough = 2 + (words > _NOTICE // 2) + figures
        return best[1] if best[0] >= enough else None

    def _weigh(self, reason: str) -> Marks:
        marks = Marks()
        rules = [rule for rule in _rules() if rule.reason == reason]
        for rule in rules:
            for name, value in rule.header:
                if any(re.match(name, n, re.I) and value.search(v) for n, v in self._headers.items()):
                    self._add(marks, rule, "header")
                    break
            for place in ("url", "title", "head", "form", "source"):
                if place in rule.places and self._stands(rule.places[place], place):
                    self._add(marks, rule, place)
        words = self._look.words("main", "dialog")
        marks.own = words
        if self._wordy or (not marks.places and words > _UNEXPLAINED and not any(r.wall for r in rules)):
            return marks
        self._listen(marks, rules, reason)
        return marks

    def _add(self, marks: Marks, rule: _Rule, place: str) -> None:
        marks.score += rule.weight
        marks.by = marks.by or rule.by
        marks.places.add(place)
        marks.wall = marks.wall or (rule.wall and place == "says")

    def _stands(self, pattern: re.Pattern[str], place: str) -> bool:
        if place == "url":
            # What was asked for may itself be such an address: documentation, a page on consent.
            return bool(self._url and pattern.search(self._url) and not pattern.search(self._requested))
        if self._wordy:
            return False
        if place == "title":
            # A title is often "name of the page | name of the site", in either order.
            if self._title or not self._heads:
                return bool(self._title and pattern.search(self._title))
            # A single word that opens a text may be a key of JSON.
            first = self._heads[0]
            return (self._look.markup or " " in first) and bool(pattern.search(first))
        if place == "form":
            return any(line.part == "form" and pattern.search(line.text) for line in self._lines)
        if place == "head":
            title = self._title.casefold()
            return any(
                pattern.search(h)
                for number, h in enumerate(self._heads)
                if not (h.casefold() in title or (title and title in h.casefold()))
                and (self._title or number)
            )
        if self._source is None:
            source = self._look.source
            self._source = source if len(source) <= 2 * SOURCE else f"{source[:SOURCE]}\n{source[-SOURCE:]}"
        return bool(pattern.search(self._source))

    def _listen(self, marks: Marks, rules: list[_Rule], reason: str) -> None:
        """Weigh what the page says, and count the words that this does not explain."""
        if not marks.places:
            rules = [rule for rule in rules if not rule.support]
        saying = [(rule, rule.places["says"]) for rule in rules if "says" in rule.places]
        explaining = [rule.places[p] for rule in rules for p in ("says", "head", "title") if p in rule.places]
        explaining += [r.places["says"] for r in _rules() if r.reason == "any"]
        heard: set[int] = set()
        own = full = 0
        spoken = self._spoken()
        whole = "\n".join(sentence for _, sentence in spoken)
        saying = [(rule, pattern) for rule, pattern in saying if pattern.search(whole)]
        after = 0
        offers = self._offers() if reason == Reason.SOFT_404 else len(self._lines)
        others = {id(line) for line in self._lines[offers:]}
        for line, sentence in reversed(spoken):
            count = max(0, count_words(sentence) - min(line.linked, count_words(sentence)))
            explained = False
            heard_here = _QUOTED.sub(" ", sentence)
            for number, (rule, pattern) in enumerate(saying):
                if pattern.search(heard_here):
                    explained = True
                    if number not in heard and not (rule.wall and after > 25):
                        heard.add(number)
                        self._add(marks, rule, "says")
            if line.part not in ("main", "dialog") or id(line) in others:
                continue
            if explained or any(p.search(heard_here) for p in explaining):
                own += max(0, count - _EXPLAINED)
                continue
            own += count + (_FIGURE if re.search(r"\d", sentence) else 0)
            after += count
            full += count >= 6
        marks.own, marks.sentences = own, full

    def _offers(self) -> int:
        """Where the page turns to other things than what was asked for: they say nothing of it."""
        for number, line in enumerate(self._lines):
            if number and line.heading and _OFFERS.search(line.text):
                return number
        return len(self._lines)

    def _spoken(self) -> list[tuple[Line, str]]:
        """Sentences of the page, without its frame; of a page with much to say, no more than matter."""
        found: list[tuple[Line, str]] = []
        for line in self._lines:
            found += [(line, s[:1000]) for s in sentences(line.text)]
            if len(found) > 400:
                break
        return found
