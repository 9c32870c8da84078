"""A file of others to sources and claims, by what it is: a table, a bibliography, annotations, an article."""

from __future__ import annotations

import json
from pathlib import Path

from kb.app.base import KnowledgeBase
from kb.app.incoming import Incoming
from kb.errors import UsageError


def read_file(kb: KnowledgeBase, path: Path) -> Incoming:
    """What `kb add --from` finds in a file.

    Args:
        kb: the base that it is for, whose sources an article may name.
        path: `.csv` and `.tsv` are tables, `.bib` BibTeX, `.json` and `.jsonld` CSL JSON or Web
            Annotations; any other file is an article.

    Raises:
        UsageError: it cannot be opened, or is not what its name says.
        UnreadableError: it is nothing that kb reads.
        ClaimsError: rows that state nothing that kb knows.
    """
    kind = path.suffix.lower()
    if kind in (".csv", ".tsv"):
        from kb.app.from_table import read_table  # start-up time

        return read_table(path)
    if kind == ".bib":
        from kb.app.from_citations import read_bibtex  # start-up time

        return read_bibtex(path, _text(path))
    if kind in (".json", ".jsonld"):
        return _json(path, _text(path))
    from kb.app.from_article import propose_claims  # start-up time

    return propose_claims(kb, path)


def _json(path: Path, text: str) -> Incoming:
    from kb.app.from_annotations import is_annotations, read_annotations  # start-up time
    from kb.app.from_citations import read_csl  # start-up time

    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: is no JSON: {error}; it is CSL JSON or Web Annotations") from error
    return read_annotations(path, text, data) if is_annotations(data) else read_csl(path, text)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: cannot be opened: {error.strerror}; name a file") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8; save it as UTF-8") from error
