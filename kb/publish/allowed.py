"""What of a page the public may see: decided by kb.toml when it is shown, not only at the build."""

from __future__ import annotations

import sqlite3
import tomllib
from pathlib import Path

from kb.errors import StoreError

SETTINGS_FILE = "kb.toml"
TOO_MUCH = "holds more of the pages than kb.toml allows; run kb build"


class WithheldError(StoreError):
    """kb.db was built to show all of a page's text, and kb.toml no longer says so."""


class Allowed:
    """What the settings at `path` allow, asked anew whenever the file has changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._asked: tuple[int, int] | None = None
        self._full = True

    def full(self) -> bool:
        """Whether more than quotes may be shown.

        Without the file nothing speaks against it: then kb.db is served apart from its knowledge
        base, as its owner built it. A file that cannot be read allows nothing.
        """
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return True
        except OSError:
            return False
        now = (found.st_mtime_ns, found.st_size)
        if now != self._asked:
            self._full, self._asked = _says_full(self.path), now
        return self._full


def _says_full(path: Path) -> bool:
    try:
        publish = tomllib.loads(path.read_text(encoding="utf-8")).get("publish")
    except (OSError, ValueError):
        return False
    return isinstance(publish, dict) and publish.get("captures") == "full"


def is_full(db: sqlite3.Connection) -> bool:
    """Whether the file was built to show more than quotes."""
    found = db.execute("SELECT value FROM about WHERE name = 'captures'").fetchone()
    return found is not None and found[0] == "full"


def check_allowed(database: Path, settings: Path | None = None) -> None:
    """See that kb.toml allows what `database` holds.

    Raises:
        WithheldError: it does not.
    """
    with sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True) as db:
        full = is_full(db)
    db.close()
    if full and not Allowed(settings or database.parent / SETTINGS_FILE).full():
        raise WithheldError(f"{database} {TOO_MUCH}")
