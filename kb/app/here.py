"""Where a person stands: what is in this folder, how it is with it, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from kb.app.base import today_somewhere
from kb.errors import KbError, Problem, SettingsError, StoreError
from kb.store import Tally, open_rows

READ_AT_ONCE = 2_000_000
"""Bytes of claims files that are read to greet somebody: about a second. More is left to `kb lint`."""


@dataclass(frozen=True, slots=True)
class Here:
    """What is in a folder.

    Attributes:
        root: the folder, as it was given.
        base: whether it is a knowledge base, that is, has `claims/`.
        above: the knowledge base that it lies in, where it is none itself.
        files: how many claims files there are.
        claims, sources: how many they state; None where they were not read for this.
        problems: the errors in them and in kb.toml.
        runs: how many files the archive has.
        tally: what kb.db says, where there is one.
        trouble: why kb.db cannot be read; empty where it can, or is not there.
        edited: whether a claims file is newer than kb.db, or not in it.
    """

    root: Path
    base: bool
    above: Path | None = None
    files: int = 0
    claims: int | None = None
    sources: int | None = None
    problems: tuple[Problem, ...] = ()
    runs: int = 0
    tally: Tally | None = None
    trouble: str = ""
    edited: bool = False

    @property
    def name(self) -> str:
        """The knowledge base's name."""
        return self.root.resolve().name


def look_around(root: Path, now: datetime) -> Here:
    """Say what is in `root` at `now`; a fault that is found there is told in the answer, never raised.

    Claims files that kb.db was made from, and that are no newer, are not read again.
    """
    if not (root / "claims").is_dir():
        return Here(root, False, _base_above(root))
    files = _claims_files(root / "claims")
    tally, known, trouble = _database(root / "kb.db", now)
    edited = tally is None or _edited(root, files, known)
    claims = sources = None
    problems = _settings_problems(root)
    if edited and sum(f.stat().st_size for f in files) <= READ_AT_ONCE:
        from kb.claims import read_claims  # start-up time

        read, found = read_claims(root, today_somewhere())
        problems += [p for p in found if p.level == "error"]
        claims = sum(len(s.claims) for s in read)
        sources = sum(1 for s in read if s.url is not None or s.title)
    runs = sum(1 for _ in (root / "snapshots").glob("**/*.warc*"))
    return Here(root, True, None, len(files), claims, sources, tuple(problems), runs, tally, trouble, edited)


def next_steps(here: Here, now: datetime) -> list[tuple[str, str]]:
    """What to do next, the most pressing first: commands, each with what it does."""
    if here.above is not None:
        return [(f"cd {_from_here(here)}", "go to the knowledge base that this folder lies in")]
    if not here.base:
        return [
            ("kb demo", "see all of it on a small site that changes"),
            ("kb init my-notes", "start a knowledge base in a new folder"),
            ("kb init", "start one in this folder"),
            ('kb verify "SUBJECT: VALUE" --url URL', "judge one figure, writing nothing"),
        ]
    if here.problems:
        return [("kb lint", "all faults, each with its line and what would be right")]
    if not here.files or here.claims == 0:
        return [
            ('kb add URL "SUBJECT: VALUE"', "a claim from its page, with quote and archived copy"),
            ("kb add --from ARTICLE", "claims for the figures and sources of an article"),
            ("kb lint", "check what you write into claims/<source>.yaml yourself"),
        ]
    if here.trouble or (here.tally is None and here.runs):
        return [("kb build", "make kb.db from claims/ and snapshots/, asking nobody")]
    if here.tally is None or here.tally.last_run is None:
        return [("kb check", "read the sources, archive them, judge the claims")]
    return _with_verdicts(here, here.tally, now)


def _with_verdicts(here: Here, tally: Tally, now: datetime) -> list[tuple[str, str]]:
    steps: list[tuple[str, str]] = []
    if tally.confirmed or tally.unclear:
        steps.append(("kb report", "what needs you, stated beside found, with the quotes"))
    if tally.confirmed:
        steps.append(("kb accept --interactive", "take the new values over, or keep ours, one by one"))
    if tally.proposed and not steps:
        steps.append(("kb report", "the proposed claims; take `status: proposed` away where one is right"))
    if here.edited:
        steps.append(("kb build", "judge what was edited since kb.db was made"))
    if tally.suspected or tally.unread or tally.unseen or is_due(tally, now):
        steps.append(("kb check", "read again what is due"))
    if not steps:
        steps.append(("kb serve", "browse it"))
        steps.append(("kb audit ARTICLE", "compare an article's figures with the claims"))
    return steps


def is_due(tally: Tally, now: datetime) -> bool:
    """Whether the newest run is older than the interval between checks."""
    if tally.last_run is None:
        return True
    return now - datetime.fromisoformat(tally.last_run) >= timedelta(seconds=tally.every)


def _base_above(root: Path) -> Path | None:
    """The nearest folder above that is a knowledge base; `kb.toml` or an archive beside claims/ tell it."""
    for folder in root.resolve().parents:
        if (folder / "claims").is_dir() and (
            (folder / "kb.toml").exists() or (folder / "snapshots").is_dir()
        ):
            return folder
    return None


def _from_here(here: Here) -> str:
    """The way up, as one types it."""
    steps = here.root.resolve().relative_to(here.above or Path()).parts
    return "/".join([".."] * len(steps))


def _claims_files(folder: Path) -> list[Path]:
    return sorted(
        f
        for f in folder.rglob("*.yaml")
        if not any(part.startswith(".") for part in f.relative_to(folder).parts)
    )


def _database(path: Path, now: datetime) -> tuple[Tally | None, set[str], str]:
    """What kb.db says, the claims files that it was made from, and why it cannot be read."""
    if not path.exists():
        return None, set(), ""
    try:
        with open_rows(path) as rows:
            return rows.tally(now), rows.files(), ""
    except StoreError as error:
        return None, set(), str(error)


def _edited(root: Path, files: list[Path], known: set[str]) -> bool:
    """Whether the files are others than kb.db was made from, or newer."""
    made = (root / "kb.db").stat().st_mtime
    return {f.relative_to(root).as_posix() for f in files} != known or any(
        f.stat().st_mtime > made for f in files
    )


def _settings_problems(root: Path) -> list[Problem]:
    from kb.app.settings import read_settings  # start-up time

    try:
        read_settings(root)
    except SettingsError as error:
        return list(error.problems)
    except KbError as error:
        return [Problem("kb.toml", 0, 0, str(error))]
    return []
