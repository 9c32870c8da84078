"""Claims from W3C Web Annotations: kb's own, and those whose text states a claim about a quoted passage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kb.app.from_table import from_rows
from kb.app.incoming import Incoming, Unplaced
from kb.claims import Claim, Source
from kb.errors import KbError
from kb.export.table import COLUMNS, claim_row


def is_annotations(data: Any) -> bool:
    """Whether JSON holds annotations: one, a page or collection, or a list of them."""
    one = data[0] if isinstance(data, list) and data else data
    kinds = one.get("type", one.get("@type")) if isinstance(one, dict) else None
    return any("Annotation" in str(k) for k in (kinds if isinstance(kinds, list) else [kinds]))


def read_annotations(path: Path, text: str, data: Any) -> Incoming:
    """The claims that annotations state, each with its page and the quoted words.

    What kb wrote itself comes back as it was. Of others, the annotation's text is read as a
    statement, and the claim is only proposed.

    Raises:
        ClaimsError: a claim that kb wrote was changed into something that states nothing.
    """
    rows: list[tuple[str, Mapping[str, str] | str]] = []
    unplaced = []
    for item in _items(data):
        place = f"{path}:{_line(item, text)}"
        own = item.get("claim")
        if (
            isinstance(own, dict)
            and all(isinstance(v, str) for v in own.values())
            and set(own) <= set(COLUMNS)
        ):
            rows.append((place, own))
            continue
        said = " ".join(_texts(item.get("body", item.get("bodyValue"))))
        url, quote = _target(item.get("target"))
        try:
            if not url:
                raise ValueError("it has no target with an address")
            claim = Claim.parse(said)
        except (KbError, ValueError) as error:
            unplaced.append(Unplaced(place, said or str(item.get("id", "an annotation")), str(error)))
            continue
        row = claim_row(claim, Source("", url=url)) | {"status": "proposed"}
        row |= {"quote": quote} if quote else {}
        created = re.match(r"\d{4}-\d\d-\d\d", str(item.get("created", "")))
        row |= {"retrieved": created[0]} if created and "retrieved" not in row else {}
        rows.append((place, row))
    incoming = from_rows(rows)
    return Incoming(incoming.sources, incoming.given, incoming.places, tuple(unplaced))


def _items(data: Any) -> Iterator[dict[str, Any]]:
    """The annotations of a list, a page, or a collection with its pages inside."""
    if isinstance(data, list):
        for one in data:
            yield from _items(one)
    elif isinstance(data, dict):
        inside = data.get("items", data.get("first"))
        if isinstance(inside, list | dict):
            yield from _items(inside)
        elif "target" in data:
            yield data


def _line(item: Mapping[str, Any], text: str) -> int:
    id = item.get("id", item.get("@id"))
    at = text.find(f'"{id}"') if isinstance(id, str) else -1
    return text.count("\n", 0, max(at, 0)) + 1


def _texts(body: Any) -> Iterator[str]:
    for one in body if isinstance(body, list) else [body]:
        said = one.get("value") if isinstance(one, dict) else one
        if isinstance(said, str) and not re.match(r"https?://\S+$", said):
            yield said


def _target(target: Any) -> tuple[str, str]:
    """The address that an annotation is about, and the words quoted there."""
    target = target[0] if isinstance(target, list) and target else target
    if isinstance(target, str):
        return target, ""
    if not isinstance(target, dict):
        return "", ""
    source = target.get("source", target.get("id"))
    source = source.get("id") if isinstance(source, dict) else source
    selectors = target.get("selector")
    for one in selectors if isinstance(selectors, list) else [selectors]:
        exact = one.get("exact") if isinstance(one, dict) else None
        if isinstance(exact, str):
            return source if isinstance(source, str) else "", " ".join(exact.split())
    return source if isinstance(source, str) else "", ""
