"""Texts that readers see from a page's front matter: its title and its descriptions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re

_TEXT = lazy_re.compile(
    r"^(?P<key>title|linkTitle|sidebar_label|sidebar_title|subtitle|description|summary|excerpt)[ \t]*:[ \t]+"
    r"(?:\"(?P<double>[^\"\\\n]+)\"|'(?P<single>[^'\n]+)'|(?P<plain>[^\s\"'#&*!|>{}\[\]%@`,?-](?:[^\n:#]|:(?!\s)|(?<!\s)#)*?))"
    r"[ \t]*(?:[ \t]#[^\n]*)?$(?!\n[ \t]+\S)",
    re.MULTILINE,
)
"""A one-line entry whose value maps to the page character by character."""
_MARKUP = ("{{", "{%", "<", "`", "](")  # Placeholders and markup; texts with them are skipped
_TITLES = ("title", "linkTitle", "sidebar_label", "sidebar_title")


class FrontText(NamedTuple):
    """A text in front matter: whether it is a title, and its span in characters of the page."""

    is_title: bool
    text: str
    start: int
    end: int


def find_texts(text: str, start: int, end: int) -> Iterator[FrontText]:
    """Yield the texts between two offsets of front matter written as YAML."""
    for entry in _TEXT.finditer(text, start, end):
        group = entry.lastgroup or "key"
        if not any(sign in entry[group] for sign in _MARKUP):
            yield FrontText(entry["key"] in _TITLES, entry[group], *entry.span(group))
