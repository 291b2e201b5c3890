"""Fast parser for simple inline text: words, code, simple emphasis, simple links, line breaks.

Most text of most pages is no more than that, and the Markdown library takes ten times as long to read it character by
character. This module creates the nodes that the library's tokens would become, or None where a less obvious rule
applies: a tag, an entity, a macro, a reference, nested emphasis. Tests ensure that both agree.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.ast import Inline
from tutorial_tool.markdown.table_rows import WHITE

Piece = tuple[int, int, int]  # A line of content: its start in the content, its start in the page, and its length

_MARK = lazy_re.compile(
    r"(?P<break> *\n[ \t]*)"
    r"|(?P<code>(?P<ticks>`+)(?!`)[^\n]+?(?<!`)(?P=ticks)(?!`))"
    r"|\[(?P<label>(?!\^)(?:[^\[\]`<\\{$\n]|`[^`\n]+`(?!`))+)\]"
    r"\((?P<target>[^\s()<>\\&\x00-\x1f\x7f]+)(?: +\"(?P<title>[^\"\\&\n]*)\")?\)"
    r"|\\(?P<escape>[!-/:-@\[-`{-~])"
    r"|(?P<attrs>\{[:#.][^{}\n]*\})"
    r"|(?P<other>[`\[\\<{]|!\[|~~|\$\$|&[#A-Za-z]|(?<![^\n])\*\[)"
    r"|(?P<run>\*+|_+)"
)
"""The start of anything but words; `other` is what only the library can parse."""
_LINE = lazy_re.compile(r"[\n`\[\\<{*_]|~~|\$\$|&[#A-Za-z]")  # Characters that a line of plain words does not have


def read_nodes(content: str, pieces: Sequence[Piece]) -> list[Inline] | None:
    """Return the inline nodes of a paragraph, heading or cell; None where the library must read it.

    `pieces` are the lines of the content, each (content start, page start, length).
    """
    if not pieces or pieces[0][0] or len(pieces) != content.count("\n") + 1:
        return None  # an offset is unknown, or characters do not map one to one
    if _LINE.search(content) is None:
        start = pieces[0][1]
        return [Inline("text", start, start + len(content), content)] if content else []
    return _Reader(content, pieces, 0, len(content)).read_nodes(0)


@lru_cache(maxsize=16)
def _has_comment(content: str) -> bool:
    """Return whether a text may have a template comment, `{# … #}`: called for each attribute list."""
    return "#}" in content


class _Reader:
    """Reads inline content up to `end`; `by` converts offsets of the current `line` to page offsets."""

    def __init__(self, content: str, pieces: Sequence[Piece], line: int, end: int) -> None:
        self.content, self.pieces, self.line, self.end = content, pieces, line, end
        self.by = pieces[line][1] - pieces[line][0]
        self.out: list[Inline] = []
        self.opened: tuple[str, int, int] | None = None
        """Open emphasis: its markers, their offset in the page, and the number of nodes before it."""

    def read_nodes(self, at: int) -> list[Inline] | None:
        """Return the nodes from `at` on, or None where the library must read them."""
        content, out = self.content, self.out
        for mark in _MARK.finditer(content, at, self.end):
            start = mark.start()
            if at < start:
                out.append(Inline("text", at + self.by, start + self.by, content[at:start]))
            read = _READ.get(mark.lastgroup or "")
            if read is None or not read(self, mark):
                return None
            at = mark.end()
        if at < self.end:
            out.append(Inline("text", at + self.by, self.end + self.by, content[at : self.end]))
        return None if self.opened else out

    def read_line_end(self, mark: re.Match[str]) -> bool:
        self.line += 1
        begin, page, _ = self.pieces[self.line]
        low = self.content.index("\n", mark.start()) + self.by
        self.by = page - begin
        self.out.append(Inline("break", low, page, "\n"))
        return begin == mark.end()

    def read_code(self, mark: re.Match[str]) -> bool:
        """Read a code span, stripping one space on each side where both have one (CommonMark 0.31, 6.1)."""
        ticks = len(mark["ticks"])
        inside = mark[0][ticks:-ticks]
        shown = inside[1:-1] if inside[0] == " " == inside[-1] and inside.strip(" ") else inside
        return self._add_node("code", mark, shown)

    def read_escape(self, mark: re.Match[str]) -> bool:
        return self._add_node("escape", mark, mark[0][1])

    def read_attributes(self, mark: re.Match[str]) -> bool:
        return not _has_comment(self.content) and self._add_node("attrs", mark)

    def _add_node(self, kind: str, mark: re.Match[str], text: str = "") -> bool:
        start, end = mark.span()
        self.out.append(Inline(kind, start + self.by, end + self.by, text))
        return True

    def read_link(self, mark: re.Match[str]) -> bool:
        """Read a link whose text may contain other simple marks."""
        by, (low, high), (first, last) = self.by, mark.span("label"), mark.span("target")
        href = _normalize_url(mark["target"])
        children = _Reader(self.content, self.pieces, self.line, high).read_nodes(low)
        if href is None or children is None:
            return False
        title, places = mark["title"] or "", ((first + by, last + by), (low + by, high + by))
        self.out.append(Inline("link", mark.start() + by, mark.end() + by, "", children, href, title, *places))
        return True

    def read_emphasis(self, mark: re.Match[str]) -> bool:
        """Read emphasis markers; return False where they are ambiguous and the library must read them."""
        content, signs, (start, end) = self.content, mark[0], mark.span()
        before, after = content[start - 1] if start else " ", content[end] if end < self.end else " "
        opens, closes = _classify_flanks(signs[0], before, after)
        if len(signs) > 2 or (opens and closes) or (opens and self.opened) or (closes and not self.opened):
            return False
        if opens:
            self.opened = signs, start + self.by, len(self.out)
        elif closes:
            return self._close_emphasis(signs, end + self.by)
        else:  # the library creates a text node for each
            self.out += [Inline("text", at + self.by, at + self.by + 1, signs[0]) for at in range(start, end)]
        return True

    def _close_emphasis(self, characters: str, end: int) -> bool:
        assert self.opened is not None
        opening, start, before = self.opened
        node = Inline("emphasis", start, end, "", self.out[before:])
        self.out[before:] = [node]
        if len(characters) == 2:  # the library leaves two of its markers as empty text nodes
            self.out[before:] = [Inline("text", start, start + 1), node, Inline("text", end - 1, end)]
        self.opened = None
        return opening == characters


_READ: Mapping[str, Callable[[_Reader, re.Match[str]], bool]] = {
    "break": _Reader.read_line_end, "code": _Reader.read_code, "escape": _Reader.read_escape,
    "attrs": _Reader.read_attributes,
    "target": _Reader.read_link, "title": _Reader.read_link, "run": _Reader.read_emphasis,
}  # fmt: skip
"""The method that reads a mark, by the name of its last group; it returns whether it succeeded."""


@lru_cache(4096)
def _classify_flanks(sign: str, before: str, after: str) -> tuple[bool, bool]:
    """Return whether emphasis markers between two characters may open and may close (CommonMark 0.31, 6.2)."""
    spaces = [char in WHITE and char not in "\u2028\u2029" for char in (before, after)]
    marks = [unicodedata.category(char)[0] in "PS" for char in (before, after)]
    left = not spaces[1] and (not marks[1] or spaces[0] or marks[0])
    right = not spaces[0] and (not marks[0] or spaces[1] or marks[1])
    if sign == "*":
        return left, right
    return left and (not right or marks[0]), right and (not left or marks[1])


_PLAIN_ADDRESS = lazy_re.compile(
    r"(?:https?://[a-z0-9]+(?:[.-][a-z0-9]+)*(?::\d+)?(?=[/?#]|\Z))?[\w./?#=&+,~-]*", re.ASCII
)
"""A URL that needs no normalization."""


@lru_cache(4096)
def _normalize_url(typed: str) -> str | None:
    """Return a URL as the library normalizes it; None if the library rejects it."""
    if _PLAIN_ADDRESS.fullmatch(typed):
        return typed
    from markdown_it.common.normalize_url import normalizeLink, validateLink

    href = normalizeLink(typed)
    return href if validateLink(href) else None
