"""A spreadsheet's rows to sources and claims: what `kb export --format csv` wrote, or a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kb.app.incoming import Incoming, free, slug, source_name
from kb.app.spreadsheet import read_rows
from kb.claims import ROLES, Accepted, Check, Claim, Source, Was, claim_from_case
from kb.claims.case import CASE_KEYS
from kb.claims.entry import VALUE_KEYS
from kb.errors import CaseError, ClaimsError, Problem
from kb.export.table import COLUMNS, SOURCE_COLUMNS, parted


def read_table(path: Path) -> Incoming:
    """The sources and claims of a CSV file.

    Raises:
        UsageError: it cannot be read as CSV.
        ClaimsError: rows that state nothing that kb knows, all of them together.
    """
    return from_rows(((f"{path}:{line}", row) for line, row in read_rows(path)))


def from_rows(rows: Iterable[tuple[str, Mapping[str, str] | str]]) -> Incoming:
    """Rows by column, each with its place `file:line`, to sources; those of one id, or else URL, are one.

    Raises:
        ClaimsError: rows that state nothing that kb knows, all of them together.
    """
    sources: dict[str, Source] = {}
    claims: dict[str, list[Claim]] = {}
    given: set[str] = set()
    places: dict[str, str] = {}
    problems = []
    for place, row in rows:
        file, _, line = place.rpartition(":")
        try:
            if isinstance(row, str):
                raise CaseError(row)
            claim, said = _claim(row), _source(row)
        except CaseError as error:
            what, _, remedy = str(error).partition("; ")
            problems.append(Problem(file, int(line), 0, what, remedy, rule="bad-row"))
            continue
        id, _, name = (claim.id or "").rpartition(".")
        key = id or _same(sources, said) or free(_name(said), sources)
        if id:
            given.add(key)
        known = sources.setdefault(key, replace(said, id=key))
        sources[key] = _filled(known, said)
        places.setdefault(key, place)
        mine = claims.setdefault(key, [])
        taken = {(c.id or "").rpartition(".")[2] for c in mine}
        name = name or free(slug(f"{claim.subject} {claim.attribute}", 6), taken)
        if name in taken:
            what = f'the id "{key}.{name}" is given twice'
            problems.append(Problem(file, int(line), 0, what, "give one another id", rule="duplicate-id"))
            continue
        mine.append(replace(claim, id=f"{key}.{name}", source_id=key, sourced=bool(known.url)))
        places[f"{key}.{name}"] = place
    if problems:
        raise ClaimsError(problems)
    return Incoming(
        tuple(_whole(s, claims[id]) for id, s in sources.items()), frozenset(given), places=places
    )


def _claim(row: Mapping[str, str]) -> Claim:
    case: dict[str, Any] = {k: v for k, v in row.items() if k in CASE_KEYS and k not in ("page", "baseline")}
    unknown = {k: v for k, v in row.items() if k not in COLUMNS and k not in CASE_KEYS}
    if "list" in case:
        case["list"] = list(parted(case["list"]))
    claim = claim_from_case({**unknown, **case})
    formula = row.get("formula")
    if formula and claim.kind != "figure":
        raise CaseError(f'"formula" calculates a figure, and this row states `{claim.kind}`; leave one out')
    if row.get("status") not in (None, "proposed"):
        raise CaseError(f'"status" cannot be "{row["status"]}"; write proposed, or leave it empty')
    return replace(
        claim,
        kind="formula" if formula else claim.kind,
        formula=formula,
        note=row.get("note"),
        tags=parted(row["tags"]) if "tags" in row else (),
        status=row.get("status"),
        was=tuple(_was(w) for w in _yaml(row, "was", list)),
        accepted=_accepted(_yaml(row, "accepted", dict)),
    )


def _source(row: Mapping[str, str]) -> Source:
    if row.get("role", ROLES[0]) not in ROLES:
        raise CaseError(f'"role" cannot be "{row["role"]}"; it is one of {", ".join(ROLES)}')
    return Source(
        id="",
        title=row.get("title", ""),
        publisher=row.get("publisher", ""),
        url=row.get("url"),
        url_status=row.get("url_status"),
        published=row.get("published"),
        retrieved=row.get("source_retrieved"),
        role=row.get("role"),
        check=check_of(row.get("check", "")),
        tags=parted(row["source_tags"]) if "source_tags" in row else (),
        note=row.get("source_note"),
    )


def _name(said: Source) -> str:
    if not (said.url or said.title or said.publisher):
        return "our-own"  # what we state ourselves
    return source_name(said.title, said.url, said.publisher)


def _same(sources: Mapping[str, Source], said: Source) -> str:
    """The id of the source that a row without an id belongs to."""
    for id, source in sources.items():
        if source.url == said.url and (
            said.url or (source.title, source.publisher) == (said.title, said.publisher)
        ):
            return id
    return ""


def _filled(known: Source, said: Source) -> Source:
    """What earlier rows said of the source, and where they said nothing what this one does."""
    names = ("title", "publisher", "url", *(k for k in SOURCE_COLUMNS.values() if k != "check"))
    return replace(known, **{n: getattr(said, n) for n in names if not getattr(known, n)})


def _whole(source: Source, claims: list[Claim]) -> Source:
    """With its claims; a day that all of them share is the source's, where it has none of its own."""
    days = {c.retrieved for c in claims}
    retrieved = source.retrieved or (days.pop() if len(days) == 1 and source.url else None)
    return replace(source, claims=tuple(claims), retrieved=retrieved)


def _yaml(row: Mapping[str, str], column: str, kind: type) -> Any:
    """A cell that is written as its key is in YAML."""
    from kb.claims.yaml import compose  # start-up time

    if column not in row:
        return kind()
    _, data, problems = compose(f"{column}: {row[column]}", column)
    found = data.get(column) if isinstance(data, dict) else None
    items = found if isinstance(found, list) else [found]
    if problems or not isinstance(found, kind) or not all(isinstance(i, dict) for i in items):
        raise CaseError(f'"{column}" cannot be read; write it as {_EXAMPLES[column]}')
    return found


_EXAMPLES = {
    "was": "[{figure: 400 Gbps, until: 2026-11-30}]",
    "accepted": "{found: 800 Gbps, on: 2026-11-30}",
    "check": "{every: 7d}",
}


def _was(data: dict[str, Any]) -> Was:
    stated = [k for k in VALUE_KEYS if k in data]
    if len(stated) != 1 or not isinstance(data.get("until"), str):
        raise CaseError(f'"was" needs a value and a day; write {_EXAMPLES["was"]}')
    value = data[stated[0]]
    value = tuple(value) if isinstance(value, list) else value
    return Was(value=value, until=data["until"], why=data.get("why", ""), kind=stated[0])


def _accepted(data: dict[str, Any]) -> Accepted | None:
    if not data:
        return None
    if not isinstance(data.get("on"), str) or "found" not in data:
        raise CaseError(f'"accepted" needs a value and a day; write {_EXAMPLES["accepted"]}')
    found = data["found"]
    return Accepted(
        found=tuple(found) if isinstance(found, list) else found, on=data["on"], why=data.get("why", "")
    )


def check_of(text: str) -> Check:
    """How a source is checked, from `{every: 7d}` as a claims file has it; empty for the usual way.

    Raises:
        CaseError: it cannot be read.
    """
    from kb.claims.read import seconds  # start-up time

    data: dict[str, Any] = _yaml({"check": text} if text else {}, "check", dict)
    every = seconds(data["every"]) if "every" in data else None
    if "every" in data and every is None:
        raise CaseError(f'the interval "{data["every"]}" cannot be read; write {_EXAMPLES["check"]}')
    return Check(
        every=every,
        browser=data.get("browser") == "true",
        archive=data.get("archive") == "only",
        off=data.get("off"),
    )
