"""A PDF of plain words and rules at given places, small enough to read by eye."""

from __future__ import annotations

from collections.abc import Sequence

Word = tuple[float, float, float, str]
"""Left end, baseline, letter size, text."""

Rule = tuple[float, float, float, float]
"""From x, y to x, y."""


def grid(xs: list[float], ys: list[float]) -> list[Rule]:
    """The rules of a table whose columns and rows end there."""
    across = [(xs[0], y, xs[-1], y) for y in ys]
    return across + [(x, ys[0], x, ys[-1]) for x in xs]


def pdf(
    pages: list[list[Word]],
    title: str = "",
    *,
    rules: Sequence[Rule] = (),
    origin: float = 0,
    font: str = "Helvetica",
) -> bytes:
    """A PDF with these words on its pages, and rules on its last; `origin` is its lower left corner."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    objects.append(f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} /Encoding /WinAnsiEncoding >>".encode())
    for n, words in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [{origin} {origin} {origin + 612} {origin + 792}] /Contents {5 + 2 * n} 0 R "
            f"/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        lines = [f"BT /F1 {size} Tf {x} {y} Td ({_escaped(text)}) Tj ET" for x, y, size, text in words]
        if n == len(pages) - 1:
            lines += [f"{a} {b} m {c} {d} l S" for a, b, c, d in rules]
        stream = "\n".join(lines).encode("cp1252")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    objects.append(f"<< /Title ({_escaped(title)}) /CreationDate (D:20260301120000Z) >>".encode("cp1252"))
    out = b"%PDF-1.4\n"
    offsets = []
    for n, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (n, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer << /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (len(objects) + 1, len(objects))
    return out + b"startxref\n%d\n%%%%EOF" % table


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
