"""Mistakes of indentation in a data file: found by trying what the lines nearby would mean elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Cause, Finding, error, nearest
from tutorial_tool.core.source import Source, Span
from tutorial_tool.data import Loaded
from tutorial_tool.data.model.building import Builder
from tutorial_tool.data.model.meant import Reindented, misshapen, restored
from tutorial_tool.data.model.parts import RESERVED

LARGEST = 60_000  # Characters of a file in which other indentations are tried
TRIED = 400_000  # Characters that are read, in all that is tried
AT_ONCE = 5  # Mistakes of one file that are told apart. Each is looked for in the file as it is without those before it
_FREE = ("values", "labels", "rows")  # Below these, any key may stand
_MISSPELT = 0.7
"""How like a key is that is meant by another: keys that are less so may as well stand in the wrong place."""
_KEY = r"""([^\s#'"\[\]{}&*!|>%@`,:-][^\n:#]*|"[^"\n]*"|'[^'\n]*'):(?= |$)"""
_LINE = lazy_re.compile(rf"( *)((?:- +)?)(?:{_KEY}|-(?= |$))")
"""A line with a key, an entry of a list, or both: its indentation, its dash, its key."""


def read(source: Source) -> Loaded:
    """A data file as nodes, and what keeps it from being read as it was meant.

    Where other indentation makes it right, that is told, and the nodes are those of the file with it.
    """
    known: Loaded | None = source.known.get(read)
    if known is None:
        known = source.known[read] = _read(source)
    return known


def _read(source: Source) -> Loaded:
    loaded, mistakes = data.load_yaml(source), list[Finding]()
    now = source
    while len(mistakes) < AT_ONCE and len(source.text) <= LARGEST and (wrong := _wrong(loaded)):
        if any(_is(finding, "twice") for finding in wrong):
            break
        result = min(_mended(now, wrong), key=lambda mended: mended.left, default=None)
        if result is None:
            break
        mistakes.append(restored(result.mistake))
        now, loaded = _again(source, now, result), result.loaded
    if not mistakes:
        return loaded
    loaded = data.load_yaml(now)
    return Loaded(loaded.node, (*mistakes, *map(restored, loaded.findings)))


def _wrong(loaded: Loaded) -> tuple[Finding, ...]:
    """What is wrong with how a file is written."""
    return (*loaded.findings, *(misshapen(loaded.node) if loaded.node else ()))


def _may_be_indentation(finding: Finding) -> bool:
    """Whether other indentation might mend it: a key that is misspelt, or stands twice, is no such thing."""
    cause = finding.cause
    if cause and cause.meant:
        return not nearest(cause.name, [cause.meant], _MISSPELT)
    return not _is(finding, "twice", "form")


def _is(finding: Finding, *kinds: str) -> bool:
    return finding.cause is not None and finding.cause.kind in kinds


class _Move(NamedTuple):
    """Lines `first` up to and with `last` stand `by` characters further in."""

    first: int
    last: int
    by: int


class _Mended(NamedTuple):
    move: _Move
    mistake: Finding
    text: str
    loaded: Loaded
    left: int  # How much is still wrong, with what the data means


def _mended(source: Source, wrong: Sequence[Finding]) -> Iterator[_Mended]:
    """Moves of lines after which nothing new is wrong, and less of what was: up to the first that leaves nothing."""
    before, tries = {_key(finding) for finding in wrong}, TRIED // max(len(source.text), 1)
    read = data.load_yaml(source)
    most = None if read.findings or read.node is None else _count(read)
    lines = source.text.split("\n")
    for move in _moves(lines, wrong):
        tries -= 1
        if tries < 0:
            return
        text = _moved(lines, move)
        loaded = data.load_yaml(Source(source.path, text))
        left = {_key(finding) for finding in _wrong(loaded)}
        moved = range(move.first, move.last + 1)
        is_better = left < before and loaded.node is not None and not any(line in moved for line, _ in left)
        if is_better and not _is_hidden(lines, move, wrong):
            count = _count(loaded)
            if most is None or count < most:
                yield _Mended(move, _mistake(source, lines, move), text, loaded, count)
            if not count:
                return


def _is_hidden(lines: list[str], move: _Move, wrong: Sequence[Finding]) -> bool:
    """Whether a move is right only because nothing is wrong where lines come to stand: any key may stand there.

    A key that is told to be unknown may well belong there; one of the data's own words does not.
    """
    above = _above(lines, move.first, _indent(lines[move.first - 1]) + move.by)
    if above is None or _key_of(lines[above - 1]) not in _FREE:
        return False
    key = _key_of(lines[move.first - 1])
    is_reported = any(f.span.position.line == move.first and _is(f, "unknown-key") for f in wrong)
    if _key_of(lines[above - 1]) == "rows":
        return key in RESERVED or _stood(lines, move.first) == "on" or _is_alone(lines, move.first)
    return not is_reported


def _stood(lines: list[str], number: int) -> str:
    """The key above a line, as the file is."""
    above = _above(lines, number, _indent(lines[number - 1]))
    return _key_of(lines[above - 1]) if above else ""


def _is_alone(lines: list[str], number: int) -> bool:
    """Whether a line is not indented: then it belongs to none of the tables."""
    return not _indent(lines[number - 1])


def _count(loaded: Loaded) -> int:
    """How much is wrong with a data file, alone: with how it is written, and what it means."""
    parsed = [(loaded.node.span.source, loaded.node)] if loaded.node else []
    return len(loaded.findings) + len(Builder(parsed).model().findings)


def _key(finding: Finding) -> tuple[int, str]:
    return finding.span.position.line, finding.message


def _moves(lines: list[str], wrong: Sequence[Finding]) -> Iterator[_Move]:
    """What may be tried: lines near a mistake, to where others begin; alone, with what is below, with siblings."""
    for number in _near(lines, wrong):
        width = _indent(lines[number - 1])
        block = _below(lines, number, width)
        rest = _below(lines, number, width - 1)
        is_whole = block > number and _indent(_next(lines, number)) - width == _step(lines)
        for last in dict.fromkeys((block, number, rest) if is_whole else (number, block, rest)):
            for other in _indents(lines, number):
                if other != width:
                    yield _Move(number, last, other - width)


def _near(lines: list[str], wrong: Sequence[Finding]) -> list[int]:
    """The lines that may be the mistake: those of a key that lacks elsewhere, those of findings, those beside them."""
    out: dict[int, None] = {}
    for finding in list(filter(_may_be_indentation, wrong))[:3]:
        at = finding.span.position.line
        if finding.cause and finding.cause.kind == "missing-key":
            after, name = range(at, min(at + 40, len(lines)) + 1), finding.cause.name
            out |= dict.fromkeys(n for n in after if _LINE.match(lines[n - 1]) and _key_of(lines[n - 1]) == name)
        above = [n for n in range(at - 1, max(at - 12, 0), -1) if _LINE.match(lines[n - 1])][:3]
        below = [n for n in range(at + 1, min(at + 6, len(lines)) + 1) if _LINE.match(lines[n - 1])][:1]
        out |= dict.fromkeys([at, *above, *below])
    return [number for number in out if number <= len(lines) and _LINE.match(lines[number - 1])]


def _key_of(line: str) -> str:
    """The key that a line begins with, if it does."""
    match = _LINE.match(line)
    return (match[3] or "") if match and not match[2] else ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _below(lines: list[str], number: int, width: int) -> int:
    """The last line, from one on, of those that follow it and are indented by more than `width`."""
    last = number
    for at in range(number + 1, len(lines) + 1):
        line = lines[at - 1]
        if line.strip() and not line.lstrip().startswith("#"):
            if _indent(line) <= width:
                break
            last = at
    return last


def _next(lines: list[str], number: int) -> str:
    """The line that follows one, empty ones aside."""
    return next((line for line in lines[number:] if line.strip()), "")


def _step(lines: list[str]) -> int:
    """By how much a level is indented."""
    return min((width for line in lines if _LINE.match(line) and (width := _indent(line))), default=2)


def _indents(lines: list[str], number: int) -> list[int]:
    """Where lines around one begin, the nearest first, and one level below the line above it."""
    around = [line for line in lines[max(number - 20, 0) : number + 10] if _LINE.match(line)]
    matches = {_indent(line) for line in around}
    above = next((_indent(line) for line in reversed(lines[: number - 1]) if _LINE.match(line)), 0)
    here = _indent(lines[number - 1])
    return sorted(matches | {above + _step(lines)}, key=lambda width: (abs(width - here), width))


def _moved(lines: list[str], move: _Move) -> str:
    def line(at: int, text: str) -> str:
        if not move.first <= at <= move.last or not text.strip():
            return text
        return " " * max(_indent(text) + move.by, 0) + text.lstrip(" ")

    return "\n".join(line(at, text) for at, text in enumerate(lines, 1))


def _again(source: Source, now: Source, result: _Mended) -> Reindented:
    shifts = dict(now.shifts) if isinstance(now, Reindented) else {}
    for line in range(result.move.first, result.move.last + 1):
        shifts[line] = shifts.get(line, 0) + result.move.by
    return Reindented(source.path, result.text, source, shifts)


def _mistake(source: Source, lines: list[str], move: _Move) -> Finding:
    """What is told of a move: which line begins too early or too late, and where it belongs."""
    line, width = lines[move.first - 1], _indent(lines[move.first - 1])
    key = _key_of(line)
    name = f"'{key}'" if key else "this `- ` entry"
    how = "little" if move.by > 0 else "far"
    to = width + move.by
    message = f"{name} is indented too {how}: begin it in column {to + 1}, {_where(lines, move, to)}"
    if move.last > move.first:
        message += f", with the lines up to {move.last}"
    beside = [
        at for at in range(move.first, move.last + 1) if _LINE.match(lines[at - 1]) and _indent(lines[at - 1]) == width
    ]
    if move.by < 0 and len(beside) > 1:  # several that stand well beside each other may have lost the line above them
        message += "; or a key is missing above these lines"
    start = source.line_start(move.first) + width
    return error("invalid-data", message, Span(source, start, start + len(key or "-")), cause=Cause("indented", key))


def _where(lines: list[str], move: _Move, width: int) -> str:
    at = _above(lines, move.first, width)
    if at is None:
        return "where 'platforms' and 'tutorials' begin" if not width else "where it belongs"
    match = _LINE.match(lines[at - 1])
    return f"below '{match[3]}' in line {at}" if match and match[3] else f"in the entry of line {at}"


def _above(lines: list[str], number: int, width: int) -> int | None:
    """The line that a line belongs to which is indented by `width`."""
    before = range(number - 1, 0, -1)
    return next((at for at in before if _LINE.match(lines[at - 1]) and _indent(lines[at - 1]) < width), None)
