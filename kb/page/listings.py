"""Lines of preformatted text that each say one thing: settings, options, and names with their figures."""

from __future__ import annotations

import re

from kb.page.lines import width_of

Lines = list[tuple[str, tuple[str, ...]]]
"""The lines of a snippet, each with the names that it stands under, outermost first."""

_MAX_LINES = 2000
_DEEPEST = 8
"""Names of one line; what is nested deeper is told by the last of them."""


def named_lines(code: str) -> Lines | None:
    """The lines of a snippet with what names each; None where it lists no settings, options or figures."""
    found = settings(code) if "\n" in code or "=" in code or ":" in code else None
    if found is None and "-" in code:
        found = options(code)
    if found is None and "\n" in code:
        found = figures(code)
    return found


_OPTION = re.compile(r"(\s*)(--?[A-Za-z][\w-]*)(?=$|[\s=,\['\"<:])")


def options(code: str) -> Lines | None:
    """The lines of a help text, each with the option that it tells of; None where it is other text.

    A line that begins with an option opens its entry, which lines set further in go on. One dash before
    a whole word does where such a line is right below, as Go's programs have it.
    """
    lines = [line for line in code.split("\n") if line.strip()]
    opened = [_OPTION.match(line) for line in lines]
    sure = 0
    for one, below in zip(opened, [*lines[1:], ""], strict=True):
        if one and ("--" in one[2] or (len(one[2]) > _WORD and width_of(below) > len(one[1]))):
            sure += 1
    if sure < 2 or len(lines) > _MAX_LINES:
        return None
    found: Lines = []
    name, depth = "", 0
    for line, option in zip(lines, opened, strict=True):
        if option:
            name, depth = option[2], len(option[1])
        elif width_of(line) <= depth:
            name = ""
        found.append((line, (name,) if name else ()))
    return found


_WORD = 3  # characters of a short option and its dash, at most: -p, -mp


_KEY = r"(?P<key>[A-Za-z_][\w.\-/\[\]]{0,79})"
_SETTING = re.compile(
    rf"(?P<depth>\s*(?:-\s+)?)(?:\[\s+)?(?:export\s+|set\s+|-D|--?)?(?P<quote>[\"']?){_KEY}(?P=quote)"
    r"\s*(?:=|:=|:\s)\s*(?P<value>\S.*)$",
    re.ASCII,
)
_OPENS = re.compile(
    rf"(?P<depth>\s*(?:-\s+)?)(?P<quote>[\"']?){_KEY}(?P=quote)\s*(?:[:=]?\s*[{{\[]|:)\s*$",
    re.ASCII,
)
_SECTION = re.compile(r"\s*\[{1,2}([^\[\]:=|]{1,80})\]{1,2}\s*$")
_COMMENT = re.compile(r"\s*(?:#|//|;|--\s)")
_LEFT_OUT = re.compile(rf"(?P<depth>\s*)(?:#|;|//)\s?{_KEY}\s?=\s?(?P<value>\S.{{0,60}})$", re.ASCII)
_CLOSES = re.compile(r"[\s{}\[\](),;.]*$")


def settings(code: str) -> Lines | None:
    """The lines of a snippet of settings, each with its sections and key; None where it is other code.

    Sections are lines in brackets, and keys that lines set further in stand under. A comment stands
    under the key on the line after it, and a setting that is commented out under its own; what has
    no key has no names.
    """
    lines = code.split("\n")
    if len(lines) > _MAX_LINES:
        return None
    found: Lines = []
    notes: list[int] = []  # comments right above, which the next key takes
    section: tuple[str, ...] = ()
    above: list[tuple[int, str]] = []
    keys = told = 0
    for line in lines:
        if not line.strip():
            notes.clear()
            continue
        names: tuple[str, ...] = ()
        if head := _SECTION.match(line):
            section = (head[1].strip(),)
            above.clear()
        elif out := _LEFT_OUT.match(line):
            names = _under(section, above, out.end("depth"), out["key"])
        elif _COMMENT.match(line):
            if notes:  # one comment over several lines
                found[notes[0]] = f"{found[notes[0]][0]}\n{line}", ()
                continue
            notes.append(len(found))
        elif opens := _OPENS.match(line):
            names = _under(section, above, opens.end("depth"), opens["key"])
            above.append((opens.end("depth"), opens["key"]))
        elif not _CLOSES.match(line):
            told += 1
            pair = _SETTING.match(line)
            if pair is not None and _is_value(pair["value"], line):
                keys += 1
                names = _under(section, above, pair.end("depth"), pair["key"])
        if names:
            for note in notes:
                if not _repeats(found[note][0], line):
                    found[note] = found[note][0], names
        if names or not _COMMENT.match(line):
            notes.clear()
        found.append((line, names))
    return found if keys and keys * 10 >= told * 7 else None


def _under(section: tuple[str, ...], above: list[tuple[int, str]], depth: int, key: str) -> tuple[str, ...]:
    while above and above[-1][0] >= depth:
        above.pop()
    return (*section, *(name for _, name in above[: _DEEPEST - 2]), key)


def _repeats(comment: str, line: str) -> bool:
    """Whether a comment only says the value that an example sets: `# 30 days` above `expires = 30`."""
    numbers = set(_DIGITS.findall(comment))
    return bool(numbers) and numbers <= set(_DIGITS.findall(line))


_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


def _is_value(value: str, line: str) -> bool:
    """Whether what stands behind a key is its value, and not the beginning of other code."""
    end = line.rstrip().rstrip(",")
    if value[0] in "[{":
        return end[-1] in "]}"
    return value[0] not in "(=>" and not end.endswith(("{", "(", ";", ":"))


_FIGURE = re.compile(
    r"\s*(?P<label>[^\W_](?:.{0,78}?\S)?|@\S{1,78})(?:(?<![=(\[{,<>])\s{2,}|\s?:\s+|\s=\s+|\s[–—-]\s)\s*"
    r"(?P<value>[~<>≈±]?\s?[$€£]?[-+]?\d.*)$"
)
_COMMAND = re.compile(r"\s*(?:[$>%]|#!?)\s?\S")
_LETTER = re.compile(r"[^\W\d_]")
_CODE_ENDS = (";", "{", "}", "(", ",", "\\")
_LONGEST = 400  # characters of a line with a figure
_TITLE = 80  # characters of a line that names those after it
_LEAST = 3
"""Lines with a name and a figure that make a list of them."""


def figures(code: str) -> Lines | None:
    """The lines `name   1,234 ops/sec` of an output, each with its name; None where it is other text.

    A line without a figure names the lines after it, up to a blank one.
    """
    lines = code.split("\n")
    if len(lines) > _MAX_LINES:
        return None
    rows = [_FIGURE.match(line) if len(line) <= _LONGEST else None for line in lines]
    found: Lines = []
    title, told, ended = "", 0, 0
    for line, row in zip(lines, rows, strict=True):
        if not line.strip():
            title = ""
            continue
        label = row["label"].rstrip(" :=.") if row and _LETTER.search(row["label"]) else ""
        command = _COMMAND.match(line) is not None
        if not label:
            title = "" if command or len(line) > _TITLE else line.strip().rstrip(" :")
        told += not command
        ended += line.rstrip().endswith(_CODE_ENDS)
        found.append((line, tuple(name for name in (title, label) if name) if label else ()))
    named = [names for _, names in found if names]
    if len(named) < _LEAST or len(named) * 10 < told * 6 or len(set(named)) * 3 < len(named) * 2:
        return None
    return found if ended * 4 <= told else None
