from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from kb.claims import Source, read_claims
from kb.errors import Problem

# No test is timed: on a busy machine an example may take long.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

TODAY = date(2026, 11, 30)

Read = Callable[..., tuple[tuple[Source, ...], list[Problem]]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Writes files (by name, `_` for a folder's slash left out) into a knowledge base, and reads it."""

    def reading(**files: str | bytes) -> tuple[tuple[Source, ...], list[Problem]]:
        folder = tmp_path / "claims"
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            body = text if isinstance(text, bytes) else text.encode()
            (folder / f"{name.replace('__', '-')}.yaml").write_bytes(body)
        return read_claims(tmp_path, TODAY)

    return reading


@pytest.fixture
def said(read: Read) -> Callable[..., list[str]]:
    """What is wrong, as text, each with `claims/` and `.yaml` cut off: `a:3:5: …`."""

    def saying(**files: str | bytes) -> list[str]:
        return [str(p).replace("claims/", "", 1).replace(".yaml", "", 1) for p in read(**files)[1]]

    return saying
