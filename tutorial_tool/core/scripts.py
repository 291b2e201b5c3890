"""Scripts without spaces between words: where a name ends next to their letters, and what is a word.

Japanese, Chinese, Thai and the like write `Linuxの設定` as one; Korean has spaces, but none before what follows a name:
`Linux에서`. This module has no effect on texts without such letters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Any

from tutorial_tool.core import lazy_re

_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
"""Letters for foreign words: consecutive ones form one word."""
_HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
_SOUTHERN = "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Thai, Lao, Burmese, Khmer: vowels and tones may be combining marks."""
_EASTERN = "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
"""Kana and the characters of Chinese and Japanese. All from Unicode's blocks."""
_UNSPACED = _SOUTHERN + _EASTERN
_OF_OTHERS = "0-9A-Za-z_\u00aa\u00b5\u00ba\u00c0-\u024f\u0370-\u052f"
"""Letters and digits that are part of an adjacent name: Latin, Greek, Cyrillic."""
_ANY = lazy_re.compile(f"[{_UNSPACED}]")
_ADJACENT = lazy_re.compile(f"[{_UNSPACED}{_HANGUL}]")
_PIECE = lazy_re.compile(
    rf"[{_KATAKANA}]+|[{_EASTERN}]|(?:(?=\w)[{_SOUTHERN}])(?:(?!\w)[{_SOUTHERN}])*|[^{_UNSPACED}]+"
)
RUN = lazy_re.compile(f"[{_KATAKANA}]+|[{_HANGUL}]+|[{_UNSPACED}]|[^\\s{_UNSPACED}{_HANGUL}]+")
"""A word of a title, with a name separated from what is directly after it: `Linux`, `에서`."""
_FOREIGN = lazy_re.compile(rf"[\x00-\x7f{_KATAKANA}\u30fb]+")
_EAST, _SOUTH = lazy_re.compile(f"[{_EASTERN}]"), lazy_re.compile(rf"(?=\w)[{_SOUTHERN}]")
_OF_EAST, _OF_SOUTH = 2, 4  # Average letters per word: of Japanese and Chinese, and of Thai
MAX_TERM_WORDS = 3  # Maximum words of a term, a name, a list of names, a negation, or a phrase that can be a name
TELLING_WORDS = 6  # Minimum words of a text that says something: a label has fewer. Two settings share none by chance
DISTINCTIVE = 20  # Minimum letters of a text that does not recur by chance


def has_unspaced_script(text: str) -> bool:
    """Return whether a text has letters of a script without spaces."""
    return not text.isascii() and _ANY.search(text) is not None


def count_letters(text: str) -> int:
    """Count the letters of scripts without spaces in a text."""
    return 0 if text.isascii() else len(_ANY.findall(text))


def count_words(text: str) -> int:
    """Count the words of a text; in scripts without spaces, by the average number of letters in a word."""
    if not has_unspaced_script(text):
        return len(text.split())
    others = sum(any(map(str.isalnum, word)) for word in _ANY.sub(" ", text).split())
    return others + ceil(len(_EAST.findall(text)) / _OF_EAST + len(_SOUTH.findall(text)) / _OF_SOUTH)


def split_words(text: str) -> list[str]:
    """Return the words of a text: split at spaces and, in scripts without them, at each letter.

    A run of katakana is one word.
    """
    if not has_unspaced_script(text):
        return text.split()
    return [word for piece in _PIECE.finditer(text) for word in piece[0].split()]


def allows_adjacent_names(text: str) -> bool:
    """Return whether a text has letters that a name may adjoin without a space, including Korean."""
    return not text.isascii() and _ADJACENT.search(text) is not None


def may_be_name(text: str) -> bool:
    """Return whether a title difference may be a name: Latin or katakana; others may be any word."""
    return _FOREIGN.fullmatch(text) is not None


@dataclass(frozen=True)
class Expression:
    """An expression with word characters around a name; letters of these scripts do not extend the name.

    Other texts are matched by the expression unchanged. Both forms are compiled on first use.
    """

    pattern: str
    flags: int = 0

    @cached_property
    def _plain(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)

    @cached_property
    def _beside(self) -> re.Pattern[str]:
        return re.compile(self.pattern.replace(r"\w", _OF_OTHERS), self.flags)

    def _select_pattern(self, text: str) -> re.Pattern[str]:
        return self._beside if allows_adjacent_names(text) else self._plain

    def search(self, text: str) -> re.Match[str] | None:
        return self._select_pattern(text).search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self._select_pattern(text).finditer(text)

    def findall(self, text: str) -> list[Any]:
        return self._select_pattern(text).findall(text)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str) -> str:
        return self._select_pattern(text).sub(new, text)


def build_whole_word(word: str, pattern: str) -> str:
    """Return an expression for a word that is not part of a longer one in katakana."""
    before = f"(?<![{_KATAKANA}])" if re.match(f"[{_KATAKANA}]", word) else ""
    after = f"(?![{_KATAKANA}])" if re.search(f"[{_KATAKANA}]$", word) else ""
    return before + pattern + after


def squeeze_word(word: str) -> str:
    """Return a word in lower case with only its letters and digits."""
    return "".join(filter(str.isalnum, word.lower()))
