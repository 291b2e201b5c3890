"""Lists as Python-Markdown renders them: which items, and with which numbers.

Python-Markdown splits a page at its blank lines and passes each block to the first of its block processors that accepts
it. The processors that matter to lists are modeled here, in their order and with their states, after
`markdown.blockprocessors`; the others only end a list. Python-Markdown itself is never imported: a page that hangs it
must not hang this tool. A test keeps both equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import MAX_DEPTH
from tutorial_tool.core.source import TAB

LISTS = ("ol", "ul")
_MAX_STEPS = 200_000  # Maximum lines processed for a short page; nobody writes a page that needs more
UNREAD = "unread"  # Tag of the root, which then has no children, if the page was given up


class _TooComplexError(Exception):
    """The page is too complex to parse at a reasonable cost."""


class Line(NamedTuple):
    """A line of the page (`number` is 0-based); `text` lacks the indentation that was already removed."""

    text: str
    number: int


@dataclass(eq=False, slots=True)
class Element:
    """A rendered element (`ol`, `ul`, `li`, `p`, …), from the page's lines `first` to `last` (0-based).

    `typed` is an item's number in the source. `has_tail`: text follows it in its item.
    """

    tag: str
    first: int
    last: int
    typed: int | None = None
    children: list[Element] = field(default_factory=list)
    has_tail: bool = False

    @property
    def last_child(self) -> Element | None:
        return self.children[-1] if self.children else None

    def add(self, tag: str, lines: Sequence[Line], typed: int | None = None) -> Element:
        child = Element(tag, lines[0].number, lines[-1].number, typed)
        self.children.append(child)
        return child

    def walk(self) -> Iterator[Element]:
        todo = [self]
        while todo:
            element = todo.pop()
            yield element
            todo += reversed(element.children)


class _ListItem(NamedTuple):
    lines: list[Line]
    typed: int | None
    nested: bool


_CHILD = lazy_re.compile(r" {0,3}(?:(\d+)\.|[*+-]) +(.*)")
_INDENTED_CHILD = lazy_re.compile(r" {4,7}(?:\d+\.|[*+-]) +")
_ORDERED = lazy_re.compile(r" {0,3}\d+\. +")
_BULLET = lazy_re.compile(r" {0,3}[*+-] +")
_HEADING = lazy_re.compile(r"#{1,6}[^\n]")
_UNDERLINE = lazy_re.compile(r"[=-]+ *")
_RULE = lazy_re.compile(r" {0,3}(?:-(?: {0,2}-){2,}|_(?: {0,2}_){2,}|\*(?: {0,2}\*){2,}) *")
_RULES = ("-", "_", "*", " ")  # End of the line of a horizontal rule
_DELIMITER = lazy_re.compile(r" *\|?[-:| ]*-[-:| ]*")
_QUOTE = lazy_re.compile(r" {0,3}>( ?)")
_CONTAINER = lazy_re.compile(r"!!! ?[\w\-]++[^\"]*+(?:\".*\")? *|\?\?\?\+? ?[\w\"-].*|={3}[+!]* +\".*\" *")
_BOXES = ("!!!", "???", "===")
_DEFINITION = lazy_re.compile(r" {0,3}\[[^\[\]]*\]: *\S|\*\[[^\]]+\]:")
_NOTE = lazy_re.compile(r"\[\^[^\]\s]+\]:")  # A footnote: removed from the text, so it does not end a list
_FENCE = lazy_re.compile(r"( *)(`{3,}|~{3,})([^`\n]*)")
_MACRO = lazy_re.compile(r" *(?:\{%.*%\}|\{\{.*\}\}|\{#.*#\}|;?-+8<-+.*) *")
_TAG = lazy_re.compile(r" {0,3}<(?:(!--)|(/?)([A-Za-z][\w-]*)(?=[\s/>]|$))")
_MARKDOWN_INSIDE = lazy_re.compile(r"<[^>]*\smarkdown\b[^>]*>")  # `<div markdown>` of `md_in_html`
_BLOCK_TAGS = frozenset(
    "address article aside blockquote body canvas center dd details dialog dir div dl dt fieldset figcaption"
    " figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe legend li main map math"
    " menu nav noscript object ol output p pre progress script section style summary table tbody td tfoot th"
    " thead title tr ul video".split()
)
"""HTML's block-level elements: Python-Markdown leaves a line that starts with one unchanged."""


def parse_page(text: str, start: int = 0) -> Element:
    """Parse a page as Python-Markdown does: a tree whose root is a `div`. `start` is the offset of its body.

    The root is `UNREAD` if that is too complex.
    """
    skipped = text.count("\n", 0, start)
    lines = [Line("", number) for number in range(skipped)]
    lines += [Line(line.expandtabs(TAB), skipped + i) for i, line in enumerate(text[start:].split("\n"))]
    reader = _BlockParser(list(_merge_opaque_lines(lines)))
    return reader.parse_page(len(lines))


def find_verbatim_lines(texts: Sequence[str]) -> dict[int, int]:
    """Map the first line of each fenced code or raw HTML block to its last line."""
    lines = [Line(text.expandtabs(TAB), number) for number, text in enumerate(texts)]
    return {line.number: last for line, last in _merge_opaque_lines(lines) if last > line.number}


OPAQUE = "\x02"  # Placeholder for fenced code and raw HTML


def _merge_opaque_lines(lines: list[Line]) -> Iterator[tuple[Line, int]]:
    """Yield the lines, with fenced code, raw HTML and comments as one each, and the last line of each."""
    at = 0
    endless: set[str] = set()
    while at < len(lines):
        line = lines[at]
        text = line.text
        if ("`" in text or "~" in text) and (end := _find_fence_end(lines, at, endless)):
            yield Line(text[: len(text) - len(text.lstrip())] + OPAQUE, at), end - 1
            at = end
        elif "<" in text and (end := _find_html_end(lines, at)):
            if not text.startswith(" "):
                yield Line("", at), at
            yield from ((Line(OPAQUE, at), end - 1), (Line("", end - 1), end - 1))
            at = end
        else:
            macro = ("{" in text or "8<" in text) and _MACRO.fullmatch(text)
            yield (Line("", at) if macro or not text.strip() else line), at
            at += 1


def _find_fence_end(lines: list[Line], at: int, endless: set[str]) -> int:
    """Return the line after a fence that begins here, else 0. `endless` are the unclosed fences."""
    opened = _FENCE.fullmatch(lines[at].text)
    if opened is None or opened[2] in endless:
        return 0
    closing = re.compile(rf" *{opened[2][0]}{{{len(opened[2])},}} *")
    later = (n for n in range(at + 1, len(lines)) if opened[2] in lines[n].text)
    end = next((n + 1 for n in later if closing.fullmatch(lines[n].text)), 0)
    if not end:
        endless.add(opened[2])
    return end


def _find_html_end(lines: list[Line], at: int) -> int:
    """Return the line after raw HTML or a comment that begins here, else 0.

    An unclosed one extends to the end.
    """
    match = _TAG.match(lines[at].text)
    if match is None:
        return 0
    if match[1]:
        return next((n + 1 for n in range(at, len(lines)) if "-->" in lines[n].text), len(lines))
    name = match[3].lower()
    if name not in _BLOCK_TAGS:
        return 0
    if match[2] or name == "hr" or _MARKDOWN_INSIDE.search(lines[at].text):
        return at + 1
    depth = 0
    tag = re.compile(rf"<(/?){name}(?=[\s/>]|$)", re.IGNORECASE)
    for number in range(at, len(lines)):
        for item in tag.finditer(lines[number].text):
            depth += -1 if item[1] else 1
            if depth <= 0:
                return number + 1
    return len(lines)


class _BlockParser:
    """The block parser: a stack of states, and elements that grow."""

    def __init__(self, lines: list[tuple[Line, int]]) -> None:
        self.lines = [line for line, _ in lines]
        self.last = {line.number: last for line, last in lines if line.text.endswith(OPAQUE)}
        self.notes = Element("div", 0, 0)
        self.note: Element | None = None
        self.states: list[str] = [""]
        self.depth = 0
        self.patience = _MAX_STEPS + 10 * len(lines)

    def parse_page(self, count: int) -> Element:
        root = Element("div", 0, max(count - 1, 0))
        try:
            self.parse_chunk(root, self.lines)
        except _TooComplexError:
            return Element(UNREAD, 0, root.last)
        root.children += self.notes.children
        for element in root.walk():
            element.last = max(element.last, self.last.get(element.last, 0))
        return root

    def parse_chunk(self, parent: Element, lines: list[Line]) -> None:
        """Parse lines that may have blank lines between them."""
        block: list[Line] = []
        for line in [*lines, Line("", -1)]:
            if line.text.strip():
                block.append(line)
            elif block:
                self.parse_block(parent, block)
                block = []

    def parse_block(self, parent: Element, block: list[Line], state: str | None = None) -> None:
        """Parse lines without blank lines between them; each turn consumes some of them.

        Raises: _TooComplexError for deep nesting or too much work.
        """
        if state is not None:
            self.states.append(state)
        self.depth += 1
        rest = block
        while rest:
            if not rest[0].text.strip():
                rest = rest[1:]
            else:
                self.patience -= len(rest)
                if self.depth > MAX_DEPTH or self.patience < 0:
                    raise _TooComplexError
                rest = self.parse_next(parent, rest)
        self.depth -= 1
        if state is not None:
            self.states.pop()

    def parse_next(self, parent: Element, block: list[Line]) -> list[Line]:
        """Parse what the first matching processor accepts; return the remaining lines."""
        first = block[0].text
        for index, line in enumerate(block):
            if line.text.startswith(_BOXES) and _CONTAINER.fullmatch(line.text):
                return self.parse_container(parent, block, index)
        is_indented = first.startswith(" " * TAB)
        if _NOTE.match(first):
            self.note = self.notes.add("box", block[:1])
            return self.parse_box_content(self.note, block[1:])
        if is_indented and self.note is not None:
            return self.parse_box_content(self.note, block)
        self.note = None
        return self.parse_indented_block(parent, block) if is_indented else self.parse_flush_block(parent, block)

    def parse_indented_block(self, parent: Element, block: list[Line]) -> list[Line]:
        """Parse an indented block, as `parse_next` does: part of an admonition or item, or code."""
        last = parent.last_child
        if last is not None and last.tag == "box":
            return self.parse_box_content(last, block)
        if self.states[-1] != "detabbed" and (parent.tag == "li" or (last and last.tag in LISTS)):
            self.parse_item_block(parent, block)
            return []
        return self.parse_code(parent, block)

    def parse_flush_block(self, parent: Element, block: list[Line]) -> list[Line]:
        """Parse a block that is not indented and continues nothing, as `parse_next` does."""
        first = block[0].text
        if len(block) > 1 and _is_table(first, block[1].text):
            parent.add("table", block)
            return []
        if any(line.text.startswith("#") and _HEADING.match(line.text) for line in block):
            return self.parse_split_block(parent, block, _HEADING, "h")
        if len(block) > 1 and _UNDERLINE.fullmatch(block[1].text):
            parent.add("h", block[:2])
            return block[2:]
        if any(line.text.endswith(_RULES) and _RULE.fullmatch(line.text) for line in block):
            return self.parse_split_block(parent, block, _RULE, "hr")
        self.parse_rest(parent, block)
        return []

    def parse_rest(self, parent: Element, block: list[Line]) -> None:
        """Parse a list, a quotation or a paragraph, which consume the rest of a block."""
        first = block[0].text
        if _ORDERED.match(first) or _BULLET.match(first):
            self.parse_list(parent, block, "ol" if _ORDERED.match(first) else "ul")
        elif any(">" in line.text and _QUOTE.match(line.text) for line in block):
            self.parse_quote(parent, block)
        else:
            self.parse_paragraph(parent, block)

    def parse_container(self, parent: Element, block: list[Line], index: int) -> list[Line]:
        """Parse `!!! note`: the lines before it come first, the indented lines below belong to it."""
        if index:
            self.parse_block(parent, block[:index])
        box = parent.add("box", block[index : index + 1])
        return self.parse_box_content(box, block[index + 1 :])

    def parse_box_content(self, box: Element, block: list[Line]) -> list[Line]:
        inner, rest = _split_indented(block)
        note, self.note = self.note, None
        if inner:
            box.last = inner[-1].number
            self.parse_chunk(box, inner)
        self.note = note if note is box else None
        return rest

    def parse_code(self, parent: Element, block: list[Line]) -> list[Line]:
        inner, rest = _split_indented(block)
        last = parent.last_child
        if last is not None and last.tag == "code":
            last.last = inner[-1].number
        else:
            parent.add("code", inner)
        return rest

    def parse_split_block(self, parent: Element, block: list[Line], pattern: re.Pattern[str], tag: str) -> list[Line]:
        """Parse a heading or rule among other lines: first those before it; return those after it."""
        match = pattern.match if tag == "h" else pattern.fullmatch
        index = next(i for i, line in enumerate(block) if match(line.text))
        if index:
            self.parse_block(parent, block[:index])
        parent.add(tag, block[index : index + 1])
        after = block[index + 1 :]
        return _dedent_lines(after, 1) if tag == "h" and self.states[-1] == "looselist" else after

    def parse_quote(self, parent: Element, block: list[Line]) -> None:
        index = next(i for i, line in enumerate(block) if _QUOTE.match(line.text))
        if index:
            self.parse_block(parent, block[:index])
        last = parent.last_child
        quote = last if last is not None and last.tag == "quote" else parent.add("quote", block[index:])
        quote.last = block[-1].number
        self.states.append("quote")
        self.parse_chunk(quote, [Line(_QUOTE.sub("", line.text, count=1), line.number) for line in block[index:]])
        self.states.pop()

    def parse_paragraph(self, parent: Element, block: list[Line]) -> None:
        block = [line for line in block if not _DEFINITION.match(line.text)]
        last = parent.last_child
        if not block:
            return
        if self.states[-1] != "list":
            parent.add("p", block)
        elif last is not None:
            last.has_tail = True

    # Lists

    def parse_item_block(self, parent: Element, block: list[Line]) -> None:
        """Parse a block that belongs to an earlier item."""
        level, owner = self.find_owner(parent, block[0].text)
        block = _dedent_lines(block, level)
        self.states.append("detabbed")
        last = parent.last_child
        if parent.tag == "li":
            self.parse_block(last if last is not None and last.tag in LISTS else parent, block)
        elif owner.tag == "li":
            self.parse_block(owner, block)
        elif owner.last_child is not None and owner.last_child.tag == "li":
            self.parse_block(owner.last_child, block)
        else:
            self.parse_block(owner.add("li", block), block)
        self.states.pop()

    def find_owner(self, parent: Element, text: str) -> tuple[int, Element]:
        """Return how many levels of indentation belong to lists, and the deepest list or item there."""
        deepest = (len(text) - len(text.lstrip(" "))) // TAB
        level = int(self.states[-1] == "list")
        while deepest > level:
            child = parent.last_child
            if child is None or child.tag not in ("li", *LISTS):
                break
            level += child.tag in LISTS
            parent = child
        return level, parent

    def parse_list(self, parent: Element, block: list[Line], tag: str) -> None:
        items = _split_items(block)
        last = parent.last_child
        if last is not None and last.tag in LISTS:
            listing = last
            self.wrap_tail(listing)
            self.parse_item(listing, items.pop(0), "looselist")
        else:
            listing = parent if parent.tag in LISTS else parent.add(tag, block)
        listing.last = block[-1].number
        for item in items:
            if item.nested and listing.last_child is not None:
                self.parse_block(listing.last_child, item.lines, "list")
            else:
                self.parse_item(listing, item, "list")

    def wrap_tail(self, listing: Element) -> None:
        """Turn text after the last child of a list's last item into a paragraph when the list continues."""
        item = listing.last_child
        last = item.last_child if item is not None else None
        if item is not None and last is not None and last.has_tail:
            last.has_tail = False
            item.children.append(Element("p", item.last, item.last))

    def parse_item(self, listing: Element, item: _ListItem, state: str) -> None:
        self.parse_block(listing.add("li", item.lines, item.typed), item.lines, state)


def _is_table(header: str, delimiter: str) -> bool:
    cells = [re.sub(r"\\\\|\\\|", "", line).strip(" ").strip("|").count("|") for line in (header, delimiter)]
    return "|" in header and bool(_DELIMITER.fullmatch(delimiter)) and cells[0] == cells[1]


def _split_items(block: list[Line]) -> list[_ListItem]:
    items: list[_ListItem] = []
    for line in block:
        if child := _CHILD.match(line.text):
            typed = int(child[1][:9]) if child[1] else None
            items.append(_ListItem([Line(child[2], line.number)], typed, child[2].startswith(" " * TAB)))
        elif _INDENTED_CHILD.match(line.text) and not items[-1].nested:
            items.append(_ListItem([line], None, True))
        else:
            items[-1].lines.append(line)
    return items


def _split_indented(block: list[Line]) -> tuple[list[Line], list[Line]]:
    """Split off the indented lines at the start, dedented, from the others."""
    count = next((i for i, line in enumerate(block) if not line.text.startswith(" " * TAB)), len(block))
    return _dedent_lines(block[:count], 1), block[count:]


def _dedent_lines(block: list[Line], level: int) -> list[Line]:
    """Remove up to `level` indentations from each line."""
    indent = " " * (TAB * level)
    return [Line(line.text.removeprefix(indent), line.number) for line in block]
