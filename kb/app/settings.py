"""kb.toml: the settings of a knowledge base, read as strictly as the claims files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kb.errors import Problem, SettingsError
from kb.fetch import HostSettings
from kb.notify.settings import AlertSettings, GithubSettings

FILE = "kb.toml"

COMMENTED = """\
# Settings of this knowledge base. What is commented out is the default.

[fetch]
# Who asks: an address at which a site's owner can reach you; goes into the User-Agent.
contact = ""
# delay = 1.0      # seconds between requests to one host; 0 for loopback
# timeout = 30     # seconds for a page, all of one try
# tries = 3        # for server errors, 429, reset, timeout; no wait over a minute
# timegate = "https://web.archive.org/web/"   # the archive that kb check --archive asks (Memento)
# timemap = "https://web.archive.org/web/timemap/link/"   # its lists; if left out: in the timegate

# [fetch.hosts."example.org"]
# delay = 5

[check]
# every = "7d"     # how often a source is read again; a source may say otherwise

[confirm]
# drifted = 2      # readings that must agree before a changed value is told
# gone = 3         # readings that must agree before a loss is told
# apart = "1h"     # how far apart such readings lie at least

[publish]
# captures = "quote"   # what the public sees of a page: the quote alone, or "full"

[alerts]
# Who is told of a confirmed change. Addresses and tokens are secrets, so they stand in the
# environment; here stand the names of the variables that hold them.
# apprise = ["KB_ALERT_URL"]   # each holds an Apprise address: mail, chat, a webhook
# digest = 10                  # above so many messages at once, a single one

# [alerts.github]              # an issue for each event
# repository = "owner/name"
# token = "GITHUB_TOKEN"       # the variable that holds the token
# labels = ["drift"]
# api = "https://api.github.com"
"""

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. Times are seconds."""

    contact: str = ""
    delay: float = 1.0
    timeout: float = 30.0
    tries: int = 3
    hosts: Mapping[str, HostSettings] = field(default_factory=dict, hash=False)
    timegate: str = "https://web.archive.org/web/"
    timemap: str = "https://web.archive.org/web/timemap/link/"
    every: int = 7 * 86400
    confirm_drifted: int = 2
    confirm_gone: int = 3
    confirm_apart: int = 3600
    captures: str = "quote"
    alerts: AlertSettings = field(default_factory=AlertSettings)


def interval(text: str) -> int | None:
    """Seconds of an interval such as `7d`, `12h` or `90m`; None where it is none."""
    found = re.fullmatch(r"(\d{1,6})\s*([smhdw])", text.strip())
    return int(found[1]) * _SECONDS[found[2]] if found else None


def read_settings(root: Path) -> Settings:
    """Read `kb.toml` in `root`; defaults where there is none.

    Raises:
        SettingsError: with every fault found, each with its line.
    """
    import tomllib  # start-up time

    path = root / FILE
    if not path.exists():
        return Settings()
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise SettingsError(
            [Problem(FILE, 0, 0, f"is not UTF-8 ({error.reason})", "save it as UTF-8")]
        ) from error
    except tomllib.TOMLDecodeError as error:
        line, column = (
            (int(n) for n in re.findall(r"\d+", str(error))[-2:]) if "line" in str(error) else (0, 0)
        )
        what = str(error).partition(" (at")[0]
        raise SettingsError(
            [Problem(FILE, line, column, what, "see https://toml.io for the form")]
        ) from error
    return _Reader(text).settings(data)


class _Reader:
    """Checks the tables one by one and gathers what is wrong."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.problems: list[Problem] = []

    def settings(self, data: dict[str, Any]) -> Settings:
        self.known(data, ("fetch", "check", "confirm", "publish", "alerts"), "")
        fetch, check = self.table(data, "fetch"), self.table(data, "check")
        confirm, publish = self.table(data, "confirm"), self.table(data, "publish")
        self.known(fetch, ("contact", "delay", "timeout", "tries", "hosts", "timegate", "timemap"), "fetch")
        self.known(check, ("every",), "check")
        self.known(confirm, ("drifted", "gone", "apart"), "confirm")
        self.known(publish, ("captures",), "publish")
        base = Settings()
        hosts = {}
        for name, table in self.table(fetch, "hosts").items():
            if not isinstance(table, dict):
                self.fault(name, f"fetch.hosts.{name} is no table", f'write [fetch.hosts."{name}"]')
                continue
            self.known(table, ("delay", "timeout", "tries"), f"fetch.hosts.{name}")
            hosts[name.lower()] = HostSettings(
                delay=self.number(table, "delay", None, 0, 3600),
                timeout=self.number(table, "timeout", None, 0.1, 600),
                tries=self.whole(table, "tries", None, 1, 10),
            )
        captures = publish.get("captures", base.captures)
        if captures not in ("quote", "full"):
            self.fault("captures", f"captures = {captures!r} is unknown", 'write "quote" or "full"')
        contact = fetch.get("contact", "")
        if not isinstance(contact, str) or any(ord(c) < 32 or ord(c) > 126 for c in contact):
            self.fault(
                "contact", "contact is no line of ASCII text", "write an address: a mailbox or a web page"
            )
            contact = ""
        timegate = self.address(fetch, "timegate", base.timegate)
        result = Settings(
            contact=contact,
            delay=self.number(fetch, "delay", base.delay, 0, 3600) or 0.0,
            timeout=self.number(fetch, "timeout", base.timeout, 0.1, 600) or base.timeout,
            tries=self.whole(fetch, "tries", base.tries, 1, 10) or base.tries,
            hosts=hosts,
            timegate=timegate,
            timemap=self.address(fetch, "timemap", f"{timegate}timemap/link/"),
            every=self.seconds(check, "every", base.every),
            confirm_drifted=self.whole(confirm, "drifted", base.confirm_drifted, 1, 10) or 1,
            confirm_gone=self.whole(confirm, "gone", base.confirm_gone, 1, 10) or 1,
            confirm_apart=self.seconds(confirm, "apart", base.confirm_apart),
            captures=captures if isinstance(captures, str) else base.captures,
            alerts=self.alerts(self.table(data, "alerts")),
        )
        if self.problems:
            raise SettingsError(self.problems)
        return result

    def alerts(self, table: dict[str, Any]) -> AlertSettings:
        base = AlertSettings()
        self.known(table, ("apprise", "digest", "github"), "alerts")
        variables = self.texts(table, "apprise", ())
        for name in variables:
            self.variable("apprise", name)
        return AlertSettings(
            apprise=variables,
            digest=self.whole(table, "digest", base.digest, 1, 1000) or base.digest,
            github=self.github(self.table(table, "github")) if "github" in table else None,
        )

    def github(self, table: dict[str, Any]) -> GithubSettings:
        base = GithubSettings("")
        self.known(table, ("repository", "token", "labels", "api"), "alerts.github")
        repository, token = table.get("repository", ""), table.get("token", base.token)
        if not isinstance(repository, str) or not re.fullmatch(r"[\w.-]+/[\w.-]+", repository, re.A):
            self.fault("repository", f"repository = {repository!r} is none", 'write "owner/name"')
            repository = ""
        if self.variable("token", token):
            token = base.token
        api = self.address(table, "api", base.api)
        return GithubSettings(repository, token, api, self.texts(table, "labels", base.labels))

    def address(self, table: dict[str, Any], key: str, default: str) -> str:
        value = table.get(key, default)
        if not isinstance(value, str) or not re.fullmatch(r"https?://[!-~]+", value) or "@" in value:
            self.fault(key, f"{key} = {value!r} is no web address", f'write "{default}"')
            return default
        return value

    def variable(self, key: str, name: object) -> bool:
        """Tell where `name` is no variable's; never repeat it, as it may be the secret itself."""
        wrong = not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_]\w*", name, re.A)
        if wrong:
            remedy = f'put the secret into the environment and its variable\'s name here: {key} = "KB_SECRET"'
            self.fault(key, f"{key} names no environment variable", remedy)
        return wrong

    def texts(self, table: dict[str, Any], key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        value = table.get(key, list(default))
        if not isinstance(value, list) or not all(isinstance(v, str) and v.strip() for v in value):
            self.fault(key, f"{key} is no list of texts", f'write {key} = ["…"]')
            return default
        return tuple(dict.fromkeys(value))

    def fault(self, key: str, what: str, remedy: str) -> None:
        line = next(
            (n for n, t in enumerate(self.lines, 1) if re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", t)),
            0,
        )
        self.problems.append(Problem(FILE, line, 0, what, remedy))

    def known(self, table: dict[str, Any], keys: tuple[str, ...], name: str) -> None:
        import difflib  # start-up time

        for key in table:
            if key not in keys:
                near = difflib.get_close_matches(key, keys, 1)
                remedy = f"did you mean {near[0]!r}?" if near else f"known here: {', '.join(keys)}"
                self.fault(key, f"unknown key {key!r}" + (f" in [{name}]" if name else ""), remedy)

    def table(self, data: dict[str, Any], key: str) -> dict[str, Any]:
        value = data.get(key, {})
        if not isinstance(value, dict):
            self.fault(key, f"{key} is no table", f"write [{key}]")
            return {}
        return value

    def number(
        self, table: dict[str, Any], key: str, default: float | None, low: float, high: float
    ) -> float | None:
        value = table.get(key, default)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            self.fault(
                key, f"{key} = {value!r} is no number from {low:g} to {high:g}", f"write {key} = 5, say"
            )
            return default
        return float(value)

    def whole(self, table: dict[str, Any], key: str, default: int | None, low: int, high: int) -> int | None:
        value = table.get(key, default)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.fault(
                key, f"{key} = {value!r} is no whole number from {low} to {high}", f"write {key} = {low}, say"
            )
            return default
        return value

    def seconds(self, table: dict[str, Any], key: str, default: int) -> int:
        value = table.get(key)
        if value is None:
            return default
        seconds = interval(value) if isinstance(value, str) else None
        if seconds is None:
            self.fault(key, f"{key} = {value!r} is no interval", 'write "7d", "12h" or "90m"')
            return default
        return seconds
