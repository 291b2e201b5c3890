"""Placeholders in path patterns and fixed strings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tutorial_tool.core.diagnostics import Finding, build_error, format_suggestion
from tutorial_tool.core.source import Span
from tutorial_tool.data import Scalar
from tutorial_tool.data.model import STRINGS

PATTERNS = {"path": ("tutorial", "platform", "step"), "images": ("tutorial", "platform", "step", "figure", "number")}
_SHOWN = {"step": "number", "step-of": "step", "title": "title"}
"""The placeholder that each fixed string requires, so that readers know what is meant."""
_NAMED = r"\{([^{}]*)\}"


def find_pattern_errors(name: str, node: Scalar) -> Iterator[Finding]:
    """Yield errors for unknown placeholders in a path pattern, and for a single brace."""
    return _find_unknown(name, node, PATTERNS[name], rf"{_NAMED}|[{{}}]")


def find_string_errors(name: str, node: Scalar) -> Iterator[Finding]:
    """Yield errors for placeholders that a fixed string's default does not use, and for missing ones."""
    if name not in STRINGS:
        return  # reported elsewhere
    known = re.findall(_NAMED, STRINGS[name])
    wrong = [*_find_unknown(name, node, known, r"\{([\w-]+)\}"), *_find_single_brace(name, node)]
    shown = _SHOWN.get(name)
    if not wrong and node.text and shown and f"{{{shown}}}" not in node.text:
        message = f"`{name}` should show `{{{shown}}}`, as its default does: `{STRINGS[name]}`"
        wrong.append(build_error("invalid-data", message, node.span))
    yield from wrong


def _find_single_brace(name: str, node: Scalar) -> Iterator[Finding]:
    """Yield an error for the first unpaired brace."""
    rest = re.sub(_NAMED, lambda match: " " * len(match[0]), node.plain)
    if brace := re.search(r"[{}]", rest):
        message = f"`{name}` has a single `{brace[0]}`: names are written in two pairs of braces"
        yield build_error("invalid-data", message, _get_inner_span(node, brace.start(), brace.end()))


def _find_unknown(name: str, node: Scalar, known: Sequence[str], pattern: str) -> Iterator[Finding]:
    for match in re.finditer(pattern, node.text):
        if match[1] not in known:
            hint = format_suggestion(match[1], known) if match[1] else ""
            names = ", ".join(f"`{{{name}}}`" for name in known) or "no names in braces"
            message = f"`{name}` may use {names}, not `{match[0]}`{hint}"
            yield build_error("invalid-data", message, _get_inner_span(node, match.start(), match.end()))


def _get_inner_span(node: Scalar, start: int, end: int) -> Span:
    """Return the span of part of a scalar if it is literal in the file, or else the whole scalar's."""
    runs = node.text.get_runs_between(start, end)
    if len(runs) == 1 and runs[0].aligned and runs[0].span is not None:
        return runs[0].span
    return node.span
