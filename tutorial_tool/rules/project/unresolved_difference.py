"""A call of `drift()`: texts of copies that differ though no platform is known to need it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Fix, Severity, shorten_text
from tutorial_tool.core.source import Edit
from tutorial_tool.rules import rule
from tutorial_tool.site import Project

_CALL = lazy_re.compile(r"\{\{[-+]?\s*drift(\((?:'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|[^'\")])*\))\s*[-+]?\}\}")

_NAME = "{{ platform.name }}"  # The text of most platforms, where that is their name


@rule("project", Severity.HINT)
def check(project: Project) -> Iterator[Finding]:
    for path, source in project.templates.items():
        for call in _CALL.finditer(source.text) if path.endswith((".j2", ".md")) else ():
            text, others = _read_texts(call[1])
            names = {id_: platform.name for id_, platform in project.model.platforms.items()}
            different = ", ".join(f"{_quote_text(other)} on {names.get(id_, id_)}" for id_, other in others.items())
            message = (
                f"unresolved difference between copies: {_quote_text(text)}, but {different}; "
                "write one text, or make it a value if platforms need both"
            )
            place = source.span(call.start(), call.end())
            title, is_literal = f"Write {_quote_text(text)} everywhere", "{" not in text.removeprefix(_NAME)
            fix = Fix(title, (Edit(place, text),), safe=False) if is_literal else None
            yield project.flag(place, message, fix=fix)


def _read_texts(arguments: str) -> tuple[str, Mapping[str, str]]:
    """Return the text of most platforms, and the others by platform; Jinja's literals are Python's."""
    try:
        text, others = ast.literal_eval(arguments.replace("(platform.name,", f"('{_NAME}',", 1))
        return str(text), {str(id_): str(other) for id_, other in others.items()}
    except (ValueError, SyntaxError, TypeError, AttributeError):
        return "", {}


def _quote_text(text: str) -> str:
    short = shorten_text(" ".join(text.split()))
    return f"`{short.replace('`', '')}`" if short else "nothing"
