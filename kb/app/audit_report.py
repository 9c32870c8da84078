"""An audit as JSON, SARIF and GitHub annotations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kb.app.audit_evidence import Behind
from kb.app.audit_lines import Place
from kb.app.audit_mention import Mention, Status
from kb.version import __version__

SAYS = {
    Status.HOLDS: "backed by a claim",
    Status.DRIFTED: "backed by a claim that no longer holds",
    Status.OTHER: "a claim says something else",
    Status.DERIVED: "follows from claims",
    Status.SOURCE: "the date of a source",
    Status.NONE: "no claim",
}
"""What each status means, in words."""


def counts(mentions: Sequence[Mention]) -> dict[str, int]:
    """How many mentions have each status, all statuses named."""
    seen = Counter(m.status for m in mentions)
    return {str(s): seen[s] for s in Status}


LEVELS = {Status.DRIFTED: "error", Status.OTHER: "warning", Status.NONE: "note"}
"""How SARIF takes each status where nothing else is known; the others are no results."""


def sentence_for(mention: Mention, behind: Mapping[str, Behind] | None = None) -> str:
    """What is to be said of a mention, in one line, with its claim's source where that is given."""
    text = f'"{mention.text}": {SAYS[mention.status]}'
    if mention.claims:
        text += f" ({mention.claims[0]}"
        if mention.formula:
            text += f" = {mention.worked or mention.formula}"
        elif mention.status in (Status.OTHER, Status.DRIFTED):
            text += f" states {mention.stated}" + (f", its page {mention.found}" if mention.found else "")
        one = (behind or {}).get(mention.claims[0])
        text += f"; {one.name}" if one and one.name else ""
        text += ")"
    return text


def as_json(
    article: str,
    mentions: Sequence[Mention],
    where: Sequence[Place | None],
    behind: Mapping[str, Behind],
) -> dict[str, Any]:
    """The whole audit; `evidence` has what stands behind each claim of a mention, the first one first."""
    return {
        "article": article,
        "counts": counts(mentions),
        "mentions": [
            {
                "text": m.text,
                "kind": m.kind,
                "line": p.line if p else None,
                "column": p.column if p else None,
                "page": m.block.page,
                "sentence": m.sentence,
                "status": str(m.status),
                "claim": m.claims[0] if m.claims else None,
                "also": list(m.claims[1:]),
                "verdict": m.verdict or None,
                "stated": m.stated or None,
                "found": m.found or None,
                "formula": m.formula or None,
                "worked": m.worked or None,
                "gone": m.gone,
                "evidence": [behind[id].as_json() for id in m.claims],
            }
            for m, p in zip(mentions, where, strict=True)
        ],
    }


def _told(
    mentions: Sequence[Mention], where: Sequence[Place | None]
) -> Iterator[tuple[str, Mention, Place | None]]:
    for mention, place in zip(mentions, where, strict=True):
        if mention.gone:
            yield "error", mention, place
        elif mention.doubtful:
            yield "warning", mention, place
        elif mention.status is Status.NONE:
            yield "note", mention, place


def as_sarif(
    article: str,
    mentions: Sequence[Mention],
    where: Sequence[Place | None],
    behind: Mapping[str, Behind],
) -> dict[str, Any]:
    """A SARIF 2.1.0 log of what needs a look: errors, warnings, and notes for what has no claim."""
    rules = [
        {"id": str(s), "shortDescription": {"text": SAYS[s]}, "defaultConfiguration": {"level": level}}
        for s, level in LEVELS.items()
    ]
    rules.append(
        {
            "id": "doubt",
            "shortDescription": {"text": "the claim behind it is unclear"},
            "defaultConfiguration": {"level": "warning"},
        }
    )
    numbers = {rule["id"]: n for n, rule in enumerate(rules)}
    results = []
    for level, mention, place in _told(mentions, where):
        location: dict[str, Any] = {"artifactLocation": {"uri": _uri(article)}}
        if place:
            location["region"] = {
                "startLine": place.line,
                "startColumn": place.column,
                "endLine": place.end_line,
                "endColumn": place.end_column,
            }
        rule = str(mention.status) if mention.status in LEVELS else "doubt"
        result: dict[str, Any] = {
            "ruleId": rule,
            "ruleIndex": numbers[rule],
            "level": level,
            "message": {"text": sentence_for(mention, behind)},
            "locations": [{"physicalLocation": location}],
        }
        links = [one.link for id in mention.claims if (one := behind.get(id)) and _web(one.link)]
        if links:
            result["hostedViewerUri"] = links[0]
        results.append(result)
    driver = {"name": "kb audit", "version": __version__, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def _uri(article: str) -> str:
    path = Path(article)
    return path.as_uri() if path.is_absolute() else quote(article)


def _web(link: str | None) -> bool:
    return bool(link and link.startswith(("https://", "http://")))


def as_github(
    article: str,
    mentions: Sequence[Mention],
    where: Sequence[Place | None],
    behind: Mapping[str, Behind],
) -> str:
    """GitHub's annotations, a line each; what merely has no claim is left out."""
    lines = []
    for level, mention, place in _told(mentions, where):
        if level != "note":
            at = f",line={place.line},endLine={place.end_line},col={place.column}" if place else ""
            at += f",endColumn={place.end_column}" if place and place.end_line == place.line else ""
            file = _escaped(article).replace(":", "%3A").replace(",", "%2C")
            said = _escaped(sentence_for(mention, behind))
            lines.append(f"::{level} file={file}{at},title=kb audit::{said}")
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
