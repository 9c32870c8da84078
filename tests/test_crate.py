"""kb export --format ro-crate: the whole knowledge base in a folder that others can read and check.

`KB_CRATE_TOOLS` names the folder with `rocrate-validator` (roc-validator), as made by `make crate`.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import demo_base
import pytest
import rocrate
from rocrate.rocrate import ROCrate

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.cli.main import run
from kb.store import open_rows

TOOLS = os.environ.get("KB_CRATE_TOOLS")
CONTEXT = "https://w3id.org/ro/crate/1.3/context"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("crate") / "demo"
    folder.mkdir()
    return demo_base.make(folder)


@pytest.fixture(scope="module")
def crate(base: KnowledgeBase, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out") / "crate"
    assert export(base, out) == 0
    return out


def export(base: KnowledgeBase, out: Path, *options: str) -> int:
    return run(["export", "--format", "ro-crate", "--out", str(out), "--kb", str(base.root), *options])


def graph(folder: Path) -> dict[str, dict[str, Any]]:
    data = json.loads((folder / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    assert data["@context"] == CONTEXT
    return {e["@id"]: e for e in data["@graph"]}


def test_every_file_is_there_and_described(base: KnowledgeBase, crate: Path) -> None:
    entities = graph(crate)
    files = {p.relative_to(crate).as_posix() for p in crate.rglob("*") if p.is_file()}
    parts = {p["@id"] for p in entities["./"]["hasPart"]}
    assert parts == files - {"ro-crate-metadata.json"}
    for id in parts:
        entity = entities[id]
        assert entity["@type"] == "File"
        assert entity["name"] and entity["description"] and entity["encodingFormat"]
        assert int(entity["contentSize"]) == (crate / id).stat().st_size
    for folder in ("claims", "snapshots"):
        for path in (base.root / folder).rglob("*"):
            if path.is_file() and not path.name.startswith("."):
                assert (crate / path.relative_to(base.root)).read_bytes() == path.read_bytes()


def test_claims_and_archive_point_at_the_pages_they_are_about(crate: Path) -> None:
    entities = graph(crate)
    claims = entities["claims/hgx.yaml"]
    page = entities[claims["about"]["@id"]]
    assert (page["@type"], page["name"]) == ("WebPage", "HGX boards")
    assert entities[page["publisher"]["@id"]]["name"] == "Fabric Notes"
    warc = next(e for id, e in entities.items() if id.startswith("snapshots/"))
    assert warc["encodingFormat"] == "application/warc"
    assert {"@id": page["@id"]} in warc["about"]


def test_the_crate_is_a_knowledge_base_with_the_same_verdicts(base: KnowledgeBase, crate: Path) -> None:
    again = KnowledgeBase.open(crate, today=base.today)
    build(again, jobs=1)
    with open_rows(base.database) as one, open_rows(again.database) as two:
        assert [(c.id, c.verdict, c.found) for c in one.claims()] == [
            (c.id, c.verdict, c.found) for c in two.claims()
        ]
    for name in ("kb.db", "kb.cache"):
        (crate / name).unlink(missing_ok=True)
    for path in (crate / "snapshots").glob(".*"):
        path.unlink()


def test_verdicts_and_report_are_those_of_the_database(base: KnowledgeBase, crate: Path) -> None:
    with (crate / "verdicts.csv").open(encoding="utf-8", newline="") as file:
        readings = list(csv.DictReader(file))
    with open_rows(base.database) as rows:
        count = rows.db.execute("SELECT count(*) FROM verdicts").fetchone()[0]
        claims = {c.id: c.verdict for c in rows.claims() if c.verdict}
    assert len(readings) == count
    assert {r["claim"] for r in readings} <= set(claims)
    report = json.loads((crate / "report.json").read_text(encoding="utf-8"))
    assert {c["id"]: c["verdict"] for c in report["claims"] if c["verdict"]} == claims
    assert "<h1" in (crate / "report.html").read_text(encoding="utf-8")


def test_rocrate_reads_it_back(crate: Path) -> None:
    read = ROCrate(crate)
    assert read.name == "Knowledge base demo"
    assert len(read.data_entities) == len([p for p in crate.rglob("*") if p.is_file()]) - 1


def test_a_zip_holds_the_same_and_snapshots_may_be_left_out(
    base: KnowledgeBase, crate: Path, tmp_path: Path
) -> None:
    out = tmp_path / "kb.zip"
    assert export(base, out, "--no-snapshots", "--license", "https://license.example/by") == 0
    assert export(base, out, "--no-snapshots", "--license", "https://license.example/by") == 0  # replaced
    with zipfile.ZipFile(out) as packed:
        names = set(packed.namelist())
        packed.extractall(tmp_path / "open")
    everything = {p.relative_to(crate).as_posix() for p in crate.rglob("*") if p.is_file()}
    assert names == {n for n in everything if not n.startswith("snapshots/")}
    assert graph(tmp_path / "open")["./"]["license"] == {"@id": "https://license.example/by"}
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_what_cannot_be_is_said(
    base: KnowledgeBase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    assert export(base, tmp_path / "full") == 2
    assert "is not empty; name a new folder" in capsys.readouterr().err
    assert [p.name for p in (tmp_path / "full").iterdir()] == ["mine.txt"]
    assert export(base, tmp_path / "new", "--only", "hgx") == 2
    assert run(["export", "--format", "ro-crate", "--kb", str(base.root)]) == 2
    assert run(["export", "--format", "csv", "--no-snapshots", "--kb", str(base.root)]) == 2
    (tmp_path / "bare" / "claims").mkdir(parents=True)
    out = str(tmp_path / "new")
    assert run(["export", "--format", "ro-crate", "--out", out, "--kb", str(tmp_path / "bare")]) == 4
    assert "kb build" in capsys.readouterr().err


@pytest.mark.skipif(not TOOLS, reason="KB_CRATE_TOOLS names no folder with rocrate-validator; make crate")
def test_a_validator_finds_all_that_is_required(crate: Path, tmp_path: Path) -> None:
    tools, cache = Path(str(TOOLS)), str(tmp_path / "cache")
    context = Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld"
    fill = Path(__file__).with_name("crate_context.py")
    subprocess.run([tools / "python", fill, CONTEXT, context, cache], check=True)
    options = ["--offline", "--cache-path", cache, "-f", "json", "-o", str(tmp_path / "said.json")]
    command = [tools / "rocrate-validator", "-y", "--disable-color", "validate", *options, str(crate)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = json.loads((tmp_path / "said.json").read_text(encoding="utf-8"))
    assert [i["message"] for i in said["issues"]] == [], done.stdout
    assert said["passed"], done.stdout
    assert said["statistics"]["total_passed_checks"] > 20
