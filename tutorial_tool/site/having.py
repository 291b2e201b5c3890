"""The pages of a site of which there is anything to say: kept up from run to run, so that nobody asks all again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tutorial_tool.site import Page, Site

Made = TypeVar("Made")


@dataclass
class _Turn:
    """The pages of one run, and which of them the run before did not have."""

    pages: list[Page]
    usual_lang: str | None
    number: int = 0
    new: list[Page] = field(default_factory=list)
    gone: list[Page] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.at = {page: at for at, page in enumerate(self.pages)}

    def next(self, pages: list[Page], usual_lang: str | None) -> _Turn:
        if usual_lang != self.usual_lang:  # which of them are in English may be another matter now
            return _Turn(pages, usual_lang, self.number + 2)
        turn = _Turn(pages, usual_lang, self.number + 1)
        turn.new = [page for page in pages if page not in self.at]
        turn.gone = [page for page in self.pages if page not in turn.at]
        return turn


@dataclass
class _Found:
    """What was made of pages up to a turn."""

    turn: int
    by: tuple[object, ...]
    pages: dict[Page, Any]


def having(site: Site, make: Callable[..., Made], *by: object, english: bool = False) -> Mapping[Page, Made]:
    """What `make(page, *by)` gives of each page, in their order, where that is anything at all.

    It is made again where one of `by` is another, as `Page.kept` has it. With `english`, pages in other languages are
    left out.
    """
    turn = _turn(site)
    key = having, make, english
    last: _Found | None = site.known.get(key)
    if last is not None and last.by == by and last.turn == turn.number:
        return last.pages
    if last is not None and last.by == by and last.turn == turn.number - 1:
        matches, asked = last.pages, turn.new
        for page in turn.gone:
            matches.pop(page, None)
    else:
        matches, asked = {}, turn.pages
    before = len(matches)
    for page in asked:
        if (not english or page.may_be_english) and (made := page.kept(make, *by)):
            matches[page] = made
    if before and len(matches) > before:
        matches = dict(sorted(matches.items(), key=lambda item: turn.at[item[0]]))
    site.known[key] = _Found(turn.number, by, matches)
    return matches


def _turn(site: Site) -> _Turn:
    """The turn that a site is, counted from those before it."""
    last: _Turn | None = site.known.get(_turn)
    if last is None or last.pages is not site.pages:
        now = site.pages, site.usual_lang
        last = site.known[_turn] = last.next(*now) if last else _Turn(*now)
    return last
