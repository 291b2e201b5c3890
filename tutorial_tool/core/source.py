"""Source files: their text and encoding, spans and edits in it, and the lines and columns of offsets."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
BOM = "\ufeff"
READABLE = 300  # Characters of a text that is readable at a glance, about three lines
CONTEXT_WORDS = 3  # Words on each side of a place, by which it is found again; also the minimum of a clause
MAX_COLUMNS = 110  # Columns of a line of source or YAML that people read whole
TAB = 4  # Columns of a tab, in Markdown and in what we print


class Position(NamedTuple):
    """A human-readable position: 1-based line, 1-based column in code points."""

    line: int
    column: int


def blank_text(text: str) -> str:
    """Return as many spaces as a text has characters, in as many lines."""
    return "\n".join(" " * len(line) for line in text.split("\n"))


@dataclass(frozen=True, eq=False)
class Source:
    """One file as it was read. Two sources are equal only when they are the same object.

    `text` has LF line ends and no byte order mark; all offsets are 0-based and count its characters. `raw` is the
    decoded file as on disk; edits are applied to it, so that no other byte changes.
    """

    path: str
    raw: str = field(repr=False)

    @cached_property
    def text(self) -> str:
        return self.raw.removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")

    @cached_property
    def cache(self) -> dict[object, Any]:
        """Results computed from the text, by function and arguments: cached as long as the source exists."""
        return {}

    def get_cached(self, make: Callable[..., T], *args: object) -> T:
        """Return `make(source, *args)`, cached until one of `args` changes."""
        if make not in self.cache or self.cache[make][0] != args:
            self.cache[make] = args, make(self, *args)
        result: T = self.cache[make][1]
        return result

    @property
    def bom(self) -> bool:
        return self.raw.startswith(BOM)

    @cached_property
    def newlines(self) -> frozenset[str]:
        """The line ends that the file uses: of LF, CR LF and CR."""
        if "\r" not in self.raw:
            return frozenset("\n" if "\n" in self.raw else "")
        return frozenset(re.findall(r"\r\n|\r|\n", self.raw))

    @cached_property
    def newline(self) -> str:
        """The line end that the file uses most, and that new lines get."""
        if not self.newlines:
            return "\n"
        crlf = self.raw.count("\r\n")
        counts = {"\r\n": crlf, "\n": self.raw.count("\n") - crlf, "\r": self.raw.count("\r") - crlf}
        return max(counts, key=lambda end: counts[end])

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        find, offset = self.text.find, 0
        while (offset := find("\n", offset) + 1) > 0:
            starts.append(offset)
        return starts

    @property
    def line_count(self) -> int:
        return len(self._line_starts)

    def get_position(self, offset: int) -> Position:
        """Return the line and column of `offset`, which may be the end of the text."""
        line = bisect_right(self._line_starts, max(offset, 0))
        return Position(line, max(offset, 0) - self._line_starts[line - 1] + 1)

    def get_offset(self, line: int, column: int = 1) -> int:
        """Return the offset of a 1-based line and column; outside the text, the nearest end."""
        if line < 1:
            return 0
        if line > self.line_count:
            return len(self.text)
        return min(self._line_starts[line - 1] + max(column, 1) - 1, self.get_line_end(line))

    def get_line_start(self, line: int) -> int:
        return self._line_starts[line - 1]

    def get_line_end(self, line: int) -> int:
        """Return the offset just before the line's line end."""
        return self._line_starts[line] - 1 if line < self.line_count else len(self.text)

    def get_line_text(self, line: int) -> str:
        return self.text[self.get_line_start(line) : self.get_line_end(line)]

    def span(self, start: int, end: int | None = None) -> Span:
        return Span(self, start, start if end is None else end)

    def get_full_span(self) -> Span:
        return Span(self, 0, len(self.text))

    @cached_property
    def _dropped(self) -> list[int]:
        """Offsets in `text` of the LFs that replace CR LF."""
        return [m.start() - i for i, m in enumerate(re.finditer("\r\n", self.raw.removeprefix(BOM)))]

    def _get_raw_offset(self, offset: int) -> int:
        shift = bisect_right(self._dropped, offset - 1) if "\r" in self.raw else 0
        return offset + shift + len(BOM) * self.bom

    def apply(self, edits: Iterable[Edit]) -> str:
        """Return the raw text after `edits`.

        Raises: ValueError unless they are in this source and do not overlap: the caller has to keep them apart.
        """
        out, copied_until = [], 0
        for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
            start, end = self._get_raw_offset(edit.span.start), self._get_raw_offset(edit.span.end)
            if edit.span.source is not self or start < copied_until:
                raise ValueError(f"edits overlap, or belong to another file: {edit}")
            out += [self.raw[copied_until:start], edit.text.replace("\n", self.newline)]
            copied_until = end
        return "".join([*out, self.raw[copied_until:]])

    def replace_text(self, text: str) -> Source:
        """Return this file with another text in the same encoding: the unsaved text of an editor.

        Some editors include the file's line ends and byte order mark, others send LF alone.
        """
        raw = text.removeprefix(BOM)
        raw = raw if "\r" in raw else raw.replace("\n", self.newline)
        return Source(self.path, BOM + raw if self.bom else raw)


class Span(NamedTuple):
    """Characters `start` up to but not including `end` of `source.text`: 0-based offsets in code points.

    `str(span)` is `path:line:column`, with a 1-based line and column.
    """

    source: Source
    start: int
    end: int

    @property
    def path(self) -> str:
        return self.source.path

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def position(self) -> Position:
        return self.source.get_position(self.start)

    @property
    def end_position(self) -> Position:
        return self.source.get_position(self.end)

    def cut(self, start: int, end: int) -> Span:
        """Return the part from `start` to `end`, counted from the start of this span."""
        return Span(self.source, self.start + start, self.start + end)

    @property
    def lines(self) -> range:
        """The lines of the span, 1-based; a line end belongs to the line that it ends."""
        return range(self.position.line, self.source.get_position(max(self.end - 1, self.start)).line + 1)

    def contains(self, other: Span) -> bool:
        """Return whether the other span is within this one; both are of one source."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        """Return whether both share a character; an empty span overlaps what it is in or touches."""
        if self.source is not other.source:
            return False
        if self.start == self.end or other.start == other.end:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end

    def __str__(self) -> str:
        return f"{self.path}:{self.position.line}:{self.position.column}"


class Edit(NamedTuple):
    """Replaces the text at `span` with `text` (with LF line ends)."""

    span: Span
    text: str


def find_line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def find_line_end(text: str, offset: int) -> int:
    """Return where the line of an offset ends, without its line end."""
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def is_within(offset: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Return whether one of some (start, end) spans contains an offset."""
    return any(start <= offset < end for start, end in spans)


def count_common_start(left: Sequence[object], right: Sequence[object]) -> int:
    """Return how many letters, or lines, two texts have in common at their start."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(left), len(right)))
