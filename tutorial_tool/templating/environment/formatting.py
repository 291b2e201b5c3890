"""`format`, `.format()` and `%` in templates: values go through `render_value` and keep their origins."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from string import Formatter
from typing import TYPE_CHECKING, Any

from jinja2.sandbox import SandboxedFormatter

from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.traced import Traced, strip_origins
from tutorial_tool.templating.environment.texts import check_printable, concat_texts
from tutorial_tool.templating.template_limits import MAX_TEXT, MAX_WIDTH, check_limit

if TYPE_CHECKING:
    from tutorial_tool.templating.environment import TemplateEnvironment

_CONVERSION = lazy_re.compile(
    r"%(?:\((?P<name>[^()]*)\))?(?P<flags>[#0 +-]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<type>.?)",
    re.DOTALL,
)
_SIZE = lazy_re.compile(r"\d+")


def format_percent(template: str, values: Any, call: str = "%") -> Traced:
    """Format like Python's `%`.

    Raises: TemplateCallError if a value is neither text nor a number; LimitExceeded if a width is too large; TypeError,
    as Python does, if the number of values is wrong.
    """
    arguments = iter(values if isinstance(values, tuple) else (values,))
    names = values if isinstance(values, Mapping) else None
    text, parts, copied_until = traced.ensure_traced(template), FormattedParts(), 0
    for match in _CONVERSION.finditer(strip_origins(template)):
        parts.add_part(text[copied_until : match.start()])
        parts.add_part(_convert_field(match, names, arguments, call))
        copied_until = match.end()
    if names is None and next(arguments, parts) is not parts:
        raise TypeError("not all arguments converted during string formatting")
    parts.add_part(text[copied_until:])
    return concat_texts(parts.texts)


class FormattedParts:
    """The pieces of a formatted text, limited to the maximum length of a text."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._length = 0

    def add_part(self, text: str) -> None:
        self._length += len(text)
        check_limit(self._length <= MAX_TEXT)
        self.texts.append(text)


def _convert_field(match: re.Match[str], names: Mapping[str, Any] | None, arguments: Iterator[Any], call: str) -> str:
    """Format one `%…` conversion."""
    if match[0] == "%%":
        return "%"
    spec = f"%{match['flags']}"
    for mark, size in (("", match["width"]), (".", match["precision"])):
        if size is not None:
            spec += f"{mark}{_take_next(arguments) if size == '*' else size}"
    check_sizes(spec)
    if match["name"] is None:
        value = _take_next(arguments)
    elif names is None:
        raise TypeError("format requires a mapping")
    else:
        value = names[match["name"]]
    check_printable(value, call)
    text = f"{spec}{match['type']}" % (strip_origins(value) if isinstance(value, str) else value)
    return keep_origins(text, value)


def _take_next(arguments: Iterator[Any]) -> Any:
    for value in arguments:
        return value
    raise TypeError("not enough arguments for format string")


def format_fields(
    environment: TemplateEnvironment, template: str, arguments: Sequence[Any], names: Mapping[str, Any]
) -> Traced:
    """Format like `str.format`, with the sandbox's lookups. Raises as `format_percent` does."""
    return _Fields(environment, arguments, names).fill_template(traced.ensure_traced(template), nested=False)


class _Fields:
    """The values for the fields of one format string."""

    def __init__(self, environment: TemplateEnvironment, arguments: Sequence[Any], names: Mapping[str, Any]) -> None:
        self._formatter = SandboxedFormatter(environment)
        self._arguments, self._names, self._next = arguments, names, 0

    def fill_template(self, template: Traced, *, nested: bool) -> Traced:
        parts, offset = FormattedParts(), 0
        for literal, name, spec, conversion in Formatter().parse(strip_origins(template)):
            parts.add_part(template[offset : offset + len(literal)])
            offset += len(literal)
            if name is None:
                offset += template[offset - 1 : offset + 1] in ("{{", "}}")  # the second brace of an escaped one
                continue
            if nested and "{" in (spec or ""):
                raise ValueError("Max string recursion exceeded")
            offset = self._find_end(template, offset)
            parts.add_part(self._format_field(name, spec or "", conversion))
        return concat_texts(parts.texts)

    def _find_end(self, template: Traced, start: int) -> int:
        depth = 0
        for brace in re.finditer(r"[{}]", strip_origins(template[start:])):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                return start + brace.end()
        return len(template)

    def _format_field(self, name: str, spec: str, conversion: str | None) -> str:
        first = re.match(r"[^.\[]*", name)
        if first and not first[0]:
            name, self._next = f"{self._next}{name}", self._next + 1
        value, _ = self._formatter.get_field(name, self._arguments, self._names)
        check_printable(value, "format")
        full_spec = strip_origins(self.fill_template(traced.ensure_traced(spec), nested=True))
        check_sizes(full_spec)
        converted = self._formatter.convert_field(strip_origins(value) if isinstance(value, str) else value, conversion)
        return keep_origins(format(converted, full_spec), value)


def check_sizes(spec: str) -> None:
    """Check the sizes in a format specification.

    Raises: LimitExceeded if a width or precision is too large.
    """
    for size in _SIZE.findall(spec):
        check_limit(len(size) < 6 or int(size[:10]) <= MAX_WIDTH, f"a width of more than {MAX_WIDTH:,} characters")


def keep_origins(text: str, value: object) -> str:
    """Give formatted text the origins of its value, if the format added only blanks around it."""
    if not isinstance(value, Traced) or not value or value[0] == " " or value[-1] == " ":
        return value if isinstance(value, Traced) and strip_origins(value) == text else text
    start = len(text) - len(text.lstrip(" "))
    if text.strip(" ") != strip_origins(value):
        return text
    return concat_texts([text[:start], value, text[start + len(value) :]])
