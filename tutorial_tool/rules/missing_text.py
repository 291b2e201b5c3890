"""A paragraph, list item or sentence that the other copies have, word for word, and this one lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tutorial_tool import align, lazy_re
from tutorial_tool.align import OWN, SectionRow, Unit, masked
from tutorial_tool.align.wording import has_own_name, names_a_platform, plain_words, without_names
from tutorial_tool.document import MASK, Range
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._copies import named, quoted
from tutorial_tool.variants import Step

_WORDS = 4
"""Words of a text that says something, at least."""
_SEVERAL = 3
_SENTENCES, _NEARLY = 8, 0.85
"""Sentences that two copies have alike, at least, and their share, where one that stands in one of them is missed."""
_LABEL = lazy_re.compile(r"\*\*[^*\n]+\*\*")
_Row = Mapping[str, Unit]


class _Missing(NamedTuple):
    """A text that a page lacks: what stands next to it there, on which side, and the text where it is."""

    beside: Unit
    where: str
    row: _Row


@rule("drift", Severity.HINT, needs="copies")
def check(step: Step) -> Iterator[Finding]:
    missing: dict[str, list[_Missing]] = {}
    sections = align.of(step).sections
    alike = len(step.pages) == 2 and _are_nearly_one(sections)
    for section in sections:
        for name, found in _missing(step, section, alike=alike):
            if moved := _elsewhere(section, found.row, name):
                yield _moved(step, name, moved, found.row)
            else:
                missing.setdefault(name, []).append(found)
    if not alike or sum(map(len, missing.values())) <= _SEVERAL:
        for name, lacks in missing.items():
            yield _finding(step, name, lacks)


def _are_nearly_one(sections: Sequence[SectionRow]) -> bool:
    """Whether two copies say the same in nearly all of their sentences, their own names aside."""
    rows = [row for section in sections for row in section.rows if next(iter(row.values())).kind == "sentence"]
    same = sum(len(row) == 2 and len({plain_words(unit.masked) for unit in row.values()}) == 1 for row in rows)
    return same >= max(_SENTENCES, _NEARLY * len(rows))


def _missing(step: Step, section: SectionRow, *, alike: bool) -> Iterator[tuple[str, _Missing]]:
    """The variants that lack a text of a section, each with what stands beside it there.

    Two copies or more must have it, or one of two that are `alike` else.
    """
    least = 1 if alike else 2
    for index, row in enumerate(section.rows):
        lacking = [name for name in section.sections if name not in row and not step.pages[name].generated]
        few = len(row) < least * max(1, len(section.sections) - len(row)) or len(row) < least
        if not lacking or few or not _says_something(row) or (alike and MASK in next(iter(row.values())).text):
            continue
        kinds = {unit.prose.kind for unit in row.values() if unit.prose is not None}
        alone = len(row) == 1 and kinds != {"item"}  # a paragraph that one of two has may be its own
        whole = [other for other in section.rows if other is not row and _stands_in(other, row)]
        before, after = _beside(section.rows, index, row, -1), _beside(section.rows, index, row, 1)
        for name in lacking:
            found = None
            if any(name in other for other in whole):
                found = _in_paragraph(step, section.rows, row, whole, name)
            elif not any(unit.offset for unit in row.values()) and _is_one(step, row, _paragraph) and not alone:
                place = before.get(name) if before else section.sections[name].heading
                if place and (before or after) and (after is None or name in after):
                    found = _Missing(place, "behind", row)
            if found and not _is_own(step, row, name):
                yield name, found


def _elsewhere(section: SectionRow, row: _Row, name: str) -> Unit | None:
    """A text that a page has in the same section, at another place."""
    said = plain_words(next(iter(row.values())).masked)
    alone = (other[name] for other in section.rows if set(other) == {name})
    return next((unit for unit in alone if plain_words(unit.masked) == said), None)


def _moved(step: Step, name: str, unit: Unit, row: _Row) -> Finding:
    tie = "" if len(row) > 1 else " (a tie: either may be right)"
    message = f"{quoted(unit.text)} stands at another place on {named(step, row)}{tie}"
    there, theirs = next(iter(row.items()))
    related = [(step.pages[there], theirs.place, f"its place on {step.variants[there].name}")]
    return step.pages[name].flag(unit.place, message, related=related)


def _says_something(row: _Row) -> bool:
    """Whether a text is a sentence of some words, in what readers read."""
    first = next(iter(row.values()))
    kinds = {unit.prose.kind if unit.prose is not None else "" for unit in row.values()}
    return first.kind == "sentence" and len(first.text.split()) >= _WORDS and kinds <= {"paragraph", "item", "quote"}


def _is_one(step: Step, row: _Row, of: Callable[[Unit], Range]) -> bool:
    """Whether a text is the same wherever it stands, code and links included, but for each platform's own name."""
    typed = (masked(step.pages[name].plain[slice(*of(unit))], step.variants[name]) for name, unit in row.items())
    same = len({text.casefold() for text in typed}) == 1
    return same and not any(
        names_a_platform(step, masked(_said(unit, of), step.variants[n])) for n, unit in row.items()
    )


def _said(unit: Unit, of: Callable[[Unit], Range]) -> str:
    return str(unit.prose) if of is _paragraph and unit.prose is not None else unit.text


def _sentence(unit: Unit) -> Range:
    return unit.place


def _paragraph(unit: Unit) -> Range:
    return unit.prose.place if unit.prose is not None else unit.place


def _in_paragraph(step: Step, rows: Sequence[_Row], row: _Row, whole: Sequence[_Row], name: str) -> _Missing | None:
    """A sentence that is missing in a paragraph that is the same otherwise. `whole` are its other sentences."""
    if any(name not in other or not _is_same(step, other) for other in whole):
        return None
    prose = whole[0][name].prose
    own = any(set(other) == {name} and other[name].prose is prose for other in rows)
    if own or any(other[name].prose is not prose for other in whole) or not _is_one(step, row, _sentence):
        return None
    having = next(iter(row))
    before = [other for other in whole if having in other and other[having].offset < row[having].offset]
    return _Missing(before[-1][name], "behind", row) if before else _Missing(whole[0][name], "in front of", row)


def _is_same(step: Step, row: _Row) -> bool:
    """Whether a sentence is the same on all copies, but for names of platforms."""
    return len({plain_words(without_names(step, unit.masked)) for unit in row.values()}) == 1


def _is_own(step: Step, row: _Row, name: str) -> bool:
    """Whether a text leads to another page, or has a name that the page of the variant that lacks it never has.

    Labels that three platforms or more show are no platform's own.
    """
    having, unit = next(iter(row.items()))
    if OWN in unit.masked and not _names_itself(step, name):
        return True
    if len(unit.beside_links.split()) < _WORDS:
        return True
    typed = step.pages[having].plain[slice(*unit.place)]
    text = typed if len(row) < _SEVERAL or "`" in typed else _LABEL.sub("it", typed)
    bare = masked(text if text is not typed else unit.text, step.variants[having]).replace(OWN, "it")
    return has_own_name(step, having, bare, [name])


def _names_itself(step: Step, name: str) -> bool:
    """Whether a page names its platform in its text, as the others do."""
    variant = step.variants[name]
    texts = (prose for prose in step.pages[name].document.prose() if prose.kind != "heading")
    return any(variant.pattern.search(text) for text in texts if variant.may_be_in(text))


def _stands_in(other: _Row, row: _Row) -> bool:
    """Whether two texts stand in one paragraph or item."""
    return any(name in other and other[name].prose is unit.prose for name, unit in row.items())


def _beside(rows: Sequence[_Row], index: int, row: _Row, way: int) -> _Row | None:
    """What stands next to a text's paragraph, before it or behind it, and is not one variant's alone."""
    at = index + way
    while 0 <= at < len(rows) and (len(rows[at]) == 1 or _stands_in(rows[at], row)):
        at += way
    return rows[at] if 0 <= at < len(rows) else None


def _finding(step: Step, name: str, found: Sequence[_Missing]) -> Finding:
    (beside, where, row), *others = found
    text = next(iter(row.values())).text
    many = f"; {len(others)} more below" if others else ""
    has, tie = ("have", "") if len(row) > 1 else ("has", " (a tie: either may be right)")
    message = f"{quoted(text)}, which {named(step, row)} {has}, is missing {where} this{tie}{many}"
    related = [(step.pages[id_], unit.place, f"the text on {step.variants[id_].name}") for id_, unit in row.items()][:1]
    for place, at, other in others:
        there = next(iter(other.values()))
        related.append((step.pages[name], place.place, f"{at} this, too: {quoted(there.text)}"))
    return step.pages[name].flag(beside.place, message, related=related)
