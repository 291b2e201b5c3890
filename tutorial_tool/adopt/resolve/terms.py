"""The words in which copies differ, wherever they stand: in a slot of a line, or in the middle of a cell."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tutorial_tool.adopt.names.own_names import OwnNames
from tutorial_tool.adopt.resolve.differences import Difference
from tutorial_tool.adopt.words import has_word
from tutorial_tool.adopt.words.pieces import Vector, is_name

Term = tuple[str, str, str, str]
"""Two platforms, and what each says where they differ, without their own names, in small letters."""


def terms(difference: Difference, own: OwnNames) -> frozenset[Term]:
    """What any two platforms say for each other's words, in one place."""
    return frozenset(term for slot in difference.slots if not is_name(slot) for term in _terms(slot, own))


def _terms(slot: Vector, own: OwnNames) -> Iterator[Term]:
    masked = sorted((platform, own.masked(text, platform).strip().lower()) for platform, text in slot)
    for (one, mine), (other, theirs) in combinations(masked, 2):
        if mine != theirs and has_word(mine) and has_word(theirs):
            yield one, other, mine, theirs
