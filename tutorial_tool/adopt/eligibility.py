"""Decide which sets of copies are worth adopting, and which of the found ones are adopted."""

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
from tutorial_tool.core.time_budget import run_within_limit

_WRITTEN = 1000  # Weight of a name written on a page; a step that only knows the name counts as 1
WORTH = 0.5  # Minimum ratio of shared text for one template to be less work than copies


@dataclass(frozen=True)
class ChosenSets:
    """The sets to adopt, `others` of their tutorials that stay copies, and why some are `ineligible`.

    `display` are the known names of platforms.
    """

    sets: tuple[CopySet, ...]
    others: tuple[CopySet, ...]
    ineligible: Mapping[CopySet, str]
    display: Mapping[str, str]


def choose_sets(result: FoundSets, site_index: BaseProject, steps: Sequence[str] = ()) -> ChosenSets:
    """Choose the named steps; without any, of the sets found in folders, those that are worth adopting."""
    tutorials = _assign_tutorials(result.sets, site_index)
    named = [copy_set for copy_set in result.sets if not steps or is_selected(copy_set, steps)]
    sets = [replace(copy_set, tutorial=tutorials[copy_set]) for copy_set in result.sets]
    expected = [replace(copy_set, tutorial=tutorials[copy_set]) for copy_set in named]
    left = find_ineligible(expected) if result.discovered and not steps else {}
    expected = [copy_set for copy_set in expected if copy_set not in left]
    return ChosenSets(
        tuple(expected), tuple(_find_others(sets, expected, result, site_index)), left, _find_display_names(sets)
    )


def is_selected(copy_set: CopySet, steps: Collection[str]) -> bool:
    """Return whether a set is among the named steps, either in full or only by ID."""
    return copy_set.step in steps or str(copy_set) in steps


def _assign_tutorials(sets: Sequence[CopySet], site_index: BaseProject) -> dict[CopySet, str]:
    """Return the tutorial of each set: the existing one with its paths, else its own.

    A set that shares no platform with the existing tutorial of that name gets another name.
    """
    known = site_index.model.tutorials
    out = {copy_set: site_index.find_tutorial(copy_set) or copy_set.tutorial for copy_set in sets}
    taken = {*known, *out.values()}
    foreign = [
        copy_set
        for copy_set, id_ in out.items()
        if id_ in known and not site_index.get_platforms(id_) & {*copy_set.platforms}
    ]
    for id_ in dict.fromkeys(out[copy_set] for copy_set in foreign):
        name = next(name for n in count(2) if (name := f"{id_}-{n}") not in taken)
        taken.add(name)
        out |= {copy_set: name for copy_set in foreign if out[copy_set] == id_}
    return out


def _find_display_names(sets: Iterable[CopySet]) -> dict[str, str]:
    """Return the names of platforms as most pages spell them in their text, else as most steps have them."""
    values: dict[str, Counter[str]] = {}
    for copy_set in sets:
        for platform, name in copy_set.names.items():
            is_written = platform in copy_set.copies and name in copy_set.copies[platform].text
            values.setdefault(platform, Counter())[name] += _WRITTEN if is_written else 1
    return {platform: names.most_common(1)[0][0] for platform, names in values.items()}


def _find_others(
    sets: Sequence[CopySet], expected: Sequence[CopySet], result: FoundSets, site_index: BaseProject
) -> Iterator[CopySet]:
    """Yield the other steps of these tutorials, which stay copies, if they are pages of the docs folder.

    Their sets share a platform with the adopted ones. A project has no `.mdx` pages.
    """
    tutorials = {copy_set.tutorial for copy_set in expected} - site_index.model.tutorials.keys()
    if result.root == site_index.layout.root / site_index.layout.docs:
        have = {(copy_set.tutorial, platform) for copy_set in expected for platform in copy_set.platforms}
        for copy_set in sets:
            own = {(copy_set.tutorial, platform) for platform in copy_set.platforms}
            is_page = all(copy.source.path.lower().endswith(PAGES) for copy in copy_set.copies.values())
            if is_page and copy_set not in expected and copy_set.tutorial in tutorials and own & have:
                yield copy_set


def describe_sets(sets: Sequence[CopySet], root: Path) -> Iterator[str]:
    """Yield a line for each set, the best first, with what it shares and its number of open choices."""
    columns, stopped = run_within_limit(sets, template.align_copies)
    shares, late = run_within_limit(columns, lambda item: measure.compute_overlap(item, columns[item]))
    stopped |= late
    rest = [item for item, own in shares.items() if own.ratio >= WORTH and not is_numbered(item)]
    evidence = resolve.Evidence.collect(rest, root)
    choices, late = run_within_limit(rest, lambda item: len(list(resolve.find_open_choices(item, evidence))))
    stopped |= late
    width = max((len(str(copy_set)) for copy_set in sets), default=0)
    for item in sorted(shares, key=lambda copy_set: (-shares[copy_set].ratio, -shares[copy_set].total, str(copy_set))):
        much = f"{shares[item].ratio:.0%} shared" if shares[item].ratio < 1 else "identical"
        advice = "steps rather than platforms: their names are numbered" if is_numbered(item) else "leave as copies"
        if item in choices:
            advice = f"{format_count(choices[item], 'choice')} open"
        advice = stopped.pop(item, advice)
        yield f"{item!s:<{width}}  {format_count(len(item.copies), 'copy', 'copies'):<9}  {much:<11}  {advice}"
    yield from (f"{item!s:<{width}}  {reason}" for item, reason in stopped.items())


def find_ineligible(sets: Sequence[CopySet]) -> dict[CopySet, str]:
    """Return the sets better left as copies, with reasons.

    Sets of a single copy are not among them: `adopt` reports these.
    """
    out = {copy_set: _explain_numbered(copy_set) for copy_set in sets if is_numbered(copy_set)}
    rest = [copy_set for copy_set in sets if len(copy_set.copies) > 1 and copy_set not in out]
    shares, stopped = run_within_limit(
        rest, lambda item: measure.compute_overlap(item, template.align_copies(item)).ratio
    )
    out |= {item: f"they share {share:.0%} of their text" for item, share in shares.items() if share < WORTH}
    return {item: f"{reason}; --step {item.step} adopts them all the same" for item, reason in out.items()} | stopped


def is_numbered(copy_set: CopySet) -> bool:
    """Return whether the copies differ by unique numbers, which is typical of chapters, not of platforms."""
    numbers = [match[0] for platform in copy_set.platforms if (match := re.match(r"\d+(?!\.\d)", platform))]
    return len(numbers) == len(copy_set.platforms) == len(set(numbers))


def _explain_numbered(copy_set: CopySet) -> str:
    first, second, *_ = copy_set.platforms
    return f"{first}, {second} and so on are numbered, as steps are that follow each other, and platforms are not"
