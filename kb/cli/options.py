"""Options that mean the same in every command."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])


def _root(ctx: click.Context) -> Path:
    """The knowledge base that the words typed so far name."""
    given = ctx.params.get("root")
    return Path(given) if given else Path()


def complete_claims(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Ids of claims, for a shell."""
    from kb.app.names import claim_ids  # start-up time

    return claim_ids(_root(ctx), incomplete)


def complete_sources(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Ids of sources, for a shell."""
    from kb.app.names import source_ids  # start-up time

    return source_ids(_root(ctx), incomplete)


def complete_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Ids of sources and claims, for a shell."""
    return complete_sources(ctx, param, incomplete) + complete_claims(ctx, param, incomplete)


def complete_tags(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Tags, for a shell."""
    from kb.app.names import tags  # start-up time

    return tags(_root(ctx), incomplete)


def complete_files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files, for a shell, where the argument may be an address too."""
    from click.shell_completion import CompletionItem  # start-up time

    return [CompletionItem(incomplete, type="file")]


kb_option = click.option(
    "--kb",
    "root",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="The knowledge base: the folder with claims/ and snapshots/. [default: this folder]",
)
db_option = click.option(
    "--db",
    "db",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="The database. [default: kb.db in the knowledge base]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Print results only, no progress.")
only_option = click.option(
    "--only",
    "only",
    metavar="ID-OR-GLOB",
    multiple=True,
    help="Only these claims or sources (may be repeated).",
    shell_complete=complete_ids,
)
tag_option = click.option(
    "--tag",
    "tags",
    metavar="TAG",
    multiple=True,
    help="Only claims with this tag.",
    shell_complete=complete_tags,
)
offline_option = click.option("--offline", is_flag=True, help="Ask nothing of the network.")
allow_private_option = click.option(
    "--allow-private", is_flag=True, help="Admit loopback and private network addresses."
)
jobs_option = click.option(
    "--jobs", metavar="N", type=click.IntRange(1), default=None, help="Processes that read and judge."
)
strict_option = click.option(
    "--strict", is_flag=True, help="Let 3 be 1: whatever is not known to hold fails."
)
confirm_option = click.option(
    "--confirm",
    metavar="N",
    type=click.IntRange(1),
    default=None,
    help="How many readings confirm a change (1: at once). [default: as in kb.toml]",
)


class _Day(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.2 only
    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            day = date.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no date; write it as 2026-11-30", param, ctx)
        return datetime.combine(day, time.max, tzinfo=UTC)


day_option_type = _Day()

as_of_option = click.option(
    "--as-of",
    "as_of",
    metavar="DATE",
    type=_Day(),
    default=None,
    help="As known at the end of that day (UTC).",
)
since_option = click.option(
    "--since", "since", metavar="DATE", type=_Day(), default=None, help="Only what happened after that day."
)


def start_of(day: datetime) -> datetime:
    """The first moment of the day that `day` ends."""
    return day - timedelta(days=1) + timedelta(microseconds=1)
