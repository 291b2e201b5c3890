"""A term that half of the platforms have, on a page that has the other half's else: for `drifted-wording`.

Where some copies say `scene`, always, and others `level`, a page that says `scene` but once, and `level` there, was
adapted by half.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules.drift._one_text import shared_ends
from tutorial_tool.rules.drift._own_sentences import times_said
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit
from tutorial_tool.variation.wording import NO_TERMS, NUMBERS, is_retyped

_COPIES = 3
"""Copies that are compared, at least."""
_TWICE = 2
"""How often a copy says its term, at least."""
_WORD = lazy_re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[\ue000\ufffc]")
_TERM = lazy_re.compile(r"[^\W\d_]{4,}|[^\W\d_]{3,} [^\W\d_]{3,}")
_DETERMINERS = frozenset("a an another any each every its our the this your".split())
"""What a noun stands behind."""


class _Said(NamedTuple):
    """A term in a sentence, and where it stands there."""

    term: str
    start: int
    end: int


class _Place(NamedTuple):
    """A sentence that is the same on several copies but for a term, and the term of each."""

    row: Mapping[str, Unit]
    said: Mapping[str, _Said]


class MixedTerm(NamedTuple):
    """The term of `others` on the page of a variant that has its own in other places; `times` says how many."""

    name: str
    text: str
    own: str
    times: int
    others: tuple[str, ...]
    place: Range
    rows: tuple[Mapping[str, Unit], ...]
    """The sentences of the step in which the copies have the two terms: nobody else is odd there."""


def mixed_terms(step: Step) -> tuple[MixedTerm, ...]:
    """The terms of others, each once; of two that a page says once each, the last."""
    if len(step.pages) < _COPIES or not step.first.may_be_english:
        return ()
    found = {(one.name, frozenset((one.own, one.text.lower()))): one for one in (*_said_once(step), *_adapted(step))}
    return tuple(found.values())


def _adapted(step: Step) -> Iterator[MixedTerm]:
    """Where a copy that has its own term for that of others in some sentence of any step says theirs, the only time."""
    for own, other in dict.fromkeys(swap[1:] for swap in variants.kept(step, _swaps)):
        for name, page in step.pages.items():
            rows = variation.of(step).rows("sentence") if times_said(page, other) == 1 else ()
            for row in rows:
                said = _said(row[name], other) if name in row else None
                others = _as_others(step, row, own, other) if said else ()
                if said and others and (times := _times_of_own(step, name, own, other)):
                    yield _mixed(step, row, name, said, own, times, others)


def _times_of_own(step: Step, name: str, own: str, other: str) -> int:
    """How often a copy says its own term, if in the place of that of others, which it says once; else 0."""
    if not any((name, own, other) in variants.kept(each, _swaps) for each in (step, *variants.looked_at(step))):
        return 0
    times = _times(step, name, own)
    return times if times >= _TWICE and _times(step, name, other) == 1 else 0


def _swaps(step: Step) -> tuple[tuple[str, str, str], ...]:
    """The copies of a step, their terms, and those that others have in the place of these."""
    return tuple(
        dict.fromkeys(
            (name, said.term, other)
            for place in variants.kept(step, _places)
            for name, said in place.said.items()
            for other in sorted({each.term for each in place.said.values()} - {said.term})
            if not is_retyped(said.term, other)
        )
    )


def _said_once(step: Step) -> Iterator[MixedTerm]:
    """Where a copy says one of two terms in one sentence, and the other one in another, and nowhere else."""
    for place in variants.kept(step, _places):
        for name, said in place.said.items():
            for own in sorted({each.term for each in place.said.values()} - {said.term}):
                once = all(times_said(step.pages[name], term) == 1 for term in (own, said.term))
                if not (once and (name, own, said.term) in variants.kept(step, _swaps)):
                    continue
                are_all = all(_times(step, name, term) == 1 for term in (own, said.term))
                if are_all and (others := _as_others(step, place.row, own, said.term)):
                    yield _mixed(step, place.row, name, said, own, 1, others)


def _as_others(step: Step, row: Mapping[str, Unit], own: str, other: str) -> tuple[str, ...]:
    """The copies that always say the other one of two terms, and here, if some always say the one, and here."""
    sides: list[tuple[str, ...]] = [
        tuple(name for name in row if _said(row[name], term) and _keeps_to(step, name, term, against))
        for term, against in ((own, other), (other, own))
    ]
    return sides[1] if all(sides) else ()


def _keeps_to(step: Step, name: str, term: str, other: str) -> bool:
    if times_said(step.pages[name], other):
        return False  # no need to look at other steps
    return _times(step, name, term) >= _TWICE and not _times(step, name, other)


def _mixed(
    step: Step, row: Mapping[str, Unit], name: str, said: _Said, own: str, times: int, others: tuple[str, ...]
) -> MixedTerm:
    places = variants.kept(step, _places)
    rows = tuple(each.row for each in places if {own, said.term} <= {one.term for one in each.said.values()})
    text = row[name].text[said.start : said.end]
    return MixedTerm(name, text, own, times, others, row[name].at(said.start, said.end), rows)


def _places(step: Step) -> tuple[_Place, ...]:
    rows = (row for row in variation.of(step).rows("sentence") if len(row) >= _COPIES)
    return tuple(_Place(row, said) for row in rows if len(said := _terms(row)) >= _COPIES)


def _terms(row: Mapping[str, Unit]) -> dict[str, _Said]:
    """What stands in one place of a sentence that copies have alike else: a term behind a determiner."""
    texts = Counter(unit.masked for unit in row.values())
    if not 1 < len(texts) < len(row):
        return {}
    words = {text: [word[0].lower() for word in _WORD.finditer(text)] for text in texts}
    usual = words[texts.most_common(1)[0][0]]
    spans = {text: shared_ends(said, usual) for text, said in words.items() if said != usual}
    (before, after), _ = Counter(spans.values()).most_common(1)[0] if spans else ((0, 0), 0)
    if not before or usual[before - 1] not in _DETERMINERS:
        return {}
    alike = {
        text: words[text][before : len(words[text]) - after]
        for text in words
        if spans.get(text, (before, after)) == (before, after)
    }
    terms = {text: " ".join(term) for text, term in alike.items()}
    if not all(map(_is_term, terms.values())):
        return {}
    found = {name: _said(unit, terms[unit.masked]) for name, unit in row.items() if unit.masked in terms}
    return {name: said for name, said in found.items() if said is not None}


def _said(unit: Unit, term: str) -> _Said | None:
    """A term in a sentence that has it once."""
    found = list(re.finditer(rf"(?<!\w){re.escape(term)}(?!\w)", unit.text, re.IGNORECASE))
    return _Said(term, *found[0].span()) if len(found) == 1 else None


def _is_term(term: str) -> bool:
    return _TERM.fullmatch(term) is not None and not {*term.split()} & {*NO_TERMS, *NUMBERS}


def _times(step: Step, name: str, term: str) -> int:
    return sum(times_said(page, term) for page in variants.pages_of(step, name))
