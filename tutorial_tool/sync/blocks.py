"""Blocks with opening and closing lines: fences, admonitions, and HTML and MDX elements."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tutorial_tool.core import lazy_re
from tutorial_tool.core.grouping import group_by
from tutorial_tool.markdown.html_tags import VOID
from tutorial_tool.sync.edits import LineEdit

_FENCE = lazy_re.compile(r"^[ \t>]*(?:```+|~~~+)[ \t]*(?P<language>[\w+#-]*)", re.MULTILINE)
_COLONS = lazy_re.compile(r"^[ \t]*:{3,}(?P<name>[^\n]*)$", re.MULTILINE)
_TAG = lazy_re.compile(r"<(?P<closes>/?)(?P<name>[A-Za-z][\w.-]*)(?P<rest>[^<>]*?)(?P<ends>/?)>")
_FENCES = "```"


def find_languages(text: str) -> set[str]:
    """Return the languages of the code blocks in a text."""
    return {match["language"].lower() for match in _FENCE.finditer(text)} - {""}


def pair_halves(old: Sequence[str], new: Sequence[str], edits: Sequence[LineEdit]) -> Iterator[list[LineEdit]]:
    """Group edits that open and close blocks, from the first one opened until all are closed again."""
    balance: Counter[str] = Counter()
    group: list[LineEdit] = []
    for edit in edits:
        change = _open_blocks("\n".join(new[edit.new_start : edit.new_end]))
        change.subtract(_open_blocks("\n".join(old[edit.start : edit.end])))
        if not any(change.values()):
            continue
        group.append(edit)
        balance.update(change)
        balance[_FENCES] %= 2
        if not any(balance.values()):
            yield group
            group = []
    if group:
        yield group


def group_code(blocks: Sequence[tuple[int, str]], edits: Sequence[LineEdit]) -> Iterator[list[LineEdit]]:
    """Yield groups of edits within the same code block: applying only some would produce invalid code."""
    groups = group_by(edits, lambda edit: blocks[min(edit.start, len(blocks) - 1)][0])
    yield from (group for number, group in groups.items() if number and len(group) > 1)


def number_code(lines: Sequence[str], language: str = "") -> list[tuple[int, str]]:
    """Return for each line the number of its code block, fences included, and its language; 0 for none.

    If a `language` is given, the whole file is code.
    """
    if language:
        return [(1, language)] * len(lines)
    numbers: list[tuple[int, str]] = []
    number = 0
    is_open = False
    for line in lines:
        if (fence := _FENCE.match(line)) and not is_open:
            number, language = number + 1, fence["language"].lower()
        numbers.append((number, language) if is_open or fence else (0, ""))
        is_open ^= fence is not None
    return numbers


def _open_blocks(text: str) -> Counter[str]:
    """Return for each kind of block how many more times it opens than it closes in a text."""
    counts: Counter[str] = Counter()
    counts[_FENCES] = len(_FENCE.findall(text)) % 2
    counts[":::"] = sum(1 if match["name"].strip() else -1 for match in _COLONS.finditer(text))
    for match in _TAG.finditer(text):
        if not match["ends"] and match["name"] not in VOID:
            counts[match["name"].lower()] += -1 if match["closes"] else 1
    return counts
