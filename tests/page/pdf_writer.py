"""A PDF of plain words at given places, small enough to read by eye."""

from __future__ import annotations

Word = tuple[float, float, float, str]
"""Left end, baseline, letter size, text."""


def pdf(pages: list[list[Word]], title: str = "") -> bytes:
    """A PDF with these words on its pages."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    for n, words in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * n} 0 R "
            f"/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        lines = [f"BT /F1 {size} Tf {x} {y} Td ({_escaped(text)}) Tj ET" for x, y, size, text in words]
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
