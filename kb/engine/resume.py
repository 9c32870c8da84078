"""Where judging a URL left off, as text, so that it goes on from there when captures are added.

What a new capture is judged by is little: the last reading, with its verdicts, and
for each claim the reading on which it held last. All the rest of the history need
not be looked at again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from kb.claims import Claim
from kb.judging import Verdict, verdict_from_json
from kb.reasons import Reason
from kb.snapshots import Capture

Marked = tuple[Capture, bytes]
"""A capture that was read, and the name of its reading."""


def place(capture: Capture) -> str:
    """What tells one capture from all others."""
    return f"{capture.captured} {capture.file} {capture.offset}"


def claims_name(claims: Sequence[Claim]) -> str:
    """A name for the claims in their order, and for all that they say."""
    return hashlib.sha256(repr(tuple(claims)).encode("utf-8", "surrogatepass")).hexdigest()


def left_off(
    upto: str,
    claims: Sequence[Claim],
    last: tuple[Marked, Sequence[Verdict]] | None,
    held: dict[str | None, Marked],
    says: str,
) -> str:
    """Where judging stands after the capture at the place `upto`; `says` stands for the last page's words."""
    return json.dumps(
        {
            "upto": upto,
            "claims": claims_name(claims),
            "last": None if last is None else [_marked(last[0]), [v.to_json() for v in last[1]]],
            "says": says,
            "held": {str(name): _marked(where) for name, where in held.items()},
        },
        ensure_ascii=False,
    )


def goes_on(text: str | None, after: str, claims: Sequence[Claim]) -> dict[str, Any] | None:
    """What `left_off` wrote, if it stands at the place `after` and is about these claims."""
    data: dict[str, Any] = json.loads(text) if text else {}
    return data if data.get("upto") == after and data.get("claims") == claims_name(claims) else None


def last_back(data: dict[str, Any]) -> tuple[Marked, tuple[Verdict, ...]] | None:
    """The last reading with its verdicts."""
    if data["last"] is None:
        return None
    where, verdicts = data["last"]
    return _marked_back(where), tuple(verdict_from_json(v) for v in verdicts)


def held_back(data: dict[str, Any]) -> dict[str | None, Marked]:
    """Where each claim held last."""
    return {name: _marked_back(where) for name, where in data["held"].items()}


def _marked(where: Marked) -> list[Any]:
    c, name = where
    return [
        {
            "requested": c.requested,
            "url": c.url,
            "time": c.time.isoformat(),
            "digest": c.digest,
            "status": c.status,
            "headers": [list(h) for h in c.headers],
            "reason": c.reason,
            "detail": c.detail,
            "via": c.via,
            "memento": c.memento,
            "file": c.file,
            "offset": c.offset,
            "revisit": c.revisit,
            "length": c.length,
            "run": c.run,
            "body_file": c.body_file,
            "body_offset": c.body_offset,
        },
        name.hex(),
    ]


def _marked_back(data: list[Any]) -> Marked:
    facts = dict(data[0])
    facts["time"] = datetime.fromisoformat(facts["time"])
    facts["headers"] = tuple((str(n), str(v)) for n, v in facts["headers"])
    facts["reason"] = Reason(facts["reason"]) if facts["reason"] else None
    return Capture(**facts), bytes.fromhex(data[1])
