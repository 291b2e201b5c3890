"""What all commands share: the group, options, and how a command ends."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

import click

from tutorial_tool.core.diagnostics import InvalidInput, did_you_mean

if TYPE_CHECKING:
    from tutorial_tool.site import Layout, Site

INTERRUPTED = 130  # The exit code after Ctrl+C, as shells have it
TRACEBACK = "TUTORIAL_TOOL_TRACEBACK"  # The environment variable that shows the traceback of an internal error

PROJECT = click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The folder of platforms.yaml. Default: this folder or a parent.",
)
CONFIG = click.option(
    "--config",
    "config_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The configuration file. Default: the nearest one.",
)


def layout_of(project: Path) -> Layout:
    """The project that a command is about: in the named folder, else in this one or above. Ends where it is unclear."""
    from tutorial_tool.config import settings
    from tutorial_tool.linter import targets

    try:
        return targets.project(project.resolve(), is_named=project != Path())
    except settings.ConfigError as problem:
        fail(problem)


_ARGUMENTS = "tutorial_tool.templating.call_arguments"  # Where the context keeps the command line as it was typed


def _limited(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """Starts the same command again, with limits, and ends with it."""
    from tutorial_tool.fs import limited_process

    if not wanted or limited_process.limited():
        return
    main = "from tutorial_tool.cli import main\nmain(prog_name='tutorial-tool')\n"
    try:
        code = limited_process.run(main, ctx.find_root().meta[_ARGUMENTS])
    except limited_process.LimitedProcessError as ended:
        complain(ended)
        code = 2
    ctx.exit(code)


UNTRUSTED = click.option(
    "--untrusted",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_limited,
    help="Limit time and memory, for files that nobody has reviewed.",
)


_ELSEWHERE = {
    "serve": "; MkDocs has it: `mkdocs serve`",
    "build": "; MkDocs has it: `mkdocs build --strict`",
    "check": "; did you mean 'lint'?",
    "fix": "; did you mean 'lint --fix'?",
    "new": "; did you mean 'init', or 'new-step'?",
}
"""What other tools call a command, and what it is here."""


class Commands(click.Group):
    """Commands that end with a line and a code, whatever happens. Each is a module, imported when it is called."""

    def __init__(self, *args: Any, modules: Iterable[str] = (), **how: Any) -> None:
        super().__init__(*args, **how)
        self.modules = tuple(modules)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.modules:
            return None
        command = import_module(f"{__package__}.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, each with its whole first sentence."""
        commands = {name: self.get_command(ctx, name) for name in self.modules}
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, command.get_short_help_str(200)) for name, command in commands.items() if command]
            )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.modules and not name.startswith("-"):
            hint = _ELSEWHERE.get(name) or did_you_mean(name, self.modules) or f"; use one of {', '.join(self.modules)}"
            raise click.UsageError(f"unknown command '{name}'{hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        gc.set_threshold(50_000, 20, 100)  # loading and linting make many objects and little garbage: a sixth of a run
        gc.enable()
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except (click.exceptions.Exit, click.Abort, click.ClickException, BrokenPipeError):
            raise
        except Exception as error:
            if os.environ.get(TRACEBACK) or _lacks_package(error):
                raise
            fail(error) if isinstance(error, OSError) and error.filename else click.echo(_internal(error), err=True)
            sys.exit(2)


def _lacks_package(error: Exception) -> bool:
    """Whether a package of others is not installed, which the program says as it ends."""
    return isinstance(error, ModuleNotFoundError) and str(error.name).partition(".")[0] != "tutorial_tool"


def _internal(error: Exception) -> str:
    """One line on a mistake of ours."""
    import traceback

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


def stop(error: InvalidInput) -> NoReturn:
    """Print what stops the work, and end with exit code 2."""
    for finding in error.findings:
        click.echo(str(finding), err=True)
    sys.exit(2)


def fail(*problems: Exception | str) -> NoReturn:
    """Print what keeps the command from its end, and end with exit code 2."""
    for problem in problems:
        if isinstance(problem, BrokenPipeError):  # whoever reads what is printed has read enough
            raise problem
        complain(problem)
    sys.exit(2)


def complain(problem: Exception | str) -> None:
    """What keeps a run from its end. The names in it may hold anything, and do not act on a terminal."""
    from tutorial_tool.fs.files import describe_os_error
    from tutorial_tool.reporters.visible import visible

    text = describe_os_error(problem) if isinstance(problem, OSError) else str(problem)
    for line in text.splitlines() or [type(problem).__name__]:
        click.echo(f"tutorial-tool: {visible(line)}", err=True)


DRY_RUN = click.option("--dry-run", is_flag=True, help="Print the files, without writing.")


def write_scaffold(layout: Layout, make: Callable[[Site], Mapping[str, bytes]], *, dry: bool) -> None:
    """Write the files that `make` gives of a project, all or none, and print their paths. Ends where it cannot."""
    from tutorial_tool import site
    from tutorial_tool.core.errors import TutorialToolError
    from tutorial_tool.fs import files

    files.sweep([layout.root])
    read = site.load(layout, drafts=True)
    if read.errors:
        stop(InvalidInput(read.errors))
    try:
        made = make(read)
        after = site.load(layout, {path: text.decode() for path, text in made.items()}, drafts=True)
        if after.errors:
            stop(InvalidInput(after.errors))
        if not dry:
            changed = {layout.root / path: text for path, text in made.items()}
            new_first = sorted(changed, key=Path.exists)  # killed before the data names them, it can be run again
            files.write_all({path: changed[path] for path in new_first}, root=layout.root)
    except TutorialToolError as problem:
        fail(problem)
    for path in sorted(made):
        click.echo(f"{'Would write' if dry else 'Wrote'} {path}")
