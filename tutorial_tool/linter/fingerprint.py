"""Identify a finding after lines have moved: by rule, file, the text of its span, and its context.

Platforms do not count: one more platform does not make a finding new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tutorial_tool.cache import blake2b
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import CONTEXT_WORDS, Source, Span

_CONTEXT = 80  # Maximum characters before and after the start of a span that are used: a line may be a whole file
_MAX_BLANK_LINES = 20  # Maximum blank lines between a span and the nearest line
NOTHING = "-"


class Mark(NamedTuple):
    """A span by its text, its line, the lines before and after, and the words around it, each as a hash.

    `-` marks a missing part. White space is ignored, so that a paragraph may be rewrapped.
    """

    text: str
    line: str
    before: str
    after: str
    words: str

    def __str__(self) -> str:
        return " ".join(self)


def compute_mark(span: Span) -> Mark:
    """Return the mark of a span, any part of which may survive edits around it."""
    source, first_line, last_line = span.source, span.position.line, span.end_position.line
    before = _find_near_line(source, range(first_line - 1, max(first_line - 1 - _MAX_BLANK_LINES, 0), -1))
    after = _find_near_line(source, range(last_line + 1, min(last_line + 1 + _MAX_BLANK_LINES, source.line_count + 1)))
    return Mark(
        hash_text(span.text), _hash(_get_line_text(span)), _hash(before), _hash(after), _hash(_get_words_around(span))
    )


def compute_fingerprints(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield a fingerprint for each finding, in order; equal ones are distinguished by a counter."""
    from hashlib import sha256

    counts: Counter[tuple[str, ...]] = Counter()
    for finding in findings:
        key = finding.rule, finding.span.path, finding.span.text, _get_line_text(finding.span)
        counts[key] += 1
        text = "\0".join((*key, str(counts[key])))
        yield sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _get_line_text(span: Span) -> str:
    """Return the text of the line around a span, which distinguishes it from similar ones."""
    line, source = span.position.line, span.source
    start = max(source.get_line_start(line), span.start - _CONTEXT)
    return source.text[start : min(source.get_line_end(line), span.start + _CONTEXT)].strip()


def _get_words_around(span: Span) -> str:
    """Return the words of the line on both sides of a span, if there are enough."""
    source, line, last = span.source, span.position.line, span.end_position.line
    before = source.text[max(source.get_line_start(line), span.start - _CONTEXT) : span.start].split()[-CONTEXT_WORDS:]
    after = source.text[span.end : min(source.get_line_end(last), span.end + _CONTEXT)].split()[:CONTEXT_WORDS]
    return " ".join((*before, "", *after)) if len(before) + len(after) >= CONTEXT_WORDS else ""


def _find_near_line(source: Source, lines: range) -> str:
    """Return the first of the lines that is not blank, or its start if it is long."""
    for line in lines:
        start, end = source.get_line_start(line), source.get_line_end(line)
        text = source.text[start:end] if end - start <= 2 * _CONTEXT else source.text[start : start + 2 * _CONTEXT]
        if text.strip():
            return text
    return ""


def hash_text(text: str) -> str:
    """Return the hash of a span's text."""
    return _hash(text, 12)


def _hash(text: str, digits: int = 8) -> str:
    """Return a hash of the words of a text, with the given number of digits."""
    words = " ".join(text.split())
    if not words:
        return NOTHING
    return blake2b(words.encode("utf-8", "surrogatepass"), digest_size=digits // 2).hexdigest()
