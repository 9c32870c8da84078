"""The unit of work: all captures of one URL, read once each, and all claims judged on them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from kb.claims import Claim, claim_digest
from kb.engine import resume
from kb.engine.memory import Memory, headers_text, key, reading_back, reading_text
from kb.judging import Verdict, judge_page, stated_on, verdict_from_json
from kb.page import Page, Unread, read_body, read_response
from kb.reasons import Outcome
from kb.snapshots import Capture

LoadBody = Callable[[Capture], bytes | None]
"""Gives a capture's body; None where the archive cannot (it tells why itself)."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One URL with the claims of all its sources, and its captures in the order of time.

    `after` is empty where these are all captures; else the place of the last one before them,
    from which judging goes on (`can_go_on` says whether it can).
    """

    url: str
    claims: tuple[Claim, ...]
    captures: tuple[Capture, ...]
    after: str = ""


@dataclass(frozen=True, slots=True)
class JudgedCapture:
    """One capture with the verdicts on it, in the order of the unit's claims.

    `unread` says why the capture is not the page; None where it was read.
    """

    capture: Capture
    unread: Unread | None
    verdicts: tuple[Verdict, ...]


@dataclass(slots=True)
class _Reading:
    """One capture as read: `name` stands for all that its page follows from; the page is parsed on demand.

    `says` stands for all that is on the page, wherever the bytes differ.
    """

    capture: Capture
    name: bytes
    page: Page | None = None
    says: str = ""


@dataclass(slots=True)
class _Last:
    """The last capture that was read."""

    reading: _Reading
    verdicts: tuple[Verdict, ...]
    claims: tuple[Claim, ...]


def _said_of_a_copy(judged: JudgedCapture) -> JudgedCapture:
    """Let each verdict on an archived copy say that it is one, and which."""
    memento = judged.capture.memento
    if not memento or judged.unread:
        return judged
    said = f"read in an archived copy, {memento}"
    verdicts = tuple(replace(v, detail=f"{v.detail}; {said}" if v.detail else said) for v in judged.verdicts)
    return replace(judged, verdicts=verdicts)


class _LostError(Exception):
    """The archive cannot give a body."""


def judge_unit(unit: Unit, load_body: LoadBody, memory: Memory | None = None) -> list[JudgedCapture]:
    """Read each capture and judge each claim on it, in the order of time.

    A change is measured from the newest earlier capture on which the claim held
    (decision 0002). A capture that brings the very bytes of the last reading gets
    its verdicts, and what `memory` has is not made again: neither costs a parse.
    Other bytes on which the very same stands get its verdicts as well, once they are parsed.
    A capture whose body the archive cannot give is left out.
    """
    memory = memory or Memory(None)
    judging = _Judging(unit, load_body, memory)
    if unit.after:
        judging.go_on()
    judged = judging.all()
    if unit.captures:
        memory.put(_state_name(unit), judging.left_off())
    return judged


def can_go_on(unit: Unit, memory: Memory) -> bool:
    """Whether `memory` knows where judging the URL left off."""
    return resume.goes_on(memory.get(_state_name(unit)), unit.after, unit.claims) is not None


def is_remembered(unit: Unit, memory: Memory) -> bool:
    """Whether all captures of the URL up to the last were judged before, as far as `memory` knows."""
    upto = resume.place(unit.captures[-1])
    return resume.goes_on(memory.get(_state_name(unit)), upto, unit.claims) is not None


def _state_name(unit: Unit) -> bytes:
    return key("left off", unit.url)


class _Judging:
    def __init__(self, unit: Unit, load_body: LoadBody, memory: Memory) -> None:
        self.unit = unit
        self.load_body = load_body
        self.memory = memory
        self.last: _Last | None = None
        self.held: dict[str | None, _Reading] = {}
        self.loaded: list[_Reading] = []  # those with a page in memory

    def go_on(self) -> None:
        """Take up judging where it left off."""
        data = resume.goes_on(self.memory.get(_state_name(self.unit)), self.unit.after, self.unit.claims)
        if data is None:
            raise LookupError(f"it is not known where judging {self.unit.url} left off")
        readings: dict[bytes, _Reading] = {}

        def reading(where: resume.Marked) -> _Reading:
            return readings.setdefault(where[1], _Reading(*where))

        last = resume.last_back(data)
        if last is not None:
            capture = last[0][0]
            claims = tuple(stated_on(c, capture.time.date()) for c in self.unit.claims)
            self.last = _Last(reading(last[0]), last[1], claims)
            self.last.reading.says = data["says"]
        self.held = {name: reading(where) for name, where in resume.held_back(data).items()}

    def left_off(self) -> str:
        """Where judging stands now, as text."""
        last = self.last
        return resume.left_off(
            resume.place(self.unit.captures[-1]),
            self.unit.claims,
            None if last is None else ((last.reading.capture, last.reading.name), last.verdicts),
            {name: (r.capture, r.name) for name, r in self.held.items()},
            "" if last is None else last.reading.says,
        )

    def all(self) -> list[JudgedCapture]:
        judged = []
        for capture in self.unit.captures:
            try:
                judged.append(_said_of_a_copy(self._one(capture)))
            except _LostError:
                continue  # the archive has told what is wrong with it
            self._forget_pages()
        return judged

    def _one(self, capture: Capture) -> JudgedCapture:
        claims = tuple(stated_on(c, capture.time.date()) for c in self.unit.claims)
        if capture.reason is not None:
            return _unread(capture, Unread(capture.reason, capture.detail), claims)
        last = self.last
        reading: _Reading | Unread
        if last and _same_bytes(capture, last.reading.capture):
            reading = replace(last.reading, capture=capture)
        else:
            reading = self._reading(capture)
        if isinstance(reading, Unread):
            return _unread(capture, reading, claims)
        verdicts = self._again(reading, claims)
        self.last = _Last(reading, verdicts, claims)
        return JudgedCapture(capture, None, verdicts)

    def _again(self, reading: _Reading, claims: tuple[Claim, ...]) -> tuple[Verdict, ...]:
        """The last verdicts where the very same stands again and is claimed again; the others anew."""
        last = self.last
        capture = reading.capture
        again: list[Verdict | None] = [None] * len(claims)
        if last and reading.says == last.reading.says:
            again = [
                v.named(v.id, capture.captured, capture.digest or None) if c is was or c == was else None
                for c, was, v in zip(claims, last.claims, last.verdicts, strict=True)
            ]
        changed = tuple(c for c, v in zip(claims, again, strict=True) if v is None)
        made = self._verdicts(reading, changed) if changed else ()
        for claim, verdict in zip(changed, made, strict=True):
            if verdict.outcome is Outcome.HOLDS:
                self.held[claim.id] = reading
        anew = iter(made)
        return tuple(v or next(anew) for v in again)

    def _reading(self, capture: Capture) -> _Reading | Unread:
        before = self.last.reading if self.last else None
        name = key(
            "reading",
            capture.digest,
            str(capture.status),
            headers_text(dict(capture.headers)),
            capture.requested,
            capture.url,
            before.name.hex() if before else "",
        )
        reading = _Reading(capture, name)
        known = self.memory.get(name)
        if known is not None:
            said = reading_back(known)
            if not isinstance(said, str):
                return Unread(*said)
            reading.says = said
            return reading
        seen = read_response(
            status=capture.status if capture.status is not None else 200,
            headers=dict(capture.headers),
            requested=capture.requested,
            url=capture.url,
            body=self._body(capture),
            last=self._page(before) if before else None,
        )
        why = seen if isinstance(seen, Unread) else None
        reading.says = "" if isinstance(seen, Unread) else _says(seen)
        self.memory.put(
            name, reading_text(why.reason if why else None, why.detail if why else "", reading.says)
        )
        if isinstance(seen, Unread):
            return seen
        self._loaded(reading, seen)
        return reading

    def _body(self, capture: Capture) -> bytes:
        body = self.load_body(capture)
        if body is None:
            raise _LostError
        return body

    def _page(self, reading: _Reading) -> Page:
        """The page of a reading that is known to be one."""
        if reading.page is None:
            capture = reading.capture
            seen = read_body(self._body(capture), capture.url, capture.content_type)
            if isinstance(seen, Unread):
                raise _LostError
            self._loaded(reading, seen)
            return seen
        return reading.page

    def _loaded(self, reading: _Reading, page: Page) -> None:
        reading.page = page
        self.loaded.append(reading)

    def _verdicts(self, reading: _Reading, claims: tuple[Claim, ...]) -> tuple[Verdict, ...]:
        capture = reading.capture
        names = [self._verdict_name(reading, claim) for claim in claims]
        known = [self.memory.get(name) for name in names]
        missing = [c for c, text in zip(claims, known, strict=True) if text is None]
        made: dict[str | None, Verdict] = {}
        if missing:
            page = self._page(reading)
            baselines = {c.id: self._page(self.held[c.id]) for c in missing if c.id in self.held}
            made = {c.id: v for c, v in zip(missing, judge_page(missing, page, baselines), strict=True)}
        verdicts = []
        for claim, name, text in zip(claims, names, known, strict=True):
            verdict = verdict_from_json(json.loads(text)) if text is not None else made[claim.id]
            if text is None:
                # Without the capture: the same verdict serves every capture with these bytes.
                plain = verdict.named(None).to_json()
                self.memory.put(name, json.dumps(plain, ensure_ascii=False))
                verdict = verdict_from_json(plain)  # so that a build from memory gives the same rows
            verdicts.append(verdict.named(claim.id, capture.captured, capture.digest or None))
        return tuple(verdicts)

    def _verdict_name(self, reading: _Reading, claim: Claim) -> bytes:
        held = self.held.get(claim.id)
        return key("verdict", claim_digest(claim), reading.name.hex(), held.name.hex() if held else "")

    def _forget_pages(self) -> None:
        """Keep the pages that may be needed again, so that memory does not grow with the history."""
        wanted = {id(r) for r in self.held.values()} | ({id(self.last.reading)} if self.last else set())
        for reading in self.loaded:
            if id(reading) not in wanted:
                reading.page = None
        self.loaded = [r for r in self.loaded if r.page is not None]


def _says(page: Page) -> str:
    """A digest of all that is on a page, in its order and places, and of where it is from."""
    facts = repr((page.blocks, page.lang, page.title, page.url, page.pages))
    return hashlib.sha256(facts.encode("utf-8", "surrogatepass")).hexdigest()


def _same_bytes(now: Capture, before: Capture) -> bool:
    same_answer = now.status in (before.status, 304) and now.url == before.url
    return bool(now.digest) and now.digest == before.digest and same_answer


def _unread(capture: Capture, why: Unread, claims: tuple[Claim, ...]) -> JudgedCapture:
    verdict = Verdict(Outcome.UNREAD, why.reason, why.detail)
    named = tuple(verdict.named(c.id, capture.captured, capture.digest or None) for c in claims)
    return JudgedCapture(capture, why, named)
