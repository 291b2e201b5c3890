"""What all commands share: the group, options, and how a command ends."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NoReturn

import click

from tutorial_tool.finding import Error

INTERRUPTED = 130
"""The exit code after Ctrl+C, as shells have it."""
TRACEBACK = "TUTORIAL_TOOL_TRACEBACK"
"""The environment variable that shows the traceback of an internal error."""

PROJECT = click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The folder of platforms.yaml. Default: this folder.",
)


class Commands(click.Group):
    """Commands that end with a line and a code, whatever happens. Each is a module, imported when it is called."""

    def __init__(self, *args: Any, modules: Iterable[str] = (), **how: Any) -> None:
        super().__init__(*args, **how)
        self.modules = tuple(modules)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.modules:
            return None
        command = import_module(f"{__package__}.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except (click.exceptions.Exit, click.Abort, click.ClickException, BrokenPipeError):
            raise
        except Exception as error:
            if os.environ.get(TRACEBACK):
                raise
            click.echo(_internal(error), err=True)
            sys.exit(2)


def _internal(error: Exception) -> str:
    """One line on a mistake of ours."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {error}".replace("\n", " ").rstrip(": ")
    place = f"{Path(last.filename).name}:{last.lineno}"
    return (
        f"tutorial-tool: internal error: {what} ({place}). "
        f"Please report it where you got tutorial-tool, with what {TRACEBACK}=1 prints."
    )


def colored(stream: IO[str]) -> bool:
    """Whether colours should be used: on a terminal, unless NO_COLOR is set; anywhere, if FORCE_COLOR is."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def stop(error: Error) -> NoReturn:
    """Print what stops the work, and end with exit code 2."""
    for finding in error.findings:
        click.echo(str(finding), err=True)
    sys.exit(2)


def complain(problem: Exception) -> None:
    """What keeps a run from its end. The names in it may hold anything, and do not act on a terminal."""
    from tutorial_tool.report.visible import visible

    for line in f"tutorial-tool: {problem}".splitlines():
        click.echo(visible(line), err=True)
