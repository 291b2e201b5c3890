"""Text as Jinja source: what Jinja would read as a tag is escaped; tags never eat a line end or an indentation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tutorial_tool.core import lazy_re

_OPENING = lazy_re.compile(r"\{[{%#]")
_FEW = 2
"""Openings that are escaped one by one; a text with more of them is a raw block."""


@dataclass(frozen=True)
class Print:
    """`{{ … }}`"""

    expression: str


@dataclass(frozen=True)
class Only:
    """What some platforms have inside of a line."""

    condition: str
    parts: Sequence[Part]


Part = str | Print | Only
"""A part of a line: literal text, or a tag."""


def source(parts: Iterable[Part]) -> str:
    """The template source that prints these parts."""
    parts = list(parts)
    out = ""
    for at, part in enumerate(parts):
        following = parts[at + 1] if at + 1 < len(parts) else None
        if isinstance(part, str):
            text = escaped(part)
            out += text[:-1] + "{{ '{' }}" if text.endswith("{") and following is not None else text
        elif isinstance(part, Print):
            out += f"{{{{ {part.expression} }}}}"
        else:
            out += _inline(part, out, following)
    return out


def _inline(part: Only, before: str, following: Part | None) -> str:
    text = source([*part.parts, ""])
    first, last = text.partition("\n")[0], text.rpartition("\n")[2]
    then = following.partition("\n")[0] if isinstance(following, str) else "" if following is None else "…"
    begin = "+" * _is_blank(before.rpartition("\n")[2], first)  # a tag that is alone would take its line with it
    end = "+" * _is_blank(last, then)
    return f"{{%{begin} if {part.condition} {begin}%}}{text}{{%{end} endif {end}%}}"


def _is_blank(*texts: str) -> bool:
    return not any(map(str.strip, texts))


def escaped(text: str) -> str:
    """Literal text."""
    found = len(_OPENING.findall(text))
    if found > _FEW and "\n" in text[:-1] and text.endswith("\n") and not re.search(r"endraw|\{#", text):
        return f"{{% raw %}}{text}{{% endraw %}}\n"
    return _OPENING.sub(lambda match: f"{{{{ '{match[0]}' }}}}", text) if found else text


def literal(text: str) -> str:
    """A text in quotes, as expressions have it."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def choice(branches: Iterable[tuple[str, str]]) -> str:
    """Whole lines by condition, the first that holds. Nobody else gets any: a later platform states its own value."""
    out = ""
    for condition, text in branches:
        out += f"{{% {'elif' if out else 'if'} {condition} %}}\n{text}"
    return out + "{% endif %}\n"
