"""`kb add --from FILE`: what came, what is written, what could not be placed, and what to do next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli.output import plain, print_json, wrapped

if TYPE_CHECKING:
    from kb.app.base import KnowledgeBase
    from kb.app.incoming import Change, Incoming

NOTHING = 3


def take_in(kb: KnowledgeBase, path: Path, dry_run: bool, as_json: bool) -> int:
    """Read the file, write the claims files, and say so; the exit code."""
    from kb.app.from_file import read_file
    from kb.app.incoming import changes, write_changes

    incoming = read_file(kb, path)
    changed = changes(kb, incoming)
    if not dry_run:
        write_changes(kb, changed)
    if as_json:
        print_json(_answer(changed, incoming, not dry_run))
    else:
        _show(changed, incoming, dry_run)
    return 0 if changed or incoming.known else NOTHING


def _answer(changed: list[Change], incoming: Incoming, written: bool) -> dict[str, object]:
    return {
        "files": [
            {
                "file": c.file,
                "source": c.source.id,
                "written": written and not c.empty,
                "new": c.new_source,
                "claims": [claim.id for claim in c.claims],
                "stated_already": list(c.same),
                "left_as_they_are": list(c.left),
                "yaml": None if c.empty else c.text,
            }
            for c in changed
        ],
        "stated_already": incoming.known,
        "unplaced": [{"place": u.place, "text": u.text, "why": u.why} for u in incoming.unplaced],
    }


def _show(changed: list[Change], incoming: Incoming, dry_run: bool) -> None:
    for change in changed:
        if dry_run and not change.empty:
            click.echo(f"# {change.file}")
            click.echo(change.text, nl=False)
            continue
        said = [] if change.empty else [_count(len(change.claims), "claim")]
        said += [f"{len(change.same)} stated already"] if change.same else []
        said += [f"left as they are: {', '.join(change.left)}"] if change.left else []
        new = "new source, " if change.new_source else ""
        click.echo(f"{change.file}: {new}{'; '.join(said) or 'nothing new'}")
    for one in incoming.unplaced:
        click.echo(wrapped(plain(f"{one.place}: not placed, {one.why}: “{one.text}”"), ""), err=dry_run)
    click.echo(_ending(changed, incoming, dry_run), err=dry_run)


def _ending(changed: list[Change], incoming: Incoming, dry_run: bool) -> str:
    claims = [claim for c in changed for claim in c.claims]
    proposed = sum(1 for c in claims if c.status == "proposed")
    new = sum(1 for c in changed if c.new_source)
    what = f"{_count(new, 'new source')}, {_count(len(claims), 'new claim')}"
    what += f" ({proposed} proposed)" if proposed else ""
    what += f", {len(incoming.unplaced)} not placed" if incoming.unplaced else ""
    what += f", {incoming.known} figures stated already" if incoming.known else ""
    steps = []
    if any(not c.source.url for c in changed if c.new_source):
        steps.append("give the sources that have none their `url`, and take their `check` away")
    if proposed:
        steps.append("review the claims, and take `status: proposed` away where one is right")
    steps += ["kb lint", "kb check"]
    if dry_run:
        return f"{what}; nothing is written"
    return f"{what}. Next: {', then '.join(steps)}." if changed else f"{what}."


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
