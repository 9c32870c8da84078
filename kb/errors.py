"""Every error that kb raises on purpose.

    KbError                      70  a fault in kb itself, when nothing below fits
    ├── UsageError (ValueError)   2  wrong words on the command line or in a call
    │   └── CaseError             2  one malformed case of `kb verify --cases`
    ├── InputError (ValueError)   2  faults in files that a person wrote
    │   ├── ClaimsError           2  the claims files
    │   └── SettingsError         2  kb.toml
    ├── UnreadableError (ValueError) 3  a page that was asked for directly cannot be read
    └── MachineError (OSError)    4  could not run or finish
        ├── ArchiveError          4  the archive is damaged or cannot be written
        ├── LockedError           4  another run holds the lock
        └── StoreError            4  kb.db is missing, foreign or cannot be written

Each kind carries its `exit_code` (design, section 10) and survives pickling,
as errors cross process pools.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault in a file that a person wrote.

    `line` and `column` count from 1; 0 means the whole file. `remedy` says what
    would be right, and may be empty. Orders by file, line and column.
    """

    file: str
    line: int
    column: int
    what: str
    remedy: str = ""
    level: str = "error"  # or "warning"
    rule: str = ""  # a short stable name, such as "unknown-unit"

    def __str__(self) -> str:
        """`file:line:column: what is wrong; what would be right`."""
        place = self.file + (
            f":{self.line}" + (f":{self.column}" if self.column else "") if self.line else ""
        )
        return f"{place}: {self.what}" + (f"; {self.remedy}" if self.remedy else "")


class KbError(Exception):
    """The base of all errors that kb raises on purpose."""

    exit_code = 70

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.message = message
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with the message and the facts, as the base class would lose the latter."""
        return _rebuild, (type(self), self.message, self.facts)

    def __str__(self) -> str:
        return self.message


def _rebuild(kind: type[KbError], message: Any, facts: dict[str, Any]) -> KbError:
    return kind(message, **facts)


class UsageError(KbError, ValueError):
    """Wrong words on the command line or in a call."""

    exit_code = 2


class CaseError(UsageError):
    """A case of `kb verify --cases` that cannot be understood."""


class InputError(KbError, ValueError):
    """Faults in files that a person wrote, all of them together, in `problems`."""

    exit_code = 2

    def __init__(self, problems: Sequence[Problem] | str, **facts: Any) -> None:
        if isinstance(problems, str):
            self.problems: tuple[Problem, ...] = ()
            message = problems
        else:
            self.problems = tuple(sorted(problems))
            message = "\n".join(str(p) for p in self.problems)
        super().__init__(message, **facts)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with the problems."""
        return _rebuild, (type(self), self.problems or self.message, self.facts)


class ClaimsError(InputError):
    """The claims files, or one claim, cannot be read or computed."""


class SettingsError(InputError):
    """kb.toml cannot be read."""


class UnreadableError(KbError, ValueError):
    """A page that was asked for directly cannot be read; `facts` has `reason` and `detail`."""

    exit_code = 3


class MachineError(KbError, OSError):
    """kb could not run or finish: the message says what to do."""

    exit_code = 4


class ArchiveError(MachineError):
    """The archive is damaged, or cannot be written (disk full)."""


class LockedError(MachineError):
    """Another run holds the lock; `facts` may have `holder`."""


class StoreError(MachineError):
    """kb.db is missing, is not kb's, or cannot be written."""
