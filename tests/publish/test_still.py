"""The site as files."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from click.testing import CliRunner
from knowledge import a_database

from kb.cli.export import command
from kb.errors import UsageError
from kb.publish.still import LISTING, write_site


def test_every_link_of_the_files_leads_to_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    count = write_site(a_database(tmp_path), folder, "https://kb.example/at/")
    pages = list(folder.rglob("*.html"))
    assert count == sum(1 for p in folder.rglob("*") if p.is_file()) - 1
    assert {"claims/vm.bandwidth/index.html", "publishers/Example+Works/index.html"} <= {
        p.relative_to(folder).as_posix() for p in pages
    }
    followed = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "<form" not in text and 'href="/' not in text
        assert "Content-Security-Policy" in text
        here = f"https://host.example/any/{page.relative_to(folder).as_posix()}"
        for link in re.findall(r'href="([^"]+)"', text):
            to = urljoin(here, link)
            if urlsplit(to).netloc == "host.example":
                place = folder / urlsplit(to).path.removeprefix("/any/")
                assert (place / "index.html" if to.split("#")[0].endswith("/") else place).is_file(), link
                followed += 1
    assert followed > 200


def test_feeds_and_data_name_the_address_that_is_given(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_site(a_database(tmp_path), folder, "https://kb.example")
    feed = (folder / "drift.atom").read_text(encoding="utf-8")
    assert 'href="https://kb.example/claims/vm.bandwidth"' in feed
    page = (folder / "claims" / "vm.bandwidth" / "index.html").read_text(encoding="utf-8")
    assert '"@id":"https://kb.example/claims/vm.bandwidth"' in page
    assert not [p for p in folder.rglob("*") if p.is_file() and b"still.invalid" in p.read_bytes()]


def test_written_again_what_is_gone_is_removed_and_other_folders_are_left_alone(tmp_path: Path) -> None:
    database = a_database(tmp_path)
    folder = tmp_path / "site"
    write_site(database, folder)
    (folder / "gone.html").write_text("x")
    (folder / "kept.txt").write_text("x")
    with (folder / LISTING).open("a") as listing:
        listing.write("gone.html\n../kb.db\n")
    write_site(database, folder)
    assert not (folder / "gone.html").exists()
    assert (folder / "kept.txt").exists() and database.exists()
    with pytest.raises(UsageError, match="name an empty folder"):
        write_site(database, tmp_path)


def test_the_command_says_how_many_files_it_wrote(tmp_path: Path) -> None:
    a_database(tmp_path)
    asked = ["--kb", str(tmp_path), "--site", str(tmp_path / "out")]
    done = CliRunner().invoke(command, asked)
    assert done.exit_code == 0, done.output
    assert re.search(r"out: \d+ files\n$", done.output)
    assert CliRunner().invoke(command, [*asked, "--address", "kb.example"]).exit_code == 2
