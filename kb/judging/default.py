"""Where a text says what a default is: its own line, a sentence, or the title of its entry."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.judging.entry import name_of, normal
from kb.judging.mention import Mention
from kb.page import Block

_SAID = re.compile(r"\bdefault", re.IGNORECASE)
_SAID_ELSEWHERE = re.compile("默认|缺省|預設|デフォルト|既定|기본")
_STATES = re.compile(  # `The default value for x is 5`, `Default: 5`, `default of about 5`, `(default 5)`
    r"\bdefault(?:s|ed|desc)?\b"
    r"(?:[^\n.;!?]{0,70}?(?:\s(?:is|are|of|to|at|means|stands for)"
    r"(?:\s(?:currently|now|set|about|approximately|around))?(?:\sto)?|:|=|\s\()"
    r"|\s(?:value|setting|limit|size|number|timeout))?"
    r"[\s`'\"“]*$",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\bdefault(?:\svalue)?s?:[\s#]*[\w.-]+\s+$", re.IGNORECASE
)  # `Default: name 5`, as a file has it
_STATES_ELSEWHERE = re.compile(
    r"(?:默认|缺省|預設|デフォルト|既定|기본)(?:值|値|값)?\s?(?:为|為|是|は|은|：|:)?\s?[`'\"]*$"
)
_STANDS_FOR = re.compile(
    r"[`'\"”]?\s(?:is|means|stands for)\s[`'\"“]?\d"
)  # the 0 of `Default: 0 means 30 minutes`
_SETS = re.compile(r"\s*#?\s*\[?(-{0,2}[A-Za-z][\w.-]*)\s?[:= ]\s*[`'\"“]?")
_LINE = re.compile(r"\W*(?:default|defaultdesc)(?: value)?s?\W*[:=]|.*\| default = ", re.IGNORECASE)
_REACH = 110  # characters before a value in which its sentence may say that it is a default


def speaks_of_default(text: str) -> bool:
    """Whether a claim is about a default."""
    return bool(_SAID.search(text) or _SAID_ELSEWHERE.search(text))


def default_slots(block: Block, mentions: Sequence[Mention]) -> list[Mention]:
    """Of the values in one block those that it states as a default: the first behind each such word."""
    out = []
    end = 0
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        if mention.start < end:
            continue
        if stated_as_default(block, mention, end):
            out.append(mention)
        elif _STANDS_FOR.match(block.text, mention.end):
            continue
        end = mention.end
    return out


def stated_as_default(block: Block, mention: Mention, since: int = 0) -> bool:
    """Whether a block states a value as a default; `since`: where the value before it ended."""
    text, start = block.text, mention.start
    if _STANDS_FOR.match(text, mention.end):
        return False
    before = text[max(since, start - _REACH, 0) : start]
    if block.kind in ("heading", "term"):
        value = name_of(text).value
        if value is not None and value <= start and not text[value:start].strip(" `'\"“"):
            return True
    if _sets(block, start):
        return True
    if not _said(before):
        labels = (*block.row[-1:], *block.column[-1:])
        return since == 0 and any(_is_label(label) for label in labels) and _begins(block, start)
    if _STATES_ELSEWHERE.search(before):
        return True
    return bool(_STATES.search(before) or _NAMED.search(before))


_AFTER = re.compile(r"[`'\"”]?\s?\(?(?:by default\b|\(?(?:the )?default\))", re.IGNORECASE)


def told_as_default(block: Block, mention: Mention) -> bool:
    """Whether a block states a value as a default, before or behind it: `defaults to 5`, `5 by default`."""
    return stated_as_default(block, mention) or _AFTER.match(block.text, mention.end) is not None


def is_own_line(block: Block, mention: Mention) -> bool:
    """Whether a default has a line, cell or title of its own, which goes before what sentences say."""
    text, start = block.text, mention.start
    line = text[text.rfind("\n", 0, start) + 1 : start]
    labels = (*block.row[-1:], *block.column[-1:])
    return (
        block.kind in ("heading", "term")
        or _sets(block, start)
        or _LINE.match(line) is not None
        or any(_is_label(label) for label in labels)
    )


def _sets(block: Block, start: int) -> bool:
    """Whether a line of a file gives a value to the setting that its block is of: `max_eggs: 5`."""
    text = block.text
    line = text[text.rfind("\n", 0, start) + 1 : start]
    match = _SETS.fullmatch(line) if block.kind in ("definition", "code") else None
    return match is not None and any(normal(match[1]) in name_of(label).names for label in block.row)


def _said(text: str) -> bool:
    return bool(_SAID.search(text) or _SAID_ELSEWHERE.search(text))


def _is_label(label: str) -> bool:
    """Whether a label says that what it labels is a default: Default, Default value, defaultdesc."""
    return len(label) <= 30 and _said(label)


def _begins(block: Block, start: int) -> bool:
    """Whether a value is the first thing that its cell or labelled line says, the setting's name aside."""
    text = block.text
    label = block.row[-1] if block.row else ""
    at = len(label) if label and text.lower().startswith(label.lower()) else 0
    said = text[at:start].strip(" :=`'\"“(")
    return " " not in said and not any(c.isdigit() for c in said)
