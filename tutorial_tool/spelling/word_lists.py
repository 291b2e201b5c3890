"""Read the word lists that come with rules, in `words/`."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def read_lines(name: str) -> tuple[str, ...]:
    """Return the lines of a list, without empty ones and those that begin with `#`."""
    text = (Path(__file__).parent / "words" / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


def read_words(name: str) -> tuple[str, ...]:
    """Return the words of a list, in its order."""
    return tuple(word for line in read_lines(name) for word in line.split())
