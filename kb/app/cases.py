"""Files of cases for `kb verify --cases`: JSON lines or CSV in, JSON lines out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.app.spreadsheet import read_rows
from kb.claims import Claim, claim_from_case
from kb.claims.case import CASE_KEYS
from kb.errors import CaseError, UsageError
from kb.export.table import parted


@dataclass(frozen=True, slots=True)
class Case:
    """One line: a claim and the page to judge it on.

    Exactly one of `page` and `url` is set; paths are whole. `error` says why the
    line cannot be judged, and then `claim` is None.
    """

    id: str
    line: int
    claim: Claim | None = None
    page: Path | None = None
    url: str | None = None
    baseline: Path | None = None
    error: str = ""


def read_cases(path: Path) -> Iterator[Case]:
    """Read a cases file, `.csv` or JSON lines; paths in it are relative to it.

    A malformed line becomes a case with `error`. Ids may not repeat.

    Raises:
        UsageError: the file cannot be read at all.
    """
    try:
        rows = _csv_rows(path) if path.suffix.lower() == ".csv" else _json_rows(path)
        seen: set[str] = set()
        for line, data in rows:
            case = _case(path, line, data)
            if case.id in seen:
                case = Case(case.id, line, error=f"line {line}: the id {case.id!r} was used before")
            seen.add(case.id)
            yield case
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}; name a file of JSONL or CSV") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8; save it as UTF-8") from error


def _json_rows(path: Path) -> Iterator[tuple[int, Any]]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError) as error:
                yield number, f"is no JSON: {error}"


def _csv_rows(path: Path) -> Iterator[tuple[int, Any]]:
    for line, row in read_rows(path, CASE_KEYS):
        if isinstance(row, str):
            yield line, row
            continue
        data: dict[str, Any] = dict(row)
        if "list" in data:
            data["list"] = list(parted(data["list"]))
        if "complete" in data:
            data["complete"] = data["complete"].strip().lower() in ("true", "yes", "1")
        yield line, data


def _case(path: Path, line: int, data: Any) -> Case:
    if isinstance(data, str):
        return Case(f"line-{line}", line, error=f"line {line}: {data}")
    if not isinstance(data, dict):
        return Case(f"line-{line}", line, error=f"line {line}: is no object; write one {{…}} a line")
    id = data.get("id")
    if not isinstance(id, str | int) or isinstance(id, bool) or id == "":
        return Case(f"line-{line}", line, error=f"line {line}: has no id; give each case one")
    id = str(id)
    try:
        page, url, baseline = (_text(data, key) for key in ("page", "url", "baseline"))
        if page is None and url is None:
            raise CaseError('names no page; write "page": a file, or "url": an address')
        claim = claim_from_case(data)
        return Case(
            id,
            line,
            claim,
            page=path.parent / page if page is not None else None,
            url=url if page is None else None,
            baseline=path.parent / baseline if baseline is not None else None,
        )
    except CaseError as error:
        return Case(id, line, error=f"line {line}: {error}")


def _text(data: dict[str, Any], key: str) -> str | None:
    value = data.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip() or "\x00" in value:
        raise CaseError(f"{key} is no text; write it in quotes")
    return value
