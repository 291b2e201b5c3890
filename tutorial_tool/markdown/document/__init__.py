"""A parsed page as rules need it: prose, headings, links, images, tables, lists and tags with spans.

All spans are (start, end) character offsets in the page's text, 0-based.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from tutorial_tool import data
from tutorial_tool.core import language, lazy_re
from tutorial_tool.core.caching import cache_method
from tutorial_tool.core.source import blank_text, find_line_start
from tutorial_tool.core.time_budget import SECONDS_PER_MEGABYTE, Limit, TimeBudgetExceeded
from tutorial_tool.data import forms
from tutorial_tool.markdown import front_matter_text, shortcodes
from tutorial_tool.markdown.document.kinds import (
    Attribute,
    CodeBlock,
    Definition,
    Heading,
    Image,
    Link,
    Table,
    TableCell,
    Tag,
)
from tutorial_tool.markdown.document.raw import TAG, find_tags, iter_text, iter_typed_text, parse_attributes
from tutorial_tool.markdown.document.texts import MASK, LocatedText, Part, Prose, Range, trim_parts
from tutorial_tool.markdown.parser import Block, Cell, Dialect, Inline, parse_blocks
from tutorial_tool.markdown.shortcodes import Shortcode

if TYPE_CHECKING:
    from tutorial_tool.markdown.fragment_cache import FragmentCache

Blocks = TypeVar("Blocks", bound=list[Block] | None)

_READING_SECONDS = 4.0  # 40 longest pages of 39 public trees, 2026-11: 2.2 s a megabyte at most
"""CPU seconds to parse a short page: less than a rule's limit, since the first rule that needs the page parses it."""
CONTEXT = 300  # Characters of a text before and after a position that are searched for what belongs to it
_EMPTY = MASK + " \n"  # Characters of prose without readable text
_UNREAD = frozenset(
    ("script", "style", "pre", "code", "svg", "math", "template", "textarea", "kbd", "samp", "tt", "var")
)
_PHRASING = frozenset(
    "a abbr b bdi bdo cite del dfn em font i img ins mark q s small span strong sub sup time u wbr".split()
)
"""Elements that do not end a run of text (HTML's phrasing content, less code and controls)."""
_ADDRESS = lazy_re.compile(r"(?:https?://|www\.|mailto:)[^\s<>\"')\]]+|[\w.+-]+@[\w-]+\.[\w.]+")
_NUMBER = lazy_re.compile(r"(?:\d+(?:\.\d+)+\.?|\d+[.)])[ \t]+")
_ID = lazy_re.compile(r"(?:#|\bid *= *[\"']?)([^\s#{}\"']+)")
_WORD = lazy_re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_DELIMITER = lazy_re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$")
_DASHES = lazy_re.compile(r"[ \t>]*+(?=[^\n]*\|)(?=[^\n]*---)[|: \t-]++$")
"""A delimiter row that lacks a pipe: `| --- --- | --- |`."""
_DIRECTED = lazy_re.compile(
    r"[^\n]*?\{(?:figure|image)\}[ \t]+(?P<src>\S+)[ \t]*(?:\n[ \t]*:(?!alt:)[\w-]+:[^\n]*)*"
    r"(?:\n[ \t]*:alt:[ \t]*(?P<alt>[^\n]*)"
    r"|\n[ \t]*---[ \t]*(?:\n(?![ \t]*(?:alt:|---))[^\n]*)*\n[ \t]*alt:[ \t]*(?P<yaml>[^\n]*))?"
)
_DEFINED = lazy_re.compile(r"\]:\s*(?:<([^<>\n]*)>|(\{\{[<%][^\n]*?[>%]\}\}\S*|\S+))")
_KEY = lazy_re.compile(r"^[ \t-]*[\w-]+[ \t]*:(?=\s)", re.MULTILINE)  # A key in front matter
_LANG = lazy_re.compile(r"^(?:lang|language|locale):\s*[\"']?([A-Za-z]{2,3})\b", re.MULTILINE)
_SIGNS = ("^", "~", "==", "++")  # Closing markers of Markdown extensions: `x^2^`, `==marked==`
_OPENING = " \t\n\"'“‘([{|"
_CELL_ENDS = lazy_re.compile(r"[ ]*(?:[|\n]|\Z)")
_TAKING_ATTRIBUTES = frozenset(("link", "image", "code", "emphasis", "html", "autolink"))
"""Inline nodes that an attribute list may follow directly."""


def is_delimiter(line: str) -> bool:
    """Return whether a line looks like the delimiter row of a table, whatever its cells."""
    return bool(_DELIMITER.match(line) or _DASHES.match(line))


class Document:
    """A page, parsed once; each view of it is computed on first use.

    `pieces` is the fragment cache of pages that may share much of their text with this one.
    """

    def __init__(self, text: str, dialect: Dialect = Dialect.GFM, pieces: FragmentCache | None = None) -> None:
        self.text, self.dialect, self._pieces = text, dialect, pieces
        self.is_unread = False
        """Whether parsing took too long; the page then has no blocks."""

    def release_parsed(self) -> None:
        """Forget what was parsed from the text, until it is needed again."""
        kept = {"text", "dialect", "_pieces", "front_matter", "stated_lang", "is_unread"}
        if self.is_unread:
            kept |= {"blocks", "lean"}
        for name in [name for name in vars(self) if name not in kept]:
            del vars(self)[name]

    @cached_property
    def cache(self) -> dict[object, Any]:
        """Values derived from the page, keyed by their producer; cached for the lifetime of the document."""
        return {}

    @cached_property
    def front_matter(self) -> data.FrontMatter | None:
        """The span of the front matter, and the offset of the body."""
        if self.dialect is not Dialect.PYTHON_MARKDOWN and (empty := data.find_empty_front_matter(self.text)):
            return empty
        if split_at_end := data.find_front_matter(self.text):
            return split_at_end
        if self.dialect is not Dialect.PYTHON_MARKDOWN and (split_at_end := data.find_front_matter_at_end(self.text)):
            return split_at_end
        return forms.find_front_matter(self.text) if self._has_other_front_matter else None

    @property
    def body_start(self) -> int:
        """The offset of the body: after the front matter, or 0."""
        return self.front_matter.body if self.front_matter else 0

    @property
    def _has_other_front_matter(self) -> bool:
        """Whether the page starts with front matter in TOML or JSON."""
        if self.dialect is Dialect.MYST:
            return False
        return forms.is_toml(self.text) or (self.dialect is not Dialect.PYTHON_MARKDOWN and self.text.startswith("{"))

    @cached_property
    def front_text(self) -> str:
        """The page's text with its front matter as YAML: TOML and JSON are converted in place."""
        front = self.front_matter if self._has_other_front_matter else None
        return forms.convert_to_yaml(self.text, front) if front else self.text

    def find_in_front_matter(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield the matches of a pattern in the front matter, as YAML."""
        if front := self.front_matter:
            yield from pattern.finditer(self.front_text, front.start, front.end)

    @cached_property
    def blocks(self) -> list[Block]:
        """The page's blocks."""
        return self._read_within_budget(self._parse_blocks)

    def _parse_blocks(self) -> list[Block]:
        body = self.body_start
        cached = self._pieces.get_blocks(self.text, body, self.dialect) if self._pieces else None
        if cached is not None:
            return cached
        return parse_blocks(blank_text(self.text[:body]) + self.text[body:], self.dialect, self._references)

    def _read_within_budget(self, read: Callable[[], Blocks]) -> Blocks | list[Block]:
        """Return the parsed blocks, or no blocks if parsing takes too long: the page then counts as empty."""
        limit = Limit(_READING_SECONDS + SECONDS_PER_MEGABYTE * len(self.text) / 1_000_000)
        try:
            with limit:
                return read()
        except (TimeBudgetExceeded, MemoryError) as problem:
            if (
                isinstance(problem, TimeBudgetExceeded) and not limit.is_over
            ):  # the time of the work around this one is over
                raise
            self.is_unread = True
            return []

    @cached_property
    def lean(self) -> Document:
        """The page parsed only where headings, links, images, tags and ids may be.

        For callers that need no more.
        """
        if self._pieces is None or "blocks" in vars(self):
            return self
        pieces, body = self._pieces, self.body_start
        blocks = self._read_within_budget(lambda: pieces.get_blocks(self.text, body, self.dialect, marked=True))
        if self.is_unread:
            self.blocks = []
            return self
        if blocks is None:
            return self
        partial = Document(self.text, self.dialect)
        vars(partial).update(blocks=blocks, front_matter=self.front_matter)
        return partial

    @cached_property
    def _references(self) -> dict[str, Any]:
        return {}

    @cached_property
    def definitions(self) -> list[Definition]:
        """The effective link reference definitions: for each label, the first."""
        assert self.blocks is not None  # parsing the blocks collects the references
        result = []
        for label, read in self._references.get("references", {}).items():
            first, last = (self._get_line_start(line) for line in read["map"])
            match = _DEFINED.search(self.text, first, last)
            if match:
                group = 1 if match[1] is not None else 2
                result.append(Definition(label, read["href"], Range(*match.span(group))))
        return result

    def _get_line_start(self, line: int) -> int:
        starts = self._line_starts
        return starts[line] if line < len(starts) else len(self.text)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(r"\r\n?|\n", self.text))]

    @cache_method
    def walk(self) -> tuple[tuple[Block, Block | None], ...]:
        """Return all blocks, each with its parent."""
        out: list[tuple[Block, Block | None]] = []
        todo: list[tuple[Block, Block | None]] = [(block, None) for block in reversed(self.blocks)]
        while todo:
            block, parent = todo.pop()
            out.append((block, parent))
            todo += [(child, block) for child in reversed(block.children)]
        return tuple(out)

    @cache_method
    def get_inlines(self) -> tuple[tuple[Inline, Block], ...]:
        """Return all inline nodes but plain text and line breaks, outer before inner, each with its block."""
        out: list[tuple[Inline, Block]] = []
        for block, _ in self.walk():
            for group in (block.inlines, *(cell.inlines for row in block.rows for cell in row)):
                todo = [node for node in reversed(group) if node.kind not in _WORDS]
                while todo:
                    node = todo.pop()
                    out.append((node, block))
                    todo += [child for child in reversed(node.children) if child.kind not in _WORDS]
        return tuple(out)

    # Prose

    @cache_method
    def get_prose(self) -> tuple[Prose, ...]:
        """Return all readable text of the page, in page order."""
        return tuple(
            prose
            for block, parent in self.walk()
            for prose in self._find_block_prose(block, parent)
            if prose.strip(_EMPTY)
        )

    @cached_property
    def texts(self) -> tuple[Prose, ...]:
        """The texts that readers see in the front matter, followed by the prose."""
        front = self.front_matter
        result = front_matter_text.find_texts(self.front_text, front.start, front.end) if front else ()
        return (
            *(
                Prose.from_parts(
                    [(text, start, end)], "heading" if is_title else "paragraph", Block("front", start, end)
                )
                for is_title, text, start, end in result
            ),
            *self.get_prose(),
        )

    def _find_block_prose(self, block: Block, parent: Block | None) -> Iterator[Prose]:
        match block.kind:
            case "heading":
                yield self._headings[block.start].text
                yield from self._find_alts(block, block.inlines)
            case "paragraph" | "container":
                yield Prose.from_parts(self._build_parts(block.inlines), _get_prose_kind(block, parent), block)
                yield from self._find_alts(block, block.inlines)
            case "table":
                table = self._tables[block.start]
                for row, cells in zip(block.rows, (table.header, *table.rows), strict=False):
                    for cell, table_cell in zip(row, cells, strict=True):
                        yield table_cell.text
                        yield from self._find_alts(block, cell.inlines)
            case "html":
                yield from self._find_html_prose(block)
            case "macro" if self.dialect is Dialect.HUGO:
                yield from self._find_shortcode_texts(block, block.start, block.end)

    def _find_shortcode_texts(self, block: Block, start: int, end: int) -> Iterator[Prose]:
        """Yield the texts that readers see in the arguments of Hugo's `figure`."""
        for shortcode in shortcodes.find_shortcodes(self.text, start, end):
            for name in ("alt", "caption", "title") if shortcode.name == "figure" else ():
                if (argument := shortcode.get(name)) and "\\" not in argument.value:
                    yield Prose.from_parts([(argument.value, argument.start, argument.end)], "alt", block)

    def _build_parts(self, inlines: Iterable[Inline]) -> list[Part]:
        parts: list[Part] = []
        unread = ""
        for node in inlines:
            kind = node.kind
            if kind == "html":
                tag = TAG.match(self.text, node.start)
                name = (tag[2] or "") if tag else ""
                if name.islower() and name not in _PHRASING and name not in _UNREAD:
                    parts.append(("\n", node.start, node.end))  # `<br>`, or an element that ends the sentence
                name = name.lower()
                unread = (name if not tag[1] else "") if tag and name in _UNREAD else unread
            elif unread or kind in _MASKED:
                parts.append((MASK, node.start, node.end))
            elif kind == "text":
                parts += _mask_urls(node)
            elif kind in ("escape", "break"):
                parts.append((node.text, node.start, node.end))
            else:
                parts += self._build_parts(node.children)
        return parts

    def _find_alts(self, block: Block, inlines: Sequence[Inline]) -> Iterator[Prose]:
        if not any(node.kind in _HOLDING for node in inlines):
            return
        todo = [*reversed(inlines)]
        while todo:
            node = todo.pop()
            if node.kind == "image":
                yield Prose.from_parts(self._build_parts(node.children), "alt", block)
                continue
            if node.kind == "html":
                yield from self._find_tag_texts(block, node.start, node.end)
            elif node.kind == "macro" and self.dialect is Dialect.HUGO:
                yield from self._find_shortcode_texts(block, node.start, node.end)
            todo += reversed(node.children)

    def _find_tag_texts(self, block: Block, start: int, end: int) -> Iterator[Prose]:
        """Yield the alt texts of raw HTML images."""
        typed = self.text[start:end].lower()
        for tag in self._find_tags(start, end) if any(name in typed for name in _READ) else ():
            for name in _READ:
                attribute = tag.attributes.get(name)
                if attribute and attribute.value and self.text[attribute.start : attribute.end] == attribute.value:
                    yield Prose.from_parts([(attribute.value, attribute.start, attribute.end)], "alt", block)

    def _find_html_prose(self, block: Block) -> Iterator[Prose]:
        """Yield the text between an HTML block's tags, split at elements that are not part of a sentence."""
        parts: list[Part] = []
        unread: list[str] = []
        at = block.start
        for tag in [*find_tags(self.text, block.start, block.end), None]:
            end = tag.start() if tag else block.end
            if not unread:
                parts += iter_text(self.text, at, end)
            elif end > at:
                parts.append((MASK, at, end))
            if tag is None:
                break
            at = tag.end()
            name = (tag[2] or "").lower()
            if name in _UNREAD:
                unread = [*unread, name] if not tag[1] else unread[:-1]
            elif name == "br":
                parts.append(("\n", *tag.span()))
            elif name and name not in _PHRASING:
                yield Prose.from_parts(trim_parts(parts), "html", block)
                parts = []
        yield Prose.from_parts(trim_parts(parts), "html", block)
        yield from self._find_tag_texts(block, block.start, block.end)

    @cached_property
    def words(self) -> frozenset[str]:
        """The lowercase words of all texts: a cheap check before a rule reads the page."""
        words = set(chain.from_iterable(map(_split_words, self.texts)))
        return frozenset(map(sys.intern, words))  # many pages have the same words

    @cached_property
    def stated_lang(self) -> str | None:
        """The page's language as stated in its front matter."""
        front = self.front_matter
        match = _LANG.search(self.front_text, 0, front.body) if front else None
        return match[1].lower() if match else None

    @cached_property
    def detected_language(self) -> language.DetectedLanguage:
        """The detected language; front matter counts too where the prose alone is not enough."""
        seen = language.detect_language(self.get_prose(), _split_words)
        if seen.code or not self.front_matter:
            return seen
        front = _KEY.sub(" ", self.front_text[self.front_matter.start : self.front_matter.end])
        return language.detect_language((*self.get_prose(), front), _split_words)

    # Headings, links, images

    @cached_property
    def headings(self) -> list[Heading]:
        return [self._build_heading(block) for block, _ in self.walk() if block.kind == "heading"]

    @cached_property
    def title(self) -> str:
        """The text of the first level-1 heading, as typed, or "": the title where nothing else defines one."""
        return next((str(heading.text) for heading in self.headings if heading.level == 1), "")

    @cached_property
    def _headings(self) -> dict[int, Heading]:
        """The headings by the start offset of their blocks."""
        return {heading.start: heading for heading in self.headings}

    def _build_heading(self, block: Block) -> Heading:
        start, end = block.content or (block.start, block.end)
        attrs = _find_attributes_at(block, end)
        id_ = _ID.search(self.text, attrs.start, attrs.end) if attrs else None
        if attrs:
            end = start + len(self.text[start : attrs.start].rstrip())
        text = Prose.from_parts(trim_parts(self._build_parts(block.inlines)), "heading", block)
        number = _NUMBER.match(text)
        return Heading(
            block.level,
            text,
            id_[1] if id_ else None,
            number[0] if number else "",
            block.start,
            block.end,
            start,
            end,
            attrs,
        )

    @cached_property
    def links(self) -> list[Link]:
        """Markdown links, autolinks and raw `<a href>`."""
        out = [self._build_link(node, block) for node, block in self.get_inlines() if node.kind in ("link", "autolink")]
        return sorted([*out, *self._find_raw_links()], key=lambda link: link.start)

    def _build_link(self, node: Inline, block: Block) -> Link:
        text = Prose.from_parts(self._build_parts(node.children), "link", block)
        if node.kind == "autolink":
            return Link(
                "autolink",
                self.text[node.start + 1 : node.end - 1],
                Range(node.start + 1, node.end - 1),
                text,
                node.start,
                node.end,
            )
        if node.target is None:
            return Link("reference", node.href, None, text, node.start, node.end, node.title)
        if self.text.startswith("{", node.target[0]) and (
            address := shortcodes.parse_page_reference(self.text, *node.target)
        ):
            span = Range(address.start, address.end)
            return Link(address.kind, address.path, span, text, node.start, node.end, node.title)
        href = self.text[slice(*node.target)]
        return Link("inline", href, Range(*node.target), text, node.start, node.end, node.title)

    def _find_raw_links(self) -> Iterator[Link]:
        tags = self.tags
        for index, tag in enumerate(tags):
            href = tag.attributes.get("href") if tag.name.lower() == "a" and not tag.closing else None
            if href is None:
                continue
            closing = next((t for t in tags[index + 1 :] if t.name.lower() == "a"), tag)
            end = closing.start if closing.closing else tag.end
            block = Block("html", tag.start, end)
            text = Prose.from_parts(list(iter_typed_text(self.text, tag.end, end)), "link", block)
            yield Link("html", href.value, Range(href.start, href.end), text, tag.start, closing.end)

    @cached_property
    def images(self) -> list[Image]:
        """Markdown images, raw `<img>` and `<source>`, Hugo's `figure`, and MyST's image directives."""
        out = [self._build_image(node) for node, _ in self.get_inlines() if node.kind == "image"]
        figures = [
            _build_figure_image(shortcode)
            for shortcode in self.shortcodes
            if shortcode.name == "figure" and shortcode.get("src")
        ]
        figures += self._find_directive_images() if self.dialect is Dialect.MYST else []
        return sorted([*out, *self._find_raw_images(), *figures], key=lambda image: image.start)

    def _find_directive_images(self) -> list[Image]:
        """Return the images of `figure` and `image` directives; a figure's caption is not its alt text."""
        out = []
        for block, _ in self.walk():
            match = _DIRECTED.match(self.text, block.start, block.end) if block.info in ("figure", "image") else None
            if match:
                group = "alt" if match["yaml"] is None else "yaml"
                alt = match[group]
                alt_place = Range(*match.span(group)) if alt is not None else None
                span = Range(*match.span("src"))
                out.append(Image("directive", match["src"], span, alt, alt_place, block.start, span.end))
        return out

    @cached_property
    def shortcodes(self) -> tuple[Shortcode, ...]:
        """Hugo's shortcodes in page order, except those in code."""
        if self.dialect is not Dialect.HUGO or "{{" not in self.text:
            return ()
        places = [(block.start, block.end) for block, _ in self.walk() if block.kind in ("macro", "html")]
        places += [(node.start, node.end) for node, _ in self.get_inlines() if node.kind in ("macro", "html")]
        return tuple(
            shortcode for place in sorted(places) for shortcode in shortcodes.find_shortcodes(self.text, *place)
        )

    def _build_image(self, node: Inline) -> Image:
        src = self.text[slice(*node.target)] if node.target else node.href
        kind = "inline" if node.target else "reference"
        span = Range(*node.target) if node.target else None
        alt_place = Range(*node.inner) if node.inner else None
        return Image(kind, src, span, node.text, alt_place, node.start, node.end, node.title)

    def _find_raw_images(self) -> Iterator[Image]:
        for tag in self.tags:
            name = tag.name.lower()
            src = tag.attributes.get("src") or tag.attributes.get("srcset") if name in ("img", "source") else None
            if src is None:
                continue
            alt = tag.attributes.get("alt")
            yield Image(
                name if name == "source" else "html",
                next(iter(src.value.split()), ""),
                Range(src.start, src.end),
                alt.value if alt else None,
                Range(alt.start, alt.end) if alt else None,
                tag.start,
                tag.end,
            )

    @cached_property
    def tags(self) -> list[Tag]:
        """Raw HTML and JSX tags, in page order."""
        places = [(block.start, block.end) for block, _ in self.walk() if block.kind == "html"]
        places += [(node.start, node.end) for node, _ in self.get_inlines() if node.kind == "html"]
        return sorted((tag for place in places for tag in self._find_tags(*place)), key=lambda tag: tag.start)

    def _find_tags(self, start: int, end: int) -> Iterator[Tag]:
        for match in find_tags(self.text, start, end):
            if match[2]:
                yield Tag(
                    match[2], bool(match[1]), parse_attributes(self.text, *match.span(3)), match.start(), match.end()
                )

    @cached_property
    def attribute_lists(self) -> tuple[Range, ...]:
        """The spans of attribute lists (`{: #id }`, `{#id}`) that a renderer reads.

        Right after a word, the same text may be a macro.
        """
        matches = [(node, block) for node, block in self.get_inlines() if node.kind == "attrs"]
        ends = {node.end for node, _ in self.get_inlines() if node.kind in _TAKING_ATTRIBUTES} if matches else set()
        cells = self.dialect is Dialect.PYTHON_MARKDOWN
        return tuple(
            Range(node.start, node.end)
            for node, block in matches
            if node.start in ends
            or self.text.endswith(_SIGNS, 0, node.start)
            or (self._is_at_end(node, block) and (cells or block.kind != "table"))
        )

    def _find_attribute_lists(self) -> Iterator[Range]:
        """Yield all attribute lists, including those few renderers read: at a cell's end, after any text."""
        for node, block in self.get_inlines():
            if node.kind == "attrs" and (
                self.text[node.start - 1 : node.start].strip(_OPENING) or self._is_at_end(node, block)
            ):
                yield Range(node.start, node.end)

    def _is_at_end(self, node: Inline, block: Block) -> bool:
        """Return whether an attribute list ends its line, block or cell, in a form that is valid there."""
        text = self.text
        if text.startswith("{:", node.start) or block.kind == "heading":
            return True
        if block.kind == "table":
            return _CELL_ENDS.match(text, node.end) is not None
        end = block.content[1] if block.content else block.end
        stands_alone = not text[find_line_start(text, node.start) : node.start].strip(" \t>")
        line_end = text.find("\n", node.end, end) if stands_alone else end
        return not text[node.end : line_end if line_end >= 0 else end].strip()

    @cached_property
    def anchors(self) -> dict[str, Range]:
        """Explicit ids and their spans: from headings and other attribute lists, and from raw tags."""
        out: dict[str, Range] = {}
        for place in self._find_attribute_lists():
            if match := _ID.search(self.text, *place):
                out.setdefault(match[1], Range(*match.span(1)))
        for tag in self.tags:
            for name in ("id", "name"):
                if name in tag.attributes and (name == "id" or tag.name.lower() == "a"):
                    attribute = tag.attributes[name]
                    out.setdefault(attribute.value, Range(attribute.start, attribute.end))
        return out

    # Tables, lists, code

    @cached_property
    def tables(self) -> list[Table]:
        return [self._build_table(block) for block, _ in self.walk() if block.kind == "table"]

    @cached_property
    def _tables(self) -> dict[int, Table]:
        """The tables by the start offset of their blocks."""
        return {table.start: table for table in self.tables}

    def _build_table(self, block: Block) -> Table:
        rows = [[self._build_cell(cell, block) for cell in row] for row in block.rows]
        return Table(
            rows[0] if rows else [],
            rows[1:],
            Range(*(block.delimiter or (block.start,) * 2)),
            block.start,
            block.end,
            block,
        )

    def _build_cell(self, cell: Cell, block: Block) -> TableCell:
        return TableCell(Prose.from_parts(self._build_parts(cell.inlines), "cell", block), cell.start, cell.end)

    @cached_property
    def broken_tables(self) -> list[Range]:
        """Paragraphs that look like tables but are not: the delimiter row does not match the header."""
        out = []
        for block, _ in self.walk():
            if block.kind == "paragraph" and self.text.find("|", block.start, block.end) >= 0:
                lines = self.text[block.start : block.end].split("\n")
                if any("|" in lines[i] and is_delimiter(line) for i, line in enumerate(lines[1:])):
                    out.append(Range(block.start, block.end))
        return out

    @property
    def lists(self) -> list[Block]:
        """The lists, outer before inner; their children are the items."""
        return [block for block, _ in self.walk() if block.kind == "list"]

    @cached_property
    def code_blocks(self) -> list[CodeBlock]:
        out = []
        for block, _ in self.walk():
            if block.kind == "code":
                start, end = block.content or (block.start, block.end)
                code = self.text[start:end]
                out.append(CodeBlock(block.info, code, start, end, block.start, block.end, block.fence, block.closed))
        return out

    @cached_property
    def code_spans(self) -> list[Range]:
        return [Range(node.start, node.end) for node, _ in self.get_inlines() if node.kind == "code"]


def _build_figure_image(shortcode: Shortcode) -> Image:
    """Return the image of a Hugo `figure`: its caption replaces a missing alt text."""
    src, alt = shortcode.get("src"), shortcode.get("alt", "caption")
    assert src is not None
    alt_place = Range(alt.start, alt.end) if alt and alt.name == "alt" else None
    place, title = Range(src.start, src.end), shortcode.get("title")
    kind, shown = "shortcode", alt.value if alt else None
    return Image(kind, src.value, place, shown, alt_place, shortcode.start, shortcode.end, title.value if title else "")


_PARENTS = {"item": "item", "quote": "quote"}
_MASKED = frozenset(("code", "macro", "image", "note", "autolink"))
_READ = ("alt", "title", "label")  # Attributes whose values are read
_HOLDING = frozenset(("emphasis", "link", "image", "html", "macro"))  # Images, and nodes that may contain one
_WORDS = frozenset(("text", "break"))


def _mask_urls(node: Inline) -> list[Part]:
    """Return the text as parts, with bare URLs masked."""
    text, start = node.text, node.start
    if len(text) != node.end - start or not ("://" in text or "www." in text or "@" in text):
        return [(text, start, node.end)]
    parts, at = [], 0
    for match in _ADDRESS.finditer(text):
        low, high = match.span()
        parts += [(text[at:low], start + at, start + low), (MASK, start + low, start + high)]
        at = high
    return [*parts, (text[at:], start + at, node.end)]


# Words

_LOWERED = "".join(char.lower() if char.isalpha() or char == "'" else " " for char in map(chr, range(128))).encode() * 2
"""Letters of ASCII in lower case, apostrophes, and a space for anything else."""


def _split_words(text: str) -> list[str]:
    """Return the lowercase words of a text, as `_WORD` finds them, but four times as fast for plain English."""
    if not text.isascii() and not (text := text.replace(MASK, " ")).isascii():
        return list(map(str.lower, _WORD.findall(text)))
    words = text.encode("ascii").translate(_LOWERED).decode("ascii").split()
    if "'" not in text:
        return words
    return [word for part in words for word in (_WORD.findall(part) if "'" in part else (part,))]


def _get_prose_kind(block: Block, parent: Block | None) -> str:
    """Return the kind of the text of a paragraph or container."""
    if block.kind == "container":
        return "title"
    return _PARENTS.get(parent.kind, "paragraph") if parent else "paragraph"


def _find_attributes_at(heading: Block, end: int) -> Range | None:
    """Return the span of the attribute list with which a heading ends."""
    last = next((node for node in reversed(heading.inlines) if node.text.strip() or node.kind != "text"), None)
    return Range(last.start, last.end) if last and last.kind == "attrs" and last.end == end else None


__all__ = [
    "MASK",
    "Attribute",
    "CodeBlock",
    "Definition",
    "Document",
    "Heading",
    "Image",
    "Link",
    "LocatedText",
    "Prose",
    "Range",
    "Table",
    "TableCell",
    "Tag",
    "is_delimiter",
]
