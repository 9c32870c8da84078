"""Text as people see it, without markup, in which each character knows where it was."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

_DEBRIS = re.compile(
    r"[&<\\*`_\u00a0\u00ad\u2000-\u200d\u2010\u2011\u2018\u2019\u2028-\u202f\u2044\u2060\u2212\u02bc\u3000\ufeff\uff01-\uff5d]"
)
_CHARACTERS = dict.fromkeys(
    "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000\u2028\u2029", " "
)
_CHARACTERS |= dict.fromkeys("`\u200b\u200c\u200d\u2060\ufeff\u00ad", " ")
_CHARACTERS |= {
    "\u2010": "-",
    "\u2011": "-",
    "\u2212": "-",
    "\u2018": "'",
    "\u2019": "'",
    "\u02bc": "'",
    "\u2044": "/",
    "\\": " ",
}
_CHARACTERS |= {chr(c + 0xFEE0): chr(c) for c in range(0x21, 0x7E)}
_TABLE = str.maketrans(_CHARACTERS)

GROUP_SPACE = "\u202f"
"""What stands for any fixed space between the digits of one number."""

_FIXED_SPACE = re.compile(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_HELD = "\ue000"
_UNDERSCORED = re.compile(r"(?<![\w.])\d{1,3}(?:_\d{3})+(?!\w)")

_MARKUP = re.compile(
    r"""<sup\b[^<>]{0,80}>\s?(?P<sup>[^<>]{1,12}?)\s?</sup\s?>
      | (?P<tag></?[A-Za-z][^<>]{0,300}>)
      | (?P<entity>&(?:\#\d{1,6}|\#x[0-9a-fA-F]{1,5}|[A-Za-z]{2,12}\d?);)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BLOCKS = dict.fromkeys(("td", "th"), "|") | dict.fromkeys(
    ("tr", "br", "p", "li", "div", "h1", "h2", "h3", "dt", "dd", "table"), "\n"
)
_LATEX = re.compile(
    r"""(?P<open>\$(?=[^$\n]{0,200}?(?:\\[a-zA-Z,]|\{,\})[^$\n]{0,200}\$))
      | (?P<close>(?<=[\w}])\$(?=[\s.,;:)-]|$))
      | \\(?P<font>mathrm|text|mathbf|mathit|textbf|operatorname)\{(?P<inner>[^{}]{1,40})\} | (?P<comma>\{,\})
      | \\(?P<sign>sim|approx|times|leq?|geq?|pm|cdot|gt|lt)(?![a-zA-Z]) | (?P<thin>\\[,;:!])""",
    re.VERBOSE,
)
_LATEX_SIGNS = {
    "sim": "~", "approx": "≈", "times": "×", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "pm": "±",
    "cdot": "·", "gt": ">", "lt": "<",
}  # fmt: skip
_IS_LATEX = re.compile(r"\\(?:mathrm|text|sim|approx|times|leq?|geq?|pm|cdot|,)|\{,\}")
_SUPERSCRIPT = str.maketrans("0123456789-+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
_MARKS = re.compile(r"\*\*|__|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])")
_DASH = re.compile(r"(?<=\d)--(?=\d)")
_MATH = re.compile(r"\$(?=\\\$)|(?<=[\d}])\$(?=[\s/.,;:)]|$)")

Offsets = list[int] | None


def plain(text: str) -> tuple[str, Offsets]:
    """The text without markup, and for each character its offset in `text`; None where they are the same.

    An entity becomes its character, a tag or a mark of emphasis a space, every
    kind of space a space; raised figures in `<sup>` become superscript digits.
    """
    if "--" in text:
        text = _DASH.sub("– ", text)  # 10--20, as LaTeX and people at a typewriter spell a range
    if not _DEBRIS.search(text):
        return text, None
    offsets: Offsets = None
    if "&" in text or "<" in text:
        text, offsets = _replaced(text, _MARKUP, _seen, None)
    if "\\" in text and _IS_LATEX.search(text):
        text, offsets = _replaced(text, _LATEX, _latex, offsets)
    if "\\|" in text:
        text = text.replace("\\|", " ¦")  # a bar inside a cell
    if "\\$" in text:
        text = _MATH.sub(" ", text)
    if "_" in text:
        text = _UNDERSCORED.sub(_grouped, text)  # 4_000, as programs write it
    text = _FIXED_SPACE.sub(_HELD, text).translate(_TABLE).replace(_HELD, GROUP_SPACE)
    if "*" in text or "__" in text:
        text = _MARKS.sub(_blank, text)
    return text, offsets


def _grouped(m: re.Match[str]) -> str:
    return m[0].replace("_", "\u202f")


def _blank(m: re.Match[str]) -> str:
    around = m.string[m.start() - 1 : m.start()] + m.string[m.end() : m.end() + 1]
    return m[0] if m[0] == "**" and len(around) == 2 and around.isdigit() else " " * len(m[0])  # 2**14


def _replaced(
    text: str, pattern: re.Pattern[str], seen_as: Callable[[re.Match[str]], str | None], before: Offsets
) -> tuple[str, Offsets]:
    """The text with all matches as they are seen, and the offsets of its characters before `before`."""
    pieces: list[str] = []
    offsets: list[int] = []
    last = 0
    for m in pattern.finditer(text):
        seen = seen_as(m)
        if seen is None:
            continue
        pieces += [text[last : m.start()], seen]
        offsets.extend(range(last, m.start()))
        offsets.extend([m.start()] * len(seen))
        last = m.end()
    if not pieces:
        return text, before
    pieces.append(text[last:])
    offsets.extend(range(last, len(text) + 1))
    return "".join(pieces), offsets if before is None else [before[k] for k in offsets]


def _latex(m: re.Match[str]) -> str:
    if m["font"]:
        return m["inner"]
    if m["sign"]:
        return _LATEX_SIGNS[m["sign"]]
    return "," if m["comma"] else " " if m["thin"] else ""


def _seen(m: re.Match[str]) -> str | None:
    """What people see of a piece of markup; None where it is none."""
    if m["sup"]:
        return m["sup"].translate(_SUPERSCRIPT)
    if m["tag"]:
        return _BLOCKS.get(m["tag"].strip("</>").split(" ")[0].lower(), " ")
    char = html.unescape(m[0])
    return char if len(char) <= 2 else None


def original(offsets: Offsets, begin: int, stop: int) -> tuple[int, int]:
    """A span of the plain text as a span of the text it was made from."""
    if offsets is None:
        return begin, stop
    return offsets[begin], offsets[stop - 1] + 1
