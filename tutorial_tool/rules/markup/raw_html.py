"""HTML where Markdown has a form: `<aside>`, `<br/>`, `<a>`, `<b>`, `<img>`."""

from __future__ import annotations

import re
import textwrap
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity, format_more
from tutorial_tool.core.grouping import group_by
from tutorial_tool.core.source import find_line_start, is_within
from tutorial_tool.markdown.ast import Block
from tutorial_tool.markdown.document import Tag
from tutorial_tool.markdown.html_tags import VOID
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix


class _MarkdownForm(NamedTuple):
    """The Markdown form of an element, and the attributes that it supports."""

    shown: str
    attributes: frozenset[str] = frozenset()


_FORMS = {
    "a": _MarkdownForm("`[text](URL)`", frozenset(("href", "title", "style"))),
    "img": _MarkdownForm("`![alt text](URL)`", frozenset(("src", "alt", "title"))),
    "b": _MarkdownForm("`**text**`"), "strong": _MarkdownForm("`**text**`"),
    "i": _MarkdownForm("`*text*`"), "em": _MarkdownForm("`*text*`"),
    "br": _MarkdownForm("a paragraph of its own, or two spaces at the line's end"), "hr": _MarkdownForm("`---`"),
} | {f"h{level}": _MarkdownForm(f"`{'#' * level} text`") for level in range(1, 7)}  # fmt: skip
_ASIDES = {
    Dialect.PYTHON_MARKDOWN: _MarkdownForm("`!!! note`"),
    Dialect.DOCUSAURUS: _MarkdownForm("`:::note`"),
    Dialect.GFM: _MarkdownForm("`!!! note` or `> [!NOTE]`"),
}
_VOID = frozenset(("img", "br", "hr"))
_INLINE = frozenset(
    (*_FORMS, "aside", "span", "code", "kbd", "small", "sub", "sup", "mark", "del", "ins", "input", "u")
)
"""Elements with only inline content or none; and `aside`, whose Markdown form is a block."""
_CODE = frozenset(("code", "kbd", "samp", "var", "pre", "option", "textarea"))
_WHERE_IT_IS = lazy_re.compile(r"[a-z][a-z0-9+.-]*:|//|/|#", re.IGNORECASE)
"""Start of a URL that does not depend on the page's folder."""
_NEEDED = {"a": "href", "img": "src"}
_SIGNS = {"b": "**", "strong": "**", "i": "*", "em": "*"}
_PLACING = lazy_re.compile(
    r"(?:\s*(?:position|float|clear|display|text-align|margin|padding)[\w-]*\s*:[^;]*(?:;|\Z))*\s*"
)
"""Styles that only position an element."""
_IN_CALL = lazy_re.compile(r"[(=,][\"'`]$")
"""Text before HTML that is an argument or a value: `HTML('<em>Lamp</em>')`."""
_SPACE = lazy_re.compile(r"\s*")


class _Element(NamedTuple):
    """A tag with a Markdown form; `end` is the end of its closing tag."""

    tag: Tag
    inner_end: int
    end: int
    is_whole_block: bool  # Whether it is the only content of its HTML block
    is_nested: bool  # Whether it is inside another element of its block


class _Edit(NamedTuple):
    start: int
    end: int
    text: str
    safe: bool


@rule("markup", Severity.OFF, project=Severity.HINT, needs="html")
def check(page: Page) -> Iterator[Finding]:
    text = page.plain
    by_name = group_by(_find_elements(page, text), lambda element: element.tag.name)
    for name, elements in by_name.items():
        form = _get_form(page, name)
        assert form is not None
        first, *others = ((element.tag.start, element.tag.end) for element in elements)
        again = [(page, place, "also here") for place in others]
        message = f"raw HTML `<{name}>`; write {form.shown}{format_more(others)}"
        yield page.flag(first, message, again=again, fix=_build_fix(page, text, elements))


def _get_form(page: Page, name: str) -> _MarkdownForm | None:
    return _ASIDES.get(page.publishing_dialect) if name == "aside" else _FORMS.get(name)


def _find_elements(page: Page, text: str) -> Iterator[_Element]:
    """Find the elements that Markdown can replace: in text, or at the start of an HTML block."""
    document = page.document
    tags = document.tags
    if not any(_get_form(page, tag.name) for tag in tags):
        return
    blocks = [block for block, _ in document.walk() if not block.children]
    raw = [
        *_find_code_spans(tags),
        *(_find_raw_spans(text, tags) if page.publishing_dialect is Dialect.PYTHON_MARKDOWN else ()),
    ]
    following, opened = _find_following_tags(tags), _OpenElements()
    is_mdx = page.dialect in (Dialect.MDX, Dialect.DOCUSAURUS)  # older versions parse JSX up to a blank line
    for tag, after in zip(tags, following, strict=True):
        form = _get_form(page, tag.name)
        index = bisect_right(blocks, tag.start, key=lambda block: block.start) - 1
        is_inside = opened.is_inside(tag, text.rfind("\n\n", 0, tag.start) if is_mdx else index)
        if tag.closing or form is None or index < 0 or not _has_markdown_form(tag, form, text):
            continue
        if is_within(tag.start, raw) or _IN_CALL.search(text, max(tag.start - 2, 0), tag.start):
            continue
        if element := _build_element(text, blocks[index], tag, after, is_inside=is_inside):
            yield element


def _build_element(text: str, block: Block, tag: Tag, following: Tag | None, *, is_inside: bool) -> _Element | None:
    """Return the element that a tag opens, unless Markdown can't replace it in this block."""
    heads_block = (head := _SPACE.match(text, block.start)) is not None and head.end() >= tag.start
    if (block.kind == "html" and not heads_block) or (block.kind == "table" and tag.name in _VOID):
        return None
    closing = tag if tag.name in _VOID else following
    if closing is None or not (closing is tag or closing.closing):
        return None
    is_alone = heads_block and not text[closing.end : max(block.end, closing.end)].strip()
    inner_end = closing.end if closing is tag else closing.start
    return _Element(tag, inner_end, closing.end, is_alone, is_inside)


class _OpenElements:
    """The open elements of a block, as its tags are read one by one."""

    def __init__(self) -> None:
        self._block, self._names, self._many = -2, list[str](), Counter[str]()

    def is_inside(self, tag: Tag, block: int) -> bool:
        """Return whether an element of the block is open at its next tag."""
        if block != self._block:
            self._block, self._names, self._many = block, [], Counter()
        is_inside = bool(self._names)
        if tag.closing and self._many[tag.name]:
            while (name := self._names.pop()) != tag.name:
                self._many[name] -= 1
            self._many[tag.name] -= 1
        elif not tag.closing and tag.name not in VOID:
            self._names.append(tag.name)
            self._many[tag.name] += 1
        return is_inside


def _find_code_spans(tags: Sequence[Tag]) -> Iterator[tuple[int, int]]:
    """Find the contents of code elements, whose Markdown markers only some renderers interpret."""
    for tag, after in zip(tags, _find_following_tags(list(tags)), strict=True):
        if tag.name in _CODE and not tag.closing and after is not None and after.closing:
            yield tag.end, after.start


def _find_raw_spans(text: str, tags: Sequence[Tag]) -> list[tuple[int, int]]:
    """Find what Python-Markdown renders literally: elements at the start of a line without `markdown="1"`."""
    out: list[tuple[int, int]] = []
    opened: Tag | None = None
    depth = 0
    for tag in tags:
        if opened is None:
            begins = not text[find_line_start(text, tag.start) : tag.start].strip()
            if begins and not tag.closing and tag.name not in _INLINE and "markdown" not in tag.attributes:
                opened, depth = tag, 1
        elif tag.name == opened.name:
            depth += -1 if tag.closing else 1
            if not depth:
                out.append((opened.end, tag.start))
                opened = None
    return [*out, (opened.end, len(text))] if opened is not None else out


def _has_markdown_form(tag: Tag, form: _MarkdownForm, text: str) -> bool:
    """Return whether Markdown supports the attributes, too; `{…}` and `{{ }}` are filled in by the engine."""
    needed = {_NEEDED[tag.name]} if tag.name in _NEEDED else set()
    return needed <= tag.attributes.keys() <= form.attributes and "{" not in text[tag.start : tag.end]


def _find_following_tags(tags: list[Tag]) -> list[Tag | None]:
    last: dict[str, Tag] = {}
    result: list[Tag | None] = []
    for tag in reversed(tags):
        result.append(last.get(tag.name))
        last[tag.name] = tag
    return result[::-1]


# The Markdown form


def _build_fix(page: Page, text: str, elements: list[_Element]) -> PageFix | None:
    edits = [edit for element in elements if (edit := _build_edit(page, text, element))]
    edits = [edit for edit in edits if edit.safe] or edits
    changes = tuple((edit.start, edit.end, edit.text) for edit in edits)
    return PageFix("write it in Markdown", changes, all(edit.safe for edit in edits)) if edits else None


def _build_edit(page: Page, text: str, element: _Element) -> _Edit | None:
    """Return the edit that turns an element into Markdown, if the rendered page stays the same."""
    tag, inner = element.tag, text[element.tag.end : element.inner_end]
    if tag.name in _NEEDED and _is_no_file(page, tag.name, tag.attributes[_NEEDED[tag.name]].value):
        return None
    if element.is_nested:
        return None  # one of the pair would remain HTML
    begins_line = not text[find_line_start(text, tag.start) : tag.start].strip()
    if tag.name == "aside" and page.publishing_dialect is Dialect.PYTHON_MARKDOWN and begins_line:
        return _build_admonition(text, element, inner)
    new = _render_link(tag, inner) if tag.name in _NEEDED else _render_marked_text(text, element, inner)
    style = tag.attributes.get("style")
    is_safe = style is None or bool(_PLACING.fullmatch(style.value))
    return _Edit(tag.start, element.end, new, is_safe) if new else None


def _render_link(tag: Tag, inner: str) -> str:
    """Return a link or an image in Markdown; "" if its text would have another meaning there."""
    alt, title = tag.attributes.get("alt"), tag.attributes.get("title")
    text = inner if tag.name == "a" else alt.value if alt else ""
    if not _is_plain(text, "[]*_`\n"):
        return ""
    target = _format_link(text, tag.attributes[_NEEDED[tag.name]].value, title.value if title else "")
    return f"!{target}" if target and tag.name == "img" else target


def _render_marked_text(text: str, element: _Element, inner: str) -> str:
    """Return bold text, italics or a heading in Markdown; "" if that would not be equivalent."""
    name = element.tag.name
    if name in _SIGNS and _is_plain(inner, "*_`\n") and not _is_in_word(text, element):
        return _SIGNS[name] + inner + _SIGNS[name]
    is_heading = name[0] == "h" and name[1:].isdigit()
    if is_heading and element.is_whole_block and _is_plain(inner.strip(), "*_`#\n"):
        return "#" * int(name[1]) + " " + inner.strip()
    return ""


def _is_no_file(page: Page, name: str, address: str) -> bool:
    """Return whether a relative URL names no file.

    Markdown under MkDocs names files, relative to the page's file; HTML is relative to the page's URL, a folder.
    """
    if page.publishing_dialect is not Dialect.PYTHON_MARKDOWN or _WHERE_IT_IS.match(address):
        return False
    return address.startswith("..") if name == "img" else not address.partition("#")[0].endswith(".md")


def _is_plain(text: str, characters: str) -> bool:
    """Return whether a text is the same in Markdown and has no whitespace around it."""
    has_markup = any(sign in text for sign in characters) or re.search(r"<[\w/!?]|\\", text)
    return bool(text) and text == text.strip() and not has_markup


def _is_in_word(text: str, element: _Element) -> bool:
    return text[element.tag.start - 1 : element.tag.start].isalnum() or text[element.end : element.end + 1].isalnum()


def _format_link(shown: str, address: str, title: str) -> str:
    """Return a Markdown link; "" if the URL or title would need escaping."""
    if not address or re.search(r"[\s()<>\\]", address) or '"' in title:
        return ""
    return f'[{shown}]({address} "{title}")' if title else f"[{shown}]({address})"


def _build_admonition(text: str, element: _Element, inner: str) -> _Edit | None:
    """Turn `<aside>` into a note. Text in HTML is literal, so Markdown markers in it would gain a meaning."""
    if not inner.strip() or text[element.end :].split("\n", 1)[0].strip():
        return None
    start = find_line_start(text, element.tag.start)
    margin = text[start : element.tag.start]
    first, _, rest = inner.partition("\n")
    body = "\n".join(filter(None, (first.strip(), textwrap.dedent(rest.rstrip()).strip("\n"))))
    before = "\n" if text[:start].strip() and not text[:start].endswith("\n\n") else ""
    after = text[element.end :].split("\n", 2)
    behind = "\n" if len(after) > 1 and after[1].strip() else ""
    note = textwrap.indent(f"!!! note\n\n{textwrap.indent(body, '    ')}", margin)
    safe = not re.search(r"[*_`\[\]#\\]|^\s*(?:[-+>]|\d+\.)\s|^ {4}|\n\s*\n", body, re.MULTILINE)
    return _Edit(start, element.end, f"{before}{note}{behind}", safe)
