"""A sentence that differs from that of the other copies for no reason of its platform."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import align
from tutorial_tool.align import Unit
from tutorial_tool.align.wording import NUMBERS, differing, is_one_word_more, plain_words, platform_needs
from tutorial_tool.evidence import Findings
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._copies import Verdict, intended, judged, named, quoted, told_already
from tutorial_tool.variants import Step


class _Pair(NamedTuple):
    """A sentence of the odd page, and the one that it should answer to."""

    unit: Unit
    other: str
    theirs: Unit
    verdict: Verdict
    agreeing: tuple[str, ...]
    """The variants that say what `theirs` says."""


@rule("drift", Severity.HINT)
def check(step: Step, found: Findings) -> Iterator[Finding]:
    pairs: dict[str, list[_Pair]] = {}
    for row in align.of(step).rows("sentence"):
        for name, pair in _odd(step, row, found):
            pairs.setdefault(name, []).append(pair)
    for name in step.pages:
        if name in pairs:
            yield _finding(step, name, pairs[name])


def _odd(step: Step, row: Mapping[str, Unit], found: Findings) -> Iterator[tuple[str, _Pair]]:
    """The variants whose sentence is another than most say, or than the newer or the correct one."""
    texts = {name: plain_words(unit.masked) for name, unit in row.items()}
    said = set(texts.values())
    most = 2 * max(list(texts.values()).count(text) for text in said)
    if len(said) == 1 or (len(said) > 2 and (most < len(texts) or (most == len(texts) and _differ_in_numbers(said)))):
        return  # each says it in its own words: no drift of one
    verdict = judged(step, texts, {name: unit.place for name, unit in row.items()}, found)
    if verdict.tie and len(row) > 3:
        return  # half of them say this, half that: two families of platforms
    for name in verdict.odd:
        other = min(verdict.usual, key=lambda id_: len(differing(row[name].masked, row[id_].masked)))
        unit, theirs = row[name], row[other]
        if not (
            _is_link(unit)
            or platform_needs(step, (name, unit.masked), (other, theirs.masked))
            or is_one_word_more(unit.masked, theirs.masked)
            or intended(step, step.pages[name], unit.place)
            or told_already(step, name, unit, found)
            or told_already(step, other, theirs, found)
        ):
            yield name, _Pair(unit, other, theirs, verdict, verdict.agreeing(texts, other))


def _differ_in_numbers(texts: Iterable[str]) -> bool:
    """Whether texts are one but for numbers, in figures or in words."""
    words = (text.split() for text in texts)
    return len({tuple("#" if word.isdigit() or word in NUMBERS else word for word in each) for each in words}) == 1


def _is_link(unit: Unit) -> bool:
    """Whether a text is that of links, and a word or two beside them: it names what they lead to."""
    inside = any(link.start <= unit.place.start and unit.place.end <= link.end for link in unit.links)
    return inside or (bool(unit.links) and len(unit.beside_links.split()) <= 2)


def _finding(step: Step, name: str, pairs: list[_Pair]) -> Finding:
    page, first = step.pages[name], pairs[0]
    others = named(step, first.agreeing)
    many = f"; {len(pairs) - 1} more below" if len(pairs) > 1 else ""
    reason = f" ({first.verdict.reason})" if first.verdict.reason else ""
    message = f"{quoted(first.unit.text)} differs from {others}: {quoted(first.theirs.text)}{reason}{many}"
    related = [(step.pages[first.other], first.theirs.place, f"what {step.variants[first.other].name} says")]
    for pair in pairs[1:]:
        related.append((page, pair.unit.place, f"differs, too: {quoted(pair.unit.text)}"))
        text = f"what {step.variants[pair.other].name} says: {quoted(pair.theirs.text)}"
        related.append((step.pages[pair.other], pair.theirs.place, text))
    strong = any(pair.verdict.strong for pair in pairs)
    return page.flag(first.unit.place, message, related=related, severity=Severity.WARNING if strong else None)
