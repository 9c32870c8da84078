"""What sites add to Markdown (template tags, admonitions, tabs, notes), in common forms."""

from __future__ import annotations

import re

from kb.page.flow import raise_digits
from kb.page.lines import width_of

_FENCE = re.compile(r" {0,3}(?:[>\-*+\d.) ]*)(`{3,}|~{3,})\s*(.*)$")
_OBJECT = re.compile(r"\{[\w-]+:[\w:-]+\}\s+(\S+)")
_OPTION = re.compile(r":([A-Za-z][\w-]*):\s+(\S.*?)\s*$")
_MODULE = re.compile(r"(?:import\s+(?:[\w{*].*\sfrom\s+)?['\"]|export\s+(?:const|default|let|function)\b)")
_CONTROL = frozenset(
    word
    for line in (
        "if elsif elseif else endif unless endunless for endfor case when endcase assign capture endcapture",
        "comment endcomment raw endraw ifversion data set cycle increment decrement liquid",
    )
    for word in line.split()
)
_COLONS = re.compile(r"\s*:{3,}\s*(?:\{?([A-Za-z][\w-]*)\}?)?\s*(?:\[(.*?)\]|(.*?))\s*(?:\{.*\})?\s*$")
_ADMONITION = re.compile(r"(\s*)(?:!!!|\?\?\?\+?)\s+[\w-]+(?:\s+[\w-]+)*\s*(?:\"(.*)\")?\s*$")
_TAB = re.compile(r"(\s*)===[!+]?\s+\"(.+)\"\s*$")
_ALERT = re.compile(r"(\s*(?:>\s*)+)\[!([A-Za-z]+)\][+-]?\s*(.*)$")
_ATTRIBUTES = re.compile(r"\s*\{:?\s*(?:[#.][\w-]+|[\w-]+=\S+)(?:\s+[^}]*)?\}\s*$|^\s*\{:[^}]*\}\s*$")
_BEFORE = re.compile(r"( {0,3})\{:[^{}]*\}(?=\S)")
"""The attributes of the term that they stand before."""
_COMPONENT = re.compile(r"\s*</?[A-Z][\w.]*(?:\s[^<>]*)?/?>\s*$")
_NOTE = re.compile(r"\s{0,3}\[\^([^\]\s]+)\]:\s*(.*)$")
_MARK = re.compile(r"\[\^([^\]\s]+)\](?!:)")
_DEFINITION = re.compile(r" {0,3}:[ \t]+(\S.*)$")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_DELIMITER = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")


def plain_markdown(text: str) -> str:
    """The text without template tags, its admonitions, tabs, footnotes and definitions in common forms."""
    lines = _without_tags(text).split("\n")
    out: list[str] = []
    fence = ""
    indents: list[int] = []
    framed: list[tuple[str, list[str]]] = []
    """The directives that are open: their fences, and what ends each."""
    options = False
    for at, raw in enumerate(lines):
        line = raw
        while indents and line.strip() and width_of(line) < indents[-1]:
            indents.pop()
        if indents:
            line = line[indents[-1] :] if line.strip() else line
        found = _FENCE.match(line)
        if fence:
            out.append(line)
            if (
                found
                and found.group(1)[0] == fence[0]
                and len(found.group(1)) >= len(fence)
                and not found.group(2)
            ):
                fence = ""
            continue
        if options and (option := _OPTION.match(line)):
            out += [f"{option.group(1)}: {option.group(2)}", ""]
            continue
        options = False
        if found and framed and not found.group(2) and _ends(found.group(1), framed[-1][0]):
            out += framed.pop()[1]
            continue
        if found:
            if found.group(2)[:1] == "{" and not found.group(2).startswith("{code"):
                opening, closing = _directive(line, found.group(2))
                out += opening  # a directive in a fence: what it frames is text
                framed.append((found.group(1), closing))
                options = True
                continue
            fence = found.group(1)
            out.append(line)
            continue
        if line.startswith(("    ", "\t")) and not indents and (not out or not out[-1].strip()):
            out.append(line)
            continue
        out.extend(_line(line, lines, at, indents, out))
    return "\n".join(out)


def _ends(fence: str, opening: str) -> bool:
    return fence[0] == opening[0] and len(fence) >= len(opening)


def _directive(line: str, info: str) -> tuple[list[str], list[str]]:
    """What stands before and after the text of a directive: of one that describes an object, its name."""
    found = _OBJECT.match(info)
    if found is None or line.lstrip()[:1] not in ("`", "~"):
        return [""], [""]
    name = found.group(1).replace("&", "&amp;").replace("<", "&lt;")
    return ["", "<dl><dt>", "", f"`{name}`", "", "</dt><dd>", ""], ["", "</dd></dl>", ""]


def _line(line: str, lines: list[str], at: int, indents: list[int], out: list[str]) -> list[str]:
    """What stands for one line outside code."""
    if line[:6] in ("import", "export") and _MODULE.match(line):
        return []
    if ":::" in line and (found := _COLONS.match(line)):
        title = found.group(2) or found.group(3) or ""
        return ["", f"**{title}**" if title else "", ""]
    if line.lstrip()[:3] in ("!!!", "???", "===") and (found := _ADMONITION.match(line) or _TAB.match(line)):
        indents.append(len(found.group(1)) + 4)
        return ["", f"**{found.group(2)}**" if found.group(2) else "", ""]
    if "[!" in line and (found := _ALERT.match(line)):
        return [found.group(1) + found.group(3)]
    if "[^" in line:
        if found := _NOTE.match(line):
            return ["", f"{_mark(found.group(1))} {found.group(2)}", ""]
        line = _MARK.sub(lambda m: _mark(m.group(1)), line)
    if line.rstrip().endswith("}") and "{" in line:
        line = _ATTRIBUTES.sub("", line)
    elif line.lstrip()[:2] == "{:":
        line = _BEFORE.sub(r"\1", line)
    if _COMPONENT.match(line):
        return ["", line, ""]
    if line.lstrip()[:1] == ":" and (found := _DEFINITION.match(line)) and out:
        return _definition(found.group(1), out)
    if line.lstrip()[:1] == "|" and _ROW.match(line):
        return _row(line, lines, at)
    return [line]


def _without_tags(text: str) -> str:
    if "{%" in text:
        text = re.sub(r"\{%-?\s*highlight\s+(\S+).*?-?%\}", r"\n```\1", text)
        text = re.sub(r"\{%-?\s*endhighlight\s*-?%\}", "\n```", text)
        text = re.sub(r"(?m)^[ \t]*\{%-?\s*(\w*)[^\n]*?-?%\}[ \t]*\n", _tag_line, text)
        text = _cut(text, "{%", "%}")
    if "{{<" in text or "{{%" in text:
        text = re.sub(r"(?m)^[ \t]*\{\{[<%][^\n]*?[>%]\}\}[ \t]*\n", _shortcode_line, text)
        text = _cut(_cut(text, "{{<", ">}}"), "{{%", "%}}")
    if "<%" in text:
        text = _cut(text, "<%", "%>")
    if "{/*" in text:
        text = _cut(text, "{/*", "*/}")
    return text


def _cut(text: str, opening: str, closing: str) -> str:
    """The text without what stands between two marks; they cost no more than the text's length."""
    kept: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(closing)
    kept.append(text[at:])
    return "".join(kept)


def _tag_line(found: re.Match[str]) -> str:
    """A control tag is a line that is not there; another frames a text of its own."""
    return "" if found.group(1) in _CONTROL else "\n"


def _shortcode_line(found: re.Match[str]) -> str:
    title = re.search(r"(?:title|heading|name|summary|label|caption)=\"([^\"]+)\"", found.group(0))
    return f"\n**{title.group(1)}**\n\n" if title else "\n"


def _mark(name: str) -> str:
    return raise_digits(name) if name.isdigit() else f"\\[{name}\\]"


def _definition(words: str, out: list[str]) -> list[str]:
    """A definition below its term, which is the line before."""
    at = len(out) - 1
    while at >= 0 and not out[at].strip():
        at -= 1
    if at < 0 or out[at].startswith(("#", "|", ">", "    ")):
        return [f": {words}"]
    if out[at].strip() == "</dd></dl>":
        del out[at:]
        return ["</dd><dd>", "", words, "", "</dd></dl>", ""]
    term = out[at]
    del out[at:]
    return ["", "<dl><dt>", "", term, "", "</dt><dd>", "", words, "", "</dd></dl>", ""]


def _row(line: str, lines: list[str], at: int) -> list[str]:
    """A row; the first of a table without a rule gets an empty header and a rule above it."""
    before = lines[at - 1] if at else ""
    after = lines[at + 1] if at + 1 < len(lines) else ""
    if _ROW.match(before) or _DELIMITER.match(line) or _DELIMITER.match(after) or not _ROW.match(after):
        return [line]
    cells = line.strip().strip("|").count("|") + 1
    indent = line[: len(line) - len(line.lstrip())]
    return [indent + "| " * cells + "|", indent + "|---" * cells + "|", line]
