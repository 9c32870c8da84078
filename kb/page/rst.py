"""What reStructuredText adds to plain text: inline markup, and the names of its directives."""

from __future__ import annotations

import re

DIRECTIVE = re.compile(r"(\s*)\.\.\s+(?:\|([^|]+)\|\s+)?([A-Za-z][\w:+.-]*?)\s?::(?:\s+(.*)|)$")
EXPLICIT = re.compile(r"(\s*)\.\.(?:\s+(.*))?$")
FIELD = re.compile(r"(\s*):((?![: ])[^:\n]{1,60}):(?:\s+(.*)|\s*)$")

CODE = frozenset(
    (
        "code",
        "code-block",
        "sourcecode",
        "parsed-literal",
        "prompt",
        "highlight",
        "math",
        "console",
        "doctest",
    )
)
SILENT = frozenset(
    name
    for line in (
        "contents toctree index raw meta highlight role default-role include literalinclude sectnum",
        "currentmodule tabularcolumns only module image graphviz automodule autoclass",
    )
    for name in line.split()
)
"""Directives whose text is not shown where they stand."""

NOTES = frozenset(
    name
    for line in (
        "note warning tip important caution danger attention hint error admonition topic sidebar rubric",
        "container epigraph compound class figure table seealso todo tabs tab group-tab grid card dropdown",
        "list-table csv-table centered pull-quote",
    )
    for name in line.split()
)
"""Directives that only frame their text."""

CHANGES = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
}

_SIGNS = re.compile(
    r"(?m)^\.\. [A-Za-z_\[|]|::\s*$|:[a-z][\w:+.-]*:`[^`]+`|`[^`\n]+`__?\b|``[^`\n]+``"
    r"|^\+(?:[-=]{2,}\+){2,}|^={2,} +={2,}"
)
_ROLE = re.compile(r":[A-Za-z][\w:+.-]*:`([^`]+)`")
_LINK = re.compile(r"`([^`<]*?)\s*<[^`>]+>`_{1,2}")
_NAMED = re.compile(r"`([^`\n]+)`_{0,2}")
_LITERAL = re.compile(r"``(.+?)``", re.S)
_STRONG = re.compile(r"(?<![\w*])\*\*(?=\S)(.+?)(?<=\S)\*\*(?![\w*])", re.S)
_EMPHASIS = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*\\])\*(?![\w*])")
_REFERENCE = re.compile(r"(?<![\w`])([A-Za-z][\w.-]*)__?(?=[\s.,;:!?)]|$)(?<!__init__)")
_TARGET = re.compile(r"^[~!]?(.*?)\s*(?:<[^>]*>)?$", re.S)


def is_rst(text: str) -> bool:
    """Whether a text without a telling name has enough of the markup."""
    found = set()
    for sign in _SIGNS.finditer(text[:200_000]):
        found.add(sign.group()[:3])
        if len(found) > 1:
            return True
    return False


def inline(text: str, replaced: dict[str, str]) -> str:
    """The words without the markup around them."""
    if "|" in text and replaced:
        text = re.sub(r"\|([^|\n]{1,60})\|_?", lambda m: replaced.get(m.group(1), m.group(0)), text)
    if "`" in text:
        kept: list[str] = []

        def keep(found: re.Match[str]) -> str:
            kept.append(found.group(1))
            return f"\x02{len(kept) - 1}\x02"

        text = _LITERAL.sub(keep, text)
        text = _ROLE.sub(_role_text, text)
        text = _LINK.sub(r"\1", text)
        text = _NAMED.sub(r"\1", text)
        text = _plain(text)
        return re.sub(r"\x02(\d+)\x02", lambda m: kept[int(m.group(1))], text)
    return _plain(text)


def _role_text(found: re.Match[str]) -> str:
    words = _TARGET.match(found.group(1))
    return (words.group(1) or found.group(1)) if words else found.group(1)


def _plain(text: str) -> str:
    if "*" in text:
        text = _EMPHASIS.sub(r"\1", _STRONG.sub(r"\1", text))
    if "_" in text:
        text = _REFERENCE.sub(r"\1", text)
    if "\\" in text:
        text = re.sub(r"\\([^a-zA-Z0-9\s])", r"\1", re.sub(r"\\(?:\s|$)", "", text))
    return text
