"""Format a plan as text: a patch for `git apply`, suggestions for a review, and the skipped edits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tutorial_tool.core.diagnostics import Finding, Fix, Severity, format_count, join_names
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import Edit, Source
from tutorial_tool.fs import files, git
from tutorial_tool.sync.plan import FilePlan, SyncPlan, build_edit

RULE = "sync"  # The rule name of suggestions in a review


def render_patch(plan: SyncPlan, top: Path) -> str:
    """Return the patch of all files, with paths relative to `top`."""
    return "".join(
        git.write_patch(f"a/{name}", f"b/{name}", file.source.raw, file.source.apply(file.edits))
        for name, file in sorted((files.format_path(path, top), file) for path, file in plan.files.items())
    )


def build_findings(plan: SyncPlan, start: Path) -> Iterator[Finding]:
    """Yield a finding for each change, with the change as its fix."""
    for path, file in sorted(plan.files.items()):
        yield from _build_file_findings(file, files.format_path(path, start), start)


def _build_file_findings(file: FilePlan, path: str, start: Path) -> Iterator[Finding]:
    source = Source(path, file.source.raw)
    for change, origin in file.carried:
        edit: Edit = build_edit(source, change)
        where = f"{files.format_path(origin, start)}:{change.line + 1}"
        message = f"the same edit as in `{where}` fits here"
        yield Finding(RULE, Severity.HINT, message, edit.span, fix=Fix(f"Take over the edit of {where}", (edit,)))


def format_summary(plan: SyncPlan, start: Path, done: str = "to carry over") -> Iterator[str]:
    """Yield a summary: how many edits apply to how many files, and which are skipped, with reasons."""
    counts = [len(file.carried) for file in plan.files.values() if file.carried]
    if counts:
        yield f"{format_count(sum(counts), 'edit')} {done}, in {format_count(len(counts), 'file')}"
    elif plan.pages:
        yield "nothing to carry over"
    if plan.skipped:
        yield f"{format_count(len(plan.skipped), 'edit')} skipped:"
        yield from _format_reasons(plan, start)


def _format_reasons(plan: SyncPlan, start: Path) -> Iterator[str]:
    """Yield a line for each skipped edit and reason, with the siblings concerned."""
    groups = group_by(sorted(plan.skipped), lambda item: (item.path, item.line, item.reason))
    for (path, line, reason), skipped in groups.items():
        names = join_names([*dict.fromkeys(files.format_path(item.sibling, start) for item in skipped)], limit=3)
        yield f"  {files.format_path(path, start)}:{line} -> {names}: {reason}"
