"""`KnowledgeBase`: the two folders that are the truth, and the database made from them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from kb.app.settings import Settings, read_settings
from kb.errors import UsageError

if TYPE_CHECKING:
    from kb.claims import ClaimSet
    from kb.fetch import FetchSettings
    from kb.judging import Confirm
    from kb.snapshots import Archive


def today_somewhere() -> date:
    """The later of today here and today in UTC: a person who writes down today's date is never early."""
    now = datetime.now(UTC)
    return max(now.date(), now.astimezone().date())


@dataclass(frozen=True)
class KnowledgeBase:
    """A folder with `claims/` and `snapshots/`, maybe `kb.toml`, and the `kb.db` made from them.

    Attributes:
        root: the folder.
        settings: what kb.toml says.
        database: where kb.db is or will be.
        today: the day against which dates of claims are checked.
    """

    root: Path
    settings: Settings
    database: Path
    today: date

    @classmethod
    def open(
        cls, root: str | Path = ".", database: Path | None = None, today: date | None = None
    ) -> KnowledgeBase:
        """Open the knowledge base in `root`.

        Raises:
            UsageError: there is no `claims/` folder.
            SettingsError: kb.toml cannot be read.
        """
        root = Path(root)
        if not (root / "claims").is_dir():
            raise UsageError(
                f"{root / 'claims'} is no folder; say which with --kb DIR, or start one with kb init"
            )
        return cls(root, read_settings(root), database or root / "kb.db", today or today_somewhere())

    @property
    def snapshots(self) -> Path:
        """The archive's folder."""
        return self.root / "snapshots"

    @property
    def memory(self) -> Path:
        """What was read and judged before, beside the database; it may be deleted at any time."""
        return self.database.with_suffix(".cache")

    @cached_property
    def archive(self) -> Archive:
        """The archive of captures."""
        from kb.snapshots import Archive

        return Archive(self.snapshots)

    @cached_property
    def claims(self) -> ClaimSet:
        """All claims with their sources.

        Raises:
            ClaimsError: with every problem of every file.
        """
        from kb.claims import load_claims

        return load_claims(self.root, self.today)

    @property
    def confirm(self) -> Confirm:
        """How many readings confirm a change, and how far apart."""
        from kb.judging import Confirm

        s = self.settings
        return Confirm(s.confirm_drifted, s.confirm_gone, timedelta(seconds=s.confirm_apart))

    def fetch_settings(self, *, allow_private: bool = False, max_time: float | None = None) -> FetchSettings:
        """How the web is asked, from kb.toml."""
        from kb.fetch import FetchSettings

        s = self.settings
        return FetchSettings(
            contact=s.contact,
            delay=s.delay,
            timeout=s.timeout,
            tries=s.tries,
            hosts=s.hosts,
            allow_private=allow_private,
            max_time=max_time,
            timegate=s.timegate,
            timemap=s.timemap,
        )
