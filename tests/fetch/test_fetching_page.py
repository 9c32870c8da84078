"""docs/fetching.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from kb.fetch import FetchSettings
from kb.reasons import UNREAD_REASONS

PAGE = (Path(__file__).parents[2] / "docs" / "fetching.md").read_text(encoding="utf-8")


def test_every_reason_is_told_in_order_with_what_to_do() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (.+) \| (.+) \|$", PAGE, re.M)
    assert [name for name, _, _ in rows] == [str(r) for r in UNREAD_REASONS]
    assert all(len(remedy) > 3 for _, _, remedy in rows)


def test_the_limits_are_those_of_the_code() -> None:
    settings = FetchSettings()
    assert f"{settings.max_bytes // 2**20} MiB" in PAGE
    assert f"{settings.hosts_at_once} hosts" in PAGE
    assert settings.max_redirects == 10 and "ten redirects" in PAGE
    assert f"timeout = {settings.timeout:.0f} " in PAGE
    assert f"delay = {settings.delay} " in PAGE
    assert f"tries = {settings.tries} " in PAGE
    assert settings.max_wait == 60 and "a minute for any wait" in PAGE


def test_its_example_runs(capsys: object) -> None:
    code = re.search(r"```python\n(.*?)```", PAGE, re.S)
    assert code is not None
    names: dict[str, object] = {}
    exec(code.group(1), names)
    assert str(getattr(names["exchange"], "reason", "")) == "unreachable"
