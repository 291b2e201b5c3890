"""An angle bracket that should be written `&lt;`: `<< Previous` between tags, `<API_KEY>` in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity, format_more
from tutorial_tool.markdown.document import Prose, Range, Tag
from tutorial_tool.markdown.html_tags import ELEMENTS
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import HABIT
from tutorial_tool.site import Page, PageFix

_DOUBLE = lazy_re.compile(r"<<(?=[ \t]?\w)")
_CLOSING = lazy_re.compile(r"[^<>\n]*>>")
_BORDERS = ("](", "][", "</")  # Ends of a link or an element: a `>>` after one belongs to something else
_NAME = lazy_re.compile(r"<[A-Za-z][\w-]*(?: [A-Za-z][\w-]*){0,3}>")
_UNDERSCORED = lazy_re.compile(r"<[A-Za-z][A-Za-z0-9-]*_[\w-]*>")  # No tag in CommonMark, but a tag in Python-Markdown
_EMBEDDED = ("svg", "math", "script", "template")  # Elements with names of their own inside
_COMPONENT = lazy_re.compile(r"[A-Z]\w*[a-z]\w*")


@rule("markup", Severity.WARNING, needs="html")
def check(page: Page) -> Iterator[Finding]:
    text = page.plain
    if "<<" in text:
        for prose in page.document.get_prose():
            yield from _report_doubled(page, prose, text)
    if page.dialect not in (Dialect.MDX, Dialect.DOCUSAURUS):
        ranges = list(_find_placeholders(page, text))
        for places in [ranges] if len(ranges) > HABIT else [[item] for item in ranges]:
            yield _report_hidden(page, places)


def _report_doubled(page: Page, prose: Prose, text: str) -> Iterator[Finding]:
    """Report `<<` at the start of raw HTML or a link."""
    for match in _DOUBLE.finditer(prose):
        start, end = prose.locate(match)
        before = text[:start].rstrip(" \t")[-1:]
        if text[start:end] == "<<" and before in (">", "[", "\n", "") and not _is_closed(prose, match, text):
            yield page.flag((start, end), "unescaped `<<`; write `&lt;&lt;`", replace="&lt;&lt;")


def _is_closed(prose: Prose, match: re.Match[str], text: str) -> bool:
    """Return whether `>>` closes what begins here: the generator may replace the text in between."""
    closing = _CLOSING.match(prose, match.end())
    if closing is None:
        return False
    between = text[prose.locate(match).end : prose.locate(closing.end() - 2, closing.end()).start]
    return not any(border in between for border in _BORDERS)


def _find_placeholders(page: Page, text: str) -> Iterator[Range]:
    """Find placeholders that are parsed as tags and so never shown."""
    tags = page.document.tags
    closed = {tag.name for tag in tags if tag.closing}
    for tag in tags if closed.isdisjoint(_EMBEDDED) else ():
        if tag.name not in closed and _is_placeholder(tag, text):
            yield Range(tag.start, tag.end)
    if page.dialect is Dialect.PYTHON_MARKDOWN and not _is_filled_in(page):
        for prose in page.document.get_prose():
            for match in _UNDERSCORED.finditer(prose) if "<" in prose else ():
                place = prose.locate(match)
                if text[place.start : place.end] == match[0]:
                    yield place


def _is_filled_in(page: Page) -> bool:
    """Return whether a placeholder is a paragraph by itself: the generator replaces it."""
    prose = page.document.get_prose() if "_" in page.document.text else ()
    return any(_UNDERSCORED.fullmatch(text.strip()) for text in prose if text.kind == "paragraph" and text[:1] == "<")


def _is_placeholder(tag: Tag, text: str) -> bool:
    """Return whether a tag is only a name, of neither an element nor a component, as in `List<String>`."""
    before = text[tag.start - 1 : tag.start]
    if before in "<{" and text[tag.end : tag.end + 1] in (">", "}"):
        return False  # `<<shop>>`, `{{<box>}}`: the site generator replaces it
    if tag.name.lower() in ELEMENTS or not _NAME.fullmatch(text, tag.start, tag.end):
        return False
    return before.isalnum() or not _COMPONENT.fullmatch(tag.name)


def _report_hidden(page: Page, spans: list[Range]) -> Finding:
    """Build one finding for several placeholders: they are a habit of the page."""
    edits = [(*place, f"&lt;{page.plain[place.start + 1 : place.end - 1]}&gt;") for place in spans]
    (start, end, good), *others = edits
    message = f"`{page.plain[start:end]}` is parsed as a tag and not shown{format_more(others)}; write `{good}`"
    again = [(page, place, f"`{page.plain[slice(*place)]}` is not shown, either") for place in spans[1:]]
    return page.flag((start, end), message, fix=PageFix(f"write `{good}`", tuple(edits), safe=False), again=again)
