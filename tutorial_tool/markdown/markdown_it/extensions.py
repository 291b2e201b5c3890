"""Grammar extensions for site generators: containers, macros, shortcodes, directives, JSX.

Rules for the Markdown library: each takes a line or character, adds tokens, and returns whether it matched.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.shortcodes import MAX_LENGTH
from tutorial_tool.markdown.table_rows import get_line

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_CLOSES = {"{{": "}}", "{%": "%}", "{#": "#}", "$$": "$$"}
_ALERT = lazy_re.compile(r"\[![A-Za-z]+\][+-]?(?=[ \t]*(?:\n|$))")
_ATTRS = lazy_re.compile(r"\{(?::| ?[#.]| ?id ?=| ?data-| ?[\w-]+=\")[^{}\n]*\}")
_ABBREVIATION = lazy_re.compile(r"\*\[[^\]\n]{1,200}\]:")
_NOTE = lazy_re.compile(r"\[\^[^\]\s]{1,60}\]:?")


def parse_macro(state: StateInline, silent: bool) -> bool:
    """Parse `{{ }}`, `{% %}`, `{# #}` of a template engine or a shortcode, or a `$$ $$` formula."""
    closing = _CLOSES.get(state.src[state.pos : state.pos + 2])
    if closing is None or _find_last(state.src, closing) < state.pos + 2:
        return False
    end = state.src.find(closing, state.pos + 2, min(state.posMax, state.pos + MAX_LENGTH))
    return end >= 0 and _push_inline(state, silent, "macro", end + 2)


@lru_cache(maxsize=16)
def _find_last(text: str, closing: str) -> int:
    """Return the last offset of a mark, so that no opening mark after it is searched for its end."""
    return text.rfind(closing)


def parse_alert(state: StateInline, silent: bool) -> bool:
    """Parse `[!NOTE]`, the first line of a quotation that is an alert."""
    if state.pos or state.src[:2] != "[!" or (match := _ALERT.match(state.src)) is None:
        return False
    return _push_inline(state, silent, "note", match.end())


def parse_attrs(state: StateInline, silent: bool) -> bool:
    """Parse `{: #id .class }` of `attr_list`, `{#id}`, or `{id="a"}`."""
    match = _ATTRS.match(state.src, state.pos)
    return bool(match) and _push_inline(state, silent, "attrs", match.end())  # type: ignore[union-attr]


def parse_note(state: StateInline, silent: bool) -> bool:
    """Parse a footnote reference, or the marker that starts a footnote."""
    if not state.src.startswith("[^", state.pos):
        return False
    match = _NOTE.match(state.src, state.pos)
    return bool(match) and _push_inline(state, silent, "note", match.end())  # type: ignore[union-attr]


def parse_abbreviation(state: StateInline, silent: bool) -> bool:
    """Parse `*[HTML]:` at the start of a line, before the expansion of an abbreviation."""
    if not state.src.startswith("*[", state.pos) or state.src[state.pos - 1 : state.pos] not in ("", "\n"):
        return False
    match = _ABBREVIATION.match(state.src, state.pos)
    return bool(match) and _push_inline(state, silent, "note", match.end())  # type: ignore[union-attr]


def parse_expression(state: StateInline, silent: bool) -> bool:
    """Parse an MDX expression `{…}`, up to the matching brace."""
    if state.src[state.pos] != "{":
        return False
    end = _match_braces(state.src).get(state.pos)
    return end is not None and _push_inline(state, silent, "macro", end + 1)


def parse_jsx_tag(state: StateInline, silent: bool) -> bool:
    """Parse a tag whose attributes may be expressions, as no HTML tag has."""
    if state.src[state.pos] != "<" or (end := _find_tag_end(state.src, state.pos, state.posMax)) is None:
        return False
    return _push_inline(state, silent, "html_inline", end)


_BRACE = lazy_re.compile(
    r"""[{}]|(?<=[\s:,(\[{=?+&|!])(?:"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')|(?<!`)`(?!`)(?:[^`\\]|\\.)*+`(?!`)"""
)
"""A brace, or a quoted text, whose braces do not count."""


@lru_cache(maxsize=2)
def _match_braces(text: str) -> dict[int, int]:
    """Return the offset of the closing brace for each `{`, all in one pass so that it takes linear time."""
    closed: dict[int, int] = {}
    waiting: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            waiting.append(match.start())
        elif match[0] == "}" and waiting:
            closed[waiting.pop()] = match.start()
    return closed


_TAG_NAME = lazy_re.compile(r"</?(?:[A-Za-z][\w.:-]*+)?(?=[\s/>])")
_TAG_TEXT = lazy_re.compile(r"[^<>\"'{}]*+")


def _find_tag_end(text: str, at: int, end: int) -> int | None:
    """Return the end of the tag that starts at `at`, after its `>`; quoted and braced values hold anything."""
    name = _TAG_NAME.match(text, at, end)
    match = name and _TAG_TEXT.match(text, name.end(), end)
    while match is not None:
        at = match.end()
        sign = text[at] if at < end else ""
        if sign == ">":
            return at + 1
        if sign == "{":
            close = _match_braces(text).get(at, -1)
        elif sign and sign in "\"'":
            close = text.find(sign, at + 1, min(end, at + MAX_LENGTH))
        else:
            return None
        if not 0 <= close < end:
            return None
        match = _TAG_TEXT.match(text, close + 1, end)
    return None


def parse_shortcode_tag(state: StateInline, silent: bool) -> bool:
    """Parse a tag with a shortcode in a quoted value, whose own quotes end that value in a browser."""
    if state.src[state.pos] != "<" or (end := _find_tag_end(state.src, state.pos, state.posMax)) is None:
        return False
    return state.src.find("{{", state.pos, end) >= 0 and _push_inline(state, silent, "html_inline", end)


def _push_inline(state: StateInline, silent: bool, kind: str, end: int) -> bool:
    if end > state.posMax:
        return False
    if not silent:
        state.push(kind, "", 0)
    state.pos = end
    return True


# Blocks that CommonMark does not have

_INDENTED = lazy_re.compile(
    r"(?:!!!|\?\?\?[+-]?)[ ]*(?P<word>[\w -]+?)(?:[ ]*\"(?P<title>.*)\")?[ ]*$|===[+!]*[ ]+\"(?P<tab>.*)\"[ ]*$"
)
_FENCED = lazy_re.compile(
    r"(?P<fence>:{3,}|/{3,})[ ]*(?P<word>[\w-]+)(?:[ ]*(?:\[(?P<label>[^\]]*)\]|\|?[ ]*(?P<title>[^{\n]*)))?"
)
_ONLY_MACRO = lazy_re.compile(
    r"(?:(?:\{%(?>(?:(?!%\}).)*)%\}|\{\{(?>(?:(?!\}\}).)*)\}\}|\{#(?>(?:(?!#\}).)*)#\})[ ]*+)+$"
    r"|;?-+8<-+.*$|\[TOC\][ ]*$"
)
_DIRECTIVE_FENCE = lazy_re.compile(
    r"(?P<fence>`{3,}|~{3,}|:{3,})[ ]*\{(?P<name>[\w:.+-]+)\}[ \t]*(?P<title>[^\n]*?)[ \t]*$"
)
_READ_DIRECTIVES = frozenset(
    """attention caution danger error hint important note tip warning seealso versionadded versionchanged deprecated
    epigraph highlights pull-quote figure image margin sidebar aside div container only tab-set grid grid-item
    """.split()
)
_TITLED_DIRECTIVES = frozenset("admonition dropdown details tab-item card grid-item-card topic rubric exercise".split())
"""Directives of Docutils, Sphinx, MyST and sphinx-design whose content is Markdown; those whose argument is a title."""
_OPTION = lazy_re.compile(r"[ \t]*:[\w-]+:(?:[ \t]|$)")
_MYST_LINE = lazy_re.compile(r"\([^\s()]+\)=[ \t]*$|%(?:[ \t]|$)|\+\+\+(?:[ \t]|$)")
_ROLE = lazy_re.compile(r"\{[A-Za-z][\w:.+-]*\}(?P<ticks>`+)(?!`)[^\n]{1,2000}?(?<!`)(?P=ticks)(?!`)")
_VERBATIM = lazy_re.compile(
    r"\{\{[<%]\s*(?P<name>highlight|mermaid|katex|math|latex|chem|plantuml|diagram|comment|code|raw|rawhtml)(?=[\s>%])"
    r"|\{%-?\s*(?P<tag>highlight|comment|mermaid)(?=[\s%-])"
)
_ATTRIBUTE_LINE = lazy_re.compile(r"\{(?::|[.#][\w-])[^{}]*\}[ \t]*$")
_MARKDOWN_TAG = lazy_re.compile(r"<[a-z][\w-]*+\s(?:[^<>]*\s)?markdown(?:=|\s*>)")
_SNIPPETS = lazy_re.compile(r"-+8<-+[ ]*$")
_HANGING = lazy_re.compile(r"(?P<note>\[\^[^\]\s]{1,60}\]:[ \t]*)|:[ ]{1,3}(?=\S)")
_IMPORT = r"import\s*(?:['\"]|(?:[\w$]+\s*,\s*)?(?:\{|\*\s*as\b)|[\w$]+\s+from\b)"
_EXPORT = r"export\s+(?:(?:default|const|let|var|function|async|class|type|interface)\b|[{*])"
_ESM = lazy_re.compile(f"{_IMPORT}|{_EXPORT}")


def parse_indented(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse `!!! note "Title"`, `??? note` or `=== "Tab"`, with a body indented by four."""
    if state.sCount[start] - state.blkIndent >= 4:
        return False
    line = get_line(state, start)
    match = _INDENTED.match(line) if line[:3] in ("!!!", "???", "===") else None
    if match is None:
        return False
    if silent:
        return True
    group = next((name for name in ("title", "tab") if match[name] is not None), "")
    _open_container(state, start, (match["word"] or group).strip(), match, group)
    last = _find_indented_end(state, start, end)
    _parse_body(state, start + 1, last, state.blkIndent + 4)
    state.line = last
    return True


def _find_indented_end(state: StateBlock, start: int, end: int) -> int:
    last = start + 1
    while last < end and (state.isEmpty(last) or state.sCount[last] >= state.blkIndent + 4):
        last += 1
    return _skip_empty_lines(state, start, last)


def _skip_empty_lines(state: StateBlock, start: int, last: int) -> int:
    """Return the end of a body that ends before line `last`, without the empty lines there."""
    while last > start + 1 and state.isEmpty(last - 1):
        last -= 1
    return last


def parse_fenced(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse `:::note[Title]` or `/// note | Title`, up to the closing line."""
    line = get_line(state, start)
    match = _FENCED.match(line) if line[:3] in (":::", "///") else None
    if match is None or state.sCount[start] - state.blkIndent >= 4:
        return False
    if silent:
        return True
    sign, depth, last = match["fence"][0], 1, start + 1
    if line.rstrip().endswith(match["fence"]):  # `:::image source="a.png":::` of DocFX
        return _push_lines(state, start, last, "macro")
    while last < end and (state.isEmpty(last) or state.sCount[last] >= state.blkIndent):
        inner = get_line(state, last).rstrip()
        if inner.startswith(sign * 3):
            depth += 1 if inner.strip(sign).strip() else -1
            if not depth:
                break
        last += 1
    group = "label" if match["label"] else "title" if (match["title"] or "").strip() else ""
    _open_container(state, start, match["word"], match, group)
    token = _parse_body(state, start + 1, last, state.blkIndent)
    state.line = min(last + 1, end)
    token.map = [start, state.line]
    return True


def _open_container(state: StateBlock, line: int, word: str, match: re.Match[str], group: str) -> None:
    token = state.push("container_open", "div", 1)
    base = state.bMarks[line] + state.tShift[line]
    token.info = word
    token.map = [line, line + 1]
    token.meta["title"] = (base + match.start(group), base + match.end(group)) if group else None


def _parse_body(state: StateBlock, first: int, last: int, indent: int) -> Token:
    """Read the lines of a container, and close it."""
    opened = state.tokens[-1]
    before = state.blkIndent, state.lineMax, state.parentType
    state.blkIndent, state.lineMax, state.parentType = indent, last, "container"
    state.md.block.tokenize(state, first, last)
    state.blkIndent, state.lineMax, state.parentType = before
    state.push("container_close", "div", -1)
    opened.map = [opened.map[0] if opened.map else first, last]
    return opened


def parse_macro_line(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """Parse a line with nothing but a macro, shortcode or snippet."""
    if state.sCount[start] - state.blkIndent >= 4 or not _ONLY_MACRO.match(get_line(state, start)):
        return False
    return silent or _push_lines(state, start, start + 1, "macro")


def parse_directive(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a MyST directive whose content is Markdown: between fences or colons, after its options."""
    line = get_line(state, start)
    match = _DIRECTIVE_FENCE.match(line)
    if match is None or state.sCount[start] - state.blkIndent >= 4:
        return False
    name = match["name"].lower()  # as Docutils reads it
    is_titled = name in _TITLED_DIRECTIVES
    is_read = is_titled or name in _READ_DIRECTIVES
    if not is_read and line[0] != ":":
        return False
    if silent:
        return True
    sign, count, last = match["fence"][0], len(match["fence"]), start + 1
    while last < end:
        inner = get_line(state, last).strip()
        if inner.startswith(match["fence"]) and inner.strip(sign) == "" and len(inner) >= count:
            break
        last += 1
    if not is_read:
        return _push_lines(state, start, min(last + 1, end), "macro")
    _open_container(state, start, name, match, "title" if match["title"] and is_titled else "")
    token = _parse_body(state, _skip_options(state, start + 1, last), last, state.blkIndent)
    state.line = min(last + 1, end)
    token.map = [start, state.line]
    return True


def _skip_options(state: StateBlock, first: int, last: int) -> int:
    """Return the line after a directive's options: `:key: value` lines, or YAML between `---` lines."""
    if first < last and get_line(state, first).strip() == "---":
        closing = (line for line in range(first + 1, last) if get_line(state, line).strip() == "---")
        return next(closing, first - 1) + 1
    while first < last and _OPTION.match(get_line(state, first)):
        first += 1
    return first


def parse_myst_line(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """Parse a MyST line with a target, a comment, or a block break."""
    if state.sCount[start] - state.blkIndent >= 4 or not _MYST_LINE.match(get_line(state, start)):
        return False
    return silent or _push_lines(state, start, start + 1, "macro")


def parse_role(state: StateInline, silent: bool) -> bool:
    """Parse a MyST role with its argument: ``{doc}`target` ``."""
    match = _ROLE.match(state.src, state.pos)
    return bool(match) and _push_inline(state, silent, "macro", match.end())  # type: ignore[union-attr]


def parse_verbatim(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a pair of shortcodes or Liquid tags around non-Markdown: code, a diagram, a formula, a comment."""
    if state.sCount[start] - state.blkIndent >= 4 or (match := _VERBATIM.match(get_line(state, start))) is None:
        return False
    name = match["name"] or match["tag"]
    closing = re.compile(rf"\{{\{{[<%]\s*/\s*{name}\s*[>%]\}}\}}|\{{%-?\s*end{name}\s*-?%\}}")
    first = state.bMarks[start]
    close = closing.search(state.src, first, min(first + MAX_LENGTH, state.eMarks[end - 1]))
    if close is None:
        return False
    last = start
    while state.eMarks[last] < close.end():
        last += 1
    return silent or _push_lines(state, start, last + 1, "macro")


def parse_attribute_line(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """Match attributes below a table or quotation, which they end. Elsewhere they belong to a paragraph."""
    return silent and _ATTRIBUTE_LINE.match(get_line(state, start)) is not None


def parse_snippets(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse lines of file names between two lines of `--8<--`."""
    last = start + 1
    if not _SNIPPETS.match(get_line(state, start)):
        return False
    while last < end and not state.isEmpty(last) and not _SNIPPETS.match(get_line(state, last)):
        last += 1
    closed = last < end and not state.isEmpty(last)
    return closed and (silent or _push_lines(state, start, last + 1, "macro"))


def parse_formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a formula between two lines of `$$`."""
    if get_line(state, start).rstrip() != "$$" or state.sCount[start] - state.blkIndent >= 4:
        return False
    for last in range(start + 1, end):
        if get_line(state, last).rstrip() == "$$":
            return silent or _push_lines(state, start, last + 1, "macro")
        if state.isEmpty(last):
            break
    return False


def parse_note_body(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse `[^1]: a footnote`, with further paragraphs indented by four."""
    return _parse_hanging(state, start, end, silent, "footnote")


def parse_definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse the definition of a term, `: definition`, with further paragraphs indented by four."""
    return _parse_hanging(state, start, end, silent, "definition")


def _parse_hanging(state: StateBlock, start: int, end: int, silent: bool, kind: str) -> bool:
    match = _HANGING.match(get_line(state, start))
    if match is None or bool(match["note"]) != (kind == "footnote") or state.sCount[start] - state.blkIndent >= 4:
        return False
    if silent:
        return True
    _open_container(state, start, kind, match, "")
    last = _find_hanging_end(state, start, end)
    before = state.bMarks[start], state.tShift[start], state.sCount[start]
    begin = before[0] + before[1] + match.end()
    state.bMarks[start], state.tShift[start], state.sCount[start] = begin, 0, state.blkIndent + 4
    _parse_body(state, start, last, state.blkIndent + 4)
    state.bMarks[start], state.tShift[start], state.sCount[start] = before
    state.line = last
    return True


def _find_hanging_end(state: StateBlock, start: int, end: int) -> int:
    rules = state.md.block.ruler.getRules("paragraph")
    last = start + 1
    while last < end:
        lazy = not state.isEmpty(last - 1) and not any(rule(state, last, end, True) for rule in rules)
        if not (state.isEmpty(last) or lazy or state.sCount[last] >= state.blkIndent + 4):
            break
        last += 1
    return _skip_empty_lines(state, start, last)


def parse_jsx_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse lines with only JSX tags and expressions: the text between such lines is Markdown."""
    at, limit = state.bMarks[start] + state.tShift[start], state.eMarks[end - 1]
    line, is_found = start, False
    while (after := _find_piece_end(state.src, at, limit)) is not None:
        is_found = is_found or state.src[at] == "<"
        at = after
        while at < limit and state.src[at] in " \t":
            at += 1
    while line < end and state.eMarks[line] < at:
        line += 1
    if not is_found or at < state.eMarks[line]:
        return False
    return silent or _push_lines(state, start, line + 1, "html_block")


def _find_piece_end(text: str, at: int, end: int) -> int | None:
    """Return the end of the tag or expression that starts at `at`."""
    if text.startswith("<", at):
        return _find_tag_end(text, at, end)
    close = _match_braces(text).get(at, end)
    return close + 1 if close < end else None


def parse_markdown_tag(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """Parse a line with a tag that has the `markdown` attribute: its content is Markdown (`md_in_html`)."""
    line = get_line(state, start)
    if not _MARKDOWN_TAG.match(line) or _find_tag_end(line, 0, len(line)) != len(line.rstrip()):
        return False
    return silent or _push_lines(state, start, start + 1, "html_block")


def parse_esm(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse `import` and `export` of MDX, up to a blank line outside braces and template literals."""
    if state.blkIndent or state.sCount[start] or not _ESM.match(get_line(state, start)):
        return False
    last, depth, is_literal = start, 0, False
    while last < end and (depth > 0 or is_literal or not state.isEmpty(last)):
        line = get_line(state, last)
        depth += line.count("{") - line.count("}")
        is_literal ^= (line.count("`") - line.count("\\`")) % 2 == 1
        last += 1
    return silent or _push_lines(state, start, last, "esm")


def parse_paragraph(state: StateBlock, start: int, _end: int, _silent: bool) -> bool:
    """Parse a paragraph of MDX, where no indentation makes code: an indented line, too, may start another block."""
    rules = state.md.block.ruler.getRules("paragraph")
    last, around, state.parentType = start + 1, state.parentType, "paragraph"
    while last < state.lineMax and not state.isEmpty(last):
        if state.sCount[last] >= 0 and any(rule(state, last, state.lineMax, True) for rule in rules):
            break
        last += 1
    state.line, state.parentType = last, around
    state.push("paragraph_open", "p", 1).map = [start, last]
    token = state.push("inline", "", 0)
    token.content = state.getLines(start, last, state.blkIndent, False).strip()
    token.map, token.children = [start, last], []
    state.push("paragraph_close", "p", -1)
    return True


def parse_expression_lines(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse lines with only an MDX expression or comment, in braces."""
    at = state.bMarks[start] + state.tShift[start]
    close = _match_braces(state.src).get(at)
    if close is None:
        return False
    last = start
    while last < end and state.eMarks[last] <= close:
        last += 1
    if last == end or state.src[close + 1 : state.eMarks[last]].strip():
        return False
    return silent or _push_lines(state, start, last + 1, "macro")


def parse_jsx_comment(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse lines with only an MDX comment, `{/* … */}`, in any dialect: it is never meant to be read."""
    at = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("{/*", at) or state.sCount[start] - state.blkIndent >= 4:
        return False
    close = state.src.find("*/}", at, min(at + MAX_LENGTH, state.eMarks[end - 1]))
    last = start
    while last < end and state.eMarks[last] <= close:
        last += 1
    if close < 0 or state.src[close + 3 : state.eMarks[last]].strip():
        return False
    return silent or _push_lines(state, start, last + 1, "macro")


def _push_lines(state: StateBlock, start: int, last: int, kind: str) -> bool:
    token = state.push(kind, "", 0)
    token.map = [start, last]
    token.content = "\n".join(get_line(state, line) for line in range(start, last))
    state.line = last
    return True
