"""Words that turn the sense of a text around, such as "not", and "least" for "most": no majority decides over these."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product

from tutorial_tool.core import lazy_re
from tutorial_tool.variation.opposites import are_opposed, are_opposite_places
from tutorial_tool.variation.wording import differing

_DENIES = lazy_re.compile(
    r"\b(?:not|no|never|cannot|none|neither|nor|without|nicht|kein\w*|nie|ohne|pas|jamais|aucune?|sans|nunca|sin|não|sem"
    r"|non|mai|senza|niet|geen|nooit|zonder|inte|ikke|aldrig|utan|uden|uten)\b|n['’]t\b|ない|ません|なし|不|没|未|勿",
    re.IGNORECASE,
)
"""What denies, in languages that much documentation is written in."""
FEW = 3  # Words of a text that is too short to tell whether it is rewritten
_WORD = lazy_re.compile(r"[^\W\d_]+")


def turning(name: str, other: str) -> str | None:
    """What turns the sense of one of two texts around, in words; None where nothing does."""
    denials = [Counter(result.lower() for result in _DENIES.findall(text)) for text in (name, other)]
    if denials[0].total() % 2 != denials[1].total() % 2 and not _is_rewritten(name, other):
        return f"'{next(iter((denials[0] - denials[1]) + (denials[1] - denials[0])))}' turns the sense around"
    for left, right in differing(name, other):
        own, expected = (set(_words(text)) for text in (name[slice(*left)], other[slice(*right)]))
        for word, against in product(sorted(own - expected), sorted(expected - own)):
            if are_opposed(word, against) or are_opposite_places(word, against):
                return f"'{min(word, against)}' and '{max(word, against)}' say the opposite"
    return None


def _is_rewritten(name: str, other: str) -> bool:
    """Whether texts of more than a few words share less than half of these."""
    counts = [Counter(_words(text)) for text in (name, other)]
    shared, most = (counts[0] & counts[1]).total(), max(count.total() for count in counts)
    return min(count.total() for count in counts) > FEW and 2 * shared < most


def _words(text: str) -> Iterator[str]:
    return (match[0].lower() for match in _WORD.finditer(text))
