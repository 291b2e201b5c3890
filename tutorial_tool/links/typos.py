"""Misspelled names and schemes: one letter is wrong, missing or extra, or two are swapped."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tutorial_tool.core import lazy_re

SHORTEST = 4  # Minimum letters of a misspelled name, where only such are reported
MIN_LETTERS = 6  # 41 trees, 2026-11: shorter names that differ in one letter are often both right
_LONG = lazy_re.compile(r"(?![gs]et)[^\W\d_]{6,}")  # A word that seldom has a valid twin with another first letter
BROKEN_SCHEME = lazy_re.compile(
    r"(?i)(?<![\w./:+@-])(?!https?://\w)(?=[hst]*p)(?=[hps]*t)([htps]{3,7})(?::/{0,4}|//)(?=(?:[\w-]+\.)+[a-z]{2})"
    r"|(?<![\w./:+@-])(https?)://https?(?::/*|//)(?=\w)"
)
"""What is meant as the scheme of a host's URL but is none, or is there twice."""


def fix_scheme(typed: str) -> tuple[str, str]:
    """Return how a misspelled scheme should read, and a message about it."""
    expected = "https://" if "s" in re.split("[:/]", typed.lower())[0] else "http://"
    return expected, f"`{typed}` is not a scheme; write `{expected}`"


def is_slip(name: str, names: Iterable[str], least: int = MIN_LETTERS) -> bool:
    """Return whether a name of at least so many characters is a misspelling of one of these names.

    A difference in a digit, the first letter of a short word, its end or case does not count: `v1` and `v2`, `get-x`
    and `set-x`, plurals.
    """
    if len(name) < least:
        return False
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    near = process.extract_iter(name, names, scorer=OSA.distance, score_cutoff=1)
    return any(_differs_inside_word(name, other) for other, distance, _ in near if distance == 1)


def _differs_inside_word(name: str, other: str) -> bool:
    pairs = enumerate(zip(name, other, strict=False))
    at = next((at for at, (left, right) in pairs if left != right), min(len(name), len(other)))
    is_inside = name[at - 1 : at].isalpha() or all(_LONG.match(text, at) for text in (name, other))
    is_letter = all(text[at : at + 1].isalpha() for text in (name, other))
    return is_inside and is_letter and name.casefold() != other.casefold()
