"""Sentences in which a copy tells of what its platform has of its own: for `drifted-wording`."""

from __future__ import annotations

import re
from collections import Counter

from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.markdown.document import MASK
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit
from tutorial_tool.variation.wording import (
    NUMBERS,
    word_counts,
)

_WORD = lazy_re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_FEW = 3
"""Words at most in which a sentence is a platform's own, and the same else."""
_TERM = lazy_re.compile(r"[^\W\d_]{4,}|[^\W\d_]{3,} [^\W\d_]{3,}")
_OFTEN = 3
"""How often a page uses a word of its own that no other copy has, however short."""
_TERMS = 2
"""In how many places a sentence differs at most in which a term is another one."""
_TWICE = 2
"""How often it must stand elsewhere than in the place of the usual word, where its page has that, too."""
_SHORT, _LONG = 3, 6
"""Words of the shortest sentence that tells whether it is another one, and of one that does by a word alone."""
_SHARE = 3
"""Of how many words no more than one is shared by sentences that tell of two things."""
_NAME_WORD = lazy_re.compile(r"[^\W\d_]+")
_DENIALS = frozenset(("no", "non", "not", "un", "without", "disabled", "off"))
"""Words in the name of what is told apart from its opposite."""
_LETTERS = 4
"""Letters of such a word, and of one that says something, at least."""


def times_said(page: Page, phrase: str) -> int:
    """How often a page says some words that stand side by side."""
    if not all(word_counts(page)[word] for word in phrase.split()):
        return 0
    found = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
    return sum(len(found.findall(" ".join(prose.lower().split()))) for prose in page.document.prose())


def _is_number(word: str) -> bool:
    return word in NUMBERS or any(map(str.isdigit, word))


def _is_own(step: Step, name: str, word: str, times: int = _OFTEN) -> bool:
    """Whether a page uses a word often, and no other copy does."""
    if len(word) < _LETTERS or word_counts(step.pages[name])[word] < times:
        return False
    return all(word not in word_counts(page) for id_, page in step.pages.items() if id_ != name)


def explains(unit: Unit, theirs: Unit) -> bool:
    """Whether another sentence speaks of what those before it lack, as only this copy does: it is the reason."""
    if unit.prose is None or theirs.prose is None or unit.is_first or theirs.is_first or not are_two(unit, theirs):
        return False
    before = [{*_WORD.findall(str(each.prose)[: each.offset].lower())} for each in (unit, theirs)]
    lacking = {word for word in before[1] - before[0] if len(word) >= _LETTERS}
    return bool(lacking) and before[0] < before[1] and lacking <= {*_WORD.findall(unit.text.lower())}


def are_two(unit: Unit, theirs: Unit) -> bool:
    """Whether two sentences share next to nothing: a word of a longer one, or short words such as `the`."""
    mine, other = unit.masked, theirs.masked
    if scripts.is_in(mine) or MASK in mine + other or any(map(str.isdigit, mine)):
        return False
    words = [Counter(_WORD.findall(text.lower())) for text in (mine, other)]
    common, longest = words[0] & words[1], max(map(Counter.total, words))
    if longest < _SHORT or common.total() > longest / _SHARE:
        return False
    return longest > _LONG or all(len(word) < _LETTERS for word in common)


def _shared(unit: Unit, theirs: Unit) -> set[str]:
    """The longer words that two texts have in common."""
    said = [{word for word in _WORD.findall(each.masked.lower()) if len(word) >= _LETTERS} for each in (unit, theirs)]
    return said[0] & said[1]


def _behind(unit: Unit) -> str:
    """What follows a sentence in its paragraph or item, in small letters."""
    return str(unit.prose)[unit.offset + len(unit.text) :].strip().lower() if unit.prose is not None else ""
