"""Pictures without an alt text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.document import Image
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Page
from tutorial_tool.traced import plain

_STATED = re.compile(r"\{[^{}\n]*\balt=")
_HIDDEN = re.compile(
    r"\brole\s*=\s*[\"']?(?:presentation|none)\b|\baria-hidden\s*=\s*[\"']?true|\{\s*\.\.\.", re.IGNORECASE
)


@rule("images", Severity.WARNING)
def check(page: Page) -> Iterator[Finding]:
    text = plain(page.text)
    for image in page.document.images:
        if _has_none(image, text):
            yield page.flag((image.start, image.end), f"the picture `{_name(image.src)}` has no alt text")


def _has_none(image: Image, text: str) -> bool:
    """Whether nobody said what the picture shows, nor that it shows nothing."""
    if image.kind == "source" or (image.alt or "").strip():
        return False
    if image.kind == "html":
        return image.alt is None and not _HIDDEN.search(text, image.start, image.end)
    return not _STATED.match(text, image.end)


def _name(src: str) -> str:
    return src.split("?", 1)[0].rstrip("/").rpartition("/")[2] or src
