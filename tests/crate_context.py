"""Put RO-Crate's JSON-LD context into the validator's cache, so that it asks nothing of the network.

Run by the validator's own Python: context's address, a file with it, the cache's path.
"""

from __future__ import annotations

import sys
from pathlib import Path

from requests_cache import CachedSession
from requests_cache.models import CachedRequest, CachedResponse


def main(address: str, file: str, cache: str) -> None:
    session = CachedSession(cache_name=cache, backend="sqlite", expire_after=-1)
    request = CachedRequest(method="GET", url=address)
    answer = CachedResponse(
        url=address, status_code=200, headers={"Content-Type": "application/ld+json"}, request=request
    )
    answer._content = Path(file).read_bytes()
    session.cache.save_response(answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
