"""Code samples on pages: whole files, regions between comments, fences and tabs."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.diagnostics import Related, find_nearest, suggest_name
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import Traced
from tutorial_tool.templating.environment import TemplateCallError
from tutorial_tool.templating.functions.texts import join_lines

_REGION = lazy_re.compile(
    r"\[(?P<edge>start|end):\s*(?P<name>[\w.-]+)\s*\]"
    r"|\[(?P<edge2>START|END)\s+(?P<name2>[\w.-]+)\]"
    r"|#\s?(?P<edge3>region|endregion)\b[ \t]*(?P<name3>[\w.-]*)"
)


def get_whole(source: Source | None) -> Traced:
    """Return the whole file, or "" if it does not exist."""
    return traced.trace_span(source.get_full_span()) if source else traced.ensure_traced("")


def extract_region(source: Source, region: str, reference: Traced) -> Traced:
    """Return the lines between a region's comments, without common indentation and other markers.

    Raises: TemplateCallError if there is no such region, or it is not closed.
    """
    lines = [source.span(source.get_line_start(n), source.get_line_end(n)) for n in range(1, source.line_count + 1)]
    region_lines, opened, open_ = [], None, False
    for line in lines:
        edge = _parse_edge(line.text)
        if edge is None:
            region_lines += [line] if open_ else []
        elif edge == (True, region):
            opened, open_ = line, True
        elif open_ and not edge.starts and edge.name in (region, ""):
            open_ = False
    if opened is not None and open_:
        message = f"region `{region}` is not closed: write a comment with [end:{region}] after its last line"
        raise TemplateCallError(message, at=traced.trace_span(opened))
    if opened is None:
        raise _build_unknown_region(source, region, reference, lines)
    return _dedent_lines(region_lines)


def _build_unknown_region(source: Source, region: str, reference: Traced, lines: list[Span]) -> TemplateCallError:
    starts = {edge.name: line for line in lines if (edge := _parse_edge(line.text)) and edge.starts and edge.name}
    near = find_nearest(region, starts)
    marks = f"; it starts and ends with two comments, [start:{region}] and [end:{region}]"
    hint = suggest_name(near) or marks
    related = (Related(starts[near], "a region of nearly that name"),) if near else ()
    return TemplateCallError(f"region `{region}` does not exist in {source.path}{hint}", at=reference, related=related)


def strip_region_marks(source: Source) -> Traced:
    """Return a whole sample without region comments; a language's own markers (`#region`) stay."""
    lines = [source.span(source.get_line_start(n), source.get_line_end(n)) for n in range(1, source.line_count + 1)]
    unmarked = [line for line in lines if not ((match := _REGION.search(line.text)) and not match["edge3"])]
    return get_whole(source) if len(unmarked) == len(lines) else join_lines(map(traced.trace_span, unmarked))


class _Edge(NamedTuple):
    """A comment that starts or ends a region; the end of a `#region` need not name it."""

    starts: bool
    name: str


def _parse_edge(line: str) -> _Edge | None:
    match = _REGION.search(line)
    if match is None:
        return None
    word = match["edge"] or match["edge2"] or match["edge3"]
    return _Edge(word.lower() in ("start", "region"), match["name"] or match["name2"] or match["name3"] or "")


def _dedent_lines(lines: list[Span]) -> Traced:
    filled = [line.text for line in lines if line.text.strip()]
    margin = min((len(text) - len(text.lstrip()) for text in filled), default=0)
    return join_lines(traced.trace_span(Span(s.source, min(s.start + margin, s.end), s.end)) for s in lines)


def fence_code(text: Traced, path: str, language: str | None) -> Traced:
    """Return code in a fence that is longer than any in it."""
    ticks = max((len(m[0]) for m in re.finditer(r"`{3,}", text)), default=2) + 1
    word = get_language(path)[1] if language is None else "".join(language.split("`")).partition("\n")[0]
    return traced.concatenate(["`" * ticks, word, "\n", text.rstrip("\n"), "\n", "`" * ticks])


def build_tabs(blocks: list[tuple[tuple[str, str], Traced]]) -> Traced:
    """Return content tabs for Python-Markdown's `pymdownx.tabbed`."""
    lines: list[str] = []
    for (name, _), block in blocks:
        indented = (traced.concatenate(["    ", line]) if line else "" for line in block.split("\n"))
        lines += [f'=== "{name}"', "", *indented, ""]
    return join_lines(lines[:-1])


def get_language(path: str) -> tuple[str, str]:
    """Return the display name of a file's language and its fence word; the names are Pygments'."""
    from pygments.lexers import find_lexer_class_for_filename

    suffix = posixpath.splitext(path)[1].lstrip(".")
    lexer = find_lexer_class_for_filename(posixpath.basename(path))
    if lexer is None or lexer.name == "Text only":
        return suffix or "Text", suffix or "text"
    return lexer.name, lexer.aliases[0]
