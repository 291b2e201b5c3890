"""Strings that remember the origin of each character.

`concatenate` is the only way to build one from parts, `strip_origins` the only way out: `"".join(...)` of traced
strings returns plain text and loses the origins, while `f"{text}"` may still be traced. An operation that is not
covered here returns plain text; whoever prints it then falls back to the enclosing tag, which is coarser and never
wrong.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from operator import index
from typing import Any, NamedTuple, SupportsIndex

from tutorial_tool.core.source import Span


class Run(NamedTuple):
    """`length` characters from `span`; `aligned` if they map one to one onto its characters.

    Aligned text may differ: changing case keeps the offsets and changes the letters. `via` are the template tags that
    the characters passed through, innermost first.
    """

    length: int
    span: Span | None
    aligned: bool = False
    via: tuple[Span, ...] = ()

    def cut(self, start: int, end: int) -> Run:
        if self.aligned and self.span is not None:
            return Run(end - start, self.span.cut(start, end), True, self.via)
        return Run(end - start, self.span, False, self.via)

    def join_next(self, other: Run) -> Run | None:
        """Return one run for this one and the next, if both have contiguous origins."""
        if self.aligned is not other.aligned or self.via != other.via:
            return None
        a, b = self.span, other.span
        if a is None or b is None:
            return Run(self.length + other.length, None) if a is b else None
        if not self.aligned:
            return Run(self.length + other.length, a, False, self.via) if a == b else None
        is_next = a.source is b.source and a.end == b.start
        return Run(self.length + other.length, Span(a.source, a.start, b.end), True, self.via) if is_next else None


class Traced(str):
    """A string with the origins of its characters, in runs that cover it from end to end.

    `block` means that it is on separate lines (a table, a code block): all are indented like its tag.
    """

    __slots__ = ("_starts", "block", "runs")
    runs: tuple[Run, ...]
    block: bool

    def __new__(cls, text: str, runs: Iterable[Run], *, block: bool = False) -> Traced:
        self = str.__new__(cls, text)
        self.runs = tuple(runs)
        self.block = block
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _revive, (strip_origins(self), self.runs, self.block)

    def __str__(self) -> str:
        return self

    def find_run(self, offset: int) -> tuple[Run, int]:
        """Return the run that covers the character at `offset`, and the start of that run in the string.

        Raises: IndexError for an offset outside the text.
        """
        if not 0 <= offset < len(self):
            raise IndexError(offset)
        starts = self._get_run_starts()
        number = bisect_right(starts, offset) - 1
        return self.runs[number], starts[number]

    def get_runs_between(self, start: int, end: int) -> tuple[Run, ...]:
        """Return the runs of a part of the text, cut to it."""
        return tuple(self._cut_runs(start, end))

    def _get_run_starts(self) -> list[int]:
        try:
            return self._starts
        except AttributeError:
            starts, offset = [], 0
            for run in self.runs:
                starts.append(offset)
                offset += run.length
            self._starts: list[int] = starts
            return starts

    def _cut_runs(self, start: int, end: int) -> Iterator[Run]:
        if start >= end:
            return
        starts = self._get_run_starts()
        for number in range(bisect_right(starts, start) - 1, len(self.runs)):
            run, run_start = self.runs[number], starts[number]
            if run_start >= end:
                return
            low, high = max(start - run_start, 0), min(end - run_start, run.length)
            if low < high:
                yield run if high - low == run.length else run.cut(low, high)

    def _get_part(self, start: int, end: int) -> Traced:
        return Traced(str.__getitem__(self, slice(start, end)), self._cut_runs(start, end))

    # Slicing and joining

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            return self._get_part(start, max(start, stop)) if step == 1 else str.__getitem__(self, key)
        position = index(key)
        text = str.__getitem__(self, position)
        position += len(self) if position < 0 else 0
        return Traced(text, self._cut_runs(position, position + 1))

    def __iter__(self) -> Iterator[str]:
        return (self._get_part(i, i + 1) for i in range(len(self)))

    def __add__(self, other: object) -> str:
        return concatenate((self, other)) if isinstance(other, str) else NotImplemented

    def __radd__(self, other: object) -> str:
        return concatenate((other, self)) if isinstance(other, str) else NotImplemented

    def __mul__(self, count: SupportsIndex) -> str:
        return concatenate([self] * count)

    __rmul__ = __mul__

    def join(self, parts: Iterable[str], /) -> str:
        out: list[str] = []
        for part in parts:
            if not isinstance(part, str):
                raise TypeError(
                    f"sequence item {(len(out) + 1) // 2}: expected str instance, {type(part).__name__} found"
                )
            out += [self, part] if out else [part]
        return concatenate(out)

    def lstrip(self, chars: str | None = None, /) -> str:
        return self._get_part(len(self) - len(str.lstrip(self, chars)), len(self))

    def rstrip(self, chars: str | None = None, /) -> str:
        return self._get_part(0, len(str.rstrip(self, chars)))

    def strip(self, chars: str | None = None, /) -> str:
        start = len(self) - len(str.lstrip(self, chars))
        return self._get_part(start, max(start, len(str.rstrip(self, chars))))

    def removeprefix(self, prefix: str, /) -> str:
        return self._get_part(len(prefix), len(self)) if prefix and self.startswith(prefix) else self

    def removesuffix(self, suffix: str, /) -> str:
        return self._get_part(0, len(self) - len(suffix)) if suffix and self.endswith(suffix) else self

    def splitlines(self, keepends: bool = False) -> list[str]:
        out: list[str] = []
        offset = 0
        for full, line in zip(str.splitlines(self, True), str.splitlines(self, keepends), strict=True):
            out.append(self._get_part(offset, offset + len(line)))
            offset += len(full)
        return out

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._trace_pieces(str.split(self, sep, maxsplit), sep)

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        return self._trace_pieces(str.rsplit(self, sep, maxsplit), sep)

    def _trace_pieces(self, pieces: list[str], sep: str | None) -> list[str]:
        """Return the pieces of a split with origins, found left to right between `sep` or white space."""
        out: list[str] = []
        offset = 0
        for piece in pieces:
            offset = str.find(self, piece, offset) if sep is None else offset
            out.append(self._get_part(offset, offset + len(piece)))
            offset += len(piece) + len(sep or "")
        return out

    def partition(self, sep: str, /) -> tuple[str, str, str]:
        return self._partition_at(str.find(self, sep), sep) if sep in self else (self, "", "")

    def rpartition(self, sep: str, /) -> tuple[str, str, str]:
        return self._partition_at(str.rfind(self, sep), sep) if sep in self else ("", "", self)

    def _partition_at(self, start: int, sep: str) -> tuple[str, str, str]:
        if not sep:
            raise ValueError("empty separator")
        end = start + len(sep)
        return self._get_part(0, start), self._get_part(start, end), self._get_part(end, len(self))

    def replace(self, old: str, new: str, count: SupportsIndex = -1, /) -> str:
        if not old:
            return str.replace(self, old, new, count)
        return Traced.join(ensure_traced(new), self.split(old, count))

    def ljust(self, width: SupportsIndex, fillchar: str = " ", /) -> str:
        return concatenate((self, str.ljust(self, width, fillchar)[len(self) :]))

    def rjust(self, width: SupportsIndex, fillchar: str = " ", /) -> str:
        text = str.rjust(self, width, fillchar)
        return concatenate((text[: len(text) - len(self)], self))

    def _trace_recased(self, text: str) -> str:
        """Return `text` with these origins.

        No letter becomes shorter, so if the length is unchanged, all offsets are.
        """
        return Traced(text, self.runs, block=self.block) if len(text) == len(self) else text

    def upper(self) -> str:
        return self._trace_recased(str.upper(self))

    def lower(self) -> str:
        return self._trace_recased(str.lower(self))

    def casefold(self) -> str:
        return self._trace_recased(str.casefold(self))

    def title(self) -> str:
        return self._trace_recased(str.title(self))

    def capitalize(self) -> str:
        return self._trace_recased(str.capitalize(self))

    def swapcase(self) -> str:
        return self._trace_recased(str.swapcase(self))


def _revive(text: str, runs: tuple[Run, ...], block: bool) -> Traced:
    return Traced(text, runs, block=block)


def strip_origins(text: str) -> str:
    """Return the same text as an ordinary `str`, for use outside the tool's core."""
    return str.__str__(text)


def trace_span(span: Span) -> Traced:
    """Return the text of a span, each character with its origin."""
    return Traced(span.text, (Run(span.end - span.start, span, True),) if span.end > span.start else ())


def trace_to_span(text: str, span: Span) -> Traced:
    """Return a text that has a whole span as its origin."""
    return Traced(strip_origins(text), (Run(len(text), span),) if text else ())


def trace_like(text: str, other: str) -> Traced:
    """Return a computed text with the origin of another text that it is next to."""
    span = next((run.span for run in ensure_traced(other).runs if run.span), None)
    return trace_to_span(text, span) if span else ensure_traced(text)


def ensure_traced(text: str) -> Traced:
    """Return a traced text unchanged, else one without origin, which the tag that prints it will set."""
    return text if isinstance(text, Traced) else Traced(text, (Run(len(text), None),) if text else ())


def mark_block(text: str) -> Traced:
    """Return the text as a block: separate lines, indented together."""
    text = ensure_traced(text)
    return Traced(strip_origins(text), text.runs, block=True)


def concatenate(parts: Iterable[str]) -> Traced:
    """Concatenate the parts with their origins. A block among them makes the whole a block."""
    parts = parts if isinstance(parts, list | tuple) else list(parts)
    if len(parts) == 1:
        return ensure_traced(parts[0])
    runs: list[Run] = []
    block = False
    for part in parts:
        if isinstance(part, Traced):
            block = block or part.block
            for run in part.runs:
                if runs and (joined := runs[-1].join_next(run)):
                    runs[-1] = joined
                else:
                    runs.append(run)
        elif part:
            runs.append(Run(len(part), None))
    return Traced("".join(parts), runs, block=block)
