"""Changes of a value of JSON, for tests that hold a schema against the code that reads the same files."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

Path = tuple[Any, ...]
Change = Callable[[Any, Any], None]
"""Takes a mapping or list, and the key or index of what is to be changed in it."""


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all keys and entries."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield (*path, key)
        yield from paths(inner, (*path, key))


def mutated(value: Any, path: Path, change: Change) -> Any:
    """The value with one thing changed; the value itself stays."""
    out = inner = copy.deepcopy(value)
    for key in path[:-1]:
        inner = inner[key]
    change(inner, path[-1])
    return out


def drop(inner: Any, key: Any) -> None:
    del inner[key]


def misspell(inner: Any, key: Any) -> None:
    """A key that is nearly right; an entry of a list becomes a mapping that has no meaning anywhere."""
    if isinstance(inner, dict):
        inner[f"{key}x"] = inner.pop(key)
    else:
        inner[key] = {"idx": "x"}


def to(value: Any) -> Change:
    def change(inner: Any, key: Any) -> None:
        inner[key] = copy.deepcopy(value)

    return change


CHANGES = {
    "drop": drop,
    "misspell": misspell,
    "list": to([["x"]]),
    "table": to({"x y": {"z": "a"}}),
    "text": to("x"),
    "empty": to(""),
}
"""What spoils a value of any kind."""
