"""The command `kb` of this checkout as a program in a folder, for tests that run a shell."""

from __future__ import annotations

import sys
from pathlib import Path


def put_kb(folder: Path) -> Path:
    """Make `folder` with a program `kb` in it, and give the folder: it goes into PATH."""
    folder.mkdir()
    script = folder / "kb"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kb "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return folder
