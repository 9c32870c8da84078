"""What an answer looks like at a glance: its words by the part they stand in, its scripts and forms.

Reading a page into blocks asks what it says; this asks whether it is one. It
is a single cheap pass, and nothing in the markup can make it raise.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice

from kb.page.encoding import decode

MOST = 2_000_000
"""Characters of markup that are looked at; no obstacle is longer."""

ENOUGH = 700
"""Words of its own from which an answer is a page, whatever else it says."""

_FIRST = 150_000
"""Characters of markup that are looked at first."""

_NEAR = 40
"""Elements that are looked into from one above them; more would be slow on markup nested on purpose."""

_SKIPPED = frozenset({"style", "template", "svg", "math", "object", "audio", "video", "canvas", "head"})
_FRAME = frozenset({"nav", "footer", "header", "aside"})
_LABELS = frozenset({"button", "label", "legend", "select", "option", "textarea"})
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "mark",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "del",
        "wbr",
    ]
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_FRAME_NAMES = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|menu|breadcrumbs?|footer|sidebar|topbar|toolbar|skip-link)(?:$|[\s_-])", re.I
)
_FRAME_ROLES = frozenset({"navigation", "contentinfo", "banner", "search", "menubar"})
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_MOUNT = re.compile(
    r"^(?:app|root|main-app|react-root|reactroot|__next|__nuxt|___gatsby|svelte|ember\w*|application|app-?root|"
    r"app-?mount|app-?container|mount|q-app|elm|swagger-ui|redoc(?:-container)?|notion-app|single-spa\S*|vue-app|"
    r"page-?root|container|content|wrapper|loading|spinner|splash|preloader|loader)$",
    re.I,
)
_GOES_ON = re.compile(
    r"location\s*(?:\.\s*(?:href|replace|assign)\b|=[^=])|document\.write\s*\(|window\.open\s*\(", re.I
)
_STYLE = re.compile(r"(?is)<style\b.*?(?:</style\s*>|\Z)")
_SENTENCE = re.compile(r"(?<=[.!?…。！？])\s+|(?<=[。！？])")
_WORD = re.compile(r"[^\W_]+")
_WIDE = re.compile(r"[぀-ヿ㐀-鿿가-힯]")
_REFRESH = re.compile(r"^\s*([\d.]*)\s*[;,]?\s*(?:url\s*=)?\s*['\"]?([^'\"]*)", re.I)


@dataclass(slots=True)
class Line:
    """A run of text between two boundaries of blocks.

    `part` is main, frame, form, noscript or dialog; `linked` counts the words in links,
    `words` all.
    """

    text: str
    part: str
    heading: bool
    linked: int
    words: int = -1

    def __post_init__(self) -> None:
        """Count once; it is asked often."""
        if self.words < 0:
            self.words = count_words(self.text)


@dataclass(slots=True)
class Look:
    """What one answer looks like.

    Attributes:
        title: of the document.
        lines: in order.
        raw: the markup; `source` is the same with styles left out.
        scripts: script elements that run.
        script_bytes: of inline scripts.
        goes_on: whether a script sends the browser to another address.
        mount: whether an element stands empty that an application fills.
        refresh: where a meta refresh leads, with its seconds; None where there is none.
        frames: iframes and frames.
        password: whether a field for a password is shown, outside code.
        markup: whether the answer is HTML at all.
    """

    title: str = ""
    lines: list[Line] = field(default_factory=list)
    raw: str = ""
    scripts: int = 0
    script_bytes: int = 0
    goes_on: bool = False
    mount: bool = False
    refresh: tuple[float, str] | None = None
    frames: int = 0
    password: bool = False
    markup: bool = True

    @property
    def source(self) -> str:
        """The markup without its styles."""
        return _STYLE.sub(" ", self.raw)

    @property
    def headings(self) -> list[str]:
        """The headings of the page itself, in order."""
        return [line.text for line in self.lines if line.heading and line.part != "frame"]

    def words(self, *parts: str, linked: bool = False) -> int:
        """Words in these parts of the page; those in links only where asked."""
        return sum(
            max(0, line.words - (0 if linked else line.linked)) for line in self.lines if line.part in parts
        )


def count_words(text: str) -> int:
    """Words, where two characters of a script without spaces make one.

    >>> count_words("It has eleven songs"), count_words("请完成安全验证")
    (4, 3)
    """
    if text.isascii():
        return len(_WORD.findall(text))
    wide = len(_WIDE.findall(text))
    return len(_WORD.findall(_WIDE.sub(" ", text))) + wide // 2


def sentences(text: str) -> list[str]:
    """The sentences of a line."""
    return [s for part in _SENTENCE.split(text) if (s := part.strip())]


def look_at(body: bytes | str, content_type: str | None) -> Look:
    """Look at a body; text that is no markup becomes lines as it stands."""
    if isinstance(body, bytes):
        body = decode(body[: MOST * 2], content_type, html=True).text
    text = body[:MOST].removeprefix("\ufeff").replace("\x00", "")
    media = (content_type or "").split(";")[0].strip().lower()
    told = "html" in media or media in ("", "application/octet-stream")
    if not re.match(r"\s*(?:<!--|<\?xml|<!doctype|<[a-z])", text, re.I) or not (
        told or re.search(r"<(?:html|body|head|error)\b", text[:2000], re.I) or "xml" in media
    ):
        plain = text[:200_000]
        if plain.lstrip()[:1] in ("{", "["):  # each name and value of JSON on a line of its own
            plain = re.sub(r'[{}\[\]",]+', "\n", plain)
        found = [Line(t, "main", False, 0) for raw in plain.splitlines() if (t := _folded(raw).strip(":; "))]
        return Look(lines=found, raw=text[:200_000], markup=False)
    if len(text) > _FIRST:
        # Most long pages have said enough by then; the parser mends what is cut off.
        look = _Walk(text[:_FIRST]).look
        if look.words("main", "dialog") > ENOUGH:
            return look
    return _Walk(text).look


def _folded(text: str) -> str:
    return " ".join(text.split())


class _Walk:
    """One pass over the tree, without recursion."""

    def __init__(self, text: str) -> None:
        from lxml import etree, html  # type: ignore[import-untyped]  # start-up time

        self.look = Look(raw=text)
        self._main = 0
        self._asked = 0
        self._buffer: list[str] = []
        self._linked = 0
        self._heading = False
        self._part = "main"
        try:
            # A declared encoding would be applied to text that is decoded already.
            parser = html.HTMLParser(encoding="utf-8", huge_tree=True, recover=True)
            root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
        except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError):
            return
        self._walk(root, etree)
        self._flush()

    def _walk(self, root: object, etree: object) -> None:
        skip = 0  # depth of skipped elements
        parts: list[tuple[object, str]] = [(None, "main")]
        links = code = heads = 0
        walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))  # type: ignore[attr-defined]
        for event, element in walker:
            if self._main > ENOUGH:
                return
            tag = element.tag if isinstance(element.tag, str) else ""
            if event in ("comment", "pi"):
                if not skip and element.tail:
                    self._text(element.tail, links)
                continue
            if event == "start":
                if skip:
                    skip += 1
                    continue
                if tag not in _INLINE:
                    self._flush()
                if tag == "script":
                    self._script(element)
                    skip = 1
                    continue
                if tag in _SKIPPED and tag != "head":
                    skip = 1
                    continue
                if tag == "title":
                    self.look.title = self.look.title or _folded("".join(element.itertext()))[:500]
                    skip = 1
                    continue
                if tag not in ("html", "body") and _is_hidden(element):
                    skip = 1
                    continue
                self._element(tag, element, code)
                part = _part_of(tag, element)
                if part and parts[-1][1] in ("main", "form", "dialog"):
                    parts.append((element, part))
                    self._part = part
                links += tag == "a"
                code += tag in ("pre", "code", "samp")
                heads += tag in _HEADINGS
                self._heading = heads > 0
                if element.text:
                    self._text(element.text, links)
                continue
            if skip:
                skip -= 1
                if not skip and element.tail:
                    self._text(element.tail, links)
                continue
            if tag not in _INLINE:
                self._flush()
            links -= tag == "a"
            code -= tag in ("pre", "code", "samp")
            heads -= tag in _HEADINGS
            self._heading = heads > 0
            if parts[-1][0] is element:
                parts.pop()
                self._part = parts[-1][1]
            if element.tail:
                self._text(element.tail, links)

    def _text(self, text: str, links: int) -> None:
        if text.strip():
            self._buffer.append(text)
            if links:
                self._linked += count_words(text)
        elif self._buffer:
            self._buffer.append(" ")

    def _flush(self) -> None:
        if self._buffer:
            if text := _folded("".join(self._buffer)):
                line = Line(text, self._part, self._heading, self._linked)
                self.look.lines.append(line)
                if self._part in ("main", "dialog"):
                    self._main += max(0, line.words - line.linked)
            self._buffer.clear()
            self._linked = 0

    def _script(self, element: object) -> None:
        kind = (element.get("type") or "").lower()  # type: ignore[attr-defined]
        if kind and "javascript" not in kind and kind != "module":
            return
        inline = element.text or ""  # type: ignore[attr-defined]
        self.look.scripts += 1
        self.look.script_bytes += len(inline)
        self.look.goes_on = self.look.goes_on or bool(_GOES_ON.search(inline[:20_000]))

    def _may_be_empty(self, element: object) -> bool:
        """Whether there is next to no text in it; asked of a few, as elements may be nested without end."""
        self._asked += 1
        if self._asked > _NEAR:
            return False
        inside = 0
        for text in islice(element.itertext(), 4 * _NEAR):  # type: ignore[attr-defined]
            inside += len(text.strip())
            if inside >= 120:
                return False
        return True

    def _element(self, tag: str, element: object, code: int) -> None:
        get = element.get  # type: ignore[attr-defined]
        look = self.look
        if tag == "input":
            kind = (get("type") or "text").lower()
            look.password = look.password or (kind == "password" and not code)
            if kind in ("submit", "button") and get("value"):
                look.lines.append(Line(_folded(get("value")), "form", False, 0))
        elif tag == "meta" and (get("http-equiv") or "").lower() == "refresh":
            found = _REFRESH.match(get("content") or "")
            if found and found.group(2).strip():
                try:
                    seconds = float(found.group(1) or 0)
                except ValueError:
                    seconds = 0.0
                look.refresh = look.refresh or (seconds, found.group(2).strip())
        elif tag in ("iframe", "frame"):
            look.frames += 1
        elif not look.mount and (
            _MOUNT.match(get("id") or "") or (tag.endswith(("-root", "-app")) and "-" in tag)
        ):
            look.mount = self._may_be_empty(element)


def _holds_h1(element: object) -> bool:
    below = islice(element.iterdescendants(), _NEAR)  # type: ignore[attr-defined]
    return any(inner.tag == "h1" for inner in below)


def _is_hidden(element: object) -> bool:
    get = element.get  # type: ignore[attr-defined]
    return get("hidden") is not None or bool((style := get("style")) and _HIDDEN.search(style))


def _part_of(tag: str, element: object) -> str:
    get = element.get  # type: ignore[attr-defined]
    if tag == "noscript":
        return "noscript"
    if tag in _LABELS:
        return "form"
    role = get("role") or ""
    if tag == "dialog" or role in ("dialog", "alertdialog") or get("aria-modal") == "true":
        return "dialog"
    if tag == "header" and _holds_h1(element):
        return ""  # the head of the article, not of the site
    if tag in _FRAME or role in _FRAME_ROLES:
        return "frame"
    if tag in ("body", "html", "main", "article"):
        return ""
    return "frame" if _FRAME_NAMES.search(f"{get('class') or ''} {get('id') or ''}") else ""
