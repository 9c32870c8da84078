"""Exchanges to keep, and what warcio says of the files."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from kb.snapshots import Exchange

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SENT = (("Host", "example.org"), ("User-Agent", "kb/0 (tests)"), ("Accept-Encoding", "gzip, deflate"))
RECEIVED = (("Content-Type", "text/html; charset=utf-8"), ("Server", "tests"))


def page(requested: str, body: bytes = b"<p>400 Gbps</p>", after: int = 0, **more: Any) -> Exchange:
    """An answer with status 200, `after` seconds past noon."""
    facts: dict[str, Any] = {
        "requested": requested,
        "url": requested,
        "time": NOON + timedelta(seconds=after),
        "status": 200,
        "headers": RECEIVED,
        "body": body,
        "request_headers": SENT,
    }
    return Exchange(**{**facts, **more})


def warcio_check(*files: Path) -> str:
    """What `warcio check` says of the files: "" when all is well."""
    from warcio.cli import main

    if not files:
        return ""

    said = io.StringIO()
    with redirect_stdout(said):
        try:
            code = main(["check", *map(str, files)])
        except SystemExit as leaving:
            code = leaving.code
    return said.getvalue() + (f"exit {code}" if code else "")
