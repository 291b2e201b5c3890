"""Items by what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")


def group_by(items: Iterable[Item], get_key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Group items by a key; keys and items stay in the order in which they come."""
    return group_pairs((get_key(item), item) for item in items)


def group_pairs(pairs: Iterable[tuple[Key, Item]]) -> dict[Key, list[Item]]:
    """Return the second items of pairs by the first, both in the order in which they come."""
    groups: dict[Key, list[Item]] = {}
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    return groups
