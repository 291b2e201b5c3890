"""Values that templates can look into, and undefined names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, NoReturn

from jinja2 import StrictUndefined
from jinja2.exceptions import SecurityError, UndefinedError
from jinja2.utils import missing

from tutorial_tool.core import traced
from tutorial_tool.core.diagnostics import format_suggestion
from tutorial_tool.core.source import Span
from tutorial_tool.templating.environment.call_errors import TemplateCallError, TemplateFailure, build_failure

NOTHING: Mapping[str, str] = {}
_METHODS = ("items", "keys", "values")  # Methods that people call on a mapping; a key of that name is something else


class Namespace(Mapping[str, Any]):
    """A mapping that templates look into by key only: a key named `items` or `copy` is never a method.

    `what` names it in messages (`platform 'ios'`), `span` is its declaration. A `LazyValue` is computed on access.
    `about` names the sections of the data that define its keys, if any. `intended` maps keys that people expect here to
    what they should write. `made` builds the values from fields that all pages share.
    """

    def __init__(
        self,
        what: str,
        fields: Mapping[str, Any],
        span: Span | None = None,
        about: tuple[str, ...] = (),
        intended: Mapping[str, str] = NOTHING,
        made: Callable[[Any], Any] | None = None,
    ) -> None:
        self._what, self._fields, self._span, self.about, self._meant = what, fields, span, about, intended
        self._made = made

    def __getitem__(self, key: str) -> Any:
        value = self._made(self._fields[key]) if self._made else self._fields[key]
        return value.compute() if isinstance(value, LazyValue) else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __str__(self) -> str:
        raise TemplateCallError(
            f"{self._what} has several parts and cannot be printed; name one of: {', '.join(self._fields)}"
        )

    def __repr__(self) -> str:
        return self._what

    def describe_lacking(self, key: object, hint: str) -> str:
        """Describe a missing key; `hint` is what to write, where the template shows that."""
        place = f" ({self._span})" if self._span else ""
        name = traced.strip_origins(f"{key}")
        intended = self._meant.get(name) or self._meant.get(name.replace("_", "-"))
        hint = hint or (f"; write {intended}" if intended else format_suggestion(key, self._fields))
        if not hint and self._what.startswith("`values` of"):
            hint = f"; write `values: {{{key}: …}}` there"
        elif not intended and f"{key}" in _METHODS:
            start = "; did you mean `platform.values`? A" if (self._what, key) == ("`platforms`", "values") else "; a"
            hint = f"{start} loop takes its parts: `{{% for id, one in … | items %}}`"
        elif self._what == "`platforms`" and not hint and any(key in item for item in self.values()):
            hint = f"; did you mean `platform.{key}`?"
        return f"{self._what} has no `{key}`{place}{hint}"


class LazyValue(NamedTuple):
    """A namespace field that is computed when a template uses it."""

    compute: Callable[[], Any]


class MissingName(StrictUndefined):
    """An undefined name with the span of its use."""

    __slots__ = ("_about", "_span", "_text")
    _about: tuple[str, ...]
    _span: Span
    _text: str

    def _fail_with_undefined_error(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise self._build_error()

    def _build_error(self) -> Exception:
        span = getattr(self, "_span", None)
        message = getattr(self, "_text", None) or self._undefined_message
        name: object = self._undefined_name
        if not isinstance(name, str | int | None):
            message = "the value in brackets is not a name or number"
        if issubclass(self._undefined_exception, SecurityError):
            message = f"templates must not use `{self._undefined_name}`"
        if span is None:
            return UndefinedError(message)
        return build_failure(message, span, about=getattr(self, "_about", None) or ())

    __iter__ = __str__ = __len__ = _fail_with_undefined_error
    __eq__ = __ne__ = __bool__ = __hash__ = __contains__ = _fail_with_undefined_error
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _fail_with_undefined_error
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _fail_with_undefined_error
    __pos__ = __neg__ = __call__ = __getitem__ = __lt__ = __le__ = __gt__ = __ge__ = _fail_with_undefined_error
    __int__ = __float__ = __complex__ = __pow__ = __rpow__ = _fail_with_undefined_error

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__" or name in MissingName.__slots__:
            raise AttributeError(name)
        raise self._build_error()


def check_names(values: Iterable[Any]) -> None:
    """Check that the arguments of a call are defined.

    Raises: TemplateFailure if one is not.
    """
    for value in values:
        if isinstance(value, MissingName):
            error, name = value._build_error(), value._undefined_name
            if isinstance(error, TemplateFailure) and value._undefined_obj is missing:
                message = f"`{name}` is not defined; put a name of the data in quotes: `'{name}'`"
                raise TemplateFailure(replace(error.finding, message=message)) from None
            raise error
