"""Elements that open and close, as the parser reports them, and the text between."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from kb.page.cards import Child, shape_cards
from kb.page.flow import PSEUDO, SEAM, Flow, Headings
from kb.page.labels import MAX_LABEL, MAX_LABELS
from kb.page.page import Block
from kb.page.part import BREAK, Part, Table, fold
from kb.page.roles import RANK, TAGS, role_of

Attributes = Mapping[str, str]

_BLOCKS = frozenset(
    tag
    for line in (
        "address article aside audio blockquote body canvas center details dialog dir div dl fieldset figure",
        "footer form frameset head header hgroup html legend main menu nav noframes object ol optgroup",
        "option datalist p search section select summary template text ul video",
    )
    for tag in line.split()
)
_SCOPES = frozenset(("article", "aside", "details", "dialog", "footer", "nav", "section"))
_PADDED = frozenset(("button", "input", "label", "output", "meter", "progress"))
_INLINE = frozenset(
    tag
    for line in (
        "a abbr acronym applet area b base basefont bdi bdo big button circle cite code col colgroup data",
        "del dfn ellipse em embed font frame g i img input ins kbd label line link map mark math meta meter",
        "nobr noscript output param path picture polygon polyline progress q rect rp rt ruby s samp slot",
        "small source span strike strong sub sup svg tbody td tfoot th thead time tr track tspan tt u use",
        "var wbr",
    )
    for tag in line.split()
)
_CARDS = frozenset(("a", "article", "div", "li", "section"))
_ARIA = {
    "table": "table",
    "grid": "table",
    "treegrid": "table",
    "row": "tr",
    "rowgroup": "tbody",
    "cell": "td",
    "gridcell": "td",
    "columnheader": "th",
    "rowheader": "th",
    "list": "ul",
    "listitem": "li",
    "heading": "heading",
    "tab": "tab",
    "term": "dt",
    "definition": "dd",
}


class Open:
    """An open element, and what to go back to when it closes."""

    __slots__ = (
        "block", "children", "cls", "cur", "generation", "headings", "kind", "level", "mark", "name",
        "restore", "role", "row", "special", "start", "tag",
    )  # fmt: skip

    def __init__(self, tag: str, block: bool, reader: Elements, special: str = "") -> None:
        self.tag = tag
        self.block = block
        self.special = special
        self.role = reader.role
        self.kind = reader.kind
        self.level = reader.level
        self.row = reader.row
        self.headings: Headings = reader.headings
        self.restore = False
        self.generation = reader.generation
        self.cur = reader.cur
        self.mark = 0
        self.name = ""
        self.cls = ""
        self.start = 0
        self.children: list[Child] | None = None


class Elements(Flow):
    """A target for lxml's parser; `out` has the blocks after `close`."""

    starts: ClassVar[dict[str, Callable[[Any, str, Attributes, str], None]]] = {}
    """What to do for the elements that need more than opening a block or an inline run."""
    ends: ClassVar[dict[str, Callable[[Any, Open], None]]] = {}
    """What to do at the end of those that were opened as special."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[Open] = []
        self.skip = 0
        self.collect: list[str] | None = None
        """What a script or style sheet says, where that matters."""
        self.lists = 0
        self.tables: list[Table] = []
        self.seam = -1
        self.lang: str | None = None
        self.canonical: str | None = None
        self.title = ""
        self.meta: list[tuple[str, str]] = []
        self.tabs: dict[str, str] = {}
        """Text of a tab or button by its own id, and by the id of what it opens."""
        self.closed: set[str] = set()
        """Ids of what a button says it keeps closed."""
        self.hidden_classes: set[str] = set()
        self.hidden_ids: set[str] = set()
        self.ending = False
        """Whether a list item closes, so that its words label nothing more."""

    # --- events of the parser ---------------------------------------------------------------------

    def start(self, tag: str, attrs: Attributes) -> None:
        """An element opens."""
        if self.skip:
            self.skip += 1
            return
        if tag == "br":
            self.cur.append("\n" if self.pre else BREAK)
            return
        role = self.role
        act = tag
        if attrs:
            own = self._own_role(tag, attrs)
            if RANK[own] > RANK[role]:
                role = own
            if "role" in attrs:
                act = _ARIA.get(attrs["role"].strip().lower(), tag)
                if (act == "table" and tag != "table") or act == tag:
                    pass
                elif tag in ("table", "tr", "td", "th") and act not in ("td", "th"):
                    act = tag
        elif tag in TAGS and RANK[TAGS[tag]] > RANK[role]:
            role = TAGS[tag]
        handler = self.starts.get(act)
        if handler is not None:
            handler(self, tag, attrs, role)
        elif act in _BLOCKS:
            opened = self.open_block(tag, role)
            if attrs:
                self.open_panel(opened, attrs)
            if tag in _SCOPES:
                opened.restore = True
        elif attrs and tag not in _INLINE and (label := attrs.get("title") or attrs.get("label")):
            self._open_component(tag, label, role)
        else:
            self.open_inline(tag, attrs, role)

    def end(self, tag: str) -> None:
        """An element closes."""
        if self.skip:
            self.skip -= 1
            if not self.skip and self.collect is not None:
                self.end_collected()
            return
        if tag == "br":
            return
        while self.stack:
            top = self.stack.pop()
            if top.block:
                self._close_block(top)
            else:
                self._close_inline(top)
            if top.tag == tag:
                break

    def data(self, text: str) -> None:
        """Text between tags."""
        if self.skip:
            if self.collect is not None:
                self.collect.append(text)
            return
        self.cur.append(text)

    def close(self) -> list[Part | Block]:
        """No more comes; the blocks."""
        while self.stack:
            top = self.stack.pop()
            if top.block:
                self._close_block(top)
            else:
                self._close_inline(top)
        self.flush()
        return self.out

    def _own_role(self, tag: str, attrs: Attributes) -> str:
        role = role_of(tag, attrs)
        if role != "hidden" and (self.hidden_classes or self.hidden_ids or self.closed):
            name = attrs.get("id")
            if name and (name in self.hidden_ids or name in self.closed):
                return "hidden"
            if "class" in attrs and not self.hidden_classes.isdisjoint(attrs["class"].split()):
                return "hidden"
        return role

    def end_collected(self) -> None:
        """A script or style sheet that was collected ends."""
        self.collect = None

    # --- runs and blocks --------------------------------------------------------------------------

    def open_block(self, tag: str, role: str, special: str = "") -> Open:
        """Begin a block-level element."""
        if self.buf or self.asides:
            self.flush()
        opened = Open(tag, True, self, special)
        opened.start = len(self.sink)
        self.stack.append(opened)
        self.role = self.block_role = role
        return opened

    def _item_said(self, part: Part) -> None:
        row = part.row
        if self.ending:
            return  # nothing more comes in it
        if row == self.row and part.bold and len(part.text) <= MAX_LABEL and len(row) < MAX_LABELS:
            row = (*row, part.text.rstrip(" :"))
        if row == self.row or len(row) > MAX_LABELS:
            return
        for opened in reversed(self.stack):
            if opened.tag == "li":
                self.row = row
                return
            if opened.kind != "item":
                return
            opened.row = row

    def _close_block(self, top: Open) -> None:
        if self.buf or self.asides:
            around, self.ending = self.row, top.tag == "li"
            self.flush()
            self.ending = False
            if self.row is not around:
                top.row = self.row
        if top.special:
            self.ends[top.special](self, top)
        if top.restore or self.role != top.role:
            self.go_under(self._scope(top))
        self.kind = top.kind
        self.level = top.level
        self.row = top.row
        self.role = self.block_role = top.role
        if top.children is not None and len(top.children) > 1:
            if shape_cards(self.sink, top.children):
                self.go_under(top.headings)
        elif len(self.sink) - top.start == 2 and top.tag in _CARDS and not self.in_cell:
            shape_cards(self.sink, [Child("", "", top.start, len(self.sink))])
        if top.tag in _CARDS and self.stack and 2 <= len(self.sink) - top.start <= 16:
            parent = self.stack[-1]
            if parent.children is None:
                parent.children = []
            parent.children.append(Child(top.tag, top.cls, top.start, len(self.sink)))

    def _scope(self, top: Open) -> Headings:
        """The headings after a section: those before it, and a first-level one, or one that stands alone."""
        alone = all(isinstance(p, Part) and p.kind == "heading" for p in self.sink[top.start : top.start + 3])
        if alone and self.role == top.role and len(self.sink) > top.start:
            return self.headings
        first = self.headings[:1]
        if first and first[0][0] == 1 and self.role == top.role and first != top.headings[:1]:
            return first
        return top.headings

    def _open_component(self, tag: str, label: str, role: str) -> None:
        """An element that is not HTML's, with a title: what it holds stands under that."""
        opened = self.open_block(tag, role)
        opened.restore = True
        text = fold(label.replace(BREAK, " "))
        if text and role != "hidden":
            self.sink.append(Part("heading", text, role, 6, self.heading_texts, self.row))
            self.set_heading(PSEUDO, text)

    def open_inline(self, tag: str, attrs: Attributes, role: str, special: str = "") -> None:
        """Begin a run inside a block."""
        opened = Open(tag, False, self, special)
        self.stack.append(opened)
        cur = self.cur
        if tag == "span":
            apart = len(cur) - self.seam
            if cur and (apart == 0 or (apart == 1 and cur[-1].isspace())) and not self.pre and not special:
                cur.append(SEAM)
        elif tag in ("b", "strong", "code", "th"):
            if cur is self.buf and self._nothing_yet():
                opened.mark = 1
        elif tag == "a":
            if cur is self.buf and attrs.get("href"):
                opened.mark = len(cur) + 1
                self.local = self.local and attrs["href"].startswith("#")
        elif tag == "img":
            if attrs.get("alt"):
                self.asides.append(("alt" if RANK[role] < RANK["alt"] else role, [attrs["alt"]]))
        elif tag in _PADDED:
            cur.append(" ")
        if role != self.role:
            self.role = role
            self.cur = []
            self.asides.append((role, self.cur))
        if "aria-controls" in attrs:
            self.open_control(opened, attrs)

    def _nothing_yet(self) -> bool:
        """Whether the block has no words yet, except bold ones."""
        return len(self.buf) - self.lead < 4 and not "".join(self.buf[self.lead :]).strip()

    def _close_inline(self, top: Open) -> None:
        tag, special = top.tag, top.special
        if special:
            self.ends[special](self, top)
        if top.mark and self.generation == top.generation and self.cur is self.buf:
            if tag == "a":
                self.links += sum(map(len, self.buf[top.mark - 1 : top.mark + 50]))
            elif tag == "code" and self.kind != "item":
                self.coded = len(self.buf)
            else:
                self.lead = len(self.buf)
        elif tag in _PADDED:
            self.cur.append(" ")
        if self.role != top.role:
            self.role = top.role
            if self.generation == top.generation:
                self.cur = top.cur
            elif self.buf or self.asides:
                self.flush()
            else:
                self.block_role = top.role
        if tag == "span":
            self.seam = len(self.cur)

    # --- tabs and accordions ----------------------------------------------------------------------

    def open_control(self, opened: Open, attrs: Attributes) -> None:
        """A tab or button that opens a part of the page: its words name that part."""
        opened.special = opened.special or "control"
        opened.mark = len(self.cur)
        opened.name = attrs.get("id", "") + " " + attrs.get("aria-controls", "")
        if attrs.get("aria-expanded") == "false" or attrs.get("aria-selected") == "false":
            self.closed.update(attrs.get("aria-controls", "").split())

    def end_control(self, top: Open) -> None:
        """Its words are complete."""
        if top.block:
            text = " ".join(p.text for p in self.sink[top.start : top.start + 8])
        else:
            text = fold("".join(self.cur[top.mark :])) if self.generation == top.generation else ""
            top.mark = 0
        if text and len(text) <= 100:
            self.tabs.update((name, text) for name in top.name.split())

    def open_panel(self, opened: Open, attrs: Attributes) -> None:
        """Text behind a tab stands under the tab's words."""
        if self.tabs:
            label = self.tabs.get(attrs.get("aria-labelledby", "")) or self.tabs.get(attrs.get("id", ""))
            if label is not None:
                opened.restore = True
                self.set_heading(PSEUDO, label)
        if "aria-controls" in attrs and not opened.special:
            self.open_control(opened, attrs)
