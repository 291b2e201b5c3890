"""`tutorial-tool sync`: carries an edit of one variant to its siblings."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tutorial_tool.cli import names as completed
from tutorial_tool.cli.shell import UNTRUSTED, fail, parse_place, reject_combinations

if TYPE_CHECKING:
    from tutorial_tool.sync.lines import PageLine
    from tutorial_tool.sync.plan import SyncPlan


@click.command("sync")
@click.argument("paths", metavar="[PATHS]...", nargs=-1, type=click.Path(path_type=str))
@click.option("--from", "since", metavar="REV", help="Carry over what changed since this revision. Default: HEAD.")
@click.option("--commit", "commit", metavar="REV", help="Carry over what this commit changed.")
@click.option(
    "--to",
    "only",
    metavar="NAMES",
    shell_complete=completed.PLATFORMS,
    help="Change only these variants: ids or names, separated by commas.",
)
@click.option("--diff", is_flag=True, help="Print a patch, without writing. This is the default.")
@click.option("--write", is_flag=True, help="Write the changes to the files.")
@click.option(
    "--output-format",
    "output",
    type=click.Choice(["patch", "rdjsonl"]),
    default="patch",
    help="patch for `git apply`; rdjsonl for suggestions in a review.",
)
@click.option("--exit-code", is_flag=True, help="Exit with code 1 if there is something to carry over.")
@UNTRUSTED
def command(
    paths: tuple[str, ...],
    since: str | None,
    commit: str | None,
    only: str | None,
    diff: bool,
    write: bool,
    output: str,
    exit_code: bool,
) -> None:
    """Carry an edit of one page to its variants on other platforms.

    The other variants get what you changed since the last commit, with names, values, paths, and code replaced as the
    pages differ elsewhere. An edit is skipped if a variant says something else there, or if the text is
    platform-specific; the reason is printed.

    PATHS are files or folders whose edits are carried over. FILE:LINE copies what a page says on that line, changed
    or not, to resolve a difference.

    Exits with 0, or with 1 if --exit-code is set and there is something to carry over; with 2 if it could not run,
    or if --write would change uncommitted lines.

    \b
    Examples:
      tutorial-tool sync
      tutorial-tool sync docs/ios/install.md --write
      tutorial-tool sync --from main --to android,web
      tutorial-tool sync docs/ios/install.md:12 --to android | git apply
    """
    from tutorial_tool.core.diagnostics import format_suggestion, join_names
    from tutorial_tool.sync import patch

    start = Path.cwd()
    reject_combinations(("--from", bool(since), "--commit", bool(commit)), ("--diff", diff, "--write", write))
    plan = _plan_sync(start, paths, since, commit, only)
    if plan.unknown_variant:
        hint = format_suggestion(plan.unknown_variant, plan.known) or f"; use one of {join_names(plan.known)}"
        fail(f"unknown variant `{plan.unknown_variant}`{hint}")
    if write:
        _write_files(plan, start)
    else:
        click.echo(_render_plan(plan, start, output), nl=False)
    for line in patch.format_summary(plan, start, "carried over" if write else "to carry over"):
        click.echo(line, err=True)
    sys.exit(1 if exit_code and plan.has_edits else 0)


def _plan_sync(start: Path, paths: Sequence[str], since: str | None, commit: str | None, only: str | None) -> SyncPlan:
    from tutorial_tool.linter import targets
    from tutorial_tool.linter.config_lookup import LookupOptions
    from tutorial_tool.sync import lines, plan, sources

    places, named = _read_paths(start, paths)
    expected = list(filter(None, map(str.strip, (only or "").split(","))))
    index = targets.find([], LookupOptions(start))
    if places:
        if named or since is not None or commit is not None:
            fail("FILE:LINE copies a line as it is; leave out other paths, `--from`, and `--commit`")
        planned = lines.plan_lines(index, places, expected)
        if missing := next((place.path for place in places if place.path not in planned.pages), None):
            fail(_explain_no_changes(missing, start, changed=True))
        return planned
    since = since or "HEAD"
    change = sources.build_commit_change(start, commit) if commit else sources.build_change_since(start, since)
    planned = plan.plan_edits(index, change, named, expected)
    if alone := next((path for path in named if path.is_file() and path not in planned.pages), None):
        fail(_explain_no_changes(alone, start, changed=alone in change.paths))
    if not planned.pages:
        has_data = any(path.name == "platforms.yaml" for path in change.paths)
        advice = "change values in `platforms.yaml` for each platform yourself; " * has_data
        fail(f"no page with variants changed since {change.old.short}; {advice}to copy a line as it is, name FILE:LINE")
    return planned


def _read_paths(start: Path, paths: Sequence[str]) -> tuple[list[PageLine], list[Path]]:
    """Return the named lines, and the named files and folders. Fails if one does not exist."""
    from tutorial_tool.sync.lines import PageLine

    places, named = [], []
    for path in paths:
        name, line = parse_place(path)
        file = Path(os.path.normpath(start / name))
        if not file.exists():
            fail(f"there is no file or folder `{path}`")
        if line:
            places.append(PageLine(file, line))
        else:
            named.append(file)
    return places, named


def _explain_no_changes(path: Path, start: Path, *, changed: bool) -> str:
    from tutorial_tool.fs import files

    shown = files.format_path(path, start)
    if changed:
        return f"`{shown}` has no variants; `tutorial-tool lint --show-variants` lists the pages that have some"
    return f"`{shown}` has no changes that its variants could get; to copy a line as it is, name `{shown}:LINE`"


def _render_plan(plan: SyncPlan, start: Path, output: str) -> str:
    from tutorial_tool.fs import git
    from tutorial_tool.reporters import rdjsonl
    from tutorial_tool.sync import patch

    if output == "patch":
        return patch.render_patch(plan, git.find_repository(start) or start)
    return rdjsonl.render(list(patch.build_findings(plan, start)))


def _write_files(plan: SyncPlan, start: Path) -> None:
    """Write all files, or none. Fails if the same lines have uncommitted changes."""
    from tutorial_tool.core.diagnostics import format_count
    from tutorial_tool.fs import files, git

    if plan.conflicts:
        item = plan.conflicts[0]
        where = f"`{files.format_path(item.path, start)}:{item.line}`"
        fail(
            f"nothing written: uncommitted changes conflict with {format_count(len(plan.conflicts), 'edit')}, "
            f"as in `{files.format_path(item.sibling, start)}` with {where}; commit or undo one of them first"
        )
    texts = {path: file.source.apply(file.edits).encode() for path, file in plan.files.items() if file.carried}
    files.remove_temporary_files({path.parent for path in plan.files})  # left by a killed run
    files.write_all(texts, root=git.find_repository(start) or start)
