"""Printed values as text with origins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jinja2 import Undefined

from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.diagnostics import Related
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import Traced, strip_origins
from tutorial_tool.templating.environment.call_errors import TemplateCallError, get_span
from tutorial_tool.templating.environment.values import Namespace
from tutorial_tool.templating.template_limits import MAX_TEXT, check_limit, check_value

_LITERAL = lazy_re.compile(
    r"(?P<escape>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|[0-7]{1,3}|.|\n))"
    r"|[^\\'\"]+|['\"]"
)
"""A piece of a string in quotes, or the quote that ends it."""


def render_value(value: Any) -> str:
    """Return the text that a value prints as; objects are never converted.

    Raises: TemplateCallError if it can't be printed.
    """
    if isinstance(value, str):
        return value
    check_value(value)
    if value is None:
        message = "nothing to print; `step.number`, for example, is none for a step without a number"
        raise TemplateCallError(f"{message}: put this under `{{% if … %}}`", rule="invalid-template")
    if callable(value) and not isinstance(value, Undefined):
        raise TemplateCallError(
            "a function cannot be printed; call it, with `()` after its name", rule="invalid-template"
        )
    if isinstance(value, list | tuple | dict | set):
        raise _build_list_error(value)
    if not isinstance(value, int | float | Undefined | Namespace):
        raise TemplateCallError("only text and numbers can be printed", rule="invalid-template")
    return str(value)


def check_printable(value: Any, call: str) -> None:
    """Check that a value passed to a call can be printed.

    Raises: TemplateCallError if it can't; the message names the call.
    """
    try:
        render_value(value)
    except TemplateCallError as error:
        message = f"`{call}` prints text and numbers; {error.message}"
        raise TemplateCallError(
            message, at=error.at, rule=error.rule, related=error.related, about=error.about
        ) from None


def check_all_printable(value: Any, call: str) -> None:
    """Check that each item of nested lists and mappings can be printed.

    Raises: TemplateCallError if one can't; booleans, numbers and none can.
    """
    check_value(value)
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, Mapping):
            pending += [*item, *item.values()]
        elif isinstance(item, list | tuple):
            pending += item
        elif item is not None:
            check_printable(item, call)


def _build_list_error(value: Iterable[Any]) -> TemplateCallError:
    """Build the error for printing a list: if the data has one for one platform, text may be meant."""
    message = "a list or mapping cannot be printed; loop over it, or write `|join(', ')` after it"
    first = get_span(next(iter(value), None))
    if not isinstance(value, list | tuple) or first is None or not first.path.endswith((".yaml", ".yml")):
        return TemplateCallError(message, rule="invalid-template")
    message = f"{message}, or, where the other platforms have one text, write it without `[ ]` at {first}"
    return TemplateCallError(message, rule="invalid-template", related=(Related(first, "the list starts here"),))


def is_of_data(text: Traced) -> bool:
    """Return whether a text comes from a data file."""
    return any(run.span is not None and run.span.source.path.endswith((".yaml", ".yml")) for run in text.runs[:1])


def build_constant(source: Source, start: int, value: Any) -> Traced | None:
    """Return a quoted string with origins, exact except for its escapes; None for any other constant."""
    if not isinstance(value, str):
        return None
    quote, pieces = source.text[start : start + 1], list[Traced]()
    for match in _LITERAL.finditer(source.text, start + 1):
        if match[0] == quote or sum(map(len, pieces)) >= len(value):
            break
        span = source.span(*match.span())
        intended = match[0].encode("ascii", "backslashreplace").decode("unicode-escape") if match["escape"] else ""
        pieces.append(traced.trace_to_span(intended, span) if match["escape"] else traced.trace_span(span))
    text, end = traced.concatenate(pieces), start + 1 + len(value)
    return text if strip_origins(text) == value else traced.trace_to_span(value, Span(source, start, end))


def concat_texts(parts: Iterable[str]) -> Traced:
    parts, size = list(parts), 0
    for part in parts:
        size += len(part)
    check_limit(size <= MAX_TEXT)
    return traced.concatenate(parts)


def indent_text(text: Traced, indentation: str, *, first: bool = False) -> Traced:
    lines = text.split("\n")
    out: list[str] = []
    for number, line in enumerate(lines):
        out += ["\n"] if number else []
        out += [indentation, line] if line and (number or first) else [line]
    return traced.mark_block(traced.concatenate(out))
