"""Template locations: Jinja's lexer with offsets, and the tags of each template."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from jinja2 import TemplateSyntaxError, nodes
from jinja2.lexer import Lexer

from tutorial_tool.core.source import Source, Span, find_line_end, find_line_start
from tutorial_tool.core.traced import Traced

if TYPE_CHECKING:
    from tutorial_tool.templating.environment import TemplateEnvironment


class LinePosition(int):
    """A line number that also has its character offset; Jinja's parser passes it on as `lineno`."""

    offset: int

    def __new__(cls, line: int, offset: int) -> LinePosition:
        self = int.__new__(cls, line)
        self.offset = offset
        return self


def get_offset(node: nodes.Node) -> int:
    """Return the offset of a node's first token in its template; for a name after a dot, of the dot."""
    return node.lineno.offset if isinstance(node.lineno, LinePosition) else 0


class _Tag(NamedTuple):
    """A tag or comment in a template; `kind` is Jinja's name for its opening token."""

    kind: str
    start: int
    end: int


_BEGINS = {"variable_begin": "variable_end", "block_begin": "block_end", "comment_begin": "comment_end"}


def _find_bare_parts(source: str, tags: Sequence[_Tag]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a source that belong to no page: the blanks around tags alone on their lines.

    Jinja's own `trim_blocks` and `lstrip_blocks` also drop them if text is on the line of a tag: an item of a list
    would run into the next one. A Jinja marker, as in `{%+ … +%}`, keeps them.
    """
    group: list[_Tag] = []
    for tag in tags:
        if group and source[group[-1].end : tag.start].strip(" \t"):
            yield from _find_blanks_beside(source, group)
            group = []
        group.append(tag)
    if group:
        yield from _find_blanks_beside(source, group)


def _find_blanks_beside(source: str, group: Sequence[_Tag]) -> Iterator[tuple[int, int]]:
    """Yield the blanks around tags separated only by blanks, if they are alone on their lines."""
    first, last = group[0], group[-1]
    start, end = find_line_start(source, first.start), find_line_end(source, last.end)
    is_alone = not (source[start : first.start].strip(" \t") or source[last.end : end].strip(" \t\r"))
    if not is_alone or any(tag.kind == "variable_begin" for tag in group):
        return
    if source[first.start + 2] != "+":
        yield start, first.start
    for left, right in pairwise(group):
        if "+" not in (source[left.end - 3], source[right.start + 2]):
            yield left.end, right.start
    if last.kind != "raw_begin" and source[last.end - 3] != "+":
        yield last.end, min(end + 1, len(source))


class OffsetLexer(Lexer):
    """Jinja's lexer, extended with the offset of each token and the tags of each template.

    Tags alone on their lines leave no blank lines; all others leave their lines unchanged.
    """

    def __init__(self, environment: TemplateEnvironment) -> None:
        super().__init__(environment)
        self._templates = environment.parsed

    def tokeniter(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> Iterator[tuple[int, str, str]]:
        parsed, tags = self._templates[name or ""], list[_Tag]()
        tokens = list(self._locate_tokens(source, name, filename, state, tags))
        parsed.tags += [(tag.start, tag.end) for tag in tags if tag.kind in ("variable_begin", "block_begin")]
        starts = dict(_find_bare_parts(source, tags))
        ends = {end: start for start, end in starts.items()}
        for line, offset, kind, text in tokens:
            start, end = offset, offset + len(text)
            if kind == "data":
                start = min(max(starts.get(start, start), start), end)
                end = max(min(ends.get(end, end), end), start)
                if start == end:
                    continue
            yield LinePosition(line, start), kind, text[start - offset : end - offset]

    def _locate_tokens(
        self, source: str, name: str | None, filename: str | None, state: str | None, tags: list[_Tag]
    ) -> Iterator[tuple[int, int, str, str]]:
        """Yield Jinja's tokens as (line, offset, kind, text), adding each tag to `tags`."""
        offset = opened = 0
        opened_kind = ""
        tokens = super().tokeniter(source, name, filename, state)
        while True:
            try:
                line, kind, text = next(tokens)
            except StopIteration:
                return
            except TemplateSyntaxError as error:
                error.lineno = LinePosition(error.lineno, offset + len(source[offset:]) - len(source[offset:].lstrip()))
                raise
            offset = source.index(text, offset)  # Jinja drops only white space between tokens
            yield line, offset, kind, text
            if kind in _BEGINS:
                opened_kind, opened = kind, offset
            offset += len(text)
            end = offset - len(text) + len(text.rstrip())
            if kind == _BEGINS.get(opened_kind):
                tags.append(_Tag(opened_kind, opened, end))
            elif kind in ("raw_begin", "raw_end"):
                tags.append(_Tag(kind, offset - len(text), end))


class ParsedTemplate:
    """A template's source, and the (start, end) of its `{{ }}` and `{% %}` tags in order."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tags: list[tuple[int, int]] = []

    def find_tag(self, offset: int) -> Span:
        """Return the tag around an offset, or else the result of `get_line_span`."""
        index = bisect_right(self.tags, (offset, len(self.source.text) + 1)) - 1
        if index >= 0:
            start, end = self.tags[index]
            if start <= offset < end:
                return Span(self.source, start, end)
        return self.get_line_span(self.source.get_position(offset).line)

    def get_line_span(self, number: int) -> Span:
        """Return the span of the only tag that starts on a line, or else of the line's text."""
        number = min(max(number, 1), self.source.line_count)
        start, end = self.source.get_line_start(number), self.source.get_line_end(number)
        tags = self.tags[bisect_right(self.tags, (start, start)) : bisect_right(self.tags, (end, end))]
        if len(tags) == 1:
            return Span(self.source, *tags[0])
        text = self.source.text[start:end]
        return Span(self.source, start + len(text) - len(text.lstrip()), max(end, start))

    def get_indentation(self, tag: Span) -> str:
        """Return the white space before a tag that is alone on its line, or ""."""
        text = self.source.text
        if text.startswith(("{{-", "{%-", "{%+"), tag.start):
            return ""
        before, after = text[find_line_start(text, tag.start) : tag.start], text[tag.end : find_line_end(text, tag.end)]
        return before if before.isspace() and not after.strip() else ""


class PrintedNode(NamedTuple):
    """What is known at compile time about a printed node."""

    literal: Traced | None
    tag: Span
    indentation: str
    is_call: bool = False  # Whether a macro or function prints it: its lines belong together
