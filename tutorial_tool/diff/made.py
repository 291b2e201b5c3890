"""The difference of two revisions of a folder: both rendered, page beside page, folded."""

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
from tutorial_tool.diff import Change, Difference, Pair, StepDifference, assets, badges, pages, pairing
from tutorial_tool.diff.folding import Names, folded
from tutorial_tool.diff.sides import Key, Shown, Side, below, folder_of, load, project_in
from tutorial_tool.fs import files, worktrees
from tutorial_tool.linter import targets
from tutorial_tool.linter.targets import is_below
from tutorial_tool.site import Site

NOW = "the working tree"
_Group = dict[str, tuple[Shown | None, Shown | None, Pair]]  # The pages of a step, by platform
_Moved = Mapping[str, str]  # Where pages stand now, by where they stood
_Renamed = Mapping[tuple[str, str | None, str | None], str | None]
"""What a step is called now, by its project, its tutorial and what it was called."""
_Called = Mapping[tuple[str, str | None], str | None]
"""What a tutorial was called, by its project and what it is called now."""


@dataclass(frozen=True)
class Wanted:
    """What is asked for: ids of steps and platforms, and paths of sources or pages; all where there are none."""

    steps: Collection[str] = ()
    platforms: Collection[str] = ()
    paths: Collection[str] = ()

    def has_step(self, name: str) -> bool:
        return not self.steps or any(name == asked or name.endswith(f"/{asked}") for asked in self.steps)

    def has(self, pair: Pair, change: Change) -> bool:
        places = [span.path for span in (change.source, change.before) if span is not None]
        places += [page.path for page in (pair.old, pair.new) if page is not None]
        return not self.paths or any(is_below(place, path) for place in places for path in self.paths)


class NothingRendered(TutorialToolError):
    """Neither side could be rendered: a message for people, of several lines."""


def between(start: Path, old: str, new: str | None, wanted: Wanted | None = None) -> Difference:
    """What readers of a folder's pages see change from a revision to another, or to what stands there now.

    What cannot be rendered is told in `problems`. Raises revisions.Unknown, config.ConfigError and NothingRendered.
    """
    with contextlib.ExitStack() as stack:
        folders = [stack.enter_context(folder_of(start, rev)) for rev in (old, new)]
        labels = worktrees.shown(old), worktrees.shown(new) if new else NOW
        was, is_ = load((labels[0], folders[0]), (labels[1], folders[1]))
        if was.broken and is_.broken and not any(shown.page.generated for shown in is_.pages.values()):
            raise NothingRendered("\n".join(["cannot render either side:", *was.problems, *is_.problems]))
        return _made(was, is_, wanted or Wanted())


def _made(old: Side, new: Side, wanted: Wanted) -> Difference:
    known: dict[str, set[str]] = {"step": set(), "platform": set()}
    groups, count = _groups(old, new, wanted, known)
    shown = [(was, is_) for group in groups.values() for was, is_, _ in group.values() if was and is_]
    moved = {was.page.path: is_.page.path for was, is_ in shown if was.page.path != is_.page.path}
    here = old.folder, new.folder
    made, late = run_within_limit(groups, lambda name: _step(name, groups[name], wanted, moved, here))
    steps, stopped = list(made.values()), [f"{why}; its changes are not listed" for why in late.values()]
    if not wanted.steps and not wanted.paths:
        renamed = {(is_.project, was.page.tutorial, was.page.step): is_.page.step for was, is_ in shown}
        tutorials = {(is_.project, is_.page.tutorial): was.page.tutorial for was, is_ in shown}
        steps = [*_navigation(old, new, wanted, renamed, tutorials), *steps]
    lacks = list(_unrendered(new))
    problems = [*old.problems, *new.problems, *_unrendered(old), *lacks, *stopped]
    notes = [*assets.notes(old, new), *_strings(old, new)]
    return Difference(
        old.label, new.label, steps, count, problems, notes, known, is_whole=not (new.problems or lacks or stopped)
    )


def _groups(old: Side, new: Side, wanted: Wanted, known: dict[str, set[str]]) -> tuple[dict[str, _Group], int]:
    """The pairs of pages that are wanted, by step and platform, and their number; `known` learns all names."""
    groups: dict[str, _Group] = {}
    count = 0
    for was, is_, pair in pairing.pairs(old, new):
        item = is_ or was
        assert item is not None
        name = item.group or item.path
        known["step"].update((name, name.rpartition("/")[2]))
        known["platform"].add(item.id)
        if wanted.has_step(name) and (not wanted.platforms or item.id in wanted.platforms):
            count += 1
            groups.setdefault(name, {})[item.id if item.group else ""] = was, is_, pair
    return groups, count


def _strings(old: Side, new: Side) -> Iterator[str]:
    """The fixed words of the tool that a project replaces: they stand around its pages."""
    for folder, was, is_, _ in _projects(old, new):
        changed = [word for word, string in is_.model.strings.items() if was.model.strings.get(word) != string]
        if changed:
            where = f"{folder}: " if folder else ""
            yield f"{where}'strings' has changed: {', '.join(changed)}"


class _Project(NamedTuple):
    """A project as both sides have it. `folder` is where it stands, if there are several."""

    folder: str
    was: Site
    is_: Site
    placed: Callable[[Change], Change]  # Makes the place of a change relative to the folder that is compared


def _projects(old: Side, new: Side) -> Iterator[_Project]:
    was = {project_in(old, target): site for target, site in old.sites if target.layout}
    for target, site in new.sites:
        folder = project_in(new, target)
        if target.layout and folder in was:
            yield _Project(folder, was[folder], site, _placing(old.folder, old.folder, target.root, new.folder))


def _unrendered(side: Side) -> Iterator[str]:
    if side.broken:
        yield f"{side.label}: the data has errors, so no page of its steps could be rendered"
    elif side.unknown:
        names = ", ".join(_describe(key) for key in sorted(side.unknown))
        yield f"{side.label}: not rendered, and so not compared: {names}"


def _describe(key: Key) -> str:
    """A page that could not be rendered: the step with the platform, else its path."""
    if len(key) == 1:
        return key[0]
    project, _, step, platform = key
    return f"{below(project, step)} ({platform})"


def _step(name: str, group: _Group, wanted: Wanted, moved: _Moved, here: tuple[Path, Path]) -> StepDifference:
    pairs = {id_: pair for id_, (_, _, pair) in group.items()}
    changes, read = {}, cache(_lines)
    for id_, (was, is_, pair) in group.items():
        old, new = (shown.target.root if shown else start for shown, start in zip((was, is_), here, strict=True))
        reported = (_at_tag(change, old, read) for change in _changes(was, is_, pair, moved))
        placed = map(_placing(old, here[0], new, here[1]), reported)
        changes[id_] = [change for change in placed if wanted.has(pair, change)]
    variants = {
        id_: Names(was.variant if was else None, is_.variant if is_ else None) for id_, (was, is_, _) in group.items()
    }
    names = {id_: _name(is_ or was, id_) for id_, (was, is_, _) in group.items()}
    return StepDifference(name, pairs, names, tuple(folded(changes, variants, pairs)))


_Lines = frozenset[tuple[str, ...]]
"""The lines of a file, each with those above it that are indented less: in data, with the keys that it stands below."""


def _at_tag(change: Change, old: Path, read: Callable[[Path, str], _Lines]) -> Change:
    """The change at the tag that prints the text, where the text stood there before: another one was chosen now."""
    source, tag = change.source, change.tag
    if source is None or tag is None or source.path == tag.path:
        return change
    here = list(_placed_lines(source.source.text))[source.position.line - 1]
    return replace(change, source=tag) if here in read(old, source.path) else change


def _lines(root: Path, path: str) -> _Lines:
    read = files.read(root / path, root=root)
    return frozenset(_placed_lines(read.text)) if isinstance(read, Source) else frozenset()


def _placed_lines(text: str) -> Iterator[tuple[str, ...]]:
    above: list[tuple[int, str]] = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if line.strip():
            above = [pair for pair in above if pair[0] < indent]
            above.append((indent, line))
        yield tuple(name for _, name in above)


def _name(shown: Shown | None, id_: str) -> str:
    if shown is not None and shown.page.place is not None:
        return strip_origins(shown.page.place.platform.name)
    return shown.variant.name if shown is not None and shown.variant is not None else id_


def _placing(old: Path, old_start: Path, new: Path, new_start: Path) -> Callable[[Change], Change]:
    """Makes the places of changes, relative to the folders of their projects, relative to those where both start."""
    before, source = targets.seen_from(old, old_start), targets.seen_from(new, new_start)

    def placed(change: Change) -> Change:
        return replace(
            change,
            source=source(change.source) if change.source else None,
            before=before(change.before) if change.before else None,
        )

    return placed if (old, new) != (old_start, new_start) else lambda change: change


def _changes(was: Shown | None, is_: Shown | None, pair: Pair, moved: _Moved) -> Iterator[Change]:
    if was is None and is_ is not None:
        source = is_.page.source.span(0)
        yield Change("page", "added", "", strip_origins(is_.page.text), about=pair.new_address, source=source)
    elif is_ is None and was is not None:
        about = f"{pair.old_address} {'leads elsewhere' if pair.redirected else 'has no redirect'}"
        yield Change("page", "removed", strip_origins(was.page.text), "", about=about, before=was.page.source.span(0))
    elif was is not None and is_ is not None:
        if pair.old_address != pair.new_address:
            about = "the old URL has a redirect" if pair.redirected else "the old URL has no redirect"
            source = is_.page.place.step.key if is_.page.place else is_.page.source.span(0)
            yield Change("address", "changed", pair.old_address, pair.new_address, about=about, source=source)
        yield from pages.changes(was.page, is_.page, moved)
        yield from badges.changes(was, is_)
        yield from assets.figures(was.page, is_.page)
        yield from assets.pictures(was, is_)


# Navigation


def _navigation(old: Side, new: Side, wanted: Wanted, renamed: _Renamed, called: _Called) -> Iterator[StepDifference]:
    """The order of steps, and the titles of tutorials, where a project says them on both sides."""
    for both in _projects(old, new):
        known = both.was.model.tutorials.keys()
        for id_ in both.is_.model.tutorials:
            was = id_ if id_ in known else called.get((both.folder, id_))
            if was in known:
                yield from _of_tutorial(both, (was, id_), wanted, renamed)


def _of_tutorial(both: _Project, ids: tuple[str, str], wanted: Wanted, renamed: _Renamed) -> Iterator[StepDifference]:
    """`ids` are what the tutorial is called on both sides."""
    was, is_ = both.was, both.is_
    shared = [p for p in is_.model.platforms.values() if p.id in was.model.platforms]
    names = {p.id: strip_origins(p.name) for p in shared if not wanted.platforms or p.id in wanted.platforms}
    changes = {platform: [*map(both.placed, _order(both, ids, platform, renamed))] for platform in names}
    nobody = dict.fromkeys(names, Names(None, None))
    if foldeds := folded(changes, nobody, {}):
        name = f"{below(both.folder, ids[1])}: navigation"
        yield StepDifference(name, dict.fromkeys(names, Pair(None, None)), names, tuple(foldeds))


def _order(both: _Project, ids: tuple[str, str], platform: str, renamed: _Renamed) -> Iterator[Change]:
    was, is_ = both.was, both.is_
    before, after = was.model.tutorials[ids[0]], is_.model.tutorials[ids[1]]
    if before.title != after.title:
        yield Change("title", "changed", strip_origins(before.title), strip_origins(after.title), source=after.key)
    named = was.model.platforms[platform], is_.model.platforms[platform]
    if named[0].name != named[1].name:
        yield Change("name", "changed", strip_origins(named[0].name), strip_origins(named[1].name), source=named[1].key)
    for id_ in before.steps.keys() & after.steps.keys():
        value = zip((before, after), named, strict=True)
        reasons = [strip_origins(tutorial_.get_absence_reason(tutorial_.steps[id_], p) or "") for tutorial_, p in value]
        if all(reasons) and reasons[0] != reasons[1]:
            yield Change("reason", "changed", reasons[0], reasons[1], about=id_, source=after.steps[id_].key)
    steps = [list(site.orders.get((id_, platform), ())) for site, id_ in zip((was, is_), ids, strict=True)]
    if [renamed.get((both.folder, ids[0], step), step) for step in steps[0]] != steps[1]:
        yield Change("order", "changed", ", ".join(steps[0]), ", ".join(steps[1]), source=after.key)
