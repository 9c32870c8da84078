"""A server of the form of GitHub's REST API for issues, as far as kb uses it, and as strict."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response


@dataclass
class Forge:
    """Issues of one repository. `refuse` answers the next requests with a status; `lose` does what
    is asked and then hangs up on the answer."""

    server: HTTPServer
    token: str = "ghp_secret0123456789"
    issues: list[dict[str, Any]] = field(default_factory=list)
    comments: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    refuse: list[int] = field(default_factory=list)
    lose: int = 0

    def __post_init__(self) -> None:
        self.server.expect_request(re.compile("/repos/owner/name/issues.*")).respond_with_handler(self.answer)

    @property
    def url(self) -> str:
        return self.server.url_for("").rstrip("/")

    def answer(self, request: Request) -> Response:
        self.asked.append(f"{request.method} {request.path.removeprefix('/repos/owner/name')}")
        if request.headers.get("Authorization") != f"Bearer {self.token}":
            return self.reply(401, {"message": "Bad credentials"})
        assert request.headers["Accept"] == "application/vnd.github+json"
        assert request.headers["X-GitHub-Api-Version"] == "2022-11-28"
        assert request.headers["User-Agent"].startswith("kb/")
        if self.refuse:
            status = self.refuse.pop(0)
            return self.reply(status, {"message": "secondary rate limit"}, {"Retry-After": "60"})
        done = self.do(request)
        if self.lose:
            self.lose -= 1
            return self.reply(502, {"message": "lost on the way"})
        return done

    def do(self, request: Request) -> Response:
        parts = request.path.removeprefix("/repos/owner/name/").split("/")
        data = json.loads(request.data) if request.data else {}
        if parts == ["issues"] and request.method == "POST":
            assert set(data) == {"title", "body", "labels"}
            assert 0 < len(data["title"]) <= 256
            assert len(data["body"]) <= 65536
            issue = {"number": len(self.issues) + 1, "state": "open", "state_reason": None, **data}
            self.issues.append(issue)
            return self.reply(201, issue)
        if parts == ["issues"] and request.method == "GET":
            page, size = int(request.args["page"]), int(request.args["per_page"])
            found = list(reversed(self.issues))
            return self.reply(200, found[(page - 1) * size : page * size])
        number = int(parts[1])
        if number > len(self.issues):
            return self.reply(404, {"message": "Not Found"})
        if len(parts) == 2 and request.method == "PATCH":
            assert set(data) <= {"title", "body", "state", "state_reason"}
            assert data.get("state") in ("open", "closed")
            assert data.get("state_reason") in (None, "completed", "not_planned", "reopened")
            self.issues[number - 1].update(data)
            return self.reply(200, self.issues[number - 1])
        if parts[2:] == ["comments"] and request.method == "POST":
            assert set(data) == {"body"}
            self.comments.setdefault(number, []).append(data)
            return self.reply(201, data)
        if parts[2:] == ["comments"] and request.method == "GET":
            return self.reply(200, self.comments.get(number, []) if request.args["page"] == "1" else [])
        return self.reply(404, {"message": "Not Found"})

    @staticmethod
    def reply(status: int, data: object, headers: dict[str, str] | None = None) -> Response:
        return Response(json.dumps(data), status, {"Content-Type": "application/json", **(headers or {})})
