"""Adapter for markdown-it-py: its tokens with page offsets.

The library reports lines of blocks, but no columns. Here its inline parser records the offset of each token in the
content; the lines of the content are then located in the page. It is loaded only for pages with syntax that the fast
parser does not support.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

from markdown_it import MarkdownIt, helpers
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.parser_inline import ParserInline, RuleFuncInlineType
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import MAX_DEPTH
from tutorial_tool.core.offsets import Offsets
from tutorial_tool.markdown.ast import Inline
from tutorial_tool.markdown.dialects import HAS_SPANS, JSX, Dialect
from tutorial_tool.markdown.fast_path.blocks import Lines
from tutorial_tool.markdown.markdown_it import extensions
from tutorial_tool.markdown.markdown_it.dispatch import BlockParser, build_state
from tutorial_tool.markdown.table_rows import parse_table, parse_table_with_spans

# Inline tokens with their offsets

_SIGNS = {
    "newline": "\n", "escape": "\\", "backticks": "`", "strikethrough": "~", "emphasis": "*_", "link": "[",
    "image": "!", "autolink": "<", "html_inline": "<", "entity": "&", "note": "[", "alert": "[",
    "abbreviation": "*", "attrs": "{", "expression": "{", "macro": "{$", "jsx_tag": "<",
    "shortcode_tag": "<", "role": "{",
}  # fmt: skip
"""The first characters of each rule's text."""


class _InlineParser(ParserInline):
    """The library's inline parser, extended to record the (start, end) of tokens in the content."""

    def _get_rules(self, sign: str) -> list[RuleFuncInlineType]:
        """Return the rules that may start at a character: most apply to one character only."""
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
            for rule in self._get_rules(state.src[start]) if state.level < deepest else ():
                if rule(state, False):
                    matched = True
                    break
            if matched:
                _set_offsets(state, count, start, text_start if waiting else None)
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


def _set_offsets(state: StateInline, count: int, start: int, text_start: int | None) -> None:
    """Record the offsets of tokens made by one rule; the first may be text pending since `text_start`."""
    at = start
    for index, token in enumerate(state.tokens[count:]):
        if "at" in token.meta:
            continue
        if index == 0 and token.type == "text" and text_start is not None:
            token.meta["at"] = text_start, text_start + len(token.content)
        elif token.type == "text":  # emphasis markers, one by one
            token.meta["at"] = at, at + len(token.content)
            at += len(token.content)
        elif token.type == "link_open":
            token.meta["at"] = start, start + 1
        else:
            token.meta["at"] = start, state.pos


_SEARCHED = -1  # The key, in the library's cache, of the number of characters searched for ends of labels


def _find_label_end(state: StateInline, start: int, disableNested: bool = False) -> int:  # noqa: N803 - its caller names it
    """Return the end of a link's label, or -1.

    Each unclosed `[` scans all the text after it: in a block with thousands, the last ones stay text.
    """
    searched = state.cache.get(_SEARCHED, 0)
    if searched > 100_000 + 4 * len(state.src):
        return -1
    end = helpers.parseLinkLabel(state, start, disableNested)
    state.cache[_SEARCHED] = searched + (end if end >= 0 else state.posMax) - start
    return end


_HELPERS = SimpleNamespace(
    parseLinkLabel=_find_label_end,
    parseLinkDestination=helpers.parseLinkDestination,
    parseLinkTitle=helpers.parseLinkTitle,
)
_TAG_MARK = r"\{\{[^\n]{0,1000}?\}\}|\{%[^\n]{0,1000}?%\}"
_COMPUTED = lazy_re.compile(rf"(?:{_TAG_MARK})(?:{_TAG_MARK}|[^\s(){{}}<>]){{0,1000}}+")


def _parse_destination(text: str, start: int, end: int) -> SimpleNamespace:
    """Parse a link destination; one that starts with a shortcode or tag may contain spaces."""
    match = _COMPUTED.match(text, start, end) if text.startswith(("{{", "{%"), start) else None
    if match is None:
        return helpers.parseLinkDestination(text, start, end)  # type: ignore[return-value]
    return SimpleNamespace(ok=True, pos=match.end(), str=match[0])


_REPLACING = SimpleNamespace(**{**vars(_HELPERS), "parseLinkDestination": _parse_destination})
"""Helpers for dialects whose engine fills in URLs before it parses the Markdown."""


_INTERRUPTS: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
_TABLE: RuleOptionsType = {"alt": ["paragraph", "reference"]}


@cache
def get_parser(dialect: Dialect) -> MarkdownIt:
    """Return the library's parser, configured for a dialect."""
    md = MarkdownIt("commonmark", {"maxNesting": 60, "store_labels": True})
    md.block, md.inline = BlockParser(), _InlineParser()
    is_replaced = dialect in (Dialect.HUGO, Dialect.KRAMDOWN)
    md.helpers = _REPLACING if is_replaced else _HELPERS  # type: ignore[assignment]
    md.inline.ruler.disable(["linkify"])
    md.inline.ruler2.disable(["fragments_join"])
    md.core.ruler.disable(["text_join"])
    jsx = dialect in JSX
    if dialect is Dialect.MDX:
        md.disable(["code", "html_block"])
        md.block.ruler.at("paragraph", extensions.parse_paragraph)
    for name, rule in _get_inline_rules(dialect).items():
        md.inline.ruler.before("emphasis", name, rule)
    for name, block_rule in _get_block_rules(dialect).items():
        md.block.ruler.before("fence", name, block_rule, _INTERRUPTS)
    if not jsx:
        md.block.ruler.before("fence", "jsx_comment", extensions.parse_jsx_comment)
    if is_replaced:
        md.block.ruler.before("fence", "attribute_line", extensions.parse_attribute_line, {"alt": ["blockquote"]})
    md.block.ruler.at("table", parse_table_with_spans if dialect in HAS_SPANS else parse_table, _TABLE)
    return md


class LibraryReader:
    """Reads the blocks and inline text that the fast parser does not support."""

    def __init__(self, text: str, lines: Lines, dialect: Dialect, definitions: MutableMapping[str, Any]) -> None:
        """Prepare the library for a page.

        `definitions` are the link reference definitions of the blocks read so far.
        """
        self.library, self.definitions = get_parser(dialect), definitions
        self.state = build_state(text, lines, self.library, definitions)

    def read_block(self, line: int) -> tuple[list[Token], int]:
        """Return the tokens of the top-level block that starts on a line, and the line after it."""
        state = self.state
        state.line, state.tokens, state.parentType = line, [], "root"
        (rule,) = self.library.block.ruler.getRules("")
        rule(state, line, state.lineMax, False)
        return state.tokens, state.line

    def read_nodes(self, content: str, offsets: Offsets) -> list[Inline]:
        """Return the nodes of a block's content, once all blocks have been read."""
        tokens = self.library.inline.parse(content, self.library, self.definitions, [])
        return list(build_nodes(Cursor(tokens), offsets, content))


# Tokens into nodes


class Cursor:
    """A cursor over tokens, shared by the nested calls of `build_nodes`: each stops at its closing token."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.index = tokens, 0

    def advance(self) -> Token | None:
        if self.index >= len(self.tokens):
            return None
        self.index += 1
        return self.tokens[self.index - 1]


_KINDS = {
    "text": "text", "text_special": "escape", "softbreak": "break", "hardbreak": "break", "code_inline": "code",
    "html_inline": "html", "image": "image", "macro": "macro", "attrs": "attrs", "note": "note",
}  # fmt: skip


def _get_inline_rules(dialect: Dialect) -> dict[str, RuleFuncInlineType]:
    rules: dict[str, RuleFuncInlineType]
    rules = {
        "alert": extensions.parse_alert,
        "note": extensions.parse_note,
        "macro": extensions.parse_macro,
        "attrs": extensions.parse_attrs,
    }
    rules |= {"abbreviation": extensions.parse_abbreviation} if dialect is Dialect.PYTHON_MARKDOWN else {}
    rules |= {"expression": extensions.parse_expression, "jsx_tag": extensions.parse_jsx_tag} if dialect in JSX else {}
    rules |= {"role": extensions.parse_role} if dialect is Dialect.MYST else {}
    rules |= {"shortcode_tag": extensions.parse_shortcode_tag} if dialect is Dialect.HUGO else {}
    return rules


def _get_block_rules(dialect: Dialect) -> dict[str, RuleFuncBlockType]:
    is_replaced = dialect in (Dialect.HUGO, Dialect.KRAMDOWN)
    rules: dict[str, RuleFuncBlockType] = {"verbatim": extensions.parse_verbatim} if is_replaced else {}
    rules |= (
        {"directive": extensions.parse_directive, "myst_line": extensions.parse_myst_line}
        if dialect is Dialect.MYST
        else {}
    )
    rules |= {
        "indented": extensions.parse_indented,
        "fenced": extensions.parse_fenced,
        "snippets": extensions.parse_snippets,
    }
    rules |= {
        "macro_line": extensions.parse_macro_line,
        "formula": extensions.parse_formula,
        "footnote": extensions.parse_note_body,
    }
    rules |= {"markdown_tag": extensions.parse_markdown_tag}
    if is_replaced or dialect in (Dialect.PYTHON_MARKDOWN, Dialect.MYST):
        rules["definition"] = extensions.parse_definition
    if dialect in JSX:
        rules |= {
            "esm": extensions.parse_esm,
            "jsx": extensions.parse_jsx_line,
            "expression_lines": extensions.parse_expression_lines,
        }
    return rules


def build_nodes(cursor: Cursor, offsets: Offsets, content: str, depth: int = 0) -> Iterator[Inline]:
    """Yield the inline nodes for the tokens of a block's content."""
    passed = 0
    while (token := cursor.advance()) is not None:
        if token.nesting < 0:
            if not passed:
                return
            passed -= 1
            continue
        if token.nesting > 0 and depth > MAX_DEPTH:
            passed += 1
            continue
        low, high = token.meta.get("at", (0, 0))
        if token.nesting > 0:
            yield _build_parent_node(cursor, token, offsets, content, depth)
        elif token.type == "text" and len(offsets.pieces) > 1 and high - low == len(token.content):
            for first, last in offsets.split_pieces(low, high):
                yield _build_node("text", first, last, offsets, token.content[first - low : last - low])
        else:
            text = "\n" if token.type in ("softbreak", "hardbreak") else token.content
            node = _build_node(_KINDS.get(token.type, "macro"), low, high, offsets, text)
            if token.type == "image":
                node.children = list(
                    build_nodes(Cursor(token.children or []), offsets.shift_start(low + 2), token.content, depth)
                )
                node.text = token.content
                _locate_link(node, token, offsets, content, low, high)
            yield node


def _build_parent_node(cursor: Cursor, token: Token, offsets: Offsets, content: str, depth: int) -> Inline:
    """Return the node that an opening token starts, with everything up to its closing token."""
    low, high = token.meta.get("at", (0, 0))
    inner = list(build_nodes(cursor, offsets, content, depth + 1))
    high = cursor.tokens[cursor.index - 1].meta.get("at", (low, high))[1]
    if token.type == "strong_open":  # the inner of its two markers became the token
        low, high = low - 1, high + 1
    kind = "autolink" if token.info == "auto" else "link" if token.type == "link_open" else "emphasis"
    node = _build_node(kind, low, high, offsets, "")
    node.children = inner
    if kind == "link":
        _locate_link(node, token, offsets, content, low, high)
    return node


def _build_node(kind: str, low: int, high: int, offsets: Offsets, text: str) -> Inline:
    start = offsets.get_page_offset(low)
    if kind == "text" and high > low and (last := offsets.get_page_offset(high - 1)) is not None:
        end: int | None = last + 1
    else:
        end = offsets.get_page_offset(high)
    if start is None or end is None:
        return Inline(kind, offsets.start, offsets.end, text, exact=False)
    return Inline(kind, start, end, text)


_TARGET = lazy_re.compile(rf"\]\(\s*(?:<([^<>\n]*)>|((?:{_TAG_MARK}|[^\s]){{0,10000}}+))")


def _locate_link(node: Inline, token: Token, offsets: Offsets, content: str, low: int, high: int) -> None:
    """Set the spans of the URL and the text of a link or image."""
    node.href = str(token.attrGet("src" if token.type == "image" else "href") or "")
    node.title = str(token.attrGet("title") or "")
    opening = low + (2 if token.type == "image" else 1)
    closing = _find_closing_bracket(content, opening, high)
    if closing is None:
        return
    places = offsets.get_page_offset(opening), offsets.get_page_offset(closing)
    if places[0] is not None and places[1] is not None:
        node.inner = places[0], places[1]
    match = _TARGET.match(content, closing, high)
    if match is None:
        return
    group = 1 if match[1] is not None else 2
    first, last = match.span(group)
    if group == 2:
        last = first + _measure_destination(content[first:last])
    places = offsets.get_page_offset(first), offsets.get_page_offset(last)
    if places[0] is not None and places[1] is not None:
        node.target = places[0], places[1]


def _find_closing_bracket(content: str, at: int, end: int) -> int | None:
    """Return the offset of the bracket that closes a link's text, skipping code and escapes."""
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


def _measure_destination(target: str) -> int:
    """Return the length of the URL after `(`, up to the matching parenthesis."""
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
