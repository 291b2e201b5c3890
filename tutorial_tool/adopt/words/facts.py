"""Facts: what is specific to each platform and recurs. In compared texts, each becomes one character."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from tutorial_tool.adopt.words.pieces import Vector, compile_whole_words
from tutorial_tool.core import lazy_re
from tutorial_tool.core.scripts import Expression

SIGNS = "\uf000-\uf8ff"  # Private-use characters, as a range for regular expressions: one for each fact, in order
_FIRST = ord(SIGNS[0])
_SIGN = lazy_re.compile(f"([{SIGNS}])")


class Facts(Protocol):
    """What is known about platforms before their texts are compared."""

    def is_known(self, vector: Vector) -> bool:
        """Return whether a difference is a name of the platform, or a value that is also used elsewhere."""

    def find_within(self, texts: Mapping[str, str]) -> Iterable[Vector]:
        """Return the facts that may occur in the texts of platforms, the longest first."""


@dataclass(frozen=True)
class MaskedTexts:
    """Texts in which facts are masked by single characters."""

    texts: Mapping[str, str]
    facts: tuple[Vector, ...] = ()

    def split_facts(self, common: str) -> Iterator[str | Vector]:
        """Yield the parts of a common text, with its facts restored."""
        parts = _SIGN.split(common) if self.facts else [common]
        yield from (self.facts[ord(part) - _FIRST] if index % 2 else part for index, part in enumerate(parts))

    def restore_vector(self, vector: Vector) -> Vector:
        """Return a difference with each platform's own text restored."""
        if not self.facts:
            return vector
        return tuple((platform, self._restore_text(text, platform)) for platform, text in vector)

    def _restore_text(self, text: str, platform: str) -> str:
        return _SIGN.sub(lambda sign: dict(self.facts[ord(sign[0]) - _FIRST])[platform], text)


def mask_facts(texts: Mapping[str, str], facts: Facts | None) -> MaskedTexts:
    """Mask each fact that occurs in all texts with the same frequency; other frequencies may be chance."""
    if facts is None or len(set(texts.values())) == 1 or any(map(_SIGN.search, texts.values())):
        return MaskedTexts(texts)
    out, masked = dict(texts), list[Vector]()
    for fact in facts.find_within(texts):
        if is_in_texts(fact, out):
            sign = chr(_FIRST + len(masked))
            out |= {platform: _get_pattern(value).sub(sign, out[platform]) for platform, value in fact}
            masked.append(fact)
    return MaskedTexts(out, tuple(masked))


def is_in_texts(fact: Vector, texts: Mapping[str, str]) -> bool:
    """Return whether a fact occurs in the texts of exactly its platforms, equally often in each."""
    if fact[0][0] not in texts or len(fact) != len(texts):
        return False
    counts = (len(_get_pattern(value).findall(texts[platform])) if platform in texts else 0 for platform, value in fact)
    first = next(counts)
    return first > 0 and all(count == first for count in counts)


@lru_cache(maxsize=20_000)
def _get_pattern(text: str) -> Expression:
    """Return a pattern for the text as a whole word."""
    before = "" if re.match(r"\w", text) else ".~-"
    return compile_whole_words([text], before=before, after=re.match(r"\w", text[-1]) is not None)
