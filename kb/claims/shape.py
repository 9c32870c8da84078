"""The keys of a claims file, what each may hold, and what to say where it holds something else.

The same table makes the JSON Schema (`kb.claims.schema`). Imported where it is used, as pydantic
takes longer to load than all the rest of kb.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, Literal, Required

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError, WithJsonSchema
from typing_extensions import TypedDict
from yaml import MappingNode, Node, SequenceNode

from kb.claims.yaml import Data, entries, place
from kb.errors import Problem

ID = r"^[A-Za-z0-9_-]+$"
_DAY = r"^\d{4}-\d{2}-\d{2}$"
_DATE = r"^(\d{4}(-\d{2}(-\d{2})?|-Q[1-4])?|FY\d{4}|--\d{2}-\d{2})$"

# An editor sees `figure: 400` as a number and `complete: true` as a boolean; kb sees the text.
Text = Annotated[str, StringConstraints(min_length=1), WithJsonSchema({"type": ["string", "number"]})]
Url = Annotated[
    str, StringConstraints(min_length=1), WithJsonSchema({"type": "string", "pattern": r"^https?://[^\s/]+"})
]
Flag = Annotated[Literal["true", "false"], WithJsonSchema({"type": "boolean"})]
Day = Annotated[str, StringConstraints(min_length=1), WithJsonSchema({"type": "string", "pattern": _DAY})]
When = Annotated[
    str,
    StringConstraints(min_length=1),
    WithJsonSchema({"anyOf": [{"type": "string", "pattern": _DATE}, {"type": "integer"}]}),
]
Texts = Annotated[list[Text], Field(min_length=1)]

_STRICT = ConfigDict(extra="forbid")


class CheckShape(TypedDict, total=False):
    """How the source is to be checked."""

    __pydantic_config__ = _STRICT  # type: ignore[misc]
    every: Annotated[
        str,
        StringConstraints(min_length=1),
        WithJsonSchema({"type": "string", "pattern": r"^\d+(m|h|d|w)$"}),
        Field(description="How often: 12h, 7d, 2w."),
    ]
    browser: Annotated[Flag, Field(description="Whether the page needs a browser.")]
    archive: Annotated[Literal["only"], Field(description="Ask a web archive only.")]
    off: Annotated[Text, Field(description="Why the source is not fetched at all.")]


class SourceShape(TypedDict, total=False):
    """The document that the claims were read in."""

    __pydantic_config__ = _STRICT  # type: ignore[misc]
    title: Annotated[Text, Field(description="The document's title.")]
    publisher: Annotated[Text, Field(description="Who published it.")]
    url: Annotated[Url, Field(description="Its address, http or https; may be missing where `check` is off.")]
    url_status: Annotated[
        Literal["known", "supposed"],
        Field(description="Whether somebody saw the page at this address, or it is only supposed."),
    ]
    published: Annotated[When, Field(description="When it was published, as precisely as known.")]
    retrieved: Annotated[Day, Field(description="The day when a person last read it.")]
    role: Annotated[
        Literal["primary", "vendor", "reseller", "press", "paper", "filing"],
        Field(description="What kind of document it is."),
    ]
    check: Annotated[CheckShape, Field(description="How it is to be checked.")]
    tags: Annotated[Texts, Field(description="Words to select by.")]
    note: Annotated[Text, Field(description="What a reader should know.")]


class WasShape(TypedDict, total=False):
    """What we stated before."""

    __pydantic_config__ = _STRICT  # type: ignore[misc]
    figure: Text
    date: When
    text: Text
    list: Texts
    absent: Text
    until: Required[Annotated[Day, Field(description="The last day on which we stated it.")]]
    why: Annotated[Text, Field(description="Why it was changed.")]


class AcceptedShape(TypedDict, total=False):
    """A value of the page that we know of, while we keep our own."""

    __pydantic_config__ = _STRICT  # type: ignore[misc]
    found: Required[Annotated[Text | Texts, Field(description="The value as the page has it.")]]
    on: Required[Annotated[Day, Field(description="The day when we accepted it.")]]
    why: Annotated[Text, Field(description="Why we keep our own.")]


class ClaimShape(TypedDict, total=False):
    """One checkable statement."""

    __pydantic_config__ = _STRICT  # type: ignore[misc]
    id: Required[
        Annotated[
            str,
            StringConstraints(pattern=ID),
            WithJsonSchema({"type": ["string", "integer"], "pattern": ID}),
            Field(description="Its name inside this file: letters, digits, - and _."),
        ]
    ]
    subject: Required[Annotated[Text, Field(description="What it is about, in words the source uses.")]]
    attribute: Annotated[Text, Field(description="Which property of the subject.")]
    figure: Annotated[
        Text, Field(description="A quantity: 400 Gbps, 1,600 to 3,200 Gbps, more than 50 members.")
    ]
    date: Annotated[When, Field(description="A date at its precision: 2024-03-18, 2015-08, 1999.")]
    text: Annotated[Text, Field(description="A name or phrase.")]
    list: Annotated[Texts, Field(description="Members of a set.")]
    absent: Annotated[Text, Field(description="Which figure was not found: data rate, price.")]
    formula: Annotated[Text, Field(description="How `figure` is calculated: {aws-p5.instance} / 8.")]
    complete: Annotated[Flag, Field(description="Of a list: nothing may be added to it.")]
    dimension: Annotated[
        Text, Field(description="Of an absence: data rate, price, … where its words do not say.")
    ]
    per: Annotated[
        Text, Field(description="What the figure counts for; `unspecified` where the source leaves it open.")
    ]
    direction: Annotated[
        Literal["each way", "both ways", "bidirectional", "unspecified"],
        Field(description="Each way, both ways added up, or the source's word, not resolved."),
    ]
    quote: Annotated[Text, Field(description="The words as the source had them, 25 at most.")]
    retrieved: Annotated[Day, Field(description="The day when a person last read this one.")]
    where: Annotated[Text, Field(description="A hint: a heading, a row, a column.")]
    note: Annotated[Text, Field(description="What a reader should know.")]
    tags: Annotated[Texts, Field(description="Words to select by.")]
    was: Annotated[list[WasShape], Field(min_length=1, description="What we stated before.")]
    accepted: Annotated[
        AcceptedShape, Field(description="A value of the page that we know of, and keep ours.")
    ]
    status: Annotated[Literal["proposed"], Field(description="Proposed by kb, not yet read by a person.")]


class FileShape(TypedDict, total=False):
    """One source, and the claims read there."""

    __pydantic_config__ = _STRICT  # type: ignore[misc]
    source: Annotated[SourceShape, Field(description="Left out where the file states our own.")]
    claims: Required[Annotated[list[ClaimShape], Field(description="May be empty: [].")]]


@cache
def adapter() -> TypeAdapter[FileShape]:
    """The reader of a whole file."""
    return TypeAdapter(FileShape)


SHAPES: dict[str, Any] = {
    "": FileShape,
    "source": SourceShape,
    "check": CheckShape,
    "claims": ClaimShape,
    "was": WasShape,
    "accepted": AcceptedShape,
}
"""Each mapping of a file by the key that holds it."""


def shape_problems(data: Data, node: Node, file: str) -> list[Problem]:
    """What is wrong with the keys and the forms of their values; semantics are asked elsewhere."""
    try:
        adapter().validate_python(data)
    except ValidationError as error:
        told: dict[tuple[int, int, str], Problem] = {}
        for fault in error.errors(include_url=False, include_input=False):
            problem = _problem(fault["type"], fault["loc"], fault.get("ctx", {}), node, file)
            told.setdefault((problem.line, problem.column, problem.what), problem)
        return list(told.values())
    return []


def _problem(
    kind: str, path: tuple[int | str, ...], context: dict[str, Any], node: Node, file: str
) -> Problem:
    holder = ""  # the key of the mapping that the fault lies in
    key = ""
    at = node
    key_at = node
    for step in path:
        if isinstance(step, int) and isinstance(at, SequenceNode) and step < len(at.value):
            at = key_at = at.value[step]
        elif isinstance(step, str) and isinstance(at, MappingNode):
            inside = entries(at)
            if step in inside or kind == "missing":  # other steps name a member of a union
                holder, key = key, step
                key_at, at = inside.get(step, (at, at))
    what, remedy, rule = _words(kind, holder, key, context, at)
    where = key_at if kind == "extra_forbidden" else at
    return Problem(file, *place(where), what, remedy, rule=rule)


def _words(kind: str, holder: str, key: str, context: dict[str, Any], at: Node) -> tuple[str, str, str]:
    if kind == "extra_forbidden":
        return _unknown_key(holder, key)
    if kind == "missing":
        of = {"": "the file", "claims": "the claim", "source": "the source"}.get(holder, f"`{holder}`")
        return f'{of} has no "{key}"', _MISSING.get(key, f"add `{key}: …`"), "missing-key"
    if kind == "string_pattern_mismatch":
        return (
            f"the id {_shown(at)} is not made of letters, digits, - and _",
            _better_id(str(at.value)),
            "bad-id",
        )
    if kind in ("string_too_short", "too_short"):
        return f'"{key}" is empty', "write its value, or leave the key out", "empty-value"
    if kind == "literal_error":
        words = [w.strip(" '") for w in str(context.get("expected", "")).replace(" or ", ", ").split(",")]
        near = difflib.get_close_matches(str(at.value), words, 1, 0.5) if isinstance(at.value, str) else []
        remedy = f"write {_either(near or words)}"
        return f'"{key}" cannot be {_shown(at)}', remedy, f"bad-{key.replace('_', '-')}"
    if kind == "list_type":
        return (
            f'"{key}" must be a list, not {_shown(at)}',
            _LISTS.get(key, f"write `{key}: [one, two]`"),
            "bad-list",
        )
    if kind in ("dict_type", "typed_dict_type"):
        name = {"": "the file", "claims": "each of `claims`"}.get(key, f'"{key}"')
        return f"{name} must be made of `key: value`, not {_shown(at)}", _MAPPINGS.get(key, ""), "bad-mapping"
    if kind == "string_type":
        remedy = 'quote it, if it contains ": " or begins with a bracket'
        return f'"{key}" must be one text, not {_shown(at)}', remedy, "bad-text"
    return f'"{key}" cannot be {_shown(at)}', "see docs/claims.md", "bad-value"


_MISSING = {
    "claims": "write `claims: []` where there are none yet",
    "id": "add `id: …`, a name of letters, digits, - and _",
    "subject": "add `subject: …`, what the claim is about",
    "until": "add the last day on which we stated it, as in `until: 2026-11-30`",
    "found": "add the page's value, as in `found: 800 Gbps`",
    "on": "add the day, as in `on: 2026-11-30`",
}
_LISTS = {
    "claims": "begin each claim with `  - id: …`, or write `claims: []`",
    "was": "write `was: [{figure: …, until: 2026-11-30}]`",
}
_MAPPINGS = {
    "": "begin with `source:` and `claims:`",
    "claims": "begin each with `- id: …`",
    "source": "write `title: …`, `publisher: …` and `url: …` below it",
    "check": "write `check: {every: 7d}`",
    "was": "write `was: [{figure: …, until: 2026-11-30}]`",
    "accepted": "write `accepted: {found: …, on: 2026-11-30}`",
}


def _unknown_key(holder: str, key: str) -> tuple[str, str, str]:
    known = list(SHAPES[holder].__annotations__) if holder in SHAPES else []
    near = nearest_key(key, known)
    elsewhere = next((h for h, s in SHAPES.items() if key in s.__annotations__), None)
    if near:
        remedy = f'did you mean "{near}"?'
    elif elsewhere is not None:
        place_of = {"": "the top of the file", "claims": "a claim"}.get(elsewhere, f"`{elsewhere}`")
        remedy = f"it belongs to {place_of}"
    else:
        remedy = f"the keys here are {' '.join(known)}"
    return f'key "{key}" is unknown', remedy, "unknown-key"


def nearest_key(key: str, known: Iterable[str]) -> str | None:
    """The known key that a misspelt one was meant to be."""
    near = difflib.get_close_matches(key.strip().lower(), list(known), 1, 0.7)
    return near[0] if near else None


def _better_id(text: str) -> str:
    name = "-".join("".join(c if c.isascii() and (c.isalnum() or c in "-_") else " " for c in text).split())
    if "." in text:
        return f'leave the file\'s part out: "{text.rpartition(".")[2]}"' if name else "write a name"
    return f'write "{name.lower()}"' if name else "write a name such as per-gpu"


def _shown(node: Node) -> str:
    if isinstance(node, SequenceNode):
        return "a list"
    if isinstance(node, MappingNode):
        return "`key: value`"
    text = str(node.value)
    return f'"{text if len(text) <= 60 else text[:57] + "…"}"' if text else "empty"


def _either(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
