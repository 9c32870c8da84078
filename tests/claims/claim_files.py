"""Claims files as tests write them."""

from __future__ import annotations

SOURCE = """\
source:
  title: ND H100 v5 series
  publisher: Microsoft Learn
  url: https://learn.example/nd-h100-v5
  retrieved: 2026-09-28
claims:
"""
CLAIM = "  - {id: x, subject: S, attribute: a, figure: 400 Gbps}\n"


def in_claim(lines: str) -> str:
    """A file whose one claim begins in line 7."""
    return SOURCE + "".join(f"    {line}\n" for line in lines.splitlines()).replace("    ", "  - ", 1)
