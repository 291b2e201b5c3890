"""The patterns of `words/slips.txt`, read for the rule `grammar`: data, each with a bad and a good example."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.rules.text._phrases import SHOULD, WISH, Slip, nouns, plurals, verbs
from tutorial_tool.spelling import word_lists

MODALS = ("can", "could", "must", "should", "will", "would", "may", "might", "cannot")


class Pattern(NamedTuple):
    """A block of the list: the slip, a text that has it, and one that is right."""

    slip: Slip
    bad: str
    good: str


def listed() -> Iterator[Slip]:
    """The slips of the list."""
    return (pattern.slip for pattern in read_patterns())


def read_patterns() -> Iterator[Pattern]:
    """The blocks of the list, in its order."""
    block: dict[str, str] = {}
    for line in word_lists.lines("slips"):
        key, _, value = line.partition(": ")
        if key == "needs" and block:
            yield _build_pattern(block)
            block = {}
        block[key] = value
    yield _build_pattern(block)


def _build_pattern(block: dict[str, str]) -> Pattern:
    needs, pattern = block["needs"], block["pattern"]
    words = {"verbs": verbs(), "nouns": nouns(), "plurals": plurals(), "modals": "|".join(MODALS), "wishes": WISH}
    for name, choices in words.items():
        pattern = pattern.replace(f"<{name}>", choices)
    slip = Slip(
        lazy_re.compile(pattern),
        block.get("message", SHOULD),
        block.get("better"),
        tuple(needs.removeprefix("^").split(", ")),
        first=needs.startswith("^"),
        unmarked="unmarked" in block,
    )
    return Pattern(slip, block["bad"], block["good"])
