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
from tutorial_tool.adopt.words.pieces import Vector, is_significant
from tutorial_tool.data.model.parts import RESERVED
from tutorial_tool.data.toggle_words import get_state
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

    `form` is how a template formats it.
    """

    titles: dict[str, str]
    rows: dict[str, DataRow]
    indentation: str = field(default="", compare=False)
    keys: tuple[str, ...] = field(default=KEYS, compare=False)
    form: TableStyle = field(default=USUAL, compare=False)

    def render(self, platform: str, own: PlatformNames | None = None) -> str:
        """Render the table as `table()` does, with the indentation of its tag."""
        rows = [row for row in self.rows.values() if platform not in row.lacking]
        values = [{**row.cells, **row.on.get(platform, {})} for row in rows]
        cells = [[row.get(column, "") for column in self.titles] for row in values]
        filled = [[own.fill_placeholders(cell, platform) if own else cell for cell in row] for row in cells]
        grid = [[_escape_cell(cell) for cell in row] for row in (self.titles.values(), *filled)]
        return "".join(f"{self.indentation}{''.join(line)}\n" for line in table_format.render_lines(grid, self.form))

    @property
    def call(self) -> str:
        """The arguments of `table()` besides the table's ID."""
        cells = [cell for row in self.rows.values() for own in (row.cells, *row.on.values()) for cell in own.values()]
        used = (key for key in self.keys if any(f"{{{key}}}" in cell for cell in cells))
        form = {
            key: jinja.quote_literal(value) if isinstance(value, str) else "true"
            for key, value in self.form.get_options().items()
        }
        message = "".join(f", {key}={expression}" for key, expression in form.items())
        return message + "".join(f", {key}=platform.{'' if key in KEYS else 'values.'}{key}" for key in used)


def _escape_cell(cell: str) -> str:
    return cell.strip().replace("|", "\\|").replace("\n", "<br>")


def build(units: Mapping[str, CopyUnit], own: PlatformNames) -> DataTable | None:
    """Build a table from units by platform; None if data cannot print them unchanged.

    Cells that differ only in the platform's names become one cell with `{name}` or `{id}`.
    """
    grids = {platform: _parse_grid(unit) for platform, unit in units.items()}
    heads = {tuple(grid[0]) for grid in grids.values()}
    indentations = {_get_indentation(unit) for unit in units.values()}
    if len(heads) > 1 or len(indentations) > 1 or "" in next(iter(heads))[1:]:
        return None
    head = heads.pop()
    ids = _make_ids(head, "column")
    table = DataTable(dict(zip(ids, head, strict=True)), {}, indentations.pop(), (*own.keys, *own.facts))
    rows = _align_rows(grids)
    if any(len(row) != len(ids) for cells in rows.values() for row in cells.values()):
        return None
    for row_id, cells in rows.items():
        alike = (other.keys() for other in rows.values() if _get_first_cell(other) == _get_first_cell(cells))
        same = (other for other in alike if other.isdisjoint(cells))
        table.rows[row_id] = _build_row(
            ids, _insert_placeholders(cells, own, head), tuple(units), frozenset().union(*same)
        )
    return _choose_form(table, units, own) if table.rows else None


def _choose_form(table: DataTable, units: Mapping[str, CopyUnit], own: PlatformNames) -> DataTable | None:
    """Return the table in the first form that reproduces its units; None if there is none."""
    for form in _iter_forms(units, table.indentation):
        table.form = form
        if all(table.render(platform, own) == unit.text for platform, unit in units.items()):
            return table
    return None


def _iter_forms(units: Mapping[str, CopyUnit], indentation: str) -> Iterator[TableStyle]:
    """Yield possible forms of a table, derived from the longest one."""
    longest = max(units.values(), key=lambda unit: len(unit.lines))
    columns_ = len(_parse_grid(longest)[0])
    lines = [line.removeprefix(indentation).removesuffix("\n") for line in longest.lines]
    yield from (
        form
        for form in dict.fromkeys(table_format.find_styles(lines))
        if table_format.find_problem(form, columns_) is None
    )


def find_differing_cells(column: Mapping[str, CopyUnit]) -> Iterator[tuple[Vector, str]]:
    """Yield the cells that differ between tables, without backticks, with the names of their rows."""
    grids = {platform: _parse_grid(unit) for platform, unit in column.items()}
    for row in _align_rows(grids).values():
        firsts = {own[0] for own in row.values()}
        if len(row) == len(column) and len(firsts) == 1 and len({len(own) for own in row.values()}) == 1:
            for texts in zip(*row.values(), strict=True):
                vector = tuple(zip(row, (text.strip("`") for text in texts), strict=True))
                if len(set(texts)) > 1 and is_significant(vector) and not any(get_state(text) for text in texts):
                    yield vector, topics.strip_markup(min(firsts))


def are_uneven(texts: Iterable[str]) -> bool:
    """Return whether tables with the same head are formatted differently, so that data cannot print them."""
    units = [CopyUnit("table", text) for text in texts]
    grids = [_parse_grid(unit) for unit in units]
    if len({tuple(grid[0]) for grid in grids}) > 1 or any(len(row) != len(grid[0]) for grid in grids for row in grid):
        return False
    pairs = [(unit, [[_escape_cell(cell) for cell in row] for row in _parse_grid(unit)]) for unit in units]
    forms = _iter_forms({unit.text: unit for unit in units}, _get_indentation(units[0]))
    return not any(all(_render_table(unit, own, form) == unit.text for unit, own in pairs) for form in forms)


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


def _render_table(unit: CopyUnit, cells: Sequence[Sequence[str]], form: TableStyle) -> str:
    """Render cells as a table with the indentation of a unit."""
    return "".join(f"{_get_indentation(unit)}{''.join(line)}\n" for line in table_format.render_lines(cells, form))


def _parse_grid(unit: CopyUnit) -> list[list[str]]:
    """Return the cells of a table by row, without the delimiter row.

    A row of a single pipe has one empty cell.
    """
    lines = [line for at, line in enumerate(unit.lines) if at != 1]
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
    return {
        id_: {platform: cells[platform][unit] for platform, unit in column.items()}
        for id_, column in zip(ids, aligned, strict=True)
    }


def _build_row_keys(rows: Sequence[list[str]]) -> list[list[str]]:
    """Return row keys: the first cell, and how often it has occurred."""
    seen: Counter[str] = Counter()
    out = []
    for row in rows:
        seen[row[0]] += 1
        out.append([row[0], str(seen[row[0]])])
    return out


def _insert_placeholders(
    cells: Mapping[str, list[str]], own: PlatformNames, head: Sequence[str]
) -> dict[str, list[str]]:
    """Replace names in the cells of a row by placeholders, where that makes more cells equal."""
    out = {platform: list(row) for platform, row in cells.items()}
    for at in range(min(map(len, cells.values()))):
        texts = {platform: row[at] for platform, row in cells.items()}
        fact = own.find_fact(texts, f"{_get_first_cell(cells)} {head[at]}")
        named = {platform: fact or own.insert_placeholders(text, platform) for platform, text in texts.items()}
        if len(set(named.values())) < len(set(texts.values())):
            for platform, text in named.items():
                out[platform][at] = text
    return out


def _get_first_cell(cells: Mapping[str, list[str]]) -> str:
    """Return the first cell of a row."""
    return next(iter(cells.values()))[0]


def _build_row(
    ids: Sequence[str], cells: Mapping[str, list[str]], platforms: tuple[str, ...], somewhere: frozenset[str]
) -> DataRow:
    """Build a data row; the platforms `somewhere` have it, in this position or another.

    The text of most platforms is the default. Where there is no majority, a new platform has to state its own text;
    only a first cell that all have is always the default. A row of less than half of the platforms is limited to them:
    a new platform is not asked for it.
    """
    lacking = frozenset(platforms).difference(cells)
    only = tuple(cells) if 2 * len(cells) < len(platforms) and lacking.isdisjoint(somewhere) else ()
    requested = only or platforms
    counts = [Counter(row[at] for row in cells.values()).most_common(1)[0] for at in range(len(ids))]
    is_alone, all_ = len(requested) == 1, len(cells)
    default = [
        text if is_alone or 2 * times > max(len(requested), 2) or (at == 0 and times == all_) else None
        for at, (text, times) in enumerate(counts)
    ]
    usual = {id_: text for id_, text in zip(ids, default, strict=True) if text is not None}
    row = DataRow(usual, lacking=lacking, elsewhere=lacking & somewhere, only=only)
    for platform, own in cells.items():
        other = {id_: cell for id_, cell, text in zip(ids, own, default, strict=True) if cell != text}
        if other:
            row.on[platform] = other
    return row


def _make_row_ids(rows: Sequence[Sequence[str]]) -> list[str]:
    """Make unique IDs for rows from the first cell, and from the second if that distinguishes them."""
    firsts = [build_slug(topics.strip_markup(row[0])) if row else "" for row in rows]
    both = [build_slug(" ".join(map(topics.strip_markup, row[:2]))) for row in rows]
    reported = [
        right if right and (not left or (firsts.count(left) > 1 and both.count(right) == 1)) else left
        for left, right in zip(firsts, both, strict=True)
    ]
    return _make_ids(reported, "row")


def _make_ids(texts: Sequence[str], fallback: str) -> list[str]:
    """Make unique IDs for texts."""
    out: list[str] = []
    for text in texts:
        base = build_slug(topics.strip_markup(text)) or fallback
        base = f"{fallback}-{base}" if base in RESERVED else base
        out.append(next(id_ for id_ in (base, *(f"{base}-{n}" for n in range(2, len(out) + 3))) if id_ not in out))
    return out
