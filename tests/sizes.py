"""A page that states one size, and the claims file about it."""

from __future__ import annotations

from pathlib import Path

PAGE = "<html lang=en><title>Sizes</title><h1>{name} sizes</h1><p>{name} has a memory of {figure} for each node.</p></html>"

CLAIMS = """\
source:
  title: {name} sizes
  publisher: Example
  url: {url}
claims:
  - id: memory
    subject: {name}
    attribute: memory
    figure: {figure}
    per: node
"""


def write_claims(root: Path, name: str, url: str, figure: str = "640 GB") -> None:
    """Write `claims/<name>.yaml`, which states `figure` for the page at `url`."""
    (root / "claims").mkdir(exist_ok=True)
    text = CLAIMS.format(name=name, url=url, figure=figure)
    (root / "claims" / f"{name.lower()}.yaml").write_text(text, encoding="utf-8")
