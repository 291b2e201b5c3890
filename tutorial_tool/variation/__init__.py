"""Align the sections, sentences, tables and rows of a step's variants."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from itertools import chain

from rapidfuzz import fuzz

from tutorial_tool import variants
from tutorial_tool.core import scripts
from tutorial_tool.core.similarity import RELATED
from tutorial_tool.core.source import find_line_end, find_line_start
from tutorial_tool.variants import Step
from tutorial_tool.variation.multi_alignment import AlignedRow, align_sequences
from tutorial_tool.variation.units import OWN, Section, Unit, mask_own_names, parse_front_matter, split_sections

MIN_SENTENCE_SIMILARITY = RELATED / 100  # Minimum similarity of two sentences that count as one, rewritten
_MIN_LONE_SIMILARITY = 0.25  # The same, or that of two sections, if both are alone between the same neighbors
_MIN_SECTION_SIMILARITY = 0.4  # Minimum similarity of the texts of two sections whose headings differ


@dataclass(frozen=True, eq=False)
class SectionRow:
    """One section as the variants have it, and the aligned rows of its parts."""

    sections: Mapping[str, Section]
    rows: tuple[Mapping[str, Unit], ...]


@dataclass(frozen=True, eq=False)
class Alignment:
    """The aligned parts of a step's variants. A row has no entry for a variant that lacks the part."""

    sections: tuple[SectionRow, ...]
    front: tuple[Mapping[str, Unit], ...]  # Front matter values, aligned by key

    def iter_rows(self, *kinds: str) -> Iterator[Mapping[str, Unit]]:
        """Yield the rows of units of these kinds, except headings, that two or more variants have."""
        for section in self.sections:
            for row in section.rows:
                if len(row) > 1 and next(iter(row.values())).kind in kinds:
                    yield row


def get_alignment(step: Step) -> Alignment:
    """Return the alignment of a step, computed once."""
    return variants.get_cached(step, _build_alignment)


def _build_alignment(step: Step) -> Alignment:
    sections = {name: split_sections(page, step.variants[name]) for name, page in step.pages.items()}
    texts = {name: _collect_heading_texts(step.pages[name].plain, own) for name, own in sections.items()}
    heading_texts = {id(section): texts[name] for name, own in sections.items() for section in own}

    def measure_similarity(left: Section, right: Section) -> float:
        """Return the similarity of two sections; 0 if one page has the other's heading elsewhere, or in bold."""
        if left.key != right.key and (left.key in heading_texts[id(right)] or right.key in heading_texts[id(left)]):
            return 0.0
        return _measure_section_similarity(left, right)

    limits = _MIN_SECTION_SIMILARITY, _MIN_LONE_SIMILARITY
    aligned = align_sequences(sections, lambda section: f"{section.level} {section.key}", measure_similarity, *limits)
    rows = _merge_moved_rows(aligned)
    section_rows = tuple(SectionRow(row, tuple(_align_units(row))) for row in rows)
    return Alignment(section_rows, tuple(_iter_field_rows(step)))


def _iter_field_rows(step: Step) -> Iterator[AlignedRow[Unit]]:
    """Yield the fields of the front matter that several variants have."""
    front = {name: parse_front_matter(page, step.variants[name]) for name, page in step.pages.items()}
    for key in dict.fromkeys(chain.from_iterable(front.values())):
        row = {name: values[key] for name, values in front.items() if key in values}
        if len(row) > 1:
            yield row


def _collect_heading_texts(text: str, sections: Sequence[Section]) -> set[str]:
    """Collect the headings of a page and the lines in bold that are used as headings."""
    headings = {section.key for section in sections if section.heading}
    return headings | {unit.masked.lower() for section in sections for unit in section.units if _is_bold(text, unit)}


def _is_bold(text: str, unit: Unit) -> bool:
    """Return whether a sentence is a whole paragraph in bold."""
    if unit.kind != "sentence" or unit.prose is None or unit.prose.kind != "paragraph":
        return False
    start, end = unit.place
    line = text[find_line_start(text, start) : find_line_end(text, end)].strip()
    return line in (f"**{text[start:end]}**", f"__{text[start:end]}__")


def _measure_section_similarity(left: Section, right: Section) -> float:
    """Measure the similarity of two sections by their headings or by their content."""
    if (left.heading is None) != (right.heading is None):
        return 0.0
    if left.key == right.key:
        return 1.0 if left.level == right.level else 0.9
    shared = len(left.texts & right.texts)
    below = 2 * shared / (len(left.texts) + len(right.texts)) if shared else 0.0
    value = fuzz.ratio(left.key, right.key) / 100
    if value >= 0.75 and (shared or min(len(left.texts), len(right.texts)) < 3):
        return max(below, value)
    return max(below, _MIN_LONE_SIMILARITY if shared and value >= MIN_SENTENCE_SIMILARITY else 0.0)


def _merge_moved_rows(rows: list[AlignedRow[Section]]) -> list[AlignedRow[Section]]:
    out: list[AlignedRow[Section]] = []
    places: dict[str, dict[frozenset[str], list[int]]] = {}  # Indices in `out`, by heading and by variants
    for row in rows:
        keys = {section.key for section in row.values() if section.heading}
        candidates = [
            index
            for key in keys
            for names, indices in places.get(key, {}).items()
            if names.isdisjoint(row) and (index := _find_first_row(names, indices, out)) is not None
        ]
        index = min(candidates, default=len(out))
        if candidates:
            out[index].update(row)
        else:
            out.append(dict(row))
        for section in out[index].values():
            heappush(places.setdefault(section.key, {}).setdefault(frozenset(out[index]), []), index)
    return out


def _find_first_row(names: frozenset[str], indices: list[int], rows: list[AlignedRow[Section]]) -> int | None:
    """Return the first row, from a heap of row indices, that still has exactly these variants."""
    while indices and rows[indices[0]].keys() != names:
        heappop(indices)
    return indices[0] if indices else None


def _align_units(row: AlignedRow[Section]) -> Iterator[Mapping[str, Unit]]:
    measure = cache(_measure_similarity)  # most variants have the same text: it is compared once
    yield from align_sequences(
        {name: section.units for name, section in row.items()},
        lambda unit: f"{unit.kind} {unit.masked.lower()}",
        lambda left, right: measure(left.kind, left.masked, right.masked) if left.kind == right.kind else 0.0,
        MIN_SENTENCE_SIMILARITY,
        _MIN_LONE_SIMILARITY,
    )


def _measure_similarity(kind: str, left: str, right: str) -> float:
    """Measure the similarity of two units of a kind; images, code and tables are matched by position."""
    if kind in ("code", "image", "table"):
        return max(MIN_SENTENCE_SIMILARITY, fuzz.ratio(left[:500], right[:500]) / 100)
    a, b = left.lower(), right.lower()
    by_words = fuzz.ratio(scripts.split_words(a), scripts.split_words(b)) if scripts.has_unspaced_script(a) else 0.0
    return max(fuzz.ratio(a, b), fuzz.token_sort_ratio(a, b) * 0.95, by_words) / 100


__all__ = ["OWN", "Alignment", "Section", "SectionRow", "Unit", "align_sequences", "get_alignment", "mask_own_names"]
