"""Which sets of copies are worth adopting, and which of those that were found are adopted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from tutorial_tool.adopt import measure, resolve, template
from tutorial_tool.adopt.base import Base
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.adopt.names import Names
from tutorial_tool.adopt.report import counted
from tutorial_tool.adopt.sets import Found

_WRITTEN = 1000
"""How many steps that only know a name a page outweighs that writes it."""
WORTH = 0.5
"""The part of their text that copies must share for one template to be less work than copies."""


@dataclass(frozen=True)
class Chosen:
    """The sets that are adopted, `others` of their tutorials that stay copies, and why some are `poor`.

    `display` are the names of platforms, as far as they are known.
    """

    sets: tuple[CopySet, ...]
    others: tuple[CopySet, ...]
    poor: Mapping[CopySet, str]
    display: Mapping[str, str]


def chosen(found: Found, standing: Base, steps: Sequence[str] = ()) -> Chosen:
    """The steps that are named; else, where they were found in folders, the sets that are worth it."""
    tutorials = _tutorials(found.sets, standing)
    named = [one for one in found.sets if not steps or is_named(one, steps)]
    sets = [replace(one, tutorial=tutorials[one]) for one in found.sets]
    wanted = [replace(one, tutorial=tutorials[one]) for one in named]
    left = poor(wanted) if found.discovered and not steps else {}
    wanted = [one for one in wanted if one not in left]
    return Chosen(tuple(wanted), tuple(_others(sets, wanted, found, standing)), left, _display(sets))


def is_named(one: CopySet, steps: Collection[str]) -> bool:
    """Whether a set is among the steps that somebody names, as the list of sets prints them or by their ids alone."""
    return one.step in steps or str(one) in steps


def _tutorials(sets: Sequence[CopySet], standing: Base) -> dict[CopySet, str]:
    """The tutorial of each set: one that stands where its copies do; no other one with which it shares no platform."""
    known = standing.model.tutorials
    out = {one: standing.tutorial_of(one) or one.tutorial for one in sets}
    taken = {*known, *out.values()}
    foreign = [one for one, id_ in out.items() if id_ in known and not standing.platforms_of(id_) & {*one.platforms}]
    for id_ in dict.fromkeys(out[one] for one in foreign):
        name = next(name for n in count(2) if (name := f"{id_}-{n}") not in taken)
        taken.add(name)
        out |= {one: name for one in foreign if out[one] == id_}
    return out


def _display(sets: Iterable[CopySet]) -> dict[str, str]:
    """What platforms are called: as most of their pages write it, of all steps; else as most steps know it."""
    said: dict[str, Counter[str]] = {}
    for one in sets:
        for platform, name in one.names.items():
            is_written = platform in one.copies and name in one.copies[platform].text
            said.setdefault(platform, Counter())[name] += _WRITTEN if is_written else 1
    return {platform: names.most_common(1)[0][0] for platform, names in said.items()}


def _others(sets: Sequence[CopySet], wanted: Sequence[CopySet], found: Found, standing: Base) -> Iterator[CopySet]:
    """The other steps of these tutorials: they stay copies, if they stand in the project's docs folder.

    A set is one that shares a platform with those that are adopted.
    """
    tutorials = {one.tutorial for one in wanted} - standing.model.tutorials.keys()
    if found.root == standing.layout.root / standing.layout.docs:
        have = {(one.tutorial, platform) for one in wanted for platform in one.platforms}
        rest = [one for one in sets if one not in wanted and one.tutorial in tutorials]
        yield from (one for one in rest if any((one.tutorial, platform) in have for platform in one.platforms))


def listed(sets: Sequence[CopySet]) -> Iterator[str]:
    """The sets, the best first: what they share, and how many choices are open, as adopting all of them would tell."""
    columns = {one: template.aligned(one) for one in sets}
    shares = {one: measure.shares(one, columns[one]) for one in sets}
    rest = [one for one in sets if shares[one].share >= WORTH and not is_numbered(one)]
    platforms = [platform for one in rest for platform in one.platforms]
    names = template.learned(Names(()), platforms, [columns[one] for one in rest], _display(rest))
    width = max((len(str(one)) for one in sets), default=0)
    for one in sorted(sets, key=lambda one: (-shares[one].share, -shares[one].total, str(one))):
        much = f"{shares[one].share:.0%} shared" if shares[one].differing else "identical"
        advice = "steps rather than platforms: their names are numbered" if is_numbered(one) else "leave as copies"
        if one in rest:
            advice = f"{counted(len(list(resolve.open_choices(one, columns[one], names))), 'choice')} open"
        yield f"{one!s:<{width}}  {counted(len(one.copies), 'copy', 'copies'):<9}  {much:<11}  {advice}"


def poor(sets: Sequence[CopySet]) -> dict[CopySet, str]:
    """The sets that are better left as copies, and why; those that share next to nothing are told elsewhere."""
    out = {one: f"{_numbered(one)}; --step {one.step} adopts them all the same" for one in sets if is_numbered(one)}
    rest = [one for one in sets if len(one.copies) > 1 and one not in out]
    shares = {one: measure.shares(one, template.aligned(one)).share for one in rest}
    poor = {one: share for one, share in shares.items() if share < WORTH}
    return out | {
        one: f"they share {share:.0%} of their text; --step {one.step} adopts them all the same"
        for one, share in poor.items()
    }


def is_numbered(one: CopySet) -> bool:
    """Whether what tells the copies apart are numbers, each once: chapters have them, and platforms do not."""
    numbers = [found[0] for platform in one.platforms if (found := re.match(r"\d+(?!\.\d)", platform))]
    return len(numbers) == len(one.platforms) == len(set(numbers))


def _numbered(one: CopySet) -> str:
    first, second, *_ = one.platforms
    return f"{first}, {second} and so on are numbered, as steps are that follow each other, and platforms are not"
