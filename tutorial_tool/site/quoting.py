"""Quote data in front matter: the output of a template's tags is text, whatever it means in YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool import data
from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.source import Source
from tutorial_tool.core.traced import Traced, strip_origins

_STAND_IN = "\ue000"
_TYPED = lazy_re.compile(r"(?:y|yes|n|no|on|off|true|false|null|~|[-+.]?[0-9][-+.:\w]*)\Z", re.ASCII | re.IGNORECASE)
"""Texts that other YAML parsers read as a Boolean, number, date or null."""
_RISKY = lazy_re.compile(r"[:#\"'\\\[\]{}&*!|>%@`\n]|^[-?]")  # What YAML may not parse as text
_TEXTS = {"title", "description"}  # Entries that are never lists
_PLAIN = lazy_re.compile(r"[A-Za-z](?:[\w ,.()/-]*[\w.)])?", re.ASCII)
"""Texts that YAML parses unchanged, as most titles."""


def quote_front_matter(text: Traced) -> Traced:
    """Return a rendered page with its front matter quoted, so that the output of a tag ends no value.

    A value is quoted if YAML rejects the output in it, or reads a part of that as a comment. Output read as a list or a
    quoted text is left unchanged: the data may intend it.
    """
    front_matter = data.find_front_matter(text) or data.find_front_matter_at_end(text)
    printed = _iter_printed(text, front_matter.start, front_matter.end) if front_matter else ()
    if front_matter is None or not any(_RISKY.search(output) or _TYPED.match(output) for output in printed):
        return text
    front = traced.ensure_traced(text[front_matter.start : front_matter.end])
    plain, masked = strip_origins(front), _replace_printed(front)
    node = data.load_yaml(Source("", masked)).node if _STAND_IN not in plain else None
    pieces: list[str] = []
    copied = 0
    for scalar, is_item, is_text in _iter_scalars(node):
        part = slice(scalar.span.start, scalar.span.end)
        if _STAND_IN in masked[part] and scalar.style in ("", "'", '"'):
            value = _restore_value(scalar, traced.ensure_traced(front[part]), masked[part])
            if not _reads_as_intended(plain[part], strip_origins(value), is_item, is_text):
                pieces += [front[copied : part.start], _quote_text(value)]
                copied = part.stop
    rest = text[front_matter.start + copied :]
    return traced.concatenate([text[: front_matter.start], *pieces, rest]) if pieces else text


def format_yaml_scalar(text: Traced) -> Traced:
    """Return a text as a one-line YAML value: unchanged if that reads back the same, or in double quotes."""
    if _PLAIN.fullmatch(text):
        return text
    loaded = data.load_yaml(Source("", f"k: {strip_origins(text)}\n"))
    read_back = data.get_node(loaded.node, "k")
    if (
        isinstance(read_back, data.Scalar)
        and read_back.plain == strip_origins(text)
        and not loaded.findings
        and text[:1] not in "\"'"
    ):
        return text
    return _quote_text(text)


def _quote_text(text: Traced) -> Traced:
    escaped = traced.ensure_traced(text.replace("\\", "\\\\")).replace('"', '\\"').replace("\n", "\\n")
    return traced.concatenate(['"', escaped, '"'])


def _iter_printed(text: Traced, start: int, end: int) -> Iterator[str]:
    """Yield the output of tags in a part of a text, piece by piece."""
    position = start
    for run in text.get_runs_between(start, end):
        if run.via:
            yield strip_origins(text[position : position + run.length])
        position += run.length


def _replace_printed(front: Traced) -> str:
    """Return the text with each character of a tag's output replaced by one without meaning in YAML."""
    out, position = [], 0
    for run in front.runs:
        out.append(_STAND_IN * run.length if run.via else strip_origins(front[position : position + run.length]))
        position += run.length
    return "".join(out)


def _iter_scalars(node: data.Node | None) -> Iterator[tuple[data.Scalar, bool, bool]]:
    """Yield the scalars of a node in text order, each with whether it is in brackets and always text."""
    todo: list[tuple[data.Node, bool, bool]] = [(node, False, False)] if node else []
    while todo:
        node, is_item, is_text = todo.pop()
        if isinstance(node, data.Scalar):
            yield node, is_item, is_text
            continue
        is_item = is_item or node.span.text[:1] in {"[", "{"}
        if isinstance(node, data.Sequence):
            todo += [(value, is_item, False) for value in reversed(node.items)]
        else:
            todo += [(value, is_item, key.plain in _TEXTS) for key, value in reversed(node.items)]


def _restore_value(scalar: data.Scalar, shown: Traced, masked: str) -> Traced:
    """Return the text of a value, with the output of tags restored in place of the stand-in characters."""
    printed = (shown[i : i + 1] for i, char in enumerate(masked) if char == _STAND_IN)
    return traced.concatenate([next(printed) if char == _STAND_IN else char for char in scalar.plain])


def _reads_as_intended(shown: str, text: str, is_item: bool, is_text: bool) -> bool:
    """Return whether YAML reads a value as intended, or as something that may be intended."""
    loaded = data.load_yaml(Source("", f"{{k: {shown}}}" if is_item else f"k: {shown}\n"))
    if loaded.findings or not isinstance(loaded.node, data.Mapping):
        return False
    value = loaded.node.get("k")
    if len(loaded.node.items) > 1 or not isinstance(value, data.Scalar):
        return not is_text
    if value.style in {"'", '"'}:
        return True
    return value.plain.split() == text.split() and not (is_text and _TYPED.match(text))
