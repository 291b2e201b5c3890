"""Which unit of one copy answers to which of the others: the copies' texts, aligned many-way into columns.

Two copies are aligned as patience diffs do it: what is equal at both ends, then units that stand once in each, in the
longest common order; what lies between is aligned by likeness (Needleman and Wunsch, 1970). A further copy is aligned
with the columns found so far.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from rapidfuzz import fuzz

from tutorial_tool.adopt.units import Unit

Column = dict[str, Unit]
"""The units that answer to each other, by platform; a platform may lack one."""
MOST_CELLS = 60_000
"""Pairs of units that are compared in one gap: a larger one is aligned by equal units only."""
_ALIKE = {"row": 0.3, "front": 0.3, "image": 0.4, "table": 0.2, "fence": 0.0, "code": 0.5}
ALIKE = 0.5
"""The least likeness of two units that answer to each other, of 1; for some kinds another."""


def columns(copies: Mapping[str, Sequence[Unit]]) -> list[Column]:
    """The aligned units of copies, by platform, in an order that keeps that of each copy."""
    order = _central_first(copies)
    out: list[Column] = [{order[0]: unit} for unit in copies[order[0]]]
    for platform in order[1:]:
        out = _with(out, platform, copies[platform])
    return [{platform: column[platform] for platform in copies if platform in column} for column in _settled(out)]


def _central_first(copies: Mapping[str, Sequence[Unit]]) -> list[str]:
    """The platforms, the one first whose units most others have."""
    spread = Counter(unit for units in copies.values() for unit in set(units))
    return sorted(copies, key=lambda platform: -sum(spread[unit] - 1 for unit in set(copies[platform])))


def _with(profile: list[Column], platform: str, units: Sequence[Unit]) -> list[Column]:
    """The columns with one more copy in them."""
    out: list[Column] = []
    row = at = 0
    for i, j in [*_pairs(profile, units), (len(profile), len(units))]:
        out += profile[row:i]
        out += [{platform: unit} for unit in units[at:j]]
        if i < len(profile):
            out.append({**profile[i], platform: units[j]})
        row, at = i + 1, j + 1
    return out


def _pairs(profile: Sequence[Column], units: Sequence[Unit]) -> list[tuple[int, int]]:
    """The pairs (column, unit) that answer to each other, in order."""
    texts = [tuple(dict.fromkeys(column.values())) for column in profile]
    found: list[tuple[int, int]] = []
    gaps = [(0, len(texts), 0, len(units))]
    while gaps:
        a, b, c, d = gaps.pop()
        while a < b and c < d and units[c] in texts[a]:
            found.append((a, c))
            a, c = a + 1, c + 1
        while a < b and c < d and units[d - 1] in texts[b - 1]:
            b, d = b - 1, d - 1
            found.append((b, d))
        if a == b or c == d:
            continue
        anchors = _anchors(texts, units, (a, b, c, d))
        if not anchors:
            found += _by_likeness(texts, units, (a, b, c, d))
            continue
        for i, j in [*anchors, (b, d)]:
            gaps.append((a, i, c, j))
            a, c = i + 1, j + 1
        found += anchors
    return sorted(found)


_Texts = Sequence[tuple[Unit, ...]]
_Gap = tuple[int, int, int, int]


def _anchors(texts: _Texts, units: Sequence[Unit], gap: _Gap) -> list[tuple[int, int]]:
    """Units that stand once in each, in the longest order that both have."""
    a, b, c, d = gap
    left = Counter(unit for i in range(a, b) for unit in texts[i])
    right = Counter(units[c:d])
    place = {unit: j for j, unit in enumerate(units[c:d], c) if right[unit] == 1 and not unit.is_blank}
    pairs = []
    for i in range(a, b):
        known = [place[unit] for unit in texts[i] if left[unit] == 1 and unit in place]
        if known:
            pairs.append((i, known[0]))
    return _longest_increasing(pairs)


def _longest_increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of the pairs, in order of the first number, in which the second increases, too."""
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        at = bisect_left(tails, j)
        before.append(last[at - 1] if at else -1)
        tails[at : at + 1], last[at : at + 1] = [j], [number]
    out = []
    number = last[-1] if last else -1
    while number >= 0:
        out.append(pairs[number])
        number = before[number]
    return out[::-1]


def _by_likeness(texts: _Texts, units: Sequence[Unit], gap: _Gap) -> list[tuple[int, int]]:
    a, b, c, d = gap
    only_equal = (b - a) * (d - c) > MOST_CELLS
    if only_equal and (b - a) * (d - c) > 100 * MOST_CELLS:
        return []
    best = [[0.0] * (d - c + 1) for _ in range(b - a + 1)]
    weights: dict[tuple[int, int], float] = {}
    for i in range(b - a - 1, -1, -1):
        row, below = best[i], best[i + 1]
        for j in range(d - c - 1, -1, -1):
            one = units[c + j]
            weight = max(map(_equal if only_equal else likeness, texts[a + i], (one,) * len(texts[a + i])))
            if weight:
                weights[i, j] = weight
            row[j] = max(below[j], row[j + 1], below[j + 1] + weight if weight else 0.0)
    out, i, j = [], 0, 0
    while i < b - a and j < d - c:
        if (i, j) in weights and best[i][j] == best[i + 1][j + 1] + weights[i, j]:
            out.append((a + i, c + j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return out


def _equal(left: Unit, right: Unit) -> float:
    return 1.0 if left == right else 0.0


@lru_cache(maxsize=100_000)
def likeness(left: Unit, right: Unit) -> float:
    """How much two units answer to each other: 2 for equal ones, 0 for those that do not."""
    if left.kind != right.kind:
        return 0.0
    if left.is_blank:
        return 0.02 if left == right else 0.01
    if left == right:
        return 2.0
    if left.kind == "row":
        return _row_likeness(left.text, right.text)
    least = _ALIKE.get(left.kind, ALIKE)
    if left.kind == "text" and _is_item(left.text) != _is_item(right.text):
        least = 0.75
    if not _may(left, right, least):
        return _item_likeness(left, right, least)
    return max(0.1, fuzz.ratio(left.text, right.text, score_cutoff=100 * least) / 100)


def _may(left: Unit, right: Unit, least: float) -> bool:
    return least == 0 or fuzz.ratio(left.text, right.text, score_cutoff=100 * least) > 0


def _item_likeness(left: Unit, right: Unit, least: float) -> float:
    """Items of which one has more lines answer to each other by the first."""
    if left.is_wrapped == right.is_wrapped or not (_is_item(left.text) and _is_item(right.text)):
        return 0.0
    return fuzz.ratio(left.lines[0], right.lines[0], score_cutoff=100 * least) / 100


def _row_likeness(left: str, right: str) -> float:
    """Rows answer to each other by their first cell."""
    first, second = (text.strip().strip("|").partition("|")[0].strip() for text in (left, right))
    return 1.5 if first == second else 0.6 if fuzz.ratio(first, second) >= 80 else 0.0


def _is_item(text: str) -> bool:
    bare = text.lstrip()
    return bare[:2] in ("* ", "- ", "+ ") or (bare.lstrip("0123456789")[:2] in (". ", ") ") and bare[:1].isdigit())


def _settled(profile: list[Column]) -> list[Column]:
    """Blank lines that only some copies have stand behind what they follow: `A _ [B _] C` instead of `A [_ B] _ C`."""
    out = list(profile)
    start = 0
    while start < len(out):
        end = start + 1
        while end < len(out) and out[end].keys() == out[start].keys():
            end += 1
        while end < len(out) and _can_slide(out[start], out[end]):
            first, below = out[start], out[end]
            last = {platform: below[platform] for platform in first}
            out[start : end + 1] = [{**below, **first}, *out[start + 1 : end], last]
            start, end = start + 1, end + 1
        start = end
    return out


def _can_slide(first: Column, below: Column) -> bool:
    """Whether a blank line above some units is the one below them, of more copies."""
    return (
        first.keys() < below.keys()
        and all(unit.is_blank for unit in first.values())
        and all(below[platform] == unit for platform, unit in first.items())
    )
