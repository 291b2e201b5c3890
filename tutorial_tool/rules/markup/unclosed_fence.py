"""Fences of code that nothing closes, that the next fence's end closes, or whose lines leave their list item."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import find_line_start
from tutorial_tool.markdown.document import CodeBlock, Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.site import Page

_LINE = lazy_re.compile(r"^([ \t>]*)(`{3,}|~{3,})([^`\n]*)$", re.MULTILINE)
_INFO = lazy_re.compile(r"[ \t]*[A-Za-z{][\w+#.{}:-]*(?:[ \t]+[\w-]+[=:].*|[ \t]*\{.*|[ \t]+\S+)?[ \t]*")
_TYPED = lazy_re.compile(r"^([ \t]*)(\S.*?)[ \t]*$", re.MULTILINE)
_HEADING = lazy_re.compile(r"^[ ]{0,3}#{1,6}[ \t]", re.MULTILINE)
_TEMPLATE = lazy_re.compile(r"^[ \t]*\{%-?[ ]*(?:else|elif|endif|endfor)\b|<%[^=\n]*%>", re.MULTILINE)
"""A template tag between two parts of a page: one part may close what the other opens."""
_PROSE = lazy_re.compile(
    r"^[ ]{0,3}(?:(?:[-*+]|\d+[.)])[ ]+\S|[\"“(*_\[]*[A-Z]\w*(?:[ ][^\s{};=]+){3,}.*[.:!?]\W*$)", re.MULTILINE
)
"""A list item or a sentence: looks like text, not like code."""
_MAX_EXTRA_SPACES = 3  # Maximum extra spaces before an opening or closing line


@rule("markup", Severity.ERROR, needs="fences")
def check(page: Page) -> Iterator[Finding]:
    text = page.plain
    fenced = [block for block in page.document.code_blocks if block.fence]
    unpaired = set(_find_unpaired_fences(_LINE.finditer(text))) if fenced else ()
    for block in fenced:
        if text.find(block.fence, block.start) not in unpaired:
            if line := _find_dedented_line(text, block):
                related = [(page, _get_fence_span(text, block), "the code block starts here")]
                message = "this line ends the list item of its code block; indent it like the fence"
                yield page.flag(line, message, related=related)
                return
            continue
        if _TEMPLATE.search(text, block.start, block.end):
            return
        inner = list(_find_inner_fences(text, block))
        if not block.closed:
            yield _report_unclosed(page, text, block, inner)
            return  # from here on, code and text are swapped
        is_sample = block.info.strip().startswith(("md", "markdown"))  # it may show the start of a code block
        opening = (line for line in inner if len(line[2]) >= len(block.fence) and _INFO.fullmatch(line[3]))
        if not is_sample and (following := next(opening, None)):
            related = [(page, Range(following.start(2), following.end()), "this one opens inside it")]
            message = "unclosed code fence before the next one"
            yield page.flag(_get_fence_span(text, block), message, related=related)
            return


def _find_unpaired_fences(lines: Iterable[re.Match[str]]) -> Iterator[int]:
    """Find the starts of fences that are unpaired line by line, too.

    Python-Markdown pairs them line by line, and so do people. A fence in raw HTML is another mistake, and so is one
    that closes outside its list item.
    """
    opening, holds = None, False
    for line in lines:
        if opening is None:
            opening, holds = line, False
        elif line[2].startswith(opening[2]):
            if not line[3].strip():
                if holds:
                    yield opening.start(2)
                opening = None
            holds = True
    if opening is not None:
        yield opening.start(2)


def _find_dedented_line(text: str, block: CodeBlock) -> Range | None:
    """Return the first line of a fence's code that is indented less than its list item and so ends it."""
    if block.closed:
        return None
    opening = text.index(block.fence, block.start)
    before = text[find_line_start(text, opening) : opening]
    if not before.isspace():
        return None
    lines = _LINE.finditer(text, text.find("\n", opening) + 1)
    end = next((line for line in lines if line[2].startswith(block.fence) and not line[3].strip()), None)
    match = _TYPED.search(text, block.end)
    if end is None or match is None or match.start() > end.start(2) or len(match[1]) >= len(before):
        return None
    return Range(match.start(2), match.end(2))


def _find_inner_fences(text: str, block: CodeBlock) -> Iterator[re.Match[str]]:
    """Yield the lines inside a block that look like fences of the same kind, not indented more."""
    line = text[block.start : block.content_start]
    indent = line.index(block.fence) if block.fence in line else 0
    for match in _LINE.finditer(text, block.content_start, block.content_end):
        if match[2][0] == block.fence[0] and len(match[1].expandtabs(4)) <= indent + _MAX_EXTRA_SPACES:
            yield match


def _report_unclosed(page: Page, text: str, block: CodeBlock, inner: list[re.Match[str]]) -> Finding:
    is_last = not text[block.end :].strip()
    message = f"{'the rest of the page' if is_last else 'what follows'} is published as code"
    if page.publishing_dialect is Dialect.PYTHON_MARKDOWN:
        message = "Python-Markdown publishes it as text"
    elif not inner and _is_all_code(text, block, is_last=is_last):
        message = f"the {'page' if is_last else 'block around it'} ends within it"
        severity = Severity.HINT if page.dialect is Dialect.MYST else Severity.WARNING
        return page.flag(_get_fence_span(text, block), f"unclosed code fence: {message}", severity=severity)
    return page.flag(_get_fence_span(text, block), f"unclosed code fence: {message}")


def _is_all_code(text: str, block: CodeBlock, *, is_last: bool) -> bool:
    """Return whether an unclosed fence contains no part of the page, so that it renders as intended."""
    shown = block.content_start, block.content_end  # a list item has no headings, but its code has comments
    return not ((is_last and _HEADING.search(text, *shown)) or _PROSE.search(text, *shown))


def _get_fence_span(text: str, block: CodeBlock) -> Range:
    start = text.index(block.fence, block.start)
    return Range(start, start + len(text[start : block.end].split("\n", 1)[0].rstrip()))
