"""Convert a table of several platforms to rows with overrides, if that prints the same characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tutorial_tool.adopt.lines import align_units
from tutorial_tool.adopt.lines.units import CopyUnit, split
from tutorial_tool.adopt.names import topics
from tutorial_tool.adopt.names.naming import build_slug
from tutorial_tool.adopt.names.own_names import KEYS, PlatformNames
from tutorial_tool.adopt.template import jinja
from tutorial_tool.data.model.parts import RESERVED
from tutorial_tool.markdown import table_format
from tutorial_tool.markdown.table_format import USUAL, TableStyle


@dataclass
class DataRow:
    """A data row: its common cells, and overrides by platform.

    A platform in `lacking` has no such row in this position; one in `elsewhere` has it in another. If few platforms
    have the row, `only` names them.
    """

    cells: dict[str, str]
    on: dict[str, dict[str, str]] = field(default_factory=dict)
    lacking: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = field(default=frozenset(), compare=False)
    only: tuple[str, ...] = field(default=(), compare=False)


@dataclass
class DataTable:
    """A table of `platforms.yaml`. A key of `keys` in braces in a cell prints the platform's own value.

    `style` is the Markdown formatting of its cells and delimiters, as arguments of `table()` describe it.
    """

    titles: dict[str, str]
    rows: dict[str, DataRow]
    indentation: str = field(default="", compare=False)
    keys: tuple[str, ...] = field(default=KEYS, compare=False)
    style: TableStyle = field(default=USUAL, compare=False)

    def render(self, platform: str, names: PlatformNames | None = None) -> str:
        """Render the table as `table()` does, with the indentation of its tag."""
        rows = [row for row in self.rows.values() if platform not in row.lacking]
        values = [{**row.cells, **row.on.get(platform, {})} for row in rows]
        cells = [[row.get(column, "") for column in self.titles] for row in values]
        filled = [[names.fill_placeholders(cell, platform) if names else cell for cell in row] for row in cells]
        grid = [[_escape_cell(cell) for cell in row] for row in (self.titles.values(), *filled)]
        return "".join(f"{self.indentation}{''.join(line)}\n" for line in table_format.render_lines(grid, self.style))

    @property
    def call(self) -> str:
        """The arguments of `table()` besides the table's ID."""
        cells = [cell for row in self.rows.values() for part in (row.cells, *row.on.values()) for cell in part.values()]
        used = (key for key in self.keys if any(f"{{{key}}}" in cell for cell in cells))
        options = ((key, value) for key, value in self.style._asdict().items() if value)  # unlike the default
        quoted = {key: jinja.quote_literal(value) if isinstance(value, str) else "true" for key, value in options}
        arguments = "".join(f", {key}={expression}" for key, expression in quoted.items())
        return arguments + "".join(f", {key}=platform.{'' if key in KEYS else 'values.'}{key}" for key in used)


def _escape_cell(cell: str) -> str:
    return cell.strip().replace("|", "\\|").replace("\n", "<br>")


def build(units: Mapping[str, CopyUnit], names: PlatformNames) -> DataTable | None:
    """Build a table from units by platform; None if data cannot print them unchanged.

    Cells that differ only in the platform's names become one cell with `{name}` or `{id}`.
    """
    grids = {platform: _parse_grid(unit) for platform, unit in units.items()}
    headers = {tuple(grid[0]) for grid in grids.values()}
    indentations = {_get_indentation(unit) for unit in units.values()}
    if len(headers) > 1 or len(indentations) > 1 or "" in next(iter(headers))[1:]:
        return None
    header = headers.pop()
    ids = _make_ids(header, "column")
    table = DataTable(dict(zip(ids, header, strict=True)), {}, indentations.pop(), (*names.keys, *names.facts))
    rows = _align_rows(grids)
    is_uneven = any(len(row) != len(ids) for cells in rows.values() for row in cells.values())
    if is_uneven or not _has_common_rows(rows.values(), units):
        return None
    for row_id, cells in rows.items():
        with_same_key = (row.keys() for row in rows.values() if _get_first_cell(row) == _get_first_cell(cells))
        elsewhere = (row for row in with_same_key if row.isdisjoint(cells))
        cells = _insert_placeholders(cells, names, header)
        table.rows[row_id] = _build_row(ids, cells, tuple(units), frozenset().union(*elsewhere))
    return _choose_style(table, units, names) if table.rows else None


def _has_common_rows(rows: Iterable[Mapping[str, object]], platforms: Iterable[str]) -> bool:
    """Return whether other platforms have at least half of each platform's rows."""
    having = [[len(row) > 1 for row in rows if platform in row] for platform in platforms]
    return all(2 * sum(shared) >= len(shared) for shared in having)


def _choose_style(table: DataTable, units: Mapping[str, CopyUnit], names: PlatformNames) -> DataTable | None:
    """Return the table in the first form that reproduces its units; None if there is none."""
    for style in _iter_styles(units, table.indentation):
        table.style = style
        if all(table.render(platform, names) == unit.text for platform, unit in units.items()):
            return table
    return None


def _iter_styles(units: Mapping[str, CopyUnit], indentation: str) -> Iterator[TableStyle]:
    """Yield possible forms of a table, derived from the longest one."""
    longest = max(units.values(), key=lambda unit: len(unit.lines))
    width = len(_parse_grid(longest)[0])
    lines = [line.removeprefix(indentation).removesuffix("\n") for line in longest.lines]
    styles = dict.fromkeys(table_format.find_styles(lines))
    yield from (style for style in styles if table_format.find_problem(style, width) is None)


def have_different_styles(texts: Iterable[str]) -> bool:
    """Return whether tables with the same header are formatted differently, so that data cannot print them."""
    units = [CopyUnit("table", text) for text in texts]
    grids = [_parse_grid(unit) for unit in units]
    if len({tuple(grid[0]) for grid in grids}) > 1 or any(len(row) != len(grid[0]) for grid in grids for row in grid):
        return False
    pairs = [(unit, [[_escape_cell(cell) for cell in row] for row in _parse_grid(unit)]) for unit in units]
    styles = _iter_styles({unit.text: unit for unit in units}, _get_indentation(units[0]))
    return not any(all(_render_table(unit, cells, style) == unit.text for unit, cells in pairs) for style in styles)


def _get_indentation(unit: CopyUnit) -> str:
    return unit.text[: len(unit.text) - len(unit.text.lstrip(" \t"))]


def normalize_text(text: str) -> str:
    """Format the tables in a text as `table()` does: the same cells, with one space around each."""
    return "".join(_normalize_table(unit) if unit.kind == "table" else unit.text for unit in split(text))


def _normalize_table(unit: CopyUnit) -> str:
    delimiter, grid = unit.lines[1], _parse_grid(unit)
    if ":" in delimiter or len({len(row) for row in grid}) > 1 or not all(grid[0][1:]):
        return unit.text
    return _render_table(unit, [[_escape_cell(cell) for cell in row] for row in grid], USUAL)


def _render_table(unit: CopyUnit, cells: Sequence[Sequence[str]], style: TableStyle) -> str:
    """Render cells as a table with the indentation of a unit."""
    return "".join(f"{_get_indentation(unit)}{''.join(line)}\n" for line in table_format.render_lines(cells, style))


def _parse_grid(unit: CopyUnit) -> list[list[str]]:
    """Return the cells of a table by row, without the delimiter row. A row of a single pipe has one empty cell."""
    lines = [line for index, line in enumerate(unit.lines) if index != 1]
    return [[cell.strip().replace("\\|", "|") for cell in table_format.split_cells(line)] or [""] for line in lines]


def _align_rows(grids: Mapping[str, list[list[str]]]) -> dict[str, dict[str, list[str]]]:
    """Return the rows by ID, each with its cells by platform, preserving the order of each platform."""
    units = {
        platform: [CopyUnit("row", "\x1f".join(row)) for row in _build_row_keys(grid[1:])]
        for platform, grid in grids.items()
    }
    cells = {platform: dict(zip(units[platform], grid[1:], strict=True)) for platform, grid in grids.items()}
    aligned = align_units(units)
    firsts = [next(iter(column.items())) for column in aligned]
    ids = _make_row_ids([cells[platform][unit] for platform, unit in firsts])
    rows = zip(ids, aligned, strict=True)
    return {id_: {platform: cells[platform][unit] for platform, unit in column.items()} for id_, column in rows}


def _build_row_keys(rows: Sequence[list[str]]) -> list[list[str]]:
    """Return a key for each row, by which to align it: its first cell, and how often that has occurred."""
    counts: Counter[str] = Counter()
    keys = []
    for row in rows:
        counts[row[0]] += 1
        keys.append([row[0], str(counts[row[0]])])
    return keys


def _insert_placeholders(
    cells: Mapping[str, list[str]], names: PlatformNames, header: Sequence[str]
) -> dict[str, list[str]]:
    """Replace names in the cells of a row by placeholders, where that makes more cells equal."""
    out = {platform: list(row) for platform, row in cells.items()}
    for index in range(min(map(len, cells.values()))):
        texts = {platform: row[index] for platform, row in cells.items()}
        fact = names.find_fact(texts, f"{_get_first_cell(cells)} {header[index]}")
        replaced = {platform: fact or names.insert_placeholders(text, platform) for platform, text in texts.items()}
        if len(set(replaced.values())) < len(set(texts.values())):
            for platform, text in replaced.items():
                out[platform][index] = text
    return out


def _get_first_cell(cells: Mapping[str, list[str]]) -> str:
    """Return the first cell of a row."""
    return next(iter(cells.values()))[0]


def _build_row(
    ids: Sequence[str], cells: Mapping[str, list[str]], platforms: tuple[str, ...], having: frozenset[str]
) -> DataRow:
    """Build a data row; `having` are the platforms that have it, in this position or another.

    The text of most platforms is the default. Where there is no majority, a new platform has to state its own text;
    only a first cell that all have is always the default. A row of less than half of the platforms is limited to them:
    a new platform is not asked for it.
    """
    lacking = frozenset(platforms).difference(cells)
    only = tuple(cells) if 2 * len(cells) < len(platforms) and lacking.isdisjoint(having) else ()
    requested = only or platforms
    counts = [Counter(row[index] for row in cells.values()).most_common(1)[0] for index in range(len(ids))]
    is_alone, count = len(requested) == 1, len(cells)
    majority = [
        text if is_alone or 2 * times > max(len(requested), 2) or (index == 0 and times == count) else None
        for index, (text, times) in enumerate(counts)
    ]
    defaults = {id_: text for id_, text in zip(ids, majority, strict=True) if text is not None}
    row = DataRow(defaults, lacking=lacking, elsewhere=lacking & having, only=only)
    for platform, cells_ in cells.items():
        overrides = {id_: cell for id_, cell, text in zip(ids, cells_, majority, strict=True) if cell != text}
        if overrides:
            row.on[platform] = overrides
    return row


def _make_row_ids(rows: Sequence[Sequence[str]]) -> list[str]:
    """Make unique IDs for rows from the first cell, and from the second if that distinguishes them."""
    first_cells = [build_slug(" ".join(map(topics.strip_markup, row[:1]))) for row in rows]
    two_cells = [build_slug(" ".join(map(topics.strip_markup, row[:2]))) for row in rows]
    chosen = [
        right if right and (not left or (first_cells.count(left) > 1 and two_cells.count(right) == 1)) else left
        for left, right in zip(first_cells, two_cells, strict=True)
    ]
    return _make_ids(chosen, "row")


def _make_ids(texts: Sequence[str], fallback: str) -> list[str]:
    """Make unique IDs for texts."""
    out: list[str] = []
    for text in texts:
        base = build_slug(topics.strip_markup(text)) or fallback
        base = f"{fallback}-{base}" if base in RESERVED else base
        out.append(next(id_ for id_ in (base, *(f"{base}-{n}" for n in range(2, len(out) + 3))) if id_ not in out))
    return out
