"""Find words in braces that a table prints literally because its call does not set them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity, build_error
from tutorial_tool.core.source import Span, is_within
from tutorial_tool.core.traced import Traced, ensure_traced, strip_origins
from tutorial_tool.templating.environment import get_span
from tutorial_tool.templating.places import PageId, PrintedTable

if TYPE_CHECKING:
    from tutorial_tool.templating.functions import PageContext

_ALONE = lazy_re.compile(r"(?<![^\s(\"'“‘*_])\{(?P<word>[^\W\d]\w*)\}(?![^\s)\"'”’*_.,;:!?])")
"""A word in braces that is used as a word in a text, not as part of a path or URL."""
_CODE = lazy_re.compile(r"(`+)(?:(?!\1).)+\1|<(code|kbd)>.*?</\2>|\{\{.*?\}\}", re.DOTALL)


def find_unset(contexts: Mapping[PageId, PageContext]) -> Iterator[tuple[PageId, Finding]]:
    """Yield findings about words that calls of tables leave unset, page by page.

    An error if another call, or a figure of the table, sets the word; otherwise, a hint.
    """
    setters: dict[tuple[str, str], Span] = {}
    for key, call in chain.from_iterable(map(_iter_setters, contexts.values())):
        setters.setdefault(key, call)
    for address, context in contexts.items():
        for printed in context.printed:
            for word, cell in printed.placeholders:
                if setter := setters.get((printed.table, word)):
                    yield address, _report_inconsistent(printed, word, setter)
                elif prose_word := _find_in_prose(word, cell):
                    yield address, _report_unknown(printed, word, prose_word)


def _iter_setters(context: PageContext) -> Iterator[tuple[tuple[str, str], Span]]:
    """Yield the words of tables that the calls on a page set, each with the call."""
    for printed in context.printed:
        yield from (((printed.table, word), printed.call) for word in sorted(printed.arguments))
    for figure in context.figures:
        table = figure.given.get("table")
        if isinstance(table, str):
            yield from (((strip_origins(table), word), figure.call) for word in figure.given)


def _report_inconsistent(printed: PrintedTable, word: str, setter: Span) -> Finding:
    related = (Related(setter, "this call gives it"),) if setter != printed.call else ()
    message = f"the table prints `{{{word}}}` literally: write `{word}=…` in this call, too"
    return build_error("invalid-template", message, printed.call, related=related)


def _report_unknown(printed: PrintedTable, word: str, prose_word: Traced) -> Finding:
    span = get_span(prose_word) or printed.call
    message = f"readers see `{{{word}}}` literally: no call passes `{word}=…`; if that is intended, put it in code"
    return Finding("undefined-name", Severity.HINT, message, span, related=(Related(printed.call, "the call"),))


def _find_in_prose(word: str, cell: str) -> Traced | None:
    """Return a word in braces from the prose of a cell, with its origin; None if only code contains it."""
    text = strip_origins(cell)
    code = [match.span() for match in _CODE.finditer(text)]
    for result in _ALONE.finditer(text):
        if result["word"] == word and not is_within(result.start(), code):
            return ensure_traced(ensure_traced(cell)[result.start() : result.end()])
    return None
