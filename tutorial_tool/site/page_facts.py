"""Compute facts that site rules need of every page while it is parsed, and keep them afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

_Make = TypeVar("_Make", bound=Callable[[Any], Any])
_registered: dict[Callable[[Any], Any], bool] = {}  # Functions cached per page; whether only for English pages


class _Page(Protocol):
    """A page of `site`, which is a layer above this package."""

    @property
    def may_be_english(self) -> bool: ...
    def get_cached(self, make: Callable[[Any], Any]) -> Any: ...


def register(make: _Make) -> _Make:
    """Declare that `page.get_cached(make)` will be requested of every page.

    Its result must not hold the page's document.
    """
    _registered[make] = False
    return make


def register_english(make: _Make) -> _Make:
    """Register a function as `register` does, but for pages in English or in an unknown language."""
    _registered[make] = True
    return make


def list_registered() -> Iterable[Callable[[Any], Any]]:
    """Return the registered functions: those of the rules that have been loaded."""
    return tuple(_registered)


def compute_all(page: _Page) -> None:
    """Compute all registered facts of a page while it is parsed."""
    for make, english in _registered.items():
        if not english or page.may_be_english:
            page.get_cached(make)
