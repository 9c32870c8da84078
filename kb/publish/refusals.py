"""A refusal in words: as a small page for a browser, as a line of text for everything else."""

from __future__ import annotations

from html import escape
from typing import Any

TITLES = {
    400: "Not possible",
    403: "Not public",
    404: "Not found",
    405: "Read-only",
    414: "Too long",
    503: "In a moment",
}


def refusal(datasette: Any, accept: str, status: int, words: str) -> tuple[str, str]:
    """The media type and the body of a refusal to somebody who accepts `accept`.

    It needs neither the database nor a template, as either may be what is missing.
    """
    if "text/html" not in accept:
        return "text/plain; charset=utf-8", f"{words}\n"
    css = escape(str(datasette.urls.static_plugins("citedrift", "kb.css")))
    home = escape(str(datasette.urls.path("/")))
    title = TITLES.get(status, str(status))
    return (
        "text/html; charset=utf-8",
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="stylesheet" href="{css}">\n</head>\n<body>\n<main>\n<p class="crumbs">{status}</p>\n'
        f'<h1>{title}</h1>\n<p class="lead">{escape(words)}</p>\n'
        f'<p><a class="outward" href="{home}">Back to the first page</a></p>\n</main>\n</body>\n</html>\n',
    )
