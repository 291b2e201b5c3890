"""Jinja's filters and tests: values go through `render_value`, and their cost is spent beforehand."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from functools import wraps
from typing import Any

from jinja2 import Environment, Undefined, pass_environment
from jinja2.exceptions import FilterArgumentError
from jinja2.filters import FILTERS, do_title, make_attrgetter
from jinja2.tests import TESTS

from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.traced import Run, Traced, strip_origins
from tutorial_tool.templating import template_limits
from tutorial_tool.templating.environment.call_errors import TemplateCallError
from tutorial_tool.templating.environment.formatting import format_percent, keep_origins
from tutorial_tool.templating.environment.texts import check_all_printable, check_printable, concat_texts, render_value

GONE = {
    "pprint": "it prints Python's own view of a value; write `| tojson`, or loop over it",
    "random": "each build would be another one",
}
"""Jinja's filters that templates do not have, and why."""
_PRINTS = frozenset(
    "capitalize center e escape forceescape format indent lower replace safe string striptags title trim truncate upper"
    " urlize wordcount wordwrap".split()
)
"""Filters whose value becomes text."""
_PRINTS_ARGUMENTS = _PRINTS | {"attr", "urlencode", "xmlattr"}
_PLAIN = frozenset({"center", "striptags", "tojson", "urlize", "wordcount", "wordwrap"})
"""Filters that lose origins: they get plain text, so that they do not split it into many traced pieces."""
_ENTITY = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"}
_SPECIAL = lazy_re.compile("[&<>\"']")

Spend = Callable[[int], None]


def build_filters(spend: Spend) -> dict[str, Callable[..., Any]]:
    """Return the filters for templates; each spends its steps with `spend`."""
    filters = {name: function for name, function in FILTERS.items() if name not in GONE}
    filters |= {"join": join, "indent": indent, "title": title}
    filters |= {"format": format_filter, "safe": safe, "sum": sum_numbers}
    filters |= dict.fromkeys(("e", "escape", "forceescape"), escape)
    return {name: _limit_filter(name, function, spend) for name, function in filters.items()}


def build_tests(spend: Spend) -> dict[str, Callable[..., Any]]:
    """Return the tests, which spend steps for what they search: `in` iterates over a whole list."""
    tests: Mapping[str, Any] = TESTS
    return {name: _charge_steps(function, spend) for name, function in tests.items()}


def _charge_steps(function: Callable[..., Any], spend: Spend) -> Callable[..., Any]:
    @wraps(function)
    def call_charged(*args: Any, **kwargs: Any) -> Any:
        spend(1 + sum(map(template_limits.compute_cost, args)))
        return function(*args, **kwargs)

    return call_charged


def _limit_filter(name: str, function: Callable[..., Any], spend: Spend) -> Callable[..., Any]:
    """Wrap a filter to check its arguments, and the items it yields."""
    passed = 1 if hasattr(function, "jinja_pass_arg") else 0

    @wraps(function)
    def call_limited(*args: Any, **kwargs: Any) -> Any:
        value, arguments = args[passed], [*args[passed + 1 :], *kwargs.values()]
        if name in _PRINTS:
            check_printable(value, f"| {name}")
            value = render_value(value)
        if name in _PRINTS_ARGUMENTS:
            check_all_printable(arguments if name in _PRINTS or name == "attr" else [value, *arguments], f"| {name}")
        for item in (value, *arguments):
            template_limits.check_value(item)
        template_limits.check_call(name, value if isinstance(value, str) else "", arguments)
        spend(1 + template_limits.compute_filter_cost(name, value, arguments))
        plain = strip_origins(value) if name in _PLAIN and isinstance(value, Traced) else value
        result = function(*args[:passed], plain, *args[passed + 1 :], **kwargs)
        if name == "striptags":
            return keep_origins(result, value)
        return template_limits.limit_values(result) if isinstance(result, Generator) else result

    return call_limited


# Jinja's filters, with origins


@pass_environment
def join(environment: Environment, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> Traced:
    """Join texts like Jinja's `join`, with origins."""
    values = value if attribute is None else map(make_attrgetter(environment, attribute), value)
    parts = []
    for part in values:
        check_printable(part, "| join")
        parts.append(render_value(part))
    return _join_texts(traced.ensure_traced(render_value(d)), parts)


def _join_texts(separator: Traced, parts: list[str]) -> Traced:
    out: list[str] = []
    for part in parts:
        out += [separator, part] if out else [part]
    return concat_texts(out)


def title(s: str) -> str:
    """Convert to title case like Jinja's `title`, with origins."""
    text = do_title(strip_origins(s))
    return Traced(text, s.runs) if isinstance(s, Traced) and len(text) == len(s) else text


def indent(s: str, width: int | str = 4, first: bool = False, blank: bool = False) -> Traced:
    """Indent lines like Jinja's `indent`, with origins."""
    padding = width if isinstance(width, str) else " " * width
    lines = traced.ensure_traced(s).split("\n")
    padded = [padding + line if (number or first) and (line or blank) else line for number, line in enumerate(lines)]
    return _join_texts(traced.ensure_traced("\n"), padded)


class _SafeText(Traced):
    """Text that `e` leaves unescaped."""

    def __html__(self) -> str:
        return self


def safe(value: str) -> str:
    """Mark text as safe like Jinja's `safe`, with origins."""
    text = traced.ensure_traced(value)
    return _SafeText(text, text.runs)


def format_filter(value: str, *args: Any, **kwargs: Any) -> str:
    """Format with `%` like Jinja's `format`, with origins."""
    if args and kwargs:
        raise FilterArgumentError("format takes values with names or without, not both")
    return format_percent(value, kwargs or args, "| format")


@pass_environment
def sum_numbers(
    environment: Environment, iterable: Iterable[Any], attribute: str | int | None = None, start: Any = 0
) -> Any:
    """Sum numbers only, unlike Jinja's `sum`: a sum of lists copies the partial result for each of them."""
    values = iterable if attribute is None else map(make_attrgetter(environment, attribute), iterable)
    return sum(map(_require_number, values), _require_number(start))


def _require_number(value: Any) -> Any:
    if not isinstance(value, int | float | Undefined):
        raise TemplateCallError("`| sum` adds numbers", rule="invalid-template")
    return value


def escape(s: str) -> str:
    """Escape like Jinja's `e`, with origins: an entity has that of its character."""
    if hasattr(s, "__html__"):
        return s
    text, copied_until, parts = traced.ensure_traced(s), 0, list[str]()
    for special in _SPECIAL.finditer(strip_origins(text)):
        (run,) = text.get_runs_between(*special.span())
        entity = _ENTITY[special[0]]
        parts += [text[copied_until : special.start()], Traced(entity, (Run(len(entity), run.span, False, run.via),))]
        copied_until = special.end()
    return concat_texts([*parts, text[copied_until:]])
