"""Claims and sources as citations: in the articles' own form, Markdown, CSL JSON and BibTeX."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.claims import Check, Claim, ClaimSet, Source, formula_inputs
from kb.errors import UsageError
from kb.export.statement import stated

if TYPE_CHECKING:
    from kb.snapshots import Archive, Capture

FORMATS = ("text", "markdown", "csl", "bibtex")

_TYPES = {"paper": "article-journal", "press": "article-newspaper", "filing": "report"}
LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",  # `\{` would count as a brace, and braces must be in pairs
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{c: f"\\{c}" for c in "&%$#_"},
}
"""What LaTeX needs in place of a character."""

_LIGATURES = re.compile(r"(?<=[-`',<>!?])(?=[-`',<>])")


@dataclass(frozen=True, slots=True)
class Citation:
    """A source, with the claim that is cited from it (None in a list of sources) and the archived copy."""

    source: Source
    claim: Claim | None = None
    copy: Capture | None = None


def cite_claim(claims: ClaimSet, id: str, archive: Archive | None = None) -> list[Citation]:
    """The citations behind a claim: one, or those of all that a formula is calculated from.

    Raises:
        UsageError: no such claim, or one that is our own statement and has no source.
    """
    out = []
    for claim in _behind(claims, claims.claim(id)):
        source = claims.source(claim.source_id or "")
        if claim.sourced:
            out.append(Citation(source, claim, _copy(source, claim.retrieved, archive)))
    if not out:
        raise UsageError(
            f"{id} is our own statement: its file has no source, so there is nothing to cite; leave it out"
        )
    return out


def cite_sources(
    claims: ClaimSet, ids: Iterable[str], archive: Archive | None = None, more: Iterable[Source] = ()
) -> list[Citation]:
    """The sources behind some claims, each once, in the order of the claims; then `more` that are new."""
    found: dict[str, Source] = {}
    for id in ids:
        for claim in _behind(claims, claims.claim(id)):
            if claim.sourced:
                source = claims.source(claim.source_id or "")
                found.setdefault(source.id, source)
    for source in more:
        found.setdefault(source.id, source)
    return [Citation(s, None, _copy(s, s.retrieved, archive)) for s in found.values()]


def _behind(claims: ClaimSet, claim: Claim) -> list[Claim]:
    """The claim, or the ones that its formula stands on at last, each once."""
    out: dict[str, Claim] = {}
    waiting = [claim]
    seen = set()
    while waiting:
        one = waiting.pop(0)
        if one.id in seen:
            continue
        seen.add(one.id)
        if one.formula is None:
            out[one.id or ""] = one
        else:
            waiting += [claims.claim(i) for i in formula_inputs(one.formula) if i in claims]
    return list(out.values())


def _copy(source: Source, retrieved: str | None, archive: Archive | None) -> Capture | None:
    """The good capture nearest to the day of retrieval; the newest where that day is not known."""
    if archive is None or source.url is None:
        return None
    good = [c for c in archive.captures(source.url) if c.status == 200 and c.digest]
    if not good or not retrieved:
        return good[-1] if good else None
    after = [c for c in good if c.time.date().isoformat() >= retrieved]
    return after[0] if after else good[-1]


# --- forms ----------------------------------------------------------------------------------------


def as_text(citations: Sequence[Citation]) -> str:
    """A line each: `Publisher: Title, retrieved 2026-09-28.`; a claim before it, its copy after it."""
    return "\n".join(_line(c, _name(c.source)) for c in citations)


def as_markdown(citations: Sequence[Citation]) -> str:
    """The same as a list, with the title as a link."""
    lines = []
    for citation in citations:
        name = re.sub(r"([\\`*_\[\]<>])", r"\\\1", _name(citation.source))
        url = citation.source.url
        if url:
            name = f"[{name}](<{url.replace('<', '%3C').replace('>', '%3E')}>)"
        lines.append(f"- {_line(citation, name)}")
    return "\n".join(lines)


def _line(citation: Citation, name: str) -> str:
    text = f"{name}{_dated(citation)}."
    if citation.claim:
        text = f"{stated(citation.claim)}. {text}"
    if citation.copy:
        text += f" Archived copy: {_copied(citation.copy)}."
    return text


def _name(source: Source) -> str:
    """Publisher and title; the title alone where it begins with the publisher."""
    title, publisher = source.title or source.url or source.id, source.publisher
    if not publisher or title.casefold().startswith(publisher.casefold()):
        return title
    return f"{publisher}: {title}"


def _dated(citation: Citation) -> str:
    retrieved = citation.claim.retrieved if citation.claim else citation.source.retrieved
    if retrieved:
        return f", retrieved {retrieved}"
    return f", {citation.source.published}" if citation.source.published else ""


def _copied(copy: Capture) -> str:
    return f"{copy.time:%Y-%m-%dT%H:%M:%SZ}, {copy.file}, {copy.digest}"


def as_csl(citations: Sequence[Citation], whole: bool = False) -> list[dict[str, Any]]:
    """CSL JSON items, each source once; the figures that were cited stand in the note.

    `whole`: with all that `kb add --from` needs to make the same source again.
    """
    items: dict[str, dict[str, Any]] = {}
    for citation in citations:
        source = citation.source
        item = items.setdefault(source.id, _item(citation))
        if whole:
            _add_the_rest(item, source)
        if citation.claim:
            item["note"] = "; ".join(filter(None, [item.get("note"), stated(citation.claim)]))
    return list(items.values())


def _item(citation: Citation) -> dict[str, Any]:
    source = citation.source
    retrieved = (citation.claim.retrieved if citation.claim else None) or source.retrieved
    item: dict[str, Any] = {
        "id": source.id,
        "type": _TYPES.get(source.role or "", "webpage"),
        "title": source.title or source.url or source.id,
    }
    if source.publisher:
        item["publisher"] = source.publisher
        item["author"] = [{"literal": source.publisher}]
    if source.url:
        item["URL"] = source.url
    for key, day in (("issued", source.published), ("accessed", retrieved)):
        if day and re.fullmatch(r"\d{4}(-\d\d){0,2}", day):
            item[key] = {"date-parts": [[int(p) for p in day.split("-")]]}
        elif day:
            item[key] = {"literal": day}
    if citation.copy:
        item["archive"] = "snapshots"
        item["archive_location"] = _copied(citation.copy)
    return item


def _add_the_rest(item: dict[str, Any], source: Source) -> None:
    """What CSL has no variable for goes into `custom`, which is there for that."""
    from kb.claims.write import check_pairs, flow_mapping  # start-up time

    if not source.title:
        item.pop("title", None)
    if source.tags:
        item["keyword"] = _keywords(source.tags)
    if source.note:
        item["note"] = source.note
    check = flow_mapping(check_pairs(source.check)) if source.check != Check() else None
    own = {"role": source.role, "url_status": source.url_status, "check": check}
    own = {k: v for k, v in own.items() if v}
    if own:
        item["custom"] = {"kb": own}


def _keywords(tags: tuple[str, ...]) -> str:
    """As others write them, with commas; as a table does where a tag has one."""
    plain = not any(re.search(r"[,;]", t) for t in tags) and not tags[0].startswith("[")
    return ", ".join(tags) if plain else json.dumps(tags, ensure_ascii=False)


def as_bibtex(citations: Sequence[Citation], whole: bool = False) -> str:
    """BibTeX entries, each source once, with `urldate` and the figures in the note; `whole` as for CSL."""
    entries = []
    for item in as_csl(citations, whole):
        fields = {"title": "{" + _latex(item["title"]) + "}"} if "title" in item else {}
        if "publisher" in item:
            fields["author"] = "{" + _latex(item["publisher"]) + "}"
        if "issued" in item:
            fields["date"] = _day(item["issued"])
            if re.match(r"\d{4}", fields["date"]):
                fields["year"] = fields["date"][:4]
        if "URL" in item:
            fields["url"] = _address(item["URL"])
        if "accessed" in item:
            fields["urldate"] = _day(item["accessed"])
        note = ". ".join(filter(None, [item.get("note"), _archived(item)]))
        if note:
            fields["note"] = _latex(note)
        if "keyword" in item:
            fields["keywords"] = _latex(item["keyword"])
        own = item.get("custom", {}).get("kb", {})
        fields |= {f"kb-{k.replace('_', '-')}": _latex(v) for k, v in own.items()}
        body = ",\n".join(f"  {key} = {{{value}}}" for key, value in fields.items())
        entries.append(f"@misc{{{item['id']},\n{body}\n}}")
    return "\n\n".join(entries)


def _day(date: dict[str, Any]) -> str:
    if "literal" in date:
        return str(date["literal"])
    year, *rest = date["date-parts"][0]
    return "-".join([f"{year:04d}", *(f"{p:02d}" for p in rest)])


def _archived(item: dict[str, Any]) -> str:
    where = item.get("archive_location")
    return f"Archived copy: {where}" if where else ""


def _latex(text: str) -> str:
    """Text for a field; what LaTeX would draw together (`--`, two quotes) is kept apart."""
    return "{}".join("".join(LATEX.get(c, c) for c in piece) for piece in _LIGATURES.split(text))


def _address(url: str) -> str:
    """An address for a BibTeX field, in which braces must be in pairs."""
    return url.replace("{", "%7B").replace("}", "%7D").replace("\\", "%5C")
