"""Take over the page's value for a claim that drifted, or keep ours knowingly, in the claims file itself."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from kb.app.base import KnowledgeBase
from kb.claims.edit import keep as keep_ours
from kb.claims.edit import take_over
from kb.errors import UsageError
from kb.store import ClaimNow, open_rows


@dataclass(frozen=True, slots=True)
class Accepting:
    """What was written: the claim as it stood, and the file."""

    claim: ClaimNow
    file: Path


def accept(kb: KnowledgeBase, id: str, why: str, day: date, *, keep: bool = False) -> Accepting:
    """Write the page's value into the claim's file, the old one into `was`; or `accepted` beside ours.

    Args:
        kb: the knowledge base; its database says what the page states.
        id: the claim.
        why: kept in the file.
        day: the last day on which the old value stood, or on which ours was kept knowingly.
        keep: keep our value.

    Raises:
        UsageError: no such claim, or it has not drifted: there is nothing to accept.
        StoreError: there is no database.
        ClaimsError: the file cannot be changed there.
    """
    if not why.strip():
        raise UsageError("say why: kb accept ID --why TEXT")
    stated = kb.claims.claim(id)
    with open_rows(kb.database) as rows:
        now = rows.claim(id)
        event = next((e for e in rows.events() if e.claim == id and e.closed is None), None)
    if now is None:
        raise UsageError(f"{id} is not in {kb.database}; run kb build first")
    if now.kind == "formula":
        raise UsageError(f"{id} is calculated; settle what it is calculated from: {', '.join(now.inputs)}")
    if now.verdict != "drifted" or now.found is None:
        raise UsageError(
            f"{id} has not drifted: its verdict is {now.verdict or 'none'}; there is nothing to accept"
        )
    if event is None and not now.suspected:
        raise UsageError(f"{id} is settled already; there is nothing to accept")
    found = tuple(now.found) if isinstance(now.found, list) else now.found
    path = kb.root / stated.file
    text = path.read_bytes().decode("utf-8")  # with its own line ends
    name = id.rpartition(".")[2]
    on = day.isoformat()
    key = "figure" if now.kind == "absent" else None
    changed = keep_ours(text, name, found, on, why) if keep else take_over(text, name, found, on, why, key)
    _replace(path, changed)
    return Accepting(now, path)


def _replace(path: Path, text: str) -> None:
    """Swap the file in whole, so that a full disk loses nothing."""
    new = path.with_name(f".{path.name}.new")
    with new.open("w", encoding="utf-8", newline="") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    new.replace(path)
