"""`kb schedule`: a cron line, a systemd timer, a CI workflow."""

from __future__ import annotations

from pathlib import Path

import click

from kb.cli.options import kb_option

_EVERY = ("1h", "2h", "3h", "4h", "6h", "8h", "12h", "1d")


@click.command()
@kb_option
@click.option("--cron", "kind", flag_value="cron", help="A line for a crontab.")
@click.option("--systemd", "kind", flag_value="systemd", help="A systemd service and its timer.")
@click.option("--github", "kind", flag_value="github", help="A workflow for GitHub Actions.")
@click.option(
    "--every",
    type=click.Choice(_EVERY),
    default=None,
    help="How often kb looks what is due. [default: 1h; for GitHub 6h]",
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Write the files into DIR, under their own names, in place of standard output.",
)
@click.option(
    "--install",
    metavar="TEXT",
    default="citedrift[alerts]",
    show_default=True,
    help="What the workflow installs with pip.",
)
def command(root: Path, kind: str | None, every: str | None, out: Path | None, install: str) -> None:
    """Print a file that puts kb on a schedule, and says itself what to do with it.

    However often kb runs, it asks a source only when it is due, and a suspected change
    an hour later. A run goes on past faulty claims files, and tells of the others.
    """
    from kb.app import schedule as room
    from kb.app.base import KnowledgeBase
    from kb.errors import UsageError

    if kind is None:
        raise UsageError("say for what: --cron, --systemd or --github")
    kb = KnowledgeBase.open(root)
    wanted = room.Schedule(
        root=kb.root.resolve(),
        command=_this_kb(),
        hours=room.HOURS[every or ("6h" if kind == "github" else "1h")],
        alerts=kb.settings.alerts,
        install=install,
    )
    make = {"cron": room.cron, "systemd": room.systemd, "github": room.github}[kind]
    files = make(wanted)
    if out is None:
        click.echo("\n".join(f.text for f in files), nl=False)
        return
    out.mkdir(parents=True, exist_ok=True)
    for file in files:
        (out / file.name).write_text(file.text, encoding="utf-8")
        click.echo(f"{out / file.name}")


def _this_kb() -> tuple[str, ...]:
    """The words that start this very kb, wherever they are said."""
    import sys  # start-up time

    script = Path(sys.executable).parent / "kb"
    return (str(script),) if script.is_file() else (sys.executable, "-m", "kb")
