"""A table that platforms have, as rows of data with overrides: where that prints the same characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tutorial_tool import lazy_re
from tutorial_tool.adopt import topics
from tutorial_tool.adopt.lines import columns
from tutorial_tool.adopt.naming import slug
from tutorial_tool.adopt.own_names import KEYS, OwnNames
from tutorial_tool.adopt.units import Unit, split

RESERVED = ("on", "omit", "because")
_PIPE = lazy_re.compile(r"(?<!\\)\|")


@dataclass
class Row:
    """A row: its cells, and what some platforms say instead.

    A platform in `lacking` has no such row in this place; one in `elsewhere` has it in another.
    """

    cells: dict[str, str]
    on: dict[str, dict[str, str]] = field(default_factory=dict)
    lacking: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = field(default=frozenset(), compare=False)


@dataclass
class Table:
    """A table of `platforms.yaml`. Where cells hold one of `keys` in braces, they print the platform's own."""

    titles: dict[str, str]
    rows: dict[str, Row]
    indentation: str = field(default="", compare=False)
    keys: tuple[str, ...] = field(default=KEYS, compare=False)

    def text(self, platform: str, own: OwnNames | None = None) -> str:
        """The table as `table()` prints it, where its tag stands at the indentation."""
        lines = [_line(self.titles.values()), "| --- " * len(self.titles) + "|"]
        rows = [row for row in self.rows.values() if platform not in row.lacking]
        cells = [{**row.cells, **row.on.get(platform, {})}.values() for row in rows]
        lines += [_line(own.filled(cell, platform) if own else cell for cell in row) for row in cells]
        return "".join(f"{self.indentation}{line}\n" for line in lines)

    @property
    def call(self) -> str:
        """What a template gives `table()`, beside the table's id."""
        cells = [cell for row in self.rows.values() for own in (row.cells, *row.on.values()) for cell in own.values()]
        used = (key for key in self.keys if any(f"{{{key}}}" in cell for cell in cells))
        return "".join(f", {key}=platform.{'' if key in KEYS else 'values.'}{key}" for key in used)


def _line(cells: Iterable[str]) -> str:
    return "".join(f"| {_escaped(cell)} " for cell in cells) + "|"


def _escaped(cell: str) -> str:
    return cell.strip().replace("|", "\\|").replace("\n", "<br>")


def of(units: Mapping[str, Unit], own: OwnNames) -> Table | None:
    """The table that these units are, by platform; None where data could not print them as they stand.

    A cell that differs in the platform's names only is one cell, with `{name}` or `{id}` in it.
    """
    grids = {platform: _grid(unit) for platform, unit in units.items()}
    heads = {tuple(grid[0]) for grid in grids.values()}
    indentations = {re.match(r"[ \t]*", unit.text)[0] for unit in units.values()}  # type: ignore[index]
    if len(heads) > 1 or len(indentations) > 1 or "" in next(iter(heads)):
        return None
    head = heads.pop()
    ids = _ids(head, "column")
    table = Table(dict(zip(ids, head, strict=True)), {}, indentations.pop(), own.keys)
    rows = _rows(grids)
    for row_id, cells in rows.items():
        if any(len(row) != len(ids) for row in cells.values()):
            return None
        same = (other.keys() for other in rows.values() if _first(other) == _first(cells))
        table.rows[row_id] = _row(ids, _named(cells, own), tuple(units), frozenset().union(*same))
    printed = all(table.text(platform, own) == unit.text for platform, unit in units.items())
    return table if printed and table.rows else None


def tidied(text: str) -> str:
    """A text whose tables stand as `table()` prints them: the same cells, with one space around each."""
    return "".join(_tidy(unit) if unit.kind == "table" else unit.text for unit in split(text))


def _tidy(unit: Unit) -> str:
    head, delimiter, *_ = unit.lines
    grid = _grid(unit)
    if ":" in delimiter or len({len(row) for row in grid}) > 1 or not all(grid[0]):
        return unit.text
    indentation = head[: len(head) - len(head.lstrip())]
    lines = [_line(grid[0]), "| --- " * len(grid[0]) + "|", *map(_line, grid[1:])]
    return "".join(f"{indentation}{line}\n" for line in lines)


def _grid(unit: Unit) -> list[list[str]]:
    """The cells of a table, row by row, without the delimiter row."""
    lines = [line for at, line in enumerate(unit.lines) if at != 1]
    return [[cell.strip().replace("\\|", "|") for cell in _PIPE.split(line.strip().strip("|"))] for line in lines]


def _rows(grids: Mapping[str, list[list[str]]]) -> dict[str, dict[str, list[str]]]:
    """The rows by id, each with its cells by platform; the order keeps that of each platform."""
    units = {platform: [Unit("row", "\x1f".join(row)) for row in _keyed(grid[1:])] for platform, grid in grids.items()}
    cells = {platform: dict(zip(units[platform], grid[1:], strict=True)) for platform, grid in grids.items()}
    aligned = columns(units)
    firsts = [next(iter(column.items())) for column in aligned]
    ids = _row_ids([cells[platform][unit] for platform, unit in firsts])
    return {
        id_: {platform: cells[platform][unit] for platform, unit in column.items()}
        for id_, column in zip(ids, aligned, strict=True)
    }


def _keyed(rows: Sequence[list[str]]) -> list[list[str]]:
    """Rows told by their first cell, and by how often it stood before."""
    seen: Counter[str] = Counter()
    out = []
    for row in rows:
        seen[row[0]] += 1
        out.append([row[0], str(seen[row[0]])])
    return out


def _named(cells: Mapping[str, list[str]], own: OwnNames) -> dict[str, list[str]]:
    """The cells of a row, with placeholders where that makes more of them the same."""
    out = {platform: list(row) for platform, row in cells.items()}
    for at in range(min(map(len, cells.values()))):
        texts = {platform: row[at] for platform, row in cells.items()}
        named = {platform: own.keyed(text, platform) for platform, text in texts.items()}
        if len(set(named.values())) < len(set(texts.values())):
            for platform, text in named.items():
                out[platform][at] = text
    return out


def _first(cells: Mapping[str, list[str]]) -> str:
    """What a row begins with."""
    return next(iter(cells.values()))[0]


def _row(
    ids: Sequence[str], cells: Mapping[str, list[str]], platforms: tuple[str, ...], somewhere: frozenset[str]
) -> Row:
    """A row of data; the platforms `somewhere` have it, in this place or another."""
    lacking = frozenset(platforms).difference(cells)
    default = [Counter(row[at] for row in cells.values()).most_common(1)[0][0] for at in range(len(ids))]
    row = Row(dict(zip(ids, default, strict=True)), lacking=lacking, elsewhere=lacking & somewhere)
    for platform, own in cells.items():
        other = {id_: cell for id_, cell, usual in zip(ids, own, default, strict=True) if cell != usual}
        if other:
            row.on[platform] = other
    return row


def _row_ids(rows: Sequence[Sequence[str]]) -> list[str]:
    """Ids for rows, each once: what the first cell says, and the second, where that tells rows apart."""
    firsts = [slug(topics.bare(row[0])) if row else "" for row in rows]
    both = [slug(" ".join(map(topics.bare, row[:2]))) for row in rows]
    told = [
        two if two and (not one or (firsts.count(one) > 1 and both.count(two) == 1)) else one
        for one, two in zip(firsts, both, strict=True)
    ]
    return _ids(told, "row")


def _ids(texts: Sequence[str], fallback: str) -> list[str]:
    """Ids for texts, each once."""
    out: list[str] = []
    for text in texts:
        base = slug(topics.bare(text)) or fallback
        base = f"{fallback}-{base}" if base in RESERVED else base
        out.append(next(id_ for id_ in (base, *(f"{base}-{n}" for n in range(2, len(out) + 3))) if id_ not in out))
    return out
