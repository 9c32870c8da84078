"""Ids and tags, looked up in the text of the claims files when a shell asks: quick, and never failing.

What a file states is not checked here, so a faulty file gives its names as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

MOST = 400
"""Files that are looked into for one answer; sources alone are named where more could match."""

_BEFORE_KEY = r"(?:^|[{,])[ \t]*(?:-[ \t]*)?\{?[ \t]*"
_ID = re.compile(_BEFORE_KEY + r"""id:[ \t]*["']?([A-Za-z0-9_-]+)""", re.M)
_TAGS_IN_LINE = re.compile(_BEFORE_KEY + r"tags:[ \t]*\[([^\]]*)\]", re.M)
_TAGS_BELOW = re.compile(_BEFORE_KEY + r"tags:[ \t]*\n((?:[ \t]*-[ \t]+[^\n:]+\n?)+)", re.M)


def source_ids(root: Path, start: str) -> list[str]:
    """The ids of sources that begin with `start`, sorted."""
    return sorted(file.stem for file in _files(root) if file.stem.startswith(start))


def claim_ids(root: Path, start: str) -> list[str]:
    """The ids of claims that begin with `start`, sorted; of their sources, where those are very many."""
    stem, dot, name = start.partition(".")
    files = [f for f in _files(root) if (f.stem == stem if dot else f.stem.startswith(stem))]
    if len(files) > MOST:
        return sorted(f"{f.stem}." for f in files)
    return sorted(
        f"{file.stem}.{found}"
        for file in files
        for found in _ID.findall(_text(file))
        if found.startswith(name)
    )


def tags(root: Path, start: str) -> list[str]:
    """The tags that begin with `start`, of any source or claim, sorted."""
    found: set[str] = set()
    for file in list(_files(root))[: MOST * 5]:
        text = _text(file)
        for inside in _TAGS_IN_LINE.findall(text):
            found |= {_bare(tag) for tag in inside.split(",")}
        for below in _TAGS_BELOW.findall(text):
            found |= {_bare(line.strip()[1:]) for line in below.splitlines()}
    return sorted(tag for tag in found if tag and tag.startswith(start))


def _bare(text: str) -> str:
    return text.strip().strip("\"'")


def _files(root: Path) -> Iterator[Path]:
    try:
        yield from (root / "claims").rglob("[!.]*.yaml")
    except OSError:
        return  # a folder that may not be looked into names nothing


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def why_none(root: Path, only: Sequence[str], wanted_tags: Sequence[str]) -> list[str]:
    """Why no claim is selected: which words name none, and what they may have meant."""
    if not only and not wanted_tags:
        return ["there are no claims yet; kb add makes the first"]
    from difflib import get_close_matches  # start-up time

    said = []
    ids = source_ids(root, "") + claim_ids(root, "")
    for words in only:
        if not any(fnmatchcase(id, words) for id in ids):
            near = get_close_matches(words, ids, 1)
            hint = f'did you mean "{near[0]}"?' if near else "see the names of the files in claims/"
            said.append(f'no claim or source is called "{words}"; {hint}')
    known = tags(root, "")
    for tag in wanted_tags:
        if tag not in known:
            there = f"there are: {', '.join(known)}" if known else "no claim has any"
            said.append(f'no claim has the tag "{tag}"; {there}')
    return said
