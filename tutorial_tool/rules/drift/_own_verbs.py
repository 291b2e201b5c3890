"""The verb of another platform where a copy has one of its own: `Click` on a page that says `tap`: for
`drifted-wording`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit
from tutorial_tool.variation.wording import word_counts

_WORD = lazy_re.compile(r"[^\W\d_]+")
_AGREE = 2
"""Other copies that say something, at least."""
_OFTEN = 3
"""How often a copy says its own verb, at least, in the place of that of the others."""
_Swaps = Counter[tuple[str, str, str]]


class OtherVerb(NamedTuple):
    """A verb that the pages of a variant have once, and in `times` other sentences `own` in its place."""

    name: str
    text: str
    own: str
    times: int
    place: Range


def other_verbs(step: Step) -> Iterator[OtherVerb]:
    """The verbs of others that begin a sentence which a copy has from them, word for word."""
    for (name, own, usual), times in _everywhere(step).items():
        if times < _OFTEN or step.pages[name].generated or _said(step, name, usual) != 1:
            continue
        for row in variation.of(step).rows("sentence"):
            unit = row.get(name)
            first = _WORD.match(unit.masked) if unit else None
            if unit is None or first is None or first[0].lower() != usual:
                continue
            if sum(other.masked == unit.masked for other in row.values()) > _AGREE:
                yield OtherVerb(name, first[0], own, times, unit.at(0, len(first[0])))


def _everywhere(step: Step) -> _Swaps:
    """How often a variant has its own verb for that of others, in all steps."""
    found = variants.kept(step, _swaps)
    if not found:
        return found
    return sum((variants.kept(each, _swaps) for each in variants.others(step)), Counter(found))


def _swaps(step: Step) -> _Swaps:
    """How often a sentence of a copy begins with another verb than on two others or more, and is the same else."""
    found: _Swaps = Counter()
    for row in variation.of(step).rows("sentence"):
        if len(row) > _AGREE:
            found.update(_swapped(row))
    return found


def _swapped(row: Mapping[str, Unit]) -> Iterator[tuple[str, str, str]]:
    said = {name: unit.masked.partition(" ") for name, unit in row.items()}
    rests = Counter(rest for _, _, rest in said.values())
    for name, (first, _, rest) in said.items():
        others = Counter(word for other, (word, _, same) in said.items() if other != name and same == rest)
        usual, count = others.most_common(1)[0] if others else ("", 0)
        is_swap = rest and rests[rest] > _AGREE and count >= _AGREE and usual != first
        if is_swap and _WORD.fullmatch(first) and _WORD.fullmatch(usual):
            yield name, first.lower(), usual.lower()


def _said(step: Step, name: str, word: str) -> int:
    """How often the pages of a variant say a word."""
    pages = (each.pages[name] for each in (step, *variants.others(step)) if name in each.pages)
    return sum(word_counts(page)[word] for page in pages)
