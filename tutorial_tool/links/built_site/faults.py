"""The faults of a written site: addresses in its HTML that lead nowhere, and ids that stand twice on a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.links.built_site.folder import Folder
from tutorial_tool.markdown.html_tags import Attribute

Rule = Literal["broken-link", "broken-anchor", "missing-image", "duplicate-id"]
_OF_THE_BROWSER = lazy_re.compile(r"top$|:~:|[!/?]", re.IGNORECASE)
"""Fragments that a browser or a script makes sense of."""
_PICTURES = ("img", "source", "input", "svg:image")
_REFRESH = lazy_re.compile(r"[\d.\s]*[;,]\s*(?:url\s*=\s*)?[\"']?(.*?)[\"']?\s*", re.IGNORECASE | re.DOTALL)


class Fault(NamedTuple):
    """One fault. `value` is the address or id as it stands, `start` the offset of its tag in the built file.

    `target` is the path that the address leads to in the site, or its file where only the `fragment` lacks.
    """

    rule: Rule
    file: str
    value: str
    start: int
    target: str = ""
    fragment: str = ""


def find(folder: Folder, pages: Iterable[str], moved: Callable[[str], bool]) -> Iterator[Fault]:
    """The faults of some files of a site. `moved` tells of a path whether the host sends its readers elsewhere."""
    fragments: list[Fault] = []
    for file in pages:
        attributes = folder.attributes(file)
        yield from _twice(file, attributes)
        for one in _different(attributes):
            fault = _fault(folder, file, one, moved)
            if fault is not None and fault.rule == "broken-anchor":
                fragments.append(fault)  # the page that it leads to may come later
            elif fault is not None:
                yield fault
    yield from (fault for fault in fragments if not _has(folder, fault))


def _has(folder: Folder, fault: Fault) -> bool:
    return fault.fragment in folder.ids(fault.target)


def _twice(file: str, attributes: Iterable[Attribute]) -> Iterator[Fault]:
    """The ids that stand twice. Drawings repeat theirs with each copy; those with `__` are the theme's own affair."""
    seen: set[str] = set()
    for one in attributes:
        if one.name != "id" or one.element.startswith("svg:") or one.value.startswith("__"):
            continue
        if one.value in seen:
            yield Fault("duplicate-id", file, one.value, one.start)
        seen.add(one.value)


def _different(attributes: Iterable[Attribute]) -> Iterator[Attribute]:
    """The addresses of a page, each once."""
    seen: set[tuple[str, str]] = set()
    for attribute in attributes:
        for one in _addresses(attribute):
            if (one.element, one.value) not in seen:
                seen.add((one.element, one.value))
                yield one


def _addresses(one: Attribute) -> Iterator[Attribute]:
    """The addresses of an attribute: each of a `srcset`, and what a `meta` sends readers to."""
    if one.is_id:
        return
    if one.name in ("srcset", "imagesrcset"):
        for part in one.value.split(", "):
            if words := part.strip(" \t\n,").split():
                yield one._replace(value=words[0])
    elif one.element == "meta":
        if match := _REFRESH.fullmatch(one.value):
            yield one._replace(value=match[1])
    elif one.value.strip():
        yield one


def _fault(folder: Folder, file: str, one: Attribute, moved: Callable[[str], bool]) -> Fault | None:
    """What is wrong with an address; of an anchor, what would be if the page did not have it."""
    address = folder.address(file, one.value)
    if address is None:
        return None
    found = folder.file(address)
    if found is None:
        if moved(address.path):
            return None
        picture = one.element in _PICTURES or one.name in ("poster", "srcset", "imagesrcset")
        return Fault("missing-image" if picture else "broken-link", file, one.value, one.start, address.path)
    if address.fragment and found.endswith(".html") and not _OF_THE_BROWSER.match(address.fragment):
        return Fault("broken-anchor", file, one.value, one.start, found, address.fragment)
    return None
