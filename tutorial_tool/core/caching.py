"""Results of methods that are kept in their object, as `functools.cached_property` keeps those of properties."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Instance = TypeVar("Instance")
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def cache_method(
    method: Callable[Concatenate[Instance, Parameters], Result],
) -> Callable[Concatenate[Instance, Parameters], Result]:
    """Call a method once for the same arguments on the same object."""
    name = f"{method.__name__}()"

    @wraps(method)
    def get(self: Instance, /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        results: dict[tuple[Any, ...], Result] = self.__dict__.setdefault(name, {})
        key = (*args, *kwargs.items())
        if key not in results:
            results[key] = method(self, *args, **kwargs)
        return results[key]

    return get
