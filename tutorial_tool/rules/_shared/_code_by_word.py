"""Blocks of code that are one but for words of each platform's own, compared word by word: for `drifted-code`.

Where each copy has another model, path or key in the same place of a line, the rest of the line is still the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from tutorial_tool import variants, variation
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules._shared._copies import lone
from tutorial_tool.rules._shared._missing_lines import DATA
from tutorial_tool.rules._shared._odd_literals import is_unknown_name
from tutorial_tool.variants import Step
from tutorial_tool.variation import slots
from tutorial_tool.variation.slots import Said

_WORD = lazy_re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'=:,;()\[\]{}]+|[^\s]")
_PART = lazy_re.compile(r"[^\W_]+|[\W_]")
_PIECE = lazy_re.compile(r"[^/]+|/+")
"""A part of an address or a path."""
_OPTION = lazy_re.compile(r"--?[a-zA-Z][\w-]*")
_PROMPTS = ("$ ", "% ", "PS> ", "PS C:")
"""What stands before a command in a transcript."""
_PLAIN = lazy_re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+|[a-z]+(?:[-_][a-z]+)+")
"""A word, a number, or a name of several words as programs have."""
_VERSION = lazy_re.compile(r"[vV]\d+")
_ALIKE = 0.5
"""How much of two lines is the same that are one."""
_ANSWERING = 0.6
"""The share of a block's lines that all copies have, at least."""
_LARGEST = 10_000
"""Characters of the largest block that is compared word by word."""
_AGREE = 3
"""Copies that agree on an option, at least."""
_SAME = 2
"""Words, at least, that a line has on all copies."""
_PAIR = 4
"""Words and signs of a line, at most, that gives a value to a key: `"time": 100,`."""
_LINES = 3
"""Lines that all copies have of a block, at least, in which another is missed."""
_ODD = 2
"""Places in which a copy may be odd: where there are more, its code is its own."""


class OddWord(NamedTuple):
    """A word of a copy's code for which all `others` have the `usual` one, at `there` on the first of these.

    Where `word` is "", `usual` is an option, perhaps with its value, or a line that the copy lacks behind its place.
    """

    name: str
    others: tuple[str, ...]
    word: str
    place: Range
    usual: str
    there: Range
    is_line: bool = False


class _Word(NamedTuple):
    text: str
    shape: str
    start: int


_Line = tuple[Said, tuple[_Word, ...]]
_Row = Mapping[str, _Line]


def odd_words(step: Step) -> tuple[OddWord, ...]:
    """What single copies have otherwise than all others in blocks that answer to each other, in each line."""
    return variants.kept(step, _all)


def _all(step: Step) -> tuple[OddWord, ...]:
    return tuple(
        odd
        for row in variation.of(step).rows("code")
        if len(row) > 2 and not any(step.pages[name].generated for name in row)
        for odd in _of_block(step, {name: list(slots.lines(step.pages[name], unit)) for name, unit in row.items()})
    )


def _of_block(step: Step, lines: Mapping[str, list[Said]]) -> Iterator[OddWord]:
    languages = {line.language for found in lines.values() for line in found}
    size = max(sum(len(line.text) for line in found) for found in lines.values())
    if len(languages) > 1 or not all(lines.values()) or size > _LARGEST:
        return
    words = {name: [(line, _words(step, name, line.text)) for line in found] for name, found in lines.items()}
    rows = variation.align(words, lambda line: " ".join(word.shape for word in line[1]), _alike, _ALIKE)
    shared = [row for row in rows if len(row) == len(lines)]
    blocks = {name: "\n".join(line.text for line in found) for name, found in lines.items()}
    found = [odd for row in shared for odd in _in_line(step, row, blocks)]
    if len(shared) < _ANSWERING * max(map(len, lines.values())):
        yield from (odd for odd in found if _is_unknown(step, odd.name, odd.others, odd.word, odd.usual))
        return
    if languages.pop().partition(" ")[0] in DATA and len(shared) >= _LINES:
        found += _missing(rows, tuple(lines))
    elif len(lines) > _AGREE and all(any(map(_is_command, said)) for said in lines.values()):
        found += [odd for odd in _missing(rows, tuple(lines)) if not odd.usual.startswith(_PROMPTS)]
    counts = Counter(odd.name for odd in found)
    others = Counter(name for row in rows for name in lines if _is_other(row, name, len(lines)))
    for odd in found:
        if counts[odd.name] <= _ODD and others[odd.name] <= (counts[odd.name] == 1 and odd.is_line):
            yield odd


def _is_command(line: Said) -> bool:
    """Whether a line is a command behind a prompt: then those without one are what it says."""
    return line.text.startswith(_PROMPTS)


def _is_other(row: Mapping[str, _Line], name: str, every: int) -> bool:
    """Whether a copy alone lacks a line, or has one more."""
    return set(row) == {name} or (name not in row and len(row) == every - 1)


def _words(step: Step, name: str, text: str) -> tuple[_Word, ...]:
    return tuple(_Word(word[0], slots.shape(step, name, word[0]), word.start()) for word in _WORD.finditer(text))


def _alike(left: _Line, right: _Line) -> float:
    """The share of the words of two lines that are the same."""
    return fuzz.ratio([word.shape for word in left[1]], [word.shape for word in right[1]]) / 100


# A line that all copies have


def _in_line(step: Step, row: _Row, blocks: Mapping[str, str]) -> Iterator[OddWord]:
    """The words of a line that one copy has otherwise, and the option that one lacks."""
    sizes = {name: len(words) for name, (_, words) in row.items()}
    name, others = lone(sizes)
    if name:
        yield from _without_option(step, row, name, others)
    elif len(set(sizes.values())) == 1:
        columns = [
            dict(zip(row, words, strict=True)) for words in zip(*(words for _, words in row.values()), strict=True)
        ]
        same = sum(_is_same(column) and any(map(str.isalpha, next(iter(column.values())).text)) for column in columns)
        if same >= (_SAME if len(columns) > _PAIR else 1):
            for column in columns:
                yield from _in_column(step, row, column, blocks)


def _is_same(column: Mapping[str, _Word]) -> bool:
    return len({word.shape for word in column.values()}) == 1


def _in_column(step: Step, row: _Row, column: Mapping[str, _Word], blocks: Mapping[str, str]) -> Iterator[OddWord]:
    """The word that all copies but one have in a place of a line, or a part of it, where the rest is each one's own."""
    if _is_same(column):
        return
    if odd := _odd(step, row, column, blocks):
        yield odd
        return
    parts = {name: _parts(step, name, word) for name, word in column.items()}
    if len({len(found) for found in parts.values()}) == 1 and len(next(iter(parts.values()))) > 1:
        columns = [dict(zip(parts, found, strict=True)) for found in zip(*parts.values(), strict=True)]
        if any(map(_is_same, columns)):
            for each in columns:
                yield from _in_column(step, row, each, blocks)


def _odd(step: Step, row: _Row, column: Mapping[str, _Word], blocks: Mapping[str, str]) -> OddWord | None:
    name, others = lone({name: word.shape for name, word in column.items()})
    if not name or _in_version(row, column):
        return None
    mine, theirs = column[name], column[others[0]]
    page = step.pages[name].plain
    is_unknown = "/" not in mine.text and _is_unknown(step, name, others, mine.text, theirs.text)
    is_option = _is_other_option(row, column, mine, theirs) and _count(page, mine.text) == 1
    if not (is_unknown or is_option or _is_off(page, blocks[name], mine.text, theirs.text)):
        return None
    return OddWord(name, others, mine.text, _place(row, name, mine), theirs.text, _place(row, others[0], theirs))


def _is_other_option(row: _Row, column: Mapping[str, _Word], mine: _Word, theirs: _Word) -> bool:
    """Whether an option is more or less than the one that three copies or more have in a line, the same else."""
    texts = mine.text, theirs.text
    if len(column) <= _AGREE or not all(map(_OPTION.fullmatch, texts)):
        return False
    rest = {tuple(word.shape for word in words if word is not column[name]) for name, (_, words) in row.items()}
    return len(rest) == 1 and (texts[0].startswith(f"{texts[1]}-") or texts[1].startswith(f"{texts[0]}-"))


def _is_unknown(step: Step, name: str, others: Sequence[str], mine: str, theirs: str) -> bool:
    """Whether no page has a name but here, and this page has what all others have here."""
    return is_unknown_name(mine, theirs, *(step.pages[id_].plain for id_ in (name, *others)))


def _parts(step: Step, name: str, word: _Word) -> tuple[_Word, ...]:
    return tuple(
        _Word(part[0], slots.shape(step, name, part[0]), word.start + part.start())
        for part in (_PIECE if "/" in word.text else _PART).finditer(word.text)
    )


def _place(row: _Row, name: str, word: _Word) -> Range:
    start = row[name][0].place.start + word.start
    return Range(start, start + len(word.text))


def _is_off(page: str, block: str, mine: str, theirs: str) -> bool:
    """Whether a word that all copies but one have is no platform's own: a number, or a word of the same block."""
    if not (_PLAIN.fullmatch(mine) and _PLAIN.fullmatch(theirs)) or mine.casefold() == theirs.casefold():
        return False
    if _count(page, mine) > 1 or _VERSION.fullmatch(mine) or _VERSION.fullmatch(theirs):
        return False
    if mine.isdigit() and theirs.isdigit():
        return len(theirs) > 1 or len(mine) > 1
    return _count(block, theirs) > 0


def _in_version(row: _Row, column: Mapping[str, _Word]) -> bool:
    """Whether a number is a part of a version: `3.4.1`."""
    return any(
        re.search(r"\d\.$|[vV]$", row[name][0].text[: word.start])
        or re.match(r"\.\d", row[name][0].text[word.start + len(word.text) :])
        for name, word in column.items()
    )


def _count(text: str, word: str) -> int:
    return len(re.findall(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text))


def _without_option(step: Step, row: _Row, name: str, others: Sequence[str]) -> Iterator[OddWord]:
    """The option that the line of one copy lacks, with its value, where all others have the same."""
    mine, theirs = row[name][1], row[others[0]][1]
    gap = len(theirs) - len(mine)
    columns = [{other: row[other][1][at] for other in others} for at in range(len(theirs))]
    if not 0 < gap <= 2 or len(mine) < _SAME:
        return
    for at in range(1, len(theirs) - gap + 1):
        missing = columns[at : at + gap]
        is_option = _OPTION.fullmatch(missing[0][others[0]].text) and all(map(_is_same, missing))
        rest = [*columns[:at], *columns[at + gap :]]
        if is_option and all(
            word.shape in {each.shape for each in column.values()} or not _is_same(column)
            for word, column in zip(mine, rest, strict=True)
        ):
            start, end = theirs[at].start, theirs[at + gap - 1].start + len(theirs[at + gap - 1].text)
            usual, place = row[others[0]][0].text[start:end], row[others[0]][0].place
            if usual.split()[0] not in step.pages[name].plain:
                there = Range(place.start + start, place.start + end)
                yield OddWord(name, tuple(others), "", _place(row, name, mine[at - 1]), usual, there)
            return


# A line that one copy lacks


def _missing(rows: Sequence[Mapping[str, _Line]], names: Sequence[str]) -> Iterator[OddWord]:
    """The lines that one copy lacks between two that all have."""
    for before, row, after in zip(rows, rows[1:], rows[2:], strict=False):
        lacking = [name for name in names if name not in row]
        if len(lacking) == 1 and len(before) == len(after) == len(names) and len({*map(_shape, row.values())}) == 1:
            (name,), other = lacking, next(iter(row))
            line = row[other][0]
            if any(map(str.isalnum, line.text)):
                yield OddWord(name, tuple(row), "", before[name][0].place, line.text, line.place, is_line=True)


def _shape(line: _Line) -> str:
    return " ".join(word.shape for word in line[1]).rstrip(", ")
