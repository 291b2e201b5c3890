"""Alt texts that do not describe the image: the file name, "image", "screenshot 2"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity, format_more
from tutorial_tool.markdown.document import Image
from tutorial_tool.rules import rule
from tutorial_tool.site import Page

_KIND = r"image|img|picture|pic|photo|photograph|screen\s?shot|screencap|screen\s?capture|graphic|figure|fig|untitled"
_GENERIC = lazy_re.compile(
    rf"(?:an? |the |this )?(?:{_KIND}|alt|alt text|alternative text|image alt text|image description)"
    r"(?:[ _#-]*\d+| here| of)?[.:]?",
    re.IGNORECASE,
)
_FILE = lazy_re.compile(r"\S+\.(?:png|jpe?g|gif|svg|webp|avif|bmp|tiff?)", re.IGNORECASE)
_LIKE_A_FILE = lazy_re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+|\w*[_-]\w*[_-]\w*|\w*\d\w*|\w*[_]\w*|[a-z]+[A-Z]\w*")


@rule("images", Severity.HINT, needs="images")
def check(page: Page) -> Iterator[Finding]:
    vague = []
    for image in page.document.images:
        alt = (image.alt or "").strip()
        if alt and (why := _describe_problem(alt, image)):
            vague.append((page, image.alt_place or (image.start, image.end), f"alt text `{alt}` {why}"))
    if vague:
        (_, place, message), *others = vague
        yield page.flag(place, message + format_more(others), again=others)


def _describe_problem(alt: str, image: Image) -> str:
    stem = image.src.split("?", 1)[0].rpartition("/")[2].rpartition(".")[0]
    is_stem = alt.casefold() == stem.casefold() and _LIKE_A_FILE.fullmatch(alt)
    if is_stem or _FILE.fullmatch(alt):
        return "is the file name"
    return "does not say what the image shows" if _GENERIC.fullmatch(alt) else ""
