"""`tutorial-tool compare`: shows the variants of a step side by side."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tutorial_tool.cli import names as completed
from tutorial_tool.cli.shell import FILE, UNTRUSTED, print_error, uses_color, write_file
from tutorial_tool.core.diagnostics import format_count

if TYPE_CHECKING:
    from tutorial_tool.compare.selection import FoundStep


@click.command("compare")
@click.argument("names", metavar="[STEP] [PATHS]...", nargs=-1, shell_complete=completed.STEP_OR_PATH)
@click.option(
    "--platforms",
    metavar="NAMES",
    shell_complete=completed.PLATFORMS,
    help="Compare only these variants: ids or names, separated by commas.",
)
@click.option("--only-differences", is_flag=True, help="Hide identical parts.")
@UNTRUSTED
@click.option("--html", metavar="FILE", type=FILE, help="Write an HTML page with all steps, or with the named one.")
def command(names: tuple[str, ...], platforms: str | None, only_differences: bool, html: Path | None) -> None:
    """Show the variants of a step side by side, and mark what differs.

    STEP is an id, or the paths of its copies. If several steps have the id, add the tutorial or folder
    (quickstart/create-input). PATHS are folders to search. Without a name, the steps are listed.

    The percentage is the share of a variant's text that the others have, too, on average. Platform-specific text
    counts as shared; code and images do not count.

    Exits with 0 if the variants agree except for platform-specific text, with 1 if they differ, and with 2 if it could
    not run. A list, or a page written by --html, exits with 0.

    \b
    Examples:
      tutorial-tool compare
      tutorial-tool compare create-input --only-differences
      tutorial-tool compare docs/ios/install.md docs/android/install.md
      tutorial-tool compare --html comparison.html
    """
    from tutorial_tool.compare import selection
    from tutorial_tool.linter.config_lookup import LookupOptions

    result, is_named = selection.select_steps(names, LookupOptions(Path.cwd()))
    if platforms is not None:
        result = selection.filter_by_variants(result, [name.strip() for name in platforms.split(",") if name.strip()])
    if html is not None:
        from tutorial_tool.compare import page

        write_file(html, page.render_page(result))
        click.echo(f"{format_count(len(result), 'step')} in {html}")
    elif is_named:
        sys.exit(_show_step(result[0], only_differences))
    else:
        _list_steps(result)


def _show_step(result: FoundStep, only_differences: bool) -> int:
    import shutil

    from tutorial_tool.compare import rows, terminal

    comparison = rows.compare_variants(result.step)
    columns = shutil.get_terminal_size().columns
    look = terminal.DrawOptions(columns, uses_color(sys.stdout), only_differences, plain=not _can_draw())
    click.echo(terminal.render(comparison, look), nl=False, color=look.color)
    return 1 if comparison.has_differences else 0


def _can_draw() -> bool:
    """Return whether the output encoding has the characters of frames."""
    try:
        "│─⟦⟧—…".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _list_steps(matches: list[FoundStep]) -> None:
    """Print each step with the share of text that each variant has in common with the others."""
    from tutorial_tool.compare import rows, selection, terminal
    from tutorial_tool.core.time_budget import TimeBudgetExceeded
    from tutorial_tool.reporters.safe_text import make_visible, wrap_beside

    names = [*map(make_visible, selection.get_names(matches))]
    longest = max(map(len, names))
    for name, entry in zip(names, matches, strict=True):
        try:
            shares = terminal.format_similarity(rows.compare_variants(entry.step))
            click.echo(wrap_beside(f"{name:<{longest}}  ", shares))
        except TimeBudgetExceeded as error:
            print_error(error)
