"""`kb demo`: all of kb on a small site that changes."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--no-serve", is_flag=True, help="Stop before the site is served.")
@click.option(
    "--keep",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Make DIR the knowledge base, and leave it there.",
)
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(0, 65535),
    default=0,
    help="Serve there. [default: a free port]",
)
@click.pass_context
def command(ctx: click.Context, no_serve: bool, keep: Path | None, port: int) -> None:
    """Show all of kb on a small site that changes from day to day.

    Checks its claims on days 1, 8, 9 and 15, prints the drift report, and serves the result.
    Exit code 0 where everything went as told.
    """
    import tempfile

    from kb.demo.tour import now, tour
    from kb.errors import UsageError

    if keep is not None and keep.exists() and any(keep.iterdir()):
        raise UsageError(f"{keep} is not empty; name a new folder")
    with tempfile.TemporaryDirectory(prefix="kb-demo-") as scratch:
        folder = keep or Path(scratch)
        wrong = tour(folder, click.echo, now())
        for line in wrong:
            click.echo(f"not as told: {line}", err=True)
        if not wrong and not no_serve:
            from kb.publish.serve import serve

            def ready(address: str) -> None:
                click.echo("")
                click.echo(f"Browse it at {address} (Ctrl-C ends it)")

            serve(folder / "kb.db", "127.0.0.1", port, ready=ready)
    ctx.exit(70 if wrong else 0)
