"""File offsets of the characters of a YAML scalar: rereads its text by YAML 1.1's rules for each style."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import Run, Traced

MAX_PIECES = 50_000  # Lines, folds and escapes of a scalar; with more, characters are not traced

_BREAK = lazy_re.compile("[\n\x85\u2028\u2029]")
_FOLD = "(?P<fold>[ \t]*[\n\x85\u2028\u2029][ \t\n\x85\u2028\u2029]*)|(?P<blanks>[ \t]+)"
"""A line end with surrounding white space; other white space is a token too, so that a long run is read once."""
_ESCAPE = r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[\n\x85\u2028\u2029][ \t\n\x85\u2028\u2029]*|.)"
_TOKENS = {
    "": lazy_re.compile(_FOLD),
    "'": lazy_re.compile(f"{_FOLD}|(?P<quote>'')"),
    '"': lazy_re.compile(f"{_FOLD}|(?P<escape>{_ESCAPE})"),
}
_HEADER = lazy_re.compile(r"[|>]([-+0-9]*)[ \t]*(?:#[^\n\x85\u2028\u2029]*)?")
_INDENTATION = lazy_re.compile("(?:^|(?<=[\x85\u2028\u2029]))( *)[^ \n\x85\u2028\u2029]", re.MULTILINE)
_NAMED = dict(zip('0abt\tnvfre "/\\N_LP', '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True))


class _Piece(NamedTuple):
    """A part of a scalar's text, and the file span that it was written as."""

    text: str
    start: int
    end: int
    aligned: bool


def build_scalar_text(value: str, span: Span, style: str) -> Traced:
    """Return `value`, as a YAML parser read it at `span`, with the origins of its characters.

    `span` includes quotes or block header; `style` is `''` (plain), `'`, `"`, `|` or `>`. The text is reread here; if
    that gives another value, the whole scalar is the origin of each character, which is coarse but not wrong.
    """
    quotes = 1 if style in ("'", '"') else 0
    inside = Span(span.source, span.start + quotes, span.end - quotes)
    if style not in ("|", ">") and inside.text == value:
        return traced.trace_span(inside)
    pieces = _iter_block_pieces(value, span, style) if style in ("|", ">") else _iter_flow_pieces(inside, style)
    kept = [piece for piece in islice(pieces, MAX_PIECES) if piece.text]
    if "".join(piece.text for piece in kept) != value:
        return traced.trace_to_span(value, span)
    return _join_pieces(value, span, kept)


def _join_pieces(value: str, span: Span, pieces: list[_Piece]) -> Traced:
    runs: list[Run] = []
    for piece in pieces:
        run = Run(len(piece.text), Span(span.source, piece.start, piece.end), piece.aligned)
        if runs and (whole := runs[-1].join_next(run)):
            runs[-1] = whole
        else:
            runs.append(run)
    return Traced(value, runs)


def _iter_flow_pieces(inside: Span, style: str) -> Iterator[_Piece]:
    """Yield the pieces of plain and quoted scalars: literal text, folded line ends and escapes."""
    raw, at = inside.text, 0
    for token in _TOKENS[style].finditer(raw):
        if token.lastgroup == "blanks":
            continue
        yield _Piece(raw[at : token.start()], inside.start + at, inside.start + token.start(), True)
        yield _Piece(_decode_token(token), inside.start + token.start(), inside.start + token.end(), False)
        at = token.end()
    yield _Piece(raw[at:], inside.start + at, inside.end, True)


def _decode_token(token: re.Match[str]) -> str:
    if token.lastgroup == "fold":
        return _fold_breaks(_BREAK.findall(token[0]))
    return "'" if token.lastgroup == "quote" else _unescape(token[0])


def _fold_breaks(breaks: list[str]) -> str:
    """Fold line ends: one becomes a space, more become one fewer; Unicode line separators stay."""
    first, rest = _normalize_newline(breaks[0]), "".join(map(_normalize_newline, breaks[1:]))
    return first + rest if first != "\n" else rest or " "


def _normalize_newline(line_break: str) -> str:
    return "\n" if line_break == "\x85" else line_break


def _unescape(escape: str) -> str:
    if _BREAK.match(escape, 1):  # an escaped line end: empty lines after it become line ends
        return "".join(map(_normalize_newline, _BREAK.findall(escape)[1:]))
    if escape[1] in "xuU" and len(escape) > 2:
        digits = escape[2:]
        code = int(digits, 16)
        return chr(code) if code <= 0x10FFFF else ""
    return _NAMED.get(escape[1], "")


class _Line(NamedTuple):
    """A line of a block scalar that has text: offsets in the file."""

    start: int
    end: int
    breaks: list[_Piece]  # the line's own end, then those of the empty lines after it


def _iter_block_pieces(value: str, span: Span, style: str) -> Iterator[_Piece]:
    """Yield the pieces of literal and folded scalars, like libyaml's `yaml_parser_scan_block_scalar`."""
    header = _HEADER.match(span.source.text, span.start, span.end)
    if header is None or (margin := _measure_margin(value, span, header.end())) is None:
        return
    empty, lines = _split_block_lines(span, header.end(), margin)
    yield from empty
    text = span.source.text
    for number, line in enumerate(lines):
        if number:
            yield from _iter_break_pieces(lines[number - 1], line, text, folds=style == ">")
        yield _Piece(text[line.start : line.end], line.start, line.end, True)
    last = lines[-1].breaks if lines else []
    yield from last if "+" in header[1] else () if "-" in header[1] else last[:1]


def _iter_break_pieces(before: _Line, line: _Line, text: str, *, folds: bool) -> Iterator[_Piece]:
    """Yield the pieces between two lines: a space in a folded scalar, unless one is indented further."""
    first, *empty = before.breaks
    if not folds or first.text != "\n" or text[before.start] in " \t" or text[line.start] in " \t":
        yield first
    elif not empty:
        yield _Piece(" ", first.start, line.start, False)
    yield from empty


def _measure_margin(value: str, span: Span, start: int) -> int | None:
    """Return a block scalar's indentation: what its first line has more in the file than in the value."""
    written = _INDENTATION.search(span.source.text[start : span.end])
    read = _INDENTATION.search(value)
    return len(written[1]) - len(read[1]) if written and read else None


def _split_block_lines(span: Span, at: int, margin: int) -> tuple[list[_Piece], list[_Line]]:
    """Return the line ends of the leading blank lines (without the header's), and the lines of text."""
    text, indentation = span.source.text, " " * margin
    breaks: list[_Piece] = []
    empty, lines = breaks, []
    match = _BREAK.search(text, at, span.end)
    while match:
        start = match.end()
        match = _BREAK.search(text, start, span.end)
        end = match.start() if match else span.end
        pieces = [_Piece(_normalize_newline(match[0]), end, end + 1, match[0] != "\x85")] if match else []
        if end - start > margin and text.startswith(indentation, start):
            breaks = pieces
            lines.append(_Line(start + margin, end, breaks))
        elif text[start:end].strip(" "):
            break
        else:
            breaks += pieces
    return empty, lines
