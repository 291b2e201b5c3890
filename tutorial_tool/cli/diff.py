"""`tutorial-tool diff`: shows what changes for readers between two revisions."""

from __future__ import annotations

import posixpath
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tutorial_tool.cli import names
from tutorial_tool.cli.shell import FILE, UNTRUSTED, print_error, uses_color, write_file

if TYPE_CHECKING:
    from tutorial_tool.diff import Difference


@click.command("diff")
@click.argument("revision", metavar="[REV]", required=False)
@click.option(
    "--step",
    "steps",
    metavar="STEP",
    multiple=True,
    shell_complete=names.STEP,
    help="Only this step. May be given again.",
)
@click.option(
    "--platform", "platforms", metavar="ID", multiple=True, shell_complete=names.PLATFORM, help="Only this platform."
)
@click.option("--paths", metavar="PATH", multiple=True, help="Only changes to pages or sources below this path.")
@click.option(
    "--output-format", "output", type=click.Choice(["text", "markdown", "json"]), default="text", help="The format."
)
@click.option("--output-file", metavar="FILE", type=FILE, help="Write to this file.")
@click.option("--html", metavar="FILE", type=FILE, help="Write an HTML page with both sides.")
@click.option("--exit-code", is_flag=True, help="Exit with code 1 if something changed.")
@UNTRUSTED
def command(
    revision: str | None,
    steps: tuple[str, ...],
    platforms: tuple[str, ...],
    paths: tuple[str, ...],
    output: str,
    output_file: Path | None,
    html: Path | None,
    exit_code: bool,
) -> None:
    """Render two revisions, and show what readers see change.

    REV is compared with the files as they are now; REV..REV are compared with each other, and REV...REV starts at their
    common ancestor. The default is the commit where this branch left the main one, otherwise the last commit. A change
    that several platforms share is listed once.

    Exits with 0, changed or not, and with 2 if it could not run, or if the current pages cannot be rendered.

    \b
    Examples:
      tutorial-tool diff
      tutorial-tool diff HEAD~1 --step create-input
      tutorial-tool diff origin/main...HEAD --output-format markdown --output-file comment.md
      tutorial-tool diff v1.2..v1.3 --html changes.html
      tutorial-tool diff main --exit-code
    """
    from tutorial_tool.diff import rendered_pages

    start = Path.cwd()
    old, new = _parse_revision(start, revision)
    below = tuple(map(posixpath.normpath, paths))
    difference = rendered_pages.compare_revisions(start, old, new, rendered_pages.Selection(steps, platforms, below))
    _check_names(difference, steps, platforms)
    _check_paths(difference, below)
    if html is not None:
        from tutorial_tool.diff import page

        write_file(html, page.render(difference))
    _print_difference(difference, output, output_file, html)
    if not difference.is_whole:
        if output_file is not None or html is not None:  # with the output in a file, the terminal still needs a message
            print_error(rendered_pages.NothingRendered("\n".join(difference.problems)))
        sys.exit(2)
    sys.exit(1 if exit_code and difference.changed_steps else 0)


def _parse_revision(start: Path, given: str | None) -> tuple[str, str | None]:
    """Return the old and the new revision, None for the current files."""
    from tutorial_tool.fs import worktrees

    if given is None:
        return _find_base_revision(start), None
    between = worktrees.split_range(given)
    if between is None:
        return given, None
    old, new, parted = between[0] or "HEAD", between[1] or "HEAD", between[2]
    return (worktrees.find_merge_base(start, old, new).id[:12] if parted else old), new


def _find_base_revision(start: Path) -> str:
    """Return the revision where this branch left the main one; on the main one itself, the last commit."""
    from tutorial_tool.fs import worktrees

    head, main = worktrees.find_commit(start, "HEAD"), worktrees.find_main_branch(start)
    try:
        base = worktrees.find_merge_base(start, main) if main else head
    except worktrees.UnknownRevision:  # a shallow clone, or a branch without ancestors
        return "HEAD"
    return "HEAD" if base.id == head.id else base.id[:12]


def _check_names(difference: Difference, steps: tuple[str, ...], platforms: tuple[str, ...]) -> None:
    """Check the requested names: an empty answer would look like no change.

    Raises: UsageError if one is unknown.
    """
    from tutorial_tool.core.diagnostics import find_nearest, suggest_name

    for what, requested in (("step", steps), ("platform", platforms)):
        names = sorted(difference.known.get(what, ()))
        unknown = [name for name in requested if not any(text == name or text.endswith(f"/{name}") for text in names)]
        if requested and not difference.pages and (unknown or what == "platform" or not platforms):
            near = [value for name in unknown if (value := find_nearest(name, names))]
            intended = suggest_name(", ".join(near))
            raise click.UsageError(f"no page of {what} `{', '.join(requested)}` on either side{intended}")


def _check_paths(difference: Difference, paths: tuple[str, ...]) -> None:
    """Check the requested paths, if nothing changed below them.

    Raises: UsageError if one is unknown.
    """
    from tutorial_tool.linter.targets import is_below

    missing = [path for path in paths if not Path(path).exists()]
    for path in () if difference.changed_steps else missing:
        if not any(is_below(page, path) for page in difference.known["path"]):
            raise click.UsageError(f"`{path}` is no page, file, or folder on either side")


def _print_difference(difference: Difference, output: str, file: Path | None, html: Path | None) -> None:
    text = _render_difference(difference, output, file)
    if file is not None:
        write_file(file, text)
    elif html is None or output != "text":
        click.echo(text, nl=False, color=uses_color(sys.stdout))
    else:
        from tutorial_tool.diff.descriptions import summarize

        click.echo(f"{summarize(difference)} See {html}")


def _render_difference(difference: Difference, output: str, file: Path | None) -> str:
    if output == "json":
        from tutorial_tool.diff import as_json

        return as_json.render(difference)
    if output == "markdown":
        from tutorial_tool.diff import markdown

        return markdown.render(difference)
    import shutil

    from tutorial_tool.diff import terminal

    columns = shutil.get_terminal_size((100, 24)).columns
    return terminal.render(difference, terminal.TerminalStyle(columns, file is None and uses_color(sys.stdout)))
