"""Three-way merge by word, as `diff3` does by line: apply the changes of one side to the other.

Source: Khanna, Kunal and Pierce, "A formal investigation of diff3", 2007. Differences in white space are kept from the
other side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Indel

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import CONTEXT_WORDS
from tutorial_tool.variation.multi_alignment import find_changed_runs

_TOKEN = lazy_re.compile(r"\w+|\s+|[^\w\s]")


class TokenChange(NamedTuple):
    """Tokens `start` to `end` of a text become `text`."""

    start: int
    end: int
    text: str


def merge(base: str, edited: str, other: str) -> str | None:
    """Return `other` with the changes from `base` to `edited`; None if `other` has a different text there."""
    words, target = _TOKEN.findall(base), _TOKEN.findall(other)
    matched = _match_tokens(words, target)
    out, index = [], 0
    for change in find_changes(words, _TOKEN.findall(edited)):
        located = _locate(change, words, matched)
        if located is None or located[0] < index:
            return None
        out += [*target[index : located[0]], change.text]
        index = located[1]
    return "".join([*out, *target[index:]])


def find_changes(words: Sequence[str], edited: Sequence[str]) -> Iterator[TokenChange]:
    """Yield the changes between two lists of tokens, merging those separated only by white space.

    A line break that a change brings is part of it: `tags: [a]` and a list of several lines.
    """
    for i, j, k, m in find_changed_runs(
        *([_get_key(word) for word in side] for side in (words, edited)), over_blanks=True
    ):
        starts = i > 0 < k and _is_broken(words[i - 1], edited[k - 1])
        ends = j < len(words) and m < len(edited) and _is_broken(words[j], edited[m])
        yield TokenChange(i - starts, j + ends, "".join(edited[k - starts : m + ends]))


def _is_broken(blank: str, edited: str) -> bool:
    return blank.isspace() and edited.isspace() and "\n" in edited and "\n" not in blank


def _get_key(word: str) -> str:
    return " " if word.isspace() else word


def _match_tokens(words: Sequence[str], target: Sequence[str]) -> dict[int, int]:
    """Return the index in `target` of each common token; -1 and the length represent the ends."""
    matches = {-1: -1, len(words): len(target)}
    for code in Indel.opcodes([_get_key(word) for word in words], [_get_key(word) for word in target]):
        if code.tag == "equal":
            matches |= {code.src_start + i: code.dest_start + i for i in range(code.src_end - code.src_start)}
    return matches


def _locate(change: TokenChange, words: Sequence[str], matched: dict[int, int]) -> tuple[int, int] | None:
    """Return which tokens of `target` a change replaces; None unless the old text and its context match there."""
    start = matched.get(change.start - 1)
    if start is None:
        return None
    start += 1
    expected = range(start, start + change.end - change.start + 1)
    if any(
        matched.get(index) != place for index, place in zip(range(change.start, change.end + 1), expected, strict=True)
    ):
        return None
    if (
        _count_context(words, matched, change.start - 1, -1) + _count_context(words, matched, change.end, 1)
        < CONTEXT_WORDS
    ):
        return None
    return start, start + change.end - change.start


def _count_context(words: Sequence[str], matched: dict[int, int], index: int, step: int) -> int:
    """Return how many words on one side of a change match without a gap, at most `CONTEXT_WORDS`.

    At the end of the text, that is `CONTEXT_WORDS`: fewer words are enough there.
    """
    count = 0
    while 0 <= index < len(words):
        if index not in matched or count == CONTEXT_WORDS:
            return count
        count += words[index][0].isalnum()
        if matched.get(index + step) != matched[index] + step:
            return count
        index += step
    return CONTEXT_WORDS
