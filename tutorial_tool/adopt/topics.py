"""What a text is about, in a few words: for the names of files, tables and abilities."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool import lazy_re

_TAG = lazy_re.compile(r"</?[A-Za-z][^>]*>|\]\([^)]*\)")
_TELLING = (
    lazy_re.compile(r"^#{1,6}[ \t]+(?:[\d.]+[ \t]+)?(.+)$", re.MULTILINE),
    lazy_re.compile(r"\*\*(.+?)\*\*"),
    lazy_re.compile(r"`([^`\n]+)`"),
    lazy_re.compile(r"(?<!\w)[_*]([^_*\n]+)[_*](?!\w)"),
)
"""Headings, what stands in bold, code, what is stressed."""
EMPTY = frozenset(
    "the and but for nor yet with from into onto over that this these those than then when where which while who whose"
    " you your our its his her their they them are was were has have had can will may not all any each".split()
)
"""Words that say nothing of what a text is about."""
_HEADING = lazy_re.compile(r"#{1,6}[ \t]+(?:[\d.]+[ \t]+)?(.*)")


def of(text: str) -> Iterator[str]:
    """What a text is about, the most telling words first."""
    bare = _TAG.sub(" ", text)
    if not bare.strip():
        yield "trailing space" if text.isspace() else text
    for pattern in _TELLING:
        for found in pattern.finditer(bare):
            yield found[1]
    if table := of_table(text):
        yield table
    words = [word for word in re.findall(r"[^\W\d_]+", bare) if word.lower() not in EMPTY]
    yield from (" ".join([word for word in words if len(word) > least][:3]) for least in (3, 2))


def of_heading(line: str) -> str | None:
    """The words of a heading, without a number; None for another line."""
    found = _HEADING.match(line)
    return found[1].strip() if found else None


def of_table(text: str) -> str | None:
    """What a table lists; None for another text."""
    bare = text.strip()
    return plural(bare.strip("|").partition("|")[0].strip()) if bare.startswith("|") else None


def plural(word: str) -> str:
    """What a table lists: `Connection Setting` heads a list of connection settings."""
    if not re.search(r"[a-z]$", word) or word.endswith("s"):
        return word
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"
