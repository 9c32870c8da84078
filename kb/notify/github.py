"""An issue for each event, opened, updated and closed through GitHub's REST API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from kb.notify.channel import Sent
from kb.notify.message import Message
from kb.notify.settings import GithubSettings
from kb.notify.tell import CLOSED, OPENED, REOPENED, Tell
from kb.version import __version__

if TYPE_CHECKING:
    import httpx

LONGEST = 60_000
"""Characters of a body; GitHub takes 65,536."""

_PAGES = 10  # of a hundred issues each, looked through for one that a lost answer left behind


class GithubChannel:
    """One repository's issues."""

    digests = False

    def __init__(self, settings: GithubSettings, environment: Mapping[str, str]) -> None:
        self.settings = settings
        self.name = f"github:{settings.repository}"
        self.token = environment.get(settings.token, "").strip()

    def ready(self) -> str:
        """Why nothing can be sent; empty where it can."""
        if not self.token:
            return f"{self.settings.token} is not set in the environment"
        if not re.fullmatch(r"[!-~]+", self.token):
            return f"{self.settings.token} holds no token: it has a blank or a letter that tokens never have"
        return ""

    def send(self, message: Message, issues: Mapping[str, int], again: bool) -> Sent:
        """Bring one event's issue up to date.

        What may be done twice without harm is done first, the comment last, so that a
        failure in between repeats nothing.
        """
        import httpx  # start-up time

        (tell,) = message.tells
        number = issues.get(tell.event)
        try:
            with self._client() as client:
                if number is None and again:
                    number = self._left_behind(client, _mark(tell.event))
                if number is None:
                    number = self._open(client, message, tell)
                    if tell.action != CLOSED:
                        return Sent(True, issue=number)
                self._bring(client, number, message, tell)
                if tell.action != OPENED:
                    self._comment(client, number, message, tell, again)
        except _RefusedError as error:
            return Sent(False, str(error), issue=number, stop=error.stop)
        except httpx.HTTPError as error:
            why = f"{self.settings.api} could not be asked: {type(error).__name__}"
            return Sent(False, why, issue=number, stop=True)
        return Sent(True, issue=number)

    def _client(self) -> httpx.Client:
        import httpx  # start-up time

        return httpx.Client(
            base_url=f"{self.settings.api.rstrip('/')}/repos/{self.settings.repository}",
            headers={
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {self.token}",
                "User-Agent": f"kb/{__version__}",
                "X-GitHub-Api-Version": "2022-11-28",
            },
            timeout=30,
        )

    def _open(self, client: httpx.Client, message: Message, tell: Tell) -> int:
        made = self._ask(
            client,
            "POST",
            "/issues",
            {"title": message.title, "body": _body(message, tell), "labels": list(self.settings.labels)},
        )
        return int(made["number"])

    def _bring(self, client: httpx.Client, number: int, message: Message, tell: Tell) -> None:
        changes: dict[str, Any] = {"title": message.title, "state": "open"}
        if tell.how != "withdrawn":
            changes["body"] = _body(message, tell)
        if tell.action == CLOSED:
            reason = "completed" if tell.how in ("accepted", "edited") else "not_planned"
            changes |= {"state": "closed", "state_reason": reason}
        elif tell.action == REOPENED:
            changes["state_reason"] = "reopened"
        self._ask(client, "PATCH", f"/issues/{number}", changes)

    def _comment(self, client: httpx.Client, number: int, message: Message, tell: Tell, again: bool) -> None:
        mark = _mark(f"{tell.event} {tell.action} {tell.how or ''} {tell.found or ''}")
        if again and any(mark in str(c.get("body")) for c in self._all(client, f"/issues/{number}/comments")):
            return
        body = f"{message.markdown.partition(chr(10))[0]}\n\n{mark}"
        if tell.action != CLOSED and tell.found:
            body = f"{message.markdown[:LONGEST]}\n\n{mark}"
        self._ask(client, "POST", f"/issues/{number}/comments", {"body": body})

    def _left_behind(self, client: httpx.Client, mark: str) -> int | None:
        """The issue that an answer that was lost left behind."""
        for issue in self._all(client, "/issues?state=all&sort=created&direction=desc"):
            if mark in str(issue.get("body")):
                return int(issue["number"])
        return None

    def _all(self, client: httpx.Client, path: str) -> Iterator[dict[str, Any]]:
        for page in range(1, _PAGES + 1):
            joint = "&" if "?" in path else "?"
            found = self._ask(client, "GET", f"{path}{joint}per_page=100&page={page}", None)
            yield from found
            if len(found) < 100:
                return

    def _ask(self, client: httpx.Client, method: str, path: str, data: dict[str, Any] | None) -> Any:
        answer = client.request(method, path, json=data)
        if answer.is_success:
            try:
                return answer.json()
            except ValueError as error:
                raise _RefusedError(f"{method} {path} was answered without JSON", True) from error
        raise _RefusedError(_why(answer, method, path), answer.status_code in (401, 403, 404, 429))


class _RefusedError(Exception):
    """The API said no; `stop` where it would say so to everything."""

    def __init__(self, message: str, stop: bool) -> None:
        super().__init__(message)
        self.stop = stop


def _why(answer: httpx.Response, method: str, path: str) -> str:
    try:
        said = str(answer.json().get("message", ""))[:200]
    except (ValueError, AttributeError):
        said = ""
    wait = answer.headers.get("retry-after", "")[:20]
    return (
        f"{method} {path.partition('?')[0]} was answered {answer.status_code}"
        + (f" ({said})" if said else "")
        + (f", try again in {wait} s" if wait else "")
    )


def _body(message: Message, tell: Tell) -> str:
    return f"{message.markdown[:LONGEST]}\n\n{_mark(tell.event)}"


def _mark(name: str) -> str:
    """What shows an issue or a comment to be that of an event; GitHub hides it."""
    return f"<!-- kb: {name.replace('--', '-&#45;').replace('>', '&gt;')} -->"
