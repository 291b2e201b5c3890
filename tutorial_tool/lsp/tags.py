"""The tags of a template, found without parsing it: one that is being typed has them too."""

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

_WHOLE = lazy_re.compile(_QUOTED)
_ENDS = lazy_re.compile(r"['\"]")


class Tag(NamedTuple):
    """A `{{ }}`, which prints something, or a `{% %}`."""

    start: int
    end: int
    is_output: bool


def find_all(text: str) -> Iterator[Tag]:
    """The tags of a template, comments and raw text aside."""
    for match in _TAG.finditer(text):
        if match.lastgroup is not None:
            yield Tag(match.start(), match.end(), match.lastgroup == "printed")


def find_at(text: str, offset: int) -> Tag | None:
    """The tag around an offset."""
    return next((tag for tag in find_all(text) if tag.start <= offset < tag.end), None)


def read_before(text: str, offset: int) -> str | None:
    """What stands in the tag before an offset, with the sign that opens it, whether the tag is closed or not; None
    outside of tags."""
    line = text.rfind("\n\n", 0, offset) + 1  # a tag may go over lines, and hardly over an empty one
    marks = list(_OPEN.finditer(text, line, offset))
    if not marks or marks[-1][0] not in ("{{", "{%"):
        return None
    return text[marks[-1].start() : offset]


def is_quoted(value: str) -> bool:
    """Whether what follows in a tag stands in a text in quotes that is not closed yet."""
    return _ENDS.search(_WHOLE.sub("", value)) is not None
