"""Text as Jinja source: what Jinja would read as a tag is escaped; tags never eat a line end or an indentation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tutorial_tool.adopt.words.pieces import Vector
from tutorial_tool.core import lazy_re

_OPENING = lazy_re.compile(r"\{[{%#]")
_FEW = 2  # Openings that are escaped one by one; a text with more of them is a raw block


@dataclass(frozen=True)
class PrintTag:
    """`{{ … }}`"""

    expression: str


Part = str | PrintTag  # A part of a line: literal text, or a tag


def build_source(parts: Iterable[Part]) -> str:
    """The template source that prints these parts."""
    parts = list(parts)
    out = ""
    for at, part in enumerate(parts):
        following = parts[at + 1] if at + 1 < len(parts) else None
        if isinstance(part, str):
            text = escape_text(part)
            out += text[:-1] + "{{ '{' }}" if text.endswith("{") and following is not None else text
        else:
            out += f"{{{{ {part.expression} }}}}"
    return out


def escape_text(text: str) -> str:
    """Literal text."""
    index = len(_OPENING.findall(text))
    if index > _FEW and "\n" in text[:-1] and text.endswith("\n") and not re.search(r"endraw|\{#", text):
        return f"{{% raw %}}{text}{{% endraw %}}\n"
    return _OPENING.sub(lambda match: f"{{{{ '{match[0]}' }}}}", text) if index else text


def quote_literal(text: str) -> str:
    """A text in quotes, as expressions have it."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def build_drift_call(vector: Vector) -> str:
    """The call that prints texts for which there is no name: the one of most, and the others by platform."""
    counts = Counter(text for _, text in vector)
    usual = max(counts, key=lambda text: counts[text])
    others = ", ".join(
        f"{quote_literal(platform)}: {quote_literal(text)}" for platform, text in vector if text != usual
    )
    return f"drift({quote_literal(usual)}, {{{others}}})"


def build_conditional(branches: Iterable[tuple[str, str]]) -> str:
    """Whole lines by condition, the first that holds. Nobody else gets any: a later platform states its own value."""
    out = ""
    for condition, text in branches:
        out += f"{{% {'elif' if out else 'if'} {condition} %}}\n{text}"
    return out + "{% endif %}\n"
