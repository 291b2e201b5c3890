"""Keep the project's own words, which are correct whatever the lists have, and those that it rejects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool.core.source import Span

if TYPE_CHECKING:
    from tutorial_tool.spelling.patterns import Pattern


class RejectedWord(NamedTuple):
    """A word or expression to avoid; `replacement` is the replacement, if the list has one."""

    text: str
    span: Span
    replacement: str = ""
    pattern: Pattern | None = None


@dataclass(frozen=True, slots=True)
class Compounds:
    """Words that may be at the start, in the middle or at the end of a compound, in lower case."""

    starts: frozenset[str] = frozenset()
    middles: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()

    def can_form(self, word: str) -> bool:
        """Return whether a lowercase word is one of the starts, any of the middles, and one of the ends."""
        reached = {at for at in range(1, len(word)) if word[:at] in self.starts}
        todo = list(reached)
        while todo:
            start = todo.pop()
            if word[start:] in self.ends:
                return True
            new = {at for at in range(start + 1, len(word)) if word[start:at] in self.middles} - reached
            reached |= new
            todo += new
        return False

    def __or__(self, other: Compounds) -> Compounds:
        return Compounds(self.starts | other.starts, self.middles | other.middles, self.ends | other.ends)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words to accept.

    One in lower case is accepted in any case, another only as written. `rejected` are those to avoid.
    """

    any_case: frozenset[str] = frozenset()
    exact: frozenset[str] = frozenset()
    patterns: tuple[Pattern, ...] = ()
    compounds: Compounds = Compounds()
    rejected: tuple[RejectedWord, ...] = ()

    @classmethod
    def from_entries(cls, entries: Iterable[str]) -> Vocabulary:
        """Build a vocabulary from a configuration's entries; each word of an entry (`Higgs Shop`) counts."""
        words = {word for entry in entries for word in entry.replace("’", "'").split()}
        words |= {part for word in words for part in word.split("-")}
        return cls(frozenset(w for w in words if w == w.lower()), frozenset(w for w in words if w != w.lower()))

    def __or__(self, other: Vocabulary) -> Vocabulary:
        return Vocabulary(
            self.any_case | other.any_case,
            self.exact | other.exact,
            self.patterns + other.patterns,
            self.compounds | other.compounds,
            self.rejected + other.rejected,
        )

    def add_entries(self, entries: Iterable[str]) -> Vocabulary:
        """Return this vocabulary with further entries."""
        more = Vocabulary.from_entries(entries)
        return replace(self, any_case=self.any_case | more.any_case, exact=self.exact | more.exact)

    def __contains__(self, word: str) -> bool:
        """Return whether the vocabulary accepts the word, with or without `'s`."""
        word = word.replace("’", "'")
        bare = word.removesuffix("'s")
        if not self.exact.isdisjoint((word, bare)) or not self.any_case.isdisjoint((word.lower(), bare.lower())):
            return True
        if self.patterns and any(pattern.matches_word(bare) for pattern in self.patterns):
            return True
        return bool(self.compounds.starts) and self.compounds.can_form(bare.lower())
