"""Start a knowledge base."""

from __future__ import annotations

from pathlib import Path

from kb.app.settings import COMMENTED, FILE


def start_knowledge_base(folder: Path) -> list[Path]:
    """Make claims/, snapshots/ and a commented kb.toml in `folder`; return what was made.

    What is there already stays as it is.

    Raises:
        OSError: the folder cannot be written.
    """
    made = []
    for part in (folder / "claims", folder / "snapshots"):
        if not part.is_dir():
            part.mkdir(parents=True)
            made.append(part)
    settings = folder / FILE
    if not settings.exists():
        settings.write_text(COMMENTED, encoding="utf-8")
        made.append(settings)
    return made
