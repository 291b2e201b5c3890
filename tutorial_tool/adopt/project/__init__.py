"""Build a project from copies, or extend one: templates, parts, code, and data, as files to write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tutorial_tool.adopt import data, merge, template
from tutorial_tool.adopt.copies import REFERENCE, CopySet
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.normalize import pictures
from tutorial_tool.adopt.project.additions import Additions
from tutorial_tool.adopt.project.build_spec import BuildSpec
from tutorial_tool.adopt.template import WrittenStep
from tutorial_tool.adopt.template.tables import DataTable
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.time_budget import run_within_limit
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model import DEFAULT_IMAGES


@dataclass
class AdoptedProject:
    """The result of adopting copies: texts of files by their path in the project.

    `merged` are files that already existed, and had `bytes_before` bytes. If any sets are `stopped`, because they take
    too long, there is nothing else.
    """

    files: dict[str, str]
    names: Names
    tables: dict[str, DataTable] = field(default_factory=dict)
    merged: frozenset[str] = frozenset()
    bytes_before: int = 0
    stopped: Mapping[CopySet, str] = field(default_factory=dict)


def build(spec: BuildSpec) -> AdoptedProject:
    """Build the project of the sets. Raises merge.MergeConflict if the existing data cannot be extended."""
    names, timed_out = _learn_names(spec)
    written, stopped = _write_sets(spec, names)
    if any(step.tables for step in written.values()):
        written, stopped = _write_sets(spec, names)  # all values are known now, so tables can refer to them by name
    if stopped or timed_out:
        return AdoptedProject({}, names, stopped=stopped | timed_out)
    names.remove_unused(text for step in written.values() for text in step.files.values())
    tables = {id_: table for step in written.values() for id_, table in step.tables.items()}
    images = _find_image_patterns(spec, written) if spec.computed and spec.replaces_images else {}
    files = _build_files(spec, written, images)
    image_patterns = {copy_set.tutorial: pattern for copy_set, pattern in images.items()}
    root = Additions(spec, names, tables, written, image_patterns).build()
    if spec.base.site is None:
        files[spec.base.layout.data] = REFERENCE.sub(r"\2", data.format_document(root))
        return AdoptedProject(files, names, tables)
    merged = merge.merge_additions(spec.base.sources, root)
    extended = {path: REFERENCE.sub(r"\2", text) for path, text in merged.items()}
    bytes_before = sum(len(source.raw.encode()) for source in spec.base.sources if source.path in extended)
    return AdoptedProject({**files, **extended}, names, tables, frozenset(extended), bytes_before)


def _learn_names(spec: BuildSpec) -> tuple[Names, dict[CopySet, str]]:
    """Return the project's names, with those learned from its copies, and why sets were stopped."""
    existing = spec.base.build_names()
    existing.renames = spec.renames
    columns = {copy_set: spec.columns[copy_set] for copy_set in spec.sets}
    names, timed_out = template.learn_names(existing, columns, spec.display, spec.others)
    return names, timed_out


def _build_files(
    spec: BuildSpec, written: Mapping[CopySet, WrittenStep], images: Mapping[CopySet, str]
) -> dict[str, str]:
    """Build the files of the templates folder, with calls for links and images where possible."""
    files = {}
    for copy_set, step in written.items():
        for path, text in step.files.items():
            content = _insert_links(text, path, spec)
            if copy_set in images and path.endswith((".md", ".md.j2")):
                content = pictures.insert_figure_calls(content, images[copy_set], copy_set.pattern, copy_set.step)
            files[f"{spec.base.layout.templates}/{path}"] = content
    return files


def _write_sets(spec: BuildSpec, names: Names) -> tuple[dict[CopySet, WrittenStep], dict[CopySet, str]]:
    """Write the templates and tables of sets, learning names; return also why sets were stopped."""
    tables = dict(spec.base.tables)

    def write(copy_set: CopySet) -> WrittenStep:
        folder, plain, columns = _get_folder(copy_set, spec), copy_set in spec.plain, spec.columns[copy_set]
        for _ in range(2):  # the second time, what is named further below has its name everywhere
            written = template.Writer(copy_set, names, WrittenStep(folder), tables, plain=plain).write(columns)
        tables.update(written.tables)
        return written

    return run_within_limit(spec.sets, write)


def _find_image_patterns(spec: BuildSpec, written: Mapping[CopySet, WrittenStep]) -> dict[CopySet, str]:
    """Return the image path pattern for each step, from its tutorial's data or its images."""
    patterns: dict[CopySet, str] = {}
    for tutorial, sets in group_by(spec.sets, lambda copy_set: copy_set.tutorial).items():
        existing = spec.base.model.tutorials.get(tutorial)
        stated = strip_origins(existing.images or DEFAULT_IMAGES) if existing else None
        pattern = stated or _find_image_pattern(sets, written)
        patterns |= dict.fromkeys(sets, pattern) if pattern else {}
    return patterns


def _find_image_pattern(sets: Sequence[CopySet], written: Mapping[CopySet, WrittenStep]) -> str | None:
    files = ((path, copy_set) for copy_set in sets for path in written[copy_set].files)
    owners = {path: copy_set for path, copy_set in files if path.endswith((".md", ".md.j2"))}
    texts = {path: written[copy_set].files[path] for path, copy_set in owners.items()}
    pages = {path: copy_set.pattern for path, copy_set in owners.items()}
    return pictures.find_pattern(texts, pages, {path: copy_set.step for path, copy_set in owners.items()})


def _insert_links(text: str, path: str, spec: BuildSpec) -> str:
    """Replace the references of a file by calls of `link()` or, where these are not possible, by words."""
    calls = spec.computed and path.endswith((".md", ".md.j2"))
    return REFERENCE.sub(r"{{ link('\1') }}" if calls else r"\2", text)


def _get_folder(copy_set: CopySet, spec: BuildSpec) -> str:
    """Return the folder of a step's template: within its tutorial's, if another tutorial has such a step."""
    taken = {(other.tutorial, other.step) for other in (*spec.sets, *spec.others)}
    taken |= {(id_, step) for id_, tutorial in spec.base.model.tutorials.items() for step in tutorial.steps}
    is_shared = any(step == copy_set.step and tutorial != copy_set.tutorial for tutorial, step in taken)
    return f"steps/{copy_set.tutorial}/{copy_set.step}" if is_shared else f"steps/{copy_set.step}"


__all__ = ["AdoptedProject", "BuildSpec", "build"]
