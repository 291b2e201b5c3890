"""A paragraph or list item that the other copies have, word for word, and this one lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tutorial_tool import align
from tutorial_tool.align import SectionRow, Unit
from tutorial_tool.align.wording import has_own_name, names_a_platform
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._copies import named, quoted
from tutorial_tool.traced import plain
from tutorial_tool.variants import Step

_WORDS = 4
"""Words of a text that says something, at least."""
_Row = Mapping[str, Unit]


@rule("drift", Severity.HINT, needs="copies")
def check(step: Step) -> Iterator[Finding]:
    missing: dict[str, list[tuple[Unit, _Row]]] = {}
    for section in align.of(step).sections:
        for name, before, row in _missing(step, section):
            missing.setdefault(name, []).append((before, row))
    for name, found in missing.items():
        yield _finding(step, name, found)


def _missing(step: Step, section: SectionRow) -> Iterator[tuple[str, Unit, _Row]]:
    """The variants that lack a text of a section, each with what stands before it there."""
    for index, row in enumerate(section.rows):
        lacking = [name for name in section.sections if name not in row and not step.pages[name].generated]
        if not lacking or len(row) < max(2, 2 * (len(section.sections) - len(row))) or not _is_one(step, row):
            continue
        whole = [other for other in section.rows if _stands_in(other, row)]
        before, after = _beside(section.rows, index, row, -1), _beside(section.rows, index, row, 1)
        for name in lacking:
            place = before.get(name) if before else section.sections[name].heading
            is_anchored = (before or after) and (after is None or name in after)
            is_whole = not any(name in other for other in whole)
            if place and is_anchored and is_whole and not _is_own(step, row, name):
                yield name, place, row


def _is_one(step: Step, row: _Row) -> bool:
    """Whether a text begins a paragraph or item that is the same wherever it stands, code and links included."""
    first = next(iter(row.values()))
    if first.kind != "sentence" or len(first.text.split()) < _WORDS:
        return False
    typed = set()
    for name, unit in row.items():
        prose = unit.prose
        if prose is None or prose.kind not in ("paragraph", "item", "quote") or unit.offset:
            return False
        if names_a_platform(step, prose):
            return False
        typed.add(plain(step.pages[name].text)[prose.place.start : prose.place.end].casefold())
    return len(typed) == 1


def _is_own(step: Step, row: _Row, name: str) -> bool:
    """Whether a text leads to another page, or has a name that the page of the variant that lacks it never has."""
    having, unit = next(iter(row.items()))
    prose = unit.prose
    assert prose is not None
    return len(unit.beside_links.split()) < _WORDS or has_own_name(step, having, prose, [name])


def _stands_in(other: _Row, row: _Row) -> bool:
    """Whether two texts stand in one paragraph or item."""
    return any(name in other and other[name].prose is unit.prose for name, unit in row.items())


def _beside(rows: Sequence[_Row], index: int, row: _Row, way: int) -> _Row | None:
    """What stands next to a text's paragraph, before it or behind it, and is not one variant's alone."""
    at = index + way
    while 0 <= at < len(rows) and (len(rows[at]) == 1 or _stands_in(rows[at], row)):
        at += way
    return rows[at] if 0 <= at < len(rows) else None


def _finding(step: Step, name: str, found: Sequence[tuple[Unit, _Row]]) -> Finding:
    (before, row), *others = found
    text = next(iter(row.values())).text
    many = f"; {len(others)} more below" if others else ""
    message = f"{quoted(text)}, which {named(step, row)} have, is missing behind this{many}"
    related = [(step.pages[id_], unit.place, f"the text on {step.variants[id_].name}") for id_, unit in row.items()][:1]
    for place, other in others:
        there = next(iter(other.values()))
        related.append((step.pages[name], place.place, f"behind this, too: {quoted(there.text)}"))
    return step.pages[name].flag(before.place, message, related=related)
