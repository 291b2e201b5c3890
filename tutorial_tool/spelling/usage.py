"""Track which words are used where, as pages come and go, without reading unchanged pages again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from tutorial_tool.cache.results import Results
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document.texts import Location, build_located_text

_SEPARATORS = bytes(c if c >= 0x80 or chr(c).isalnum() or chr(c) in "_'" else 0x20 for c in range(256))
_SIGNS = lazy_re.compile("[\u2010-\u2015\u201c-\u201f\u2026\u00a0\u2192\u00ab\u00bb]")
_IDENTIFIER = lazy_re.compile(r"[A-Za-z][A-Za-z']*")


def split_words(text: str) -> list[str]:
    """Split a text into words, roughly: for counting.

    Those with digits, underscores or other scripts stay whole.
    """
    if not text.isascii():
        text = _SIGNS.sub(" ", text.replace("’", "'"))
    return text.encode("utf-8", "replace").translate(_SEPARATORS).decode("utf-8", "replace").split()


def find_identifiers(code: Iterable[str]) -> frozenset[str]:
    """Return the words of letters in code."""
    return frozenset(word for text in code for word in _IDENTIFIER.findall(text))


@dataclass(frozen=True, slots=True, eq=False)
class PageWords:
    """The prose of a page, with U+FFFC for anything else, the words of its code, and where each text is."""

    prose: tuple[str, ...]
    identifiers: frozenset[str] = frozenset()
    locations: tuple[Location, ...] = ()

    def get_text(self, number: int) -> str:
        """Return a text with its location, if that is known."""
        text = self.prose[number]
        return build_located_text(text, self.locations[number]) if self.locations else text


class Passage:
    """A text with its pages; a text on several pages was written once, and counts once."""

    __slots__ = ("_found", "holders", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._found: dict[object, Any] = {}
        self.holders: list[tuple[PageWords, int]] = []
        """The pages with this text, and its index on each: more than one if a page repeats it."""

    @property
    def words(self) -> list[str]:
        """Its words, split anew: to keep those of all texts takes more memory than all else."""
        return split_words(self.text)

    def find_matches(self, pattern: Any) -> list[re.Match[str]]:
        """Return the matches of a pattern, or of anything with a `finditer`; each is searched once."""
        if pattern not in self._found:
            self._found[pattern] = list(pattern.finditer(self.text))
        results: list[re.Match[str]] = self._found[pattern]
        return results

    def find_pair(self, first: str, second: str) -> int | None:
        """Return the index of a word directly before another, both in lower case; None if there is none."""
        if "lowered" not in self._found:
            self._found["lowered"] = f" {' '.join(self.words)} ".lower()
        lowered: str = self._found["lowered"]
        at = lowered.find(f" {first} {second} ")
        return lowered.count(" ", 0, at) if at >= 0 else None


class _WordPredicates:
    """Words that come and go, with predicates on them: each word is tested once."""

    def __init__(self, words: Collection[str]) -> None:
        """Store `words`, the live collection of the current words, which also shows later changes."""
        self._words = words
        self._that: dict[Callable[[str], object], set[str]] = {}

    def filter_words(self, is_so: Callable[[str], object], results: Results) -> frozenset[str]:
        if is_so not in self._that:
            self._that[is_so] = {word for word, is_true in results.check_words(is_so, self._words).items() if is_true}
        return frozenset(self._that[is_so])

    def add_word(self, word: str) -> None:
        for is_so, words in self._that.items():
            if is_so(word):
                words.add(word)

    def remove_word(self, word: str) -> None:
        for words in self._that.values():
            words.discard(word)


class Usage:
    """The words of some pages, in the order of the pages, and of the texts on each."""

    def __init__(self, pages: Iterable[PageWords] = ()) -> None:
        self.results = Results()  # Results that depend on words alone
        self.counts: Counter[str] = Counter()
        """Number of occurrences of each word."""
        self._passages: dict[str, Passage] = {}
        self._rank: dict[PageWords, int] = {}
        self._order: dict[str, tuple[int, int]] = {}
        """First location of each text, computed on demand."""
        self._holding: dict[str, list[Passage]] = {}
        """The passages that contain each word."""
        self._facts: dict[Callable[[Passage], Any], dict[Passage, Any]] = {}
        self._code: Counter[str] = Counter()
        self.update_pages(pages)

    def update_pages(self, pages: Iterable[PageWords]) -> None:
        """Switch to these pages; only added and removed ones are processed."""
        rank = {page: number for number, page in enumerate(pages)}
        come = [page for page in rank if page not in self._rank]
        gone = [page for page in self._rank if page not in rank]
        has_moved = any(self._rank.get(page, number) != number for page, number in rank.items())
        for page in (*come, *gone):
            for text in page.prose:
                self._order.pop(text, None)
        added, removed = self._add_pages(come), self._remove_pages(gone)
        self._rank = rank
        if has_moved:
            self._order = {}
        changed = [*added, *removed] if "_cased" in vars(self) else []
        before = {word: self.counts[word] for passage in changed for word in passage.words}
        self.counts.update(chain.from_iterable(map(self._index_words, added)))
        _subtract_words(self.counts, chain.from_iterable(map(self._drop_words, removed)))
        self._update_caches(added, removed, before)

    def _add_pages(self, pages: Iterable[PageWords]) -> list[Passage]:
        added = []
        for page in pages:
            for number, text in enumerate(page.prose):
                passage = self._passages.get(text)
                if passage is None:
                    passage = self._passages[text] = Passage(text)
                    added.append(passage)
                passage.holders.append((page, number))
            self._code.update(page.identifiers)
        return added

    def _remove_pages(self, pages: Iterable[PageWords]) -> list[Passage]:
        removed = []
        for page in pages:
            for number, text in enumerate(page.prose):
                passage = self._passages[text]
                passage.holders.remove((page, number))
                if not passage.holders:
                    removed.append(self._passages.pop(text))
            _subtract_words(self._code, page.identifiers)
        return removed

    def _update_caches(self, added: Sequence[Passage], removed: Sequence[Passage], before: Mapping[str, int]) -> None:
        """Update what was computed from the words, as far as it has been requested."""
        for word, old in before.items():
            self._update_count(word, old, self.counts[word])
        for make, facts in self._facts.items():
            for passage in removed:
                facts.pop(passage, None)
            facts.update((passage, fact) for passage in added if (fact := make(passage)))

    def _index_words(self, passage: Passage) -> list[str]:
        """Index the words of a new passage, and return them."""
        words = passage.words
        for word in set(words):
            self._holding.setdefault(word, []).append(passage)
        return words

    def _drop_words(self, passage: Passage) -> list[str]:
        """Remove the words of a passage from the index, and return them."""
        words = passage.words
        for word in set(words):
            self._holding[word].remove(passage)
            if not self._holding[word]:
                del self._holding[word]
        return words

    def _update_count(self, word: str, old: int, new: int) -> None:
        if old == new:
            return
        lower, (forms, folded) = word.lower(), self._cased
        if not old:
            self._written_words.add_word(word)
            if lower not in forms:
                self._lowercase_words.add_word(lower)
        forms.setdefault(lower, set()).add(word)
        if not new:
            forms[lower].remove(word)
            self._written_words.remove_word(word)
        if not forms[lower]:
            del forms[lower]
            self._lowercase_words.remove_word(lower)
        if _is_word(word):
            folded[lower] += new - old
            if not folded[lower]:
                del folded[lower]

    @cached_property
    def _cased(self) -> tuple[dict[str, set[str]], Counter[str]]:
        """Words in lower case: the forms of each, and how often each is in lower case or capitalized."""
        forms: dict[str, set[str]] = {}
        folded: Counter[str] = Counter()
        for word, count in self.counts.items():
            forms.setdefault(word.lower(), set()).add(word)
            if _is_word(word):
                folded[word.lower()] += count
        return forms, folded

    # Words

    @cached_property
    def _written_words(self) -> _WordPredicates:
        return _WordPredicates(self.counts.keys())

    @cached_property
    def _lowercase_words(self) -> _WordPredicates:
        return _WordPredicates(self.forms_by_lowercase.keys())

    def filter_written(self, is_so: Callable[[str], object]) -> frozenset[str]:
        """Return the words, as written, for which a predicate on their letters is true."""
        assert self._cased  # from here on, changes of words are tracked
        return self._written_words.filter_words(is_so, self.results)

    def filter_lowercase(self, is_so: Callable[[str], object]) -> frozenset[str]:
        """Return the words, in lower case, for which a predicate is true."""
        return self._lowercase_words.filter_words(is_so, self.results)

    @property
    def lowercase_counts(self) -> Counter[str]:
        """The counts of words of letters, in lower case or capitalized, by lowercase word."""
        return self._cased[1]

    @property
    def forms_by_lowercase(self) -> Mapping[str, Collection[str]]:
        """The forms of each word, by lowercase word; in no order."""
        return self._cased[0]

    def list_forms(self, word: str) -> list[str]:
        """Return the forms of a lowercase word in the order of their first use."""
        return self._sort_by_use({form: (form,) for form in self.forms_by_lowercase.get(word, ())})

    def sort_words(self, words: Iterable[str]) -> list[str]:
        """Sort words in lower case in the order of their first use, in any form."""
        return self._sort_by_use({word: self.forms_by_lowercase[word] for word in words})

    def _sort_by_use(self, forms: Mapping[str, Iterable[str]]) -> list[str]:
        if len(forms) < 2:
            return list(forms)
        return sorted(forms, key=lambda word: min(map(self._find_first_use, forms[word])))

    def _find_first_use(self, form: str) -> tuple[int, int, int]:
        first = min(self._holding[form], key=self.get_order)
        return *self.get_order(first), first.words.index(form)

    @property
    def identifiers(self) -> frozenset[str]:
        """Words that occur by themselves in code."""
        return frozenset(self._code)

    # Passages

    def get_order(self, passage: Passage) -> tuple[int, int]:
        """Return where a passage occurs first: the number of the page, and of the text on it."""
        if passage.text not in self._order:
            self._order[passage.text] = min((self._rank[page], number) for page, number in passage.holders)
        return self._order[passage.text]

    def iter_places(self, passage: Passage) -> Iterator[tuple[PageWords, int]]:
        """Return the places of a passage in order: each page, and the number of the text on it."""
        return iter(sorted(passage.holders, key=lambda held: (self._rank[held[0]], held[1])))

    def get_rank(self, page: PageWords) -> int:
        """Return the number of a page among the others."""
        return self._rank[page]

    def find_passages(self, words: Iterable[str]) -> dict[str, list[Passage]]:
        """Return the passages that contain each of some words, in their order."""
        return {word: sorted(self._holding.get(word, ()), key=self.get_order) for word in dict.fromkeys(words)}

    def find_pairs(self, pairs: Iterable[tuple[str, str]]) -> list[tuple[tuple[str, str], Passage]]:
        """Return where two lowercase words are adjacent: each passage once, in the order of use."""
        requested = [pair for pair in pairs if self.forms_by_lowercase.keys() >= {*pair}]
        having = {
            word: {passage for form in self.forms_by_lowercase[word] for passage in self._holding[form]}
            for word in dict.fromkeys(chain.from_iterable(requested))
        }
        matches = [
            (*self.get_order(passage), at, pair, passage)
            for pair in requested
            for passage in having[pair[0]] & having[pair[1]]
            if (at := passage.find_pair(*pair)) is not None
        ]
        return [(pair, passage) for *_, pair, passage in sorted(matches, key=lambda item: item[:3])]

    def collect_facts(self, make: Callable[[Passage], Any]) -> Mapping[Passage, Any]:
        """Return the non-empty results of `make` on passages, unordered; each passage is tested once."""
        if make not in self._facts:
            self._facts[make] = {passage: fact for passage in self._passages.values() if (fact := make(passage))}
        return self._facts[make]


def _is_word(word: str) -> bool:
    """Return whether a word is of letters, in lower case or capitalized."""
    return word.isascii() and word.isalpha() and (word[1:].islower() or len(word) == 1)


def _subtract_words(counts: Counter[str], words: Iterable[str]) -> None:
    """Subtract words from a count, and remove entries that reach 0."""
    for word in words:
        counts[word] -= 1
        if not counts[word]:
            del counts[word]
