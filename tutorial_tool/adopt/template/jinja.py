"""Render text as Jinja source, with tags in it escaped; line ends and indentation are kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tutorial_tool.adopt.words.pieces import Vector, get_majority
from tutorial_tool.core import lazy_re

RAW_SEAM = lazy_re.compile(r"\n\{% endraw %\}\n((?:[^{#\n][^{\n]*\n|\n)*)\{% raw %\}")
"""What separates raw blocks with only blank lines, and paragraphs without tags, between them."""
_OPENING = lazy_re.compile(r"\{[{%#]")


@dataclass(frozen=True)
class PrintTag:
    """A tag that prints an expression: `{{ … }}`"""

    expression: str


Part = str | PrintTag  # Part of a line: literal text, or a tag


def build_source(parts: Iterable[Part]) -> str:
    """Build the template source that prints these parts."""
    parts = list(parts)
    out = ""
    for index, part in enumerate(parts):
        if isinstance(part, str):
            end = part.find("\n") + 1 if index else 0  # of the rest of a line, which no block of its own escapes
            text = escape_text(part[:end]) + escape_text(part[end:])
            out += text[:-1] + "{{ '{' }}" if text.endswith("{") and index + 1 < len(parts) else text
        else:
            out += f"{{{{ {part.expression} }}}}"
    return out


def escape_text(text: str) -> str:
    """Escape literal text."""
    if _OPENING.search(text) and "\n" in text[:-1] and text.endswith("\n") and not re.search(r"endraw|\{#", text):
        bare = text.rstrip("\n")
        return f"{{% raw %}}{bare}\n{{% endraw %}}\n{text[len(bare) + 1 :]}"
    return _OPENING.sub(lambda match: f"{{{{ '{match[0]}' }}}}", text)


def quote_literal(text: str) -> str:
    """Quote a text for an expression."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def build_drift_call(vector: Vector, names: Mapping[str, str]) -> str:
    """Build the call that prints unnamed texts: the names of most platforms, or the text of most, and the others."""
    named = {platform: text for platform, text in vector if names.get(platform) == text}
    if 2 * len(named) > len(vector) and len({*named.values()}) > 1:
        usual, others = "platform.name", [pair for pair in vector if pair[0] not in named]
    else:
        majority = get_majority(vector)
        usual, others = quote_literal(majority), [pair for pair in vector if pair[1] != majority]
    pairs = ", ".join(f"{quote_literal(platform)}: {quote_literal(text)}" for platform, text in others)
    return f"drift({usual}, {{{pairs}}})"


def build_conditional(branches: Iterable[tuple[str, str]]) -> str:
    """Build a conditional of whole lines. There is no `else`: a later platform states its own value."""
    out = ""
    for condition, text in branches:
        out += f"{{% {'elif' if out else 'if'} {condition} %}}\n{text}"
    return out + "{% endif %}\n"
