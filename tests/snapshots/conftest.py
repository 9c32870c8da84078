"""An archive for each test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import kb.snapshots.index as index
import kb.snapshots.writer as writer
from kb.snapshots import Archive


@pytest.fixture(autouse=True)
def quick_disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip flushes to the disk where they are not what is tested: on a busy machine they take most of the time."""
    if request.path.name != "test_durability.py":
        monkeypatch.setattr(os, "fsync", lambda _: None)
        monkeypatch.setattr(writer, "_sync", lambda _: None)
        monkeypatch.setattr(index, "_SYNC", "PRAGMA synchronous = OFF")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An archive whose folder does not exist yet."""
    return Archive(tmp_path / "snapshots")
