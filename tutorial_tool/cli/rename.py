"""`tutorial-tool rename`: renames a label, value, table and so on, wherever it is used."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tutorial_tool.cli import names
from tutorial_tool.cli.shell import DRY_RUN, PROJECT, fail, find_layout, relocate_path
from tutorial_tool.core.diagnostics import format_count

if TYPE_CHECKING:
    from tutorial_tool.lsp.workspace import CheckedTarget
    from tutorial_tool.scaffold import new_id
    from tutorial_tool.site.symbols.names import Name

IDS = ("platform", "tutorial", "step")
KINDS = (*IDS, "group", "label", "value", "feature", "code", "table", "column", "row", "macro")


@click.command("rename")
@click.argument("name", shell_complete=names.NAME)
@click.argument("new")
@click.option("--kind", type=click.Choice(KINDS), metavar="KIND", help=f"One of: {', '.join(KINDS)}.")
@DRY_RUN
@PROJECT
def command(name: str, new: str, kind: str | None, dry_run: bool, project: Path) -> None:
    """Rename NAME to NEW wherever it is used; the text of pages does not change.

    NAME is written as for `where`. All files are written, or none; a run that was killed is finished by the next one,
    which does nothing else. With the id of a platform, step, or tutorial, files and links change, too, and the old
    URLs are redirected in tutorial-tool.toml. Exits with 0, or with 2 if nothing was written.

    \b
    Examples:
      tutorial-tool rename platform.values.sdk package
      tutorial-tool rename connection-settings settings --kind table --dry-run
      tutorial-tool rename create-input add-input --kind step
    """
    from tutorial_tool.config.settings import OWN_FILE, Config
    from tutorial_tool.linter.targets import Target
    from tutorial_tool.lsp.workspace import CheckedTarget
    from tutorial_tool.scaffold import transaction
    from tutorial_tool.site.symbols.matching import find_names, format_hint
    from tutorial_tool.site.symbols.names import SymbolKind

    layout = find_layout(project)
    if not dry_run and (finished := transaction.finish_write(layout)):
        click.echo(f"Finished a change that was interrupted, in {', '.join(finished)}")
        return
    target = Target(layout.root, Config(layout.root), (), layout, drafts=True)
    checked = CheckedTarget(target, target.load().require_valid(), (), {})
    known = checked.symbol_index.names
    result = find_names(name, known, [SymbolKind(kind)] if kind else ())
    if not result:
        fail(f"unknown name `{name}`{format_hint(name, known)}")
    if len(result) > 1:
        fail(f"several things are called `{name}`: {', '.join(map(str, result))}; say which, or use --kind")
    change = _build_change(checked, result[0], new)
    if not dry_run:
        transaction.write_all(change.files, layout)
    relocate = partial(relocate_path, layout.root)
    for old, path in sorted(change.moved.items()):
        click.echo(f"{'Would move' if dry_run else 'Moved'} {relocate(old)} to {relocate(path)}")
    for path in sorted({edit.span.path for edit in change.edits}):
        places = format_count(len({edit.span[1:] for edit in change.edits if edit.span.path == path}), "place")
        click.echo(f"{'Would change' if dry_run else 'Changed'} {places} in {relocate(change.moved.get(path, path))}")
    if change.redirects:
        count = format_count(len(change.redirects), "redirect")
        click.echo(f"{'Would add' if dry_run else 'Added'} {count} to {OWN_FILE}")


def _build_change(checked: CheckedTarget, name: Name, new: str) -> new_id.Change:
    from tutorial_tool.lsp import rename
    from tutorial_tool.scaffold import data_edits, new_id

    if name.kind in IDS:
        return new_id.rename_id(checked.site, checked.symbol_index, name, new, checked.target.load)
    edits = rename.build_edits_for_name(checked, name, new)
    return new_id.Change(dict(data_edits.apply_edits(edits)), edits, {})
