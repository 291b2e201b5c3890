"""Whether the sentence around a place is English: a page may quote other languages, and a short one tells nothing."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from tutorial_tool.core import language, lazy_re
from tutorial_tool.markdown.document import Prose
from tutorial_tool.site import Page
from tutorial_tool.spelling import lists

English = Literal["surely", "likely", "no"]

_END = lazy_re.compile(r"[.!?:;…](?=[\"”’)\]]*(?:\s|$))|[\"“”„«»()|]")  # What ends a sentence, or borders a quotation
_WORD = lazy_re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LOOK = 300  # Characters before and behind a place that are looked at


def english(page: Page, prose: Prose, match: re.Match[str], word: str) -> English:
    """Whether what stands around a match is English, where `word` is what the match is about.

    Words that only English uses tell it, and words that no dictionary of English has tell the opposite.
    """
    if not (word.isascii() or lists.known(word)):
        return "no"
    around = _around(prose, match)
    is_told = any(language.is_of_english_alone(other.lower()) for other in (word, *around))
    if not is_told and page.document.seen_language.code != "en" and not lists.known(word):
        return "no"
    lower = [other for index, other in enumerate(around) if other[0].islower() or not index]
    odd = sum(map(_is_odd, lower))
    if not word.isupper() and language.is_common_elsewhere(word.lower()) and (odd or not is_told):
        return "no"
    if odd:
        return "likely" if 2 * odd < len(lower) + is_told else "no"
    return "surely" if is_told or (lower and page.document.seen_language.code == "en") else "likely"


@lru_cache(10_000)
def _is_odd(word: str) -> bool:
    """Whether a word is none of English: asked of the same words around each place of a sentence."""
    return not lists.known(word) or language.is_common_elsewhere(word.lower())


def _around(prose: Prose, match: re.Match[str]) -> list[str]:
    """The other words of the sentence or quotation that a match stands in."""
    before, after = prose[max(0, match.start() - _LOOK) : match.start()], prose[match.end() : match.end() + _LOOK]
    ends = [end.end() for end in _END.finditer(before)]
    first = _END.search(after)
    return _WORD.findall(before[ends[-1] if ends else 0 :]) + _WORD.findall(after[: first.start() if first else None])
