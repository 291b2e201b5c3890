"""Faults of a built site: URLs in its HTML without a target, and ids repeated on a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.links.built_site.folder import Folder
from tutorial_tool.markdown.html_tags import Attribute

Rule = Literal["broken-link", "broken-anchor", "missing-image", "duplicate-id"]
_OF_THE_BROWSER = lazy_re.compile(r"top$|:~:|[!/?]", re.IGNORECASE)
"""Fragments that a browser or a script handles."""
_PICTURES = ("img", "source", "input", "svg:image")
_REFRESH = lazy_re.compile(r"[\d.\s]*[;,]\s*(?:url\s*=\s*)?[\"']?(.*?)[\"']?\s*", re.IGNORECASE | re.DOTALL)


class Fault(NamedTuple):
    """A fault. `value` is the URL or id as written, `start` the offset of its tag in the built file.

    `target` is the path in the site that the URL points to, or its file if only the `fragment` is missing.
    """

    rule: Rule
    file: str
    value: str
    start: int
    target: str = ""
    fragment: str = ""


def find(folder: Folder, pages: Iterable[str], moved: Callable[[str], bool]) -> Iterator[Fault]:
    """Yield the faults of some files of a site. `moved(path)` is whether the host redirects a path."""
    fragments: list[Fault] = []
    for file in pages:
        attributes = folder.read_attributes(file)
        yield from _find_duplicate_ids(file, attributes)
        for attribute in _iter_unique_urls(attributes):
            fault = _find_fault(folder, file, attribute, moved)
            if fault is not None and fault.rule == "broken-anchor":
                fragments.append(fault)  # the target page may be read later
            elif fault is not None:
                yield fault
    yield from (fault for fault in fragments if fault.fragment not in folder.get_ids(fault.target))


def _find_duplicate_ids(file: str, attributes: Iterable[Attribute]) -> Iterator[Fault]:
    """Yield repeated ids, except those in drawings, which every copy repeats, and the theme's with `__`."""
    seen: set[str] = set()
    for attribute in attributes:
        if attribute.name != "id" or attribute.element.startswith("svg:") or attribute.value.startswith("__"):
            continue
        if attribute.value in seen:
            yield Fault("duplicate-id", file, attribute.value, attribute.start)
        seen.add(attribute.value)


def _iter_unique_urls(attributes: Iterable[Attribute]) -> Iterator[Attribute]:
    """Yield the URLs of a page, each once."""
    seen: set[tuple[str, str]] = set()
    for attribute in attributes:
        for address in _iter_urls(attribute):
            if (address.element, address.value) not in seen:
                seen.add((address.element, address.value))
                yield address


def _iter_urls(attribute: Attribute) -> Iterator[Attribute]:
    """Yield the URLs of an attribute: each one in a `srcset`, and the target of a `meta` refresh."""
    if attribute.is_id:
        return
    if attribute.name in ("srcset", "imagesrcset"):
        for part in attribute.value.split(", "):
            if words := part.strip(" \t\n,").split():
                yield attribute._replace(value=words[0])
    elif attribute.element == "meta":
        if match := _REFRESH.fullmatch(attribute.value):
            yield attribute._replace(value=match[1])
    elif attribute.value.strip():
        yield attribute


def _find_fault(folder: Folder, file: str, attribute: Attribute, moved: Callable[[str], bool]) -> Fault | None:
    """Return the fault of a URL, if any. That of an anchor holds only if the page turns out to lack it."""
    address = folder.parse_url(file, attribute.value)
    if address is None:
        return None
    text = folder.find_file(address)
    if text is None:
        if moved(address.path):
            return None
        picture = attribute.element in _PICTURES or attribute.name in ("poster", "srcset", "imagesrcset")
        return Fault(
            "missing-image" if picture else "broken-link", file, attribute.value, attribute.start, address.path
        )
    if address.fragment and text.endswith(".html") and not _OF_THE_BROWSER.match(address.fragment):
        return Fault("broken-anchor", file, attribute.value, attribute.start, text, address.fragment)
    return None
