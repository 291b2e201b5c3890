"""Validate arguments of built-in drawings: texts, lists of texts, and lists of lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jinja2 import Undefined

from tutorial_tool.core.diagnostics import format_suggestion
from tutorial_tool.templating.call_arguments import describe_value
from tutorial_tool.templating.environment import TemplateCallError

_EXAMPLES = {
    "path": "['Setup', 'Apps']",
    "only": "['sound']",
    "fields": "[['Name', ''], ['Expires', 'Never', true]]",
    "nodes": "[['Input', 'App', 'Connection'], ['Output', 'Web']]",
    "items": "['Name', ['Expires', 'After a year']]",
}
"""Arguments that are lists. All others are texts."""
_PARTS = {"fields": (2, 3), "nodes": (2, 3), "items": (2, 2)}  # Minimum and maximum length of an entry that is a list
_NEEDED = ("path", "nodes")  # Lists that must not be empty


def validate_argument(value: Any, key: str) -> Any:
    """Return an argument in a form that can be drawn.

    Raises: TemplateCallError: it is not the expected text or list, or a list without which there is nothing to draw is
    empty.
    """
    if key not in _EXAMPLES:
        if value is not None and not _is_text(value):
            raise _build_complaint(f"`{key}` should be text, not {describe_value(value)}", value)
        return "" if value is None else value
    is_list = isinstance(value, Iterable) and not isinstance(value, str | Mapping)
    entries = [] if value is None else list(value) if is_list else [value]
    if value is not None and not entries and key in _NEEDED:
        raise TemplateCallError(f"`{key}` is empty, and there is nothing to draw", rule="invalid-template")
    for entry in entries:
        if not is_list:
            raise _build_complaint(
                f"`{key}` should be a list, such as `{_EXAMPLES[key]}`, not {describe_value(value)}", value
            )
        if not _matches_shape(entry, key):
            raise _build_complaint(f"each of `{key}` should be as in `{_EXAMPLES[key]}`; this one is not", entry)
    return entries


def validate_selection(items: list[Any], selected: Any, action: Any) -> list[Any]:
    """Return the items of a drawing, after checking the selected item and the action against them.

    Raises: TemplateCallError: `selected` is set and none of the items, or there is an `action` but no item.
    """
    texts = [item if _is_text(item) else item[0] for item in items]
    if action and not items:
        message = "`action` is for each of `items`, and there are none; a `button` is below all"
        raise _build_complaint(message, action)
    if selected and selected not in texts:
        hint = format_suggestion(selected, map(str, texts))
        raise _build_complaint(f"`selected` is not one of `items`: {selected}{hint}", selected)
    return items


def _matches_shape(entry: Any, key: str) -> bool:
    if not isinstance(entry, list | tuple):
        return _is_text(entry) and key in ("path", "only", "items")
    min_length, max_length = _PARTS.get(key, (0, -1))
    if not min_length <= len(entry) <= max_length:
        return False
    texts, rest = (entry[:2], entry[2:]) if key == "fields" else (entry, ())  # the third item is true for a menu
    return all(map(_is_text, texts)) and not any(part and _is_text(part) for part in rest)


def _is_text(value: Any) -> bool:
    """Return whether a value can be drawn. An undefined value reports itself when it is drawn."""
    return isinstance(value, str | int | float | Undefined) and not isinstance(value, bool)


def _build_complaint(message: str, about: Any) -> TemplateCallError:
    while isinstance(about, list | tuple) and about:  # a list is located at its first text
        about = about[0]
    return TemplateCallError(message, at=about, rule="invalid-template")
