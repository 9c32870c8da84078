"""`kb snapshots` and its commands, as a person at a terminal meets them."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from exchanges import NOON, page
from test_archive import foreign

from kb.cli.main import run
from kb.reasons import Reason
from kb.snapshots import Archive, Exchange

URL = "https://example.org/nd"
START = NOON - timedelta(days=300)  # 2026-02-03
CLAIMS = f"""source:
  title: ND H100 v5
  publisher: Example
  url: {URL}
  retrieved: 2026-02-03
claims:
  - id: per-gpu
    subject: ND H100 v5
    attribute: InfiniBand bandwidth
    figure: 400 Gbps
    per: GPU
"""


def body(figure: str, words: str = "") -> bytes:
    return (
        f"<html lang=en><h1>ND H100 v5</h1><p>Each GPU has {figure} InfiniBand bandwidth.</p>{words}".encode()
    )


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A knowledge base with eight captures of its one source, a day apart, and one of a page without source."""
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "nd.yaml").write_text(CLAIMS)
    days: list[bytes | Reason] = [*[body("400 Gbps")] * 5, Reason.TIMEOUT, *[body("800 Gbps")] * 2]
    archive = Archive(tmp_path / "snapshots")
    for day, answer in enumerate(days):
        now = START + timedelta(days=day)
        with archive.begin(now) as writer:
            if isinstance(answer, Reason):
                writer.keep(Exchange(URL, URL, now, reason=answer, detail="after 30 s"))
            else:
                writer.keep(page(URL, answer, time=now))
            if day == 0:
                writer.keep(page("https://example.org/other", b"<p>other</p>", time=now))
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], base: Path, *arguments: str, code: int = 0) -> str:
    """What `kb snapshots …` prints on standard output."""
    capsys.readouterr()
    assert run(["snapshots", arguments[0], "--kb", str(base), *arguments[1:]]) == code
    return capsys.readouterr().out


def test_list_shows_captures_by_source_and_time(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, base, "list").splitlines()
    assert len(lines) == 9 and lines[0].startswith("2026-02-03 12:00:00Z  200      83 bytes")
    assert len(said(capsys, base, "list", "nd").splitlines()) == 8
    assert len(said(capsys, base, "list", URL, "--as-of", "2026-02-04").splitlines()) == 2
    assert len(said(capsys, base, "list", URL, "--since", "2026-02-04").splitlines()) == 6
    facts = json.loads(said(capsys, base, "list", "nd", "--json"))
    assert [f["revisit"] for f in facts] == [False, True, True, True, True, False, False, True]
    assert facts[5]["reason"] == "timeout" and facts[5]["detail"] == "after 30 s"
    assert said(capsys, base, "list", "nn", code=2) == ""


def test_list_reads_on_past_faulty_claims_files(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (base / "claims" / "bad.yaml").write_text("source: [\n")
    assert len(said(capsys, base, "list", "nd").splitlines()) == 8


def test_show_says_where_it_is_from_and_what_a_person_reads(
    base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = said(capsys, base, "show", "nd")
    assert "source:" in shown and "# ND H100 v5" in shown
    assert "  Each GPU has 800 Gbps InfiniBand bandwidth." in shown.splitlines()
    assert "first seen in:" in shown and "Content-Type" not in shown
    assert "Content-Type: text/html; charset=utf-8" in said(capsys, base, "show", "nd", "--headers")
    assert "not the page: the site did not answer in time (after 30 s)" in said(
        capsys, base, "show", "nd@2026-02-08"
    )
    facts = json.loads(said(capsys, base, "show", "nd@-7", "--json"))
    assert "400 Gbps" in facts["text"] and facts["captured"] == "2026-02-03T12:00:00Z"
    by_digest = json.loads(said(capsys, base, "show", facts["digest"][7:19], "--json"))
    assert by_digest["captured"] == "2026-02-07T12:00:00Z"


def test_show_raw_gives_the_bytes(base: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["snapshots", "show", "nd", "--raw", "--kb", str(base)]) == 0
    assert capfdbinary.readouterr().out == body("800 Gbps")


@pytest.mark.parametrize(
    "words", ["nd@-20", "nd@2020-01-01", "nd@2026-13-01", "abcdef", "https://nowhere.example/"]
)
def test_what_names_no_capture_is_told_with_a_remedy(
    base: Path, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    capsys.readouterr()
    assert run(["snapshots", "show", words, "--kb", str(base)]) == 2
    assert words.partition("@")[0] in capsys.readouterr().err or "2026-13-01" in words


def test_diff_marks_what_changed(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, base, "diff", "nd")
    assert "  - Each GPU has »400 Gbps« InfiniBand bandwidth." in told.splitlines()
    assert "  + Each GPU has »800 Gbps« InfiniBand bandwidth." in told.splitlines()
    assert told.endswith("1 difference, 1 with a quantity\n")
    assert "the bytes are the same" in said(capsys, base, "diff", "nd@-1", "nd")
    assert "before: not the page" in said(capsys, base, "diff", "nd@-2", "nd")
    [change] = json.loads(said(capsys, base, "diff", "nd@2026-02-03", "nd", "--json"))["changes"]
    assert change["quantities"] == {"before": ["400 Gbps"], "after": ["800 Gbps"]}


def test_diff_as_html_escapes_what_was_scraped(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    now = START + timedelta(days=20)
    with Archive(base / "snapshots").begin(now) as writer:
        writer.keep(page(URL, body("1,600 Gbps", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"), time=now))
    told = said(capsys, base, "diff", "nd", "--html")
    assert "<del>Each GPU has <mark>800 Gbps</mark>" in told
    assert "<ins>Each GPU has <mark>1,600 Gbps</mark>" in told
    assert "<script>" not in told and "&lt;script&gt;alert(1)" in told


def test_import_takes_the_pages_of_our_sources(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawl = base / "crawl.warc.gz"
    foreign(crawl, (URL, "200 OK", [], body("200 Gbps")), ("https://example.org/x", "200 OK", [], b"x"))
    told = said(capsys, base, "import", str(crawl))
    assert told == "1 capture imported; 1 are of pages that no source has (--all imports them)\n"
    assert said(capsys, base, "import", str(crawl), "--all") == "1 capture imported; 1 were there already\n"
    saved = base / "saved.html"
    saved.write_bytes(body("100 Gbps"))
    assert said(capsys, base, "import", str(saved), code=2) == ""
    said(capsys, base, "import", str(saved), "--url", URL, "--date", "2024-05-01")
    lines = said(capsys, base, "list", "nd").splitlines()
    assert lines[0].startswith("2024-05-01 12:00:00Z") and lines[0].endswith("import")
    assert lines[1].startswith("2025-05-01 00:00:00Z")


def test_verify_gives_4_for_a_damaged_archive(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, base, "verify").startswith("8 files, 25 records, 9 captures, ")
    path = min(base.glob("snapshots/2026/*.warc.gz"))
    path.write_bytes(path.read_bytes()[:-9])
    capsys.readouterr()
    assert run(["snapshots", "verify", "--kb", str(base)]) == 4
    streams = capsys.readouterr()
    assert "cut short" in streams.err and "problem" in streams.out


def test_prune_tells_and_does_it_only_when_told_to(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, base, "prune").startswith("nothing can go: ")
    dry = said(capsys, base, "prune", "--older-than", "0")
    assert dry.splitlines()[0].startswith("2026-02-06 12:00:00Z") and "1 capture would go" in dry
    assert len(said(capsys, base, "list", "nd").splitlines()) == 8
    assert "1 capture left out" in said(capsys, base, "prune", "nd", "--older-than", "0", "--apply")
    assert len(said(capsys, base, "list", "nd").splitlines()) == 7
    assert "nothing wrong" in said(capsys, base, "verify")


def test_export_packs_what_is_asked_for(
    base: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "out.wacz"
    assert said(capsys, base, "export", str(target)).startswith(f"{target}: 8 pages, ")
    assert said(capsys, base, "export", str(target), "nd", "--as-of", "2026-02-03").startswith(
        f"{target}: 1 page, "
    )
    assert said(capsys, base, "import", str(target)) == "0 captures imported; 1 were there already\n"
    assert said(capsys, base, "export", str(target), "nd", "--as-of", "2020-01-01", code=2) == ""


def test_a_build_tells_of_a_body_that_is_lost_and_judges_the_rest(
    base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = Archive(base / "snapshots")
    last = archive.captures(URL)[-1]
    with archive.begin(START + timedelta(days=30)) as writer:
        lost = writer.keep(page(URL, body("1,600 Gbps"), time=START + timedelta(days=30)))
    path = base / "snapshots" / lost.file
    data = bytearray(path.read_bytes())
    data[-700:-690] = bytes(10)
    path.write_bytes(data)
    capsys.readouterr()
    assert run(["build", "--kb", str(base)]) == 0
    streams = capsys.readouterr()
    assert f"snapshots/{lost.file}: " in streams.err
    run(["report", "--json", "--kb", str(base)])
    [claim] = json.loads(capsys.readouterr().out)["claims"]
    assert claim["captured"] == last.captured and claim["found"] == "800 Gbps"


WALL = (
    b"<title>Access denied</title><h1>Access denied</h1><p>You do not have permission to view this page.</p>"
)


def test_show_gives_the_words_of_what_is_not_the_page(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    now = START + timedelta(days=20)
    with Archive(base / "snapshots").begin(now) as writer:
        writer.keep(page(URL, WALL, time=now, status=403))
    told = said(capsys, base, "show", "nd")
    assert "not the page: " in told
    assert told.index("what stands there instead:") < told.index(
        "  You do not have permission to view this page."
    )
    assert json.loads(said(capsys, base, "show", "nd", "--json"))["text"] is None


def test_list_tells_bytes_that_came_back_from_those_that_stayed(
    base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    now = START + timedelta(days=20)
    with Archive(base / "snapshots").begin(now) as writer:
        writer.keep(page(URL, body("400 Gbps"), time=now))
    lines = said(capsys, base, "list", "nd").splitlines()
    assert [("unchanged" in line, "seen before" in line) for line in lines[-3:]] == [
        (False, False),
        (True, False),
        (False, True),
    ]
    [last] = said(capsys, base, "list", "nd", "--since", "2026-02-20").splitlines()
    assert last.split() == lines[-1].split()


def test_an_import_that_left_something_out_for_its_faults_gives_4(
    base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl = base / "crawl.warc.gz"
    foreign(crawl, (URL, "200 OK", [], body("200 Gbps")))
    crawl.write_bytes(crawl.read_bytes()[:-9])
    assert said(capsys, base, "import", str(crawl), code=4).startswith("0 captures imported")
    saved = base / "saved.html"
    saved.write_bytes(body("200 Gbps"))
    capsys.readouterr()
    assert (
        run(["snapshots", "import", "--kb", str(base), str(saved), "--url", URL, "--date", "2999-01-01"]) == 2
    )
    assert "lies in the future; say when it was saved" in capsys.readouterr().err


def test_prune_says_where_nothing_can_go(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, base, "prune", "--older-than", "90000")
    assert told == "nothing can go: no capture older than 90000 days says what those around it say\n"
