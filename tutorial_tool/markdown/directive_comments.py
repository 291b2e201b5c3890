"""Comments that suppress findings: finding them in Markdown, templates and data, and stripping them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeVar

from tutorial_tool import data
from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.source import Source, find_line_end, find_line_start, is_within
from tutorial_tool.core.traced import Traced, strip_origins
from tutorial_tool.data import FrontMatter, forms
from tutorial_tool.markdown.parser import Block, Dialect, Inline, parse_blocks

NAME = "tutorial-tool:"  # The start of every such comment; texts without it are not searched

_Text = TypeVar("_Text", bound=str)


class Comment(NamedTuple):
    """A suppression comment at `start` to `end`: its verb, and the spans of the names that it lists."""

    start: int
    end: int
    verb: str
    names: tuple[tuple[int, int], ...]


_HTML = lazy_re.compile(r"<!--\s*tutorial-tool:(.*?)-->", re.DOTALL)
_JSX = lazy_re.compile(r"\{/\*\s*tutorial-tool:(.*?)\*/\}", re.DOTALL)
_JINJA = lazy_re.compile(r"\{#[-+]?\s*tutorial-tool:(.*?)#\}", re.DOTALL)
_YAML = lazy_re.compile(r"(?:^|(?<=[ \t]))#[ \t]*tutorial-tool:(.*)$", re.MULTILINE)
_BODY = lazy_re.compile(r"\s*([\w-]*)\s*(?:\[([^\]]*)\])?")
_VERB = r"(?:ignore|disable|suppress|skip|silence|noqa|off)\b"
_ASKS = (
    rf"@?[Tt]utorial(?:[-_]?[Tt]ool|[ ][Tt]ool(?=[ \t]*:))[ \t=_-]*"
    rf"(?::[ \t]*{_VERB}|{_VERB}[\w-]*[ \t]*(?=[\[(:]|-->|\*/|#\}}|$|[a-z]+-[a-z]))"
)
"""A comment that is meant to suppress a finding, well-formed or not."""
_NEAR = (
    lazy_re.compile(rf"<!--[-\s]*{_ASKS}.*?-->", re.DOTALL),
    lazy_re.compile(rf"\{{/\*\s*{_ASKS}.*?\*/\}}", re.DOTALL),
    lazy_re.compile(rf"\{{#[-+]?\s*{_ASKS}.*?#\}}", re.DOTALL),
)
_CLOSING = dict(zip((_HTML, _JSX, _JINJA, *_NEAR), ("-->", "*/}", "#}") * 2, strict=True))
_NEAR_YAML = lazy_re.compile(rf"(?:^|(?<=[ \t]))#[ \t]*{_ASKS}.*$", re.MULTILINE)
CALLED = lazy_re.compile(r"utorial[-_ ]?[Tt]ool")  # A cheap check: only texts with this are searched
_LISTED = lazy_re.compile(r"[^\s,]+(?:[ \t]+[^\s,]+)*")


def _find_comments(pattern: re.Pattern[str], text: str, start: int = 0, end: int | None = None) -> Iterator[Comment]:
    for match in pattern.finditer(text, start, _find_last_end(pattern, text, end)):
        body = _BODY.match(text, match.start(1), match.end(1))
        assert body is not None  # every part of it is optional
        names = () if body[2] is None else tuple(result.span() for result in _LISTED.finditer(text, *body.span(2)))
        yield Comment(match.start(), match.end(), body[1], names)


def _find_last_end(pattern: re.Pattern[str], text: str, end: int | None) -> int:
    """Return the last offset where a comment of this kind may end.

    Beyond it, every unclosed comment would be scanned to the end of the text.
    """
    limit = len(text) if end is None else end
    closing = _CLOSING.get(pattern)
    return max(text.rfind(closing, 0, limit) + len(closing), 0) if closing else limit


# Finding comments


def find_in_markdown(text: str, dialect: Dialect, *, template: bool = False) -> list[Comment]:
    """Return the suppression comments of a page or template, outside front matter and code."""
    return list(_find_in_markdown(strip_origins(text), dialect, template)) if NAME in text else []


@lru_cache(maxsize=256)  # the text is parsed, and editors ask at each key press
def _find_in_markdown(text: str, dialect: Dialect, template: bool) -> tuple[Comment, ...]:
    patterns = [_HTML] + [_JSX] * (dialect in (Dialect.MDX, Dialect.DOCUSAURUS)) + [_JINJA] * template
    body = find_body_start(text)
    comments = sorted(comment for pattern in patterns for comment in _find_comments(pattern, text, body))
    code = list(_find_code(parse_blocks(text[body:], dialect))) if comments else []
    return tuple(c for c in comments if not is_within(c.start - body, code))


def find_body_start(text: str) -> int:
    """Return the offset of the body, after the front matter if there is any."""
    front = data.find_front_matter(text) or forms.find_front_matter(text)
    return front.body if front else 0


def _find_code(blocks: Iterable[Block]) -> Iterator[tuple[int, int]]:
    for block in blocks:
        if block.kind == "code":
            yield block.start, block.end
        for inlines in (block.inlines, *(cell.inlines for row in block.rows for cell in row)):
            yield from _find_code_spans(inlines)
        yield from _find_code(block.children)


def _find_code_spans(inlines: Iterable[Inline]) -> Iterator[tuple[int, int]]:
    for inline in inlines:
        if inline.kind == "code":
            yield inline.start, inline.end
        yield from _find_code_spans(inline.children)


def find_in_yaml(source: Source, start: int = 0, end: int | None = None) -> list[Comment]:
    """Return the suppression comments in YAML, except those inside scalars."""
    if NAME not in source.text:
        return []
    scalars = [node.span for node in data.iter_scalars(data.load_yaml(source, start, end).node, keys=True)]
    comments = _find_comments(_YAML, source.text, start, end)
    return [c for c in comments if not any(span.start <= c.start < span.end for span in scalars)]


def find_in_front_matter(source: Source, front: FrontMatter) -> list[Comment]:
    """Return the suppression comments in front matter. JSON has none."""
    if not forms.is_toml(source.text):
        return find_in_yaml(source, front.start, front.end)
    if NAME not in source.text:
        return []
    from tutorial_tool.data import toml_places

    comments = toml_places.find_comments(source.text[front.start : front.end])
    places = ((front.start + start, front.start + end) for start, end in comments)
    return [comment for start, end in places for comment in _find_comments(_YAML, source.text, start, end)]


def iter_nodes(node: data.Node | None) -> Iterator[data.Node]:
    """Yield a YAML node and all its descendants."""
    if node is None:
        return
    yield node
    match node:
        case data.Mapping():
            for key, value in node.items:
                yield key
                yield from iter_nodes(value)
        case data.Sequence():
            for item in node.items:
                yield from iter_nodes(item)


# Malformed comments


def find_misspelled(source: Source, dialect: Dialect, *, template: bool) -> list[tuple[int, int]]:
    """Return the spans of comments that name the tool and a verb but suppress nothing as written."""
    if not CALLED.search(source.text):
        return []
    front = data.find_front_matter(source.text) or forms.find_front_matter(source.text)
    if source.path.endswith((".yaml", ".yml")):
        return list(_find_misspelled_in_yaml(source, 0, len(source.text)))
    has_yaml = front and source.text.startswith("---")
    matches = list(_find_misspelled_in_yaml(source, front.start, front.end)) if front and has_yaml else []
    return [*matches, *_find_misspelled_in_markdown(strip_origins(source.text), dialect, template)]


def _find_misspelled_in_markdown(text: str, dialect: Dialect, template: bool) -> Iterator[tuple[int, int]]:
    body = find_body_start(text)
    ends = [(pattern, _find_last_end(pattern, text, None)) for pattern in _NEAR]
    if near := sorted(match.span() for pattern, end in ends for match in pattern.finditer(text, body, end)):
        read = {comment.start for comment in find_in_markdown(text, dialect, template=template)}
        code = list(_find_code(parse_blocks(text[body:], dialect)))
        yield from (span for span in near if span[0] not in read and not is_within(span[0] - body, code))


def _find_misspelled_in_yaml(source: Source, start: int, end: int) -> Iterator[tuple[int, int]]:
    if near := [match.span() for match in _NEAR_YAML.finditer(source.text, start, end)]:
        read = {comment.start for comment in find_in_yaml(source, start, end)}
        node = data.load_yaml(source, start, end).node
        texts = [(scalar.span.start, scalar.span.end) for scalar in data.iter_scalars(node, keys=True)]
        yield from (span for span in near if span[0] not in read and not is_within(span[0], texts))


# Removing comments


def strip_comments(text: _Text, dialect: Dialect = Dialect.PYTHON_MARKDOWN) -> _Text:
    """Return the page without suppression comments, for publishing; traced text stays traced.

    A line with nothing else is removed with its line end, and with one blank line if it was between two.
    """
    if NAME not in text:
        return text
    parts: list[str] = []
    at = 0
    for start, end in _find_cuts(strip_origins(text), dialect):
        parts.append(text[at:start])
        at = end
    parts.append(text[at:])
    return traced.concatenate(parts) if isinstance(text, Traced) else "".join(parts)  # type: ignore[return-value]


def _find_cuts(text: str, dialect: Dialect) -> Iterator[tuple[int, int]]:
    """Return the spans to remove, in text order. Consecutive comments are merged."""
    groups: list[tuple[int, int]] = []
    for comment in find_in_markdown(text, dialect):
        between = text[groups[-1][1] : comment.start] if groups else "-"
        if between.strip() or between.count("\n") > 1:
            groups.append((comment.start, comment.end))
        else:
            groups[-1] = groups[-1][0], max(comment.end, groups[-1][1])
    return (_expand_cut(text, *group) for group in groups)


def _expand_cut(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the comment's span, extended by the white space that only separates it."""
    line = find_line_start(text, start)
    stop = find_line_end(text, end)
    before, after = text[line:start], text[end:stop]
    if after.strip(" \t"):
        return start, end + len(after) - len(after.lstrip(" \t"))
    if before.strip(" \t"):
        return line + len(before.rstrip(" \t")), stop
    stop = min(stop + 1, len(text))
    blank_before = line == 0 or text.endswith("\n\n", 0, line) or text[:line] == "\n"
    return line, stop + 1 if blank_before and text.startswith("\n", stop) else stop
