"""Sources and claims to YAML that a person would have written, and that reads back as the same."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from kb.claims.claim import Accepted, Claim, Was
from kb.claims.json_schema import LINE
from kb.claims.source import Check, Source
from kb.errors import UsageError

WIDTH = 110
"""Longer texts are folded, longer lists and mappings are written one entry a line."""

# What begins a YAML construct, or means something in a place, cannot stand unquoted.
_START = re.compile(r"[-?:](?=\s|$)|[,\[\]{}#&*!|>'\"%@`]|---|\.\.\.")
_INSIDE = re.compile(r":(?=\s|$)|\s#")
_FLOW = re.compile(r"[,\[\]{}]|^[-?:]|:$|:[,\[\]{}\"']")
_OTHER_TYPE = re.compile(r"(?i:null|true|false|yes|no|on|off|y|n|~)")
_UNPRINTABLE = re.compile(
    r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def write_source(source: Source, schema: str | None = None) -> str:
    """A whole claims file.

    Args:
        source: with its claims, whose ids begin with the source's.
        schema: the JSON Schema's path or address, which the first line then names for editors.

    Raises:
        UsageError: a claim's id does not belong to the source.
    """
    lines = [f"{LINE}{schema}"] if schema else []
    head = _head(source)
    if head:
        lines += ["source:", *(f"  {line}" for line in head)]
    if not source.claims:
        lines.append("claims: []")
    else:
        lines.append("claims:")
        for claim in source.claims:
            lines += write_claim(claim, source)
    return "\n".join(lines) + "\n"


def write_claim(claim: Claim, source: Source, indent: int = 2) -> list[str]:
    """The lines of one entry of `claims`.

    Raises:
        UsageError: its id does not belong to the source.
    """
    file, _, name = (claim.id or "").rpartition(".")
    if file != source.id or not name:
        raise UsageError(f'the claim "{claim.id}" does not belong to "{source.id}"; its id begins with that')
    lines = [*_text("id", name), *_text("subject", claim.subject), *_text("attribute", claim.attribute)]
    if claim.formula is not None:
        lines += _text("formula", claim.formula.replace("{" + source.id + ".", "{"))
    lines += _value("figure" if claim.kind == "formula" else claim.kind, claim.value)
    if claim.complete:
        lines.append("complete: true")
    for key in ("dimension", "per", "direction", "quote"):
        lines += _text(key, getattr(claim, key))
    if claim.retrieved != source.retrieved:
        lines += _text("retrieved", claim.retrieved)
    lines += [*_text("where", claim.where), *_text("note", claim.note), *_list("tags", claim.tags)]
    if claim.was:
        lines.append("was:")
        for entry in claim.was:
            lines += _entry(was_pairs(entry, "figure" if claim.kind == "formula" else claim.kind))
    if claim.accepted:
        lines += _mapping("accepted", accepted_pairs(claim.accepted))
    lines += _text("status", claim.status)
    space = " " * indent
    return [f"{space}{'- ' if i == 0 else '  '}{line}" for i, line in enumerate(lines)]


def _head(source: Source) -> list[str]:
    lines = []
    for key in ("title", "publisher", "url", "url_status", "published", "retrieved", "role"):
        lines += _text(key, getattr(source, key))
    if source.check != Check():
        lines += _mapping("check", check_pairs(source.check))
    return [*lines, *_list("tags", source.tags), *_text("note", source.note)]


def check_pairs(check: Check) -> list[tuple[str, str]]:
    """Keys and written values of `check`."""
    pairs = []
    if check.every is not None:
        pairs.append(("every", interval(check.every)))
    if check.browser:
        pairs.append(("browser", "true"))
    if check.archive:
        pairs.append(("archive", "only"))
    if check.off is not None:
        pairs.append(("off", scalar(check.off, flow=True)))
    return pairs


def interval(seconds: int) -> str:
    """Seconds as `12h` or `7d`, in the largest unit that is exact; weeks only from two on."""
    for unit, size, least in (("w", 604800, 1209600), ("d", 86400, 86400), ("h", 3600, 3600)):
        if seconds % size == 0 and seconds >= least:
            return f"{seconds // size}{unit}"
    return f"{max(1, -(-seconds // 60))}m"


def was_pairs(entry: Was, kind: str) -> list[tuple[str, str]]:
    """Keys and written values of an entry of `was` of a claim of this kind."""
    pairs = [(entry.kind or kind, flow_value(entry.value)), ("until", entry.until)]
    return [*pairs, ("why", scalar(entry.why, flow=True))] if entry.why else pairs


def accepted_pairs(accepted: Accepted) -> list[tuple[str, str]]:
    """Keys and written values of `accepted`."""
    pairs = [("found", flow_value(accepted.found)), ("on", accepted.on)]
    return [*pairs, ("why", scalar(accepted.why, flow=True))] if accepted.why else pairs


def flow_value(value: str | Iterable[str]) -> str:
    """A value on one line."""
    if isinstance(value, str):
        return scalar(value, flow=True)
    return f"[{', '.join(scalar(v, flow=True) for v in value)}]"


def flow_mapping(pairs: Iterable[tuple[str, str]]) -> str:
    """`{key: value, …}` of values that are written already."""
    return "{" + ", ".join(f"{k}: {v}" for k, v in pairs) + "}"


def scalar(text: str, flow: bool = False) -> str:
    """A text as a YAML scalar on one line: plain where it can be, else in quotes.

    `flow`: it stands inside brackets, where commas and brackets need quotes.
    """
    if _plain(text) and not (flow and _FLOW.search(text)):
        return text
    if "'" not in text and not _UNPRINTABLE.search(text) and ('"' in text or "\\" in text):
        return f"'{text}'"
    return '"' + "".join(_escaped(c) for c in text) + '"'


def _plain(text: str) -> bool:
    return not (
        not text
        or text != text.strip()
        or _START.match(text)
        or _INSIDE.search(text)
        or _OTHER_TYPE.fullmatch(text)
        or _UNPRINTABLE.search(text)
    )


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if not _UNPRINTABLE.match(char):
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _text(key: str, text: str | None) -> list[str]:
    if not text:
        return []
    words = text.split(" ")
    if len(key) + len(text) + 6 <= WIDTH or not all(words) or len(words) < 2 or _UNPRINTABLE.search(text):
        return [f"{key}: {scalar(text)}"]
    if text != text.strip():
        return [f"{key}: {scalar(text)}"]
    folded = textwrap.wrap(text, WIDTH - 8, break_long_words=False, break_on_hyphens=False)
    if " ".join(folded) != text:
        return [f"{key}: {scalar(text)}"]
    return [f"{key}: >-", *(f"  {line}" for line in folded)]


def _value(key: str, value: str | tuple[str, ...]) -> list[str]:
    return _text(key, value) if isinstance(value, str) else _list(key, value)


def _list(key: str, values: tuple[str, ...]) -> list[str]:
    if not values:
        return []
    line = f"{key}: {flow_value(values)}"
    if len(line) + 4 <= WIDTH:
        return [line]
    return [f"{key}:", *(f"  - {scalar(v)}" for v in values)]


def _mapping(key: str, pairs: list[tuple[str, str]]) -> list[str]:
    line = f"{key}: {flow_mapping(pairs)}"
    return [line] if len(line) + 4 <= WIDTH else [f"{key}:", *(f"  {k}: {v}" for k, v in pairs)]


def _entry(pairs: list[tuple[str, str]]) -> list[str]:
    line = f"  - {flow_mapping(pairs)}"
    if len(line) + 4 <= WIDTH:
        return [line]
    (first, value), *rest = pairs
    return [f"  - {first}: {value}", *(f"    {k}: {v}" for k, v in rest)]
