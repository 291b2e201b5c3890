"""Compile regular expressions from word lists, without those that a text can make slow.

Python's `re` backtracks, and `(a+)+b` has more paths than anybody can wait for. So nested repetition is rejected,
repeats are few, and a match is short.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass

from tutorial_tool.core import lazy_re

MAX_LENGTH = (
    120  # Maximum characters of a match: backtracking grows with this number to the power of the pattern's repeats
)
_UNKNOWN = lazy_re.compile(r"\(\?<?[=!]|\(\?P=|\\[0-9]")
_TOKEN = lazy_re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<times>\{\d+\})|(?P<upto>\{\d*,\d+\})|(?P<endless>[*+]|\{\d*,\})|\((?:\?:)?|.",
    re.DOTALL,
)
_NAME = lazy_re.compile(r"\(\?P<\w+>")
_BREAK = lazy_re.compile(r"\\?[ \-]|\\s|\[[ \-]+\]")
_HALF_GROUP = lazy_re.compile(r"\((?:\?:)?|\)[?*+]?")


class MalformedPattern(ValueError):
    """An expression that cannot be used: the reason, and the offset in it (0-based characters)."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@dataclass(frozen=True)
class Pattern:
    """An expression without named groups and global flags, and the patterns of each of its words."""

    text: str
    _words: tuple[re.Pattern[str], ...]

    def matches_word(self, word: str) -> bool:
        """Return whether it matches a word, or has a word that does.

        `Kotlin( Multiplatform)?` matches `Multiplatform`.
        """
        return len(word) <= MAX_LENGTH and any(pattern.fullmatch(word) for pattern in self._words)


def compile_pattern(text: str) -> Pattern:
    """Compile an expression.

    Raises: MalformedPattern: it cannot be used.
    """
    if unknown := _UNKNOWN.search(text):
        raise MalformedPattern(f"`{unknown[0]}` is not supported", unknown.start())
    _check_repeats(text)
    flags = re.IGNORECASE if text.startswith("(?i)") else re.NOFLAG
    expression = _NAME.sub("(", text.removeprefix("(?i)"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # character sets whose meaning may change in a future Python
            words = (re.compile(expression, flags), *_split_words(expression, flags))
    except (re.error, OverflowError, RecursionError) as wrong:
        at = min(getattr(wrong, "pos", None) or 0, len(text))
        raise MalformedPattern(getattr(wrong, "msg", "it is too large"), at) from None
    return Pattern(f"(?i:{expression})" if flags else expression, words)


def _check_repeats(text: str) -> None:
    """Check the repetition in an expression.

    Raises: MalformedPattern: a group that matches a text in several ways is repeated, or too much repeats.
    """
    is_loose, endless = [False], 0  # For each open group: whether it matches a text in several ways
    group = False  # The same for the group that ends here
    for token in _TOKEN.finditer(text):
        endless += token.lastgroup == "endless"
        if (token.lastgroup and group) or endless > lazy_re.MAX_REPEATS:
            raise MalformedPattern("it repeats what repeats", token.start())
        group = False
        if token[0].startswith("("):
            is_loose.append(False)
        elif token[0] == ")" and len(is_loose) > 1:
            group = is_loose.pop()
            is_loose[-1] |= group
        else:
            is_loose[-1] |= token.lastgroup in ("upto", "endless") or token[0] in "|?"


def _split_words(expression: str, flags: re.RegexFlag) -> list[re.Pattern[str]]:
    """Return the parts between the spaces and hyphens of an expression that has some."""
    words = []
    for text in _BREAK.split(expression) if _BREAK.search(expression) else ():
        part = text.lstrip("?*+|)").rstrip("(|")
        if part.count("(") != part.count(")"):
            part = _HALF_GROUP.sub("", part)
        try:
            words.append(re.compile(part or "(?!)", flags))
        except re.error:  # part of a character set
            continue
    return words
