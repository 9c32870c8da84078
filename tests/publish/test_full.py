"""`captures = "full"`: all of a page's text is public, and never a moment longer than kb.toml says so."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import demo_base
import pytest
from click.testing import CliRunner

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.cli.build import command as build_command
from kb.publish.allowed import WithheldError
from kb.publish.serve import make_datasette
from kb.publish.still import write_site

ASIDE = "Fabric Notes belongs to"  # stands in no quote
FULL = '\n[publish]\ncaptures = "full"\n'


class Site:
    def __init__(self, database: Path) -> None:
        self.datasette = make_datasette(database)

    def get(self, path: str) -> Any:
        return asyncio.run(self.datasette.client.get(path))

    def close(self) -> None:
        for database in self.datasette.databases.values():
            database.close()
        self.datasette.executor.shutdown()


@pytest.fixture
def kb(tmp_path: Path) -> KnowledgeBase:
    return demo_base.make(tmp_path, 2)


def settings(kb: KnowledgeBase, text: str) -> KnowledgeBase:
    (kb.root / "kb.toml").write_text(text, encoding="utf-8")
    return KnowledgeBase.open(kb.root, today=kb.today)


@pytest.fixture
def full(kb: KnowledgeBase) -> KnowledgeBase:
    kb = settings(kb, FULL)
    build(kb, jobs=1)
    return kb


@pytest.fixture
def site(full: KnowledgeBase) -> Iterator[Site]:
    site = Site(full.database)
    yield site
    site.close()


def texts(database: Path) -> list[tuple[str, str, str]]:
    with sqlite3.connect(database) as db:
        found = db.execute("SELECT url, capture, text FROM texts ORDER BY url").fetchall()
    db.close()
    return found


def test_without_the_setting_no_text_is_kept_or_shown(kb: KnowledgeBase) -> None:
    assert texts(kb.database) == []
    site = Site(kb.database)
    assert site.get("/sources/hgx/text").status_code == 404
    assert "/text" not in site.get("/sources/hgx").text
    site.close()


def test_with_the_setting_a_sources_whole_text_is_shown_and_never_its_markup(site: Site) -> None:
    page = site.get("/sources/hgx/text")
    assert page.status_code == 200
    shown = page.text.partition('<div class="words">')[2].partition("</div>")[0]
    assert ASIDE in shown and "<" not in shown
    assert "Networking bandwidth | " in shown  # the cells of a row stay on one line
    assert 'href="/sources/hgx/text"' in site.get("/sources/hgx").text
    assert 'href="/sources/hgx/text"' in site.get("/claims/hgx.b200-networking").text


def test_a_page_that_was_never_read_has_no_text(site: Site) -> None:
    assert site.get("/sources/our-sums/text").status_code == 404
    assert site.get("/sources/nothing/text").status_code == 404


def test_texts_are_no_table_that_can_be_browsed(site: Site) -> None:
    assert site.get("/kb/texts").status_code == 403
    assert site.get("/kb/texts.json").status_code == 403
    assert "/kb/texts" not in site.get("/kb").text


def test_what_is_added_to_a_database_is_what_a_whole_build_gives(tmp_path: Path) -> None:
    kb = demo_base.make(tmp_path, 1)
    kb = settings(kb, FULL)
    build(kb, jobs=1)
    first = texts(kb.database)
    demo_base.visit(kb, 1)
    build(kb, jobs=1, go_on=True)
    added = texts(kb.database)
    build(kb, jobs=1)
    assert added == texts(kb.database)
    assert added != first


@pytest.mark.parametrize(
    "less", ['[publish]\ncaptures = "quote"\n', "", "[publish]\ncaptures = 7\n", "captures = [\n"]
)
def test_a_running_site_shows_nothing_more_once_the_settings_allow_less(
    full: KnowledgeBase, site: Site, less: str
) -> None:
    paths = ("/sources/hgx/text", "/sources/hgx", "/claims/hgx.b200-networking", "/kb/verdicts.json", "/")
    assert all(site.get(path).status_code == 200 for path in paths)
    (full.root / "kb.toml").write_text(less, encoding="utf-8")
    for path in paths:
        answer = site.get(path)
        assert (answer.status_code, ASIDE in answer.text) == (503, False), path
    with pytest.raises(WithheldError, match="run kb build"):
        make_datasette(full.database)
    with pytest.raises(WithheldError, match="run kb build"):
        write_site(full.database, full.root / "out")


def test_after_the_next_build_the_site_is_back_with_less(full: KnowledgeBase, site: Site) -> None:
    kb = settings(full, '[publish]\ncaptures = "quote"\n')
    assert site.get("/sources/hgx").status_code == 503
    done = CliRunner().invoke(build_command, ["--kb", str(kb.root), "--jobs", "1"])
    assert done.exit_code == 0, done.output
    assert site.get("/sources/hgx").status_code == 200
    assert site.get("/sources/hgx/text").status_code == 404
    assert texts(kb.database) == []


def test_served_apart_from_its_knowledge_base_a_database_shows_what_it_was_built_for(
    full: KnowledgeBase, tmp_path_factory: pytest.TempPathFactory
) -> None:
    apart = tmp_path_factory.mktemp("apart") / "kb.db"
    apart.write_bytes(full.database.read_bytes())
    site = Site(apart)
    assert ASIDE in site.get("/sources/hgx/text").text
    site.close()
    with pytest.raises(WithheldError):
        make_datasette(apart, settings=_quoting(full))


def _quoting(kb: KnowledgeBase) -> Path:
    path = kb.root / "kb.toml"
    path.write_text("", encoding="utf-8")
    return path


def test_the_files_of_a_site_have_the_texts_too(full: KnowledgeBase) -> None:
    out = full.root / "out"
    write_site(full.database, out)
    assert ASIDE in (out / "sources" / "hgx" / "text" / "index.html").read_text(encoding="utf-8")
    assert 'href="text/"' in (out / "sources" / "hgx" / "index.html").read_text(encoding="utf-8")
