"""Find the tags of a template without parsing it, so that a tag that is being typed is found, too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re

_QUOTED = r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
_TAG = lazy_re.compile(
    r"\{#.*?#\}"
    r"|\{%[-+]?\s*raw\s*[-+]?%\}.*?\{%[-+]?\s*endraw\s*[-+]?%\}"
    rf"|(?P<printed>\{{\{{(?>{_QUOTED}|(?!\}}\}}).)*?\}}\}})"
    rf"|(?P<statement>\{{%(?>{_QUOTED}|(?!%\}}).)*?%\}})",
    re.DOTALL,
)
_OPEN = lazy_re.compile(r"\{\{|\{%|\}\}|%\}|\{#|#\}")

_QUOTED_TEXT = lazy_re.compile(_QUOTED)
_QUOTE = lazy_re.compile(r"['\"]")


class Tag(NamedTuple):
    """A tag: `{{ }}`, which prints something, or `{% %}`."""

    start: int
    end: int
    is_output: bool


def find_all(text: str) -> Iterator[Tag]:
    """Yield the tags of a template, except in comments and raw text."""
    for match in _TAG.finditer(text):
        if match.lastgroup is not None:
            yield Tag(match.start(), match.end(), match.lastgroup == "printed")


def find_at(text: str, offset: int) -> Tag | None:
    """Return the tag around an offset."""
    return next((tag for tag in find_all(text) if tag.start <= offset < tag.end), None)


def read_before(text: str, offset: int) -> str | None:
    """Return the text of a tag before an offset, including its opening marker; None outside tags.

    The tag may be closed or not.
    """
    paragraph = text.rfind("\n\n", 0, offset) + 1  # a tag may span lines, but hardly an empty one
    markers = list(_OPEN.finditer(text, paragraph, offset))
    if not markers or markers[-1][0] not in ("{{", "{%"):
        return None
    return text[markers[-1].start() : offset]


def is_quoted(value: str) -> bool:
    """Return whether the text that follows in a tag is in an unclosed quoted string."""
    return _QUOTE.search(_QUOTED_TEXT.sub("", value)) is not None
