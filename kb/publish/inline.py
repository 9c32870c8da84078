"""Taking inline code out of what Datasette's templates render, so that a strict policy can hold."""

from __future__ import annotations

import re

from markupsafe import Markup

_ELEMENT = re.compile(r"<(script|style)\b[^<>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[a-zA-Z][^<>]*>")
_STYLE = re.compile(r"""\sstyle\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)


def without_inline(rendered: str) -> Markup:
    """`rendered` without script and style elements and style attributes.

    It works on what autoescaping templates wrote, where a `<` begins a tag and a
    quote ends a value; scraped text has neither there. Nothing is made safe by
    this (the policy does that): it keeps browsers from complaining.
    """
    text = _ELEMENT.sub("", str(rendered))
    # What is returned was safe before, and only lost parts.
    return Markup(_TAG.sub(lambda m: _STYLE.sub("", m[0]), text))  # noqa: S704
