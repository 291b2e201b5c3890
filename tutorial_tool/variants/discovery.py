"""Finds the copies of a step in any tree: pages that are alike and whose paths differ in one place, best pairs first.

The design is measured (one part of the path is a wildcard; the best partner shares at least 0.35 of its lines with the
names masked); the index over rare texts keeps the work in proportion to the text, whatever the number of pages.
"""

from __future__ import annotations

import operator
import os
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.variants import paths
from tutorial_tool.variants.likeness import (
    MASKED,
    Look,
    Pair,
    drifted_similarity,
    masked,
    neighbours,
    similarity,
)

ALIKE = 0.35
"""The least similarity of a copy and its best partner."""
ALIKE_ELSEWHERE = 0.5
"""The same, where the paths differ in two places: copies under two bases, or on two axes."""
MOST = 15
"""A larger group of pages is a catalogue, not one step on many platforms."""
_NAMED = 3
"""Texts that are alike but for the name of the page: what pages of a catalogue hardly have."""
_Axis = tuple[tuple[str, ...], int]
"""A wildcard of the tree: the folders before it, and its place."""
_FEW = 5
"""Texts of a page that tell by themselves what it is a copy of; a shorter one wants more."""
_ALIKE_IF_SHORT = 0.8
"""The least similarity of short pages that name themselves; half will do where other copies are called as they are."""
_TIGHT = 0.6
"""The least similarity of copies that stand among many other pages of their folder."""
_NEAR = 0.8
"""A page that is so much like one of a group as the group's own are, is of its kind."""
_ALMOST = 0.8 * ALIKE
"""The least similarity of a copy that has the headings of the others, and is all that they lack; and of two pages
among others that are more alike."""
_LEAST = 0.2
"""The least similarity of pages that are looked at for drift."""
_HEADINGS = 4
"""Headings by which pages are seen to be built alike."""
_WORDS = 2
"""Words beside the name in a title that tells what pages are."""
_HEADING = lazy_re.compile(r"^(#{1,6})[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_FENCED = lazy_re.compile(r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1", re.MULTILINE | re.DOTALL)
_SHARED = 0.08
"""The least share of rare texts for which two pages are looked at."""


class Edge(NamedTuple):
    """Two pages that may be copies of one step. `named` texts are alike but for the names of the two.

    `has_drifted` tells that they are alike enough only where texts that differ in one word are alike, too.
    """

    weight: float
    left: int
    right: int
    differs: paths.Difference
    named: int
    has_drifted: bool = False


@dataclass
class _Group:
    """Pages that answer to each other, by number, with the places in which their paths differ."""

    pages: list[int]
    positions: frozenset[int] = frozenset()
    named: int = 0
    weight: float = 1.0
    """How alike its pages are where they are least: that of the last edge that joined them."""
    joined: tuple[_Group, ...] = ()
    """The two that it was made from."""


class Found(NamedTuple):
    """Pages that are variants of one step, by number in their order. `recurs` if their names do, on other steps."""

    pages: list[int]
    recurs: bool


def groups(looks: Sequence[Look]) -> list[Found]:
    """The sets of pages that are variants of one step."""
    edges, near = _edges(looks)
    alike = {(edge.left, edge.right): edge.has_drifted for edge in edges}
    axes = _Axes(looks, [edge for edge in edges if not edge.has_drifted])
    group_of = {number: _Group([number]) for edge in edges for number in (edge.left, edge.right)}
    allowed = sorted(filter(axes.allow, edges), key=lambda edge: (-axes.rank(edge), edge.left, edge.right))
    for edge in allowed:
        left, right = group_of[edge.left], group_of[edge.right]
        if left is right:
            left.named = max(left.named, edge.named)
        elif _is_begun(left, right, edge, axes) and _may_join(looks, left, right, edge, alike, near):
            group = _Group(
                left.pages + right.pages,
                left.positions | right.positions | set(edge.differs.positions),
                max(left.named, right.named, edge.named),
                min(left.weight, right.weight, edge.weight),
                (left, right),
            )
            group_of.update(dict.fromkeys(group.pages, group))
    whole = {id(group): group for group in group_of.values()}
    steps = [step for group in whole.values() for step in _steps(group, axes)]
    _join_rest(looks, steps, allowed)
    _join_last(looks, steps)
    return sorted(Found(sorted(group.pages), axes.recur(group)) for group in steps)


def _join_rest(looks: Sequence[Look], steps: Sequence[_Group], edges: Iterable[Edge]) -> None:
    """Give steps the pages of their own shape, such as `*/exports.md`, that are like one copy and have lost what made
    them like most: the one that has drifted most must not fall out of sight."""
    home = {number: step for step in steps for number in step.pages}
    for edge in edges:
        for number, other in ((edge.left, edge.right), (edge.right, edge.left)):
            step = home.get(other)
            if number in home or step is None or not 2 < len(step.pages) < MOST:
                continue
            place = edge.differs.positions[0]
            parts = paths.parts(looks[number].path)
            is_folder = place < len(parts) - 1 and _fits(parts[place], [_part(looks, one, place) for one in step.pages])
            found = (paths.difference(looks[number].path, looks[one].path) for one in step.pages)
            if is_folder and all(one is not None and {*one.positions} == step.positions == {place} for one in found):
                step.pages.append(number)
                home[number] = step


def _join_last(looks: Sequence[Look], steps: Sequence[_Group]) -> None:
    """Give steps the one page that is named as theirs are and stands outside, where it has their headings, too.

    Much of its text may be its own: `connect.teams.md` beside `connect.slack.md`, `connect.discord.md` and one more.
    """
    home = {number for step in steps for number in step.pages}
    open_steps = [(step, min(step.positions)) for step in steps if _is_open(step)]
    beside: dict[tuple[int, tuple[str, ...]], list[int]] = {}
    for place in sorted({place for _, place in open_steps}):
        for number, look in enumerate(looks):
            if place < len(paths.parts(look.path)):
                beside.setdefault((place, _without(look, place)), []).append(number)
    for step, place in open_steps:
        names = [_part(looks, one, place) for one in step.pages]
        around = beside[place, _without(looks[step.pages[0]], place)]
        others = [one for one in around if one not in step.pages and _fits(_part(looks, one, place), names)]
        if (
            len(around) <= 2 * MOST
            and len(others) == 1
            and others[0] not in home
            and _is_last(looks, step, others[0], place)
        ):
            step.pages.append(others[0])
            home.add(others[0])


def _is_open(step: _Group) -> bool:
    return len(step.positions) == 1 and 2 < len(step.pages) < MOST


def _without(look: Look, place: int) -> tuple[str, ...]:
    parts = paths.parts(look.path)
    return (*parts[:place], *parts[place + 1 :])


def _is_last(looks: Sequence[Look], step: _Group, number: int, place: int) -> bool:
    """Whether a page is built as the pages of a step are, in the same order, and says much of what they say."""
    names = [_part(looks, one, place) for one in step.pages]
    is_folder = place < len(paths.parts(looks[number].path)) - 1
    if not (is_folder or any(_frame(names))):
        return False
    own = _headings(looks[number])
    for one in step.pages:
        differs = paths.difference(looks[number].path, looks[one].path)
        theirs = _headings(looks[one])
        if differs is None or len(own) < _HEADINGS or [level for level, _ in own] != [level for level, _ in theirs]:
            return False
        if 2 * sum(map(operator.eq, own, theirs)) < len(own):
            return False
        if similarity(looks[number].masked(differs.left), looks[one].masked(differs.right)) < _ALMOST:
            return False
    return True


def _headings(look: Look) -> list[tuple[int, str]]:
    """The levels and texts of a page's headings."""
    return [(len(found[1]), found[2]) for found in _HEADING.finditer(_FENCED.sub("", look.text))]


def _part(looks: Sequence[Look], number: int, place: int) -> str:
    return paths.parts(looks[number].path)[place]


def _fits(name: str, names: Sequence[str]) -> bool:
    """Whether a name begins and ends as some others all do: `vue-sdk` beside `ios-sdk` and `web-sdk`."""
    head, tail = _frame(names)
    return name.startswith(head) and name.endswith(tail)


def _frame(names: Sequence[str]) -> tuple[str, str]:
    """How all names begin, and how they end, each up to a separator."""
    start, end = shared_start(names), shared_start([one[::-1] for one in names])
    return names[0][:start], names[0][len(names[0]) - end :]


def _steps(group: _Group, axes: _Axes) -> Iterator[_Group]:
    """The group, if it is one step; else those of its parts that are so by themselves, whatever stands around them."""
    if axes.is_step(group):
        yield group
        return
    waiting = [group]
    while waiting:
        group = waiting.pop()
        if axes.is_tight(group):
            yield group
        else:
            waiting += group.joined


def _is_begun(left: _Group, right: _Group, edge: Edge, axes: _Axes) -> bool:
    """Whether more tells that two pages are copies than what they would say without their drift."""
    return not edge.has_drifted or len(left.pages) + len(right.pages) > 2 or axes.knows(edge)


def _edges(looks: Sequence[Look]) -> tuple[list[Edge], set[tuple[int, int]]]:
    """The pairs that are alike enough and whose paths differ as those of variants do; and by their numbers those that
    are alike enough among pages of which most are more so."""
    masked = cache(lambda number, slugs: looks[number].masked(slugs))
    out, near = [], set()
    for left, right, shared in neighbours(looks):
        if shared < _SHARED * min(len(looks[left].units), len(looks[right].units)):
            continue
        differs = paths.difference(looks[left].path, looks[right].path)
        if differs is None:
            continue
        known = looks[left].pairs
        pair = known.get(looks[right])
        if pair is None:
            pair = known[looks[right]] = _pair(masked(left, differs.left), masked(right, differs.right))
        least = ALIKE if len(differs.positions) == 1 else ALIKE_ELSEWHERE
        if pair.drifted >= least:
            out.append(Edge(pair.weight, left, right, differs, pair.named, has_drifted=pair.weight < least))
        elif len(differs.positions) == 1 and pair.drifted >= _ALMOST:
            near.add((left, right))
    for look in looks:
        look.rest()
    edges = list(_sure(looks, out))
    return edges, near


def _sure(looks: Sequence[Look], edges: Sequence[Edge]) -> Iterator[Edge]:
    """The edges without those between short pages that may be alike by chance: what two sentences say, many say."""
    short = {edge: min(len(looks[edge.left].units), len(looks[edge.right].units)) < _FEW for edge in edges}
    told = {key for edge in edges if not short[edge] or _is_told(edge) for key in _known_by(looks, edge)}
    for edge in edges:
        is_known = edge.weight >= ALIKE_ELSEWHERE and not told.isdisjoint(_known_by(looks, edge))
        if not short[edge] or _is_told(edge) or is_known:
            yield edge


def _is_told(edge: Edge) -> bool:
    """Whether two short pages are alike but for their names."""
    return len(edge.differs.positions) == 1 and edge.weight >= _ALIKE_IF_SHORT and edge.named > 0


def _known_by(looks: Sequence[Look], edge: Edge) -> Iterator[object]:
    """What two pages may share with others: what they are called where they differ, and the paths around that."""
    path, (place, *_) = paths.parts(looks[edge.left].path), edge.differs.positions
    yield path[:place], edge.differs.positions, frozenset((edge.differs.left, edge.differs.right))
    if place < len(path) - 1:
        yield path[:place], path[place + 1 :]


def _pair(left: Counter[str], right: Counter[str]) -> Pair:
    weight = similarity(left, right)
    drifted = drifted_similarity(left, right) if _LEAST <= weight < ALIKE_ELSEWHERE else weight
    return Pair(weight, sum(MASKED in text for text in left.keys() & right.keys()) if drifted >= ALIKE else 0, drifted)


def _may_join(
    looks: Sequence[Look],
    left: _Group,
    right: _Group,
    edge: Edge,
    alike: Mapping[tuple[int, int], bool],
    near: Container[tuple[int, int]],
) -> bool:
    """Whether two groups are one: each two of their pages differ as variants do, and most of them are alike."""
    positions = left.positions | right.positions | set(edge.differs.positions)
    if len(left.pages) + len(right.pages) > MOST + 1 or len(positions) > 2:
        return False
    if len(_slugs(looks, left, edge) & _slugs(looks, right, edge)) > 1:
        return False  # two steps of the same platforms: `login.ios`, `login.web`, `orders.ios`, `orders.web`
    pairs = [(min(a, b), max(a, b)) for a in left.pages for b in right.pages]
    are_several = min(len(left.pages), len(right.pages)) > 1
    if not _are_mostly_alike(pairs, alike, near if are_several or _are_called_alike(looks, pairs) else ()):
        return False
    found = [paths.difference(looks[a].path, looks[b].path) for a, b in pairs]
    return all(differs is not None and differs.positions == edge.differs.positions for differs in found)


def _are_called_alike(looks: Sequence[Look], pairs: Iterable[tuple[int, int]]) -> bool:
    """Whether pages have one title but for their names, and most of their other headings are the same."""
    for pair in pairs:
        differs = paths.difference(looks[pair[0]].path, looks[pair[1]].path)
        one, two = (_headings(looks[number]) for number in pair)
        if differs is None or min(len(one), len(two)) < _HEADINGS:
            return False
        titles = [masked(found[0][1], slugs) for found, slugs in ((one, differs.left), (two, differs.right))]
        shared = 2 * len({*one} & {*two}) / (len({*one}) + len({*two}))
        is_one = titles[0] == titles[1] and MASKED in titles[0] and len(titles[0].split()) > _WORDS
        if not is_one or shared < _TIGHT:
            return False
    return True


def _are_mostly_alike(
    pairs: Sequence[tuple[int, int]], alike: Mapping[tuple[int, int], bool], near: Container[tuple[int, int]]
) -> bool:
    """Whether half of some pairs of pages are alike; more than that, where drift is allowed for."""
    sure = sum(alike.get(pair) is False for pair in pairs)
    drifted = sum(pair in alike or pair in near for pair in pairs)
    return 2 * sure >= len(pairs) or 2 * drifted > len(pairs) or drifted == len(pairs)


def _slugs(looks: Sequence[Look], group: _Group, edge: Edge) -> set[str]:
    """What tells the pages of a group apart in the last part of their paths, where that is some of it."""
    place = edge.differs.positions[0]
    parts = [paths.parts(looks[number].path) for number in group.pages]
    if len(parts) < 2 or len(edge.differs.positions) > 1 or place != len(parts[0]) - 1:
        return set()
    stems = [part[place] for part in parts]
    start, end = shared_start(stems), shared_start([stem[::-1] for stem in stems])
    return {stem[start : len(stem) - end].lower() for stem in stems} if start or end else set()


class _Axes:
    """The wildcards of a tree, and the names that recur on each: platforms do with each step."""

    def __init__(self, looks: Sequence[Look], edges: Iterable[Edge]) -> None:
        self.looks = looks
        self.recurs: dict[_Axis, Counter[str]] = {}
        """For each axis, how often a name stands beside another one that it stands beside elsewhere."""
        pairs: dict[_Axis, Counter[tuple[str, str]]] = {}
        for edge in edges:
            if len(edge.differs.positions) == 1:
                names = sorted((edge.differs.left[0].lower(), edge.differs.right[0].lower()))
                pairs.setdefault(self._axis(edge), Counter())[(names[0], names[1])] += 1
        for axis, counts in pairs.items():
            for pair, count in counts.items():
                for name in pair if count > 1 else ():
                    known = self.recurs.setdefault(axis, Counter())
                    known[name] = max(known[name], count)
        self.best: dict[tuple[int, int], tuple[int, float]] = {}
        """For a page and a place of its path: of the edges there, how many texts are alike but for names, and the
        greatest likeness."""
        for edge in edges:
            for number in (edge.left, edge.right) if len(edge.differs.positions) == 1 else ():
                known_ = self.best.get((number, edge.differs.positions[0]), (0, 0.0))
                self.best[number, edge.differs.positions[0]] = max(known_[0], edge.named), max(known_[1], edge.weight)
        self.beside: dict[int, list[tuple[int, float]]] = {}
        """The pages that differ from one in the last part of their paths, and how alike they are."""
        for edge in edges:
            if edge.differs.positions == (len(paths.parts(looks[edge.left].path)) - 1,):
                self.beside.setdefault(edge.left, []).append((edge.right, edge.weight))
                self.beside.setdefault(edge.right, []).append((edge.left, edge.weight))
        self.siblings: dict[tuple[str, ...], list[str]] = {}
        self.translated: dict[tuple[tuple[str, ...], str], list[str]] = {}
        """The folders with a page that is called as its language, by what they stand in and that language."""
        for parts in (paths.parts(look.path) for look in looks):
            self.siblings.setdefault(parts[:-1], []).append(parts[-1])
            if len(parts) > 1 and paths.is_language(parts[-1]):
                self.translated.setdefault((parts[:-2], parts[-1]), []).append(parts[-2])

    def _axis(self, edge: Edge) -> _Axis:
        place = edge.differs.positions[0]
        return paths.parts(self.looks[edge.left].path)[:place], place

    def allow(self, edge: Edge) -> bool:
        """Whether no axis that recurs more runs through these pages: below a platform, other folders are steps.

        An axis on which pages are alike but for their names wins over one that recurs, and on which they are not.
        """
        if len(edge.differs.positions) > 1:
            return not self._are_parallel(edge)
        own, here = self._strength(edge), edge.differs.positions[0]
        pages = (edge.left, edge.right)
        if any(self._tells_more((number, place), (number, here)) for number in pages for place in self._places(number)):
            return False
        return all(
            strength <= own or self._tells_more((number, here), (number, place))
            for number in pages
            for place, strength in self._through(number)
            if place != here
        )

    def _are_parallel(self, edge: Edge) -> bool:
        """Whether two pages of other names stand in folders which share names: each answers to that of its own name."""
        left, right = (paths.parts(self.looks[number].path) for number in (edge.left, edge.right))
        if left[-1] == right[-1] or left[:-1] == right[:-1]:
            return False
        return not set(self.siblings[left[:-1]]).isdisjoint(self.siblings[right[:-1]])

    def _places(self, number: int) -> range:
        return range(len(paths.parts(self.looks[number].path)))

    def _tells_more(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether the pages beside one on an axis are its copies, but for their names, and those on another are not."""
        (named, weight), (others, less) = self.best.get(one, (0, 0.0)), self.best.get(other, (0, 0.0))
        return named >= _NAMED and named > _NAMED * others and weight > less

    def _through(self, number: int) -> Iterable[tuple[int, int]]:
        """The recurring axes on which a page stands: (place, how often)."""
        parts = paths.parts(self.looks[number].path)
        for place, part in enumerate(parts):
            known = self.recurs.get((parts[:place], place))
            if known:
                yield place, known[part.lower()]

    def _strength(self, edge: Edge) -> int:
        known = self.recurs.get(self._axis(edge), Counter())
        return min(known[edge.differs.left[0].lower()], known[edge.differs.right[0].lower()])

    def knows(self, edge: Edge) -> bool:
        """Whether the names of two pages recur on their axis."""
        return len(edge.differs.positions) == 1 and self._strength(edge) > 1

    def rank(self, edge: Edge) -> float:
        """Similar pages first; names that recur over many steps weigh more; two places less than one."""
        if len(edge.differs.positions) > 1:
            return edge.weight - 1
        return edge.weight + 0.15 * (self._strength(edge) > 1)

    def is_step(self, group: _Group) -> bool:
        """Whether a group is one step on several platforms, and not some pages of a catalogue."""
        if not 2 <= len(group.pages) <= MOST:
            return False
        parts = [paths.parts(self.looks[number].path) for number in group.pages]
        last = len(parts[0]) - 1
        if group.positions == {last - 1} and len({(part[:-2], part[-1]) for part in parts}) == 1:
            return len(self.translated.get((parts[0][:-2], parts[0][-1]), ())) <= MOST
        if group.positions != {last}:
            return True
        framed = self._framed(parts)
        if self.recur(group):
            return framed <= MOST or all(paths.is_index(self.looks[number].path) for number in group.pages)
        if framed <= MOST:
            return len(parts) >= framed / 2 or group.named >= _NAMED
        return self.is_tight(group)

    def is_tight(self, group: _Group) -> bool:
        """Whether the pages of a group are much alike but for their names, and no others of their folder as much.

        Then those prove nothing, however many they are; in a catalogue, each page has many like it.
        """
        last = len(paths.parts(self.looks[group.pages[0]].path)) - 1
        if not 2 < len(group.pages) <= MOST or group.positions != {last}:
            return False
        if group.named < _NAMED or group.weight < _TIGHT:
            return False
        near = {
            other for number in group.pages for other, weight in self.beside[number] if weight >= _NEAR * group.weight
        }
        return len(near.union(group.pages)) <= MOST

    def recur(self, group: _Group) -> bool:
        """Whether the names of a group recur on its axis."""
        parts = [paths.parts(self.looks[number].path) for number in group.pages]
        return any(self.recurs.get((part[:place], place)) for part in parts for place in group.positions)

    def _framed(self, group: list[tuple[str, ...]]) -> int:
        """How many pages beside those of a group are named as they are: `*-sdk`, or anything."""
        head, tail = _frame(_without_hub([part[-1] for part in group]))
        return sum(stem.startswith(head) and stem.endswith(tail) for stem in self.siblings[group[0][:-1]])


def _without_hub(stems: list[str]) -> list[str]:
    """The names of a group's pages without that of a page about them all: `install` beside `install-linux`."""
    hub = min(stems, key=len)
    others = [stem for stem in stems if stem != hub]
    return others if len(others) > 1 and len(hub) < shared_start(others) else stems


def shared_start(texts: Sequence[str]) -> int:
    """The number of characters that all texts begin with, up to a separator."""
    shared = os.path.commonprefix(list(texts))  # noqa: RUF071 -- letter by letter is what is wanted
    return max((shared.rfind(separator) + 1 for separator in "-_. "), default=0)
