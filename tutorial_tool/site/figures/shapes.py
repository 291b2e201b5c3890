"""What the drawings that come with the tool take: texts, lists of texts, and lists of lists. All else is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from jinja2 import Undefined

from tutorial_tool.core.diagnostics import did_you_mean
from tutorial_tool.templating.environment import Complaint


class _Parts(NamedTuple):
    """What an entry holds that is a list: in words, in an example, and between which numbers of parts."""

    what: str
    example: str
    least: int
    most: int


_PARTS = {
    "fields": _Parts("a name and a value", "['Name', '']", 2, 3),
    "nodes": _Parts("a role, a name, and what joins it to the next one", "['Input', 'App', 'Connection']", 2, 3),
    "items": _Parts("a text and its detail", "['Name', 'Who sees it']", 2, 2),
}
_MAY_BE_TEXT = "items"  # The list whose entries may also be texts alone
_LISTS = ("path", "only", *_PARTS)
_NEEDED = ("path", "nodes")  # Lists without which there is nothing to draw


def checked(value: Any, key: str) -> Any:
    """An argument as it can be drawn. Raises `Complaint` where it is not the text or list that it should be."""
    if value is None:
        return "" if key not in _LISTS else []
    if key not in _LISTS:
        if not _is_text(value):
            raise _complaint(f"'{key}' should be a text, not {_shown(value)}", value)
        return value
    if _is_text(value) and not isinstance(value, Undefined):
        raise _complaint(f"'{key}' should be a list, not {_shown(value)}: write it in brackets", value)
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise _complaint(f"'{key}' should be a list, not {_shown(value)}", value)
    entries = list(value)
    if not entries and key in _NEEDED:
        raise Complaint(f"'{key}' is empty, and there is nothing to draw", rule="invalid-template")
    for entry in entries:
        _check(entry, key)
    return entries


def chosen(items: list[Any], selected: Any, action: Any) -> list[Any]:
    """The items, one of which is the one that is selected. Raises `Complaint` where none is."""
    texts = [item if _is_text(item) else item[0] for item in items]
    if action and not items:
        message = "'action' is for each of 'items', and there are none; a 'button' is below all"
        raise _complaint(message, action)
    if selected and selected not in texts:
        hint = did_you_mean(selected, map(str, texts))
        raise _complaint(f"'selected' is none of 'items': {selected}{hint}", selected)
    return items


def _check(entry: Any, key: str) -> None:
    parts = _PARTS.get(key)
    if parts is None or (key == _MAY_BE_TEXT and not isinstance(entry, list | tuple)):
        if not _is_text(entry):
            raise _complaint(f"each of '{key}' should be a text; this one is {_shown(entry)}", entry)
        return
    is_list = isinstance(entry, list | tuple)
    if not is_list or not parts.least <= len(entry) <= parts.most or not all(map(_is_text, _texts(entry, key))):
        either = "a text, or " if key == _MAY_BE_TEXT else ""
        message = f"each of '{key}' is {either}a list of {parts.what}, such as {parts.example}"
        raise _complaint(f"{message}; this one is {_shown(entry)}", entry)
    if key == "fields" and any(entry[2:]) and _is_text(entry[2]):
        raise _complaint(f"the third of one of 'fields' is true, for a menu; this one is {_shown(entry[2])}", entry[2])


def _texts(entry: list[Any] | tuple[Any, ...], key: str) -> Iterable[Any]:
    return entry[:2] if key == "fields" else entry


def _is_text(value: Any) -> bool:
    """Whether a value is drawn as it is meant. What is not defined says so itself, where it is drawn."""
    return isinstance(value, str | int | float | Undefined) and not isinstance(value, bool)


def _complaint(message: str, about: Any) -> Complaint:
    while isinstance(about, list | tuple) and about:  # a list stands where its first text does
        about = about[0]
    return Complaint(message, at=about, rule="invalid-template")


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return f"'{value}'"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_shown, value))}]"
    if callable(value):
        return "a function; call it, with `()` after its name"
    return "a mapping" if isinstance(value, Mapping) else "that"
