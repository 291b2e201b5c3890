"""Compare two revisions of a folder: render both, pair their pages, and group the changes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.core.source import Source
from tutorial_tool.core.time_budget import run_within_limit
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model.parts import Platform, Tutorial
from tutorial_tool.diff import Difference, PageChange, PagePair, StepDifference, assets, pages, pairing
from tutorial_tool.diff.grouping import VariantNames, group_changes
from tutorial_tool.diff.sides import Key, Side, SidePage, get_project_folder, join_folder, load, open_folder
from tutorial_tool.fs import files, worktrees
from tutorial_tool.linter import targets
from tutorial_tool.linter.targets import is_below
from tutorial_tool.site import Site

WORKING_TREE = "the working tree"
_Group = dict[str, tuple[SidePage | None, SidePage | None, PagePair]]  # The pages of a step, by platform
_Moved = Mapping[str, str]  # New locations of pages, by their old ones
_Renamed = Mapping[tuple[str, str | None, str | None], str | None]
"""Current names of steps, by project, tutorial, and old name."""
_Called = Mapping[tuple[str, str | None], str | None]  # Old names of tutorials, by project and current name


@dataclass(frozen=True)
class Selection:
    """A selection: IDs of steps and platforms, and paths of sources or pages; an empty one selects all."""

    steps: Collection[str] = ()
    platforms: Collection[str] = ()
    paths: Collection[str] = ()

    def has_step(self, name: str) -> bool:
        return not self.steps or any(name == step or name.endswith(f"/{step}") for step in self.steps)

    def has_platform(self, id_: str) -> bool:
        return not self.platforms or id_ in self.platforms

    def contains(self, pair: PagePair, change: PageChange) -> bool:
        places = [span.path for span in (change.source, change.before) if span is not None]
        places += [page.path for page in (pair.old, pair.new) if page is not None]
        return not self.paths or any(is_below(place, path) for place in places for path in self.paths)


class NothingRendered(TutorialToolError):
    """Neither side could be rendered: a message for the user, of several lines."""


def compare_revisions(start: Path, old: str, new: str | None, expected: Selection | None = None) -> Difference:
    """Return what changes for readers between two revisions, or from one to the working tree.

    Whatever cannot be rendered is reported in `problems`.

    Raises: worktrees.UnknownRevision, settings.ConfigError and NothingRendered.
    """
    with contextlib.ExitStack() as stack:
        folders = [stack.enter_context(open_folder(start, rev)) for rev in (old, new)]
        labels = worktrees.format_revision(old), worktrees.format_revision(new) if new else WORKING_TREE
        was, is_ = load((labels[0], folders[0]), (labels[1], folders[1]))
        if was.is_broken and is_.is_broken and not any(page.page.generated for page in is_.pages.values()):
            raise NothingRendered("\n".join(["cannot render either side:", *was.problems, *is_.problems]))
        return _build_difference(was, is_, expected or Selection())


def _build_difference(old: Side, new: Side, expected: Selection) -> Difference:
    names: dict[str, set[str]] = {"step": set(), "platform": set(), "path": set()}
    groups, count = _group_pages(old, new, expected, names)
    pairs = [(was, is_) for group in groups.values() for was, is_, _ in group.values() if was and is_]
    moved = {was.page.path: is_.page.path for was, is_ in pairs if was.page.path != is_.page.path}
    folders = old.folder, new.folder
    results, late = run_within_limit(groups, lambda name: _build_step(name, groups[name], expected, moved, folders))
    steps, stopped = list(results.values()), [f"{why}; its changes are not listed" for why in late.values()]
    if not expected.steps and not expected.paths:
        renamed = {(is_.project, was.page.tutorial, was.page.step): is_.page.step for was, is_ in pairs}
        tutorials = {(is_.project, is_.page.tutorial): was.page.tutorial for was, is_ in pairs}
        steps = [*_find_navigation_changes(old, new, expected, renamed, tutorials), *steps]
    unrendered = list(_describe_unrendered(new))
    problems = [*old.problems, *new.problems, *_describe_unrendered(old), *unrendered, *stopped]
    notes = [*assets.describe_other_changes(old, new), *_describe_strings(old, new)]
    is_whole = not (new.problems or unrendered or stopped)
    return Difference(old.label, new.label, steps, count, problems, notes, names, is_whole=is_whole)


def _group_pages(
    old: Side, new: Side, expected: Selection, names: dict[str, set[str]]
) -> tuple[dict[str, _Group], int]:
    """Return the selected pairs by step and platform, and their number; add all names to `names`."""
    groups: dict[str, _Group] = {}
    count = 0
    for was, is_, pair in pairing.pair_pages(old, new):
        item = is_ or was
        assert item is not None
        name = item.group or item.path
        names["step"].update((name, name.rpartition("/")[2]))
        names["platform"].add(item.id)
        names["path"].update(page.path for page in (was, is_) if page)
        if expected.has_step(name) and expected.has_platform(item.id):
            count += 1
            groups.setdefault(name, {})[item.id if item.group else ""] = was, is_, pair
    return groups, count


def _describe_strings(old: Side, new: Side) -> Iterator[str]:
    """Yield notes on the tool's fixed strings that a project overrides: they are printed around its pages."""
    for folder, was, is_, _ in _pair_projects(old, new):
        changed = [word for word, string in is_.model.strings.items() if was.model.strings.get(word) != string]
        if changed:
            where = f"{folder}: " if folder else ""
            yield f"{where}`strings` has changed: {', '.join(changed)}"


class _Project(NamedTuple):
    """A project on both sides. `folder` is its folder, if there are several."""

    folder: str
    was: Site
    is_: Site
    move_change: Callable[[PageChange], PageChange]  # Makes a change's location relative to the compared folder


def _pair_projects(old: Side, new: Side) -> Iterator[_Project]:
    was = {get_project_folder(old, target): site for target, site in old.sites if target.layout}
    for target, site in new.sites:
        folder = get_project_folder(new, target)
        if target.layout and folder in was:
            move_change = _build_relocation(old.folder, old.folder, target.root, new.folder)
            yield _Project(folder, was[folder], site, move_change)


def _describe_unrendered(side: Side) -> Iterator[str]:
    if side.is_broken:
        yield f"{side.label}: the data has errors, so no page of its steps could be rendered"
    elif side.unknown:
        names = ", ".join(_describe_page(key) for key in sorted(side.unknown))
        yield f"{side.label}: not rendered, and so not compared: {names}"


def _describe_page(key: Key) -> str:
    """Return the name of a page that could not be rendered: the step and platform, else its path."""
    if len(key) == 1:
        return key[0]
    project, _, step, platform = key
    return f"{join_folder(project, step)} ({platform})"


def _build_step(
    name: str, group: _Group, expected: Selection, moved: _Moved, folders: tuple[Path, Path]
) -> StepDifference:
    pairs = {id_: pair for id_, (_, _, pair) in group.items()}
    changes, read_lines = {}, cache(_read_lines)
    for id_, (was, is_, pair) in group.items():
        old, new = (page.target.root if page else start for page, start in zip((was, is_), folders, strict=True))
        reported = (_move_to_tag(change, old, read_lines) for change in _find_changes(was, is_, pair, moved))
        placed = map(_build_relocation(old, folders[0], new, folders[1]), reported)
        changes[id_] = [change for change in placed if expected.contains(pair, change)]
    variants = {
        id_: VariantNames(was.variant if was else None, is_.variant if is_ else None)
        for id_, (was, is_, _) in group.items()
    }
    names = {id_: _get_name(is_ or was, id_) for id_, (was, is_, _) in group.items()}
    return StepDifference(name, pairs, names, tuple(group_changes(changes, variants, pairs)))


_Lines = frozenset[tuple[str, ...]]
"""The lines of a file, each with the less indented lines above it: in data, its parent keys."""


def _move_to_tag(change: PageChange, old: Path, read_lines: Callable[[Path, str], _Lines]) -> PageChange:
    """Move a change to its tag if the printed text existed before: the tag selects another text now."""
    source, tag = change.source, change.tag
    if source is None or tag is None or source.path == tag.path:
        return change
    line = list(_iter_placed_lines(source.source.text))[source.position.line - 1]
    return replace(change, source=tag) if line in read_lines(old, source.path) else change


def _read_lines(root: Path, path: str) -> _Lines:
    source = files.read(root / path, root=root)
    return frozenset(_iter_placed_lines(source.text)) if isinstance(source, Source) else frozenset()


def _iter_placed_lines(text: str) -> Iterator[tuple[str, ...]]:
    above: list[tuple[int, str]] = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if line.strip():
            above = [pair for pair in above if pair[0] < indent]
            above.append((indent, line))
        yield tuple(name for _, name in above)


def _get_name(page: SidePage | None, id_: str) -> str:
    if page is not None and page.page.place is not None:
        return strip_origins(page.page.place.platform.name)
    return page.variant.name if page is not None and page.variant is not None else id_


def _build_relocation(old: Path, old_start: Path, new: Path, new_start: Path) -> Callable[[PageChange], PageChange]:
    """Return a function that makes locations in changes relative to the compared folders."""
    before, source = targets.build_span_mapper(old, old_start), targets.build_span_mapper(new, new_start)

    def move_change(change: PageChange) -> PageChange:
        old_span = before(change.before) if change.before else None
        return replace(change, source=source(change.source) if change.source else None, before=old_span)

    return move_change if (old, new) != (old_start, new_start) else lambda change: change


def _find_changes(was: SidePage | None, is_: SidePage | None, pair: PagePair, moved: _Moved) -> Iterator[PageChange]:
    if is_ is None:
        if was is not None:
            about = f"{pair.old_address} {'leads elsewhere' if pair.is_redirected else 'has no redirect'}"
            yield PageChange("page", "removed", was.page.plain, "", about=about, before=was.page.source.span(0))
    elif was is None:
        source = is_.page.source.span(0)
        yield PageChange("page", "added", "", is_.page.plain, about=pair.new_address, source=source)
    else:
        if pair.old_address != pair.new_address:
            about = "the old URL has a redirect" if pair.is_redirected else "the old URL has no redirect"
            source = is_.page.place.step.key if is_.page.place else is_.page.source.span(0)
            yield PageChange("address", "changed", pair.old_address, pair.new_address, about=about, source=source)
        yield from pages.find_changes(was.page, is_.page, moved)
        yield from assets.find_figure_changes(was.page, is_.page)
        yield from assets.find_image_changes(was, is_)


# Navigation


def _find_navigation_changes(
    old: Side, new: Side, expected: Selection, renamed: _Renamed, old_ids: _Called
) -> Iterator[StepDifference]:
    """Yield changes in the order of steps and the titles of tutorials, for projects on both sides."""
    for both in _pair_projects(old, new):
        tutorials = both.was.model.tutorials.keys()
        for id_ in both.is_.model.tutorials:
            was = id_ if id_ in tutorials else old_ids.get((both.folder, id_))
            if was in tutorials:
                yield from _find_tutorial_changes(both, (was, id_), expected, renamed)


def _find_tutorial_changes(
    both: _Project, ids: tuple[str, str], expected: Selection, renamed: _Renamed
) -> Iterator[StepDifference]:
    """Yield the changes of a tutorial; `ids` are its old and new IDs."""
    was, is_ = both.was, both.is_
    shared = [p for p in is_.model.platforms.values() if p.id in was.model.platforms]
    names = {p.id: strip_origins(p.name) for p in shared if expected.has_platform(p.id)}
    changes = {p: [*map(both.move_change, _find_order_changes(both, ids, p, renamed))] for p in names}
    nobody = dict.fromkeys(names, VariantNames(None, None))
    if foldeds := group_changes(changes, nobody, {}):
        name = f"{join_folder(both.folder, ids[1])}: navigation"
        yield StepDifference(name, dict.fromkeys(names, PagePair(None, None)), names, tuple(foldeds))


def _find_reason_changes(
    before: Tutorial, after: Tutorial, platforms: tuple[Platform, Platform]
) -> Iterator[PageChange]:
    """Yield the changes of the reasons why a platform lacks steps."""
    for id_ in before.steps.keys() & after.steps.keys():
        pairs = zip((before, after), platforms, strict=True)
        reasons = [strip_origins(tutorial.get_absence_reason(tutorial.steps[id_], p) or "") for tutorial, p in pairs]
        if all(reasons) and reasons[0] != reasons[1]:
            yield PageChange("reason", "changed", reasons[0], reasons[1], about=id_, source=after.steps[id_].key)


def _find_order_changes(both: _Project, ids: tuple[str, str], platform: str, renamed: _Renamed) -> Iterator[PageChange]:
    was, is_ = both.was, both.is_
    before, after = was.model.tutorials[ids[0]], is_.model.tutorials[ids[1]]
    if before.title != after.title:
        yield PageChange("title", "changed", strip_origins(before.title), strip_origins(after.title), source=after.key)
    platforms = was.model.platforms[platform], is_.model.platforms[platform]
    if platforms[0].name != platforms[1].name:
        old_name, new_name = (strip_origins(platform.name) for platform in platforms)
        yield PageChange("name", "changed", old_name, new_name, source=platforms[1].key)
    yield from _find_reason_changes(before, after, platforms)
    steps = [list(site.ordered_pages.get((id_, platform), ())) for site, id_ in zip((was, is_), ids, strict=True)]
    if [renamed.get((both.folder, ids[0], step), step) for step in steps[0]] != steps[1]:
        yield PageChange("order", "changed", ", ".join(steps[0]), ", ".join(steps[1]), source=after.key)
