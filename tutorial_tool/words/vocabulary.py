"""The project's own words, which are right whatever the lists say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words that are right here. One in lower case holds in any case, another only as it is written."""

    any_case: frozenset[str] = frozenset()
    exact: frozenset[str] = frozenset()

    @classmethod
    def of(cls, entries: Iterable[str]) -> Vocabulary:
        """From entries such as a configuration has. Each word of an entry with several (`Higgs Shop`) counts."""
        words = {word for entry in entries for word in entry.replace("’", "'").split()}
        words |= {part for word in words for part in word.split("-")}
        return cls(frozenset(w for w in words if w == w.lower()), frozenset(w for w in words if w != w.lower()))

    @classmethod
    def read(cls, text: str) -> Vocabulary:
        """From the text of a file: an entry a line; `#` begins a comment."""
        return cls.of(line.partition("#")[0] for line in text.splitlines())

    def __contains__(self, word: str) -> bool:
        """Whether the word is one of these, with `'s` or without."""
        word = word.replace("’", "'")
        bare = word.removesuffix("'s")
        return not self.exact.isdisjoint((word, bare)) or not self.any_case.isdisjoint((word.lower(), bare.lower()))
