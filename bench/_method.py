"""The figures of docs/accuracy.md as the site's page on method shows them: `python -m bench._method`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NOTE = ROOT / "docs" / "accuracy.md"
SHIPPED = ROOT / "kb" / "publish" / "accuracy.json"


def figures(note: str) -> dict[str, Any]:
    """What was measured, and of each part what kb said and its rates beside others'."""
    first = re.search(r"^What was measured: (.*?)\n\n", note, re.M | re.S)
    parts = []
    for title, body in re.findall(r"^## (The part [^\n]*)\n(.*?)(?=^## )", note, re.M | re.S):
        said, rates = (_table(t) for t in re.findall(r"(?:^\|.*\n)+", body, re.M)[:2])
        parts.append({"title": title, "said": said, "rates": rates})
    return {"measured": " ".join(first[1].split()) if first else "", "parts": parts}


def _table(text: str) -> dict[str, Any]:
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in text.splitlines()]
    return {"head": rows[0], "rows": rows[2:]}


def ship(note: str) -> None:
    """Put the figures of `note` beside the page that shows them."""
    SHIPPED.write_text(json.dumps(figures(note), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    ship(NOTE.read_text(encoding="utf-8"))
