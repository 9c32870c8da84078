"""Kinds of body that nobody reads figures from."""

from __future__ import annotations

import re

_UNREAD_MEDIA = re.compile(
    r"(?:image|audio|video|font|model)/(?!svg)|application/(?:x-)?(?:zip|gzip|tar|7z-compressed|rar-compressed|"
    r"bzip2|xz|iso9660-image|msdownload|shockwave-flash|java-archive|wasm|vnd\.rar|vnd\.android)\b",
    re.I,
)


def supported(content_type: str | None) -> bool:
    """Whether a body of this type may be worth fetching at all.

    >>> supported("text/html; charset=utf-8"), supported("video/mp4"), supported(None)
    (True, False, True)
    """
    return not _UNREAD_MEDIA.match((content_type or "").strip())
