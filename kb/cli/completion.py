"""`kb completion`: what a shell reads to complete kb's commands, options, ids and tags."""

from __future__ import annotations

import click

_SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
def command(shell: str) -> None:
    """Print the completion script for a shell.

    \b
    bash   put into ~/.bashrc:   eval "$(kb completion bash)"
    zsh    put into ~/.zshrc:    eval "$(kb completion zsh)"
    fish   run once:             kb completion fish > ~/.config/fish/completions/kb.fish

    Commands, options, files, ids of claims and sources, and tags are completed;
    ids and tags are those of the knowledge base in this folder, or of --kb DIR.
    """
    from click.shell_completion import get_completion_class  # start-up time

    from kb.cli.main import COMPLETE, cli

    kind = get_completion_class(shell)
    if kind is None:  # click knows all three
        raise click.UsageError(f"click has no completion for {shell}; take one of {', '.join(_SHELLS)}")
    click.echo(kind(cli, {}, "kb", COMPLETE).source())
