"""The command `kb`: finds the command's file, and turns every ending into the right exit code."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import signal
import sys
from collections.abc import Sequence
from typing import Any

import click

from kb.errors import KbError
from kb.version import __version__

INTERNAL = 70
INTERRUPTED = 130
TERMINATED = 143

COLLECTED_AFTER = 10_000
"""New objects after which the youngest are looked through for cycles, of which pages make few.

At Python's 700 `kb verify --cases` takes a tenth more time, and a hundredth less memory.
"""

COMPLETE = "_KB_COMPLETE"
"""The variable by which a shell asks what could be typed next."""

_SUPPORT = {"add_from", "audit_text", "captures", "main", "options", "output", "progress", "start"}
"""Files of this room that are no commands."""


class _Commands(click.Group):
    """Loads a command's file when it is asked for, so that `kb --help` stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [n for n in ORDER if n in _found()] + sorted(n for n in _found() if n not in ORDER)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _found():
            return None
        module = importlib.import_module(f"kb.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib  # start-up time

            near = difflib.get_close_matches(args[0], _found(), 1)
            if near:
                raise click.UsageError(
                    f"no command {args[0]!r}; did you mean `kb {near[0]}`?", ctx
                ) from error
            raise

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem  # start-up time

        names = [n for n in self.list_commands(ctx) if n.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(n, help=SUMMARIES.get(n)) for n in names), *options]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(ctx)
        with formatter.section("Commands"):
            formatter.write_dl([(n, SUMMARIES.get(n, "")) for n in names])


SUMMARIES = {
    "init": "Start a knowledge base.",
    "add": "Add claims: from a page, an article, a table, a bibliography.",
    "lint": "Check the claims files.",
    "read": "Show what kb sees on a page: blocks, tables, quantities.",
    "verify": "Judge one claim, or a file of them, writing nothing.",
    "check": "Fetch what is due, archive, judge, store, summarise.",
    "build": "Make kb.db anew from claims/ and snapshots/.",
    "report": "Print the drift report.",
    "alert": "Tell people of confirmed changes, each once.",
    "accept": "Take over the page's value, or keep ours knowingly.",
    "audit": "Compare each figure in an article with the claims.",
    "cite": "Cite a figure, or list an article's sources.",
    "snapshots": "List, show, compare, import, verify or prune captures.",
    "serve": "Serve kb.db as a read-only site.",
    "export": "Write claims and verdicts in standard formats.",
    "schedule": "Print a cron line, a systemd timer or a CI workflow.",
    "demo": "Show all of it on a small site that changes.",
    "completion": "Print the completion script for bash, zsh or fish.",
}
"""A line for each command, here so that `kb --help` loads none of them (a test compares)."""

ORDER = tuple(SUMMARIES)


def _found() -> list[str]:
    import kb.cli as room

    return [m.name.replace("_", "-") for m in pkgutil.iter_modules(room.__path__) if m.name not in _SUPPORT]


@click.group(
    cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="kb")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Keep cited figures with their sources, and know whether they still hold.

    \b
    Alone, kb says where you are and what to do next.
    Start:   kb init, then kb add, then kb check
    Try it:  kb demo
    """
    if ctx.invoked_subcommand is None:
        from kb.cli.start import greet  # start-up time

        greet()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `kb` and leave the process with the exit code of design section 10.

    A crash, Ctrl-C, a termination and a closed pipe never give 1, as 1 means a confirmed change.
    """
    gc.set_threshold(COLLECTED_AFTER, 10, 10)
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run `kb` and return its exit code."""
    previous = signal.signal(signal.SIGTERM, _terminate)
    try:
        if COMPLETE in os.environ:
            cli.main(prog_name="kb", complete_var=COMPLETE)
        # Not `cli.main`: it turns a closed pipe into 1.
        with cli.make_context("kb", list(sys.argv[1:] if arguments is None else arguments)) as context:
            code = cli.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.exceptions.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return 2 if isinstance(error, click.UsageError) else 4
    except (KeyboardInterrupt, EOFError):
        click.echo("kb: interrupted; everything up to here is kept", err=True)
        return INTERRUPTED
    except _TerminatedError:
        click.echo("kb: terminated; everything up to here is kept", err=True)
        return TERMINATED
    except KbError as error:
        click.echo(str(error) if getattr(error, "problems", ()) else f"kb: {error}", err=True)
        return error.exit_code
    except BrokenPipeError:
        # The reader has gone: leave quietly, and keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        click.echo(f"kb: {error.strerror or error}{where}; {_remedy(error)}", err=True)
        return 4
    except Exception as error:  # noqa: BLE001 - told with its type and place, exit 70
        return _fault(error)
    finally:
        signal.signal(signal.SIGTERM, previous)


def _remedy(error: OSError) -> str:
    """What to do about an error of the machine that nothing closer to it has told of."""
    import errno  # start-up time

    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "free some space, and run it again"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "let your user read and write it, or name another place"
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EISDIR):
        return "see that the path is the one that you mean"
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return "allow more open files (ulimit -n), and run it again"
    return "see to it, and run it again"


class _TerminatedError(BaseException):
    """SIGTERM came; not an Exception, so that nothing on the way takes it for a fault of its own."""


def _terminate(signum: int, frame: object) -> None:
    raise _TerminatedError


def _fault(error: Exception) -> int:
    if os.environ.get("KB_TRACEBACK"):
        import traceback  # start-up time

        traceback.print_exception(error)
    else:
        import traceback  # start-up time

        last = traceback.extract_tb(error.__traceback__)[-1:]
        where = f" ({last[0].filename.rpartition('/')[2]}:{last[0].lineno})" if last else ""
        click.echo(
            f"kb: a fault in kb itself: {type(error).__name__}: {error}{where}\n"
            "Set KB_TRACEBACK=1, run the command again, and report what it prints together with "
            f"`kb --version` ({__version__}).",
            err=True,
        )
    return INTERNAL
