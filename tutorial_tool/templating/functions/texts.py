"""Texts of template functions: tables, link texts, paths."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence

from tutorial_tool.core import traced
from tutorial_tool.core.traced import Traced, strip_origins
from tutorial_tool.data.model.parts import Platform, Table, Tutorial
from tutorial_tool.markdown import table_format
from tutorial_tool.markdown.table_format import USUAL, TableStyle
from tutorial_tool.templating.places import PageLocation


def format_unwritten(words: str, what: str) -> str:
    """Return a draft's placeholder; it has no Markdown, so that it may be in code, a title or a URL."""
    return f"«{words}: {what}»"


def replace_words(text: Traced, words: Mapping[str, str]) -> Traced:
    """Replace words in braces in a cell by the texts that a call passes."""
    for name, word in words.items():
        text = traced.ensure_traced(text.replace(f"{{{name}}}", word))
    return text


def render_table(
    table: Table,
    columns: Sequence[str],
    platform: Platform,
    words: Mapping[str, str],
    form: TableStyle = USUAL,
    *,
    drafts: bool = False,
    missing: str = "",
) -> Traced:
    """Render columns of a table for a platform as Markdown; `missing` is printed for cells without text."""
    grid = [[_format_cell(table.columns[column]) for column in columns]]
    for row in table.get_rows(platform, drafts=drafts):
        cells = [row.get_cell(column, platform) for column in columns]
        grid.append([_format_cell(replace_words(cell.text, words) if cell else missing) for cell in cells])
    return traced.mark_block(join_lines(map(traced.concatenate, table_format.render_lines(grid, form))))


def _format_cell(text: str) -> Traced:
    return traced.ensure_traced(traced.ensure_traced(text).strip().replace("|", "\\|").replace("\n", "<br>"))


def join_lines(lines: Iterable[str]) -> Traced:
    """Join lines to one text."""
    out: list[str] = []
    for line in lines:
        out += ["\n", line] if out else [line]
    return traced.concatenate(out)


def escape_brackets(text: Traced) -> Traced:
    """Escape a text for the brackets of a link or image."""
    return traced.ensure_traced(text.replace("[", "\\[").replace("]", "\\]"))


def is_balanced(text: str) -> bool:
    """Return whether the brackets of a text are balanced, so that it can be a link text unescaped."""
    depth = 0
    for sign in re.sub(r"\\.|`[^`]*`", "", text):
        depth += (sign == "[") - (sign == "]")
        if depth < 0:
            return False
    return depth == 0


def fill_pattern(pattern: str, fields: Mapping[str, str]) -> str:
    """Replace the known placeholders in a path pattern."""
    return re.sub(r"\{(\w+)\}", lambda match: fields.get(match[1], match[0]), strip_origins(pattern))


def build_image_path(place: PageLocation, platform: str | None = None) -> str:
    """Return the path of a page's images in the docs folder, with `{figure}` for their names."""
    fields = {"tutorial": place.tutorial.id, "platform": platform or place.platform.id, "step": place.step.id}
    return fill_pattern(place.tutorial.get_image_pattern(place.platform), {**fields, "number": str(place.number or 0)})


def build_page_path(tutorial: Tutorial, step: str, platform: Platform) -> str:
    """Return a page's path in the docs folder, without a suffix."""
    fields = {"tutorial": tutorial.id, "platform": platform.id, "step": step}
    return fill_pattern(tutorial.get_path_pattern(platform), fields).strip("/")


def build_relative_path(path: str, page: str) -> str:
    """Return the relative path from a page to a file."""
    return posixpath.relpath(path, posixpath.dirname(page) or ".")
