"""Find variables of samples that the page's samples declare in another case: `$lamp_client` for `$lampClient`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import blank_text, find_line_end, find_line_start
from tutorial_tool.markdown import samples
from tutorial_tool.rules.text.misspelled_code import normalize_name
from tutorial_tool.site import Page, page_facts

_NAME = r"(?<![\w.$>@\\/-])(?P<name>[$@]?[A-Za-z_]\w{4,})"
_ANY_NAME = lazy_re.compile(_NAME)
_OWNER = lazy_re.compile(_NAME + r"\s*(?:(?:\.|->|\?\.)[A-Za-z_]|::[a-z])")
"""A variable whose method is called, or whose field is read."""
_ASSIGNED = lazy_re.compile(_NAME + r"\s*(?::\s*[\w<>\[\]?, .]+)?\s*:?=(?![=>])")
_KEYWORDS = "return|await|new|in|throw|if|else|yield|not|and|or|is|as|case|when|unless|print|echo|delete|typeof|void"
_DECLARED = lazy_re.compile(rf"(?:(?<!\w)(?!(?:{_KEYWORDS})\b)\w+|[>\]?*&])[ \t]+[*&]*{_NAME}")
"""A name after its type, as far as a line can tell."""
_PARAMETER = lazy_re.compile(_NAME + r"(?=\s*[:,)])")
_NO_CODE = lazy_re.compile(
    r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`[^`]*`|//[^\n]*|/\*.*?(?:\*/|\Z)"
    r"|^[ \t]*(?:#|import\b|package\b|using\b)[^\n]*",
    re.DOTALL | re.MULTILINE,
)


class MiscasedVariable(NamedTuple):
    """The form of a variable that the samples assign to, and the spans of another form, which none declares."""

    declared: str
    places: tuple[tuple[int, int], ...]


@page_facts.register
def find_miscased_variables(page: Page) -> tuple[MiscasedVariable, ...]:
    """Find variables that are used, but that the page's samples in the language only assign to in another case."""
    by_language = group_pairs(
        (language.name, (block.content_start, page.plain[block.content_start : block.content_end]))
        for block in page.document.code_blocks
        if (language := samples.get_language(block.info))
    )
    return tuple(variable for parts in by_language.values() for variable in _find_in_language(parts))


def _find_in_language(parts: list[tuple[int, str]]) -> Iterator[MiscasedVariable]:
    """Find the variables in samples, each with its offset."""
    names = {name for _, code in parts for name in _ANY_NAME.findall(code)}
    if len({normalize_name(name) for name in names}) == len(names):
        return
    codes = [(start, _NO_CODE.sub(lambda match: blank_text(match[0]), code)) for start, code in parts]
    assigned, typed, parameters = (
        {match["name"]: None for _, code in codes for match in pattern.finditer(code)}
        for pattern in (_ASSIGNED, _DECLARED, _PARAMETER)
    )
    known = assigned | typed | parameters
    by_form = {normalize_name(name): name for name in assigned}
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for name, span, line in _iter_owners(codes):
        declared = by_form.get(normalize_name(name), name)
        if name not in known and declared not in line and _differ(name, declared):
            places[declared].append(span)
    yield from (MiscasedVariable(declared, tuple(spans)) for declared, spans in places.items())


def _iter_owners(codes: list[tuple[int, str]]) -> Iterator[tuple[str, tuple[int, int], str]]:
    """Yield the variables whose methods are called, or whose fields are read, with their spans and lines."""
    for start, code in codes:
        for match in _OWNER.finditer(code):
            at, end = match.span("name")
            line = code[find_line_start(code, at) : find_line_end(code, at)]
            yield match["name"], (start + at, start + end), line


def _differ(name: str, form: str) -> bool:
    """Return whether two forms may be one variable: not a class and its instance, nor a constant."""
    bare, other = name.strip("$@_"), form.strip("$@_")
    return bare != other and bare[:1].isupper() == other[:1].isupper() and not other.isupper()
