"""Style attributes in a page."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Page


@rule("markup", Severity.OFF, project=Severity.HINT, yields_to=("raw-html",))
def check(page: Page) -> Iterator[Finding]:
    text = page.plain
    if "style" not in text:
        return
    places = [
        (tag.attributes["style"].start, tag.attributes["style"].end)
        for tag in page.document.tags
        if "style" in tag.attributes and tag.name.islower() and text[tag.attributes["style"].start - 1] in "\"'"
    ]
    if places:
        first, *others = places
        more = f" ({len(places)} on this page)" if others else ""
        message = f"inline `style`; use a class in the site's style sheet{more}"
        yield page.flag(first, message, related=[(page, place, "also here") for place in others])
