"""The sources that an article names: in a list, in footnotes, by links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urldefrag, urlsplit

from kb.app.from_citations import NO_ADDRESS, iso_day
from kb.claims import Check, Source
from kb.claims.read import wrong_url
from kb.page import Block, Page
from kb.page.links import Link
from kb.quantity import Date, dates

HEADINGS = frozenset(
    [
        *(
            "bibliography",
            "citations",
            "endnotes",
            "footnotes",
            "literature",
            "notes",
            "references",
            "sources",
        ),
        *("bibliographie", "literatur", "literaturverzeichnis", "nachweise", "quellen", "quellenverzeichnis"),
        *("works-cited", "références", "bibliografía", "fuentes", "referencias", "bibliografia", "fonti"),
        *("referências", "bronnen"),
    ]
)
"""What the heading above a list of sources says, in the languages of most articles."""

READ = re.compile(
    r"(?:retrieved|accessed|visited|viewed|checked|read|abgerufen|aufgerufen|consulté|consultado|consultato"
    r"|geraadpleegd)(?:\s+(?:on|am|le|el|il|op))?[\s:]*$",
    re.IGNORECASE,
)
"""What stands before the day on which a person read a page."""

_MARKER = re.compile(r"^\s*(?:\[\^?(?P<name>[\w.-]{1,12})\]:?|(?P<number>\d{1,3})[.)])\s+")
_URL = re.compile(r"https?://[^\s<>\"]+")
_QUOTED = re.compile(r"[“\"«„]([^”\"»“]{3,})[”\"»“]")
_ENDS = " \t.,;:–—-↩"


@dataclass(frozen=True, slots=True)
class Named:
    """A source that an article names.

    Attributes:
        source: as far as the article tells.
        block: number of the block that names it; None for one that only a link gives.
        names: what marks in the text call it: `1` for `[1]`, `#fn1` for a link to a footnote.
        words: the words that name it.
    """

    source: Source
    block: int | None
    names: frozenset[str]
    words: str


def listed_sources(page: Page, links: Sequence[tuple[Link, ...]]) -> list[Named]:
    """The sources of the article's list and footnotes, in their order."""
    out = []
    order = 0
    previous: Block | None = None
    for number, block in enumerate(page.blocks):
        names = {link.target for link in links[number] if link.anchor and link.offset == 0}
        marker = _MARKER.match(block.text)
        inside = bool(block.headings) and _is_list_heading(block.headings[-1])
        if not block.visible or block.role in ("navigation", "footer", "cookie") or block.kind == "heading":
            previous = block
            continue
        bracketed = marker is not None and marker["name"] is not None and block.kind != "cell"
        if not (names or inside or (bracketed and _has_date_or_address(block.text))):
            previous = block
            continue
        order = order + 1 if previous is not None and previous.kind == block.kind and order else 1
        previous = block
        if marker:
            names.add((marker["name"] or marker["number"]).lstrip("^"))
        elif block.kind == "item":
            names.add(str(order))
        named = _entry(block.text[marker.end() if marker else 0 :], _address(block.text, links[number]))
        if named is not None:
            out.append(Named(named, number, frozenset(names), block.text))
    return _with_publishers(out)


def _with_publishers(listed: list[Named]) -> list[Named]:
    """A title that begins as other entries' publishers do names its publisher so."""
    first = {n.source.publisher.split()[0] for n in listed if n.source.publisher}
    out = []
    for named in listed:
        start = named.source.title.split()[:1]
        if not named.source.publisher and start and start[0] in first:
            named = replace(named, source=replace(named.source, publisher=start[0]))
        out.append(named)
    return out


def _is_list_heading(heading: str) -> bool:
    words = re.findall(r"[^\W\d_]+", heading.casefold())
    return "-".join(words) in HEADINGS


def _has_date_or_address(text: str) -> bool:
    return bool(_URL.search(text) or dates(text))


def _address(text: str, links: Sequence[Link]) -> tuple[str, str]:
    """The address that an entry gives, and the words that are a link there."""
    for link in links:
        if not link.anchor and link.target.lower().startswith(("http://", "https://")):
            said = text[link.start : link.offset]
            return link.target, "" if said.startswith("http") else said.strip(_ENDS)
    found = _URL.search(text)
    return (found[0].rstrip(".,;:)]}>’”'") if found else ""), ""


def _entry(text: str, address: tuple[str, str]) -> Source | None:
    """One entry of a list of sources, in any usual form; None where it names nothing."""
    url, linked = address
    rest = text.replace("↩", " ").replace(url, " ") if url else text.replace("↩", " ")
    published = retrieved = ""
    for day in reversed(dates(rest)):
        before = rest[: day.start]
        read = READ.search(before)
        if read and re.fullmatch(r"\d{4}-\d\d-\d\d", day.value):
            retrieved = retrieved or day.value
        elif not read and not day.readings and not day.value.startswith("--") and _alone(rest, day):
            published = day.value
        else:
            continue
        rest = before[: read.start() if read else day.start] + "\n" + rest[day.end :]
    parts = [_trimmed(p) for p in rest.split("\n")]
    words = " ".join(" ".join(p for p in parts if p).split())
    publisher, title = _title(words, linked)
    if not title and not url:
        return None
    wrong = wrong_url(url) if url else None
    return Source(
        id="",
        title=title or urlsplit(url).hostname or url,
        publisher=publisher,
        url=url if url and not wrong else None,
        published=iso_day(published) or None,
        retrieved=retrieved or None,
        check=Check() if url and not wrong else Check(off=NO_ADDRESS),
    )


def _trimmed(text: str) -> str:
    """Without what dates and addresses leave behind: commas, and brackets without their other half."""
    text = text.strip(_ENDS)
    for opening, closing in ("()", "[]"):
        if text.endswith(opening) or text.startswith(opening + closing):
            text = text.strip(opening + closing + _ENDS)
        if text.startswith(closing):
            text = text[1:].strip(_ENDS)
        if text.count(opening) > text.count(closing) and text.startswith(opening):
            text = text[1:].strip(_ENDS)
    return text


def _alone(text: str, day: Date) -> bool:
    """Whether a date stands between commas or in brackets: inside a phrase it belongs to a title."""
    before, after = text[: day.start].rstrip(), text[day.end :].lstrip()
    return (not before or before[-1] in ",.;:([\n") and (not after or after[0] in ",.;:)]\n")


def _title(words: str, linked: str) -> tuple[str, str]:
    """Publisher and title: quoted or linked words are the title, else what follows a colon."""
    quoted = _QUOTED.search(words)
    title = quoted[1] if quoted else linked if len(linked) > 3 and linked in words else ""
    if title:
        others = [p.strip(_ENDS + '“”"«»„()') for p in re.split(re.escape(title), words)]
        named = next((o for o in others if o), "")
        return _short(named), title.strip(_ENDS)
    publisher, colon, title = words.partition(": ")
    if colon and len(publisher.split()) <= 6 and title.strip(_ENDS):
        return publisher.strip(_ENDS), title.strip(_ENDS)
    return "", words.strip(_ENDS)


def _short(named: str) -> str:
    """A publisher's name out of what surrounds a title."""
    first = re.split(r"[,;:(]", named)[0].strip(_ENDS)
    return first if len(first.split()) <= 6 else " ".join(first.split()[:6])


def linked_sources(
    page: Page, links: Sequence[tuple[Link, ...]], known: Sequence[Named], own_host: str = ""
) -> list[Named]:
    """The pages that links lead to and no list names, without those of the article's own site."""
    seen = {address_key(n.source.url) for n in known if n.source.url}
    listed = {n.block for n in known}
    out = []
    for number, block in enumerate(page.blocks):
        if number in listed or not block.visible or block.role != "content":
            continue
        for link in links[number]:
            url = link.target
            host = urlsplit(url).hostname if _is_web(url) else None
            if not host or host == own_host or wrong_url(url) or address_key(url) in seen:
                continue
            seen.add(address_key(url))
            said = " ".join(block.text[link.start : link.offset].split()[:12]).strip(_ENDS)
            title = said if len(said) > 3 and not said.startswith("http") else host
            source = Source(id="", title=title, publisher=host.removeprefix("www."), url=url)
            out.append(Named(source, None, frozenset(), title))
    return out


def _is_web(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))


def address_key(url: str) -> str:
    """An address without what leads to the same page: its fragment, `www.`, a last slash."""
    parts = urlsplit(urldefrag(url)[0])
    host = (parts.hostname or "").removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{parts.query}"


def with_ids(named: Sequence[Named]) -> Iterator[Named]:
    """The same with ids of their own, by publisher and title."""
    from kb.app.incoming import free, source_name  # start-up time

    taken: set[str] = set()
    for one in named:
        source = one.source
        id = free(source_name(source.title, source.url, source.publisher), taken)
        taken.add(id)
        yield replace(one, source=replace(source, id=id, file=f"claims/{id}.yaml"))
