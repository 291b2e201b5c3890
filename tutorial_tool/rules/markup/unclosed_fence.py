"""Fences of code that nothing closes, that the next fence's end closes, or whose lines leave their list item."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import attrgetter

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import CodeBlock, Document, Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.site import Page

_LINE = lazy_re.compile(r"^([ \t>]*)(`{2,}|~{2,}|:{3,})([^`\n]*)$", re.MULTILINE)
_DIRECTIVE = lazy_re.compile(r"[ \t>]*(?P<fence>`{3,}|~{3,}|:{3,})[ ]*\{[\w:.+-]+\}")
_INFO = lazy_re.compile(r"[ \t]*[A-Za-z{][\w+#.{}:-]*(?:[ \t]+[\w-]+[=:].*|[ \t]*\{.*|[ \t]+\S+)?[ \t]*")
_TYPED = lazy_re.compile(r"^([ \t]*)(\S.*?)[ \t]*$", re.MULTILINE)
_HEADING = lazy_re.compile(r"^[ ]{0,3}#{1,6}[ \t]", re.MULTILINE)
_TEMPLATE = lazy_re.compile(r"^[ \t]*\{%-?[ ]*(?:else|elif|endif|endfor)\b", re.MULTILINE)
"""A tag of a template between two parts of a page, of which one may close what the other opens."""
_SHORT = lazy_re.compile(r"^[ ]{0,3}(``)(?=[A-Za-z][\w+-]*[ \t]*$)", re.MULTILINE)
"""What begins a fence, and has a sign too few."""
_HOLDS = "{}"  # What a directive is called here, whatever its name
_PROSE = lazy_re.compile(
    r"^[ ]{0,3}(?:(?:[-*+]|\d+[.)])[ ]+\S|[\"“(*_\[]*[A-Z]\w*(?:[ ][^\s{};=]+){3,}.*[.:!?]\W*$)", re.MULTILINE
)
"""A list item or a sentence: what looks like a part of the page, and not like code."""
_DEEPER = 3  # Spaces by which a line that closes or opens may stand further in


@rule("markup", Severity.ERROR, needs="fences")
def check(page: Page) -> Iterator[Finding]:
    text = page.plain
    fenced = sorted([*_code(page.document), *_directives(page)], key=attrgetter("start"))
    odd = {*_odd(_lines(text, "`~")), *_odd(_colons(page))} if fenced else ()
    for block in fenced:
        if text.find(block.fence, block.start) not in odd:
            if line := _leaving(text, block):
                yield _left(page, text, block, line)
                return
            continue
        if _TEMPLATE.search(text, block.start, block.end):
            return
        inner = list(_fences_in(text, block))
        if not block.closed:
            yield _short(page, text, block) or _unclosed(page, text, block, inner)
            return  # all that follows is read the wrong way round
        following = next((line for line in inner if _opens(line, block)), None)
        if following:
            yield _closed_by_next(page, text, block, following)
            return


def _code(document: Document) -> Iterator[CodeBlock]:
    return (block for block in document.code_blocks if block.fence)


def _directives(page: Page) -> Iterator[CodeBlock]:
    """The directives of MyST whose content is Markdown, as if it were code."""
    text = page.plain
    for block, _ in page.document.walk() if page.dialect is Dialect.MYST else ():
        opened = _DIRECTIVE.match(text, block.start) if block.kind in ("container", "macro") else None
        if opened:
            fence = opened["fence"]
            content = text.find("\n", block.start, block.end) + 1 or block.end
            last = text[text.rfind("\n", content - 1, block.end) + 1 : block.end].strip(" \t>")
            closed = last.startswith(fence) and not last.strip(fence[0])
            yield CodeBlock(_HOLDS, "", content, block.end, block.start, block.end, fence, closed)


def _lines(text: str, signs: str) -> Iterator[re.Match[str]]:
    """The lines that look like fences of some signs."""
    return (line for line in _LINE.finditer(text) if len(line[2]) > 2 and line[2][0] in signs)


def _colons(page: Page) -> Iterator[re.Match[str]]:
    """The fences of colons, less those that are shown in code."""
    code = [(block.start, block.end) for block in page.document.code_blocks]
    for line in _lines(page.plain, ":") if page.dialect is Dialect.MYST else ():
        if not any(start <= line.start(2) < end for start, end in code):
            yield line


def _odd(lines: Iterable[re.Match[str]]) -> Iterator[int]:
    """Where fences begin that are odd read line by line, too.

    So does Python-Markdown read them, and so do people: a fence in raw HTML is another mistake, and so is one that
    closes outside of its list item.
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


def _leaving(text: str, block: CodeBlock) -> Range | None:
    """The first line of a fence's code that stands further out than its list item, where the fence ends behind it."""
    if block.closed:
        return None
    opening = text.index(block.fence, block.start)
    before = text[text.rfind("\n", 0, opening) + 1 : opening]
    if not before.isspace():
        return None
    lines = _LINE.finditer(text, text.find("\n", opening) + 1)
    end = next((line for line in lines if line[2].startswith(block.fence) and not line[3].strip()), None)
    match = _TYPED.search(text, block.end)
    if end is None or match is None or match.start() > end.start(2) or len(match[1]) >= len(before):
        return None
    return Range(match.start(2), match.end(2))


def _left(page: Page, text: str, block: CodeBlock, line: Range) -> Finding:
    message = "this line ends the list item of its code block; indent it like the fence"
    return page.flag(line, message, related=[(page, _place(text, block), "the code block starts here")])


def _fences_in(text: str, block: CodeBlock) -> Iterator[re.Match[str]]:
    """The lines inside a block that look like fences of its own kind, no deeper than it."""
    line = text[block.start : block.content_start]
    indent = line.index(block.fence) if block.fence in line else 0
    for match in _LINE.finditer(text, block.content_start, block.content_end):
        if match[2][0] == block.fence[0] and len(match[1].expandtabs(4)) <= indent + _DEEPER:
            yield match


def _opens(line: re.Match[str], block: CodeBlock) -> bool:
    return len(line[2]) >= len(block.fence) and bool(_INFO.fullmatch(line[3]))


def _short(page: Page, text: str, block: CodeBlock) -> Finding | None:
    """The line above that should begin a fence, so that its end begins another one."""
    code = [(other.start, other.end) for other in page.document.code_blocks if other.start < block.start]
    for line in _SHORT.finditer(text, 0, block.start) if block.fence == "```" and not block.info else ():
        if not any(start <= line.start(1) < end for start, end in code):
            return page.flag(line.span(1), "a code fence starts with three backticks; this line has two")
    return None


def _unclosed(page: Page, text: str, block: CodeBlock, inner: list[re.Match[str]]) -> Finding:
    message = (
        "the rest of the page is published as code" if _is_last(text, block) else "what follows is published as code"
    )
    if not inner and _is_whole_directive(page, text, block):
        message = "the rest of the page belongs to the directive"
        return page.flag(_place(text, block), f"unclosed code fence: {message}", severity=Severity.HINT)
    if block.info == _HOLDS:
        message = message.replace("is published as code", "becomes part of its admonition")
    elif page.dialect is Dialect.PYTHON_MARKDOWN:
        message = "Python-Markdown publishes it as text"
    elif not inner and _is_code_to_the_end(text, block):
        message = "the page ends within it"
        return page.flag(_place(text, block), f"unclosed code fence: {message}", severity=Severity.WARNING)
    related = [(page, (line.start(2), line.end()), _reason(line, block)) for line in inner[:1]]
    return page.flag(_place(text, block), f"unclosed code fence: {message}", related=related)


def _is_code_to_the_end(text: str, block: CodeBlock) -> bool:
    """Whether nothing behind a fence looks like a part of the page, so that readers see what was meant."""
    shown = block.content_start, block.content_end
    return _is_last(text, block) and not (_HEADING.search(text, *shown) or _PROSE.search(text, *shown))


def _is_whole_directive(page: Page, text: str, block: CodeBlock) -> bool:
    """Whether a directive of MyST goes on to the end of the page, and nothing in it looks like a part of the page."""
    is_directive = page.dialect is Dialect.MYST and _DIRECTIVE.match(text, block.start) is not None
    return is_directive and _is_last(text, block) and not _HEADING.search(text, block.content_start, block.end)


def _is_last(text: str, block: CodeBlock) -> bool:
    return not text[block.end :].strip()


def _reason(line: re.Match[str], block: CodeBlock) -> str:
    if len(line[2]) < len(block.fence):
        return f"this does not close it: it has {len(line[2])} characters, the fence {len(block.fence)}"
    return "this does not close it: text follows on its line"


def _closed_by_next(page: Page, text: str, block: CodeBlock, line: re.Match[str]) -> Finding:
    related = [(page, (line.start(2), line.end()), "this one opens inside it")]
    return page.flag(_place(text, block), "unclosed code fence before the next one", related=related)


def _place(text: str, block: CodeBlock) -> Range:
    start = text.index(block.fence, block.start)
    return Range(start, start + len(text[start : block.end].split("\n", 1)[0].rstrip()))
