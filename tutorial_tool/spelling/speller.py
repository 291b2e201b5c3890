"""Find the misspelled words of a corpus, and their corrections."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from typing import NamedTuple

from tutorial_tool.core import language, lazy_re
from tutorial_tool.spelling import known_misspellings, lists, near_words, proper_names, software_terms
from tutorial_tool.spelling.near_words import MIN_NAME, MIN_SLIP
from tutorial_tool.spelling.usage import PageWords, Passage, Usage, split_words
from tutorial_tool.spelling.vocabulary import Vocabulary

MIN_RATIO = 100.0
"""How many times more frequent the best correction must be than the next, in context or in English, to be intended."""
COMMON = 5_000_000
"""Minimum frequency of the correction of a known misspelling, however frequent that is, or at a sentence's start."""
_SLIP_USES = (3, 10)  # Minimum uses of the other word in the corpus, if the slip occurs once, and if it occurs twice
_EVERYDAY = (30_000_000, 1_000_000)
"""Minimum frequency in English of the correction of a slip, with only its letters as evidence; and of a long word,
reported as a hint. Tested on 58 trees of documentation: 0 and 3 false findings, 0 and 6 slips."""
_MAX_USES = 5  # Maximum uses of a known misspelling that is not a name, if its correction is less frequent
MOST_COMMON = 1_000_000_000  # Minimum frequency of a word, for a short word to be a slip for it
_VERY_COMMON = 100_000_000
"""Minimum frequency of a word that any longer text contains, so that a near word is a slip for it."""
_JOINED = """
a bit, a few, a lot, and the, as long, as soon, as well, at all, at least, at the, by the, each other, even if,
even though, even when, every time, for the, from the, if the, if you, in between, in case, in fact, in the, in turn,
is not, is the, no one, of course, of the, on the, so that, such as, that is, the same, to be, to the, up to, with the,
you can
"""
"""Two words that are often written as one."""
_UNLISTED_FREQUENCY = 3_000_000.0  # Assumed frequency of a pair too rare to be listed


class Suggestion(NamedTuple):
    """The corrections of a misspelled word, likeliest first, in its case; `certain` if only one fits."""

    word: str
    candidates: tuple[str, ...]
    certain: bool


@dataclass(frozen=True, slots=True)
class Misspelling:
    """A misspelled word at `start` to `end` of a prose text (characters). `text` is the page's own object."""

    page: PageWords
    text: str
    start: int
    end: int
    suggestion: Suggestion
    tier: str = field(compare=False, default="")
    """Why: 1 a known misspelling; 2a near a word of the corpus; 2b near an English word; 2c a slip for a word of the
    corpus, 2d for a very common word, 2e for a less common one.

    Suffixes: C if capitalized in mid-sentence, T if capitalized like all words around it, K if it also occurs in code.
    """


class Speller(NamedTuple):
    """A finder of misspelled words; the words in `vocabulary` are accepted."""

    vocabulary: Vocabulary

    def find_misspellings(self, usage: Usage) -> Iterator[Misspelling]:
        """Yield all misspelled words on the pages, page by page in the order of their prose."""
        corpus = _Corpus(usage, self.vocabulary)
        passages = dict.fromkeys(p for holding in usage.find_passages(corpus.suspects).values() for p in holding)
        matches = {passage: list(corpus.find_in_passage(passage)) for passage in passages}
        matching = filter(matches.__getitem__, passages)
        places = [(usage.get_rank(page), number, page, p) for p in matching for page, number in usage.iter_places(p)]
        for _, number, page, passage in sorted(places, key=lambda place: place[:2]):
            for start, end, suggestion, tier in matches[passage]:
                yield Misspelling(page, page.get_text(number), start, end, suggestion, tier)


_CAMEL = lazy_re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_is_known = cache(lists.is_known)


def _is_unknown(word: str) -> bool:
    """Return whether a word is in no list and not short."""
    return len(word) > 2 and not _is_known(word) and not software_terms.contains_word(word)


@lru_cache(4)
def _split_identifiers(identifiers: frozenset[str]) -> frozenset[str]:
    """Return words in code, whole and as parts of identifiers, in lower case."""
    return frozenset(part.lower() for word in identifiers for part in (word, *_CAMEL.findall(word)))


_DENIALS = ("un", "non", "dis")  # Negative prefixes


def _drop_opposites(word: str, pair: tuple[str, ...]) -> tuple[str, ...]:
    """Return the corrections without those that reverse the meaning: `uneeded` is never `needed`."""
    begin = next((denial for denial in _DENIALS if word.startswith(denial)), "")
    if not begin or all(other.startswith(begin) for other in pair):
        return pair
    kept = tuple(other for other in pair if other.startswith(begin) or not word.endswith(other))
    doubled = tuple(other for other in kept if _is_doubled(other, word))
    return (doubled or kept) if any(other.startswith(begin) for other in kept) else pair


def _prefer_singular(word: str, pair: tuple[str, ...]) -> tuple[str, ...]:
    """Return the corrections, with a singular instead of a plural if it is nearer.

    `paragrapgh`: lists have `paragraphs`.
    """
    if len(pair) != 1 or word.endswith("s") or not pair[0].endswith("s"):
        return pair
    text, near = pair[0][:-1], near_words.generate_edits(word)
    return (text,) if text in near and _is_known(text) and pair[0] not in near else pair


@cache
def _get_joined_phrases() -> dict[str, str]:
    """Return the joined words of `_JOINED`, with their corrections."""
    phrases = (phrase.strip() for phrase in _JOINED.split(","))
    return {phrase.replace(" ", ""): phrase for phrase in phrases}


def _find_contraction(word: str) -> str:
    """Return the contraction of which a word lacks the apostrophe, `isn't` for `isnt`; "" for others."""
    others = (f"{word[: -len(end)]}'{end}" for end in ("t", "re", "ve", "ll") if word.endswith(end))
    return next(filter(lists.is_listed, others), "")


_ACTED_ON = ("ee", "ees")
_DERIVED = ("able", "hood", "less", "like", "ness", "ship", "wise")  # Suffixes that form new words freely: `metalness`


def _is_anagram(word: str, other: str) -> bool:
    """Return whether a word has the same first letter and the other letters in another order."""
    return word[0] == other[0] and sorted(word) == sorted(other)


def _is_doubled(word: str, other: str) -> bool:
    """Return whether a word only doubles a letter of another, so that it is no compound: `methood`."""
    doubled = (at for at in range(1, len(word)) if word[at] == word[at - 1])
    return len(word) > len(other) and any(word[:at] + word[at + 1 :] == other for at in doubled)


def _is_coined(word: str, corrections: Sequence[str]) -> bool:
    """Return whether a word is formed from one far more frequent than its corrections: `missable`, not `miscible`."""
    stems = (word.removesuffix(end) + e for end in _DERIVED if word.endswith(end) for e in ("", "e"))
    return max(map(lists.get_frequency, stems), default=0) > MIN_RATIO * max(map(lists.get_frequency, corrections))


class _Corpus:
    def __init__(self, usage: Usage, vocabulary: Vocabulary) -> None:
        self.usage, self.vocabulary = usage, vocabulary
        self.counts, self.folded = usage.counts, usage.lowercase_counts

    @cached_property
    def code(self) -> frozenset[str]:
        """Words in code, whole and as parts of identifiers, in lower case."""
        return _split_identifiers(self.usage.identifiers)

    def _is_in_code(self, word: str) -> bool:
        """Return whether code has a word, or its singular: `declarators`, if it has `VariableDeclarator`."""
        return word in self.code or (word.endswith("s") and word[:-1] in self.code)

    @cached_property
    def unknown(self) -> frozenset[str]:
        return frozenset(
            word
            for word in self.usage.filter_lowercase(_is_unknown)
            if word in self.folded and word not in self.vocabulary and not self._is_acted_on(word)
        )

    def _is_acted_on(self, word: str) -> bool:
        """Return whether a word is the counterpart of a corpus word: the `reportee` of a `reporter`."""
        stem = word.removesuffix("s").removesuffix("ee")
        if not word.endswith(_ACTED_ON) or len(stem) < lists.MAX_ABBREVIATION or not _is_known(stem):
            return False
        return any(self.folded[f"{stem}{end}{plural}"] for end in ("er", "or") for plural in ("", "s"))

    @cached_property
    def corrections(self) -> Mapping[str, tuple[tuple[str, ...], str]]:
        """The words that may be misspelled, with corrections and the reason."""
        listed = known_misspellings.find_corrections(self.unknown) or {}
        wrong = {
            word: _prefer_singular(word, _drop_opposites(word, corrections))
            for word, corrections in listed.items()
            if corrections and not _is_coined(word, corrections)
        }
        out = {word: (pair, "1") for word, pair in wrong.items() if not self._is_usual(word, pair)}
        joined = _get_joined_phrases()
        out |= {word: ((joined[word],), "1") for word in self.unknown & joined.keys() if self._is_joined(word)}
        short = ((word, other) for word in self.unknown if (other := _find_contraction(word)))
        out |= {word: ((other,), "1") for word, other in short if self._is_joined(word)}
        out |= dict(self._find_near_words(self.unknown - out.keys()))
        out |= dict(self._find_slips(self.unknown - out.keys()))
        out |= dict(self._find_plain_slips(self.unknown - out.keys()))
        return out

    def _is_joined(self, word: str) -> bool:
        """Return whether two joined words are an error: never in code, and rare in the corpus."""
        return not self._is_in_code(word) and self.folded[word] <= _MAX_USES

    def _is_usual(self, word: str, corrections: Sequence[str]) -> bool:
        """Return whether a word is a name: the corpus uses it often and its corrections less, or never.

        A slip that was copied is frequent, too, but always between the same words.
        """
        uses = [self.folded[other] for other in corrections]
        is_only = len(uses) == 1
        if self._is_form(word):
            return True
        if is_only and proper_names.get_cased_name(corrections[0]) and self.folded[word] <= _MAX_USES:
            return False
        if self._is_established(word) and all(map(partial(near_words.is_far, word), corrections)):
            return True  # `seeked` is no slip for `sought`, and the corpus uses it often
        if is_only and word not in self.code and lists.get_frequency(corrections[0]) >= COMMON:
            return False
        is_name = all(map(str.istitle, self.usage.forms_by_lowercase[word]))
        if not any(uses) and (is_name or not (is_only or self._is_slip_for_common_word(word, corrections))):
            return True  # `certifi`, near three words that the corpus does not use, or `Darcula`
        return self.folded[word] > max(_MAX_USES, *uses) < len(self._find_contexts(word))

    def _is_established(self, word: str) -> bool:
        stems = (word.removesuffix(end) for end in _DERIVED if word.endswith(end))
        return self.folded[word] > _MAX_USES or (self._is_in_code(word) and any(map(lists.is_listed, stems)))

    def _is_form(self, word: str) -> bool:
        """Return whether a word is a form of one that only this corpus has: `mmaped`, if it has `mmap`."""
        stems = [stem for stem in near_words.iter_unknown_stems(word) if stem in self.code or self.folded[stem] > 1]
        slips = known_misspellings.find_corrections(stems) or {}  # `recieves` is a form of a slip
        return any(stem not in slips for stem in stems)

    def _is_slip_for_common_word(self, word: str, corrections: Sequence[str]) -> bool:
        """Return whether a word is a slip for a very frequent one, whatever its other corrections: `wich`."""
        return word not in self.code and max(map(lists.get_frequency, corrections)) >= _VERY_COMMON

    def _find_contexts(self, word: str) -> set[tuple[str, str]]:
        """Return the pairs of words before and after a word, wherever it occurs."""
        contexts = set[tuple[str, str]]()
        for passages in self.usage.find_passages(self.usage.forms_by_lowercase[word]).values():
            for passage in passages:
                words = ["", *" ".join(passage.words).lower().split(" "), ""]
                contexts |= {(words[at - 1], words[at + 1]) for at, other in enumerate(words) if other == word}
        return contexts

    def is_familiar(self, word: str) -> bool:
        """Return whether a word is English or frequent in the corpus."""
        return lists.is_listed(word) or self.folded[word] >= 10

    def _find_near_words(self, words: Iterable[str]) -> Iterator[tuple[str, tuple[tuple[str, ...], str]]]:
        often = near_words.FrequentWords({w: n for w, n in self.folded.items() if n >= 10 and len(w) > 4})
        for word in sorted(words):
            if len(word) < MIN_NAME or self.folded[word] > 4 or self._may_be_right(word) or self._is_made(word):
                continue
            if result := [
                near_word for near_word in often.find_nearest(word, 2) if self._is_likelier(word, *near_word)
            ]:
                yield word, (self._prefer_same_form(word, tuple(other for other, _, _ in result)), "2a")
            elif self.folded[word] <= 3 and (english := self._get_neighbors(word)) and english[0][1] >= COMMON:
                yield word, (tuple(other for other, _ in english), "2b")

    def _get_neighbors(self, word: str) -> tuple[tuple[str, float], ...]:
        """Return the English words one edit away, cached for later runs."""
        return self.usage.results.get(lambda: near_words.find_neighbors(word), "neighbors", word)

    def _is_made(self, word: str) -> bool:
        """Return whether a word is composed of others.

        A letter before a word also makes a name: `pwrite`, `oprofile`.
        """
        is_prefixed = word[0] != word[1] and self.is_familiar(word[1:])
        return is_prefixed or self._is_form(word) or near_words.is_made_of(word, self.is_familiar)

    def _may_be_right(self, word: str) -> bool:
        return self._is_in_code(word) or lists.is_listed(word)

    def _is_likelier(self, word: str, other: str, distance: int, uses: int) -> bool:
        """Return whether a frequent word of the corpus was probably intended by one that it rarely uses."""
        if word.startswith(other) and len(word) > len(other) + 1:  # `Pythonic`
            return False
        if not self.counts[other] or (other == f"{word}s" and not lists.is_listed(other)):
            return False  # a name, or the singular of a word that only the corpus has
        count = self.folded[word]
        if distance == 1:
            return count <= 3 and uses >= 10 * count
        return distance == 2 and word[0] == other[0] and uses >= 30 * count

    def _prefer_same_form(self, word: str, matches: tuple[str, ...]) -> tuple[str, ...]:
        """Return the words of the corpus near another, or English words in its form if these are other forms.

        One edit away, `deprcates` is a slip for `deprecates`, however frequent `deprecated` is; and `complely`, where
        the corpus has `complete`, for `completely`.
        """
        if not all(near_words.is_other_form(word, other) for other in matches):
            return matches
        forms = (other + end for other in matches for end in near_words.ENDINGS if word.endswith(end))
        own = tuple(form for form in forms if lists.is_listed(form) and not near_words.is_far(word, form))
        return own or tuple(w for w, _ in self._get_neighbors(word) if not near_words.is_other_form(word, w)) or matches

    def _find_slips(self, words: Iterable[str]) -> Iterator[tuple[str, tuple[tuple[str, ...], str]]]:
        """Yield rare words that are a typing slip away from one that the corpus uses."""
        for word in words:
            if not self._may_be_slip(word):
                continue
            least = _SLIP_USES[self.folded[word] - 1]
            used = [w for w in self.folded.keys() & near_words.generate_edits(word) if self.folded[w] >= least]
            slips = tuple(other for other, _ in near_words.rank_neighbors(used) if near_words.is_slip(word, other))
            is_rare = len(word) >= MIN_NAME and self.folded[word] == 1
            is_clear = slips and (_is_doubled(word, slips[0]) or (is_rare and self.folded[slips[0]] >= 50))
            if slips and (is_clear or not near_words.is_made_of(word, self.is_familiar)):
                yield word, (tuple(sorted(slips, key=lambda other: -self.folded[other])), "2c")

    def _find_plain_slips(self, words: Iterable[str]) -> Iterator[tuple[str, tuple[tuple[str, ...], str]]]:
        """Yield rare words, in no list, that are a typing slip away from a common English one."""
        for word in words:
            common = self._find_common_words(word) if self._may_be_slip(word) else []
            if common and self._is_plain_slip(word, *common[0]):
                uses = common[0][1]
                yield word, (tuple(other for other, _ in common), "2d" if uses >= _EVERYDAY[0] else "2e")

    def _may_be_slip(self, word: str) -> bool:
        """Return whether a word is unknown, and used once or twice."""
        is_rare = MIN_SLIP <= len(word) <= near_words.LONGEST and 0 < self.folded[word] <= len(_SLIP_USES)
        return is_rare and not self._may_be_right(word)

    def _find_common_words(self, word: str) -> list[tuple[str, float]]:
        """Return the common English words one edit away, with their frequency; first one of the same letters."""
        common = [(other, uses) for other, uses in self._get_neighbors(word) if uses >= _EVERYDAY[-1]]
        return sorted(common, key=lambda pair: not _is_anagram(word, pair[0]))

    def _is_plain_slip(self, word: str, best: str, uses: float) -> bool:
        """Return whether a word is a slip for the common word next to it."""
        if best[0] != word[0] or not near_words.is_slip(word, best):
            return False  # a prefix letter makes a name: `fclose`
        if uses < self._get_min_uses(word):
            return False
        return (uses >= COMMON and _is_anagram(word, best)) or not near_words.is_made_of(word, self.is_familiar)

    def _get_min_uses(self, word: str) -> int:
        """Return the minimum frequency in English of the correction of a word.

        It depends on the word's length, and on whether the corpus has it in lower case only.
        """
        if self.counts[word] != self.folded[word]:
            return _VERY_COMMON
        return _EVERYDAY[0] if len(word) < MIN_NAME else 0

    def _fits_context(self, word: str, before: str, after: str) -> bool:
        """Return whether a word is common next to one of two others."""
        word = word.lower()
        return bool((before and self._is_pair(before, word)) or (after and self._is_pair(word, after)))

    def _is_clear(self, candidates: tuple[str, ...], before: str, after: str) -> bool:
        """Return whether a short word is a slip for a far more frequent one, or one that fits next to it."""
        first, *others = sorted(map(lists.get_frequency, candidates), reverse=True)
        if first >= (max(MIN_RATIO * others[0], _VERY_COMMON) if others else MOST_COMMON):
            return True
        return any(
            (before and self._is_pair(before, other)) or (after and self._is_pair(other, after)) for other in candidates
        )

    def _is_pair(self, first: str, second: str) -> bool:
        return bool(lists.get_pair_frequency(first, second)) or self._is_written(first.lower(), second.lower())

    def _is_written(self, first: str, second: str) -> bool:
        """Return whether one of the texts has a word before another, separated by a space only."""
        pairs = self.usage.find_pairs([(first, second)])
        return any(f" {first} {second} " in passage.text.lower() for _, passage in pairs)

    @cached_property
    def suspects(self) -> frozenset[str]:
        """The words that may be misspelled, in all cases in which they occur."""
        return frozenset(form for word in self.corrections for form in self.usage.forms_by_lowercase[word])

    def find_in_passage(self, passage: Passage) -> Iterator[tuple[int, int, Suggestion, str]]:
        """Yield the misspelled words of a text."""
        text, words = passage.text, passage.words
        suspects = self.suspects.intersection(words)
        if not suspects or language.is_foreign(list(map(str.lower, words))):
            return
        sentences = _Sentences(text, suspects)
        for match in _WORD.finditer(text):
            tier = self._suggest_word(match, text) if match[0] in suspects else ""
            if not tier or not _is_word_of_text(match, text, tier) or sentences.is_foreign(match):
                continue
            if suggestion := self._suggest_correction(match[0], tier, *_get_adjacent_words(text, match)):
                yield match.start(), match.end(), suggestion, tier

    def _suggest_correction(self, word: str, tier: str, before: str, after: str) -> Suggestion | None:
        """Return the correction of a word; None if its neighbors suggest that it may be right."""
        candidates, _ = self.corrections[word.lower()]
        is_joined = not candidates[0].isalpha()
        if "'" in candidates[0] and before and not lists.is_known(before):
            return None  # `ce dont on parle`
        if len(word) <= lists.MAX_ABBREVIATION and not is_joined and not self._is_clear(candidates, before, after):
            return None
        suggestion = suggest_correction(word, candidates, before, after)
        best = suggestion.candidates[0].lower()
        is_alone = tier[:2] == "2c" and not self._fits_context(best, before, after)
        is_alone = is_alone or (tier.startswith(("2a", "2c")) and self._has_rival(word.lower(), best))
        if is_alone or tier.startswith(("2d", "2e")):
            suggestion = suggestion._replace(certain=False)
        elif tier[0] == "1" and not is_joined:
            suggestion = self._prefer_used_words(self._add_other_slips(suggestion, candidates, before, after))
        if near_words.is_other_form(word.lower(), suggestion.candidates[0].lower()):
            suggestion = suggestion._replace(certain=False)
        return suggestion

    def _has_rival(self, word: str, best: str) -> bool:
        """Return whether another English word is as near and not far less frequent: `snooping`, `stopping`."""
        uses = dict(self._get_neighbors(word))
        return any(MIN_RATIO * uses[other] > lists.get_frequency(best) for other in uses if other != best)

    def _prefer_used_words(self, suggestion: Suggestion) -> Suggestion:
        """Return a suggestion with the words first that the corpus uses, if there are several.

        One that is far from what was typed is not certain: the word may be a form of a technical term.
        """
        word, candidates = suggestion.word, suggestion.candidates
        is_certain = suggestion.certain and not near_words.is_far(word.lower(), candidates[0].lower())
        if not suggestion.certain:
            candidates = tuple(sorted(candidates, key=lambda other: not self.folded[other.lower()]))
        return Suggestion(word, candidates, is_certain)

    def _add_other_slips(self, suggestion: Suggestion, known: Sequence[str], before: str, after: str) -> Suggestion:
        """Return a suggestion with other words from which the word may be a typing slip.

        These are words that the corpus uses more than the `known` corrections, and, for three letters, very frequent
        ones.
        """
        word = suggestion.word.lower()
        if any(sorted(word) == sorted(other) for other in known):
            return suggestion  # transposed letters
        shorter = word[:-1]
        if [shorter] == [other[:-1] for other in known] and lists.get_frequency(shorter) >= COMMON:
            best = suggestion.candidates[0]
            nearest = best[: len(shorter)] if shorter not in known else best  # `windown`: `window`, not `windows`
            return Suggestion(suggestion.word, tuple(dict.fromkeys((nearest, *suggestion.candidates))), certain=False)
        others = self._find_other_slips(word, known)
        if not others:
            return suggestion
        doubted = suggest_correction(suggestion.word, (*known, *others), before, after)
        certain = doubted.certain and doubted.candidates[0].lower() in known
        if max(map(lists.get_frequency, known)) < _VERY_COMMON:
            return doubted._replace(certain=certain)
        candidates = dict.fromkeys((*suggestion.candidates, *doubted.candidates))
        return Suggestion(doubted.word, tuple(candidates), certain)

    def _find_other_slips(self, word: str, known: Sequence[str]) -> list[str]:
        max_uses = max(self.folded[other] for other in known)
        others = [
            other
            for other, uses in self._get_neighbors(word)
            if (self.folded[other] > max_uses and near_words.is_slip(word, other))
            or (len(word) < lists.MAX_ABBREVIATION and uses >= MOST_COMMON)
        ]
        return [other for other in others if other not in known]

    def _begins_sentence(self, match: re.Match[str], text: str) -> bool:
        """Return whether a sentence begins with a word that can only be a slip for a very frequent one."""
        corrections, tier = self.corrections[match[0].lower()]
        if _NAME.fullmatch(text):
            return False  # the name of a person, in a portrait's caption
        used = lists.get_frequency(corrections[0]) >= (_VERY_COMMON if tier == "2d" else COMMON)
        return used and len(corrections) == 1 and tier in ("1", "2d") and _is_first(text, match.start())

    def _is_slip_for_name(self, word: str) -> bool:
        """Return whether a word is a known slip for a name that is always capitalized."""
        corrections, tier = self.corrections[word.lower()]
        return tier == "1" and len(corrections) == 1 and proper_names.get_cased_name(corrections[0]) is not None

    def _is_slip_for_label(self, word: str, text: str, match: re.Match[str]) -> bool:
        """Return whether the name that contains a word occurs elsewhere with its correction: `Creat App`."""
        corrections, tier = self.corrections[word.lower()]
        if tier not in ("1", "2c", "2d") and not near_words.is_slip(word.lower(), corrections[0]):
            return False  # `Jupytext Notebook` is not `Jupyter Notebook`
        best = corrections[0].capitalize()
        before, after = _get_adjacent_words(text, match)
        adjacent = ((before, best), (best, after))
        pairs = [(left, right) for left, right in adjacent if left[:1].isupper() and right[:1].isupper()]
        matches = self.usage.find_pairs((left.lower(), right.lower()) for left, right in pairs)
        return any(f"{left} {right}" in passage.text for _, passage in matches for left, right in pairs)

    def _suggest_word(self, match: re.Match[str], text: str) -> str:
        word = match[0]
        tier = self.corrections[word.lower()][1]
        if word in self.vocabulary:
            return ""
        if word[0].isupper() and self._begins_sentence(match, text):
            pass  # `Selcet **Account**`: the label is a button, and no name starts with this word
        elif word[0].isupper() and self._is_slip_for_name(word):
            pass  # `Andriod SDK`
        elif word[0].isupper() and _has_capitals(text, match):
            tier += "T"
        elif word[0].isupper() and _is_name(text, match):
            return tier if self._is_slip_for_label(word, text, match) else ""
        elif word[0].isupper() and not _is_first(text, match.start()):
            tier += "C"
        if word.lower() in self.code:
            tier += "K"
        return tier


_WORD = lazy_re.compile(r"(?<![\w/.@#$%&=\\+~<{'’])(?<!\w[\"”(:])[A-Za-z]+(?![\w/@=\\{+~'’(…]|[.:]\w|://|\.\.\.)")
_COMPOUND_START = lazy_re.compile(r"(?:\A|[\s(])[A-Za-z]{2,20}-\Z")
_COMPOUND_END = lazy_re.compile(r"-[a-z]{2,20}(?![\w/@=\\{+~'’(…-]|[.:]\w)")


def _is_word_of_text(match: re.Match[str], text: str, tier: str) -> bool:
    """Return whether a word stands alone, or is a clear slip in a compound of two: `pre-poplated`, not `a-key-nmae`."""
    start, end = match.span()
    is_last, is_first = text[start - 1 : start] == "-", text.startswith("-", end)
    if not (is_last or is_first):
        return True
    if len(match[0]) <= MIN_SLIP or tier.startswith(("2b", "2d", "2e")) or is_last == is_first:
        return False
    compound = _COMPOUND_END.match(text, end) if is_first else _COMPOUND_START.search(text[max(start - 24, 0) : start])
    return compound is not None


_QUOTES = tuple('"“«(')
MAX_QUOTED_WORDS = 8  # Maximum words of a quotation, or of a title that may be in another language
_ENDS = lazy_re.compile(r"[.!?:;\"“”«»()](?=\s|$)|[\"“«(]")


class _Sentences:
    """The sentences and quotations of a text: each is read once, however many suspects it has."""

    def __init__(self, text: str, suspects: frozenset[str]) -> None:
        self._text, self._suspects = text, suspects
        self._ends = [end.start() for end in _ENDS.finditer(text)]
        self._foreign: dict[tuple[int, int], bool] = {}

    def is_foreign(self, match: re.Match[str]) -> bool:
        """Return whether a word is in a sentence or quotation in another language."""
        before, after = bisect_left(self._ends, match.start()), bisect_left(self._ends, match.end())
        low = self._ends[before - 1] if before else 0
        high = self._ends[after] if after < len(self._ends) else len(self._text)
        if (low, high) not in self._foreign:
            self._foreign[low, high] = _is_foreign(self._text[low:high], self._suspects)
        return self._foreign[low, high]


def _lacks_english(words: Iterable[str]) -> bool:
    lower = [word for word in words if word[0].islower()]
    return not all(map(str.isascii, lower)) or (len(lower) > 1 and not any(map(_is_known, lower)))


def _is_foreign(sentence: str, suspects: frozenset[str]) -> bool:
    """Return whether a sentence or quotation is in another language.

    A short quotation counts as foreign if it has two different suspects; a short sentence, if none of its lowercase
    words is known or one is not ASCII.
    """
    words = split_words(sentence)
    if len(words) <= MAX_QUOTED_WORDS:
        if sentence.startswith(_QUOTES) and len(suspects.intersection(words)) > 1:
            return True
        if not language.is_english(words) and _lacks_english(words):
            return True
    return language.is_foreign(list(map(str.lower, words)))


_FIRST = lazy_re.compile(r"(?:^|[.!?:][\"”')]?\s|\n)\W*$")
_BEFORE = lazy_re.compile(r"([A-Za-z']+)\s+$")
_AFTER = lazy_re.compile(r"\s+([A-Za-z']+)")


def _is_first(text: str, start: int) -> bool:
    return bool(_FIRST.search(text[max(start - 12, 0) : start])) if start else True


class _WordCounts(NamedTuple):
    """The count of each word of letters in a text, and the total numbers of words."""

    counts: Counter[str]
    words: int
    small: int
    long: int
    long_lower: int  # How many long words have no capital letter: `gRPC` has some

    def subtract_word(self, word: str) -> _WordCounts:
        times = self.counts[word]
        small, is_long = times * word[0].islower(), len(word) >= lists.MAX_ABBREVIATION
        return self._replace(
            words=self.words - times,
            small=self.small - small,
            long=self.long - times * is_long,
            long_lower=self.long_lower - times * (is_long and word.islower()),
        )


@lru_cache(16)
def _count_words(text: str) -> _WordCounts:
    counts = Counter(_RUN.findall(text))
    small = {word for word in counts if word[0].islower()}
    long = {word for word in counts if len(word) >= lists.MAX_ABBREVIATION}
    lower = set(filter(str.islower, long))
    sums = (sum(counts[word] for word in words) for words in (counts, small, long, lower))
    return _WordCounts(counts, *sums)


_RUN = lazy_re.compile(r"[A-Za-z]+")


def _has_capitals(text: str, match: re.Match[str]) -> bool:
    """Return whether all long words of a text but a match are capitalized, as in many headings.

    There must be another long word than the match.
    """
    others = _count_words(text).subtract_word(match[0])
    return others.long > 0 and not others.long_lower and others.small <= others.words / 2


_CAPITAL_BEFORE = lazy_re.compile(r"(?<![.!?:]\s)(?<![\w'’-])[A-Z][\w.'’-]*\s$")
_NAME = lazy_re.compile(r"\s*[A-Z][a-z]+(?: [A-Z]\.?)? [A-Z][a-z]+\s*")
_CAPITAL_AND = lazy_re.compile(r"(?<![.!?:]\s)(?<![\w'’-])[A-Z][\w.'’-]*,? (?:and|or)\s$")
_CAPITAL_AFTER = lazy_re.compile(r"\s[A-Z][a-z'’-]+")


def _is_name(text: str, match: re.Match[str]) -> bool:
    """Return whether a capitalized word is next to another, in a text that does not capitalize all words."""
    before, after = (text[max(match.start() - 30, 0) : match.start()], text[match.end() : match.end() + 30])
    if len(match[0]) < lists.MAX_ABBREVIATION and _CAPITAL_AND.search(before):
        return True
    if not _CAPITAL_BEFORE.search(before) and not _CAPITAL_AFTER.match(after):
        return False
    others = _count_words(text).subtract_word(match[0])
    return others.long_lower > 0 or others.long < 3


def _get_adjacent_words(text: str, match: re.Match[str]) -> tuple[str, str]:
    before, after = (_BEFORE.search(text[max(match.start() - 40, 0) : match.start()]), _AFTER.match(text, match.end()))
    return before[1] if before else "", after[1] if after else ""


def suggest_correction(word: str, candidates: Iterable[str], before: str = "", after: str = "") -> Suggestion:
    """Return the candidates for a misspelled word between two others, ordered by how well they fit there."""
    scores = {other: _score_fit(other, before, after) for other in candidates}
    counts = {other: lists.get_frequency(other) for other in scores}
    order = sorted(scores, key=lambda other: (_measure_difference(word.lower(), other), -scores[other]))
    best, *rest = order
    certain = not rest or all(of[best] >= MIN_RATIO * max(of[other] for other in rest) for of in (scores, counts))
    cased = tuple(_apply_case(other, word) for other in order)
    return Suggestion(word, cased, certain)


def _apply_case(other: str, word: str) -> str:
    """Return a correction, capitalized if it is a name or the word is capitalized."""
    if word[0].isupper():
        return proper_names.get_cased_name(other) or other.capitalize()
    return proper_names.get_unambiguous_name(other) or other


_FORMS = ("ing", "ly", "ed", "s")


def _measure_difference(word: str, other: str) -> int:
    """Return how much a word differs from another in appearance, from 0 to 2.

    0 with its letters in another order, one of them doubled, or with the wrong ending of that verb, as `failes`; 1 as a
    form with the same ending; otherwise, 2. Short words resemble many others, so they get 0.
    """
    if len(word) < MIN_SLIP:
        return 0
    if sorted(word) == sorted(other) or _is_doubled(word, other) or (word.endswith("es") and other == f"{word[:-2]}s"):
        return 0
    return 1 if any(word.endswith(form) and other.endswith(form) for form in _FORMS) else 2


def _score_fit(word: str, before: str, after: str) -> float:
    pairs = [p for p in ((before, word), (word, after)) if all(p)]
    out = 1.0
    for pair in pairs:
        out *= max(lists.get_pair_frequency(*pair), _UNLISTED_FREQUENCY) / _UNLISTED_FREQUENCY
    return out * (1 + lists.get_frequency(word) / 1e11)
