"""`kb read` shows a person what kb sees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kb.cli.read import command
from kb.errors import UnreadableError, UsageError

PAGE = (
    '<html lang="en"><head><title>Falcon</title><script type="application/ld+json">{"price": "9"}</script></head>'
    "<h1>Falcon</h1><p>Moves 0.4 Tbps per node.</p><p hidden>Was 0.2 Tbps</p><nav><p>Home page</p></nav>"
    "<table><caption>Sizes</caption><tr><th>Size</th><th>Speed (Gbps)</th></tr><tr><td>big</td><td>800</td></tr>"
    "</table><ul><li>Memory: 80 GB</li></ul>"
)


def run(tmp_path: Path, *options: str, page: str = PAGE, name: str = "page.html") -> Result:
    file = tmp_path / name
    file.write_text(page, encoding="utf-8")
    return CliRunner().invoke(command, [str(file), *options], catch_exceptions=False)


def test_a_page_is_shown_as_an_outline_with_its_tables_drawn(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.exit_code == 0
    lines = [line.rstrip() for line in result.output.splitlines()]
    assert lines[0] == "Falcon"
    assert "language en" in lines[1]
    assert "  Moves 0.4 Tbps [=0.4 Tbps per node] per node." in lines or any(
        "0.4 Tbps" in line for line in lines
    )
    assert "  (hidden) Was 0.2 Tbps" in lines
    assert "  (navigation) Home page" in lines
    assert any("│ big " in line and "800 [=800 Gbps]" in line for line in lines)
    assert "  • Memory: 80 GB" in lines
    assert "1 pairs of embedded data; --all shows them" in lines


def test_all_shows_embedded_data_too(tmp_path: Path) -> None:
    assert "(data) price: 9" in run(tmp_path, "--all").output.replace("price: (data)", "(data) price:")


def test_json_gives_the_page_and_its_blocks(tmp_path: Path) -> None:
    told = json.loads(run(tmp_path, "--json").output)
    assert (told["page"]["title"], told["page"]["unread"]) == ("Falcon", None)
    cell = next(b for b in told["blocks"] if b["text"] == "800")
    assert (cell["row"], cell["column"], cell["caption"]) == (["big"], ["Speed (Gbps)"], "Sizes")


def test_quantities_are_listed_with_what_they_were_read_as(tmp_path: Path) -> None:
    output = run(tmp_path, "--quantities").output
    assert "800  =  800 Gbps  [Falcon › big › Speed (Gbps)]" in output
    told = json.loads(run(tmp_path, "--quantities", "--json").output)
    assert [q["unit"] for q in told["quantities"] if q["text"] == "80 GB"] == ["gigabyte"]


def test_a_wall_is_shown_and_said_to_be_unread(tmp_path: Path) -> None:
    page = "<title>Just a moment...</title><h1>Checking your browser before accessing the site</h1>"
    result = run(tmp_path, page=page + '<script src="/cdn-cgi/challenge-platform/x.js"></script>')
    assert result.exit_code == 3
    assert "Checking your browser" in result.output
    assert "unread:" in result.output


def test_what_a_page_says_cannot_drive_the_terminal(tmp_path: Path) -> None:
    assert "\x1b" not in run(tmp_path, page="<p>bold \x1b[1m and \u202ereversed</p>" * 5).output


def test_a_missing_file_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        CliRunner().invoke(command, [str(tmp_path / "none.html")], catch_exceptions=False)


def test_a_file_that_is_no_page_says_why(tmp_path: Path) -> None:
    file = tmp_path / "image.html"
    file.write_bytes(bytes(range(256)) * 40)
    with pytest.raises(UnreadableError):
        CliRunner().invoke(command, [str(file)], catch_exceptions=False)


def test_an_address_is_fetched(httpserver) -> None:  # type: ignore[no-untyped-def]
    httpserver.expect_request("/robots.txt").respond_with_data("", status=404)
    httpserver.expect_request("/page").respond_with_data(PAGE, content_type="text/html")
    result = CliRunner().invoke(
        command, [httpserver.url_for("/page"), "--allow-private"], catch_exceptions=False
    )
    assert result.exit_code == 0
    assert "Falcon" in result.output
