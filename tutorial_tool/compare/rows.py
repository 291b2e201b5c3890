"""The alignment of a step as rows to show: source, platform-specific stretches and differences."""

from __future__ import annotations

import html
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest
from typing import NamedTuple

from tutorial_tool import variation
from tutorial_tool.compare import Cell, Comparison, OwnStretch, Row, RowKind, Stretch
from tutorial_tool.core import lazy_re
from tutorial_tool.core.time_budget import limit_time
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.markdown.document import TableCell
from tutorial_tool.variants import Step
from tutorial_tool.variation import Unit
from tutorial_tool.variation import tables as copied
from tutorial_tool.variation.admonitions import find_aside
from tutorial_tool.variation.model.deviations import Deviation, score_differences
from tutorial_tool.variation.model.intentions import get_reason
from tutorial_tool.variation.multi_alignment import align_sequences as side_by_side
from tutorial_tool.variation.multi_alignment import find_changed_runs
from tutorial_tool.variation.paths import get_path_words

_CONTINUED = lazy_re.compile(r"\s*\n[ \t>]*|\s+")
"""White space inside a part, with the markers of a continued quotation."""
_CODE = lazy_re.compile(r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)")
_TAG = lazy_re.compile(rf"(?P<code>{_CODE.pattern})|</?[A-Za-z][^<>]*>|(?P<entity>&[a-z]+;)", re.DOTALL)
_ADDRESS = lazy_re.compile(r"(?<=\])\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*[^()]*\)|(?<=\])\[[^\]]*\]|\{:[^}]*\}")
"""URLs of links, and attributes."""
_NUMBER = lazy_re.compile(r"(?:(?:step|part|section)\s+)?\d+(?:\.\d+)*[.):]?\s+", re.IGNORECASE)
_WORD = lazy_re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?|[^\w\s]|_")
BOLD = lazy_re.compile(r"(?<![\w*])\*\*(?=[^\s*])([^*\n]+?)(?<=\S)\*\*(?!\*)")  # Bold text, such as UI labels
_VALUE = lazy_re.compile(r"[-+]?\d[\d.,_]*\s?(?:%|[a-z]{1,3})?|true|false|on|off|yes|no", re.IGNORECASE)
"""A number with its unit, or a state, as code or not: not platform-specific."""
_EMPHASIS = "*_~`"
_BETWEEN = lazy_re.compile(r"[^\w\s]+")
"""Characters between two differing stretches that count as one: the dot of `build.gradle`."""
_EDGE = " | "  # The separator between the cells of a row
_MARKUP = frozenset("*_[]~`")
_OWN = {"name": variation.OWN, "code": "`", "path": "", "number": ""}
"""Replacements for platform-specific text in a text that is compared."""
Places = Mapping[str, tuple[int, int]]  # Offsets in the page of each variant


class _DeviationIndex:
    """What the variation model has about the places of a step in which its variants differ."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self._by_place: dict[tuple[str, int], list[Deviation]] = {}
        for deviation in score_differences(step):
            for name, text in deviation.slot.texts.items():
                self._by_place.setdefault((name, text.start), []).append(deviation)

    def _is_platform_specific(self, places: Sequence[Places]) -> bool:
        """Return whether `lint` takes every difference in these places as platform-specific."""
        starts = ((name, start) for spans in places for name, (start, _) in spans.items())
        differences = list(chain.from_iterable(self._by_place.get(place, ()) for place in starts))
        return bool(differences) and all(deviation.is_platform_specific for deviation in differences)

    def classify_difference(self, places: Sequence[Places]) -> tuple[RowKind, str]:
        """Return the kind of a row that differs in these places, and the reason that the data gives for it."""
        if reason := next(filter(None, (get_reason(self._step, spans) for spans in places)), ""):
            return RowKind.INTENDED, reason
        return RowKind.MASKED if self._is_platform_specific(places) else RowKind.DIFFERENT, ""


def compare_variants(step: Step) -> Comparison:
    """Compare the variants of a step, part by part, in the order of the pages."""
    with limit_time(f"comparing `{step.pattern}`"):
        return Comparison(step, tuple(_iter_rows(step, _DeviationIndex(step))))


def _iter_rows(step: Step, model: _DeviationIndex) -> Iterator[Row]:
    alignment = variation.get_alignment(step)
    tables = {id(copy.table): group for group in copied.find_copy_groups(step) for copy in group.values()}
    for units in alignment.front:
        cells = {name: _build_meta_cell(step, name, unit) for name, unit in units.items()}
        yield _build_row(step, "meta", cells, model, [_get_places(units)])
    for section in alignment.sections:
        headings = {name: result.heading for name, result in section.sections.items() if result.heading}
        if headings:
            level = min(result.level for result in section.sections.values())
            yield _build_row(step, "heading", _build_unit_cells(step, headings), model, [_get_places(headings)], level)
        for units in section.rows:
            part = next(iter(units.values())).kind
            if part == "table":
                yield from _iter_table_rows(step, units, tables, model)
            else:
                yield from _iter_asides(step, units, model)
                yield _build_row(step, part, _build_unit_cells(step, units), model, [_get_places(units)])


def _get_places(parts: Mapping[str, Unit]) -> Places:
    return {name: (unit.place.start, unit.place.end) for name, unit in parts.items()}


def _iter_asides(step: Step, units: Mapping[str, Unit], model: _DeviationIndex) -> Iterator[Row]:
    """Yield the openings of an admonition, if they differ by variant."""
    asides = {name: aside for name, unit in units.items() if (aside := find_aside(step.pages[name], unit))}
    if len({entry.word for entry in asides.values()}) > 1:
        cells = {name: Cell(own.word, own.word, _get_line(step, name, own.start)) for name, own in asides.items()}
        yield _build_row(step, "aside", cells, model)


def _build_row(
    step: Step,
    part: str,
    cells: Mapping[str, Cell],
    model: _DeviationIndex,
    places: Sequence[Places] = (),
    level: int = 0,
) -> Row:
    """Build a row of cells. `places` are their spans: for a row of a table, one for each of its columns."""
    ordered = {name: cells[name] for name in step.pages if name in cells}
    reason = ""
    if len(ordered) < len(step.pages):
        kind = RowKind.MISSING
    elif len({cell.key for cell in ordered.values()}) == 1:
        kind = RowKind.SAME if len({cell.text for cell in ordered.values()}) == 1 else RowKind.MASKED
    else:
        kind, reason = model.classify_difference(places)
    marked = _mark_differences(ordered, by_cell=part in ("row", "columns"))
    is_own = kind in (RowKind.MASKED, RowKind.INTENDED)
    if is_own:
        marked = {name: replace(cell, owned=_merge_stretches(cell), marks=()) for name, cell in marked.items()}
    return Row(part, kind, marked, level, reason)


def _merge_stretches(cell: Cell) -> tuple[OwnStretch, ...]:
    """Return platform-specific and marked stretches, in order; overlapping ones are merged."""
    out: list[OwnStretch] = []
    for stretch in sorted((*cell.owned, *(OwnStretch(start, end, "name") for start, end in cell.marks))):
        if out and stretch.start < out[-1].end:
            out[-1] = out[-1]._replace(end=max(stretch.end, out[-1].end))
        else:
            out.append(stretch)
    return tuple(out)


# Cells


def _build_unit_cells(step: Step, units: Mapping[str, Unit]) -> dict[str, Cell]:
    return {name: _build_unit_cell(step, name, unit) for name, unit in units.items()}


def _build_unit_cell(step: Step, name: str, unit: Unit) -> Cell:
    text = strip_origins(step.pages[name].text)
    if unit.kind in ("code", "image"):  # all of it is platform-specific
        shown = unit.text.rstrip("\n") if unit.kind == "code" else _CONTINUED.sub(" ", unit.text)
        return Cell(shown, unit.kind, _get_line(step, name, unit.place.start), (OwnStretch(0, len(shown), "code"),))
    start, end = unit.place
    while start and text[start - 1] in _EMPHASIS:  # a span may start or end within its emphasis markers
        start -= 1
    while text[end : end + 1] and text[end] in _EMPHASIS:
        end += 1
    for link in unit.links:  # or of a link
        start = link.start if link.start < start and text[link.start : start] == "[" else start
        end = link.end if end < link.end and text[end] == "]" else end
    cell = _build_cell(step, name, text[start:end], unit.place.start, heading=unit.kind == "heading")
    return replace(cell, key=unit.masked)


def _build_meta_cell(step: Step, name: str, unit: Unit) -> Cell:
    """Build the cell of a front matter value; in a URL, the platform's own word is platform-specific."""
    if "/" in unit.text and not any(character.isspace() for character in unit.text):
        words = get_path_words(step)[name]
        stretches = tuple(OwnStretch(*match.span(), "name") for match in words.pattern.finditer(unit.text))
        return Cell(unit.text, words.mask_words(unit.text), _get_line(step, name, unit.place.start), stretches)
    return _build_cell(step, name, unit.text, unit.place.start)


def _build_cell(
    step: Step, name: str, text: str, start: int, *, heading: bool = False, code_is_own: bool = True
) -> Cell:
    without_tags = _TAG.sub(lambda match: match["code"] or html.unescape(match["entity"] or " "), text)
    shown = _CONTINUED.sub(" ", without_tags).strip()
    stretches = _find_own_stretches(step, name, shown, heading=heading)
    if not code_is_own:
        stretches = [stretch for stretch in stretches if stretch.kind != "code"]
    key, position = "", 0
    for stretch in stretches:
        key += shown[position : stretch.start] + _OWN[stretch.kind]
        position = stretch.end
    return Cell(shown, key + shown[position:], _get_line(step, name, start), tuple(stretches))


def _get_line(step: Step, name: str, offset: int) -> int:
    """Return the line of a part of a page in its source, which is what people open."""
    return step.pages[name].get_source_span(offset, offset)[0].position.line


def _find_own_stretches(step: Step, name: str, text: str, *, heading: bool) -> list[OwnStretch]:
    """Return the platform-specific stretches of a text, in order: of two that overlap, the first."""
    candidates = [OwnStretch(*match.span(), "code") for match in _CODE.finditer(text)]
    candidates += [OwnStretch(*match.span(), "path") for match in _ADDRESS.finditer(text)]
    candidates += [OwnStretch(*match.span(), "name") for match in step.variants[name].pattern.finditer(text)]
    if heading and (number := _NUMBER.match(text)):
        candidates.append(OwnStretch(*number.span(), "number"))
    out, end = list[OwnStretch](), 0
    for stretch in sorted(candidates, key=lambda own: (own.start, -own.end)):
        if stretch.start >= end:
            out.append(stretch)
            end = stretch.end
    return out


# What differs


class _Token(NamedTuple):
    start: int
    end: int
    text: str


def _mark_differences(cells: Mapping[str, Cell], *, by_cell: bool) -> dict[str, Cell]:
    """Mark each stretch that not all cells share; in a table row, each of its cells separately."""
    cell_by_key = {cell.key: cell for cell in cells.values()}
    if len(cell_by_key) < 2:
        return dict(cells)
    words_by_key = {key: _get_words(cell, by_cell) for key, cell in cell_by_key.items()}
    marks = {name: _find_marks(cell, _get_words(cell, by_cell), words_by_key) for name, cell in cells.items()}
    return {name: replace(cell, marks=marks[name]) for name, cell in cells.items()}


def _get_words(cell: Cell, by_cell: bool) -> list[tuple[int, str]]:
    """Return the words of a cell; in a row, with the number of their cell, as they match only there."""
    return [((cell.text.count(_EDGE, 0, token.start) if by_cell else 0), token.text) for token in _split_tokens(cell)]


def _find_marks(
    cell: Cell, words: Sequence[tuple[int, str]], words_by_key: Mapping[str, Sequence[tuple[int, str]]]
) -> tuple[Stretch, ...]:
    tokens = _split_tokens(cell)
    unshared: set[int] = set()
    for key, other_words in words_by_key.items():
        if key != cell.key:
            for start, end, *_ in find_changed_runs(words, other_words):
                unshared.update(range(start, end))
    out: list[Stretch] = []
    for index in sorted(unshared):
        token = tokens[index]
        if out and (index - 1 in unshared or _BETWEEN.fullmatch(cell.text, out[-1][1], token.start)):
            out[-1] = (out[-1][0], token.end)
        else:
            out.append((token.start, token.end))
    return tuple(out)


def _split_tokens(cell: Cell) -> list[_Token]:
    """Split a text into words and punctuation.

    A name of the platform is one word; markup, URLs and numbers are none.
    """
    out: list[_Token] = []
    position = 0
    for start, end, kind in (*cell.owned, OwnStretch(len(cell.text), len(cell.text), "")):
        out += [_Token(*match.span(), match[0]) for match in _WORD.finditer(cell.text, position, start)]
        if replacement := _OWN.get(kind):
            out.append(_Token(start, end, replacement))
        position = end
    return [token for token in out if token.text not in _MARKUP or token.text == "`"]


# Tables


def _iter_table_rows(
    step: Step,
    units: Mapping[str, Unit],
    copies_by_table: Mapping[int, dict[str, copied.TableCopy]],
    model: _DeviationIndex,
) -> Iterator[Row]:
    """Yield the rows of corresponding tables: by their keys if they are copies, else by their order."""
    tables = {name: unit.table for name, unit in units.items() if unit.table is not None}
    copies = {name: copy for table in tables.values() for name, copy in copies_by_table.get(id(table), {}).items()}
    copies = {name: copy for name, copy in copies.items() if tables.get(name) is copy.table}
    loose = {name: table for name, table in tables.items() if name not in copies}
    heads = {name: _join_cells(step, name, table.header) for name, table in tables.items() if table.header}
    if heads:
        yield _build_row(step, "columns", heads, model)
    keyed = {name: list(copy.keys) for name, copy in copies.items()}
    for row in side_by_side(keyed, lambda key: key, lambda _a, _b: 0.0, 1.0):
        rows = {name: copies[name].table.rows[copies[name].keys[key]] for name, key in row.items()}
        same_columns = _find_same_columns(rows.values())
        joined = {name: _join_cells(step, name, cells, same_columns) for name, cells in rows.items()}
        yield _build_row(step, "row", joined, model, _get_column_places(rows))
    for loose_rows in zip_longest(*(filter(None, table.rows) for table in loose.values())):
        named = zip(loose, loose_rows, strict=True)
        yield _build_row(step, "row", {name: _join_cells(step, name, cells) for name, cells in named if cells}, model)


def _get_column_places(rows: Mapping[str, Sequence[TableCell]]) -> list[Places]:
    longest = max(map(len, rows.values()))
    return [
        {name: (cells[column].start, cells[column].end) for name, cells in rows.items() if column < len(cells)}
        for column in range(longest)
    ]


def _find_same_columns(rows: Iterable[Sequence[TableCell]]) -> set[int]:
    """Return the numbers of the cells with the same text in all of some rows."""
    columns = enumerate(zip(*([str(cell.text) for cell in row] for row in rows), strict=False))
    return {number for number, texts in columns if len(set(texts)) == 1}


def _join_cells(step: Step, name: str, cells: Iterable[TableCell], same_columns: Container[int] = ()) -> Cell:
    """Join the cells of a row to one text.

    Code is platform-specific, except for values; in the columns `same`, nothing is.
    """
    page, out = strip_origins(step.pages[name].text), Cell("", "", 0)
    for number, cell in enumerate(cells):
        typed = page[cell.start : cell.end].strip()
        joined = _build_cell(step, name, typed, cell.start, code_is_own=not _VALUE.fullmatch(typed.strip("`*_ ")))
        joined = replace(joined, key=joined.text, owned=()) if number in same_columns else joined
        out = _concatenate_cells(out, joined) if number else joined
    return out


def _concatenate_cells(left: Cell, right: Cell) -> Cell:
    text = left.text + _EDGE
    owned = tuple(OwnStretch(start + len(text), end + len(text), kind) for start, end, kind in right.owned)
    return Cell(text + right.text, left.key + _EDGE + right.key, left.line, left.owned + owned)
