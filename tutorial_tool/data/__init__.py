"""YAML and front matter as nodes whose scalars know their spans; limits on depth, size and aliases.

Every scalar is the text as written: `on` is not true and `1.10` is not a number. The model interprets values. The YAML
reader is loaded on first use: most pages of a plain tree need none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import BOM, Source, Span
from tutorial_tool.core.traced import Run, Traced, strip_origins
from tutorial_tool.data.nodes import (
    FrontMatter,
    LoadedYaml,
    Mapping,
    Node,
    Scalar,
    Sequence,
    get_entries,
    get_items,
    get_scalars,
)

if TYPE_CHECKING:
    from frontmatter.default_handlers import BaseHandler


_FENCE = lazy_re.compile(r"---[ \t]*\n")
_BLANK = lazy_re.compile(r"[ \t]*\n")
_ENTRY = lazy_re.compile(r"^(?:[\"']?[\w-]+[\"']?[ \t]*:(?:[ \t]|$)|[{\[-])", re.MULTILINE)
"""Possible starts of a front matter entry."""
_END_FENCE = lazy_re.compile(r"^(?:---|\.\.\.)[ \t]*\n\n*", re.MULTILINE)
_NO_ENTRIES = lazy_re.compile(r"---[ \t]*\n---[ \t]*\n")
_LAST_FENCE = lazy_re.compile(r"(?<=\n)---[ \t]*\Z")
_ENTRIES = lazy_re.compile(r"(?:[A-Za-z_][\w-]*:(?:[ \t][^\n]*)?(?:\n|\Z)(?:[ \t]+[^\s][^\n]*\n|- [^\n]*\n)*)+")
_PROSE = lazy_re.compile(r"(?:[ \t]*\n)+(?!-{3}|\.{3})(?:#{1,6} |(?![\w-]+:(?:\s|$))\w[^\n]* )")
"""An empty line followed by a heading or words."""


def iter_scalars(node: Node | None, *, keys: bool = False) -> Iterator[Scalar]:
    """Yield the scalars in a node, in order; the keys of mappings only if requested."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for key, value in node.items:
            yield from (key,) if keys else ()
            yield from iter_scalars(value, keys=keys)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from iter_scalars(item, keys=keys)


def iter_keyed(node: Node | None) -> Iterator[tuple[str, Scalar]]:
    """Yield the texts in a node in source order, each with its key, "" in a list."""
    todo = [("", node)]
    while todo:
        key, entry = todo.pop()
        if isinstance(entry, Scalar):
            yield key, entry
        elif isinstance(entry, Sequence):
            todo += [("", item) for item in reversed(entry.items)]
        elif isinstance(entry, Mapping):
            todo += [(name.plain, value) for name, value in reversed(entry.items)]


def load_yaml(source: Source, start: int = 0, end: int | None = None, *, rule: str = "invalid-data") -> LoadedYaml:
    """Read `source.text[start:end]`; findings are errors of `rule`. Results without findings are cached."""
    from tutorial_tool.data.reading import read_yaml

    return read_yaml(source, start, len(source.text) if end is None else end, rule)


# Front matter


def find_front_matter(text: str) -> FrontMatter | None:
    """Return the span of a page's front matter by MkDocs' rule (`mkdocs.utils.meta`).

    The first line is `---`; the third or a later line is `---` or `...` and has a line end; blank lines after it belong
    to it.
    """
    opened = _FENCE.match(text)
    closed = _END_FENCE.search(text, opened.end() + 1) if opened else None
    return FrontMatter(opened.end(), closed.start(), closed.end()) if opened and closed else None


def find_body_start(text: str) -> int:
    """Return the offset of a page's text after its front matter by MkDocs' rule, or 0."""
    front = find_front_matter(text)
    return front.body if front else 0


def find_empty_front_matter(text: str) -> FrontMatter | None:
    """Return front matter without entries. MkDocs reads its second line as text, and ends at a later `---`."""
    match = _NO_ENTRIES.match(text)
    return FrontMatter(text.index("\n") + 1, text.index("\n") + 1, match.end()) if match else None


def find_front_matter_at_end(text: str) -> FrontMatter | None:
    """Return front matter whose closing line ends the file, without the line end that MkDocs requires."""
    opened, closed = _FENCE.match(text), _LAST_FENCE.search(text, max(len(text) - 20, 0))
    return FrontMatter(opened.end(), closed.start(), len(text)) if opened and closed else None


def is_text(text: str, result: FrontMatter) -> bool:
    """Return whether the text between two fences is prose: a blank line is above it, and it has no entry."""
    return _BLANK.match(text, result.start) is not None and not _ENTRY.search(text, result.start, result.end)


def find_entries_end(text: str) -> int | None:
    """Return the end of unclosed front matter: after the first lines, if those are entries.

    None where there is none. If a fence follows further down, which may be anything, prose must follow the entries.
    """
    opened = _FENCE.match(text)
    entries = _ENTRIES.match(text, opened.end()) if opened else None
    if opened is None or entries is None:
        return None
    closed = find_front_matter(text) or find_front_matter_at_end(text)
    return entries.end() if closed is None or _PROSE.match(text, entries.end()) else None


def load_front_matter(source: Source) -> LoadedYaml | None:
    """Return a page's front matter, or None."""
    parts = find_front_matter(source.text)
    return load_yaml(source, parts.start, parts.end, rule="front-matter") if parts else None


def load_traced(text: Traced, start: int = 0, end: int | None = None) -> LoadedYaml:
    """Read the front matter of a rendered page.

    Spans of nodes are offsets in the page (in a source of its text); the texts of scalars have the origins of the
    page's text; findings and their related locations point to where the text came from.
    """
    first = next((run.span for run in text.runs if run.span), None)
    if first is not None and text.runs == (Run(len(text), first.source.get_full_span(), True),):
        return load_yaml(first.source, start, end, rule="front-matter")
    # the BOM keeps the text unchanged, whatever it starts with
    page = Source(first.path if first else "", BOM + strip_origins(text))
    loaded = load_yaml(page, start, end, rule="front-matter")
    node = _Rebaser(text).rebase_node(loaded.node) if loaded.node else None
    return LoadedYaml(node, tuple(_rebase_finding(finding, text) for finding in loaded.findings))


class _Rebaser:
    """Copies nodes of a page's text with the origins of that text. Shared nodes stay shared."""

    def __init__(self, text: Traced) -> None:
        self._text = text
        self._done: dict[int, tuple[Node, Node]] = {}

    def rebase_node(self, node: Node) -> Node:
        if id(node) not in self._done:
            self._done[id(node)] = node, self._build_node(node)
        return self._done[id(node)][1]

    def _build_node(self, node: Node) -> Node:
        if isinstance(node, Scalar):
            return self._rebase_scalar(node)
        if isinstance(node, Sequence):
            return Sequence(tuple(self.rebase_node(item) for item in node.items), node.span)
        items = tuple((self._rebase_scalar(key), self.rebase_node(value)) for key, value in node.items)
        return Mapping(items, node.span)

    def _rebase_scalar(self, node: Scalar) -> Scalar:
        runs = [origin for run in node.text.runs for origin in self._find_origins(run)]
        return Scalar(Traced(node.plain, runs), node.span, node.style)

    def _find_origins(self, run: Run) -> tuple[Run, ...]:
        """Return the origins of a run: those of the page's characters, or one unaligned run for an escape."""
        if run.span is None:
            return (run,)
        cut = self._text.get_runs_between(run.span.start, run.span.end)
        if run.aligned:
            return cut
        return (Run(run.length, _get_first_span(cut), False, cut[0].via if cut else ()),)


def _get_first_span(runs: tuple[Run, ...]) -> Span | None:
    return next((run.span for run in runs if run.span), None)


def _rebase_finding(finding: Finding, text: Traced) -> Finding:
    span, exact = _find_origin(finding.span, text)
    if tag := _find_begun_tag(finding.span.start, text):  # the error is the tag before the value, not the value
        span, exact = tag, False
    related = tuple(other._replace(span=_find_origin(other.span, text)[0]) for other in finding.related)
    return replace(finding, span=span, related=related, exact=exact)


def _find_begun_tag(at: int, text: Traced) -> Span | None:
    """Return the template tag that printed a value, if one starts at this offset."""
    if at >= len(text):
        return None
    run, start = text.find_run(at)
    return run.via[-1] if run.via and start == at else None


def _find_origin(span: Span, text: Traced) -> tuple[Span, bool]:
    """Return the origin of a span in a page and whether it is exact; an empty span precedes its character."""
    at = min(span.start, len(text) - 1)
    runs = text.get_runs_between(at, max(span.end, at + 1))
    origin = _get_first_span(runs)
    if origin is None:
        return span, False
    if not runs[0].aligned or runs[0].span is None:
        return origin, False
    if span.start == span.end:
        at = origin.start + (span.start - at)
        return Span(origin.source, at, at), True
    return origin, len(runs) == 1


# Without origins


def convert_to_plain(node: Node | None) -> Any:
    """Convert a node to `str`, `list` and `dict`; a missing one becomes the empty string."""
    if isinstance(node, Mapping):
        return {key.plain: convert_to_plain(value) for key, value in node.items}
    if isinstance(node, Sequence):
        return [convert_to_plain(item) for item in node.items]
    return node.plain if node else ""


def iter_named(node: Mapping, key: str) -> Iterator[tuple[str, Node | None]]:
    """Yield the names under a key with their options: from a list of names, or of names with options."""
    result = node.get(key)
    for item in (result, *get_items(result)):
        yield from ((name.plain, value) for name, value in get_entries(item))
        if isinstance(item, Scalar) and item is not result:
            yield item.plain, None


def get_node(node: Node | None, *keys: str) -> Node | None:
    """Return the node at a path of keys."""
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def get_text(node: Node | None, *keys: str) -> str:
    """Return the text at a path of keys, or ""."""
    node = get_node(node, *keys)
    return node.plain if isinstance(node, Scalar) else ""


def is_on(node: Node | None, *keys: str) -> bool:
    """Return whether the value at a path of keys is true, in any YAML version."""
    return get_text(node, *keys).lower() in ("true", "yes", "on")


def parse_metadata(text: str) -> dict[str, Any]:
    """Return a page's front matter as plain data; empty if it has none, or it is not a mapping."""
    parts = find_front_matter(text)
    return {} if parts is None else dict(_parse_metadata(strip_origins(text[: parts.body])))


@lru_cache(1024)
def _parse_metadata(front: str) -> dict[str, Any]:
    """Parse front matter, cached: that of a step is mostly the same for all platforms."""
    import frontmatter

    values: dict[str, Any] = frontmatter.parse(front, handler=_build_handler())[0]
    return values


def _build_handler() -> BaseHandler:
    """Build a `python-frontmatter` handler with this package's splitting and loading.

    Its own YAML handler crashes on deep lists and differs from MkDocs in what it takes for front matter.
    """
    from frontmatter.default_handlers import BaseHandler

    class Handler(BaseHandler):
        FM_BOUNDARY = _FENCE

        def split(self, text: str) -> tuple[str, str]:
            text += "\n"  # `frontmatter.parse` strips the text, including the line end after the closing fence
            parts = find_front_matter(text)
            if parts is None:
                raise ValueError("no front matter")
            return text[parts.start : parts.end], text[parts.body :]

        def load(self, fm: str) -> dict[str, Any]:
            loaded = convert_to_plain(load_yaml(Source("", fm)).node)
            return loaded if isinstance(loaded, dict) else {}

    return Handler()


__all__ = [
    "FrontMatter",
    "LoadedYaml",
    "Mapping",
    "Node",
    "Scalar",
    "Sequence",
    "convert_to_plain",
    "find_body_start",
    "find_empty_front_matter",
    "find_entries_end",
    "find_front_matter",
    "find_front_matter_at_end",
    "get_entries",
    "get_items",
    "get_node",
    "get_scalars",
    "get_text",
    "is_on",
    "is_text",
    "iter_named",
    "load_front_matter",
    "load_traced",
    "load_yaml",
    "parse_metadata",
]  # fmt: skip
