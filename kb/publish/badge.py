"""A claim as a small picture: what is stated, the verdict, and when the page was read."""

from __future__ import annotations

from html import escape

from kb.publish.state import state_word
from kb.report import words
from kb.store import ClaimNow

_LETTER = 7.2  # an upper estimate at this size; `textLength` makes each text fit exactly
_PAD = 8
_LONGEST = 40
_TONES = {
    "holds": "#1d6f42",
    "drifted": "#b3261e",
    "suspected": "#b3261e",
    "gone": "#8a2a86",
    "unclear": "#7a5600",
    "accepted": "#0b57a4",
}


def badge(claim: ClaimNow) -> str:
    """`400 Gbps · holds · 2026-11-28` as an SVG that needs no style sheet, font or script."""
    kind, word = state_word(claim)
    value = clipped(words.value_text(claim.stated, claim), _LONGEST)
    day = (claim.captured or "")[:10]
    told = f"{word} · {day}" if day else word
    left, right = (round(len(t) * _LETTER + 2 * _PAD, 1) for t in (value, told))
    tone = _TONES.get(kind, "#4b5567")
    said = escape(f"{value} · {told}")
    whole = round(left + right, 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="22" role="img" aria-label="{said}">'
        f"<title>{said}</title>"
        f'<rect width="{whole}" height="22" rx="4" fill="#353d52"/>'
        f'<path d="M{left} 0H{whole - 4}a4 4 0 0 1 4 4V18a4 4 0 0 1 -4 4H{left}z" fill="{tone}"/>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="12">'
        f"{_text(value, _PAD, left)}{_text(told, left + _PAD, right)}</g></svg>\n"
    )


def _text(text: str, x: float, width: float) -> str:
    length = round(width - 2 * _PAD, 1)
    return f'<text x="{round(x, 1)}" y="15.5" textLength="{length}">{escape(text)}</text>'


def clipped(text: str, limit: int) -> str:
    """`text`, or so many of its letters and a sign that there are more."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
