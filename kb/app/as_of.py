"""What was known at a moment: a database of only the captures up to then, made aside and thrown away."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.store import Rows, open_rows


@contextmanager
def looking_back(kb: KnowledgeBase, moment: datetime) -> Iterator[Rows]:
    """The rows as a build of only the captures up to `moment` has them; kb.db itself stays as it is.

    Raises:
        ClaimsError: the claims files have errors.
        ArchiveError: the archive cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="kb-as-of-") as folder:
        aside = replace(kb, database=Path(folder) / "kb.db")
        if kb.memory.is_file():
            shutil.copyfile(kb.memory, aside.memory)  # most was judged before
        build(aside, until=moment)
        with open_rows(aside.database) as rows:
            yield rows
