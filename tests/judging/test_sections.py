"""Two tables with the same rows: the heading that the claim says tells which one it means."""

from __future__ import annotations

import pytest

import kb

TWO = """# {title}

## {first}

| {name} | {size} |
| --- | --- |
| pond | 32 GB |
| nest | 8 GB |

## {second}

| {name} | {size} |
| --- | --- |
| pond | {now} |
| nest | 16 GB |
"""


@pytest.mark.parametrize(
    ("words", "subject"),
    [
        (
            ("Gander sizes", "Test flock", "Flock in service", "Part", "Memory"),
            "Gander flock in service pond, memory",
        ),
        (("Gander 大小", "测试环境", "生产环境", "组件", "内存"), "Gander 集群生产环境 pond, 内存"),
    ],
)
def test_the_heading_that_the_claim_says_tells_equal_tables_apart(
    words: tuple[str, ...], subject: str
) -> None:
    names = dict(zip(("title", "first", "second", "name", "size"), words, strict=True))

    def judged(now: str, before: str | None = None) -> tuple[str, object]:
        page = kb.read_page(TWO.format(**names, now=now).encode(), content_type="text/markdown")
        base = (
            kb.read_page(TWO.format(**names, now=before).encode(), content_type="text/markdown")
            if before
            else None
        )
        verdict = kb.judge(kb.Claim.parse(f"{subject}: 32 GB"), page, base)
        return str(verdict.outcome), verdict.found

    assert judged("64 GB") == ("drifted", "64 GB")
    assert judged("64 GB", "32 GB") == ("drifted", "64 GB")
    assert judged("32 GB", "32 GB") == ("holds", "32 GB")


def outcome(claim: str, now: str) -> tuple[str, object]:
    verdict = kb.judge(kb.Claim.parse(claim), kb.read_page(now.encode(), content_type="text/html"))
    return str(verdict.outcome), verdict.found


NODES = (
    "<h1>Loom system</h1>"
    "<h2>Grey Heron Compute Nodes</h2><table><tr><th>Part<th>Value</tr><tr><td>Local storage<td>150 GB</table>"
    "<h2>Black Swan Compute Nodes</h2><table><tr><th>Part<th>Value</tr><tr><td>Local storage<td>{swan}</table>"
)


def test_words_that_several_headings_have_need_not_be_said() -> None:
    claim = "Loom Black Swan, local storage: 150 GB"
    assert outcome(claim, NODES.format(swan="3.5 TB")) == ("drifted", "3.5 TB")
    assert outcome(claim, NODES.format(swan="150 GB")) == ("holds", "150 GB")


PLANS = (
    "<h1>Benefits at Loom</h1><h2>Medical Insurance</h2><p>The company pays 75% of the premium.</p>"
    "<h2>Dental Insurance</h2><p>The company pays {dental} of the premium.</p>"
)


def test_the_heading_that_the_claim_says_tells_equal_sentences_apart() -> None:
    claim = "Loom dental plan, share of the premium the company pays: 75%"
    assert outcome(claim, PLANS.format(dental="100%")) == ("drifted", "100%")
    assert outcome(claim, PLANS.format(dental="75%")) == ("holds", "75%")
