"""Markdown markers that are rendered literally: a link with a space in it, unclosed emphasis or code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import find_line_end, find_line_start, is_within
from tutorial_tool.markdown.document import MASK, Prose, Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page, page_facts


class LiteralMarker(NamedTuple):
    """A span and its message; `edits` are the fix, if obvious, and `fix` describes it. Old MDX may read it as bold."""

    place: Range
    message: str
    fix: str = ""
    edits: tuple[tuple[int, int, str], ...] = ()
    is_bold_in_old_mdx: bool = False


_LONGEST, _MOST = 300, 20
"""Maximum characters of a link's text, and maximum pairs of markers checked per paragraph."""
_SPACED = lazy_re.compile(
    r"\](?P<gap>[ ]+)\((?P<to>(?:https?://|\.{0,2}/|#(?!\d+\))|[\w./-]+\.(?:mdx?|html?)\b)[^\s()]*)"
    r"(?:[ ]+\"[^\"\n]*\")?\)"
)
_SWAPPED = lazy_re.compile(r"\)\[(?P<to>(?:https?://|#[\w-]|[\w./-]+\.mdx?\b)[^\s\[\]]*)\]")
_WRONG = lazy_re.compile(r"\]\((?P<to>[^()\n]*)(?P<end>\)|\n[ \t]*[^\s()]+\)|)")  # Doxygen reads on in the next line
_UNSPACED = lazy_re.compile(r"^[ ]{0,3}#{2,6}(?=[^\W_a-z]|[A-Za-z][\w'-]*(?:[ \t]|$))", re.MULTILINE)
"""The marker of a heading directly before a word."""
_TICKS = lazy_re.compile(r"(?<![`\\])`{1,2}(?!`)")
_QUOTED = lazy_re.compile(r"`[^`'´\n]{1,60}(?<! )['´](?!\w)")
_EDGE = " \n\"'" + MASK  # What is next to a backtick that is mentioned as a character
_BOLD = lazy_re.compile(r"(?<![*\\])\*\*(?!\*)")
_ESCAPED = lazy_re.compile(
    r"\\\[[^\[\]\n\\]+\\\]\\\[\\\]|\\\*\\\*[A-Z][^*\n\\|]* \\\*\\\*|(?:\\`){2}[^`\n\\]+(?:\\`){2}"
)
"""What a converter escapes: a link by its text, bold text with a space at its end, and code in two backticks."""
_SIGNS = ("`", "*", "](", "] (", ")[", "][")  # A fast check: any text with a literal marker has one of these
_SHOWN = "rendered literally"


@page_facts.register
def find_literal_markers(page: Page) -> tuple[LiteralMarker, ...]:
    """Find the literal markers of a page, in order: the first of each kind in a paragraph or cell."""
    read = [
        prose
        for prose in page.document.get_prose()
        if prose.kind not in ("html", "alt") and any(sign in prose for sign in _SIGNS)
    ]
    finders = (_find_links, _find_asterisks, _find_escaped)
    characters = (sign for prose in read for find in finders for sign in find(page, prose))
    return tuple(sorted([*_find_backticks(page, read), *characters, *_find_headings(page)]))


def _find_headings(page: Page) -> Iterator[LiteralMarker]:
    """Find heading markers without a space after them, on a page with others: all reported at the first."""
    text, document = page.plain, page.document
    reads_them = page.dialect in (Dialect.PYTHON_MARKDOWN, Dialect.KRAMDOWN, Dialect.KRAMED)
    if reads_them or "##" not in text or not _UNSPACED.search(text):
        return
    blocks = [block for block, around in document.walk() if block.kind == "paragraph" and around is None]
    ends = [match.end() for block in blocks for match in _UNSPACED.finditer(text, block.start, block.end)]
    if ends and len(ends) + len(document.headings) > 1:
        stop = find_line_end(text, ends[0])
        characters = len(text[: ends[0]]) - len(text[: ends[0]].rstrip("#"))
        span = Range(ends[0] - characters, ends[0] + len(text[ends[0] : stop].rstrip()))
        more = f" ({len(ends)} times on this page)" if len(ends) > 1 else ""
        message = f"not a heading, {_SHOWN}: write a space after `#`{more}"
        yield LiteralMarker(span, message, "add the space", tuple((end, end, " ") for end in ends))


def _find_links(page: Page, prose: Prose) -> Iterator[LiteralMarker]:
    for start, match in _iter_typed_matches(page, prose, "] (", "[", _SPACED):
        if page.plain[start + 1 : match.start()].strip() not in ("", "x", "X"):  # a task list item
            written = page.plain[start : match.end()]
            mended = page.plain[start : match.start() + 1] + written[match.start("gap") - start :].lstrip(" ")
            message = f"not a link, {_SHOWN}: delete the space before the URL"
            yield LiteralMarker(Range(start, match.end()), message, "delete the space", ((start, match.end(), mended),))
    for start, match in _iter_typed_matches(page, prose, ")[", "(", _SWAPPED):
        mended = f"[{page.plain[start + 1 : match.start()]}]({match['to']})"
        message = f"not a link, {_SHOWN}: write the text in brackets and the URL in parentheses"
        yield LiteralMarker(Range(start, match.end()), message, "swap them", ((start, match.end(), mended),))
    for start, match in islice(_iter_typed_matches(page, prose, "](", "", _WRONG), 1):
        if why := _explain_broken_link(page, match, has_text="[" in page.plain[prose.place.start : start]):
            yield LiteralMarker(Range(match.start(), match.end()), f"not a link, {_SHOWN}: {why}")


def _iter_typed_matches(
    page: Page, prose: Prose, sign: str, opening: str, pattern: re.Pattern[str]
) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield the matches of a pattern at a literal character, each with the offset of the opening bracket."""
    at = prose.find(sign)
    while at >= 0:
        before = prose.rfind(opening, max(at - _LONGEST, 0), at) if opening else at
        closed = prose.find("]" if opening == "[" else ")", before + 1, at) if opening else -1
        match = pattern.match(page.plain, prose.locate(at, at + 1).start) if before >= 0 and closed < 0 else None
        if match and _is_typed_literally(page, prose, at):
            yield prose.locate(before, before + 1).start, match
        at = prose.find(sign, at + 1)


_OTHERS = lazy_re.compile(r"^[@\\]ref[ \t]|[ \t]=\d*%?x\d*%?$")
"""URLs for other engines: a label of Doxygen, and an image with its size."""


def _explain_broken_link(page: Page, match: re.Match[str], *, has_text: bool) -> str:
    """Return what is missing for a link, "" for nothing; a URL that a macro ends is not checked."""
    to = match["to"].strip()
    if "{" in to or "<" in to or page.plain[match.end() : match.end() + 1] in ("{", "("):
        return ""
    if not has_text:
        return "`[` is missing"
    if not match["end"]:
        return "its URL is unclosed" if to else ""
    if _OTHERS.search(to):
        return ""
    is_split = " " in to and page.dialect is not Dialect.PYTHON_MARKDOWN
    return "its URL has spaces; write it between `<` and `>`" if is_split else ""


def _is_typed_literally(page: Page, prose: Prose, at: int) -> bool:
    """Return whether a character is the same in source and text: an escaped one is intended literally."""
    start = prose.locate(at, at + 1).start
    return page.plain[start : start + 1] == prose[at] and page.plain[start - 1 : start] != "\\"


def _find_escaped(page: Page, prose: Prose) -> Iterator[LiteralMarker]:
    for match in _ESCAPED.finditer(page.plain, *prose.place):
        if not is_within(match.start(), page.document.code_spans):
            yield LiteralMarker(Range(*match.span()), f"escaped markup {_SHOWN}: delete the backslashes")


# Code


def _find_backticks(page: Page, proses: list[Prose]) -> Iterator[LiteralMarker]:
    """Find unpaired backticks, except where a `|` in code has split a table row's code span."""
    for prose in proses:
        match = _find_lone_backtick(page, prose) if "`" in prose else None
        if match and (prose.kind != "cell" or not _is_split_by_pipe(page, prose)):
            yield LiteralMarker(prose.locate(match), f"unpaired backtick {_SHOWN}")


def _find_lone_backtick(page: Page, prose: Prose) -> re.Match[str] | None:
    """Return the first unpaired backtick.

    `quoted' is an old quoting style, ' ` ' mentions the character, and {`…`} is a literal of JSX.
    """
    for match in _TICKS.finditer(prose):
        before, behind = prose[max(match.start() - 1, 0) : match.start()], prose[match.end() : match.end() + 1]
        opens = behind.strip(_EDGE + "}") and not before.strip(" \n([")
        closes = before.strip(_EDGE + "{") and not behind.strip(" \n.,;:!?)]")
        beside = before.isalnum(), behind.isalnum()
        is_alone = (opens or closes or all(beside)) and (len(match[0]) == 1 or any(beside))
        if is_alone and _is_typed_literally(page, prose, match.start()) and not _is_quote(prose, match):
            return match
    return None


def _is_quote(prose: str, match: re.Match[str]) -> bool:
    if len(match[0]) == 2:
        return prose.find("''", match.end(), match.end() + _LONGEST) >= 0 or not prose[: match.start()].strip()
    return _QUOTED.match(prose, match.start()) is not None


def _is_split_by_pipe(page: Page, cell: Prose) -> bool:
    """Return whether another cell of the row has an unpaired backtick.

    A row may have more cells than its header.
    """
    text = page.plain
    start, end = find_line_start(text, cell.place.start), find_line_end(text, cell.place.end)
    low = text.rfind("|", start, cell.place.start) + 1 or start
    high = text.find("|", cell.place.end, end)
    return any(text.count("`", *side) % 2 for side in ((start, low), (high if high >= 0 else end, end)))


# Emphasis


def _find_asterisks(page: Page, prose: Prose) -> Iterator[LiteralMarker]:
    if "*" in prose and (sign := _find_uneven_asterisks(page, prose) or _find_unpaired_bold(page, prose)):
        yield sign


def _find_uneven_asterisks(page: Page, prose: Prose) -> LiteralMarker | None:
    """Find `**Save*`: one asterisk becomes emphasis, and the other one is rendered literally."""
    text, at = page.plain, prose.find("*")
    while at >= 0:
        start = prose.locate(at, at + 1).start
        neighbors = prose[max(at - 1, 0) : at] + prose[at + 1 : at + 2]
        if "*" not in neighbors and _is_typed_literally(page, prose, at):
            left, right = text[start - 1 : start] == "*", text[start + 1 : start + 2] == "*"
            if left is not right and text[start - 2 : start - 1] != "\\":
                message = f"asterisk {_SHOWN}: emphasis starts and ends with the same number of asterisks"
                return LiteralMarker(Range(start - left, start + 2 - left), message)
        at = prose.find("*", at + 1)
    return None


def _find_unpaired_bold(page: Page, prose: Prose) -> LiteralMarker | None:
    """Find a `**` that opens no bold text."""
    characters = [match for match in _BOLD.finditer(prose) if _is_typed_literally(page, prose, match.start())]
    if len(characters) == 1:
        (sign,) = characters
        if re.match(r"[A-Z][\w ]", prose[sign.end() :]) and not re.search(r"[\w/\"'.=]$", prose[: sign.start()]):
            return LiteralMarker(prose.locate(sign), f"`**` {_SHOWN}: the closing one is missing")
    for first, second in islice(zip(characters[::2], characters[1::2], strict=False), _MOST):
        inner = prose[first.end() : second.start()]
        if _is_intended_bold(page, prose, first, second) and re.search(r"[^\W\d_]", inner) and "\n" not in inner:
            where = "spaces inside" if inner != inner.strip() else "punctuation inside, and a letter directly outside"
            place = prose.locate(first.start(), second.end())
            return LiteralMarker(place, f"`**` {_SHOWN}: {where}", is_bold_in_old_mdx=True)
    return None


def _is_intended_bold(page: Page, prose: Prose, first: re.Match[str], second: re.Match[str]) -> bool:
    """Return whether two markers are meant as bold, unlike `**kwargs` and powers."""
    inner, behind = prose[first.end() : second.start()], prose[second.end() :][:1]
    spaces = inner[:1].isspace(), inner[-1:].isspace()
    if page.dialect in (Dialect.PYTHON_MARKDOWN, Dialect.KRAMED):  # both make anything else bold
        return all(spaces) and not prose[: first.start()].strip()
    if any(spaces):
        if prose.kind == "heading":  # docsify's tabs use this syntax
            return False
        return (not prose[: first.start()].strip() and not behind.strip()) or inner.rstrip().endswith(":")
    return page.dialect is not Dialect.KRAMDOWN and not (inner[0].isalnum() and inner[-1].isalnum())
