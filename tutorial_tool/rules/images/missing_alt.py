"""Images without alt text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity, format_more
from tutorial_tool.markdown.document import MASK, Image
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix

_STATED = lazy_re.compile(r"\{[^{}\n]*\balt=")
_HIDDEN = lazy_re.compile(
    r"\brole\s*=\s*[\"']?(?:presentation|none)\b|\baria-hidden\s*=\s*[\"']?true|\{\s*\.\.\.", re.IGNORECASE
)
_SENTENCE = lazy_re.compile(r"(.+?)(?:[.:!?](?=\s|$)|$)")
_FEWEST, _MOST = 8, 120  # Characters of a sentence that can serve as alt text


@rule("images", Severity.WARNING, needs="images")
def check(page: Page) -> Iterator[Finding]:
    text = page.plain
    images = [image for image in page.document.images if _lacks_alt(image, text)]
    if images:
        yield _report_images(page, images)


def _report_images(page: Page, images: Sequence[Image]) -> Finding:
    """Build one finding for a page: missing alt texts are usually a habit and would hide other findings."""
    first, *others = images
    again = [(page, (image.start, image.end), f"also `{_get_file_name(image.src)}`") for image in others]
    fixes = [fix for image in images if (fix := _suggest_fix(page, image))]
    fix = fixes[0] if len(fixes) == 1 else None
    if len(fixes) > 1:
        edits = tuple(edit for page_fix in fixes for edit in page_fix.edits)
        fix = PageFix(f"describe {len(fixes)} images by their steps", edits, safe=False)
    message = f"image `{_get_file_name(first.src)}` has no alt text{format_more(others)}"
    return page.flag((first.start, first.end), message, again=again, fix=fix)


def _lacks_alt(image: Image, text: str) -> bool:
    """Return whether an image has no alt text and is not marked as decorative."""
    if image.kind == "source" or (image.alt or "").strip() or image.src.startswith("#"):  # inserted by MyST
        return False
    if image.kind in ("html", "shortcode", "directive"):
        return image.alt is None and not _HIDDEN.search(text, image.start, image.end)
    return not _STATED.match(text, image.end)


def _suggest_fix(page: Page, image: Image) -> PageFix | None:
    """Suggest the text of the step that the image belongs to as its alt text, for an author to review."""
    step = _find_step_text(page, image)
    if not step:
        return None
    if image.kind == "html":
        at = image.start + len("<img")
        return PageFix(f"add the alt text “{step}”", ((at, at, f' alt="{escape(step)}"'),), safe=False)
    if image.alt_place is None:
        return None
    text = re.sub(r"([\\\[\]])", r"\\\1", step)
    return PageFix(f"add the alt text “{step}”", ((*image.alt_place, text),), safe=False)


def _find_step_text(page: Page, image: Image) -> str:
    """Return the first sentence of the list item that contains an image or directly precedes it."""
    before = ""
    for prose in page.document.get_prose():
        start, end = prose.place
        if start >= image.start:
            break
        if prose.kind in ("item", "paragraph", "heading"):
            before = str(prose) if prose.kind == "item" or (start <= image.start < end) else ""
    sentence = _SENTENCE.match(" ".join(before.replace(MASK, " ").split()))
    return sentence[1] if sentence and _FEWEST <= len(sentence[1]) <= _MOST and MASK not in before.strip(MASK) else ""


def _get_file_name(src: str) -> str:
    return re.split(r"['\"]", src.split("?", 1)[0].rstrip("/").rpartition("/")[2])[0] or src
