"""The corresponding tables of a step's variants, with rows matched by key and columns by title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import eq

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re, scripts
from tutorial_tool.core.similarity import MAJORITY
from tutorial_tool.data.toggle_words import normalize_text
from tutorial_tool.markdown.document import Table, TableCell
from tutorial_tool.site import Page
from tutorial_tool.variants import Step, Variant
from tutorial_tool.variation import OWN, Unit, keys, mask_own_names

_MIN_ROWS = 2  # Minimum rows that repeat a name of the first column, for it to be groups; or that have names elsewhere
_MORE = lazy_re.compile(r"\s*<(?:br|span|sup|small)\b")  # What follows the name of the row in a key cell
_CLOSED = lazy_re.compile(r"[ \t]*\|")
_LINK = lazy_re.compile(
    r"(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)"
    r"|(?<!!)\[(?P<text>[^\[\]]*[^\[\]\s][^\[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])"
    r"|</?a(?:\s[^<>]*)?>"
)
"""Code, which is kept unchanged; a link with a text; the tags of a link."""


@dataclass(eq=False)
class TableCopy:
    """A table of one variant. Keys and titles are compared without case, markup and its own names."""

    page: Page
    variant: Variant
    table: Table
    renamed: set[str] = field(default_factory=set)
    """The keys under which another copy has the rows for which this copy has its own name."""
    key_column: int = 0  # The column of the keys: not the first, if that one groups the rows

    @cached_property
    def titles(self) -> list[str]:
        """The titles of the columns, without empty columns at the end."""
        titles = [self.get_cell_text(cell) for cell in self.table.header]
        while titles and not titles[-1] and self._is_empty(len(titles) - 1):
            titles.pop()
        return titles

    def _is_empty(self, column: int) -> bool:
        return not any(row[column].text.strip() for row in self.table.rows if column < len(row))

    @cached_property
    def columns(self) -> list[str]:
        """The titles by which columns are matched: those of another copy that has the same number."""
        return self.titles

    @cached_property
    def keys(self) -> dict[str, int]:
        """The rows by their key cell; the first of those with equal keys."""
        out: dict[str, int] = {}
        for number, row in enumerate(self.table.rows):
            text = self._get_row_name(row[self.key_column]) if self.key_column < len(row) else ""
            shown = mask_own_names(text, self.variant)  # a row about the platform itself matches no other row
            if key := normalize_text(text if shown.strip("`*_ ") == OWN else shown).strip("`*_ "):
                out.setdefault(key, number)
        return out

    def get_cell_text(self, cell: TableCell) -> str:
        return normalize_text(mask_own_names(cell.text, self.variant))

    def get_cell(self, key: str, title: str) -> TableCell | None:
        """Return the cell in the row of a key, below a title.

        None if there is none, or if the cells of the row may belong to other titles.
        """
        row = self.table.rows[self.keys[key]]
        if row and len(row) != self._width and _CLOSED.match(self.page.plain, row[-1].end):
            return None  # without a cell separator at its end, it may omit the last cells
        column = self.columns.index(title) if title in self.columns else len(row)
        return row[column] if column < len(row) else None

    @cached_property
    def _width(self) -> int:
        """The number of cells that most rows have; if there is no majority, that of the header."""
        counts, wanted = Counter(map(len, self.table.rows)), len(self.table.header)
        return max(counts, key=lambda cells: (counts[cells], cells == wanted))

    def format_key(self, key: str) -> str:
        """Return the key cell of a row as a message shows it."""
        name = self._get_row_name(self.get_key_cell(key))
        return (_MORE.split(name, maxsplit=1)[0] or name).strip("`*_ ")

    def _get_row_name(self, cell: TableCell) -> str:
        """Return the row name in a cell as typed; a link by its text alone."""
        return _strip_urls(get_typed_text(self.page, cell))

    def get_key_cell(self, key: str) -> TableCell:
        """Return the key cell of a row."""
        return self.table.rows[self.keys[key]][self.key_column]

    def get_row_span(self, key: str) -> tuple[int, int]:
        row = self.table.rows[self.keys[key]]
        return row[0].start, row[-1].end

    @property
    def header_span(self) -> tuple[int, int]:
        header = self.table.header
        return (header[0].start, header[-1].end) if header else (self.table.start, self.table.start)


def find_copy_groups(step: Step) -> tuple[dict[str, TableCopy], ...]:
    """Return the tables that are copies, by variant: in one place, with half of their keys in common."""
    return variants.get_cached(step, _build_groups)


def _build_groups(step: Step) -> tuple[dict[str, TableCopy], ...]:
    return tuple(_iter_groups(step))


def find_in_place(step: Step, copies: Mapping[str, TableCopy]) -> dict[str, TableCopy]:
    """Return all tables in the same place as some copies, including those with other keys."""
    tables = {id(copy.table) for copy in copies.values()}
    aligned = variation.get_alignment(step).iter_rows("table")
    rows = (row for row in aligned if any(id(unit.table) in tables for unit in row.values()))
    return _build_copies(step, next(rows, {}))


def _build_copies(step: Step, row: Mapping[str, Unit]) -> dict[str, TableCopy]:
    """Return the tables of a row, by variant: those that have rows and several columns."""
    tables = {name: unit.table for name, unit in row.items() if unit.table is not None and unit.table.rows}
    tables = {name: table for name, table in tables.items() if len(table.header) > 1}
    copies = {name: TableCopy(step.pages[name], step.variants[name], table) for name, table in tables.items()}
    _assign_keys(list(copies.values()))
    return copies


def _assign_keys(copies: Sequence[TableCopy]) -> None:
    """Find the column that names the rows of tables with the same header, if it is not the first one.

    The first column then has groups of rows, so that names repeat, or names specific to each platform, while another
    column has names that most tables share.
    """
    headers = {tuple(normalize_text(cell.text) for cell in copy.table.header) for copy in copies}
    if len(headers) != 1 or not all(all(copy.table.rows) for copy in copies):
        return
    is_grouped = _are_grouped(copies)
    shortest = min(len(copy.table.rows) for copy in copies)
    if not is_grouped and (len(copies) < 3 or shortest < _MIN_ROWS or any(_measure_shared_names(copies, 0))):
        return
    at = _find_naming_column(copies, 0.0 if is_grouped else MAJORITY)
    for copy in copies if at else ():
        copy.key_column = at
        copy.renamed |= set() if is_grouped else set(copy.keys)


def _find_naming_column(copies: Sequence[TableCopy], least: float) -> int:
    """Return the first column after column 0 that names the rows of all tables; 0 if there is none.

    In each table, at least the share `least` of its names must be common to most tables.
    """
    columns = (at for at in range(1, len(copies[0].table.header)) if all(_has_row_names(copy, at) for copy in copies))
    return next((at for at in columns if not least or min(_measure_shared_names(copies, at)) >= least), 0)


def _get_column_names(copy: TableCopy, at: int) -> list[str]:
    """Return the texts of a column with the platform's name masked."""
    typed = (_strip_urls(get_typed_text(copy.page, row[at])) for row in copy.table.rows)
    return [normalize_text(mask_own_names(text, copy.variant)).strip("`*_ ") for text in typed]


def _measure_shared_names(copies: Sequence[TableCopy], at: int) -> list[float]:
    """Return, for each table, the share of its names in a column that more than half of all tables have."""
    names_by_table = [set(map(keys.join_words, _get_column_names(copy, at))) for copy in copies]
    counts = Counter(name for names in names_by_table for name in names)
    return [sum(2 * counts[name] > len(copies) for name in names) / len(names) for names in names_by_table]


def _are_grouped(copies: Sequence[TableCopy]) -> bool:
    """Return whether names in the first column repeat.

    Several times on one copy, not once as in a duplicated row; or one name twice on most of several copies.
    """
    counts_by_copy = [Counter(_get_column_names(copy, 0)) for copy in copies]
    if any(names.total() - len(names) >= _MIN_ROWS and all(names) for names in counts_by_copy):
        return True
    twice = Counter(name for names in counts_by_copy for name, times in names.items() if times > 1)
    return all(map(all, counts_by_copy)) and 2 * max(twice.values(), default=0) > max(2, len(copies))


def _has_row_names(copy: TableCopy, at: int) -> bool:
    if any(len(row) <= at for row in copy.table.rows):
        return False
    names = _get_column_names(copy, at)
    are_plain = all(scripts.count_words(name) and "<" not in name for name in names)
    return are_plain and len(set(names)) == len(names)


def _iter_groups(step: Step) -> Iterator[dict[str, TableCopy]]:
    for row in variation.get_alignment(step).iter_rows("table"):
        copies = _build_copies(step, row)
        if len(copies) < 2:
            continue
        _join_rewritten(copies)
        name = max(copies, key=lambda name: sum(_measure_shared_keys(copies[name], copy) for copy in copies.values()))
        first = copies[name]
        alike = {name: copy for name, copy in copies.items() if _measure_shared_keys(first, copy) >= MAJORITY}
        if len(alike) > 1:
            _join_retyped(alike)
            for copy in alike.values():
                _unify_titles(copy, first.titles)
            yield alike


def _unify_titles(copy: TableCopy, titles: list[str]) -> None:
    """Match the columns of a copy by position if half of their titles are equal."""
    if len(copy.titles) == len(titles) and 2 * sum(map(eq, copy.titles, titles)) >= len(titles):
        copy.columns = titles


def get_shared_columns(copies: Mapping[str, TableCopy]) -> list[str]:
    """Return the titles of the columns that all copies have, in the order of the first."""
    first, *others = copies.values()
    return [title for title in first.columns if all(title in copy.columns for copy in others)]


def get_all_keys(copies: Mapping[str, TableCopy]) -> list[str]:
    """Return the keys of the rows of all copies, in the order of the first that has each."""
    return list(dict.fromkeys(key for copy in copies.values() for key in copy.keys))


def get_cells(copies: Mapping[str, TableCopy], key: str, title: str) -> dict[str, TableCell]:
    """Return the cells below a title in the copies that have a row."""
    table_cells = {name: copy.get_cell(key, title) for name, copy in copies.items() if key in copy.keys}
    return {name: cell for name, cell in table_cells.items() if cell is not None}


def _measure_shared_keys(left: TableCopy, right: TableCopy) -> float:
    """Return the share of the smaller table's keys that the other table also has."""
    least = min(len(left.keys), len(right.keys))
    return len(left.keys.keys() & right.keys.keys()) / least if least else 0.0


def _join_retyped(copies: Mapping[str, TableCopy]) -> None:
    """Give a retyped key the spelling of another copy's, so that the rows match."""
    ordered = sorted(copies.values(), key=lambda copy: -len(copy.keys))
    for copy, names in zip(ordered, keys.match_retyped([list(copy.keys) for copy in ordered]), strict=True):
        _rename_keys(copy, names)
        copy.renamed |= {right for left, right in names.items() if keys.are_two_names(left, right)}


def _join_rewritten(copies: Mapping[str, TableCopy]) -> None:
    """Give a key that each language writes differently the spelling of the first copy that has it."""
    for copy, names in zip(
        copies.values(), keys.match_rewritten([list(copy.keys) for copy in copies.values()]), strict=True
    ):
        _rename_keys(copy, names)


def _rename_keys(copy: TableCopy, names: Mapping[str, str]) -> None:
    if names:
        copy.keys = {names.get(key, key): row for key, row in copy.keys.items()}


def _strip_urls(typed: str) -> str:
    """Return the text of a cell with links reduced to their text; unchanged if no text would be left."""
    if "[" not in typed and "<" not in typed:
        return typed
    shown = _LINK.sub(lambda match: match[0] if match["ticks"] else match["text"] or "", typed).strip()
    return shown or typed


def get_typed_text(page: Page, cell: TableCell) -> str:
    """Return the text of a cell as typed, markup and code included."""
    return " ".join(page.plain[cell.start : cell.end].split())
