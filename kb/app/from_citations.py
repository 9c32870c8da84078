"""Sources from a reference manager: CSL JSON, and BibTeX by pybtex."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kb.app.incoming import Incoming, Unplaced, free, source_name
from kb.claims import ROLES, Source
from kb.errors import CaseError, UsageError
from kb.export.citation import LATEX
from kb.export.table import parted
from kb.quantity import FigureError, parse_date

NO_ADDRESS = "no address yet"
"""Why nothing is fetched for a source of which only publisher and title are known."""

_ID = re.compile(r"[A-Za-z0-9_-]+")
_ISO = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?|-Q[1-4])?|FY\d{4}|--\d\d-\d\d")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_PAPERS = ("article", "inproceedings", "incollection", "conference", "phdthesis", "mastersthesis", "thesis")
_ROLES = {
    **dict.fromkeys((*_PAPERS, "article-journal", "paper-conference"), "paper"),
    **dict.fromkeys(("article-newspaper", "article-magazine"), "press"),
}


@dataclass(frozen=True, slots=True)
class _Cited:
    """One reference, in words. `own` is what kb wrote of it beside what the format knows."""

    id: str
    place: str
    kind: str
    title: str
    publisher: str
    url: str
    issued: str
    accessed: str
    tags: tuple[str, ...]
    note: str
    own: Mapping[str, str]


def read_csl(path: Path, text: str) -> Incoming:
    """The sources of CSL JSON: a list of items, or an object with `items`.

    Raises:
        UsageError: it is something else.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: is no JSON: {error}; export the references anew as CSL JSON") from error
    items = data.get("items", [data]) if isinstance(data, dict) else data
    if not isinstance(items, list) or not all(isinstance(i, dict) for i in items):
        raise UsageError(f"{path}: is no CSL JSON; it is a list of items with id, type, title and URL")
    return _incoming(_csl(item, path, text) for item in items)


def _csl(item: dict[str, Any], path: Path, text: str) -> _Cited:
    def said(*names: str) -> str:
        found = next((item[n] for n in names if isinstance(item.get(n), str | int)), "")
        return str(found).strip()

    custom = item.get("custom")
    own = custom.get("kb") if isinstance(custom, dict) else None
    id = said("id")
    at = re.search(rf'"id"\s*:\s*{re.escape(json.dumps(id, ensure_ascii=False))}', text) if id else None
    doi = said("DOI")
    return _Cited(
        id=id,
        place=f"{path}:{text.count(chr(10), 0, at.start()) + 1 if at else 1}",
        kind=said("type"),
        title=said("title", "title-short"),
        publisher=said("publisher", "container-title") or _names(item.get("author")),
        url=said("URL") or (f"https://doi.org/{doi}" if doi else ""),
        issued=_csl_day(item.get("issued")),
        accessed=_csl_day(item.get("accessed")),
        tags=_tags(said("keyword")),
        note=said("note"),
        own=own if isinstance(own, dict) else {},
    )


def _tags(text: str) -> tuple[str, ...]:
    if text.startswith("["):
        return parted(text)
    return tuple(t.strip() for t in re.split("[,;]", text) if t.strip())


def _names(people: Any) -> str:
    names = []
    for person in people if isinstance(people, list) else ():
        if isinstance(person, dict):
            parts = [person.get("literal")] if person.get("literal") else [person.get(k) for k in _PARTS]
            names.append(" ".join(p for p in parts if isinstance(p, str) and p))
    return ", ".join(n for n in names if n)


_PARTS = ("given", "non-dropping-particle", "family", "suffix")


def _csl_day(date: Any) -> str:
    """A CSL date in words or ISO form; the first day of a range."""
    if isinstance(date, str):
        return date
    if not isinstance(date, dict):
        return ""
    parts = date.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list):
        numbers = [str(p) for p in parts[0] if re.fullmatch(r"\d{1,4}", str(p))]
        return "-".join([n.zfill(4 if i == 0 else 2) for i, n in enumerate(numbers)])
    return str(date.get("raw") or date.get("literal") or "")


# --- BibTeX ---------------------------------------------------------------------------------------


def read_bibtex(path: Path, text: str) -> Incoming:
    """The sources of a BibTeX file.

    Raises:
        UsageError: pybtex is not installed, or cannot read it.
    """
    try:
        from pybtex.database import BibliographyDataError, parse_string  # start-up time; an extra
        from pybtex.exceptions import PybtexError
    except ImportError as error:
        raise UsageError(
            "BibTeX needs pybtex, which is not installed; run pip install 'citedrift[cite]'"
        ) from error
    try:
        entries = parse_string(text, "bibtex").entries
    except (PybtexError, BibliographyDataError) as error:
        line = getattr(error, "lineno", None)
        where = f"{path}{f':{line}' if line else ''}"
        raise UsageError(f"{where}: is no BibTeX: {error}; put the entry right") from error
    except RecursionError as error:
        raise UsageError(f"{path}: is no BibTeX: its braces are nested too deep; close them") from error
    return _incoming(_bibtex(key, entry, path, text) for key, entry in entries.items())


def _bibtex(key: str, entry: Any, path: Path, text: str) -> _Cited:
    raw = {k.lower(): str(v) for k, v in entry.fields.items()}
    at = re.search(rf"@\s*\w+\s*[{{(]\s*{re.escape(key)}\s*,", text)
    people = entry.persons.get("author") or entry.persons.get("editor") or ()

    def said(*names: str) -> str:
        return next((from_latex(raw[n]) for n in names if raw.get(n)), "")

    named = said("publisher", "organization", "institution", "school", "journaltitle", "journal")
    return _Cited(
        id=key,
        place=f"{path}:{text.count(chr(10), 0, at.start()) + 1 if at else 1}",
        kind=entry.type.lower(),
        title=said("title"),
        publisher=named or ", ".join(from_latex(_person(p)) for p in people),
        url=_bibtex_url(raw),
        issued=_bibtex_day(raw),
        accessed=said("urldate"),
        tags=_tags(said("keywords")),
        note="" if re.search(r"\\url\b|https?:", raw.get("note", "")) else said("note"),
        own={k[3:].replace("-", "_"): from_latex(v) for k, v in raw.items() if k.startswith("kb-")},
    )


def _person(person: Any) -> str:
    parts = (person.first_names, person.middle_names, person.prelast_names, person.last_names)
    return " ".join(word for part in (*parts, person.lineage_names) for word in part)


def _bibtex_url(raw: Mapping[str, str]) -> str:
    url = raw.get("url", "")
    for name in ("howpublished", "note"):
        found = re.search(r"\\url\{([^{}]*)\}|(https?:[^\s{}]+)", raw.get(name, ""))
        url = url or (found[1] or found[2] if found else "")
    url = url.strip().removeprefix(r"\url{").removesuffix("}") if url.startswith(r"\url") else url.strip()
    if not url and raw.get("doi"):
        doi = raw["doi"].strip()
        url = doi if doi.startswith("http") else f"https://doi.org/{doi}"
    if (
        not url
        and raw.get("eprint")
        and raw.get("archiveprefix", raw.get("eprinttype", "")).lower() == "arxiv"
    ):
        url = f"https://arxiv.org/abs/{raw['eprint'].strip()}"
    return re.sub(r"\\([_%&#~$])(?:\{\})?", r"\1", url)


def _bibtex_day(raw: Mapping[str, str]) -> str:
    if raw.get("date"):
        return raw["date"].partition("/")[0].rstrip("~?%").strip()
    return " ".join(p for p in (raw.get("day", ""), raw.get("month", ""), raw.get("year", "")) if p)


_COMMANDS = {code: char for char, code in LATEX.items()} | {f"\\{c}": c for c in "{} "} | {r"\,": " "}
_HIDDEN = {char: chr(0xF0000 + i) for i, char in enumerate(dict.fromkeys(_COMMANDS.values()))}
_COMMAND = re.compile("|".join(re.escape(c) for c in sorted(_COMMANDS, key=len, reverse=True)))


_DOTLESS = re.compile(r"""(\\["'`^~=.])\s*\{?\\([ij])(?:\}|\b\s?)""")  # an accent takes the dot away anyway


def from_latex(text: str) -> str:
    """A field's LaTeX as plain text, white space folded; what pybtex cannot read stays as it is."""
    from pybtex.exceptions import PybtexError  # start-up time
    from pybtex.richtext import Text

    text = _DOTLESS.sub(r"\1{\2}", text)
    kept = _COMMAND.sub(lambda m: _HIDDEN[_COMMANDS[m[0]]], text.replace("~", " "))
    try:
        plain = str(Text.from_latex(kept))
    except (PybtexError, ValueError):
        return " ".join(text.split())
    for char, hidden in _HIDDEN.items():
        plain = plain.replace(hidden, char)
    return " ".join(plain.split())


# --- both -----------------------------------------------------------------------------------------


def _incoming(cited: Iterable[_Cited]) -> Incoming:
    from kb.claims.read import wrong_url  # start-up time

    sources: dict[str, Source] = {}
    places: dict[str, str] = {}
    unplaced = []
    for one in cited:
        wrong = wrong_url(one.url) if one.url else None
        if not one.title and not one.url:
            unplaced.append(Unplaced(one.place, one.id or "an entry", "it has neither title nor address"))
        elif wrong:
            unplaced.append(Unplaced(one.place, one.title or one.id, "; ".join(w for w in wrong if w)))
        else:
            known = one.id if _ID.fullmatch(one.id) else ""
            id = free(known or source_name(one.title, one.url or None, one.publisher), sources)
            try:
                sources[id] = _source(one, id)
            except CaseError as error:
                unplaced.append(Unplaced(one.place, one.title or one.id, str(error)))
                continue
            places[id] = one.place
    return Incoming(tuple(sources.values()), places=places, unplaced=tuple(unplaced))


def _source(one: _Cited, id: str) -> Source:
    from kb.app.from_table import check_of  # start-up time

    published, retrieved = iso_day(one.issued), iso_day(one.accessed)
    notes = [one.note]
    if one.issued and not published:
        notes.append(f"published: {one.issued}")
    if one.accessed and not _DAY.fullmatch(retrieved):
        notes.append(f"retrieved: {one.accessed}")
        retrieved = ""
    check = check_of(one.own.get("check", ""))
    if not one.url and check.off is None:
        check = replace(check, off=NO_ADDRESS)
    role = one.own.get("role") or _ROLES.get(one.kind)
    status = one.own.get("url_status")
    return Source(
        id=id,
        title=one.title,
        publisher=one.publisher,
        url=one.url or None,
        url_status=status if status in ("known", "supposed") else None,
        published=published or None,
        retrieved=retrieved or None,
        role=role if role in ROLES else None,
        check=check,
        tags=one.tags,
        note="; ".join(n for n in notes if n) or None,
        file=f"claims/{id}.yaml",
    )


def iso_day(text: str) -> str:
    """A date as the claims files write it; empty where it is none, or may be two."""
    text = text.strip()
    if not text or _ISO.fullmatch(text):
        return text
    try:
        day = parse_date(text)
    except FigureError:
        return ""
    return "" if day.readings else day.value
