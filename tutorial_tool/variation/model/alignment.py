"""Where the values of a slot differ: a multiple alignment of their tokens.

Each value is aligned with one of them, the center (the star alignment of Gusfield, "Efficient methods for multiple
sequence alignment", 1993). So the work grows with the number of different values, not with that of their pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from rapidfuzz.distance import Indel, Levenshtein

from tutorial_tool.core.similarity import MAX_TOKENS

TokenKeys = tuple[str, ...]  # A value, as the keys of its tokens
DifferingSpans = Mapping[TokenKeys, tuple[int, int]]  # Where values differ: by value, its first token and the end
Block = tuple[int, int, int, int]  # A difference of two keys: start and end in the first, start and end in the second
_BRIDGE = frozenset("a the of to in on at by for with and or is are , .".split())
"""Tokens that may occur between two differences by chance."""


def find_differing_spans(keys: Mapping[str, TokenKeys]) -> tuple[DifferingSpans, ...]:
    """Find the places where the variants' values differ; none if they are equal or too long."""
    counts = Counter(keys.values())
    if len(counts) < 2 or max(map(len, counts)) > MAX_TOKENS:
        return ()
    center = find_center(counts)
    blocks = {key: find_blocks(center, key) for key in counts}
    places = _merge_places(block[:2] for own in blocks.values() for block in own)
    return tuple({key: locate_place(block, place) for key, block in blocks.items()} for place in places)


def find_center(counts: Mapping[TokenKeys, int]) -> TokenKeys:
    """Return the value that most variants have; of several, the one most similar to all others."""
    max_count = max(counts.values())
    likely = sorted(key for key, count in counts.items() if count == max_count)
    if len(likely) == 1:
        return likely[0]
    return max(likely, key=lambda key: (sum(measure_similarity(key, other) * n for other, n in counts.items()), key))


@lru_cache(100_000)
def measure_similarity(left: TokenKeys, right: TokenKeys) -> float:
    """Measure the similarity of two values, from 0 to 1."""
    return Indel.normalized_similarity(left, right)


@lru_cache(100_000)
def find_blocks(left: TokenKeys, right: TokenKeys, *, is_bridged: bool = True) -> tuple[Block, ...]:
    """Return the blocks in which two keys differ, in order.

    Adjacent blocks are merged; with `is_bridged`, so are those with only a small word between them.
    """
    if left == right:
        return ()
    out: list[Block] = []
    for code in Levenshtein.opcodes(left, right):
        i, j, k, m = code.src_start, code.src_end, code.dest_start, code.dest_end
        if code.tag == "equal":
            continue
        between = left[out[-1][1] : i] if out else ()
        is_bridge = len(between) == 1 and between[0] in _BRIDGE
        if out and (not between or (is_bridged and is_bridge)) and _are_replaced(out[-1], (i, j, k, m)):
            out[-1] = out[-1][0], j, out[-1][2], m
        else:
            out.append((i, j, k, m))
    return tuple(out)


def _are_replaced(left: Block, right: Block) -> bool:
    """Return whether two neighboring blocks are one rewrite: they touch, or each replaces words by words."""
    if left[1] == right[0]:
        return True
    return all(block[0] < block[1] and block[2] < block[3] for block in (left, right))


def _merge_places(places: Iterable[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Merge overlapping spans of the center, in order.

    An empty span also joins one that starts or ends there; other adjacent spans stay separate.
    """
    out: list[tuple[int, int]] = []
    for start, end in sorted(set(places)):
        if out and (start < out[-1][1] or start == out[-1][0] or (start == end == out[-1][1])):
            out[-1] = out[-1][0], max(end, out[-1][1])
        else:
            out.append((start, end))
    return out


def locate_place(blocks: Sequence[Block], span: tuple[int, int]) -> tuple[int, int]:
    """Map token indices of the center to a value that differs from it by these blocks."""
    start, end = span
    before = after = 0
    for i, j, k, m in blocks:
        extended = (m - k) - (j - i)
        if j < start or (j == start and i < start):
            before += extended
        if j <= end and i <= end:
            after += extended
    return start + before, end + after
