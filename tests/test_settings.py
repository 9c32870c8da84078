"""kb.toml and kb init."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from kb.app.init import start_knowledge_base
from kb.app.settings import COMMENTED, Settings, interval, read_settings
from kb.errors import SettingsError
from kb.notify import GithubSettings


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert read_settings(tmp_path) == Settings()


def test_what_init_writes_reads_as_the_defaults_and_so_do_its_comments(tmp_path: Path) -> None:
    start_knowledge_base(tmp_path)
    assert read_settings(tmp_path) == Settings()
    stated = re.sub(r"(?m)^# (?=\[|\w+ = )", "", COMMENTED)
    (tmp_path / "kb.toml").write_text(stated, encoding="utf-8")
    assert tomllib.loads(stated)["confirm"] == {"drifted": 2, "gone": 3, "apart": "1h"}
    read = read_settings(tmp_path)
    assert (read.delay, read.every, read.confirm_apart, read.captures) == (1.0, 604800, 3600, "quote")
    assert read.hosts["example.org"].delay == 5
    assert read.alerts.apprise == ("KB_ALERT_URL",)
    assert read.alerts.github == GithubSettings("owner/name")


def test_init_leaves_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "kb.toml").write_text("[check]\nevery = '1d'\n", encoding="utf-8")
    made = start_knowledge_base(tmp_path)
    assert [p.name for p in made] == ["claims", "snapshots"]
    assert read_settings(tmp_path).every == 86400
    assert start_knowledge_base(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[fetsh]\n", "kb.toml:1: unknown key 'fetsh'; did you mean 'fetch'?"),
        ("[fetch]\ndelay = -1\n", "kb.toml:2: delay = -1 is no number from 0 to 3600; write delay = 5, say"),
        ("[fetch]\ntries = true\n", "kb.toml:2: tries = True is no whole number from 1 to 10; write tries = 1, say"),
        ("[check]\nevery = 'soon'\n", "kb.toml:2: every = 'soon' is no interval; write \"7d\", \"12h\" or \"90m\""),
        ("[publish]\ncaptures = 'all'\n", "kb.toml:2: captures = 'all' is unknown; write \"quote\" or \"full\""),
        ("[alerts]\napprise = ['json://u:secret@h']\n", "kb.toml:2: apprise names no environment variable; put the secret "
         "into the environment and its variable's name here: apprise = \"KB_SECRET\""),
        ("[alerts]\napprise = 'X'\n", "kb.toml:2: apprise is no list of texts; write apprise = [\"…\"]"),
        ("[alerts]\ndigest = 0\n", "kb.toml:2: digest = 0 is no whole number from 1 to 1000; write digest = 1, say"),
        ("[alerts]\nmail = 'X'\n", "kb.toml:2: unknown key 'mail' in [alerts]; known here: apprise, digest, github"),
        ("[alerts.github]\nrepository = 'x'\n", "kb.toml:2: repository = 'x' is none; write \"owner/name\""),
        ("[alerts.github]\nrepository = 'o/n'\ntoken = 'ghp-x y'\n", "kb.toml:3: token names no environment variable; "
         "put the secret into the environment and its variable's name here: token = \"KB_SECRET\""),
        ("[alerts.github]\nrepository = 'o/n'\napi = 'api.example'\n",
         "kb.toml:3: api = 'api.example' is no web address; write \"https://api.github.com\""),
        ("[fetch\n", "kb.toml:1:7: Expected ']' at the end of a table declaration; see https://toml.io for the form"),
        ("fetch = 3\n", "kb.toml:1: fetch is no table; write [fetch]"),
        ("[fetch]\ncontact = 'a\\nb: c'\n", None),
        ('[fetch]\ncontact = "a\\nb: c"\n', "kb.toml:2: contact is no line of ASCII text; write an address: "
         "a mailbox or a web page"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line_and_a_remedy(
    tmp_path: Path, text: str, told: str | None
) -> None:
    (tmp_path / "kb.toml").write_text(text, encoding="utf-8")
    if told is None:
        assert read_settings(tmp_path).contact == "a\\nb: c"
        return
    with pytest.raises(SettingsError) as caught:
        read_settings(tmp_path)
    assert str(caught.value) == told
    assert caught.value.exit_code == 2


def test_all_faults_are_told_together(tmp_path: Path) -> None:
    (tmp_path / "kb.toml").write_text(
        "[confirm]\ngone = 0\ndrifted = 'x'\n[check]\nevery = 3\n", encoding="utf-8"
    )
    with pytest.raises(SettingsError) as caught:
        read_settings(tmp_path)
    assert [p.line for p in caught.value.problems] == [2, 3, 5]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("7d", 604800), ("12h", 43200), ("90m", 5400), ("1w", 604800), ("x", None), ("7", None)],
)
def test_intervals(text: str, seconds: int | None) -> None:
    assert interval(text) == seconds
