"""`tutorial-tool completion`: prints the completion script of a shell."""

from __future__ import annotations

import click

PROGRAM = "tutorial-tool"
VARIABLE = "_TUTORIAL_TOOL_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that completes commands, options, rules, platforms, and steps in SHELL.

    Write it to a file that the shell reads when it starts. This doesn't slow down new shells: tutorial-tool runs only
    when you press Tab. Bash must be 4.4 or newer.

    \b
    Examples:
      tutorial-tool completion bash > ~/.local/share/bash-completion/completions/tutorial-tool
      tutorial-tool completion zsh > ~/.zfunc/_tutorial-tool
      tutorial-tool completion fish > ~/.config/fish/completions/tutorial-tool.fish
    """
    from click.shell_completion import get_completion_class

    completion_class = get_completion_class(shell)
    assert completion_class is not None
    made = completion_class(click.Command(PROGRAM), {}, PROGRAM, VARIABLE)
    text = made.source_template % made.source_vars()  # not source(), which would start bash to ask for its version
    # Fish cuts names at the first comma, and our names are comma-separated lists.
    click.echo(text.replace('string split "," $completion', 'string split --max 1 "," $completion'))
