"""Which part of a page an element plays, from its tag and attributes, or from the heading above."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

RANK = {
    "content": 0,
    "related": 1,
    "changelog": 2,
    "comment": 3,
    "navigation": 4,
    "footer": 5,
    "cookie": 6,
    "struck": 7,
    "alt": 8,
    "noscript": 9,
    "hidden": 10,
    "data": 11,
    "meta": 12,
}
"""An element inside another has the role that ranks higher of the two."""

TAGS = {
    "nav": "navigation",
    "footer": "footer",
    "del": "struck",
    "s": "struck",
    "strike": "struck",
    "noscript": "noscript",
    "noframes": "noscript",
    "template": "meta",
    "dialog": "hidden",
    "datalist": "hidden",
    "audio": "hidden",
    "video": "hidden",
    "canvas": "hidden",
    "object": "hidden",
    "desc": "alt",
}

_ARIA = {
    "navigation": "navigation",
    "menubar": "navigation",
    "menu": "navigation",
    "search": "navigation",
    "contentinfo": "footer",
    "dialog": "content",
}


def _word(*words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[\W_])(?:{'|'.join(words)})(?:[\W_]|$)", re.I)


_CLASSES = (
    (
        "cookie",
        _word(
            "cookies?-?(?:banner|bar|notice|consent|popup|modal|message)?",
            "gdpr",
            "ccpa",
            "onetrust",
            "cookiebot",
            "consent-?(?:banner|bar|manager|popup|modal|dialog)",
            "cc-window",
        ),
    ),
    (
        "navigation",
        _word(
            "(?:side|top|main|mega|sub)?-?(?:nav|navbar|navigation|menu|sidebar)",
            "breadcrumbs?",
            "toc",
            "table-of-contents",
            "pagination",
            "pager",
            "skip-?(?:link|nav|to-content)",
            "(?:language|locale|version)-(?:switcher|selector|picker)",
        ),
    ),
    ("footer", re.compile(r"^(?:site|page|global|main|app|l|c|o)?[-_]{0,2}footer$|^colophon$", re.I)),
    (
        "related",
        _word(
            "related(?:-?(?:posts?|articles?|content|links?|products?))?",
            "recommended",
            "recommendations",
            "see-?also",
            "read-?next",
            "more-?from",
            "you-?may-?(?:also-?)?like",
            "up-?sell",
            "cross-?sell",
        ),
    ),
    ("changelog", _word("change-?log", "(?:release|revision|version)-history")),
    (
        "comment",
        _word("comments?", "comments?-?(?:list|area|section|thread|body)", "disqus", "user-?reviews?"),
    ),
    (
        "struck",
        _word("line-through", "strike", "strikethrough", "(?:was|old|previous)-?price", "price-?(?:was|old)"),
    ),
)

_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|content-visibility\s*:\s*hidden", re.I
)
_STRUCK_STYLE = re.compile(r"text-decoration[\w-]*\s*:[^;]*line-through", re.I)
_HIDDEN = frozenset(
    (
        "d-none",
        "hidden",
        "is-hidden",
        "u-hidden",
        "hide",
        "visually-hidden",
        "sr-only",
        "screen-reader-text",
        "invisible",
    )
)
_SHOWN = frozenset(
    ("active", "show", "in", "open", "is-active", "is-open", "selected", "expanded", "current")
)
_CLOSED = frozenset(("tab-pane", "collapse", "collapsed-content", "carousel-item", "accordion-collapse"))
_WHOLE = frozenset(("html", "body", "main", "article", "head", "h1"))
_NAMED = frozenset(("aside", "div", "form", "ol", "ul"))
"""Elements whose id says what they are for; of others it is often made from a heading's words."""


def role_of(tag: str, attrs: Mapping[str, str]) -> str:
    """The role that an element's own tag and attributes give it; `content` where they say nothing."""
    if not attrs:
        return TAGS.get(tag, "content")
    get = attrs.get
    return _role(
        tag,
        get("class", "")[:400],
        get("id", "")[:100],
        get("style", "")[:400],
        get("role", "")[:40],
        get("aria-hidden", "")[:8],
        get("hidden", "-")[:16],
        "open" in attrs,
    )


@lru_cache(maxsize=4096)
def _role(
    tag: str, classes: str, name: str, style: str, aria: str, aria_hidden: str, hidden: str, is_open: bool
) -> str:
    role = TAGS.get(tag, "content")
    if (hidden != "-" and hidden.lower() != "until-found") or (style and _HIDDEN_STYLE.search(style)):
        return "hidden"
    if tag == "dialog" and is_open:
        role = "content"
    words = classes.lower().split()
    if not _HIDDEN.isdisjoint(words) and not any(
        ":" in w and w.endswith(("block", "flex", "grid", "inline")) for w in words
    ):
        return "hidden"
    if (not _CLOSED.isdisjoint(words) and _SHOWN.isdisjoint(words)) or (
        aria == "tabpanel" and aria_hidden == "true"
    ):
        return "hidden"
    if style and _STRUCK_STYLE.search(style):
        return "struck"
    said = _ARIA.get(aria, "content")
    if RANK[said] > RANK[role]:
        return said
    if role != "content" or tag in _WHOLE:
        return role
    if name and tag in _NAMED and "section" not in words:
        words.append(name)
    for named, pattern in _CLASSES:
        if any(pattern.search(word) for word in words):
            return named
    return role


_HEADINGS = (
    (
        "changelog",
        re.compile(
            r"(?:change ?-?log|changes|change history|release notes|history of changes"
            r"|(?:revision|version|release|document) history"
            r"|journal des modifications|änderungs(?:protokoll|verlauf|historie)"
            r"|historial de (?:cambios|versiones))\W*",
            re.I,
        ),
    ),
    (
        "related",
        re.compile(
            r"(?:related(?: (?:articles?|posts?|links?|content|products?|pages?|topics?|stories|documents?))?"
            r"|see also|read next|further reading|you (?:may|might) also like|more from .{1,40}"
            r"|recommended(?: for you)?|more (?:articles|stories|posts)"
            r"|siehe auch|voir aussi|véase también)\W*",
            re.I,
        ),
    ),
    (
        "comment",
        re.compile(
            r"(?:(?:\d+ )?(?:(?:reader|user) )?comments?(?: \(\d+\))?|leave a (?:reply|comment)"
            r"|\d+ (?:replies|responses|thoughts on .{1,60})|(?:customer|user) reviews"
            r"|kommentare|commentaires|comentarios)\W*",
            re.I,
        ),
    ),
)


@lru_cache(maxsize=4096)
def role_of_heading(text: str) -> str:
    """The role of what stands under a heading below the first level; empty where it says nothing."""
    if len(text) > 80:
        return ""
    for role, pattern in _HEADINGS:
        if pattern.fullmatch(text):
            return role
    return ""


_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_CSS_RULE = re.compile(r"([^{}]{1,400})\{([^{}]{0,2000})\}")
_CSS_SIMPLE = re.compile(r"(?:[a-z][a-z0-9]*)?([.#])(-?[A-Za-z_][\w-]*)")
_MAX_CSS = 500_000


def hidden_by_css(css: str) -> tuple[set[str], set[str]]:
    """Classes and ids that a style sheet hides; rules inside `@media` and the like are left out."""
    classes: set[str] = set()
    ids: set[str] = set()
    if "none" not in css or len(css) > _MAX_CSS:
        return classes, ids
    for selectors, body in _CSS_RULE.findall(_without_at_rules(_CSS_COMMENT.sub("", css))):
        if re.search(r"display\s*:\s*none", body, re.I):
            for selector in selectors.split(","):
                if found := _CSS_SIMPLE.fullmatch(selector.strip()):
                    (classes if found.group(1) == "." else ids).add(found.group(2))
    return classes, ids


def _without_at_rules(css: str) -> str:
    kept: list[str] = []
    at = 0
    while True:
        start = css.find("@", at)
        if start < 0:
            kept.append(css[at:])
            return "".join(kept)
        kept.append(css[at:start])
        opening, ending = css.find("{", start), css.find(";", start)
        if opening < 0 or 0 <= ending < opening:
            at = ending + 1 if ending >= 0 else len(css)
            continue
        depth, at = 1, opening + 1
        for mark in re.finditer(r"[{}]", css[at:]):
            depth += 1 if mark.group() == "{" else -1
            if depth == 0:
                at += mark.end()
                break
        else:
            return "".join(kept)
