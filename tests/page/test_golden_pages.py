"""Each page in `tests/golden/page` is read into the blocks that the `.yaml` beside it lists.

A case needs no Python: put `name.html` (or `.md`, `.rst`, …) and `name.html.yaml` there. The YAML has
`about`, what the page shows; `page`, attributes of the page, if any; and `blocks`, all of them in order.
Of a block, what is not written must have its default, except `headings`, `table`, `row_index` and
`column_index`, which are compared only where they are written.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.page import Block, read_page

FOLDER = Path(__file__).parent.parent / "golden" / "page"
CASES = sorted(path.name.removesuffix(".yaml") for path in FOLDER.glob("*.yaml"))
LOOSE = ("headings", "table", "row_index", "column_index")
DEFAULTS = Block("", "")


def expected(name: str) -> dict[str, Any]:
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))


def as_written(block: Block, like: dict[str, Any]) -> dict[str, Any]:
    """The block as the YAML would have it, with the loose fields that `like` has."""
    told: dict[str, Any] = {}
    for key in Block.__dataclass_fields__:
        value = getattr(block, key)
        value = list(value) if isinstance(value, tuple) else value
        if key in LOOSE:
            if key in like:
                told[key] = value
        elif key in ("kind", "text") or getattr(block, key) != getattr(DEFAULTS, key):
            told[key] = value
    return told


@pytest.mark.parametrize("name", CASES)
def test_a_golden_page_reads_as_it_is_written_down(name: str) -> None:
    want = expected(name)
    page = read_page((FOLDER / name).read_bytes(), url=name)
    blocks = want["blocks"] + [{}] * len(page.blocks)
    got = [as_written(b, like) for b, like in zip(page.blocks, blocks, strict=False)]
    assert got == want["blocks"]
    for key, value in want.get("page", {}).items():
        assert getattr(page, key) == value, key


@pytest.mark.parametrize("name", CASES)
def test_a_golden_cell_that_is_no_header_knows_its_headers(name: str) -> None:
    page = read_page((FOLDER / name).read_bytes(), url=name)
    bare = [b.text for b in page.blocks if b.kind == "cell" and not b.header and not (b.row or b.column)]
    assert bare == []


def test_each_golden_page_has_its_blocks_and_says_what_it_shows() -> None:
    pages = {path.name for path in FOLDER.iterdir() if path.suffix != ".yaml"}
    assert pages == set(CASES)
    assert all(expected(name)["about"] for name in CASES)
