"""Which records of a file belong to which capture, so that captures can be copied or left out whole."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import BinaryIO

from kb.snapshots.metadata import read_metadata
from kb.snapshots.records import squeezed
from kb.snapshots.scan import Fault, scan, split_http


@dataclass(slots=True)
class Group:
    """The records of one page, as (offset, end), in the order of the file; `bodies`: those with a body."""

    records: list[tuple[int, int]] = field(default_factory=list)
    offsets: set[int] = field(default_factory=set)
    bodies: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Groups:
    """A file in parts: its opening records, and one group for each page. `whole`: no record is damaged."""

    opening: Group
    pages: list[Group]
    whole: bool

    def holding(self, offsets: Iterable[int]) -> list[Group]:
        """The pages that hold any of these records, in the order of the file."""
        wanted = set(offsets)
        return [page for page in self.pages if page.offsets & wanted]


def group(file: BinaryIO) -> Groups:
    """Read a file's records and put them together by what they say of each other."""
    found = Groups(Group(), [], True)
    by_id: dict[str, Group] = {}
    for item in scan(file):
        if isinstance(item, Fault):
            found.whole = False
            continue
        here: Group | None
        if item.type == "warcinfo":
            here = found.opening
        else:
            here = by_id.get(item.id) or by_id.get(item.headers.get("warc-concurrent-to", ""))
            if here is None:
                here = Group()
                found.pages.append(here)
        if item.type == "metadata" and (said := read_metadata(item.block)):
            for name in (said.main, said.response, *(hop for _, hop in said.hops)):
                if name:
                    by_id[name] = here
        if item.id:
            by_id.setdefault(item.id, here)
        here.records.append((item.offset, item.end))
        here.offsets.add(item.offset)
        if item.type == "resource" or (item.type == "response" and split_http(item.block)[2]):
            here.bodies.add(item.offset)
    return found


def copy_records(file: BinaryIO, groups: Iterable[Group], target: BinaryIO) -> None:
    """Write the groups' records as they stand; those of a plain file each as a gzip member."""
    for part in groups:
        for offset, end in part.records:
            file.seek(offset)
            data = file.read(end - offset)
            target.write(data if data.startswith(b"\x1f\x8b") else squeezed(data + b"\r\n\r\n"))
