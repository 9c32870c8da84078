"""What a page's `metadata` record says: which records belong to it, and what they cannot say themselves."""

from __future__ import annotations

from dataclasses import dataclass, field

from kb.reasons import Reason
from kb.snapshots.capture import Hop
from kb.snapshots.scan import header_lines


@dataclass(slots=True)
class Said:
    """What a page's metadata record says, whether it is to be written or was read."""

    main: str = ""  # id of the record with the body; "" where there is none
    response: str = ""  # id of the record with status and headers, where it is another
    requested: str = ""
    url: str = ""
    via: str = "live"
    reason: Reason | None = None
    detail: str = ""
    memento: str = ""
    imported: str = ""
    hops: list[tuple[Hop, str]] = field(default_factory=list)
    unchanged: list[tuple[str, str]] | None = None  # headers of a 304


def metadata_fields(said: Said) -> list[tuple[str, str]]:
    """What a metadata record writes, absent things left out."""
    fields = [
        ("kb-capture", "1"),
        ("main", said.main),
        ("response", said.response),
        ("requested", said.requested),
        ("url", said.url),
        ("via", said.via),
        ("reason", said.reason or ""),
        ("detail", said.detail),
        ("memento", said.memento),
        ("imported", said.imported),
    ]
    fields += [("hop", f"{record} {hop.status} {hop.url}") for hop, record in said.hops]
    if said.unchanged is not None:
        fields.append(("answer", "304"))
        fields += [("header", f"{name}: {value}") for name, value in said.unchanged]
    return [(name, value) for name, value in fields if value]


def read_metadata(block: bytes) -> Said | None:
    """What a metadata record says of a page; None for one that is not kb's, or makes no sense."""
    fields = header_lines(block)
    first = dict(reversed(fields))
    if "kb-capture" not in first:
        return None
    said = Said(
        main=first.get("main", ""),
        response=first.get("response", ""),
        requested=first.get("requested", ""),
        url=first.get("url", ""),
        via=first.get("via", "live"),
        detail=first.get("detail", ""),
        memento=first.get("memento", ""),
        imported=first.get("imported", ""),
    )
    try:
        said.reason = Reason(first["reason"]) if "reason" in first else None
        for value in (value for name, value in fields if name == "hop"):
            record, status, url = value.split(" ", 2)
            said.hops.append((Hop(url, int(status)), record))
    except ValueError:
        return None
    if first.get("answer") == "304":
        lines = (value.partition(": ") for name, value in fields if name == "header")
        said.unchanged = [(name, value) for name, _, value in lines]
    return said


def needs_words(said: Said) -> bool:
    """Whether the main record alone does not say it all: requested, url, via live, no reason."""
    return bool(
        not said.main
        or said.requested != said.url
        or said.via != "live"
        or said.reason
        or said.detail
        or said.memento
        or said.imported
        or said.hops
        or said.unchanged is not None
    )
