"""What single variants have in a slot where most others have something else: candidate deviations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool.variation.model.alignment import TokenKeys, find_blocks, find_differing_spans, measure_similarity
from tutorial_tool.variation.units import OWN

if TYPE_CHECKING:
    from tutorial_tool.variation.model.slots import Slot
    from tutorial_tool.variation.model.tokens import Text


class Difference(NamedTuple):
    """One edit that turns a variant's text into that of others in the same slot.

    `variant_id` is the variant and `span` the indices of its tokens; `reference_id` is one of the variants that have
    the expected text, at `other_span`. `actual` and `expected` are the keys of what differs. Of the other variants,
    `votes` have what is expected, `against` have what this one has, and `third` have something else. `edits` counts the
    other differences from the reference, and `similarity` from 0 to 1 is that of the two texts.
    """

    slot: Slot
    variant_id: str
    span: tuple[int, int]
    actual: TokenKeys
    reference_id: str
    other_span: tuple[int, int]
    expected: TokenKeys
    votes: int
    against: int
    third: int
    edits: int
    similarity: float

    @property
    def whole_text(self) -> Text:
        """The variant's whole text."""
        return self.slot.texts[self.variant_id]

    @property
    def reference_text(self) -> Text:
        """The whole text of the variant that has the expected one."""
        return self.slot.texts[self.reference_id]

    @property
    def actual_typed(self) -> tuple[str, ...]:
        """The tokens as typed where the texts differ."""
        return tuple(token.text for token in self.whole_text.tokens[slice(*self.span)])

    @property
    def expected_typed(self) -> tuple[str, ...]:
        """The tokens that the other variant has there, as typed."""
        return tuple(token.text for token in self.reference_text.tokens[slice(*self.other_span)])

    @property
    def expects_own_name(self) -> bool:
        """Whether others have their own name there, as a word or in code."""
        return any(OWN in key for key in self.expected)


def find_differences(slot: Slot) -> Iterator[Difference]:
    """Yield the differences of a slot: those of each variant from the most frequent other text."""
    keys = {name: text.key for name, text in slot.texts.items()}
    counts = Counter(keys.values())
    if len(counts) == 1:
        yield from _find_typing_differences(slot)
        return
    for spans in find_differing_spans(keys):
        parts = {name: key[slice(*spans[key])] for name, key in keys.items()}
        by_part = Counter(parts.values())
        for part in sorted(by_part):
            expected = _find_expected(part, by_part)
            if expected is not None:
                own_spans = {name: spans[key] for name, key in keys.items()}
                yield from _iter_part_differences(slot, keys, parts, (part, expected), own_spans)


def _find_expected(part: TokenKeys, counts: Mapping[TokenKeys, int]) -> TokenKeys | None:
    """Return the text most other variants have at a place, if at least as many have it as this part."""
    others = [other for other in counts if other != part]
    most = max(counts[other] for other in others)
    if most < counts[part]:
        return None
    frequent = (other for other in others if counts[other] == most)
    return max(frequent, key=lambda other: (measure_similarity(part, other), other))


def _iter_part_differences(
    slot: Slot,
    keys: Mapping[str, TokenKeys],
    parts: Mapping[str, TokenKeys],
    pair: tuple[TokenKeys, TokenKeys],
    spans: Mapping[str, tuple[int, int]],
) -> Iterator[Difference]:
    part, expected = pair
    holders = [name for name, text in parts.items() if text == part]
    supporters = sorted(
        (name for name, text in parts.items() if text == expected),
        key=lambda name: (-measure_similarity(keys[holders[0]], keys[name]), name),
    )
    for i, j, k, m in find_blocks(part, expected):
        votes = Counter(_vote(part, text, (i, j), expected[k:m]) for text in parts.values() if text != part)
        for name in holders:
            start = spans[name][0]
            typed = _get_typed(slot, name, (start + i, start + j))
            where = {id_: (spans[id_][0] + k, spans[id_][0] + m) for id_ in supporters}
            other = next((id_ for id_ in supporters if _get_typed(slot, id_, where[id_]) != typed), supporters[0])
            yield Difference(
                slot,
                name,
                (start + i, start + j),
                part[i:j],
                other,
                where[other],
                expected[k:m],
                votes["for"],
                votes["against"] + len(holders) - 1,
                votes["third"],
                len(find_blocks(keys[name], keys[other])) - 1,
                measure_similarity(keys[name], keys[other]),
            )


def _vote(part: TokenKeys, text: TokenKeys, span: tuple[int, int], expected: TokenKeys) -> str:
    """Return how a text votes on a span of a part: `for` what is expected, `against` it, or `third`."""
    start, end = span
    blocks = find_blocks(part, text)
    if any((a, b, text[c:d]) == (start, end, expected) for a, b, c, d in blocks):
        return "for"
    if any((a < end and start < b) or a == b == start or (start == end and a <= start <= b) for a, b, *_ in blocks):
        return "third"
    return "against"


def _get_typed(slot: Slot, name: str, span: tuple[int, int]) -> list[str]:
    return [token.text for token in slot.texts[name].tokens[slice(*span)]]


def _find_typing_differences(slot: Slot) -> Iterator[Difference]:
    """Yield words that variants with equal keys type in different case, and numbers typed as words."""
    names = sorted(slot.texts)
    if len({text.typed for text in slot.texts.values()}) == 1:
        return
    for at in range(len(slot.texts[names[0]].key)):
        typed = {name: slot.texts[name].tokens[at].text for name in names}
        counts = Counter(typed.values())
        key = slot.texts[names[0]].key[at]
        is_case = key.isalpha() and len({text.lower() for text in counts}) == 1
        if len(counts) == 1 or not (is_case or key.isdigit()):
            continue
        max_count = max(counts.values())
        usual = min(text for text, count in counts.items() if count == max_count)
        other = next(name for name in names if typed[name] == usual)
        for name in names:
            if typed[name] != usual:
                votes, against = counts[usual], counts[typed[name]] - 1
                third = len(names) - 1 - votes - against
                place = at, at + 1
                yield Difference(slot, name, place, (key,), other, place, (key,), votes, against, third, 0, 1.0)
