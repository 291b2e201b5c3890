"""Decide which of several texts to keep, and why, or why all are kept.

A text with a finding loses to one that differs from it only there. If texts differ only in spelling, that of most
copies is kept or, without a majority, the newest one. Nothing else is resolved: no fact of a single copy, and no word
that a platform may need, is lost to a majority or a date.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.scripts import MAX_TERM_WORDS
from tutorial_tool.fs import blame
from tutorial_tool.spelling import lists
from tutorial_tool.spelling.regional import find_respellings
from tutorial_tool.variants import Step
from tutorial_tool.variation.model.alignment import find_blocks
from tutorial_tool.variation.model.deviations import Deviation
from tutorial_tool.variation.model.kinds import NEGATIONS, Kind
from tutorial_tool.variation.model.slots import Slot
from tutorial_tool.variation.model.tokens import Text
from tutorial_tool.variation.number_words import is_measuring_unit
from tutorial_tool.variation.units import OWN

Groups = Sequence[Sequence[str]]  # The variants that have each text of a slot


class Stake(StrEnum):
    """What readers of some copies would lose if all had the same text, in the order of groups in a report.

    Of several, the first after spelling is the most severe.
    """

    MISTAKE = "mistakes that the linter finds"
    SPELLING = "spelling"
    NUMBER = "numbers and units"
    OPPOSITE = "negations and opposites"
    TARGET = "links, paths and references"
    CODE = "code, labels and references"
    FRONT_MATTER = "front matter"
    NAME = "names"
    SETTING = "settings"
    ADDITION = "words that only some copies have"
    WORDING = "wording"


_STAKE_OF_SLOT = {"meta": Stake.FRONT_MATTER, "link": Stake.TARGET, "image": Stake.TARGET, "code": Stake.CODE}
_STAKE_OF_KIND = {
    **dict.fromkeys((Kind.OPPOSITE, Kind.STATE), Stake.OPPOSITE),
    **dict.fromkeys((Kind.CODE, Kind.CODE_NAME, Kind.CODE_SLIP), Stake.CODE),
    **dict.fromkeys((Kind.FOREIGN, Kind.NAME), Stake.NAME),
    Kind.VALUE: Stake.SETTING,
    **dict.fromkeys((Kind.EXTRA_WORD, Kind.EXTRA_WORDS, Kind.MISSING_WORD, Kind.MISSING_WORDS), Stake.ADDITION),
}
_REASONS = {
    Stake.NUMBER: "a number or what it counts differs: each may be right",
    Stake.OPPOSITE: "one text says the opposite of another: choose manually",
    Stake.TARGET: "links or paths differ: each may be right",
    Stake.CODE: "labels or code differ: each may be right",
    Stake.FRONT_MATTER: "what a page's front matter says of it may be its own",
    Stake.NAME: "one text has a name that another lacks: that may be intended",
    Stake.SETTING: "settings differ: each may be right",
    Stake.ADDITION: "one text says more than another: that may be intended",
    Stake.WORDING: "the wording differs: a platform may need it",
}
_NOT_PROSE = lazy_re.compile(
    r"`+[^`\n]+`+|\*\*?[^*\n]+\*\*?|(?<!\w)__?[^_\n]+__?(?!\w)|<[^<>\n]*>(?:[^<>\n]*</)?|\]\([^)\s]*|\[[^\[\]\n]+\]\[[^\]\n]*\]"
)
"""Code, emphasized labels, elements, link targets, and references: not the spelling of prose."""
_PATH = lazy_re.compile(r"https?://\S+|[\"'][^\"'\s]*/[^\"'\s]*[\"']")
_TOKEN = lazy_re.compile(r"[\w.,:%°+−/-]*\d(?:[\w.,:%°+−/-]*[\w%°+])?|\w+(?:['’]\w+)*|[^\w\s]")
"""A number with everything attached to it, a word, or another character."""
_MINOR_MARKS = frozenset("'\"’‘“”-‐–—")  # Marks whose absence changes no fact, unlike commas and periods within a text
_ENDS = " .,;:…"
_HYPHEN = lazy_re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_QUOTES = str.maketrans("’‘", "''")


class Decision(NamedTuple):
    """The index of the text to keep, and why; None keeps all. `stake` is what readers would lose or gain."""

    winner: int | None
    reason: str
    stake: Stake


def decide(
    step: Step, slot: Slot, groups: Groups, deviations: Sequence[Deviation], findings: Sequence[Finding]
) -> Decision:
    """Decide about the texts of a slot, given its deviations, and the findings in them."""
    stake = _STAKE_OF_SLOT.get(slot.kind)
    if stake is None:
        mistakes = [(finding.span.path, finding.span.start, finding.span.end) for finding in findings]
        if (best := _find_correct_text(slot, groups, mistakes)) is not None:
            rules = ", ".join(sorted({finding.rule for finding in findings}))
            return Decision(best, f"{rules} in the other{'s' if len(groups) > 2 else ''}", Stake.MISTAKE)
        if _differ_in_spelling(slot, groups):
            return _decide_by_majority(step, slot, groups)
        stakes = set(map(_get_stake, deviations))
        stake = next(item for item in Stake if item in stakes)
    return Decision(None, _REASONS[stake], stake)


def _get_stake(deviation: Deviation) -> Stake:
    words = {*deviation.difference.actual, *deviation.difference.expected}
    if any(word[:1].isdigit() or (is_measuring_unit(word) and len(word) > 1) for word in words):
        return Stake.NUMBER
    if words & NEGATIONS:
        return Stake.OPPOSITE
    if is_literal(deviation.difference.whole_text, *deviation.place):
        return Stake.CODE
    return _STAKE_OF_KIND.get(deviation.kind, Stake.WORDING)


def _find_correct_text(slot: Slot, groups: Groups, mistakes: Sequence[tuple[str, int, int]]) -> int | None:
    """Return the only text without a mistake, if the others differ from it only in their mistakes."""
    marked = [[_filter_spans(slot.texts[name], mistakes) for name in group] for group in groups]
    clean = [index for index, spans in enumerate(marked) if not any(spans)]
    if len(clean) != 1:
        return None
    best = slot.texts[groups[clean[0]][0]]
    for group, spans in zip(groups, marked, strict=True):
        for name, own in zip(group, spans, strict=True):
            text = slot.texts[name]
            places = [(i == j, text.get_span(i, j)) for i, j, *_ in find_blocks(text.key, best.key)]
            for lacks, (start, end) in places:
                if lacks or not any(first <= start and end <= last for first, last in own):
                    return None
    return clean[0] if _have_same_literals([text.typed for text in slot.texts.values()]) else None


def _filter_spans(text: Text, mistakes: Sequence[tuple[str, int, int]]) -> list[tuple[int, int]]:
    own = ((start, end) for path, start, end in mistakes if path == text.page.path)
    return [(start, end) for start, end in own if text.start <= start and end <= text.end]


def is_literal(text: Text, start: int, end: int) -> bool:
    """Return whether a span of a text is in code, a label, an element, or a URL."""
    if text.page.plain[: text.start].endswith(">"):
        return True  # all of it: how a component uses its text is unknown
    start, end = start - text.start, end - text.start
    return any(match.start() <= start and end <= match.end() for match in _NOT_PROSE.finditer(text.typed))


def _have_same_literals(texts: Collection[str]) -> bool:
    return len({(*_NOT_PROSE.findall(text), *_PATH.findall(text)) for text in texts}) == 1


def replace_names(text: Text, names: Text) -> str | None:
    """Return a text with the names of another's platform; None if one has more names than the other."""
    own, others = ([token for token in item.tokens if token.key == OWN] for item in (text, names))
    out = text.typed
    for token, other in zip(reversed(own), reversed(others), strict=False):
        out = out[: token.start - text.start] + other.text + out[token.end - text.start :]
    return out if len(own) == len(others) else None


def _differ_in_spelling(slot: Slot, groups: Groups) -> bool:
    """Return whether texts differ only in spelling, apart from the names of their platforms."""
    named = [replace_names(text, slot.texts[groups[0][0]]) for text in slot.texts.values()]
    texts = [text for text in named if text is not None]
    if len(texts) < len(named):
        return False
    if slot.kind == "cell" and any(len(text.split()) <= MAX_TERM_WORDS for text in texts):
        return False
    if any(is_literal(text, text.start, text.start) for text in slot.texts.values()):
        return False
    return _have_same_literals(texts) and all(has_same_words(*pair) for pair in combinations(texts, 2))


def has_same_words(text: str, other: str) -> bool:
    """Return whether two texts have the same words, ignoring case, hyphens, quotes, and regional spelling.

    A word with inner capitals, or in all capitals, is a name or a unit, and must be identical.
    """
    return _are_same_words(text, other) or _are_same_words(_HYPHEN.sub("", text), _HYPHEN.sub("", other))


def _are_same_words(name: str, other: str) -> bool:
    left, right = (_split_tokens(text) for text in (name, other))
    return len(left) == len(right) and all(map(_is_same_word, left, right))


def _split_tokens(text: str) -> list[str]:
    return [match[0] for match in _TOKEN.finditer(text.rstrip(_ENDS)) if match[0] not in _MINOR_MARKS]


def _is_same_word(text: str, other: str) -> bool:
    if text == other:
        return True
    if not all(word.islower() or word.istitle() for word in (text, other)):
        return False
    text, other = (word.lower().translate(_QUOTES) for word in (text, other))
    return text == other or (_are_respellings(text, other) and all(map(lists.is_known, (text, other))))


def _are_respellings(text: str, other: str) -> bool:
    return (text, other) in find_respellings(text) or (other, text) in find_respellings(other)


def _find_change_time(step: Step, text: Text) -> int:
    span = text.page.source.span(text.start, text.end)
    path = step.whole_site.layout.root / span.path
    return blame.find_change_time(path, span.position.line, span.end_position.line)


def _decide_by_majority(step: Step, slot: Slot, groups: Groups) -> Decision:
    """Decide for the spelling of most copies or, without a majority, the newest."""
    sizes = list(map(len, groups))
    if 2 * max(sizes) > sum(sizes):
        return Decision(sizes.index(max(sizes)), f"{max(sizes)} of {sum(sizes)} copies", Stake.SPELLING)
    ages = [[_find_change_time(step, slot.texts[name]) for name in group] for group in groups]
    times = [min(own) and max(own) for own in ages]
    if len(newest := blame.find_newest(times)) == 1:
        day = datetime.fromtimestamp(times[newest[0]], UTC).date().isoformat()
        return Decision(newest[0], f"newer: {day}", Stake.SPELLING)
    return Decision(None, f"no evidence for {'either' if len(groups) == 2 else 'one of them'}", Stake.SPELLING)
