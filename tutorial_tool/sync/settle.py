"""Copy the text of a variant's line to its siblings: resolve a deviation word by word.

Whatever `lint` reports is copied. So are other words, unless one of them may be specific to the sibling: a name, code,
a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from tutorial_tool import variants
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.core.source import CONTEXT_WORDS
from tutorial_tool.sync.carry import CarriedEdit, Carrier, RejectedEdit
from tutorial_tool.sync.edits import MIN_REWORDED_SIMILARITY, find_edits
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.alignment import find_blocks, measure_similarity
from tutorial_tool.variation.model.deviations import Deviation, score_differences
from tutorial_tool.variation.model.exchange import Exchange, iter_equal_tokens, learn_exchange
from tutorial_tool.variation.model.kinds import NEGATIONS
from tutorial_tool.variation.model.signals import is_identifier
from tutorial_tool.variation.model.slots import Slot, build_slots
from tutorial_tool.variation.model.tokens import Text, Token
from tutorial_tool.variation.opposites import are_opposed
from tutorial_tool.variation.units import OWN

SAME = "the other copy says the same there"
_CONTRARY = "the other copy says the opposite there"
_MARKUP = "links or markup differ there"
_KINDS = ("heading", "sentence", "alt", "cell", "code", "meta")
"""Slots with words; images and links are within sentences or cells."""
_CLOSING = lazy_re.compile(r"(?:\]\([^()\n]*\)|[*_`]+|</?[A-Za-z][^<>\n]*>)+")
_LINKS = lazy_re.compile(r"\]\([^()\n]*\)|\]\[[^\]\n]*\]|<[^<>\n]+>|[\[\]]")
_NO_MARKUP = lazy_re.compile(r"`[^`\n]+`|(?<=\w)_(?=\w)")
_NUMBER = lazy_re.compile(r".*\d")
_VERSION = lazy_re.compile(r"v?\d+\.\d")
_YAML = lazy_re.compile(r"[:#\"']")
_JOINERS = frozenset("./_@:#")  # Characters that join the parts of an identifier, a path, or a URL


class TokenBlock(NamedTuple):
    """Tokens `i` to `j` of a text correspond to tokens `k` to `m` of its sibling's."""

    i: int
    j: int
    k: int
    m: int


class Replacement(NamedTuple):
    """A replacement for the text between two offsets of the sibling's page."""

    start: int
    end: int
    text: str


def resolve_line(step: Step, name: str, line: int, sibling: str) -> Sequence[CarriedEdit | RejectedEdit]:
    """Return the changes that copy a variant's line (1-based) to a sibling, and why the rest is skipped."""
    source, text = step.pages[name].source, step.pages[sibling].source.text
    start, end = source.get_line_start(line), source.get_line_end(line)
    slots = [slot for slot in build_slots(step) if slot.kind in _KINDS and _is_on(slot, name, start, end)]
    exchange = learn_exchange(step, name, sibling)
    pairs = [SlotPair(step, exchange, slot) for slot in slots if sibling in slot.texts]
    if not pairs:
        return tuple(_add_line(step, exchange, line, slots))
    results = [result for pair in pairs for result in pair.resolve(start, end)]
    reasons = [result for result in results if isinstance(result, str)]
    if any(slot.kind == "sentence" for slot in slots if sibling not in slot.texts):
        reasons.append("the other copy lacks a sentence of this line: add it yourself")
    carried = list(_build_carried(text, [result for result in results if isinstance(result, Replacement)], line - 1))
    if not carried and not reasons:
        reasons = [_explain_nothing(pairs)]
    return (*carried, *(RejectedEdit(line - 1, reason) for reason in dict.fromkeys(reasons)))


def _explain_nothing(pairs: Sequence[SlotPair]) -> str:
    """Return why there is nothing to resolve on a line."""
    for pair in pairs:
        for block in pair.blocks:
            return f"what differs is on line {pair.left.page.source.get_position(pair.locate(block)).line}"
    is_same = all(pair.exchange.translate(pair.left.typed).split() == pair.right.typed.split() for pair in pairs)
    return SAME if is_same else "only links, markup, or each copy's own words differ there"


def _is_on(slot: Slot, name: str, start: int, end: int) -> bool:
    text = slot.texts.get(name)
    return text is not None and text.start < end and text.end > start


def _build_carried(text: str, replaced: Sequence[Replacement], line: int) -> Iterator[CarriedEdit]:
    edited, at = text, len(text)
    for start, end, replacement in sorted(set(replaced), reverse=True):
        if end <= at:
            edited, at = edited[:start] + replacement + edited[end:], start
    lines = edited.split("\n")
    for edit in find_edits(text.split("\n"), lines):
        yield CarriedEdit(edit.start, edit.end, tuple(lines[edit.new_start : edit.new_end]), line)


def _add_line(step: Step, exchange: Exchange, line: int, slots: Sequence[Slot]) -> Iterator[CarriedEdit | RejectedEdit]:
    """Add a line that the sibling lacks, as if it were a new edit."""
    source = step.pages[exchange.source.id].source
    start, end = source.get_line_start(line), source.get_line_end(line)
    texts = [slot.texts[exchange.source.id] for slot in slots if slot.kind == "sentence"]
    if not source.text[start:end].strip():
        yield RejectedEdit(line - 1, "the line is empty")
    elif step.is_tabset:
        yield RejectedEdit(line - 1, "the other tab has no such text: add it yourself")
    elif any(text.start < start or text.end > end for text in texts):
        yield RejectedEdit(line - 1, "the other copy lacks the sentence that this line is a part of: add it yourself")
    else:
        new, other = source.text.split("\n"), step.pages[exchange.target.id].source.text.split("\n")
        foreign = [variant for id_, variant in step.variants.items() if id_ != exchange.source.id]
        results = list(Carrier([*new[: line - 1], *new[line:]], new, other, exchange, foreign).carry())
        yield from results or [RejectedEdit(line - 1, SAME)]


@dataclass(frozen=True, eq=False)
class SlotPair:
    """The texts of the source and the target of an exchange in a slot."""

    step: Step
    exchange: Exchange
    slot: Slot

    @cached_property
    def left(self) -> Text:
        """The source's text."""
        return self.slot.texts[self.exchange.source.id]

    @cached_property
    def right(self) -> Text:
        """The target's text."""
        return self.slot.texts[self.exchange.target.id]

    @cached_property
    def blocks(self) -> Sequence[TokenBlock]:
        """The differences, except for those specific to either side."""
        return [block for block in map(self._widen, self._find_differences()) if not self._is_exchanged(block)]

    def locate(self, block: TokenBlock) -> int:
        """Return the offset of a difference in the source's page."""
        start, _ = self.left.get_span(block.i, block.j)
        return start if block.i < block.j or not block.i else self.left.tokens[block.i - 1].end - 1

    def resolve(self, start: int, end: int) -> Iterator[Replacement | str]:
        """Yield the results for differences between two offsets of the source: a replacement, or a reason."""
        blocks = [block for block in self.blocks if start <= self.locate(block) <= end]
        if blocks and self._is_elsewhere():
            yield "one of the two pages has the other's text in another place"
            return
        results = {block: self._explain(block) or self._build_replacement(block) for block in blocks}
        reasons = [result for result in results.values() if isinstance(result, str)]
        yield from reasons[:1]
        for block, result in results.items():
            is_applicable = isinstance(result, Replacement) and self._fits_alone(block)
            if not reasons or (_CONTRARY not in reasons and is_applicable):
                yield result

    def _is_elsewhere(self) -> bool:
        """Return whether one of the texts is elsewhere on the other page: the two do not correspond."""
        keys = ((self.exchange.source.id, self.right.key), (self.exchange.target.id, self.left.key))
        kind = self.slot.kind
        others = [slot.texts for slot in build_slots(self.step) if slot.kind == kind and slot is not self.slot]
        return kind in ("heading", "sentence") and any(
            name in texts and texts[name].key == key
            for texts in others
            for name, key in keys
            if len(key) > CONTEXT_WORDS
        )

    # --- Differences

    def _find_differences(self) -> Iterator[TokenBlock]:
        left, right = self.left, self.right
        yield from map(TokenBlock._make, blocks := find_blocks(left.key, right.key, is_bridged=False))
        for i, k in iter_equal_tokens(blocks, len(left.key), len(right.key)):
            block = TokenBlock(i, i + 1, k, k + 1)
            if left.tokens[i].text != right.tokens[k].text and self._get_severity(block) is not Severity.OFF:
                yield block

    @cached_property
    def _deviations(self) -> Sequence[Deviation]:
        return [item for item in variants.get_cached(self.step, score_differences) if item.slot is self.slot]

    def _get_severity(self, block: TokenBlock) -> Severity:
        """Return the severity of a difference in `lint`."""
        severities = [item.severity for item in self._deviations if self._is_about(item, block)]
        return min(severities, key=lambda severity: severity.rank, default=Severity.OFF)

    def _is_about(self, item: Deviation, block: TokenBlock) -> bool:
        """Return whether a difference is, or is part of, a deviation that the model has scored."""
        span, other_span, names = block[:2], block[2:], (self.exchange.source.id, self.exchange.target.id)
        if item.variant_id == names[1]:
            span, other_span, names = other_span, span, (names[1], names[0])
        keys, difference = self.slot.texts[names[1]].key[slice(*other_span)], item.difference
        says_expected = set(keys) <= set(difference.expected) or names[1] not in item.others
        is_within = difference.span[0] <= span[0] and span[1] <= difference.span[1]
        return item.variant_id == names[0] and is_within and says_expected

    def _widen(self, block: TokenBlock) -> TokenBlock:
        """Extend a difference to the article before it and the rest of a word.

        A difference at the start of the text also gets the next word.
        """
        i, j, k, m = block
        tokens, other_tokens = self.left.tokens, self.right.tokens
        while i and k and _belongs_to_next(tokens, i, other_tokens, k):
            i, k = i - 1, k - 1
        is_first = (i == 0 or k == 0) and (i == j or k == m)
        n, other_n = len(tokens), len(other_tokens)
        while j < n and m < other_n and (is_first or _is_joined(tokens, j) or _is_joined(other_tokens, m)):
            j, m, is_first = j + 1, m + 1, False
        return TokenBlock(i, j, k, m)

    def _is_exchanged(self, block: TokenBlock) -> bool:
        """Return whether both texts are equivalent, each in its own words."""
        if self._get_severity(block) is not Severity.OFF:
            return False
        text, other_text = self.left.get_typed(*block[:2]), self.right.get_typed(*block[2:])
        is_own = any(item.is_platform_specific and self._is_about(item, block) for item in self._deviations)
        return is_own or self.exchange.translate(text).split() == other_text.split()

    # --- Platform-specific wording of the target

    def _explain(self, block: TokenBlock) -> str:
        """Return why a text may be specific to the target; empty if it is not, or if `lint` is certain."""
        severity = self._get_severity(block)
        if severity.is_at_least(Severity.WARNING):
            return ""
        is_unknown = severity is Severity.OFF
        if is_unknown and self.slot.kind == "meta":
            return "the field is the page's own"
        facts, other_facts = self._find_facts(block, is_unknown=is_unknown)
        if differing := facts ^ other_facts:
            text = min(differing, key=lambda text: (text not in other_facts, -len(text), text)).strip("`")
            return f"`{text}` may be platform-specific, and lint is not sure that it is wrong"
        keys, others = set(self.left.key[slice(*block[:2])]), set(self.right.key[slice(*block[2:])])
        if is_unknown and block.m - block.k - (block.j - block.i) >= CONTEXT_WORDS:
            return "the other copy says more there"
        is_denied = bool(keys & NEGATIONS) != bool(others & NEGATIONS)
        is_contrary = is_denied or any(are_opposed(left, right) for left in keys - others for right in others - keys)
        return _CONTRARY if is_unknown and is_contrary and len(self.blocks) > 1 else ""

    def _find_facts(self, block: TokenBlock, *, is_unknown: bool) -> tuple[set[str], set[str]]:
        """Return the code, names, and numbers in both texts of a difference that may be specific to each."""
        kind = self.slot.kind
        is_whole = kind == "code" or (kind == "cell" and block[2:] == (0, len(self.right.tokens)))
        is_own = partial(_is_own, is_name=is_unknown, may_be_name=kind != "heading")
        facts, other_facts = (
            {text.tokens[index].text for index in range(*span) if is_whole or is_own(text.tokens, index)}
            for text, span in ((self.left, block[:2]), (self.right, block[2:]))
        )
        numbers = set(filter(_NUMBER.match, self.right.key[slice(*block[2:])])) - {*self.left.key[slice(*block[:2])]}
        if is_unknown and (len(self.blocks) > 1 or any(map(_VERSION.match, numbers))):
            other_facts |= numbers
        return {self.exchange.translate(text) if is_unknown else text for text in facts}, other_facts

    def _fits_alone(self, block: TokenBlock) -> bool:
        """Return whether a difference that `lint` reports can be resolved while others in the text remain."""
        if (severity := self._get_severity(block)) is not Severity.HINT:
            return severity.is_at_least(Severity.WARNING)
        others = [other for other in self.blocks if other != block]
        start, end = block.i - CONTEXT_WORDS, block.j + CONTEXT_WORDS
        is_near = any(start <= other.j and other.i <= end for other in others)
        return not is_near and measure_similarity(self.left.key, self.right.key) >= MIN_REWORDED_SIMILARITY

    # --- New text

    def _build_replacement(self, block: TokenBlock) -> Replacement | str:
        """Return the replacement for a difference, or a reason if markup would break."""
        i, j, k, m = block
        typed, gone = self.left.get_typed(i, j), self.right.get_typed(k, m)
        text = self.exchange.translate(typed)
        text = " ".join((typed if text.split() == gone.split() else text).split())
        start, end = self.right.get_span(k, m)
        if reason := self._explain_obstacle(text, gone, start, end):
            return reason
        own, other = _get_gaps(self.left, i, j), _get_gaps(self.right, k, m)
        if i == j:
            return _build_deletion(start, end, *other)
        if k == m:
            return self._build_insertion(text, own, other[0], k)
        first, prefix = _compute_blanks(own[0], other[0]) if i and k else (0, "")
        last, suffix = _compute_blanks(own[1], other[1]) if j < len(self.left.tokens) else (0, "")
        return Replacement(start - first, end + last, prefix + text + suffix)

    def _explain_obstacle(self, text: str, old_text: str, start: int, end: int) -> str:
        """Return why a text cannot replace another; empty if it can."""
        plain = self.right.page.plain
        is_alike = _LINKS.findall(text) == _LINKS.findall(old_text) and _is_closed(text) and _is_closed(old_text)
        if not is_alike or (old_text and plain[start - 1 : start] + plain[end : end + 1] == "><"):
            return _MARKUP
        if self.slot.kind == "meta" and _YAML.search(text):
            return "the field would need other quotes"
        words, old = text.lower().split(), old_text.lower().split()
        before, after = plain[:start].lower().split()[-1:], plain[end:].lower().split()[:1]
        is_twice = words[:1] == before != old[:1] or words[-1:] == after != old[-1:]
        return f"`{text}` would be there twice" if words and is_twice else ""

    def _build_insertion(self, text: str, gaps: tuple[str, str], between: str, index: int) -> Replacement | str:
        """Build the insertion of words that the target lacks; `between` is the text before its token `index`."""
        start = self.right.tokens[index - 1].end if index else self.right.tokens[0].start
        before, after = (self.exchange.translate(gap) for gap in gaps)
        markup = before.rstrip()
        size = len(markup) if between.startswith(markup) else len(between)
        if size == len(between) != len(markup) and after.strip():
            return _MARKUP
        prefix = " " * (before != markup and not between[:size][-1:].isspace())
        suffix = " " * (after[:1].isspace() and not between[size:][:1].isspace())
        return Replacement(start + size, start + size, prefix + text + suffix)


def _get_gaps(text: Text, first: int, last: int) -> tuple[str, str]:
    """Return the text before and after tokens, up to their neighbors."""
    closing = _CLOSING.match(text.page.plain, text.end)  # closing markup after a sentence is not part of it
    ends = [text.start, *(token.end for token in text.tokens)]
    starts = [*(token.start for token in text.tokens), closing.end() if closing else text.end]
    before, after = (text.page.plain[ends[index] : starts[index]] for index in (first, last))
    return before, after if first < last else ""


def _build_deletion(start: int, end: int, before: str, after: str) -> Replacement | str:
    """Build a deletion of words, with the spaces on one side."""
    blanks = len(before) - len(before.rstrip())
    if blanks or not before:
        return Replacement(start - blanks, end, "")
    return _MARKUP if after.strip() else Replacement(start, end + len(after), "")


def _compute_blanks(own: str, other: str) -> tuple[int, str]:
    """Return how many spaces of a gap to remove, and which to add, to match the source; markup is kept."""
    if own.strip() or other.strip() or bool(own) == bool(other):
        return 0, ""
    return (0, " ") if own else (len(other), "")


def _belongs_to_next(own: Sequence[Token], i: int, other: Sequence[Token], k: int) -> bool:
    """Return whether equal words belong to what follows: parts of one word, or an article that may change."""
    left, right = own[i - 1], other[k - 1]
    is_article = left.key == "a" and left.text.lower() != right.text.lower()
    return left.key == right.key and (is_article or _is_joined(own, i) or _is_joined(other, k))


def _is_joined(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a token continues the word before it, as `not` does in `isn't`."""
    if not 0 < index < len(tokens) or tokens[index - 1].end != tokens[index].start:
        return False
    return tokens[index - 1].text[-1].isalnum() and (tokens[index].text[0].isalnum() or tokens[index].key == "not")


def _is_own(tokens: Sequence[Token], index: int, *, is_name: bool, may_be_name: bool) -> bool:
    """Return whether a token is code, an identifier, or part of one.

    With `is_name`, the name of the variant counts as well. A capitalized word within a sentence may be a name, too; in
    headings, any word may be capitalized.
    """
    token, word = tokens[index], tokens[index].text.removesuffix("'s")
    is_part = _is_glued(tokens, index - 1) or _is_glued(tokens, index + 1)
    if token.is_code or is_part or (is_identifier(word) and not word.isupper()):
        return True
    is_capital = index > 0 and word[:1].isupper() and tokens[index - 1].text[-1] not in ".:!?"
    return is_name and (token.key == OWN or (may_be_name and (is_capital or word == "/")))


def _is_glued(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a token is a character that joins two words without spaces: `.` in `Example.start`."""
    if not 0 < index < len(tokens) - 1 or tokens[index].text not in _JOINERS:
        return False
    return tokens[index - 1].end == tokens[index].start and tokens[index].end == tokens[index + 1].start


def _is_closed(text: str) -> bool:
    """Return whether all markup opened in a text is closed in it."""
    text = _NO_MARKUP.sub("", text)
    is_paired = all(text.count(mark) % 2 == 0 for mark in ("**", "*", "`", '"', "_"))
    return is_paired and all(text.count(left) == text.count(right) for left, right in ("[]", "()"))
