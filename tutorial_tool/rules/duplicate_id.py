"""An id that a page gives to two elements."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import lazy_re
from tutorial_tool.document import Range
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.site import Page

_ID = lazy_re.compile(r"#([^\s#{}=\"']+)")
_KRAMDOWN_ID = lazy_re.compile(r"#((?:[^\s#.{}=\"']|\.(?=\d))+)")
"""A dot begins a class there."""
_VALUE = lazy_re.compile(r"[^\s{}$]+")
_BRANCH = lazy_re.compile(r"\{%-?\s*(?:else|elif)\b")


@rule("markup", Severity.ERROR)
def check(page: Page) -> Iterator[Finding]:
    text = page.plain
    seen: dict[str, Range] = {}
    for id_, place in sorted(_ids(page), key=lambda one: one[1]):
        first = seen.setdefault(id_, place)
        if first is not place and not _BRANCH.search(text, first.end, place.start):
            message = f"the id `{id_}` stands twice on this page; links to it lead to the first"
            yield page.flag(place, message, related=[(page, first, "the first")])


def _ids(page: Page) -> Iterator[tuple[str, Range]]:
    """The ids that are written out; components have properties that only look like ids."""
    text, document = page.plain, page.document
    if "#" not in text and "id" not in text:
        return
    pattern = _KRAMDOWN_ID if page.dialect is Dialect.KRAMDOWN else _ID
    for node, _ in document.inlines():
        if node.kind == "attrs" and (found := pattern.search(text, node.start, node.end)):
            yield found[1], Range(*found.span(1))
    for tag in document.tags:
        attribute = tag.attributes.get("id")
        if attribute and tag.name.islower() and not tag.closing and _VALUE.fullmatch(attribute.value):
            yield attribute.value, Range(attribute.start, attribute.end)
