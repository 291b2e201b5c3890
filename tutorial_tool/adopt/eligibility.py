"""Decide which of the sets that were found are worth adopting, and describe the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from tutorial_tool.adopt import measure, resolve, template
from tutorial_tool.adopt.base import PAGES, BaseProject
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.sets import FoundSets
from tutorial_tool.core.diagnostics import format_count
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.similarity import MAJORITY
from tutorial_tool.core.time_budget import run_within_limit


@dataclass(frozen=True)
class ChosenSets:
    """The sets to adopt, `others` of their tutorials that stay copies, and why some are `ineligible`.

    `display` are the known names of platforms.
    """

    sets: tuple[CopySet, ...]
    others: tuple[CopySet, ...]
    ineligible: Mapping[CopySet, str]
    display: Mapping[str, str]


def choose_sets(found: FoundSets, base: BaseProject, steps: Sequence[str] = ()) -> ChosenSets:
    """Choose the named steps; without any, of the sets found in folders, those that are worth adopting."""
    tutorials = _assign_tutorials(found.sets, base)
    selected = [copy_set for copy_set in found.sets if not steps or is_selected(copy_set, steps)]
    sets = [replace(copy_set, tutorial=tutorials[copy_set]) for copy_set in found.sets]
    chosen = [replace(copy_set, tutorial=tutorials[copy_set]) for copy_set in selected]
    ineligible = find_ineligible(chosen) if found.discovered and not steps else {}
    chosen = [copy_set for copy_set in chosen if copy_set not in ineligible]
    others = tuple(_find_others(sets, chosen, found, base))
    return ChosenSets(tuple(chosen), others, ineligible, _find_display_names(sets))


def is_selected(copy_set: CopySet, steps: Collection[str]) -> bool:
    """Return whether a set is among the named steps, either in full or only by ID."""
    return copy_set.step in steps or str(copy_set) in steps


def _assign_tutorials(sets: Sequence[CopySet], base: BaseProject) -> dict[CopySet, str]:
    """Return the tutorial of each set: the existing one with its paths, else its own.

    A set that shares no platform with the existing tutorial of that name gets another name.
    """
    existing = base.model.tutorials
    assigned = {copy_set: base.find_tutorial(copy_set) or copy_set.tutorial for copy_set in sets}
    taken = {*existing, *assigned.values()}
    known = ((copy_set, id_) for copy_set, id_ in assigned.items() if id_ in existing)
    unrelated = [copy_set for copy_set, id_ in known if base.get_platforms(id_).isdisjoint(copy_set.platforms)]
    for id_, renamed in group_by(unrelated, assigned.__getitem__).items():
        name = next(name for n in count(2) if (name := f"{id_}-{n}") not in taken)
        taken.add(name)
        assigned |= dict.fromkeys(renamed, name)
    return assigned


def _find_display_names(sets: Iterable[CopySet]) -> dict[str, str]:
    """Return the names of platforms as most pages spell them in their text, or else as most steps record them."""
    on_pages, recorded = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for copy_set in sets:
        for platform, name in copy_set.names.items():
            recorded[platform, name] += 1
            on_pages[platform, name] += platform in copy_set.copies and name in copy_set.copies[platform].text
    by_use = sorted(recorded, key=lambda pair: (on_pages[pair], recorded[pair]), reverse=True)
    return dict(reversed(by_use))  # of several names of a platform, the last one counts


def _find_others(
    sets: Sequence[CopySet], chosen: Sequence[CopySet], found: FoundSets, base: BaseProject
) -> Iterator[CopySet]:
    """Yield the other steps of these tutorials, which stay copies, if they are pages of the docs folder.

    Their sets share a platform with the adopted ones. A project has no `.mdx` pages.
    """
    tutorials = {copy_set.tutorial for copy_set in chosen} - base.model.tutorials.keys()
    if found.root == base.layout.root / base.layout.docs:
        adopted = {(copy_set.tutorial, platform) for copy_set in chosen for platform in copy_set.platforms}
        for copy_set in sets:
            pairs = {(copy_set.tutorial, platform) for platform in copy_set.platforms}
            is_page = all(copy.source.path.lower().endswith(PAGES) for copy in copy_set.copies.values())
            if is_page and copy_set not in chosen and copy_set.tutorial in tutorials and pairs & adopted:
                yield copy_set


def describe_sets(sets: Sequence[CopySet], root: Path) -> Iterator[str]:
    """Yield a line for each set, the best first, with what it shares and its number of open choices."""
    columns, stopped = run_within_limit(sets, template.align_copies)
    overlaps, timed_out = run_within_limit(columns, lambda item: measure.compute_overlap(item, columns[item]))
    stopped |= timed_out
    eligible = [item for item in overlaps if overlaps[item].ratio >= MAJORITY and not is_numbered(item)]
    evidence = resolve.Evidence.collect(eligible, root)
    choices, timed_out = run_within_limit(eligible, lambda item: len(list(resolve.find_open_choices(item, evidence))))
    stopped |= timed_out
    width = max(map(len, map(str, sets)), default=0)
    for item in sorted(overlaps, key=lambda item: (-overlaps[item].ratio, -overlaps[item].total, str(item))):
        share = f"{overlaps[item].ratio:.0%} shared" if overlaps[item].ratio < 1 else "identical"
        advice = "steps rather than platforms: their names are numbered" if is_numbered(item) else "leave as copies"
        if item in choices:
            advice = f"{format_count(choices[item], 'choice')} open"
        advice = stopped.pop(item, advice)
        yield f"{item!s:<{width}}  {format_count(len(item.copies), 'copy', 'copies'):<9}  {share:<11}  {advice}"
    yield from (f"{item!s:<{width}}  {reason}" for item, reason in stopped.items())


def find_ineligible(sets: Sequence[CopySet]) -> dict[CopySet, str]:
    """Return the sets of several copies that are better left as copies, with reasons."""
    why = "and so on are numbered, as steps are that follow each other, and platforms are not"
    out = {item: f"{', '.join(item.platforms[:2])} {why}" for item in sets if is_numbered(item)}
    candidates = [copy_set for copy_set in sets if len(copy_set.copies) > 1 and copy_set not in out]
    ratios, stopped = run_within_limit(
        candidates, lambda item: measure.compute_overlap(item, template.align_copies(item)).ratio
    )
    unlike = {item: ratio for item, ratio in ratios.items() if ratio < MAJORITY}
    out |= {item: f"they share {ratio:.0%} of their text" for item, ratio in unlike.items()}
    return {item: f"{reason}; --step {item.step} adopts them all the same" for item, reason in out.items()} | stopped


def is_numbered(copy_set: CopySet) -> bool:
    """Return whether the copies differ by unique numbers, which is typical of chapters, not of platforms."""
    numbers = [match[0] for platform in copy_set.platforms if (match := re.match(r"\d+(?!\.\d)", platform))]
    return len(numbers) == len(copy_set.platforms) == len(set(numbers))
