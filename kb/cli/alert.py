"""`kb alert`: tell people of confirmed changes, each once."""

from __future__ import annotations

from pathlib import Path

import click

from kb.cli.options import db_option, json_option, kb_option, quiet_option


@click.command()
@kb_option
@db_option
@click.option("--dry-run", is_flag=True, help="Show what would be sent, and send nothing.")
@json_option
@quiet_option
@click.pass_context
def command(
    ctx: click.Context, root: Path, db: Path | None, dry_run: bool, as_json: bool, quiet: bool
) -> None:
    """Tell people of confirmed changes, each once.

    kb check does so by itself where kb.toml has [alerts]. This sends what is still to be
    told, without checking anything; --dry-run shows it.

    Exit codes: 0 all is told; 4 something could not be delivered, and is tried again next time.
    """
    from kb.app.alert import alert
    from kb.app.base import KnowledgeBase
    from kb.app.build import claims_of
    from kb.cli.output import print_json
    from kb.errors import UsageError

    kb = KnowledgeBase.open(root, db)
    if not kb.settings.alerts:
        raise UsageError("kb.toml names nobody to tell; fill in its [alerts]")
    done = alert(kb, whole=not claims_of(kb, keep_going=True)[1], dry_run=dry_run)
    if as_json:
        print_json(
            [
                {
                    "channel": d.channel,
                    "ok": d.ok,
                    "detail": d.detail,
                    "title": d.message.title,
                    "text": d.message.text,
                    "tells": [t.to_json() for t in d.message.tells],
                }
                for d in done
            ]
        )
    else:
        for one in done:
            state = {True: "sent", False: "not delivered", None: "would be sent"}[one.ok]
            why = f" ({one.detail})" if one.detail else ""
            click.echo(f"{state} to {one.channel}: {one.message.title}{why}")
            if dry_run:
                click.echo("".join(f"  {line}".rstrip() + "\n" for line in one.message.text.splitlines()))
        if not done and not quiet:
            click.echo("nothing to tell")
    ctx.exit(4 if any(d.ok is False for d in done) else 0)
