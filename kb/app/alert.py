"""Tell people of confirmed changes, each once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from kb.app.base import KnowledgeBase
from kb.notify import Delivery, deliver
from kb.report import summarise
from kb.store import open_rows


def utc_now() -> datetime:
    """The time, aware, UTC."""
    return datetime.now(UTC)


def alert(
    kb: KnowledgeBase,
    *,
    whole: bool = True,
    dry_run: bool = False,
    clock: Callable[[], datetime] = utc_now,
    environment: Mapping[str, str] | None = None,
) -> list[Delivery]:
    """Bring every channel of kb.toml up to date with the events in the database.

    Args:
        kb: the knowledge base; its database says which events there are.
        whole: whether the database holds the claims of all files. Where faulty ones were left
            out, an event that is not there has not closed.
        dry_run: send nothing, write nothing, say what would be sent.
        clock: gives the time of each delivery.
        environment: where the secrets are; None: the process's own.

    Raises:
        StoreError: there is no database.
        LockedError: another run does it just now.
        MachineError: the log of alerts cannot be written.
    """
    if not kb.settings.alerts:
        return []
    with open_rows(kb.database) as rows:
        summary = summarise(rows, clock())
    return deliver(
        summary,
        kb.settings.alerts,
        kb.snapshots,
        os.environ if environment is None else environment,
        clock,
        dry_run=dry_run,
        whole=whole,
    )
