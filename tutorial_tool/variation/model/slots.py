"""The slots of a step: each place that its variants have in common, with the text of each variant.

Headings, sentences, links, images, alt texts, lines of code, table cells and front matter fields that correspond by the
alignment of sections and tables. Everything that is reported on copies is about slots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from rapidfuzz import fuzz

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import CONTEXT
from tutorial_tool.site import Page
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN, Alignment, SectionRow, Unit, tables
from tutorial_tool.variation.model.code_lines import read_lines
from tutorial_tool.variation.model.tokens import Text
from tutorial_tool.variation.multi_alignment import align_sequences
from tutorial_tool.variation.paths import get_path_words

_LINK = lazy_re.compile(
    r"(?<!!)\[(?P<shown>(?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*<?(?P<inline>\{\{[<%][^{}\n]*[>%]\}\}|[^()\s>]+(?:\([^()\s]*\)[^()\s>]*)*)"
    r"|\b(?:href|to)=[\"'](?P<attribute>[^\"'\n]+)[\"']"
)


class Gap(NamedTuple):
    """Where a variant lacks a slot: the span before it, and how many other parts the variant has instead."""

    preceding: tuple[int, int]
    extra_count: int


@dataclass(frozen=True, eq=False)
class Slot:
    """One place of a step that variants have in common.

    `kind` is heading, sentence, alt, image, link, code, cell, meta; or section, block or row, for what variants may
    lack as a whole: all below a heading, a code block or table, a row of a table. `texts` has the text of each variant;
    `gaps` those of the variants whose page, section or table has nothing there. `label` identifies the place: the row
    and column of a cell, the key of a field, the heading above. `table` is the number of its table in the step;
    `agreement` the share of rows, from 0 to 1, that all its tables have in common.
    """

    kind: str
    texts: Mapping[str, Text]
    label: str = ""
    column: str = ""
    gaps: Mapping[str, Gap] = field(default_factory=lambda: MappingProxyType({}))
    agreement: float = 1.0
    table: int = -1

    @property
    def is_container(self) -> bool:
        """Whether this is a part whose content has slots itself."""
        return self.kind in ("section", "block", "row")


def build_slots(step: Step) -> tuple[Slot, ...]:
    """Return all slots of a step, corresponding headings first. Computed once."""
    return variants.get_cached(step, _build_slots)


def is_family(step: Step) -> bool:
    """Return whether a step is about several products, which may differ in facts. Computed once.

    They have no names of known platforms, and over a quarter of their texts are not the same on another page.
    """
    return not step.has_known_names and variants.get_cached(step, _differ_often)


def _differ_often(step: Step) -> bool:
    counts = [Counter(text.key for text in slot.texts.values()) for slot in build_slots(step)]
    alike = sum(count for keys in counts for count in keys.values() if count > 1)
    return 4 * alike < 3 * sum(map(Counter.total, counts))


def _build_slots(step: Step) -> tuple[Slot, ...]:
    return tuple(_iter_slots(step))


def _iter_slots(step: Step) -> Iterator[Slot]:
    alignment = variation.get_alignment(step)
    for row in alignment.front:
        yield _build_slot(step, "meta", row)
    yield from _iter_missing_sections(step, alignment)
    for section in alignment.sections:
        yield from _iter_section_slots(step, section)
    for number, copies in enumerate(tables.find_copy_groups(step)):
        yield from _iter_table_slots(step, number, copies)


def _iter_missing_sections(step: Step, alignment: Alignment) -> Iterator[Slot]:
    rows = [section.sections for section in alignment.sections]
    for number, row in enumerate(rows):
        headings = {name: section.heading for name, section in row.items() if section.heading}
        gaps = {}
        for name in step.pages.keys() - row.keys() if headings else ():
            before, extra_count = _find_surroundings(rows, number, name)
            heading = before.heading if before else None
            gaps[name] = Gap(heading.place if heading else (0, 0), extra_count)
        if gaps:
            label = next(iter(headings.values())).text
            yield _build_slot(step, "section", headings, label, dict(sorted(gaps.items())))


Part = TypeVar("Part")


def _find_nearest(others: Iterable[Mapping[str, Part]], name: str, row: Mapping[str, Part]) -> tuple[Part | None, int]:
    """Return what a variant has next to a row it lacks, on one side, and how many parts only it has."""
    nearest, extra_count = None, 0
    for other in others:
        if name in other:
            nearest = nearest or other[name]
            if other.keys() & row.keys():
                break
            extra_count += 1
    return nearest, extra_count


def _find_surroundings(rows: Sequence[Mapping[str, Part]], number: int, name: str) -> tuple[Part | None, int]:
    """Return what a variant has before a row it lacks, and how many parts only it has on both sides."""
    before, extra_count = _find_nearest(reversed(rows[:number]), name, rows[number])
    return before, extra_count + _find_nearest(rows[number + 1 :], name, rows[number])[1]


def _iter_section_slots(step: Step, section: SectionRow) -> Iterator[Slot]:
    headings = {name: own.heading for name, own in section.sections.items() if own.heading}
    label = next((unit.text for unit in headings.values()), "")
    if len(headings) > 1:
        yield _build_slot(step, "heading", headings, label)
    for number, row in enumerate(section.rows):
        kind = next(iter(row.values())).kind
        gaps = _find_gaps(section, number) if len(row) < len(section.sections) else {}
        if kind in ("code", "table"):
            if gaps:
                yield _build_slot(step, "block", row, label, gaps)
            if kind == "code":
                yield from _iter_code_slots(step, row, label)
        elif len(section.sections) > 1:
            yield _build_slot(step, kind, row, label, gaps)
            if kind == "sentence" and len(row) > 1:
                yield from _iter_link_slots(step, row, label)


def _find_gaps(section: SectionRow, number: int) -> dict[str, Gap]:
    gaps = {}
    for name, own_section in section.sections.items():
        if name not in section.rows[number]:
            before, extra_count = _find_surroundings(section.rows, number, name)
            neighbor = before or own_section.heading
            gaps[name] = Gap(neighbor.place if neighbor else (0, 0), extra_count)
    return gaps


def _build_slot(
    step: Step, kind: str, row: Mapping[str, Unit], label: str = "", gaps: Mapping[str, Gap] = MappingProxyType({})
) -> Slot:
    is_prose = kind not in ("image", "block")
    is_address = kind == "image"
    texts = {
        name: _build_text(step, name, *unit.place, is_prose=is_prose, is_address=is_address)
        for name, unit in row.items()
    }
    return Slot(kind, texts, label, gaps=gaps)


def _build_text(step: Step, name: str, start: int, end: int, *, is_prose: bool, is_address: bool = False) -> Text:
    names = get_path_words(step)[name].pattern if is_address else None
    return Text(step.pages[name], step.variants[name], start, end, is_prose=is_prose, names=names)


def _iter_code_slots(step: Step, row: Mapping[str, Unit], label: str) -> Iterator[Slot]:
    """Yield the corresponding lines of code blocks that are in one language."""
    lines = {name: list(read_lines(step.pages[name], unit)) for name, unit in row.items()}
    languages = {own[0].language for own in lines.values() if own}
    if len(lines) < 2 or len(languages) > 1:
        return
    rows = align_sequences(
        lines, lambda line: line.text, lambda a, b: fuzz.ratio(a.text, b.text) / 100, variation.MIN_SENTENCE_SIMILARITY
    )
    for lines_row in rows:
        if len(lines_row) > 1:
            texts = {name: _build_text(step, name, *line.place, is_prose=False) for name, line in lines_row.items()}
            yield Slot("code", texts, label)


def _iter_link_slots(step: Step, row: Mapping[str, Unit], label: str) -> Iterator[Slot]:
    """Yield the link targets of a sentence, if all variants have the same number."""
    targets = {name: list(_find_targets(step.pages[name], unit)) for name, unit in row.items()}
    if len({len(spans) for spans in targets.values()}) == 1:
        for places in zip(*targets.values(), strict=True):
            texts = {
                name: _build_text(step, name, start, end, is_prose=False, is_address=True)
                for name, (start, end) in zip(targets, places, strict=True)
            }
            yield Slot("link", texts, label)


def _find_targets(page: Page, unit: Unit) -> Iterator[tuple[int, int]]:
    start, end = unit.place
    for match in _LINK.finditer(page.plain, start, min(end + CONTEXT, len(page.plain))):
        if match.start() < end:
            yield match.span("inline" if match["inline"] else "attribute")


def _find_row_above(copy: tables.TableCopy, other: tables.TableCopy, key: str) -> tuple[int, int]:
    """Return the row below which a table lacks another's row; the header row if that is its first."""
    above = [name for name in takewhile(lambda name: name != key, other.keys) if name in copy.keys]
    return copy.get_row_span(above[-1]) if above else copy.header_span


def _iter_table_slots(step: Step, number: int, copies: Mapping[str, tables.TableCopy]) -> Iterator[Slot]:
    titles, keys = tables.get_shared_columns(copies), tables.get_all_keys(copies)
    shared = sum(all(key in copy.keys for copy in copies.values()) for key in keys)
    for key in keys:
        having = {name: copy for name, copy in copies.items() if key in copy.keys}
        first = next(iter(having.values()))
        if len(having) < len(copies):
            gaps = {
                name: Gap(_find_row_above(copy, first, key), sum(other not in first.keys for other in copy.keys))
                for name, copy in copies.items()
                if name not in having
            }
            places = {name: copy.get_row_span(key) for name, copy in having.items()}
            agreement = (shared + 1) / len(keys)
            texts, label = _build_texts(step, places), first.format_key(key)
            yield Slot("row", texts, label, gaps=gaps, agreement=agreement, table=number)
        for title in (title for title in titles if title != OWN and len(having) > 1):  # else each describes itself
            cells = tables.get_cells(having, key, title)
            if len(cells) > 1:
                places = {name: (cell.start, cell.end) for name, cell in cells.items()}
                yield Slot("cell", _build_texts(step, places), first.format_key(key), title, table=number)


def _build_texts(step: Step, places: Mapping[str, tuple[int, int]]) -> dict[str, Text]:
    return {name: _build_text(step, name, start, end, is_prose=True) for name, (start, end) in places.items()}
