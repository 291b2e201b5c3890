"""Convert copies of steps into templates and data that render to the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from tutorial_tool.adopt import check, existing_site, measure, project, resolve, template
from tutorial_tool.adopt.base import BaseProject, exclude_copies
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.lines import Column
from tutorial_tool.adopt.measure import Overlap
from tutorial_tool.adopt.names.renaming import Renames
from tutorial_tool.adopt.normalize import NormalizedSets, anchors, normalize_sets
from tutorial_tool.adopt.project import AdoptedProject, BuildSpec
from tutorial_tool.adopt.resolve import Ask, Choice, Evidence, ResolvedSet, whitespace
from tutorial_tool.core.time_budget import run_within_limit
from tutorial_tool.data import load_front_matter
from tutorial_tool.linter.config_lookup import LookupOptions

MIN_SHARED_RATIO = 0.1  # Minimum ratio of text that all copies share; below it, there is nothing to write once


@dataclass(frozen=True)
class AdoptOptions:
    """Options of adopting: resolve differences, and remove what the tool computes. `ask` prompts the user.

    `root` is the folder that the paths of copies are relative to. Copies that differ only in white space are unified,
    unless `exact_whitespace` is set. `renames` are names that the user requested.
    """

    resolve: bool = False
    normalize: bool = False
    root: Path = Path()
    ask: Ask | None = None
    exact_whitespace: bool = False
    renames: Renames = field(default_factory=Renames)


@dataclass(frozen=True)
class Adoption:
    """The result of adopting sets of copies: the project, if any, and why other sets were skipped.

    `overlaps` has how much the original copies share; `choices` those that were resolved or left open; `notes` other
    changes; `degraded` the steps written with conditions only, with the line that requires it.
    """

    project: AdoptedProject | None
    adopted: tuple[CopySet, ...]
    skipped: Mapping[CopySet, str]
    overlaps: Mapping[str, Overlap]
    choices: tuple[Choice, ...] = ()
    notes: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()


def adopt(
    sets: Sequence[CopySet],
    base: BaseProject,
    *,
    display: Mapping[str, str] | None = None,
    others: Sequence[CopySet] = (),
    options: AdoptOptions | None = None,
) -> Adoption:
    """Build the project that renders to these copies, verified by rendering it in a temporary folder.

    A set that it cannot reproduce is skipped. `display` are known names of platforms, `others` are sets of the same
    tutorials that stay copies.

    Raises: merge.MergeConflict if the project's data cannot be extended, and settings.ConfigError.
    """
    options = options or AdoptOptions()
    rejected, columns, overlaps = _align_sets(sets)
    resolved, unresolved = _resolve_sets([copy_set for copy_set in sets if copy_set not in rejected], options)
    resolved_sets = [item.copy_set for item in resolved]
    normalized = _normalize_sets(resolved_sets, others, base, options.root) if options.normalize else None
    final_sets = normalized.sets if normalized else resolved_sets
    aligned, unaligned = run_within_limit(final_sets, lambda own: columns.get(own) or template.align_copies(own))
    name = existing_site.find_name(options.root, base.layout.root)
    spec = BuildSpec(
        [*aligned], aligned, base, others, display or {}, normalized=normalized, site_name=name, renames=options.renames
    )
    built, verified_spec, failed, degraded = _build_verified(spec)
    final, problems = _build_computed(verified_spec, built, options.root) if built and normalized else (built, [])
    notes = chain(*(item.notes for item in resolved), normalized.notes if normalized else (), problems)
    choices = tuple(chain.from_iterable(item.choices for item in resolved))
    skipped = {**rejected, **unresolved, **unaligned, **failed}
    adopted = tuple(verified_spec.sets) if final else ()
    return Adoption(final, adopted, skipped, overlaps, choices, tuple(notes), tuple(degraded))


def _align_sets(sets: Sequence[CopySet]) -> tuple[dict[CopySet, str], dict[CopySet, list[Column]], dict[str, Overlap]]:
    """Return why sets are rejected up front, the aligned units of the others, and the overlap of each."""
    rejected = {copy_set: reason for copy_set in sets if (reason := _explain_refusal(copy_set))}
    columns, stopped = run_within_limit([item for item in sets if item not in rejected], template.align_copies)
    overlaps, timed_out = run_within_limit(columns, lambda item: measure.compute_overlap(item, columns[item]))
    rejected |= stopped | timed_out
    for copy_set, overlap in overlaps.items():
        if overlap.ratio < MIN_SHARED_RATIO:
            rejected[copy_set] = f"the copies share only {overlap.ratio:.0%} of their text: leave them as copies"
    return rejected, columns, {str(copy_set): overlap for copy_set, overlap in overlaps.items()}


def _normalize_sets(
    sets: Sequence[CopySet], others: Sequence[CopySet], base: BaseProject, root: Path
) -> NormalizedSets:
    """Normalize the sets, keeping anchors that the project's other pages link to, or its inventory has."""
    folder = base.layout.root
    other_files = exclude_copies(base, sets)
    steps = frozenset(copy.source.path for copy_set in (*sets, *others) for copy in copy_set.copies.values())
    requested = anchors.find_requested(other_files.values(), LookupOptions(folder).load_config(folder))
    return normalize_sets(sets, root, requested, steps)


def _resolve_sets(sets: Sequence[CopySet], options: AdoptOptions) -> tuple[list[ResolvedSet], dict[CopySet, str]]:
    """Resolve the differences of sets, or list the open choices; return also why sets were stopped."""
    evidence = Evidence.collect(sets, options.root)

    def resolve_set(copy_set: CopySet) -> ResolvedSet:
        if options.resolve:
            return resolve.apply_decisions(copy_set, evidence, options.ask)
        choices = tuple(resolve.find_open_choices(copy_set, evidence))
        leveled, notes = (copy_set, []) if options.exact_whitespace else whitespace.normalize(copy_set)
        return ResolvedSet(leveled, choices, tuple(notes))

    resolved, stopped = run_within_limit(sets, resolve_set)
    return list(resolved.values()), stopped


def _build_verified(spec: BuildSpec) -> tuple[AdoptedProject | None, BuildSpec, dict[CopySet, str], list[str]]:
    """Build a project of the sets that it reproduces.

    Returns the project, its specification, why other sets were skipped, and which were written with conditions only.
    """
    skipped: dict[CopySet, str] = {}
    reasons: dict[CopySet, str] = {}
    while sets := [copy_set for copy_set in spec.sets if copy_set not in skipped]:
        spec = replace(spec, sets=sets)
        built = project.build(spec)
        if built.stopped:
            skipped |= built.stopped
            continue
        failed = check.find_failures(built.files, spec.sets, spec.base)
        if not failed:
            plain = (copy_set for copy_set in spec.sets if copy_set in spec.plain)
            degraded = [f"{item}: written with conditions only, because of {reasons[item]}" for item in plain]
            return built, spec, skipped, degraded
        failing_sets = _find_failing_sets(failed, spec)
        reasons = {**failing_sets, **reasons}
        skipped |= {copy_set: reason for copy_set, reason in failing_sets.items() if copy_set in spec.plain}
        spec = replace(spec, plain=spec.plain.union(failing_sets))
    return None, replace(spec, sets=[]), skipped, []


def _find_failing_sets(failed: Mapping[CopySet, str], spec: BuildSpec) -> Mapping[CopySet, str]:
    """Return the sets that fail on their own, if one of them keeps all from being rendered."""
    if len(failed) < len(spec.sets) or len(spec.sets) == 1:
        return failed
    failing_alone: dict[CopySet, str] = {}
    for copy_set in spec.sets:
        built = project.build(replace(spec, sets=[copy_set], others=[]))
        failing_alone |= check.find_failures(built.files, [copy_set], spec.base)
    return failing_alone or failed


def _build_computed(spec: BuildSpec, built: AdoptedProject, root: Path) -> tuple[AdoptedProject, list[str]]:
    """Build the project with computed numbers and links, or return it unchanged with the reason.

    If only `figure()` calls fail to render, images stay as they are.
    """
    reasons: list[str] = []
    for replaces, what in ((True, "images are not calls of `figure()`"), (False, "numbers and links are not computed")):
        final = project.build(replace(spec, computed=True, replaces_images=replaces))
        errors = check.find_errors(final.files, spec.sets, spec.base, root)
        if not errors:
            return final, reasons
        reasons = [f"{what}: {errors[0]}"]
    return built, reasons


def _explain_refusal(copy_set: CopySet) -> str | None:
    """Return why a set is rejected up front, if it is."""
    if len(copy_set.copies) < 2:
        return "only one copy: nothing to compare it with"
    for copy in copy_set.copies.values():
        if len(copy.source.newlines) > 1:
            return f"{copy.source.path} has mixed line endings: save it with one kind and try again"
        if (front := load_front_matter(copy.source)) and front.findings:
            return str(front.findings[0])
    return None
