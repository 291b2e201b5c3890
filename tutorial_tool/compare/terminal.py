"""A comparison as columns of text for a terminal."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import NamedTuple

import click

from tutorial_tool.compare import Cell, Comparison, Row, RowKind
from tutorial_tool.reporters.safe_text import MIN_WIDTH, make_visible, measure_width

MIN_COLUMNS = 24  # Columns of one variant: narrower ones break most names in code
"""Minimum columns of a variant; those that do not fit go into another block below."""
_SIGNS = {RowKind.SAME: " ", RowKind.MASKED: "~", RowKind.INTENDED: "=", RowKind.DIFFERENT: "!", RowKind.MISSING: "-"}
_BELOW_HEADINGS = sys.maxsize  # The level of table titles
LEGEND = "! differs   - missing on some   = intended   ~ platform-specific"


@dataclass(frozen=True)
class DrawOptions:
    """How to draw: terminal columns, whether in color, whether equal rows are left out.

    `plain` limits the frame to ASCII, for a terminal that cannot show more.
    """

    columns: int = 80
    color: bool = False
    only_differences: bool = False
    plain: bool = False

    @property
    def bar(self) -> str:
        return "|" if self.plain else "│"

    @property
    def brackets(self) -> tuple[str, str]:
        """The brackets around a differing stretch if there is no color."""
        return ("{", "}") if self.plain else ("⟦", "⟧")

    @property
    def missing_sign(self) -> str:
        return "--" if self.plain else "—"


class _Piece(NamedTuple):
    """A character with its combining marks. Style: empty, `own` or `mark`."""

    text: str
    style: str
    width: int


def render(comparison: Comparison, options: DrawOptions) -> str:
    """Render as many variants in columns as fit; more in blocks below, each with the first one again."""
    names = list(comparison.step.pages)
    columns = max(options.columns, MIN_WIDTH)
    fitting = max((columns - 2) // (MIN_COLUMNS + 1), 2)
    blocks = [names] if len(names) <= fitting else list(_split_blocks(names, fitting))
    lines = [line for block in blocks for line in (*_render_block(comparison, block, options, columns), "")]
    reported = [part for line in _iter_summary(comparison) for part in wrap(line, columns)]
    return "\n".join([*lines, *reported, ""])


def _split_blocks(names: Sequence[str], fitting: int) -> Iterator[list[str]]:
    first, *others = names
    for start in range(0, len(others), fitting - 1):
        yield [first, *others[start : start + fitting - 1]]


def _render_block(comparison: Comparison, names: list[str], look: DrawOptions, columns: int) -> Iterator[str]:
    number = (columns - 2 - (len(names) - 1)) // len(names)
    step = comparison.step
    heads = [step.variants[name].name for name in names]
    paths = [_truncate_path(make_visible(step.pages[name].path), number, look) for name in names]
    yield from _render_lines([_split_pieces(Cell(head, head, 1), look) for head in heads], " ", number, look, bold=True)
    yield from _render_lines([_split_pieces(Cell(path, path, 1), look) for path in paths], " ", number, look)
    yield "  " + look.bar.join(("-" if look.plain else "─") * number for _ in names)
    shown = [row for row in comparison.rows if any(name in row.cells for name in names)]
    for row in _select_differing(shown) if look.only_differences else shown:
        if row.part == "heading":
            yield ("  " + look.bar.join(" " * number for _ in names)).rstrip()
        yield from _render_row(row, names, number, look)
        if row.reason:
            reason = f"intended: {make_visible(row.reason)}"
            yield from wrap(reason, columns, initial_indent="  ", subsequent_indent="  ")


def _select_differing(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the rows that differ, each with the headings and column titles above it."""
    above: dict[int, Row] = {}
    for row in rows:
        if row.part in ("heading", "columns"):
            level = row.level or _BELOW_HEADINGS
            above = {other_level: heading for other_level, heading in above.items() if other_level < level}
            above[level] = row
        elif row.part != "row":
            above.pop(_BELOW_HEADINGS, None)
        if row.kind in (RowKind.DIFFERENT, RowKind.MISSING):
            yield from (other_level for other_level in above.values() if other_level is not row)
            yield row
            above = {}


def _render_row(row: Row, names: Sequence[str], number: int, look: DrawOptions) -> Iterator[str]:
    cells = []
    for name in names:
        cell = row.cells.get(name)
        if cell is None:
            cells.append([_Piece(look.missing_sign, "own", measure_width(look.missing_sign))])
            continue
        prefix = "#" * row.level + " " if row.part == "heading" else ""
        cells.append([*_split_pieces(Cell(prefix, prefix, 1), look), *_split_pieces(cell, look)])
    yield from _render_lines(cells, _SIGNS[row.kind], number, look, bold=row.part in ("heading", "columns"))


def _split_pieces(cell: Cell, look: DrawOptions) -> list[_Piece]:
    """Split a text into pieces, with control characters spelled out; brackets replace missing color."""
    styles = [""] * len(cell.text)
    for kind, stretches in (("own", cell.own_spans), ("mark", cell.marks)):
        for start, end in stretches:
            styles[start:end] = [kind] * (end - start)
    opening, closing = ("", "") if look.color else look.brackets
    before = {start: opening for start, _ in cell.marks}
    after = {end - 1: closing for _, end in cell.marks}
    out: list[_Piece] = []
    for index, (character, style) in enumerate(zip(cell.text, styles, strict=True)):
        shown = character if character == "\n" else make_visible(character)
        text = before.get(index, "") + shown + after.get(index, "")
        is_joined = character == _JOINER or unicodedata.category(character) in ("Mn", "Me")
        if out and not before.get(index) and (is_joined or out[-1].text.endswith(_JOINER)):
            style, text = out[-1].style, out.pop().text + text
        out.append(_Piece(text, style, measure_width(text)))
    return out


_JOINER = "\u200d"


def _render_lines(
    cells: Iterable[list[_Piece]], sign: str, index: int, look: DrawOptions, *, bold: bool = False
) -> Iterator[str]:
    """Render the lines of a row: the symbol of its kind, then the cells, each wrapped to its columns."""
    wrapped = [_wrap_pieces(cell, index) for cell in cells]
    for number in range(max(map(len, wrapped))):
        lines = [lines[number] if number < len(lines) else [] for lines in wrapped]
        texts = [_style_line(line, index, look, bold=bold) for line in lines]
        start = sign if number == 0 else " "
        yield f"{_color_sign(start, sign, look)} {look.bar.join(texts)}".rstrip()


def _color_sign(text: str, sign: str, look: DrawOptions) -> str:
    color = {"!": "yellow", "-": "red"}.get(sign)
    return click.style(text, fg=color, bold=True) if look.color and color and text.strip() else text


def _wrap_pieces(pieces: Sequence[_Piece], columns: int) -> list[list[_Piece]]:
    """Wrap pieces to lines of at most `columns`, at spaces, or within a word longer than a line."""
    lines: list[list[_Piece]] = [[]]
    indents = True  # spaces at the start of a code line matter, those at our line breaks do not
    for word in _split_words(pieces):
        if word[0].text == "\n":
            lines.append([])
            indents = True
            continue
        if word[0].text == " ":
            if (lines[-1] or indents) and _measure_width(lines[-1]) + _measure_width(word) <= columns:
                lines[-1] += word
            continue
        indents = False
        if _measure_width(lines[-1]) + _measure_width(word) > columns and any(piece.text != " " for piece in lines[-1]):
            lines.append([])
        for piece in word:
            if _measure_width(lines[-1]) + piece.width > columns:
                lines.append([])
            lines[-1].append(piece)
    return lines


def _split_words(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Split pieces into words, runs of spaces, and line ends."""
    word: list[_Piece] = []
    for piece in pieces:
        if word and (piece.text == "\n" or word[0].text == "\n" or (piece.text == " ") != (word[0].text == " ")):
            yield word
            word = []
        word.append(piece)
    if word:
        yield word


def _measure_width(pieces: Iterable[_Piece]) -> int:
    return sum(piece.width for piece in pieces)


def _style_line(line: Sequence[_Piece], columns: int, look: DrawOptions, *, bold: bool) -> str:
    """Render a line padded with spaces, with marked and platform-specific stretches styled."""
    out, at = "", 0
    while at < len(line):
        end = at
        while end < len(line) and line[end].style == line[at].style:
            end += 1
        text = "".join(piece.text for piece in line[at:end])
        out += _style_text(text, line[at].style, bold) if look.color else text
        at = end
    return out + " " * (columns - _measure_width(line))


def _style_text(text: str, style: str, bold: bool) -> str:
    if style == "mark":
        return click.style(text, fg="yellow", bold=True, underline=True)
    return click.style(text, dim=True, bold=bold or None) if style == "own" else click.style(text, bold=bold or None)


def _truncate_path(path: str, columns: int, look: DrawOptions) -> str:
    if measure_width(path) <= columns:
        return path
    dots = "..." if look.plain else "…"
    while path and measure_width(dots + path) > columns:
        path = path[1:]
    return dots + path


def _iter_summary(comparison: Comparison) -> Iterator[str]:
    yield LEGEND
    yield summarize_comparison(comparison)
    yield f"Text shared with the others: {format_similarity(comparison)}."


def summarize_comparison(comparison: Comparison) -> str:
    """Return how many parts differ, and how many some variants lack, as a sentence."""
    total = len(comparison.rows)
    different, missing = comparison.count_rows(RowKind.DIFFERENT), comparison.count_rows(RowKind.MISSING)
    reported = [
        f"{different} differ{'s' * (different == 1)}" * bool(different),
        f"{missing} {'is' if missing == 1 else 'are'} missing on some" * bool(missing),
    ]
    intended = comparison.count_rows(RowKind.INTENDED)
    also = f" {intended} differ{'s' * (intended == 1)} on purpose." * bool(intended)
    return f"Of {total} part{'s' * (total != 1)}, {' and '.join(filter(None, reported)) or 'none differs'}.{also}"


def format_similarity(comparison: Comparison) -> str:
    """Return the share of text that each variant has in common with the others, formatted."""
    variants = comparison.step.variants
    shares = ((make_visible(variants[id_].name), share) for id_, share in comparison.similarity.items())
    return ", ".join(f"{name} {format_percent(share)}" for name, share in shares)


def format_percent(part: float) -> str:
    """Return a share as a percentage; 100% only if nothing differs."""
    return f"{int(part * 100)}%" if part < 1 else "100%"
