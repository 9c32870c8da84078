"""Mail, chat and webhooks through Apprise, each reached by an address in the environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.notify.channel import Sent
from kb.notify.message import Message


class AppriseChannel:
    """The address that stands in one environment variable."""

    digests = True

    def __init__(self, variable: str, environment: Mapping[str, str]) -> None:
        self.variable = variable
        self.name = f"apprise:{variable}"
        self.address = environment.get(variable, "").strip()
        self._apprise: Any = None

    def ready(self) -> str:
        """Why nothing can be sent; empty where it can."""
        if not self.address:
            return f"{self.variable} is not set in the environment"
        try:
            import apprise  # start-up time, and an extra
        except ImportError:
            return 'apprise is not installed; pip install "citedrift[alerts]"'
        import warnings

        self._apprise = apprise.Apprise()
        capture: Any = apprise.LogCapture
        with warnings.catch_warnings():
            # Some of its many services import what Python has deprecated; that is theirs to mend.
            warnings.simplefilter("ignore", DeprecationWarning)
            # Its complaint about an address would repeat the address, which is a secret.
            with capture(level=apprise.logging.CRITICAL):
                self._apprise.add(self.address)
        if len(self._apprise) == 0:
            return f"{self.variable} holds no address that Apprise knows"
        if len(self._apprise) > 1:
            # One of several may fail, and the others must not be told twice.
            return f"{self.variable} holds several addresses; give each a variable of its own"
        return ""

    def send(self, message: Message, issues: Mapping[str, int], again: bool) -> Sent:
        """Send one message."""
        import apprise  # start-up time, and an extra

        capture: Any = apprise.LogCapture
        with capture(level=apprise.logging.WARNING, fmt="%(message)s") as said:
            ok = self._apprise.notify(
                title=message.title, body=message.text, body_format=apprise.NotifyFormat.TEXT
            )
            why = " ".join(said.getvalue().split())
        if ok:
            return Sent(True)
        return Sent(False, self._without_secrets(why)[:300] or "the service did not take it")

    def _without_secrets(self, text: str) -> str:
        for part in _parts(self.address):
            text = text.replace(part, "…")
        return text


def _parts(address: str) -> list[str]:
    """The address and what may be secret in it, longest first."""
    import re  # start-up time

    parts = {address, *re.split(r"[:/@?&=,]+", address.partition("://")[2])}
    return sorted((p for p in parts if len(p) > 5), key=len, reverse=True)
