"""The folder `claims/` to sources, with all faults of all files together."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from kb.claims.claim_set import ClaimSet
from kb.claims.draft import Draft
from kb.claims.lint import lint
from kb.claims.read import read_text
from kb.claims.shape import ID
from kb.claims.source import Source
from kb.errors import ClaimsError, Problem

FOLDER = "claims"


def read_claims(root: Path, today: date) -> tuple[tuple[Source, ...], list[Problem]]:
    """Read all claims files below `root`, strictly, and check them together.

    Args:
        root: the knowledge base, the folder that holds `claims/`.
        today: later days are in the future.

    Returns:
        The sources of the files without an error, in the order of their names, and all
        problems (errors and warnings) in the order of file and line. A file whose
        formula needs a claim of a faulty file is left out as well, and told.
    """
    drafts, problems = read_drafts(root, today)
    sources = tuple(d.source for d in drafts if d.source is not None and not d.faulty)
    return sources, problems


def read_drafts(root: Path, today: date) -> tuple[list[Draft], list[Problem]]:
    """Each file as far as it could be read, the faulty ones too, and all problems."""
    folder = root / FOLDER
    if not folder.is_dir():
        what = f"there is no folder {FOLDER}/ here"
        return [], [
            Problem(
                FOLDER,
                0,
                0,
                what,
                "make one with `kb init`, or name the right one with --kb",
                rule="no-folder",
            )
        ]
    with _collector_paused():
        return _read_folder(folder, today)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Without the cyclic collector, which finds nothing here (nodes and claims form no cycles).

    It would walk all claims again and again while they grow: 40 % of the time for 100,000.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _read_folder(folder: Path, today: date) -> tuple[list[Draft], list[Problem]]:
    drafts = []
    problems: list[Problem] = []
    for path, file in _files(folder):
        wrong = _wrong_name(file)
        if wrong:
            problems.append(wrong)
            if not file.endswith(".yaml"):
                continue
        draft = _read(path, file, today)
        if wrong:
            draft.problems.append(wrong)
            problems.pop()
        drafts.append(draft)
    lint(drafts)
    problems += [p for d in drafts for p in d.problems]
    return drafts, sorted(problems)


def load_claims(root: Path, today: date) -> ClaimSet:
    """Read all claims files below `root`.

    Raises:
        ClaimsError: any file has an error; it holds all errors.
    """
    sources, problems = read_claims(root, today)
    errors = [p for p in problems if p.level == "error"]
    if errors:
        raise ClaimsError(errors)
    return ClaimSet(sources)


def _files(folder: Path) -> list[tuple[str, str]]:
    """Each file's path, and its path relative to the knowledge base, sorted; hidden ones left out."""
    found = []
    start = os.fspath(folder)
    for where, folders, names in os.walk(start):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        inside = where[len(start) :].replace(os.sep, "/")
        for name in names:
            if name.lower().endswith((".yaml", ".yml")) and not name.startswith("."):
                found.append((f"{where}{os.sep}{name}", f"{FOLDER}{inside}/{name}"))
    return sorted(found, key=lambda f: f[1])


def _wrong_name(file: str) -> Problem | None:
    import re

    name = file.rpartition("/")[2]
    stem, _, ending = name.rpartition(".")
    if ending != "yaml":
        what = f'the file\'s name ends in ".{ending}", so it is not read'
        return Problem(file, 0, 0, what, f'name it "{stem}.yaml"', rule="file-name")
    if not re.match(ID, stem):
        what = f'the file\'s name "{stem}" is no id: letters, digits, - and _'
        better = re.sub(r"[^A-Za-z0-9_-]+", "-", stem).strip("-")
        return Problem(file, 0, 0, what, f'name it "{better or "source"}.yaml"', rule="file-name")
    return None


def _read(path: str, file: str, today: date) -> Draft:
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - Path costs more than the read, on 10,000 files
            body = stream.read()
    except OSError as error:
        draft = Draft(file, file.rpartition("/")[2].removesuffix(".yaml"), today.isoformat())
        draft.told((0, 0), f"the file cannot be read: {error.strerror}", "make it readable", "unreadable")
        return draft
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        draft = Draft(file, file.rpartition("/")[2].removesuffix(".yaml"), today.isoformat())
        line = body.count(b"\n", 0, error.start) + 1
        start = body.rfind(b"\n", 0, error.start) + 1
        column = len(body[start : error.start].decode("utf-8", "replace")) + 1
        what = f"the byte 0x{body[error.start]:02x} is not UTF-8"
        draft.told((line, column), what, "save the file as UTF-8", "not-utf-8")
        return draft
    return read_text(text, file, today)
