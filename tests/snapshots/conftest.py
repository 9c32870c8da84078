"""An archive for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.snapshots import Archive


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An archive whose folder does not exist yet."""
    return Archive(tmp_path / "snapshots")
