"""The slots of a step: each place that its variants have in common, with what each of them has there.

A heading, sentence, link, image, alt text, line of code, cell of a table, field of front matter: whatever answers to
each other by the alignment of sections and tables. All that is said of copies is said of slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rapidfuzz import fuzz

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import SectionRow, Unit, tables
from tutorial_tool.variation.many import align
from tutorial_tool.variation.model.tokens import Text
from tutorial_tool.variation.slots import lines

_LINK = lazy_re.compile(
    r"(?<!!)\[(?P<shown>(?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*<?(?P<inline>[^()\s>]+(?:\([^()\s]*\)[^()\s>]*)*)"
    r"|\b(?:href|to)=[\"'](?P<attribute>[^\"'\n]+)[\"']"
)
_BEHIND = 300
"""Characters behind a sentence in which the address of its last link may end."""
_PAIRS = 3000
"""Pairs of lines of code between two equal ones that are still compared."""


@dataclass(frozen=True, eq=False)
class Slot:
    """One place of a step. `kind` is heading, sentence, alt, image, link, code, cell or meta.

    `texts` has what the variants have there, by variant; `lacking` names those whose section or table has nothing
    there. `label` says which place it is: the row and column of a cell, the key of a field, the heading above.
    """

    kind: str
    texts: Mapping[str, Text]
    label: str = ""
    column: str = ""
    lacking: tuple[str, ...] = ()


def build_slots(step: Step) -> tuple[Slot, ...]:
    """All slots of a step, those first in which headings answer to each other. Made once."""
    return variants.kept(step, _build_slots)


def _build_slots(step: Step) -> tuple[Slot, ...]:
    return tuple(_slots(step))


def _slots(step: Step) -> Iterator[Slot]:
    alignment = variation.of(step)
    for row in alignment.front:
        yield _slot(step, "meta", row)
    for section in alignment.sections:
        yield from _of_section(step, section)
    for copies in tables.groups(step):
        yield from _of_table(step, copies)


def _of_section(step: Step, section: SectionRow) -> Iterator[Slot]:
    headings = {name: found.heading for name, found in section.sections.items() if found.heading}
    label = next((unit.text for unit in headings.values()), "")
    if len(headings) > 1:
        yield _slot(step, "heading", headings, label)
    for row in section.rows:
        kind = next(iter(row.values())).kind
        lacking = tuple(name for name in section.sections if name not in row)
        if kind == "code":
            yield from _of_code(step, row, label)
        elif kind != "table" and len(section.sections) > 1:
            yield _slot(step, kind, row, label, lacking)
            if kind == "sentence" and len(row) > 1:
                yield from _of_links(step, row, label)


def _slot(step: Step, kind: str, row: Mapping[str, Unit], label: str = "", lacking: tuple[str, ...] = ()) -> Slot:
    is_prose = kind != "image"
    texts = {name: _text(step, name, *unit.place, is_prose=is_prose) for name, unit in row.items()}
    return Slot(kind, texts, label, lacking=lacking)


def _text(step: Step, name: str, start: int, end: int, *, is_prose: bool) -> Text:
    return Text(step.pages[name], step.variants[name], start, end, is_prose=is_prose)


def _of_code(step: Step, row: Mapping[str, Unit], label: str) -> Iterator[Slot]:
    """The lines of blocks of code that answer to each other, where these are in one language."""
    found = {name: list(lines(step.pages[name], unit)) for name, unit in row.items()}
    languages = {said[0].language for said in found.values() if said}
    if len(found) < 2 or len(languages) > 1:
        return
    alike = align(found, lambda line: line.text, lambda a, b: fuzz.ratio(a.text, b.text) / 100, 0.6, largest=_PAIRS)
    for line in alike:
        if len(line) > 1:
            texts = {name: _text(step, name, *said.place, is_prose=False) for name, said in line.items()}
            yield Slot("code", texts, label)


def _of_links(step: Step, row: Mapping[str, Unit], label: str) -> Iterator[Slot]:
    """The targets of the links of a sentence, where all variants have as many."""
    found = {name: list(_targets(step.pages[name], unit)) for name, unit in row.items()}
    if len({len(targets) for targets in found.values()}) == 1:
        for places in zip(*found.values(), strict=True):
            texts = {
                name: _text(step, name, start, end, is_prose=False)
                for name, (start, end) in zip(found, places, strict=True)
            }
            yield Slot("link", texts, label)


def _targets(page: Page, unit: Unit) -> Iterator[tuple[int, int]]:
    start, end = unit.place
    for match in _LINK.finditer(page.plain, start, min(end + _BEHIND, len(page.plain))):
        if match.start() < end:
            yield match.span("inline" if match["inline"] else "attribute")


def _of_table(step: Step, copies: Mapping[str, tables.Copy]) -> Iterator[Slot]:
    titles = tables.shared_columns(copies)
    for key in tables.all_keys(copies):
        having = {name: copy for name, copy in copies.items() if key in copy.keys}
        lacking = tuple(name for name in copies if name not in having)
        first = next(iter(having.values()))
        if lacking:
            places = {name: copy.row_place(key) for name, copy in having.items()}
            yield Slot("row", _texts(step, places), first.shown(key), lacking=lacking)
        for title in titles if len(having) > 1 else ():
            cells = tables.cells(having, key, title)
            if len(cells) > 1:
                places = {name: (cell.start, cell.end) for name, cell in cells.items()}
                yield Slot("cell", _texts(step, places), first.shown(key), title)


def _texts(step: Step, places: Mapping[str, tuple[int, int]]) -> dict[str, Text]:
    return {name: _text(step, name, start, end, is_prose=True) for name, (start, end) in places.items()}
