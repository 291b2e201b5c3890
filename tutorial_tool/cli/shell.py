"""Shared parts of all commands: the group, options, and how a command ends."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

import click

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import InvalidInput, format_suggestion
from tutorial_tool.core.errors import TutorialToolError, describe_error, is_internal

if TYPE_CHECKING:
    from tutorial_tool.site import Layout, Site

INTERRUPTED = 128 + signal.SIGINT  # The exit code after Ctrl+C, as in shells

FILE = click.Path(dir_okay=False, path_type=Path)  # A file that need not exist yet

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
    help="The configuration file, with paths and globs relative to the current folder. Default: the nearest one.",
)


def find_layout(project: Path) -> Layout:
    """Find the project of a command: in the named folder, or this one or above. Fails if there is none, or several."""
    from tutorial_tool.linter import targets

    layout = targets.find_layout(project.resolve(), is_named=project != Path())
    data = layout.root / layout.data
    if not data.exists() and not data.with_suffix(".yml").exists():  # loading says how to rename this one
        here = f"there is no {layout.data} in `{project.resolve()}`"
        fail(f"{here}; name its folder by --project, or write one with `tutorial-tool init DIR`")
    click.get_current_context().meta[_ROOT] = layout.root  # findings in `InvalidInput` are relative to it
    return layout


_ROOT = "tutorial_tool.root"  # The root of paths in `InvalidInput` findings, if not the working folder
_ARGUMENTS = "tutorial_tool.templating.call_arguments"  # The context key of the command line as typed


def _restart_with_limits(ctx: click.Context, _parameter: click.Parameter, expected: bool) -> None:
    """Run the same command again in a limited process, and exit with its code."""
    from tutorial_tool.fs import limited_process

    if expected and not limited_process.is_limited():
        main = "from tutorial_tool.cli import main\nmain(prog_name='tutorial-tool')\n"
        ctx.exit(limited_process.run(main, ctx.find_root().meta[_ARGUMENTS]))


UNTRUSTED = click.option(
    "--untrusted",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_restart_with_limits,
    help="Limit time and memory, for files that nobody has reviewed.",
)


_ELSEWHERE = {
    "build": "; MkDocs has it: `mkdocs build --strict`",
    "check": "; did you mean `lint`?",
    "fix": "; did you mean `lint --fix`?",
    "help": "; did you mean `--help`?",
    "new": "; did you mean `init`, or `new-step`?",
    "version": "; did you mean `--version`?",
}
"""Commands of other tools, and their equivalents here."""


class Commands(click.Group):
    """The command group, whose commands always end with a message and an exit code.

    Each command is a module, imported when it is called.
    """

    def __init__(self, *args: Any, modules: Iterable[str] = (), **how: Any) -> None:
        super().__init__(*args, **how)
        self.modules = tuple(modules)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_ARGUMENTS] = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.exceptions.NoArgsIsHelpError:  # its message is the help
            raise
        except click.UsageError as error:
            raise click.UsageError(_format_usage_error(error), ctx) from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.modules:
            return None
        command = import_module(f"{__package__}.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, each with its whole first sentence."""
        commands = ((name, self.get_command(ctx, name)) for name in self.modules)
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.get_short_help_str(200)) for name, command in commands if command])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.modules and not name.startswith("-"):
            hint = _ELSEWHERE.get(name) or format_suggestion(name, self.modules)
            hint = hint or f"; use one of {', '.join(self.modules)}"
            raise click.UsageError(f"unknown command `{name}`{hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        gc.set_threshold(50_000, 20, 100)  # loading and linting make many objects and little garbage: a sixth of a run
        gc.enable()
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
        except click.UsageError as error:
            raise click.UsageError(_format_usage_error(error), error.ctx) from error
        except (click.exceptions.Exit, click.Abort, click.ClickException, BrokenPipeError):
            raise
        except TutorialToolError as problem:
            fail(problem)
        except MemoryError:
            fail("there is not enough memory for this")
        except Exception as error:
            if not is_internal(error):
                raise
            message = f"tutorial-tool: internal error: {describe_error(error)}"
            fail(error) if isinstance(error, OSError) else click.echo(message, err=True)
            sys.exit(2)


def _format_usage_error(error: click.UsageError) -> str:
    """Return Click's message as this tool would write it: with names in backticks, and a similar path."""
    message = re.sub(r"\B'(.+?)'\B|(?<=argument )\((.+)\)$", r"`\1\2`", error.format_message())
    wrong_path = r"Invalid value for `\[?PATHS?\]?[.]*`: Path `(.+)` (does not exist|is not readable)\."
    match = re.fullmatch(wrong_path, message)
    if match is None:
        return message
    if match[2] == "is not readable":
        return f"`{match[1]}` cannot be read: its permissions forbid it"
    if Path(match[1]).is_symlink():
        return f"the symbolic link `{match[1]}` has no target"
    siblings = map(str, Path(match[1]).parent.glob("*"))
    hint = "; for standard input, use --stdin-filename" if match[1] == "-" else format_suggestion(match[1], siblings)
    return f"there is no file or folder `{match[1]}`{hint}"


_PLACE = lazy_re.compile(r"(.+?):([0-9]+)(?::[0-9]+)?")


def parse_place(text: str) -> tuple[str, int]:
    """Return the path and line of FILE:LINE or FILE:LINE:COLUMN, otherwise the text and 0. Fails if there is none."""
    match = None if Path(text).exists() else _PLACE.fullmatch(text)
    if match is None or not Path(match[1]).is_file():
        return text, 0
    line, count = int(match[2]), Path(match[1]).read_bytes().count(b"\n") + 1
    if not 1 <= line <= count:
        fail(f"`{match[1]}` has {count} lines, not {line}")
    return match[1], line


def uses_color(stream: IO[str]) -> bool:
    """Return whether to use color: on a terminal without NO_COLOR; anywhere with FORCE_COLOR."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def fail(*problems: Exception | str) -> NoReturn:
    """Print why the command can't continue, and exit with code 2."""
    for problem in problems:
        print_error(problem)
    sys.exit(2)


def print_error(problem: Exception | str) -> None:
    """Print why a command can't continue: findings unchanged, other problems after the program's name.

    Invisible characters are escaped, so that none in a name controls the terminal.
    """
    from tutorial_tool.fs.files import describe_os_error
    from tutorial_tool.reporters.safe_text import make_visible

    text = describe_os_error(problem) if isinstance(problem, OSError) else str(problem)
    before = "tutorial-tool: "
    if isinstance(problem, InvalidInput):
        before = relocate_path(click.get_current_context().meta.get(_ROOT, Path()), "")
    for line in text.splitlines() or [type(problem).__name__]:
        click.echo(f"{before}{make_visible(line)}", err=True)


def print_first_error(site: Site, consequence: str) -> None:
    """Print the first error of a site that is shown nevertheless, and what follows from it."""
    for problem in map(str, site.errors[:1]):
        click.echo(f"{relocate_path(site.layout.root, problem)}\n{consequence}", err=True)


def reject_combinations(*combinations: tuple[str, object, str, object]) -> None:
    """Reject options that contradict each other.

    Raises: click.UsageError for the first such combination.
    """
    for option, is_given, others, are_given in combinations:
        if is_given and are_given:
            raise click.UsageError(f"{option} cannot be combined with {others}")


def write_file(file: Path, text: str) -> None:
    """Write a file named on the command line."""
    from tutorial_tool.fs import files

    files.write(file, text.encode("utf-8", "replace"), root=file.absolute().parent)


def relocate_path(root: Path, line: str) -> str:
    """Return a line that starts with a path below `root`, with the path relative to the working folder."""
    from tutorial_tool.fs import files

    folder = files.format_path(root, Path())
    return line if folder == "." else f"{folder}/{line}"


DRY_RUN = click.option("--dry-run", is_flag=True, help="Print the files, without writing.")


def write_scaffold(layout: Layout, make: Callable[[Site], Mapping[str, bytes]], *, dry: bool) -> None:
    """Write the files that `make` returns for a project, all or none, and print their paths."""
    from tutorial_tool.fs import files
    from tutorial_tool.site import loading

    files.remove_temporary_files([layout.root])
    made = make(loading.load(layout, drafts=True).require_valid())
    loading.load(layout, {path: text.decode() for path, text in made.items()}, drafts=True).require_valid()
    new = [path for path in made if not (layout.root / path).exists()]
    if not dry:  # new files first: if killed before the data names them, the command can be run again
        files.write_all({layout.root / path: made[path] for path in (*new, *made)}, root=layout.root)
    for path in sorted(made):
        done = ("Would write", "Wrote") if path in new else ("Would change", "Changed")
        click.echo(f"{done[not dry]} {relocate_path(layout.root, path)}")
