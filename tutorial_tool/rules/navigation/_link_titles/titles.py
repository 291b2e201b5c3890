"""The titles of pages, and whether a link's text is the title of another page than its target."""

from __future__ import annotations

import re
from functools import cached_property
from posixpath import basename, splitext
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.links.pages import get_first_heading
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules.navigation.step_number_mismatch import find_mismatches
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.variants.ordering import Order, StepNumber, Title, numbers


class NamedLink(NamedTuple):
    """A link with the name of a page. `name` is its text, normalized, `place` the span of the whole link."""

    page: Page
    name: str
    place: Range
    target: Page
    is_neighbor: bool = False
    text: str = ""
    is_part: bool = False  # Whether it links to a section of its target


class Titles:
    """The names of pages: title and first heading, without step numbers."""

    def __init__(self, site: Site, known: Order) -> None:
        self._site, self._known = site, known
        self._misnumbered = find_mismatches(known)

    @cached_property
    def _pages(self) -> dict[str, list[Page]]:
        """The pages by name."""
        return group_pairs((name, page) for page in self._site.pages for name in self.get_names(page))

    def get_names(self, page: Page) -> frozenset[str]:
        """Return the normalized names of a page, with and without the step number."""
        entry = self._known.entries.get(page)
        return page.get_cached(_collect_names, entry.title if entry else "", self._known.get_title(page))

    def matches_target(self, named: NamedLink) -> bool:
        """Return whether a link's text is a name of its target."""
        values = {named.name, normalize_title(numbers.strip_step_number(named.name))}
        return bool(values & self.get_names(named.target)) and not self._explain_other_step(named)

    def explain_mismatch(self, named: NamedLink) -> str:
        """Explain why a link's text names another page than its target; "" if that is uncertain."""
        if wrong := self._explain_other_step(named):
            return wrong
        if self.matches_target(named) or self._is_near(named) or _is_file_name(named):
            return ""
        others = self._pages.get(named.name, [])
        if len(named.name.split()) < 2 or len(others) != 1 or others[0] in (named.page, named.target):
            return ""
        title = self._known.get_title(named.target)
        target = f"`{named.target.source.path}`" + (f" (`{title.text}`)" if title else "")
        return f"link text is the title of `{others[0].source.path}`, but the link goes to {target}"

    def _explain_other_step(self, named: NamedLink) -> str:
        """Explain a `Step 5: …` that links to step 6."""
        typed = numbers.parse_step_number(Title(named.name, Range(0, len(named.name))))
        title = self._known.get_step_number(named.target)
        if typed is None or title is None or not typed.word or typed.word != title.word or typed.number == title.number:
            return ""
        if named.target in self._misnumbered or _may_mean_item(named, typed):
            return ""
        return f"the link text says {typed.word} {typed.number}, but the link goes to {title.word} {title.number}"

    def _is_near(self, named: NamedLink) -> bool:
        """Return whether the text is a shorter or longer form of the target's name, a heading, or part of its path."""
        words = _split_words(named.name)
        names = map(_split_words, self.get_names(named.target))
        is_part = words <= _split_words(named.target.path.lower()) or named.name in named.target.get_cached(
            _get_headings
        )
        return is_part or any(words <= name or name <= words for name in names)


def _may_mean_item(named: NamedLink, typed: StepNumber) -> bool:
    """Return whether `step 5` may mean an item of a list on the page that a link leads to."""
    item = rf"^[ \t>]*{typed.number}[.)][ \t]"
    return not (typed.title or named.is_neighbor) and re.search(item, named.target.plain, re.MULTILINE) is not None


@page_facts.register
def _get_headings(page: Page) -> frozenset[str]:
    return frozenset(normalize_title(heading.text) for heading in page.document.headings)


def _is_file_name(named: NamedLink) -> bool:
    """Return whether a link's text is its target's file name: `Floor Lamp` and `FloorLamp.md`."""
    stem = splitext(basename(named.target.path))[0]
    return "".join(_PART.findall(named.name)) == "".join(_PART.findall(stem.lower()))


_PART = lazy_re.compile(r"[^\W_]+")
_SHORT = lazy_re.compile(
    r"^[ \t]*(?:(?:sidebar|nav|link|short|menu)[_-]?(?:label|title)|label)[ \t]*:[ \t]*[\"']?(.+?)[\"']?[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)


def _collect_names(page: Page, in_nav: str, title: Title | None) -> frozenset[str]:
    texts = [
        title.text if title else "",
        page.get_cached(get_first_heading),
        in_nav,
        *_SHORT.findall(_get_front_matter(page)),
    ]
    return frozenset(
        name
        for text in texts
        for name in (normalize_title(text), normalize_title(numbers.strip_step_number(text)))
        if name
    )


def _split_words(text: str) -> set[str]:
    return set(_PART.findall(text))


def _get_front_matter(page: Page) -> str:
    front = page.document.front_matter
    return page.document.front_text[front.start : front.end] if front else ""


def normalize_title(text: str) -> str:
    """Normalize a title for comparison: no case, no punctuation at its ends, no doubled spaces."""
    return " ".join(text.replace("\ufffc", " ").casefold().replace("’", "'").split()).strip(" .:!?-–—|»«›‹←→<>")
