"""Each fault of one claim or one source is told with its place and what would be right."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from claim_files import in_claim

Said = Callable[..., list[str]]

ONE_CLAIM = [
    # What the claim has, what is said of it.
    (
        "id: x\nsubject: S\nfigur: 400 Gbps\nfigure: 400 Gbps",
        ['a:9:5: key "figur" is unknown; did you mean "figure"?'],
    ),
    (
        "id: x\nsubject: S\ntext: T\nurl: https://e.example/p",
        ['a:10:5: key "url" is unknown; it belongs to `source`'],
    ),
    ("id: x\ntext: T", ['a:7:5: the claim has no "subject"; add `subject: …`, what the claim is about']),
    (
        "subject: S\ntext: T",
        ['a:7:5: the claim has no "id"; add `id: …`, a name of letters, digits, - and _'],
    ),
    (
        "id: per GPU\nsubject: S\ntext: T",
        ['a:7:9: the id "per GPU" is not made of letters, digits, - and _; write "per-gpu"'],
    ),
    (
        "id: a.x\nsubject: S\ntext: T",
        ['a:7:9: the id "a.x" is not made of letters, digits, - and _; leave the file\'s part out: "x"'],
    ),
    (
        "id: x\nsubject: S",
        [
            "a:7:5: the claim states nothing; "
            "add one of figure, date, text, list, absent, or formula with figure"
        ],
    ),
    (
        "id: x\nsubject: S\nfigure: 4 GB\ntext: T",
        ['a:10:5: a claim states one thing, this one has "figure" and "text"; make a claim of each'],
    ),
    (
        "id: x\nsubject: S\nformula: 4 / 2\ndate: 2024",
        ['a:10:5: a claim states one thing, this one has "date" and "formula"; make a claim of each'],
    ),
    (
        "id: x\nsubject: S\nformula: 4 / 2",
        ["a:9:5: the formula has no figure to be compared with; add `figure: …`, the result"],
    ),
    ("id: x\nsubject: S\ntext: ''", ['a:9:11: "text" is empty; write its value, or leave the key out']),
    ("id: x\nsubject: S\ntext:", ['a:9:10: "text" is empty; write its value, or leave the key out']),
    ("id: x\nsubject: S\nlist: []", ['a:9:11: "list" is empty; write its value, or leave the key out']),
    (
        "id: x\nsubject: S\nlist: HPE, IBM",
        ['a:9:11: "list" must be a list, not "HPE, IBM"; write `list: [one, two]`'],
    ),
    (
        "id: x\nsubject: S\ntext: [T]",
        [
            'a:9:11: "text" must be one text, not a list; quote it, if it contains ": " or begins with a bracket'
        ],
    ),
    (
        "id: x\nsubject: S\ntext: {a: b}",
        [
            'a:9:11: "text" must be one text, not `key: value`; '
            'quote it, if it contains ": " or begins with a bracket'
        ],
    ),
    (
        "id: x\nsubject: S\nlist: [a]\ncomplete: yes",
        ['a:10:15: "complete" cannot be "yes"; write true or false'],
    ),
    (
        "id: x\nsubject: S\ntext: T\ncomplete: true",
        ['a:10:5: "complete" belongs to `list`, and this claim states `text`; leave it out'],
    ),
    (
        "id: x\nsubject: S\nfigure: 4 GB\ndimension: price",
        ['a:10:5: "dimension" belongs to `absent`, and this claim states `figure`; leave it out'],
    ),
    (
        "id: x\nsubject: S\nfigure: 4 GB\ndirection: both way",
        ['a:10:16: "direction" cannot be "both way"; write both ways'],
    ),
    (
        "id: x\nsubject: S\nfigure: 4 GB\ndirection: up",
        ['a:10:16: "direction" cannot be "up"; write each way, both ways, bidirectional or unspecified'],
    ),
    (
        "id: x\nsubject: S\ntext: T\nstatus: done",
        ['a:10:13: "status" cannot be "done"; write proposed'],
    ),
    (
        "id: x\nsubject: S\ntext: T\nretrieved: 2026-09",
        ['a:10:16: "retrieved" needs a day, not "2026-09"; write it as 2024-03-18'],
    ),
    (
        "id: x\nsubject: S\ntext: T\nretrieved: 2026-02-30",
        ["a:10:16: there is no day 2026-02-30; put the day that is meant"],
    ),
    (
        "id: x\nsubject: S\ntext: T\nretrieved: 2026-12-01",
        [
            'a:10:16: "retrieved" is 2026-12-01, in the future (today is 2026-11-30); '
            "put the day that is meant"
        ],
    ),
    (
        "id: x\nsubject: S\ndate: 2024-13",
        ["a:9:11: there is no date 2024-13; put the date that is meant"],
    ),
    (
        "id: x\nsubject: S\ndate: 18 March 2024",
        ['a:9:11: "18 March 2024" is no date that a claims file knows; write 2024-03-18'],
    ),
    (
        "id: x\nsubject: S\nfigure: 400 Gbps\nwas: {figure: 300 Gbps, until: 2026-01-01}",
        ['a:10:10: "was" must be a list, not `key: value`; write `was: [{figure: …, until: 2026-11-30}]`'],
    ),
    (
        "id: x\nsubject: S\nfigure: 400 Gbps\nwas: [{figure: 300 Gbps}]",
        ['a:10:11: `was` has no "until"; add the last day on which we stated it, as in `until: 2026-11-30`'],
    ),
    (
        "id: x\nsubject: S\nfigure: 400 Gbps\nwas: [{until: 2026-01-01}]",
        [
            "a:10:11: an entry of `was` states one thing, this one nothing; "
            "write the old value under its key, as in {figure: 400 Gbps, until: 2026-11-30}"
        ],
    ),
    (
        "id: x\nsubject: S\nfigure: 400 Gbps\nwas: [{figure: 1 GB, until: 2027-01-01}]",
        ['a:10:33: "until" is 2027-01-01, in the future (today is 2026-11-30); put the day that is meant'],
    ),
    (
        "id: x\nsubject: S\nfigure: 400 Gbps\naccepted: {found: 800 Gbps}",
        ['a:10:15: `accepted` has no "on"; add the day, as in `on: 2026-11-30`'],
    ),
    (
        "id: x\nsubject: S\nfigure: 400 Gbps\naccepted: {found: 8, on: 2026-11-31}",
        ["a:10:30: there is no day 2026-11-31; put the day that is meant"],
    ),
    (
        "id: x\nsubject: S\ntext: T\ntext: U",
        ['a:10:5: key "text" is given twice (first in line 9); keep one of the two'],
    ),
]


@pytest.mark.parametrize(("lines", "expected"), ONE_CLAIM)
def test_a_fault_of_a_claim_is_told_with_its_place(said: Said, lines: str, expected: list[str]) -> None:
    assert said(a=in_claim(lines)) == expected


ONE_SOURCE = [
    (
        "url: ftp://e.example/p",
        'a:4:8: the url "ftp://e.example/p" is not http or https; write https://host/path',
    ),
    (
        "url: www.e.example/p",
        'a:4:8: the url "www.e.example/p" is not http or https; write "https://www.e.example/p"',
    ),
    ("url: https:///p", 'a:4:8: the url "https:///p" names no host; write https://host/path'),
    (
        "url: https://e.example/a b",
        'a:4:8: the url "https://e.example/a b" has a space or a sign that no url has; encode it, as in %20',
    ),
    (
        "url: https://e.example:99999/",
        'a:4:8: the url "https://e.example:99999/" cannot be read (Port out of range 0-65535); '
        "write https://host/path",
    ),
    (
        "url: https://e.example/p\n  url_status: guess",
        'a:5:15: "url_status" cannot be "guess"; write known or supposed',
    ),
    (
        "url: https://e.example/p\n  role: resaler",
        'a:5:9: "role" cannot be "resaler"; write reseller',
    ),
    (
        "url: https://e.example/p\n  check: {every: weekly}",
        'a:5:18: the interval "weekly" cannot be read; write a number of m, h, d or w, as in 12h, 7d or 2w',
    ),
    (
        "url: https://e.example/p\n  check: {every: 0d}",
        'a:5:18: the interval "0d" cannot be read; write a number of m, h, d or w, as in 12h, 7d or 2w',
    ),
    ("url: https://e.example/p\n  check: {archive: yes}", 'a:5:20: "archive" cannot be "yes"; write only'),
    (
        "url: https://e.example/p\n  check: {brwser: true}",
        'a:5:11: key "brwser" is unknown; did you mean "browser"?',
    ),
    (
        "url: https://e.example/p\n  check: 7d",
        'a:5:10: "check" must be made of `key: value`, not "7d"; write `check: {every: 7d}`',
    ),
    (
        "url: https://e.example/p\n  published: 2027",
        'a:5:14: "published" is 2027, in the future (today is 2026-11-30); put the day that is meant',
    ),
    (
        "url: https://e.example/p\n  published: 2026-00",
        "a:5:14: there is no date 2026-00; put the date that is meant",
    ),
    (
        "role: press",
        'a:2:3: the source has no "url"; '
        "add `url: https://…`; what we state ourselves stands in a file without `source`",
    ),
]


@pytest.mark.parametrize(("lines", "expected"), ONE_SOURCE)
def test_a_fault_of_a_source_is_told_with_its_place(said: Said, lines: str, expected: str) -> None:
    text = f"source:\n  title: T\n  publisher: P\n  {lines}\nclaims: []\n"
    assert said(a=text) == [expected]
