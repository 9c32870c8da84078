"""One entry of a claims file to a `Claim`, with the faults that it shows by itself."""

from __future__ import annotations

from typing import Any

from yaml import Node

from kb.claims.claim import Accepted, Claim, Was
from kb.claims.doubts import figure_doubts, quote_doubts
from kb.claims.draft import Draft
from kb.claims.figures import read_figure, unknown_dimension
from kb.claims.formula import full_formula
from kb.claims.shape import nearest_key
from kb.claims.yaml import entries, place
from kb.quantity import Quantity, dimension_named

VALUE_KEYS = ("figure", "date", "text", "list", "absent")
"""The keys that state something; one of them, or `formula` with `figure`, makes the kind."""

_BELONGS = {"complete": "list", "dimension": "absent"}


def read_entry(
    draft: Draft, data: dict[str, Any], node: Node, retrieved: str | None, first: dict[str, int]
) -> Claim | None:
    """Read one claim; None where too little of it can be read.

    Args:
        draft: the file, which takes the problems.
        data: the entry, each value in the form that its key asks for.
        node: the same with its marks.
        retrieved: the source's.
        first: line of each name that was met before, which this adds to.
    """
    get = data.get
    name = get("id")
    if name is not None:
        known = first.setdefault(name, node.start_mark.line + 1)
        if known != node.start_mark.line + 1:
            draft.told(
                entries(node)["id"][1],
                f'the id "{name}" is given twice (first in line {known})',
                "give one of the two another id",
                "duplicate-id",
            )
            name = None
    kind = _kind(draft, data, node)
    key = "figure" if kind == "formula" else kind
    value: Any = data[key] if key else None
    subject = get("subject")
    quantity = None
    per = get("per")
    if key == "figure":
        quantity, problem = read_figure(value, get("attribute", ""), per)
        if problem:
            draft.told(entries(node)["figure"][1], *problem)
        elif quantity and (quantity.readings or (per and ("/" in value or " per " in value))):
            for doubt in figure_doubts(value, quantity, per):
                draft.warned(entries(node)["figure"][1], *doubt)
    elif key == "date":
        draft.when(value, entries(node)["date"][1], "date")
    if "retrieved" in data:
        draft.day(data["retrieved"], entries(node)["retrieved"][1], "retrieved")
    if "complete" in data or "dimension" in data:
        _misplaced(draft, data, node, kind)
    if "quote" in data and key:
        _quote(draft, data, node, (kind, value, quantity))
    if key == "absent" or key == "list" or not draft.sourced:
        _doubts(draft, data, node, kind)
    was = _was(draft, data, node) if "was" in data else ()
    accepted = _accepted(draft, data, node) if "accepted" in data else None
    if name is None or key is None or subject is None:
        return None
    id = f"{draft.id}.{name}"
    formula = None
    if kind == "formula":
        formula = full_formula(data["formula"], draft.id)
        draft.formulas[id] = place(entries(node)["formula"][1])
    for k, v in node.value:
        if k.value == key:
            draft.places.append(place(v))
            break
    return Claim(
        id=id,
        subject=subject,
        kind=kind or "",
        value=tuple(value) if key == "list" else value,
        attribute=get("attribute", ""),
        quantity=quantity,
        complete=get("complete") == "true",
        dimension=get("dimension"),
        formula=formula,
        per=per,
        direction=get("direction"),
        quote=get("quote"),
        retrieved=get("retrieved", retrieved),
        where=get("where"),
        note=get("note"),
        tags=tuple(get("tags", ())),
        was=was,
        accepted=accepted,
        status=get("status"),
        source_id=draft.id,
        sourced=draft.sourced,
        file=draft.file,
        line=node.start_mark.line + 1,
    )


def _quote(draft: Draft, data: dict[str, Any], node: Node, stated: tuple[Any, Any, Quantity | None]) -> None:
    kind, value, quantity = stated
    value = tuple(value) if isinstance(value, list) else value
    for doubt in quote_doubts(data["quote"], kind, value, quantity):
        draft.warned(entries(node)["quote"][1], *doubt)


def _doubts(draft: Draft, data: dict[str, Any], node: Node, kind: str | None) -> None:
    """Warnings that concern few claims: absences, lists, and what we state ourselves."""
    if kind == "absent":
        words = data["absent"]
        named = data.get("dimension")
        if named is not None:
            wrong = unknown_dimension(named)
            if wrong:
                draft.told(entries(node)["dimension"][1], *wrong, "unknown-dimension")
        elif dimension_named(words) is None:
            draft.warned(
                entries(node)["absent"][1],
                f'"{words}" does not say which figures count',
                "add `dimension: …`, as in data rate or price",
                "no-dimension",
            )
    elif kind == "list":
        seen: set[str] = set()
        for member, at in zip(data["list"], entries(node)["list"][1].value, strict=True):
            if member.casefold() in seen:
                draft.warned(at, f'the list has "{member}" twice', "keep one", "listed-twice")
            seen.add(member.casefold())
    if not draft.sourced and kind not in (None, "formula") and "note" not in data:
        draft.warned(
            node,
            "nobody is named for this claim",
            "say in a `note` whether we assume or define it",
            "no-note",
        )


def _kind(draft: Draft, data: dict[str, Any], node: Node) -> str | None:
    keys = [k for k in VALUE_KEYS if k in data]
    formula = "formula" in data
    if len(keys) == 1 and not formula:
        return keys[0]
    if formula and keys == ["figure"]:
        return "formula"
    nodes = entries(node)  # with the keys whose values have a fault that is told already
    keys = [k for k in VALUE_KEYS if k in nodes]
    formula = "formula" in nodes
    if len(keys) == 1 and (not formula or keys == ["figure"]):
        return None
    if formula and not keys:
        draft.told(
            nodes["formula"][0],
            "the formula has no figure to be compared with",
            "add `figure: …`, the result",
            "missing-key",
        )
    elif not keys:
        if not set(data) & {"id", "subject"} or any(nearest_key(k, VALUE_KEYS) for k in nodes):
            return None  # told as a missing or unknown key already
        draft.told(
            node,
            "the claim states nothing",
            f"add one of {', '.join(VALUE_KEYS)}, or formula with figure",
            "missing-key",
        )
    else:
        stated = [*keys, *(["formula"] if formula else [])]
        second = sorted((place(nodes[k][0]), k) for k in stated)[1]
        words = " and ".join(f'"{k}"' for k in stated)
        draft.told(
            nodes[second[1]][0],
            f"a claim states one thing, this one has {words}",
            "make a claim of each",
            "two-kinds",
        )
    return None


def _misplaced(draft: Draft, data: dict[str, Any], node: Node, kind: str | None) -> None:
    for key, belongs in _BELONGS.items():
        if key in data and kind is not None and kind != belongs:
            draft.told(
                entries(node)[key][0],
                f'"{key}" belongs to `{belongs}`, and this claim states `{kind}`',
                "leave it out",
                "misplaced-key",
            )


def _was(draft: Draft, data: dict[str, Any], node: Node) -> tuple[Was, ...]:
    listed = []
    until: dict[str, int] = {}
    for entry, at in zip(data["was"], entries(node)["was"][1].value, strict=True):
        nodes = entries(at)
        keys = [k for k in VALUE_KEYS if k in nodes]
        if len(keys) == 1 and keys[0] not in entry:
            continue  # told already
        if len(keys) != 1:
            draft.told(
                at,
                "an entry of `was` states one thing" + (", this one nothing" if not keys else ""),
                "write the old value under its key, as in {figure: 400 Gbps, until: 2026-11-30}",
                "bad-was",
            )
            continue
        day = entry.get("until")
        if day is None:
            continue
        draft.day(day, nodes["until"][1], "until")
        if day in until:
            draft.told(
                nodes["until"][1],
                f"two entries of `was` end on {day}",
                "keep one of them, as one value was in force on that day",
                "bad-was",
            )
        until[day] = at.start_mark.line
        value = entry[keys[0]]
        if keys[0] == "figure":
            problem = read_figure(value, data.get("attribute", ""), data.get("per"))[1]
            if problem:
                draft.told(nodes["figure"][1], *problem)
        elif keys[0] == "date":
            draft.when(value, nodes["date"][1], "date")
        value = tuple(value) if isinstance(value, list) else value
        listed.append(Was(value=value, until=day, why=entry.get("why", ""), kind=keys[0]))
    return tuple(listed)


def _accepted(draft: Draft, data: dict[str, Any], node: Node) -> Accepted | None:
    entry = data["accepted"]
    found, day = entry.get("found"), entry.get("on")
    if found is None or day is None:
        return None
    draft.day(day, entries(entries(node)["accepted"][1])["on"][1], "on")
    found = tuple(found) if isinstance(found, list) else found
    return Accepted(found=found, on=day, why=entry.get("why", ""))
