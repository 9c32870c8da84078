"""Pages that are mostly new: what is named by all of the claim answers there, and hardly anything else."""

from __future__ import annotations

import kb


def judged(claim: str, now: str, before: str) -> tuple[str, object]:
    def page(text: str) -> kb.Page:
        return kb.read_page(text.encode(), content_type="text/html")

    verdict = kb.judge(kb.Claim.parse(claim), page(now), page(before))
    return str(verdict.reason), verdict.found


BEFORE = (
    "<h1>Loom</h1><p>Every gander node of the mesh needs at least 2 GB of RAM.</p>"
    "<p>The heron nodes are leased by the week from the depot.</p><p>Looms are oiled on the first of May.</p>"
)
NOW = (
    "<h1>Running your own Loom</h1><p>What follows is advice, and no promise of ours to anybody.</p>"
    "<h2>Disks</h2><ul><li>500 GB of flash under any load</li><li>fans that can be heard next door</li></ul>"
    "<p>A node that leads needs 16 GB of RAM, and one of gander 48 GB.</p>"
    "<h2>Nodes</h2><ul><li>a CPU of four cores</li><li>8 GB {0}</li><li>a disk of 100 GB or more</li></ul>"
    "<h2>Spare parts</h2><p>Wheels, belts and a box of nails should be at hand at any time.</p>"
)
CLAIM = "gander node, RAM: 2 GB"


def test_a_change_stands_where_subject_and_attribute_are_both_named() -> None:
    assert judged(CLAIM, NOW.format("RAM on a gander node"), BEFORE) == ("changed", "8 GB")


def test_a_change_where_only_half_of_the_claim_is_named_is_left_to_a_person() -> None:
    assert judged(CLAIM, NOW.format("of swap on a gander node"), BEFORE)[0] == "restructured"
