"""Labels that stand before a value in running text: `Memory: 80 GB`, a bold lead, `memory = 80GB`."""

from __future__ import annotations

import re

MAX_LABEL = 80
MAX_LABELS = 12
"""Labels of one block, outermost first; a hostile page could nest without end."""

_MAX_WORDS = 8
_MAX_VALUE_WORDS = 12

_COLON = re.compile(r"([^\n:：;!?]{1,80}?)\s?(?::\s+|：\s*)(?=\S)")
_EQUALS = re.compile(r"([^\s=:][^=:\n]{0,30}?)\s+=\s+(?=\S)")
_SENTENCE_END = re.compile(r"[.!?](?:\s+[A-ZÀ-Þ]|\s*$)")
_INNER_END = re.compile(r"[.!?]\s+[A-ZÀ-Þ]")
_DASHES = " :：–—-=\u00a0"


def introduces(text: str, coded: bool = False) -> str:
    """The label that a short line, ending in a colon or all code, gives to the list after it; or none."""
    if (
        (text[-1:] not in (":", "：") and not coded)
        or len(text) > MAX_LABEL
        or len(text.split()) > _MAX_WORDS
        or "\n" in text
    ):
        return ""
    return text.rstrip(_DASHES)


def label_of(text: str) -> str | None:
    """The label of a line `label: value`; None where a colon plays another part."""
    found = _COLON.match(text) or _EQUALS.match(text)
    if found is None:
        return None
    label = found.group(1).strip()
    if label[:1] == "(" and text.rstrip()[-1:] == ")":
        label = label[1:]  # (default: 5)
    if not label or len(label.split()) > _MAX_WORDS or _INNER_END.search(label):
        return None
    if label.count("(") != label.count(")") or label.count("[") != label.count("]"):
        return None  # 1 to 35 (default: 7)
    return label


def is_pair(text: str, label: str) -> bool:
    """Whether what follows a label is a value rather than a sentence."""
    value = text[text.find(label) + len(label) :].lstrip(_DASHES)
    return len(value.split()) <= _MAX_VALUE_WORDS and not _SENTENCE_END.search(value)


def lead_label(text: str, lead: str) -> str | None:
    """The label that a bold or code beginning of a block makes; None where it is just emphasis."""
    label = lead.strip(_DASHES)
    if not label or len(label) > MAX_LABEL or _INNER_END.search(label):
        return None
    rest = text[len(lead) :]
    if (
        lead.rstrip()[-1:] in ":：–—-="
        or rest.lstrip()[:1] in (":", "：", "–", "—", "-", "=")
        or rest[:1] == "\n"
    ):
        return label
    return label if len(rest.split()) <= _MAX_VALUE_WORDS and not rest.rstrip().endswith(".") else None
