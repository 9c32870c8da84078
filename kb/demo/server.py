"""The demonstration's site on loopback: one edition after another."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from importlib.resources.abc import Traversable
from types import TracebackType
from urllib.parse import urlsplit

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".pdf": "application/pdf",
    ".css": "text/css",
}

EDITIONS = (1, 8, 15)


class DemoSite:
    """Serves the edition of `day` (a context manager; `url` has no slash at its end).

    An edition is a folder `site/day-NN` that holds what differs from the one
    before; its `responses.json`, if any, says which addresses answer otherwise
    than with their page: `{"/path": {"status", "file"?, "location"?}}`.
    """

    def __init__(self) -> None:
        self.day = 1
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                status, headers, body = site.answer(urlsplit(self.path).path)
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing: the tour tells what happens."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """Where the site is."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> DemoSite:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body for a path, in the edition of `day`."""
        special = self._responses().get(path, {})
        status = int(special.get("status", 200))
        if "location" in special:
            return status, {"Location": str(special["location"])}, b""
        name = str(special.get("file", "")) or path.lstrip("/") or "index.html"
        found = self._find(name)
        if found is None:
            return 404, {"Content-Type": "text/plain; charset=utf-8"}, b"no such page\n"
        type_ = next((t for end, t in TYPES.items() if name.endswith(end)), "application/octet-stream")
        return status, {"Content-Type": type_}, found.read_bytes()

    def _editions(self) -> list[Traversable]:
        folder = resources.files("kb.demo") / "site"
        return [folder / f"day-{n:02}" for n in reversed(EDITIONS) if n <= self.day]

    def _find(self, name: str) -> Traversable | None:
        if ".." in name.split("/"):
            return None
        for edition in self._editions():
            file = edition.joinpath(*name.split("/"))
            if file.is_file():
                return file
        return None

    def _responses(self) -> dict[str, dict[str, str | int]]:
        for edition in self._editions():
            file = edition / "responses.json"
            if file.is_file():
                answers: dict[str, dict[str, str | int]] = json.loads(file.read_text(encoding="utf-8"))
                return answers
        return {}
