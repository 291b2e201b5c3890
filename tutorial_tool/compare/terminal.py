"""A comparison as columns of text for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import NamedTuple

import click

from tutorial_tool.compare import Cell, Comparison, Kind, Row
from tutorial_tool.reporters.visible import LEAST, visible, width

NARROWEST = 12
"""Columns that a variant gets at least; where more do not fit, the rest stands in a block of its own below."""
_SIGNS = {Kind.SAME: " ", Kind.MASKED: "~", Kind.INTENDED: "=", Kind.DIFFERENT: "!", Kind.MISSING: "-"}
_BELOW_HEADINGS = 9  # The level of a table's titles: below that of any heading
LEGEND = "! differs   - missing on some   = intended   ~ each platform's own"


@dataclass(frozen=True)
class Look:
    """How to draw: columns of the terminal, whether with colours, whether rows that are equal are left out.

    `plain` asks for ASCII around the texts, for a terminal that cannot show more.
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
        """What stands around a stretch that differs where there is no colour."""
        return ("{", "}") if self.plain else ("⟦", "⟧")

    @property
    def lacking(self) -> str:
        return "--" if self.plain else "—"


class _Piece(NamedTuple):
    """What takes its place together: a character with the marks that join it. Style: empty, `own` or `mark`."""

    text: str
    style: str
    width: int


def render(comparison: Comparison, look: Look) -> str:
    """All variants side by side, as many as fit; further ones in blocks below, beside the first again."""
    names = list(comparison.step.pages)
    columns = max(look.columns, LEAST)
    fitting = max((columns - 2) // (NARROWEST + 1), 2)
    blocks = [names] if len(names) <= fitting else list(_blocks(names, fitting))
    lines = [line for block in blocks for line in (*_block(comparison, block, look, columns), "")]
    reported = [part for line in _summary(comparison) for part in wrap(line, columns)]
    return "\n".join([*lines, *reported, ""])


def _blocks(names: Sequence[str], fitting: int) -> Iterator[list[str]]:
    first, *others = names
    for start in range(0, len(others), fitting - 1):
        yield [first, *others[start : start + fitting - 1]]


def _block(comparison: Comparison, names: list[str], look: Look, columns: int) -> Iterator[str]:
    number = (columns - 2 - (len(names) - 1)) // len(names)
    step = comparison.step
    heads = [step.variants[name].name for name in names]
    paths = [_end_of(visible(step.pages[name].path), number, look) for name in names]
    yield from _drawn([_pieces(Cell(head, head, 1), look) for head in heads], " ", number, look, bold=True)
    yield from _drawn([_pieces(Cell(path, path, 1), look) for path in paths], " ", number, look)
    yield "  " + look.bar.join(("-" if look.plain else "─") * number for _ in names)
    shown = [row for row in comparison.rows if any(name in row.cells for name in names)]
    for row in _wanted(shown) if look.only_differences else shown:
        if row.part == "heading":
            yield ("  " + look.bar.join(" " * number for _ in names)).rstrip()
        yield from _row(row, names, number, look)
        if row.reason:
            yield from wrap(f"intended: {visible(row.reason)}", columns, initial_indent="  ", subsequent_indent="  ")


def _wanted(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows that differ, each below the headings, and the titles of columns, that it stands under."""
    above: dict[int, Row] = {}
    for row in rows:
        if row.part in ("heading", "columns"):
            level = row.level or _BELOW_HEADINGS
            above = {other: heading for other, heading in above.items() if other < level}
            above[level] = row
        elif row.part != "row":
            above.pop(_BELOW_HEADINGS, None)
        if row.kind in (Kind.DIFFERENT, Kind.MISSING):
            yield from (other for other in above.values() if other is not row)
            yield row
            above = {}


def _row(row: Row, names: Sequence[str], number: int, look: Look) -> Iterator[str]:
    cells = []
    for name in names:
        cell = row.cells.get(name)
        if cell is None:
            cells.append([_Piece(look.lacking, "own", width(look.lacking))])
            continue
        before = "#" * row.level + " " if row.part == "heading" else ""
        cells.append([*_pieces(Cell(before, before, 1), look), *_pieces(cell, look)])
    yield from _drawn(cells, _SIGNS[row.kind], number, look, bold=row.part in ("heading", "columns"))


def _pieces(cell: Cell, look: Look) -> list[_Piece]:
    """A text as pieces, what acts on a terminal spelt out; without colours, brackets stand around what differs."""
    styles = [""] * len(cell.text)
    for kind, stretches in (("own", cell.own), ("mark", cell.marks)):
        for start, end in stretches:
            styles[start:end] = [kind] * (end - start)
    opening, closing = ("", "") if look.color else look.brackets
    before = {start: opening for start, _ in cell.marks}
    after = {end - 1: closing for _, end in cell.marks}
    out: list[_Piece] = []
    for index, (character, style) in enumerate(zip(cell.text, styles, strict=True)):
        shown = character if character == "\n" else visible(character)
        text = before.get(index, "") + shown + after.get(index, "")
        if out and not before.get(index) and (_joins(character) or out[-1].text.endswith(_JOINER)):
            style, text = out[-1].style, out.pop().text + text
        out.append(_Piece(text, style, width(text)))
    return out


_JOINER = "\u200d"


def _joins(character: str) -> bool:
    """Whether a character belongs to the one before it."""
    return character == _JOINER or unicodedata.category(character) in ("Mn", "Me")


def _drawn(cells: Iterable[list[_Piece]], sign: str, index: int, look: Look, *, bold: bool = False) -> Iterator[str]:
    """The lines of a row: the sign of its kind, then the cells, each wrapped to its columns."""
    wrapped = [_wrapped(cell, index) for cell in cells]
    for number in range(max(map(len, wrapped))):
        lines = [lines[number] if number < len(lines) else [] for lines in wrapped]
        texts = [_styled(line, index, look, bold=bold) for line in lines]
        start = sign if number == 0 else " "
        yield f"{_colored(start, sign, look)} {look.bar.join(texts)}".rstrip()


def _colored(text: str, sign: str, look: Look) -> str:
    color = {"!": "yellow", "-": "red"}.get(sign)
    return click.style(text, fg=color, bold=True) if look.color and color and text.strip() else text


def _wrapped(pieces: Sequence[_Piece], columns: int) -> list[list[_Piece]]:
    """Lines of at most so many columns, broken at blanks, or within a word that is longer than a line."""
    lines: list[list[_Piece]] = [[]]
    indents = True  # blanks at the begin of a line of code say something, those where we break a line do not
    for word in _words(pieces):
        if word[0].text == "\n":
            lines.append([])
            indents = True
            continue
        if word[0].text == " ":
            if (lines[-1] or indents) and _total(lines[-1]) + _total(word) <= columns:
                lines[-1] += word
            continue
        indents = False
        if _total(lines[-1]) + _total(word) > columns and any(piece.text != " " for piece in lines[-1]):
            lines.append([])
        for piece in word:
            if _total(lines[-1]) + piece.width > columns:
                lines.append([])
            lines[-1].append(piece)
    return lines


def _words(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Words, runs of blanks, and line ends."""
    word: list[_Piece] = []
    for piece in pieces:
        if word and (piece.text == "\n" or word[0].text == "\n" or (piece.text == " ") != (word[0].text == " ")):
            yield word
            word = []
        word.append(piece)
    if word:
        yield word


def _total(pieces: Iterable[_Piece]) -> int:
    return sum(piece.width for piece in pieces)


def _styled(line: Sequence[_Piece], columns: int, look: Look, *, bold: bool) -> str:
    """A line filled up with blanks, with what is marked or the platform's own in its look."""
    out, at = "", 0
    while at < len(line):
        end = at
        while end < len(line) and line[end].style == line[at].style:
            end += 1
        text = "".join(piece.text for piece in line[at:end])
        out += _with_style(text, line[at].style, bold) if look.color else text
        at = end
    return out + " " * (columns - _total(line))


def _with_style(text: str, style: str, bold: bool) -> str:
    if style == "mark":
        return click.style(text, fg="yellow", bold=True, underline=True)
    return click.style(text, dim=True, bold=bold or None) if style == "own" else click.style(text, bold=bold or None)


def _end_of(path: str, columns: int, look: Look) -> str:
    """A path, or as much of its end as fits."""
    if width(path) <= columns:
        return path
    dots = "..." if look.plain else "…"
    while path and width(dots + path) > columns:
        path = path[1:]
    return dots + path


def _summary(comparison: Comparison) -> Iterator[str]:
    yield LEGEND
    yield summarize(comparison)
    yield f"Text shared with the others: {likeness(comparison)}."


def summarize(comparison: Comparison) -> str:
    """How many parts differ, and how many some lack, as a sentence."""
    total = len(comparison.rows)
    different, missing = comparison.count(Kind.DIFFERENT), comparison.count(Kind.MISSING)
    reported = [
        f"{different} differ{'s' * (different == 1)}" * bool(different),
        f"{missing} {'is' if missing == 1 else 'are'} missing on some" * bool(missing),
    ]
    intended = comparison.count(Kind.INTENDED)
    also = f" {intended} differ{'s' * (intended == 1)} on purpose." * bool(intended)
    return f"Of {total} part{'s' * (total != 1)}, {' and '.join(filter(None, reported)) or 'none differs'}.{also}"


def likeness(comparison: Comparison) -> str:
    """How much of its text each variant shares with the others, as people read it."""
    variants = comparison.step.variants
    return ", ".join(f"{visible(variants[name].name)} {percent(part)}" for name, part in comparison.likeness.items())


def percent(part: float) -> str:
    """A part of one in percent; 100 % only where nothing differs."""
    return f"{int(part * 100)} %" if part < 1 else "100 %"
