"""`tutorial-tool rename`: another name for a label, value, table and so on, wherever it is written."""

from __future__ import annotations

from pathlib import Path

import click

from tutorial_tool.cli import names
from tutorial_tool.cli.shell import DRY_RUN, PROJECT, counted, fail, layout_of

KINDS = ("group", "label", "value", "feature", "code", "table", "column", "row", "macro")


@click.command("rename")
@click.argument("name", shell_complete=names.NAME)
@click.argument("new")
@click.option("--kind", type=click.Choice(KINDS), help=f"One of: {', '.join(KINDS)}.")
@DRY_RUN
@PROJECT
def command(name: str, new: str, kind: str | None, dry_run: bool, project: Path) -> None:
    """Rename NAME to NEW in data and templates; every page stays as it is.

    NAME is written as for `where`. All files are written, or none; a run that was killed is finished by the next one,
    which does nothing else. Ids of platforms, tutorials, and steps are part of URLs and file names, and are not
    renamed. Exits with 0, or with 2 if nothing was written.

    \b
    Examples:
      tutorial-tool rename platform.values.sdk package
      tutorial-tool rename connection-settings settings --kind table --dry-run
    """
    from tutorial_tool.config.settings import Config
    from tutorial_tool.linter.targets import Target
    from tutorial_tool.lsp import rename
    from tutorial_tool.lsp.workspace import Checked
    from tutorial_tool.scaffold import data_edits, unfinished
    from tutorial_tool.site.symbols.matching import hint, matching
    from tutorial_tool.site.symbols.names import Kind

    layout = layout_of(project)
    if not dry_run and (finished := unfinished.finish(layout)):
        click.echo(f"Finished a rename that was interrupted, in {', '.join(finished)}")
        return
    target = Target(layout.root, Config(layout.root), (), layout)
    checked = Checked(target, target.load().require(), (), {})
    known = checked.uses.names
    result = matching(name, known, [Kind(kind)] if kind else ())
    if not result:
        fail(f"unknown name '{name}'{hint(name, known)}")
    if len(result) > 1:
        fail(f"several things are called '{name}': {', '.join(map(str, result))}; say which, or use --kind")
    edits = rename.edits_of(checked, result[0], new)
    made = data_edits.apply_edits(edits)
    if not dry_run:
        unfinished.write_all(made, layout)
    for path in sorted(made):
        places = counted(sum(edit.span.path == path for edit in edits), "place")
        click.echo(f"{'Would change' if dry_run else 'Changed'} {places} in {path}")
