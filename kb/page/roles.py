"""Which part of a page an element plays, from its tag and attributes."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
    "template": "meta",
    "menu": "content",
    "dialog": "hidden",
}

_ARIA = {
    "navigation": "navigation",
    "menubar": "navigation",
    "menu": "navigation",
    "contentinfo": "footer",
    "search": "navigation",
}

_WORDS = (
    (
        "cookie",
        re.compile(
            r"(?:^|[\W_])(?:cookie|consent|gdpr|ccpa)(?:s?)(?:[\W_]|$)|cookie(?:banner|bar|notice|consent)|onetrust|cookiebot",
            re.I,
        ),
    ),
    (
        "navigation",
        re.compile(
            r"(?:^|[\W_])(?:nav|navbar|navigation|breadcrumbs?|menu|sidebar|toc|table-of-contents|pagination|pager|skip-link)(?:[\W_]|$)",
            re.I,
        ),
    ),
    ("footer", re.compile(r"^(?:site|page|global|main)?[\W_]?footer$", re.I)),
    (
        "related",
        re.compile(
            r"(?:^|[\W_])(?:related|recommended|recommendations|see-also|read-next|more-from|you-may-also-like)(?:[\W_]|$)",
            re.I,
        ),
    ),
    (
        "changelog",
        re.compile(
            r"(?:^|[\W_])(?:changelog|change-log|release-history|revision-history|version-history)(?:[\W_]|$)",
            re.I,
        ),
    ),
    (
        "comment",
        re.compile(
            r"(?:^|[\W_])(?:comments?|comment-list|commentlist|disqus|respond|user-reviews?)(?:[\W_]|$)", re.I
        ),
    ),
)

_HIDDEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
_HIDDEN_CLASS = re.compile(
    r"(?:^|\s)(?:d-none|hidden|is-hidden|u-hidden|hide|visually-hidden|sr-only|screen-reader-text|invisible)(?:\s|$)"
)


def role_of(tag: str, attrs: Mapping[str, str]) -> str:
    """The role that an element's own tag and attributes give it; `content` where they say nothing."""
    role = TAGS.get(tag, "content")
    if not attrs:
        return role
    if ("hidden" in attrs and attrs["hidden"].lower() != "until-found") or _HIDDEN_STYLE.search(
        attrs.get("style", "")
    ):
        return "hidden"
    if tag == "dialog" and "open" in attrs:
        role = "content"
    names = attrs.get("class", "")
    if names and _HIDDEN_CLASS.search(names):
        return "hidden"
    aria = _ARIA.get(attrs.get("role", ""))
    if aria and RANK[aria] > RANK[role]:
        return aria
    if role != "content" or tag in ("body", "html", "main", "article"):
        return role
    words = f"{names} {attrs.get('id', '')}"
    if words != " ":
        for name, pattern in _WORDS:
            if any(pattern.search(word) for word in words.split()):
                return name
    return role
