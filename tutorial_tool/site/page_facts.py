"""What rules of the whole site ask of every page: made while a page is parsed, and kept when it is not any longer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

_Make = TypeVar("_Make", bound=Callable[[Any], Any])
_made: dict[Callable[[Any], Any], bool] = {}  # What is made of each page, and whether of English ones alone


class _Page(Protocol):
    """A page of `site`, which stands above this room."""

    @property
    def may_be_english(self) -> bool: ...
    def get_cached(self, make: Callable[[Any], Any]) -> Any: ...


def register(make: _Make) -> _Make:
    """Declare that `page.kept(make)` will be asked of every page. What is made holds nothing of the page's document."""
    _made[make] = False
    return make


def register_english(make: _Make) -> _Make:
    """The same for pages in English, or in a language that cannot be told."""
    _made[make] = True
    return make


def list_registered() -> Iterable[Callable[[Any], Any]]:
    """What is made of pages: by the rules that have been loaded."""
    return tuple(_made)


def compute_all(page: _Page) -> None:
    """Make of a page all that has been declared, as long as it stands there parsed."""
    for make, english in _made.items():
        if not english or page.may_be_english:
            page.get_cached(make)
