"""Checks of arguments in template calls: texts, lists or mappings of them, booleans."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from tutorial_tool.core import traced
from tutorial_tool.core.source import Span
from tutorial_tool.markdown.document import CONTEXT
from tutorial_tool.templating.environment import TemplateCallError, render_value


def require_text(value: Any, keyword: str, call: Span | None) -> str:
    """Return an argument as text.

    Raises: TemplateCallError if it is neither text nor a number.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        _reject_argument(f"should be text, not {describe_value(value)}", value, keyword, call)
    return render_value(value)


def require_texts(value: Any, keyword: str, call: Span | None) -> Sequence[str]:
    """Return an argument that lists names.

    Raises: TemplateCallError if it is not a list of strings.
    """
    if isinstance(value, str):
        _reject_argument(f"should be a list: write `['{value}']`", value, keyword, call)
    if isinstance(value, Mapping) or not hasattr(value, "__iter__"):
        _reject_argument(f"should be a list, not {describe_value(value)}", value, keyword, call)
    entries = list(value)
    for entry in entries:
        if not isinstance(entry, str):
            message = f"should be a list of strings; one of them is {describe_value(entry)}"
            _reject_argument(message, value, keyword, call)
    return entries


def require_mapping(value: Any, keyword: str, call: Span | None) -> Mapping[str, Any]:
    """Return an argument that maps names to texts.

    Raises: TemplateCallError if it is not a mapping.
    """
    if not isinstance(value, Mapping):
        message = f"should be a mapping, such as `{{'ios': '…'}}`, not {describe_value(value)}"
        _reject_argument(message, value, keyword, call)
    return value


def require_flag(value: Any, keyword: str, call: Span | None) -> bool:
    """Return a boolean argument.

    Raises: TemplateCallError if it is neither true nor false.
    """
    if not isinstance(value, bool):
        _reject_argument(f"should be true or false, without quotes, not {describe_value(value)}", value, keyword, call)
    return value


def describe_value(value: object) -> str:
    """Describe a value for a message."""
    if isinstance(value, str):
        return f"`{value}`"
    if isinstance(value, bool | int | float | None):
        return f"`{str(value).lower() if isinstance(value, bool | None) else value}`"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, Mapping):
        return "a mapping"
    return "a function; call it, with `()` after its name" if callable(value) else "that"


def _reject_argument(message: str, value: object, keyword: str, call: Span | None) -> NoReturn:
    span = call and _find_keyword(keyword, call)
    at = traced.trace_span(span) if span else value
    raise TemplateCallError(f"`{keyword}` {message}", at=at, rule="invalid-template")


def _find_keyword(name: str, call: Span) -> Span | None:
    """Return the span of a keyword in a call; `call` is the span of the call's name."""
    following = call.source.text[call.end : call.end + CONTEXT]
    tag = re.split(r"[%}]\}", following, maxsplit=1)[0]
    match = re.search(rf"[(,]\s*({re.escape(name)})\s*=(?!=)", tag)
    return Span(call.source, call.end + match.start(1), call.end + match.end(1)) if match else None
