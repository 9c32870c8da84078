"""Sources and claims of every form, for hypothesis."""

from __future__ import annotations

from datetime import date
from typing import Any

from hypothesis import strategies as st

from kb.claims import Accepted, Check, Claim, Source, Was
from kb.claims.figures import read_figure

TODAY = date(2026, 11, 30)

characters = st.characters(exclude_categories=["Cs"])
texts = st.text(characters, min_size=1, max_size=30)
tricky = st.sampled_from(
    [
        *("a: b", "a #b", "#a", "- a", "? a", "[a]", "{a}", "a, b", "'a'", '"a"', "a\\b", "a\nb", " a", "a "),
        *(
            "null",
            "~",
            "true",
            "No",
            "1",
            "2024-03-18",
            "---",
            "...",
            "%a",
            "@a",
            "`a`",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
        ),
        *(
            "a:",
            ":a",
            "x:y",
            "a:,b",
            "-",
            "--",
            "é",
            "\u2028",
            "\ufeff",
            "\x85",
            "𝒳",
            "\x00",
            "\t",
            "a\tb",
            "=",
            "<<",
        ),
        'it\'s "so"',
        "word " * 40 + "end",
        "word  " * 40 + "end",
        "w" * 300,
    ]
)
words = texts | tricky
days = st.dates(date(1999, 1, 1), TODAY).map(str)
dates = days | days.map(lambda d: d[:7]) | days.map(lambda d: d[:4])
figures = st.sampled_from(
    [
        "400 Gbps",
        "3,200 Gbps",
        "1,600 to 3,200 Gbps",
        "more than 50 members",
        "about 6.9 billion USD",
        "8x400G",
        "18x",
    ]
)
lists = st.lists(words, min_size=1, max_size=5).map(tuple)
some = st.none() | words


@st.composite
def a_was(draw: st.DrawFn, until: str) -> Was:
    kind, value = draw(
        st.one_of(
            st.tuples(st.just("figure"), figures),
            st.tuples(st.just("date"), dates),
            st.tuples(st.sampled_from(["text", "absent"]), words),
            st.tuples(st.just("list"), lists),
        )
    )
    return Was(value=value, until=until, why=draw(st.just("") | words), kind=kind)


@st.composite
def claims(draw: st.DrawFn, name: str) -> Claim:
    kind = draw(st.sampled_from(["figure", "date", "text", "list", "absent", "formula"]))
    given_values: dict[str, st.SearchStrategy[Any]] = {
        "figure": figures,
        "date": dates,
        "text": words,
        "list": lists,
        "absent": words,
        "formula": st.just("400.0 Gbps"),
    }
    value = draw(given_values[kind])
    attribute = draw(st.sampled_from(["", "bandwidth", "note: this", "a #b"]))
    per = draw(st.sampled_from([None, "GPU", "hour", "unspecified"]))
    quantity = None
    if kind in ("figure", "formula"):
        quantity = read_figure(value, attribute, per)[0]
    return Claim(
        id=f"s.{name}",
        subject=draw(words),
        kind=kind,
        value=value,
        attribute=attribute,
        quantity=quantity,
        complete=kind == "list" and draw(st.booleans()),
        dimension=draw(st.sampled_from([None, "data rate"])) if kind == "absent" else None,
        formula="3200 Gbps / 8" if kind == "formula" else None,
        per=per,
        direction=draw(st.sampled_from([None, "each way", "unspecified"])),
        quote=draw(some),
        retrieved=draw(st.just("2026-09-28") | days),
        where=draw(some),
        note=draw(some),
        tags=draw(st.just(()) | lists),
        was=tuple(draw(a_was(d)) for d in draw(st.lists(days, max_size=2, unique=True))),
        accepted=draw(st.none() | st.builds(Accepted, found=words | lists, on=days, why=st.just("") | words)),
        status=draw(st.sampled_from([None, "proposed"])),
        source_id="s",
        file="claims/s.yaml",
    )


checks = st.builds(
    Check,
    every=st.none() | st.integers(1, 100_000).map(lambda n: n * 60),
    browser=st.booleans(),
    archive=st.booleans(),
    off=some,
)


@st.composite
def sources(draw: st.DrawFn) -> Source:
    names = draw(st.lists(st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True), max_size=3, unique=True))
    return Source(
        id="s",
        title=draw(words),
        publisher=draw(words),
        url="https://e.example/p?q=1#f",
        url_status=draw(st.sampled_from([None, "known", "supposed"])),
        published=draw(st.none() | dates),
        retrieved="2026-09-28",
        role=draw(st.sampled_from([None, "press"])),
        check=draw(checks),
        tags=draw(st.just(()) | lists),
        note=draw(some),
        claims=tuple(draw(claims(name)) for name in names),
        file="claims/s.yaml",
    )
