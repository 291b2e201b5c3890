"""The word lists that rules bring, in `words/`."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def lines(name: str) -> tuple[str, ...]:
    """The lines of a list, without empty ones and those that begin with `#`."""
    text = (Path(__file__).parent / "words" / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


def words(name: str) -> tuple[str, ...]:
    """The words of a list, in its order."""
    return tuple(word for line in lines(name) for word in line.split())
