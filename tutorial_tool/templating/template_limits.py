"""Limits for templates: the sandbox prevents access to the outside, these limit time and size of output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tutorial_tool.core.errors import LimitExceeded
from tutorial_tool.core.traced import strip_origins

MAX_TEXT = 2_000_000  # Maximum characters and entries of a template's output, or of one value
MAX_STEPS = 500_000  # Maximum lookups, rounds of loops, and printed values of a page
MAX_WIDTH = 99_999

_WIDTHS = frozenset("batch center expandtabs indent ljust rjust round slice tojson truncate wordwrap zfill".split())
"""Methods and filters whose numeric arguments determine the length of the result."""
_SPLITS = frozenset({"rsplit", "split", "splitlines"})
_LISTS = frozenset(
    "batch groupby join list map max min reject rejectattr select selectattr slice sort sum unique".split()
)
"""Filters that iterate over the characters of a text."""
_MULTIPLIED = frozenset({"expandtabs", "translate", "wordwrap"})
"""Filters that may replace each character with an argument."""


def check_limit(fine: bool, message: str = f"the text is longer than {MAX_TEXT:,} characters") -> None:
    if not fine:
        raise LimitExceeded(message)


def measure_weight(value: Any) -> int:
    """Return the total characters and entries of a value, counted per occurrence; stops above the limit."""
    total, rest = 0, [value]
    while rest:
        item = rest.pop()
        total += 1
        if isinstance(item, str | bytes | list | tuple | set | range | dict):
            total += len(item)
        if total > MAX_TEXT:
            break
        if isinstance(item, list | tuple | set):
            rest += item
        elif isinstance(item, dict):
            rest += [*item, *item.values()]
    return total


def compute_cost(value: Any) -> int:
    """Return the cost of a value in steps: any operation on it may read all of it."""
    if isinstance(value, str):
        return len(value) // 100 + len(getattr(value, "runs", ())) // 10
    if isinstance(value, list | tuple | set | dict):
        return measure_weight(value) // 10
    if isinstance(value, range):
        return len(value) // 10
    return value.bit_length() // 1000 if isinstance(value, int) else 0


def compute_call_cost(name: str, text: str, args: Sequence[Any]) -> int:
    """Return the cost of a text method in steps, by the pieces that it creates."""
    if name == "replace" and args and isinstance(args[0], str):
        return text.count(args[0])
    if name == "join":
        return 2 * sum(len(arg) for arg in args if isinstance(arg, str))
    return len(text) // 2 if name in _SPLITS else 0


def compute_filter_cost(name: str, value: Any, args: Sequence[Any]) -> int:
    """Return the cost of a filter in steps, before it runs.

    A filter that turns text into a list costs two steps per character; others cost the size of their value and the
    pieces that they create. `wordwrap`, `urlize` and `striptags` cost more, as they scan parts of a text repeatedly.
    """
    if not isinstance(value, str):
        return compute_cost(value)
    if name in _LISTS:
        return 2 * len(value)
    steps = compute_cost(value) + compute_call_cost(name, value, args)
    if name in ("wordwrap", "urlize"):
        return steps + max(map(len, strip_origins(value).split()), default=0) ** 2 // 1000
    return steps + (value.count("<") * len(value) // 10_000 if name == "striptags" else 0)


def check_value(value: Any) -> None:
    """Check a value before it becomes text: an entry with a million occurrences is printed as often.

    Raises: LimitExceeded if the text would be too long.
    """
    if not isinstance(value, str):
        check_limit(measure_weight(value) <= MAX_TEXT)


def check_operator(operator: str, left: Any, right: Any) -> None:
    if operator == "**" and isinstance(left, int) and isinstance(right, int):
        check_limit(left.bit_length() * abs(right) <= MAX_TEXT, "the power is too large")
    elif operator == "*":
        many, times = (right, left) if isinstance(left, int) else (left, right)
        if isinstance(many, int) and isinstance(times, int):
            check_limit(many.bit_length() + times.bit_length() <= MAX_TEXT, "the product is too large")
        if isinstance(many, str | bytes | list | tuple) and isinstance(times, int):
            check_limit(measure_weight(many) * times <= 2 * MAX_TEXT)
    elif operator == "+" and isinstance(left, str | bytes | list | tuple) and isinstance(right, type(left) | str):
        check_limit(measure_weight(left) + measure_weight(right) <= 2 * MAX_TEXT)


def check_call(name: str, text: str, args: Iterable[Any]) -> None:
    """Check the arguments of a text method or filter.

    Raises: LimitExceeded if its result could be too long.
    """
    args = list(args)
    if name in _WIDTHS:
        _check_widths(args)
    if name == "join":
        sizes = (measure_weight(arg) + len(arg) * len(text) for arg in args if isinstance(arg, str | list | tuple))
        check_limit(max(sizes, default=0) <= 2 * MAX_TEXT)
    elif name == "replace" and len(args) > 1 and isinstance(args[0], str):
        check_limit(len(text) + text.count(args[0]) * _measure_width(args[1]) <= 2 * MAX_TEXT)
    elif name == "indent":
        check_limit((text.count("\n") + 1) * max(map(_measure_width, args), default=4) <= MAX_TEXT)
    elif name in _MULTIPLIED:
        check_limit((len(text) + 1) * max(map(_measure_width, args), default=8) <= 50 * MAX_TEXT)


def _measure_width(arg: Any) -> int:
    return arg if isinstance(arg, int) else measure_weight(arg)


def _check_widths(args: Iterable[Any]) -> None:
    is_too_wide = any(isinstance(arg, int) and abs(arg) > MAX_WIDTH for arg in args)
    check_limit(not is_too_wide, f"a width of more than {MAX_WIDTH:,} characters")


def limit_values(values: Iterable[Any]) -> Iterator[Any]:
    """Yield the values, whose total size is limited.

    Raises: LimitExceeded once the total exceeds the limit.
    """
    total = 0
    for value in values:
        total += measure_weight(value)
        check_limit(total <= 2 * MAX_TEXT)
        yield value
