"""What kb writes it reads back as the same (design, section 3)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from claim_strategies import TODAY, sources, words
from hypothesis import given
from hypothesis import strategies as st

from kb.claims import Check, Claim, Source, Was, write_source
from kb.claims.read import read_text
from kb.claims.write import interval, scalar
from kb.claims.yaml import compose
from kb.errors import UsageError


@given(sources())
def test_what_is_written_reads_back_as_the_same(source: Source) -> None:
    text = write_source(source, "../docs/claims.schema.json")
    draft = read_text(text, "claims/s.yaml", TODAY)
    assert [p for p in draft.problems if p.level == "error"] == []
    assert draft.source is not None
    read = replace(draft.source, claims=tuple(replace(c, line=0) for c in draft.source.claims))
    assert read == source
    assert text.startswith("# yaml-language-server: $schema=../docs/claims.schema.json\n")


@given(words, st.booleans())
def test_any_text_is_one_scalar(text: str, flow: bool) -> None:
    written = scalar(text, flow=flow)
    assert "\n" not in written
    whole = f"a: [{written}, {{b: {written}}}]" if flow else f"a: {written}\nb: c"
    _, data, problems = compose(whole, "f")
    assert problems == []
    assert data == ({"a": [text, {"b": text}]} if flow else {"a": text, "b": "c"})


def test_a_file_reads_well() -> None:
    source = Source(
        id="nd",
        title="ND H100 v5 series",
        publisher="Microsoft Learn",
        url="https://learn.example/nd",
        retrieved="2026-09-28",
        check=Check(every=604800, browser=True),
        claims=(
            Claim(
                id="nd.per-gpu",
                subject="Azure ND H100 v5",
                attribute="InfiniBand bandwidth",
                kind="figure",
                value="400 Gbps",
                per="GPU",
                retrieved="2026-09-28",
                note="A derived average, which nobody states: it follows from the bandwidth of the whole virtual "
                "machine and from how many GPUs it has.",
                was=(Was("200 Gbps", "2025-11-30", "new adapter"),),
            ),
            Claim(
                id="nd.sum",
                subject="Azure ND H100 v5",
                kind="formula",
                value="3,200 Gbps",
                formula="{nd.per-gpu} * 8",
                retrieved="2026-09-28",
            ),
        ),
    )
    assert write_source(source) == (
        """\
source:
  title: ND H100 v5 series
  publisher: Microsoft Learn
  url: https://learn.example/nd
  retrieved: 2026-09-28
  check: {every: 7d, browser: true}
claims:
  - id: per-gpu
    subject: Azure ND H100 v5
    attribute: InfiniBand bandwidth
    figure: 400 Gbps
    per: GPU
    note: >-
      A derived average, which nobody states: it follows from the bandwidth of the whole virtual machine and
      from how many GPUs it has.
    was:
      - {figure: 200 Gbps, until: 2025-11-30, why: new adapter}
  - id: sum
    subject: Azure ND H100 v5
    formula: "{per-gpu} * 8"
    figure: 3,200 Gbps
"""
    )


def test_a_claim_of_another_source_is_not_written() -> None:
    stray = Claim(id="b.x", subject="S", kind="text", value="T")
    with pytest.raises(UsageError, match=r'the claim "b.x" does not belong to "a"'):
        write_source(Source(id="a", url="https://e.example/p", claims=(stray,)))


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (60, "1m"),
        (90 * 60, "90m"),
        (43200, "12h"),
        (86400, "1d"),
        (604800, "7d"),
        (1209600, "2w"),
        (30, "1m"),
    ],
)
def test_an_interval_is_written_in_the_largest_unit(seconds: int, written: str) -> None:
    assert interval(seconds) == written
