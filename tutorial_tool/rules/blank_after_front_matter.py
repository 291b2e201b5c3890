"""No blank line between the front matter and the page."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix


@rule("markup", Severity.HINT, needs="front-matter")
def check(page: Page) -> Iterator[Finding]:
    front = page.document.front_matter
    text = page.plain
    if front is None or not text[front.body :].strip():
        return
    end = len(text[: front.body].rstrip())
    start = text.rfind("\n", 0, end) + 1
    after = text.find("\n", end) + 1
    if after and text[after:].split("\n", 1)[0].strip():
        fix = PageFix("put a blank line after the front matter", ((after, after, "\n"),))
        yield page.flag((start, end), "a blank line should follow the front matter", fix=fix)
