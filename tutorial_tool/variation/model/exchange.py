"""Translate one variant's text to another's: names, values, paths and code, learned from the slots."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tutorial_tool import variants
from tutorial_tool.core import lazy_re
from tutorial_tool.core.scripts import MAX_TERM_WORDS, squeeze_word
from tutorial_tool.core.similarity import NEARLY_ALL
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation.keys import MAX_FUNCTION_WORD
from tutorial_tool.variation.model.alignment import Block, find_blocks
from tutorial_tool.variation.model.slots import Slot, build_slots
from tutorial_tool.variation.model.tokens import Text, Token
from tutorial_tool.variation.units import OWN

_FOR_WORDS, _FOR_FACTS = 3, 2
"""Minimum slots that prove a replacement of ordinary words; fewer prove synonyms. A name, number, path or piece
of code needs fewer, and code that only its own variant has needs one."""
_VOWELS = frozenset("aeiouAEIOU")
_ARTICLE = lazy_re.compile(r"(an?)([ \n])", re.IGNORECASE)
TextPair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Exchange:
    """Replaces what the variant `source` has by what the variant `target` has.

    `texts` are replaced where they are whole words; `names` are the forms of the source's name.
    """

    source: Variant
    target: Variant
    texts: Mapping[str, str]
    names: Mapping[str, str]

    def translate(self, text: str) -> str:
        """Return a text of the source as the target has it; what does not vary by platform is unchanged."""
        out, at = [], 0
        for start, end, replacement in sorted(self._find_places(text)):
            if start >= at:
                out += [text[at:start], replacement]
                at = end
        return "".join([*out, text[at:]])

    def _find_places(self, text: str) -> Iterator[tuple[int, int, str]]:
        if self._text_pattern is not None:
            yield from ((*match.span(), self.texts[match[0]]) for match in self._text_pattern.finditer(text))
        if self.source.may_occur_in(text):
            yield from ((*match.span(), self._translate_name(match[0])) for match in self.source.pattern.finditer(text))
        if self._identifier_pattern is not None:
            for match in self._identifier_pattern.finditer(text):
                yield *match.span(), self._translate_within_word(match[0])

    @cached_property
    def _text_pattern(self) -> re.Pattern[str] | None:
        texts = sorted(self.texts, key=lambda text: (-len(text), text))
        return re.compile("|".join(rf"(?<![\w]){re.escape(text)}(?![\w])" for text in texts)) if texts else None

    @cached_property
    def _identifier_pattern(self) -> re.Pattern[str] | None:
        """The pattern of the name as part of an identifier: `ios` in `setup_ios`, `Ios` in `setupIos`."""
        low = squeeze_word(self.source.id)
        if not (low and low.isascii() and self.source.name):
            return None
        return re.compile(rf"(?<![A-Za-z]){low}(?![a-z])|(?<=[a-z]){low.capitalize()}(?![a-z])|(?<=_){low.upper()}\b")

    def _translate_within_word(self, text: str) -> str:
        target_id = squeeze_word(self.target.id)
        if text.isupper():
            return target_id.upper()
        return target_id.capitalize() if text[0].isupper() else target_id

    def _translate_name(self, text: str) -> str:
        article = _ARTICLE.match(text)
        name = text[article.end() :] if article else text
        named = self.names.get(name) or self._get_target_form(name)
        if article is None:
            return named
        determiner = "an" if named[0] in _VOWELS else "a"
        return f"{determiner.capitalize() if text[0].isupper() else determiner}{article[2]}{named}"

    def _get_target_form(self, name: str) -> str:
        """Return the target's name in the same form: its ID, in lower case, or its name."""
        if name == self.source.id and name != self.source.name:
            return self.target.id
        if name == name.lower() != self.source.name:
            return self.target.name.lower() if name == self.source.name.lower() else self.target.id
        return self.target.name.upper() if name == name.upper() != self.source.name else self.target.name


def learn_exchange(step: Step, source: str, target: str) -> Exchange:
    """Learn from a tutorial's slots what `target` has in place of what `source` has; computed once."""
    return variants.get_cached(step, _learn, source, target)


class _PairCounts:
    """What the slots of a tutorial show of two variants.

    The texts, ordinary words and names that are exchanged, with the number of slots for each, what both have alike, and
    the code of each.
    """

    def __init__(self) -> None:
        self.texts, self.words, self.names = Counter[TextPair](), Counter[TextPair](), Counter[TextPair]()
        self.same: Counter[str] = Counter()
        self.left_code: set[str] = set()
        self.right_code: set[str] = set()

    def _count_equal_tokens(self, left: Text, right: Text, blocks: Sequence[Block]) -> None:
        for i, j in iter_equal_tokens(blocks, len(left.key), len(right.key)):
            pair = left.tokens[i].text, right.tokens[j].text
            if left.key[i] == OWN:
                self.names[_strip_article(pair[0]), _strip_article(pair[1])] += 1
            elif pair[0] == pair[1]:
                self.same[pair[0]] += 1

    def count_slot(self, slot: Slot, left: Text, right: Text) -> None:
        """Count what a slot shows."""
        blocks = find_blocks(left.key, right.key)
        self._count_equal_tokens(left, right, blocks)
        for i, j, k, m in blocks:
            if 0 < j - i <= MAX_TERM_WORDS and 0 < m - k <= MAX_TERM_WORDS:
                typed = left.get_typed(i, j).strip("`"), right.get_typed(k, m).strip("`")
                self._count(slot, typed, (*left.tokens[i:j], *right.tokens[k:m]))
        self.left_code.update(token.text for token in left.tokens if token.is_code)
        self.right_code.update(token.text for token in right.tokens if token.is_code)

    def _count(self, slot: Slot, typed: TextPair, tokens: Sequence[Token]) -> None:
        if any(token.key == OWN for token in tokens) or "\n" in "".join(typed):
            return
        if slot.kind == "code" and all(text.isalpha() and text[1:].islower() for text in typed):  # `Options`, a word
            return
        if slot.kind not in ("code", "link") and all(token.is_word and token.text.islower() for token in tokens):
            self.words[typed] += int(all(len(text) > MAX_FUNCTION_WORD for text in typed))
        elif any(any(map(str.isalnum, token.text)) for token in tokens):
            self.texts[typed] += 1

    def select_settled(self) -> dict[str, str]:
        """Return the texts to exchange: frequent enough, or code that only its own variant has."""
        code_pairs = [
            (left, right)
            for left, right in self.texts
            if left in self.left_code - self.right_code and right in self.right_code - self.left_code
        ]
        return {
            **_select_frequent(self.words, self.same, _FOR_WORDS),
            **_select_frequent(self.texts, self.same, _FOR_FACTS),
            **_select_frequent(Counter({pair: self.texts[pair] for pair in code_pairs}), self.same, 1),
        }


def _learn(step: Step, source: str, target: str) -> Exchange:
    pair = step.variants[source], step.variants[target]
    if nameless := next(filter(lambda variant: not variant.name, pair), None):
        return Exchange(replace(nameless, id=source), replace(nameless, id=target), {}, {})
    counts = _PairCounts()
    own: dict[str, str] = {}
    for item in (step, *variants.find_related_steps(step)):
        for slot in build_slots(item):
            if slot.kind != "row" and source in slot.texts and target in slot.texts:
                counts.count_slot(slot, slot.texts[source], slot.texts[target])
        own = own or _select_frequent(counts.names, Counter(), 1)  # of the step itself: others may name it otherwise
    names = {**_select_frequent(counts.names, Counter(), 1), **own}
    return Exchange(*pair, counts.select_settled(), names)


def iter_equal_tokens(blocks: Sequence[tuple[int, int, int, int]], left: int, right: int) -> Iterator[tuple[int, int]]:
    """Yield the indices of corresponding tokens between the differing blocks."""
    at_left = at_right = 0
    for i, j, k, m in (*blocks, (left, left, right, right)):
        yield from zip(range(at_left, i), range(at_right, k), strict=False)
        at_left, at_right = j, m


def _strip_article(name: str) -> str:
    article = _ARTICLE.match(name)
    return name[article.end() :] if article else name


def _select_frequent(pairs: Counter[TextPair], same: Counter[str], least: int) -> dict[str, str]:
    """Return the pairs that hold in most slots, and often enough."""
    totals: Counter[str] = Counter()
    for (left, _), count in pairs.items():
        totals[left] += count
    shares = {pair: NEARLY_ALL * (totals[pair[0]] + same[pair[0]]) for pair in pairs}
    return {left: right for (left, right), count in pairs.items() if count >= max(least, shares[left, right])}
