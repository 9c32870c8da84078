"""How a run tells what it is doing: a bar and the hosts on a terminal, a line for each source elsewhere."""

from __future__ import annotations

import sys
from threading import Lock
from typing import TYPE_CHECKING, Any

import click

from kb.cli.output import plain

if TYPE_CHECKING:
    from kb.fetch import FetchEvent
    from kb.snapshots import Capture

HOSTS_SHOWN = 8
"""Lines below the bar; what more hosts are doing is told as a number."""


class CheckProgress:
    """Progress of `kb check`, on standard error; ending its `with` block clears the terminal again."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.terminal = sys.stderr.isatty()
        self._live: Any = None
        self._bar: Any = None
        self._task: Any = None
        self._asked: dict[str, str] = {}  # host to the page it is asked for
        self._lock = Lock()  # captures are told from several threads

    def __enter__(self) -> CheckProgress:
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def captured(self, capture: Capture, done: int, of: int) -> None:
        """One page is on the disk."""
        if self.quiet:
            return
        if not self.terminal:
            said = f"{capture.reason or ('archived' if capture.via == 'memento' else capture.status)}"
            click.echo(f"{done}/{of} {said:12} {plain(capture.requested)}", err=True)
            return
        self._show("asking", done, of)

    def asking(self, event: FetchEvent) -> None:
        """A host is asked for a page, or is done with one."""
        if self.quiet or not self.terminal:
            return
        with self._lock:
            if event.kind == "asks":
                self._asked[event.host] = event.url
            else:
                self._asked.pop(event.host, None)
        self._show("asking", event.done, event.total)

    def judged(self, done: int, of: int) -> None:
        """The claims of one URL are judged."""
        if self._live is not None:
            with self._lock:
                self._asked.clear()
            self._show("judging", done, of)

    def lines(self) -> list[str]:
        """What each host is doing, the first ones by name."""
        with self._lock:
            asked = sorted(self._asked.items())
        shown = [f"  {host}  {plain(url)}" for host, url in asked[:HOSTS_SHOWN]]
        more = len(asked) - HOSTS_SHOWN
        return shown + ([f"  and {more} more host{'' if more == 1 else 's'}"] if more > 0 else [])

    def _show(self, what: str, done: int, of: int) -> None:
        if self._live is None:
            self._start()
        self._bar.update(self._task, completed=done, total=of, description=what)

    def _start(self) -> None:
        from rich.console import Console, Group  # start-up time
        from rich.live import Live
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.text import Text

        self._bar = Progress(TextColumn("{task.description:8}"), BarColumn(), MofNCompleteColumn())
        self._task = self._bar.add_task("asking", total=None)

        def drawn() -> Group:
            texts = (Text(line, no_wrap=True, overflow="ellipsis") for line in self.lines())
            return Group(self._bar, *texts)

        self._live = Live(get_renderable=drawn, console=Console(stderr=True), transient=True)
        self._live.start()
