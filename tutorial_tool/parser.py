"""What knows the Markdown library: text into a small tree of our own, each node with its place.

markdown-it-py tells the lines of blocks and no columns. Here its inline parser notes the offset of every token that
it makes in the token's content; the content's lines are then found again in the page.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from markdown_it import MarkdownIt, helpers
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.parser_inline import ParserInline, RuleFuncInlineType
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from tutorial_tool import constructs, lazy_re, ordinary
from tutorial_tool.dispatch import Blocks
from tutorial_tool.nodes import Block, Cell, Inline
from tutorial_tool.table_rows import split_row, table, table_with_spans


class Dialect(enum.StrEnum):
    """Which Markdown a page is written in."""

    PYTHON_MARKDOWN = "python-markdown"
    COMMONMARK = "commonmark"
    GFM = "gfm"
    MDX = "mdx"
    HUGO = "hugo"
    DOCUSAURUS = "docusaurus"
    KRAMDOWN = "kramdown"
    MYST = "myst"


_IMPORT = lazy_re.compile(r"^(?:import (?:[^\n`]* from )?|\}[ \t]*from )[\"'][^\"'\n]+[\"']", re.MULTILINE)
_FENCED = lazy_re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_PYTHON_MARKDOWN = lazy_re.compile(r'^ *(?:!!!|\?\?\?\+?|===\+?!?) +(?:"|\w+)|\{: *[#.]\w|^ *-+8<-+ ', re.MULTILINE)
_DIRECTIVE = lazy_re.compile(r"^ *:{3,} *\w+", re.MULTILINE)
_SHORTCODE = lazy_re.compile(r"\{\{[<%] .*[>%]\}\}")
_KRAMDOWN = lazy_re.compile(r"\{%-? *(?:link|post_url|highlight) |^\{:toc\}", re.MULTILINE)
_MYST = lazy_re.compile(
    r"^ *(?:`{3,}|:{3,}) ?\{(?:note|tip|hint|important|warning|caution|danger|admonition|seealso|toctree|figure"
    r"|eval-rst|tab-set|dropdown|versionadded|versionchanged|deprecated|literalinclude|list-table|code-block)\}"
    r"|^\([\w:.-]+\)=[ \t]*$|(?<![`\w])\{(?:ref|doc|numref|term|py:\w+)\}`[^`\n]",
    re.MULTILINE,
)
_GITHUB = lazy_re.compile(r"^ *> ?\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*$", re.MULTILINE | re.IGNORECASE)
"""An alert as GitHub has it: no page for Python-Markdown."""


def guess_dialect(path: str, text: str) -> Dialect:
    """The dialect of a single file, by its suffix and by what only that dialect has."""
    if path.lower().endswith(".mdx"):
        return Dialect.MDX
    if _SHORTCODE.search(text):
        return Dialect.HUGO
    if _KRAMDOWN.search(text):
        return Dialect.KRAMDOWN
    if _MYST.search(text):
        return Dialect.MYST
    if _PYTHON_MARKDOWN.search(text):
        return Dialect.PYTHON_MARKDOWN
    if _GITHUB.search(text):
        return Dialect.COMMONMARK
    if _DIRECTIVE.search(text) or ("import " in text and _IMPORT.search(_FENCED.sub("", text))):
        return Dialect.DOCUSAURUS
    return Dialect.GFM


# Inline tokens with their offsets


_SIGNS = {
    "newline": "\n", "escape": "\\", "backticks": "`", "strikethrough": "~", "emphasis": "*_", "link": "[",
    "image": "!", "autolink": "<", "html_inline": "<", "entity": "&", "note": "[", "alert": "[",
    "abbreviation": "*", "attrs": "{", "expression": "{", "macro": "{$", "jsx_tag": "<",
    "shortcode_tag": "<", "role": "{",
}  # fmt: skip
"""The signs with which a rule's text begins."""


class _Inlines(ParserInline):
    """The library's inline parser, whose tokens know their (start, end) in the content."""

    def _rules(self, sign: str) -> list[RuleFuncInlineType]:
        """The rules that may begin with a sign: most know one sign only, and need not be asked at others."""
        if sign not in self._by_sign:
            pairs = zip(self.ruler.get_active_rules(), self.ruler.getRules(""), strict=True)
            self._by_sign[sign] = [rule for name, rule in pairs if sign in _SIGNS.get(name, sign)]
        return self._by_sign[sign]

    @cached_property
    def _by_sign(self) -> dict[str, list[RuleFuncInlineType]]:
        return {}

    def parse(self, src: str, md: MarkdownIt, env: MutableMapping[str, Any], tokens: list[Token]) -> list[Token]:
        if src and self.terminator_re.search(src) is None:  # nothing but words
            tokens.append(Token("text", "", 0, content=src, meta={"at": (0, len(src))}))
            return tokens
        return super().parse(src, md, env, tokens)

    def tokenize(self, state: StateInline) -> None:
        deepest = state.md.options["maxNesting"]
        text_start = state.pos
        while state.pos < state.posMax:
            start, count, waiting = state.pos, len(state.tokens), bool(state.pending)
            if not waiting:
                text_start = start
            matched = False
            for rule in self._rules(state.src[start]) if state.level < deepest else ():
                if rule(state, False):
                    matched = True
                    break
            if matched:
                _place(state, count, start, text_start if waiting else None)
                if state.pending and not waiting:
                    text_start = start
                elif not state.pending:
                    text_start = state.pos
            else:
                state.append_pending(state.src[state.pos])
                state.pos += 1
        if state.pending:
            token = state.pushPending()
            token.meta["at"] = text_start, text_start + len(token.content)


def _place(state: StateInline, count: int, start: int, text_start: int | None) -> None:
    """Note where the tokens made by one rule stand; the first may be text that waited since `text_start`."""
    at = start
    for index, token in enumerate(state.tokens[count:]):
        if "at" in token.meta:
            continue
        if index == 0 and token.type == "text" and text_start is not None:
            token.meta["at"] = text_start, text_start + len(token.content)
        elif token.type == "text":  # the signs of emphasis, one by one
            token.meta["at"] = at, at + len(token.content)
            at += len(token.content)
        elif token.type == "link_open":
            token.meta["at"] = start, start + 1
        elif token.type == "link_close":
            token.meta["at"] = start, state.pos
        else:
            token.meta["at"] = start, state.pos


_SEARCHED = -1
"""The key, in the library's cache of places, for how many characters were searched for ends of labels."""


def _label_end(state: StateInline, start: int, disableNested: bool = False) -> int:  # noqa: N803 - its caller names it
    """Where a link's label ends, -1 where it does not.

    Each `[` that nothing closes looks through all the text behind it: where a block has thousands, the last stay text.
    """
    searched = state.cache.get(_SEARCHED, 0)
    if searched > 100_000 + 4 * len(state.src):
        return -1
    end = helpers.parseLinkLabel(state, start, disableNested)
    state.cache[_SEARCHED] = searched + (end if end >= 0 else state.posMax) - start
    return end


_HELPERS = SimpleNamespace(
    parseLinkLabel=_label_end,
    parseLinkDestination=helpers.parseLinkDestination,
    parseLinkTitle=helpers.parseLinkTitle,
)
_TAG_MARK = r"\{\{[^\n]{0,1000}?\}\}|\{%[^\n]{0,1000}?%\}"
_COMPUTED = lazy_re.compile(rf"(?:{_TAG_MARK})(?:{_TAG_MARK}|[^\s(){{}}<>]){{0,1000}}+")


def _destination(text: str, start: int, end: int) -> SimpleNamespace:
    """Where a link's address ends that begins with a shortcode or tag: spaces in these are part of it."""
    found = _COMPUTED.match(text, start, end) if text.startswith(("{{", "{%"), start) else None
    if found is None:
        return helpers.parseLinkDestination(text, start, end)  # type: ignore[return-value]
    return SimpleNamespace(ok=True, pos=found.end(), str=found[0])


_REPLACING = SimpleNamespace(**{**vars(_HELPERS), "parseLinkDestination": _destination})
"""What helps to read dialects whose engine puts in addresses before it reads the Markdown."""


_INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
_TABLE: RuleOptionsType = {"alt": ["paragraph", "reference"]}


@cache
def _library(dialect: Dialect) -> MarkdownIt:
    md = MarkdownIt("commonmark", {"maxNesting": 60, "store_labels": True})
    md.block, md.inline = Blocks(), _Inlines()
    is_replaced = dialect in (Dialect.HUGO, Dialect.KRAMDOWN)
    md.helpers = _REPLACING if is_replaced else _HELPERS  # type: ignore[assignment]
    md.inline.ruler.disable(["linkify"])
    md.inline.ruler2.disable(["fragments_join"])
    md.core.ruler.disable(["text_join"])
    jsx = dialect in (Dialect.MDX, Dialect.DOCUSAURUS)
    if dialect is Dialect.MDX:
        md.disable(["code", "html_block"])
    inline = {"alert": constructs.alert, "note": constructs.note, "macro": constructs.macro, "attrs": constructs.attrs}
    inline |= {"abbreviation": constructs.abbreviation} if dialect is Dialect.PYTHON_MARKDOWN else {}
    inline |= {"expression": constructs.expression, "jsx_tag": constructs.jsx_tag} if jsx else {}
    inline |= {"role": constructs.role} if dialect is Dialect.MYST else {}
    inline |= {"shortcode_tag": constructs.shortcode_tag} if dialect is Dialect.HUGO else {}
    for name, rule in inline.items():
        md.inline.ruler.before("emphasis", name, rule)
    blocks: dict[str, RuleFuncBlockType] = {"verbatim": constructs.verbatim} if is_replaced else {}
    blocks |= {"directive": constructs.directive, "myst_line": constructs.myst_line} if dialect is Dialect.MYST else {}
    blocks |= {
        "indented": constructs.indented,
        "fenced": constructs.fenced,
        "snippets": constructs.snippets,
        "macro_line": constructs.macro_line,
    }
    blocks |= {"formula": constructs.formula, "footnote": constructs.note_body, "markdown_tag": constructs.markdown_tag}
    has_definitions = dialect in (Dialect.PYTHON_MARKDOWN, Dialect.HUGO, Dialect.KRAMDOWN, Dialect.MYST)
    blocks |= {"definition": constructs.definition} if has_definitions else {}
    blocks |= (
        {"esm": constructs.esm, "jsx": constructs.jsx_line, "expression_lines": constructs.expression_lines}
        if jsx
        else {}
    )
    for name, block_rule in blocks.items():
        md.block.ruler.before("fence", name, block_rule, _INTERRUPTS)
    if not jsx:
        md.block.ruler.before("fence", "jsx_comment", constructs.jsx_comment)
    if is_replaced:
        md.block.ruler.before("fence", "attribute_line", constructs.attribute_line, {"alt": ["blockquote"]})
    has_spans = dialect in (Dialect.PYTHON_MARKDOWN, Dialect.KRAMDOWN)
    md.block.ruler.at("table", table_with_spans if has_spans else table, _TABLE)
    return md


# The tree


def parse(
    text: str, dialect: Dialect = Dialect.GFM, definitions: MutableMapping[str, Any] | None = None
) -> list[Block]:
    """The blocks of a page. Front matter is to be blanked out before; offsets count the text's characters.

    An empty mapping that is given as `definitions` holds the library's link reference definitions afterwards.
    """
    text = text.replace("\r\n", " \n").replace("\r", "\n").replace("\0", "\ufffd")  # as the library does: but as long
    library, definitions = _library(dialect), {} if definitions is None else definitions
    tokens: list[Token] = []
    library.block.parse(text, library, definitions, tokens)
    return _Tree(text, tokens, lambda content: library.inline.parse(content, library, definitions, [])).blocks()


_BLOCKS = {
    "bullet_list_open": "list", "ordered_list_open": "list", "list_item_open": "item", "blockquote_open": "quote",
    "container_open": "container",
}  # fmt: skip
_CLOSING_HASHES = lazy_re.compile(r"(?:^|(?<=[ \t]))#+$")


class _Tree:
    """`read` makes tokens of the content of a paragraph, a heading or a cell."""

    def __init__(self, text: str, tokens: list[Token], read: Callable[[str], list[Token]]) -> None:
        self.text, self.tokens, self.read = text, tokens, read
        self.starts = [0]
        at = 0
        while (at := text.find("\n", at) + 1) > 0:
            self.starts.append(at)
        self.starts.append(len(text) + 1)
        self.at = 0

    def blocks(self) -> list[Block]:
        out: list[Block] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.nesting < 0:
                break
            out.append(self._block(token))
        return out

    def _lines(self, token: Token) -> tuple[int, int]:
        first, last = token.map or (0, 0)
        starts = self.starts
        start, end = starts[first], starts[last if last < len(starts) else -1] - 1  # the last one is behind the text
        return start, max(start, end)

    def _block(self, token: Token) -> Block:
        self.at += 1
        start, end = self._lines(token)
        match token.type:
            case "fence" | "code_block":
                return self._code(token, start, end)
            case "html_block" | "hr" | "macro" | "esm":
                kind = {"html_block": "html", "hr": "rule"}.get(token.type, token.type)
                return Block(kind, start, end)
            case "heading_open" | "paragraph_open":
                return self._text(token, start, end)
            case "table":
                return self._table(token, start, end)
        block = Block(_BLOCKS.get(token.type, token.type), start, end)
        if token.type == "list_item_open":
            line_end = self.text.find("\n", start, end)
            line = self.text[start : line_end if line_end >= 0 else end]
            block.number = token.info
            marker = line.find(token.info + token.markup) if token.info else _bullet(line)
            block.level = marker if marker >= 0 else len(line) - len(line.lstrip())
        elif block.kind == "list":
            block.info = "ordered" if token.type.startswith("ordered") else "bullet"
        elif block.kind == "container":
            block.info, block.content = token.info, token.meta.get("title")
            if block.content:
                first, last = block.content
                place = _Offsets([(0, first, last - first)], first, last)
                block.inlines = self._inlines(self.text[first:last], place)
        block.children = self.blocks()
        self.at += 1  # the token that closes it
        return block

    def _code(self, token: Token, start: int, end: int) -> Block:
        first = self.text.find("\n", start, end) + 1 if token.type == "fence" else start
        last = end
        if token.type == "fence" and first:
            closing = self.text.rfind("\n", first - 1, end)
            if re.fullmatch(r"[ \t>]*(`{3,}|~{3,})[ \t]*", self.text[closing + 1 : end]):
                last = max(closing, first)
        block = Block("code", start, end, info=token.info.strip())
        if token.type == "fence":
            last_line = self.text[self.text.rfind("\n", start, end) + 1 : end].strip(" \t>") if first else ""
            block.fence = token.markup
            block.closed = last_line.startswith(token.markup) and not last_line.strip(token.markup)
        first = first if first or token.type != "fence" else end  # a fence without a line end holds nothing
        block.content = first, max(last, first)
        return block

    def _text(self, token: Token, start: int, end: int) -> Block:
        inline = self.tokens[self.at]
        self.at += 2
        kind = "heading" if token.type == "heading_open" else "paragraph"
        block = Block(kind, start, end, level=int(token.tag[1]) if kind == "heading" else 0)
        offsets = self._content(inline, hashes=token.markup.startswith("#"))
        block.inlines = self._inlines(inline.content, offsets)
        if offsets.pieces:
            first, last = offsets.pieces[0], offsets.pieces[-1]
            block.content = first[1], last[1] + last[2]
        else:
            block.content = start, end
        return block

    def _content(self, token: Token, *, hashes: bool = False) -> _Offsets:
        """Where each line of an inline token's content stands in the page."""
        pieces: list[tuple[int, int, int]] = []
        at = 0
        for line, part in enumerate(token.content.split("\n"), (token.map or [0])[0]):
            begin, end = self.starts[line : line + 2]
            raw, wanted = self.text[begin : end - 1].rstrip(), part.strip()  # tabs before it may have become spaces
            if not raw.endswith(wanted) or (hashes and wanted):
                raw = _CLOSING_HASHES.sub("", raw).rstrip() if hashes else raw
            if not raw.endswith(wanted):
                return _Offsets([], *self._lines(token))
            lead = len(part) - len(part.lstrip())
            pieces.append((at + lead, begin + len(raw) - len(wanted), len(part) - lead))
            at += len(part) + 1
        return _Offsets(pieces, *self._lines(token))

    def _inlines(self, content: str, offsets: _Offsets) -> list[Inline]:
        nodes = ordinary.read(content, offsets.pieces)
        return list(_nodes(_Cursor(self.read(content)), offsets, content)) if nodes is None else nodes

    def _table(self, token: Token, start: int, end: int) -> Block:
        first = (token.map or [0, 0])[0]
        delimiter = self.starts[first + 1], self.starts[first + 2] - 1
        lines = (first, *range(first + 2, first + 1 + len(token.meta["rows"])))
        spans = token.meta["spans"]
        rows = [self._row(line, contents, spans) for line, contents in zip(lines, token.meta["rows"], strict=True)]
        return Block("table", start, end, rows=rows, delimiter=delimiter)

    def _row(self, line: int, contents: list[str], spans: bool) -> list[Cell]:
        """The cells of a line, as many as are typed; those that the header has no column for hold nothing."""
        start, end = self.starts[line], self.starts[line + 1] - 1
        cells = [Cell(*place) for place in split_row(self.text, start, end, spans=spans)]
        for cell, content in zip(cells, contents, strict=False):
            cell.inlines = self._inlines(content, _cell_offsets(self.text, cell.start, cell.end, content))
        return cells


def _bullet(line: str) -> int:
    """Where a list item's marker stands in its line; -1 where it has none."""
    return next((at for at, char in enumerate(line) if char in "-*+"), -1)


@dataclass(slots=True)
class _Offsets:
    """From an inline token's content to the page: (content start, page start, length) of each line."""

    pieces: list[tuple[int, int, int]]
    start: int
    end: int
    by: int = 0

    def at(self, offset: int) -> int | None:
        pieces = self.pieces
        if not pieces:
            return None
        offset += self.by
        index = bisect_right(pieces, offset, key=_content_start) - 1 if len(pieces) > 1 else 0
        content, page, length = pieces[max(index, 0)]
        at = offset - content
        return page + (at if 0 <= at <= length else length if at > 0 else 0)

    def parts(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """A stretch of the content, cut where it does not go on letter by letter in the page."""
        first = bisect_right(self.pieces, low + self.by, key=_content_start)
        last = bisect_right(self.pieces, high + self.by - 1, key=_content_start)
        yield from pairwise([low, *(content - self.by for content, _, _ in self.pieces[first:last]), high])

    def moved(self, by: int) -> _Offsets:
        """The same for a part of the content that begins at `by`."""
        return _Offsets(self.pieces, self.start, self.end, self.by + by)


def _content_start(piece: tuple[int, int, int]) -> int:
    return piece[0]


def _cell_offsets(text: str, start: int, end: int, content: str) -> _Offsets:
    raw = text[start:end]
    if raw == content:
        return _Offsets([(0, start, len(raw))], start, end)
    pieces: list[tuple[int, int, int]] = []
    at = 0  # an escaped pipe is one character of the content
    for part in re.split(r"\\(?=\|)", raw):
        pieces.append((at, start + (len(pieces) + at), len(part)))
        at += len(part)
    return _Offsets(pieces if raw.replace("\\|", "|") == content else [], start, end)


class _Cursor:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.index = tokens, 0

    def next(self) -> Token | None:
        if self.index >= len(self.tokens):
            return None
        self.index += 1
        return self.tokens[self.index - 1]


_KINDS = {
    "text": "text", "text_special": "escape", "softbreak": "break", "hardbreak": "break", "code_inline": "code",
    "html_inline": "html", "image": "image", "macro": "macro", "attrs": "attrs", "note": "note",
}  # fmt: skip


_DEEPEST = 50
"""Emphasis in emphasis: what is deeper stands in the tree without it."""


def _nodes(cursor: _Cursor, offsets: _Offsets, content: str, depth: int = 0) -> Iterator[Inline]:
    passed = 0
    while (token := cursor.next()) is not None:
        if token.nesting < 0:
            if not passed:
                return
            passed -= 1
            continue
        if token.nesting > 0 and depth > _DEEPEST:
            passed += 1
            continue
        low, high = token.meta.get("at", (0, 0))
        if token.nesting > 0:
            inner = list(_nodes(cursor, offsets, content, depth + 1))
            closing = cursor.tokens[cursor.index - 1]
            high = closing.meta.get("at", (low, high))[1]
            if token.type == "strong_open":  # of its two signs the inner one became the token
                low, high = low - 1, high + 1
            kind = "link" if token.type == "link_open" else "emphasis"
            kind = "autolink" if token.info == "auto" else kind
            node = _node(kind, low, high, offsets, "")
            node.children = inner
            if kind == "link":
                _link(node, token, offsets, content, low, high)
            yield node
        else:
            if token.type == "text" and len(offsets.pieces) > 1 and high - low == len(token.content):
                for first, last in offsets.parts(low, high):
                    yield _node("text", first, last, offsets, token.content[first - low : last - low])
                continue
            node = _node(_KINDS.get(token.type, "macro"), low, high, offsets, _text_of(token))
            if token.type == "image":
                alt = _Cursor(token.children or [])
                node.children = list(_nodes(alt, offsets.moved(low + 2), token.content, depth))
                node.text = token.content
                _link(node, token, offsets, content, low, high)
            yield node


def _text_of(token: Token) -> str:
    return "\n" if token.type in ("softbreak", "hardbreak") else token.content


def _node(kind: str, low: int, high: int, offsets: _Offsets, text: str) -> Inline:
    start = offsets.at(low)
    if kind == "text" and high > low and (last := offsets.at(high - 1)) is not None:
        end: int | None = last + 1
    else:
        end = offsets.at(high)
    if start is None or end is None:
        return Inline(kind, offsets.start, offsets.end, text, exact=False)
    return Inline(kind, start, end, text)


_TARGET = lazy_re.compile(rf"\]\(\s*(?:<([^<>\n]*)>|((?:{_TAG_MARK}|[^\s]){{0,10000}}+))")


def _link(node: Inline, token: Token, offsets: _Offsets, content: str, low: int, high: int) -> None:
    """Where the address and the text of a link or picture stand."""
    node.href = str(token.attrGet("src" if token.type == "image" else "href") or "")
    node.title = str(token.attrGet("title") or "")
    opening = low + (2 if token.type == "image" else 1)
    closing = _closing_bracket(content, opening, high)
    if closing is None:
        return
    places = offsets.at(opening), offsets.at(closing)
    if places[0] is not None and places[1] is not None:
        node.inner = places[0], places[1]
    found = _TARGET.match(content, closing, high)
    if found is None:
        return
    group = 1 if found[1] is not None else 2
    first, last = found.span(group)
    if group == 2:
        last = first + _balanced(content[first:last])
    places = offsets.at(first), offsets.at(last)
    if places[0] is not None and places[1] is not None:
        node.target = places[0], places[1]


def _closing_bracket(content: str, at: int, end: int) -> int | None:
    """The bracket that closes the text of a link: code and escapes are passed over."""
    depth = 1
    while at < end:
        sign = content[at]
        if sign == "\\":
            at += 1
        elif sign == "`":
            ticks = next(i for i in range(1, end - at + 2) if not content.startswith("`", at + i))
            close = content.find("`" * ticks, at + ticks, end)
            at = close + ticks - 1 if close >= 0 else at + ticks - 1
        elif sign in "[]":
            depth += 1 if sign == "[" else -1
            if not depth:
                return at
        at += 1
    return None


def _balanced(target: str) -> int:
    """How much of a text after `(` is the address: up to the parenthesis that closes it."""
    depth, at = 0, 0
    while at < len(target):
        if target[at] == "\\":
            at += 1
        elif target[at] == "(":
            depth += 1
        elif target[at] == ")":
            if not depth:
                return at
            depth -= 1
        at += 1
    return min(at, len(target))


__all__ = ["Block", "Cell", "Dialect", "Inline", "guess_dialect", "parse", "split_row"]
