"""The judge on copies of cited pages, where they lie beside the project: our own claims as an analyst would read them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from kb.claims import ClaimSet, read_claims
from kb.judging import judge
from kb.page import read_page

ROOT = Path(__file__).resolve().parent.parent.parent

CASES = [
    ("azure-nd-h100-v5.azure-h100-per-gpu", "azure-nd-h100-v5@2025-09-02.md", "holds"),
    ("azure-nd-h100-v5.azure-h100-per-gpu-gbps", "azure-nd-h100-v5@2025-09-02.md", "holds"),
    ("azure-nd-h100-v5.azure-h100-per-vm", "azure-nd-h100-v5@2025-09-02.md", "holds"),
    ("azure-nd-h100-v5.azure-h100-fabric", "azure-nd-h100-v5@2025-09-02.md", "holds"),
    ("azure-nd-h100-v5.azure-h100-per-gpu", "azure-nd-h100-v5@2023-08-04.md", "holds"),
    ("azure-nd-h100-v5.azure-h100-per-vm", "azure-nd-h100-v5@2023-08-04.md", "holds"),
    ("azure-nd-h200-v5.azure-h200-per-gpu", "azure-nd-h200-v5@2025-09-02.md", "holds"),
    ("azure-nd-h200-v5.azure-h200-per-vm", "azure-nd-h200-v5@2025-09-02.md", "holds"),
    ("nvidia-news-colossus.colossus-gpus", "nvidia-news-colossus.mirror.txt", "holds"),
    ("nvidia-news-colossus.colossus-build-days", "nvidia-news-colossus.mirror.txt", "holds"),
    ("nvidia-news-colossus.colossus-first-rack-days", "nvidia-news-colossus.mirror.txt", "holds"),
    ("nvidia-news-colossus.colossus-nic", "nvidia-news-colossus.mirror.txt", "holds"),
    ("meta-genai-infra.meta-roce-gpus", "meta-genai-infra.mirror.txt", "holds"),
    ("nvidia-gb200-nvl72.gb200-nvl72-bandwidth", "nvidia-gb200-nvl72.mirror.md", "holds"),
    ("hotaisle-pricing.hotaisle-bandwidth", "hotaisle-pricing.tsx", "holds"),
]


@pytest.fixture(scope="module")
def claims() -> ClaimSet:
    sources, _ = read_claims(ROOT, date.today())
    return ClaimSet(sources)


@pytest.mark.parametrize(("id", "file", "outcome"), CASES, ids=lambda v: str(v)[:60])
def test_our_claims_on_copies_of_their_pages(
    claims: ClaimSet, shared: Path, id: str, file: str, outcome: str
) -> None:
    page = read_page((shared / "pages" / file).read_bytes(), url=f"https://example.org/{file}")
    verdict = judge(claims.claim(id), page)
    assert str(verdict.outcome) == outcome, (verdict.reason, verdict.found, verdict.detail)
    assert "80000" not in str(verdict.found)
