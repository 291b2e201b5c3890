"""Find the copies of a step in any tree: candidates by the shape of their paths, links by evidence.

After Fellegi and Sunter's record linkage: each piece of evidence for or against two pages being copies has a weight in
bits, and the sum decides. Pages are linked within a shape; a page stays in the set in which its evidence is strongest.
Nothing depends on the order of pages, nor on anything outside of the folders that a shape names.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from tutorial_tool.cache import store
from tutorial_tool.cache.results import Results
from tutorial_tool.core.caching import cache_method
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.similarity import MAJORITY
from tutorial_tool.variants import known_names, paths, similarity
from tutorial_tool.variants.shapes import WILD, Shape, build_shapes, get_axis, get_open_places
from tutorial_tool.variants.similarity import PageSummary

# Weights in bits, set on the labelled sets of 17 public trees, read on 10 more, 2026-11: 400 of 449 pages in their sets
PRIOR = -0.5  # Two pages of one shape
LAST_PART, PART_OF_WORD, TWO_PARTS = -2.0, 1.5, 2.0
"""The name is the whole last part, where pages have their topics; is a part of a word; is in two parts."""
BITS_PER_SHARE, ORDINARY_SHARE, MIN_TEXT_BITS, MAX_TEXT_BITS, FULL_WEIGHT_LINES = 14.0, 0.3, -4.5, 6.0, 4
"""Bits per share of text above what any two pages have in common; lines of a page that has full weight."""
BITS_PER_DOUBLING, MAX_RECURRENCE_BITS = 1.5, 3.0
"""Two names also occur together in other shapes of the folder: bits per doubling, and at most."""
REFERENCE, FOLDERS = -2.0, frozenset(("api", "reference", "references", "typedoc", "types"))
"""The folder is that of a reference."""
SAME_TITLE = 3.0  # The titles are equal except for the names; less if they have other words, too
NO_NAME, NO_NAMES = (similarity.NAME + similarity.WORD) / 2, -3.0
"""Evidence of a name that is as often a word as a name; of two names for which recurrence and titles count nothing."""
MAX_SET_PAGES = 40  # A larger group is a catalog
MAX_PAGES_FOR_ALL_PAIRS, MAX_PAGES_WITH_LINE = 40, 60
"""Maximum pages of a shape, for those without a common line to be compared; and with a line, for it to count."""


class Member(NamedTuple):
    """A page, by number, and its name in its path."""

    page: int
    name: str


class PageSet(NamedTuple):
    """Pages that are variants of one step, in the order of the pages. `score` is their evidence in bits."""

    shape: Shape
    members: tuple[Member, ...]
    score: float


class Pair(NamedTuple):
    """Two pages of one shape that were compared: the share of common text, from 0 to 1, and the evidence."""

    shape: Shape
    left: Member
    right: Member
    share: float
    bits: float


def find_sets(summaries: Sequence[PageSummary], results: Results | None = None) -> list[PageSet]:
    """Find the sets of pages that are variants of one step.

    Shapes in `results` are searched again only if one of their pages has changed.
    """
    return _Finder(summaries, results).find_sets()


def compare_pages(summaries: Sequence[PageSummary]) -> list[Pair]:
    """Return the compared pairs of pages and their evidence, which explains why they are variants or not."""
    finder = _Finder(summaries)
    return [pair for shape, members in finder.candidates.items() for pair in finder.score_pairs(shape, members)]


class _Finder:
    def __init__(self, summaries: Sequence[PageSummary], results: Results | None = None) -> None:
        self.summaries, self.results = summaries, results or Results()
        self.path_order = sorted(range(len(summaries)), key=lambda index: summaries[index].path)
        filled = [index for index in self.path_order if summaries[index].text.strip()]
        members_by_shape = group_pairs(
            (shape, Member(index, value)) for index in filled for shape, value in build_shapes(summaries[index].path)
        )
        self.candidates = {shape: own for shape, own in members_by_shape.items() if len(_get_values(own)) > 1}
        """The pages of each shape that more than one name has."""
        self.shapes_by_name: dict[tuple[Shape, str], set[Shape]] = defaultdict(set)
        """The shapes that contain a name, by folder and name."""
        for shape, members in self.candidates.items():
            for value in _get_values(members):
                self.shapes_by_name[get_axis(shape), value].add(shape)

    def find_sets(self) -> list[PageSet]:
        """Return the sets, each page in the one with the most evidence."""
        sets = chain.from_iterable(self._iter_shape_sets())
        used: set[int] = set()
        out = []
        for candidate in sorted(sets, key=lambda result: (-result.score, result.shape, result.members)):
            unused = tuple(member for member in candidate.members if member.page not in used)
            if len(unused) > 1 and 2 * len(unused) >= len(candidate.members):
                used.update(member.page for member in unused)
                out.append(candidate._replace(members=unused))
        completed = self._add_from_other_folders(out, used)
        ordered = (entry._replace(members=tuple(sorted(entry.members))) for entry in completed)
        return sorted(map(_trim_common_words, ordered), key=lambda entry: entry.members)

    def _iter_shape_sets(self) -> Iterator[tuple[PageSet, ...]]:
        """Yield the sets of each shape; cached ones are not computed again."""
        site_digest = store.digest_key([(summary.path, bool(summary.text.strip())) for summary in self.summaries])
        pages = [(summary.digest, summary.language) for summary in self.summaries]
        for shape, members in self.candidates.items():
            inputs = [(*pages[member.page], member.name) for member in members]
            yield self.results.get(lambda: tuple(self._link_pages(shape, members)), "sets", site_digest, shape, inputs)  # noqa: B023

    def _link_pages(self, shape: Shape, members: Sequence[Member]) -> Iterator[PageSet]:
        """Yield the sets of pages of a shape that are linked, directly or through others."""
        links = list(self.score_pairs(shape, members))
        likely = [pair for pair in links if pair.bits > 0]
        best_bits: dict[Member, float] = defaultdict(float)
        for pair in likely:
            for member in (pair.left, pair.right):
                best_bits[member] = max(best_bits[member], pair.bits)
        for group in _find_connected((pair.left, pair.right) for pair in likely):
            is_named = 2 * sum(self._get_name_evidence(member) > NO_NAME for member in group) > len(group)
            group |= {neighbor for neighbor in _find_near_members(links, group) if neighbor not in best_bits}
            chosen = _select_one_per_name(group, best_bits)
            if is_named and 1 < len(chosen) <= MAX_SET_PAGES:
                score = sum(best_bits[member] for member in chosen)
                yield PageSet(shape, tuple(sorted(chosen, key=self._get_path)), score)

    def score_pairs(self, shape: Shape, members: Sequence[Member]) -> Iterator[Pair]:
        """Yield the pairs of pages of a shape that may be variants, with their evidence."""
        lines = [self.summaries[member.page].get_masked_units(member.name) for member in members]
        shared = _count_shared_lines(lines)
        path_bits = self._score_path(shape)
        for first, second in sorted(_select_pairs(members, shared)):
            left, right = members[first], members[second]
            if not self._may_separate_variants(shape, left, right):
                continue
            lengths = len(lines[first]), len(lines[second])
            share = 2 * shared[first, second] / max(1, sum(lengths))
            text_bits = min(MAX_TEXT_BITS, max(MIN_TEXT_BITS, BITS_PER_SHARE * (share - ORDINARY_SHARE)))
            bits = path_bits + text_bits * min(1.0, min(lengths) / FULL_WEIGHT_LINES)
            yield Pair(shape, left, right, share, bits + self._score_names(shape, left, right, bits))

    def _score_names(self, shape: Shape, left: Member, right: Member, bits: float) -> float:
        """Return the evidence of two names: of each, of their recurrence, and of titles that match."""
        names = self._get_name_evidence(left) + self._get_name_evidence(right)
        weight = min(1.0, max(0.0, 1 - names / NO_NAMES))
        if bits + names + weight * (MAX_RECURRENCE_BITS + SAME_TITLE) <= 0:
            return names
        return names + weight * (self._score_recurrence(shape, left, right) + self._score_titles(left, right))

    def _score_titles(self, left: Member, right: Member) -> float:
        """Return the evidence of two titles, by the words in common besides the names."""
        first, second = self._get_title(left), self._get_title(right)
        shared = (Counter(first) & Counter(second)).total()
        return SAME_TITLE * max(0.0, 4 * shared / max(1, len(first) + len(second)) - 1)

    def _score_recurrence(self, shape: Shape, left: Member, right: Member) -> float:
        first, second = (self.shapes_by_name[get_axis(shape), member.name.lower()] for member in (left, right))
        recurrences = len(first & second) - 1
        if recurrences <= 0:
            return 0.0
        bits = min(MAX_RECURRENCE_BITS, BITS_PER_DOUBLING * math.log2(1 + recurrences))
        return bits * recurrences / max(1, min(len(first), len(second)) - 1)

    def _score_path(self, shape: Shape) -> float:
        places = get_open_places(shape)
        is_last = places == [len(shape) - 1]
        bits = PRIOR + LAST_PART * is_last + REFERENCE * (not FOLDERS.isdisjoint(shape[:-1]))
        return bits + PART_OF_WORD * (is_last and shape[places[0]] != WILD) + TWO_PARTS * (len(places) > 1)

    @cache_method
    def _get_name_evidence(self, member: Member) -> float:
        summary, name = self.summaries[member.page], member.name
        inputs = "name", summary.path, summary.digest, name.lower()
        return self.results.get(lambda: summary.measure_name_evidence(name), *inputs)

    @cache_method
    def _get_title(self, member: Member) -> tuple[str, ...]:
        return self.summaries[member.page].get_masked_title(member.name)

    def _get_path(self, member: Member) -> str:
        return self.summaries[member.page].path

    def _may_separate_variants(self, shape: Shape, left: Member, right: Member) -> bool:
        """Return whether two pages have two names, not two versions or languages of one thing."""
        if left.name.lower() == right.name.lower():
            return False
        languages = {self.summaries[member.page].language for member in (left, right)} - {""}
        if len(languages) > 1:
            return False
        if known_names.is_known_name(left.name) and known_names.is_known_name(right.name):
            return True
        parts = [paths.get_parts(self._get_path(member)) for member in (left, right)]
        return all(paths.may_separate_variants(parts[0], parts[1], place) for place in get_open_places(shape))

    def _add_from_other_folders(self, matches: Sequence[PageSet], used_pages: set[int]) -> Iterator[PageSet]:
        """Add pages with known names in other folders that are similar to a set's or to each other."""
        unused: dict[Shape, list[Member]] = defaultdict(list)
        for index in self.path_order:
            for shape, value in build_shapes(self.summaries[index].path) if index not in used_pages else ():
                for opened in _iter_opened_shapes(shape) if known_names.is_known_name(value) else ():
                    unused[opened].append(Member(index, value))
        for page_set in matches:
            members = list(page_set.members)
            for opened in _iter_opened_shapes(page_set.shape):
                self._join_similar(members, unused.get(opened, ()), used_pages)
            yield page_set._replace(members=tuple(sorted(members, key=self._get_path)))
        for opened, members in sorted(unused.items()):
            for first in members:
                joined = [first] if first.page not in used_pages else []
                self._join_similar(joined, members if joined else (), used_pages)
                if len(joined) > 1:
                    used_pages.add(first.page)
                    yield PageSet(opened, tuple(sorted(joined, key=self._get_path)), 0.0)

    def _join_similar(self, members: list[Member], candidates: Iterable[Member], used_pages: set[int]) -> None:
        """Add to a set the pages of other names that are similar to one of its pages."""
        for member in candidates:
            if member.page in used_pages or member.name.lower() in _get_values(members):
                continue
            if self._is_similar(member, members):
                members.append(member)
                used_pages.add(member.page)

    def _is_similar(self, member: Member, others: Iterable[Member]) -> bool:
        units = self.summaries[member.page].get_masked_units(member.name)
        for other in others:
            other_units = self.summaries[other.page].get_masked_units(other.name)
            differs = paths.find_difference(self._get_path(member), self._get_path(other))
            if differs and 2 * len(units & other_units) >= MAJORITY * max(1, len(units) + len(other_units)):
                return True
        return False


def _trim_common_words(group: PageSet) -> PageSet:
    """Remove from a set the words all its names start or end with: `next-*` has `next-intl`, `next-auth`."""
    names = [paths.split_part(member.name) for member in group.members]
    max_common = min(map(len, names)) - 1
    start = next((i for i in range(0, max_common, 2) if len({name[i].lower() for name in names}) > 1), max_common)
    end = next((i for i in range(0, max_common - start, 2) if len({name[-1 - i].lower() for name in names}) > 1), 0)
    if not (start or end) or any(len(name) <= start + end for name in names):
        return group
    cut = ("".join(name[start : len(name) - end]) for name in names)
    members = (Member(member.page, name) for member, name in zip(group.members, cut, strict=True))
    head, tail = "".join(names[0][:start]).lower(), "".join(names[0][len(names[0]) - end :]).lower()
    shape = tuple(part.replace(WILD, f"{head}{WILD}{tail}") for part in group.shape)
    return group._replace(shape=shape, members=tuple(members))


def _get_values(members: Iterable[Member]) -> set[str]:
    return {member.name.lower() for member in members}


def _iter_opened_shapes(shape: Shape) -> Iterator[Shape]:
    for index, part in enumerate(shape[:-1]):
        if WILD not in part:
            yield (*shape[:index], WILD, *shape[index + 1 :])


def _select_pairs(members: Sequence[Member], shared: Counter[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the pairs to score, by index: all pairs of few pages, else those that share lines or have known names."""
    if len(members) <= MAX_PAGES_FOR_ALL_PAIRS:
        return {*shared, *combinations(range(len(members)), 2)}
    pairs = {pair for pair, count in shared.items() if count > 1}
    named = [index for index, member in enumerate(members) if known_names.is_known_name(member.name)]
    return pairs.union(combinations(named, 2)) if len(named) <= 2 * MAX_PAGES_FOR_ALL_PAIRS else pairs


def _count_shared_lines(lines: Sequence[frozenset[int]]) -> Counter[tuple[int, int]]:
    """Count the lines that two pages have in common, for each two that have some."""
    holders = group_pairs((line, index) for index, lines_of_page in enumerate(lines) for line in lines_of_page)
    shared: Counter[tuple[int, int]] = Counter()
    for pages in holders.values():
        if 1 < len(pages) <= MAX_PAGES_WITH_LINE:
            shared.update(combinations(pages, 2))
    return shared


def _find_connected(links: Iterable[tuple[Member, Member]]) -> list[set[Member]]:
    """Return the groups of members that links connect."""
    groups: dict[Member, set[Member]] = {}
    for left, right in links:
        first, second = groups.setdefault(left, {left}), groups.setdefault(right, {right})
        if first is not second:
            small, large = sorted((first, second), key=len)
            large |= small
            groups.update(dict.fromkeys(small, large))
    return list({id(group): group for group in groups.values()}.values())


def _find_near_members(pairs: Iterable[Pair], group: set[Member]) -> set[Member]:
    """Return members outside of a group that its size makes likely: each doubling beyond a pair is a bit."""
    support = math.log2(len(group) - 1)
    near = [pair for pair in pairs if pair.bits + support > 0 or (support > 0 and pair.share >= MAJORITY)]
    return {pair.left for pair in near if pair.right in group} | {pair.right for pair in near if pair.left in group}


def _select_one_per_name(group: Iterable[Member], best_bits: dict[Member, float]) -> list[Member]:
    """Return one member of a group for each name: the one with the most evidence."""
    ranked = sorted(group, key=lambda member: (best_bits[member], -member.page))
    return list({member.name.lower(): member for member in ranked}.values())
