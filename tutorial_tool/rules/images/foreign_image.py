"""A page that shows another platform's image where its copies show their own."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.markdown.document import Image
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._foreign_addresses import find_foreign_addresses, report_foreign
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page
from tutorial_tool.variants import Step


@rule("images", Severity.ERROR)
def check(step: Step, findings: Findings) -> Iterator[Finding]:
    for foreign in find_foreign_addresses(step, findings, "image"):
        says = "image of {other} on a page for {here}"
        yield report_foreign(step, foreign, says, "shows its own here", "show their own here")
    if len(step.pages) > 1 and step.first_page.generated:
        yield from _find_shared_images(step)


def _find_shared_images(step: Step) -> Iterator[Finding]:
    """Find images of one platform that a template hard-codes for all of them."""
    shown: dict[Span, list[tuple[Page, Image, str]]] = {}
    for page in step.pages.values():
        for image in page.document.images if page.place and page.generated else ():
            span, exact = page.get_source_span(*image.place) if image.place else (None, False)
            if span and exact and span.text == image.src and (of := _find_platform(step, page, image)):
                shown.setdefault(span, []).append((page, image, of))
    for those in shown.values():
        if any(page.platform == of for page, _, of in those):
            yield from (_report_image(step, *item) for item in those if item[0].platform != item[2])


def _find_platform(step: Step, page: Page, image: Image) -> str | None:
    """Return the platform whose image folder, as set in the data, holds an image.

    An image is skipped if a nearby word names the platform.
    """
    place = page.place
    if place is None:
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), image.src))
    text = page.plain
    line = text[text.rfind("\n", 0, image.start) + 1 : image.start] + (image.alt or "")
    for id_, platform in step.model.platforms.items():
        folder, mark, _ = strip_origins(place.tutorial.get_image_pattern(platform)).partition("{platform}")
        folder = folder.replace("{tutorial}", place.tutorial.id).replace("{step}", place.step.id)
        if mark and path.startswith(posixpath.join(folder, id_, "")):
            return None if strip_origins(platform.name).lower() in line.lower() else id_
    return None


def _report_image(step: Step, page: Page, image: Image, of: str) -> Finding:
    name = strip_origins(step.model.platforms[of].name)
    message = f"image of {name} on the pages of other platforms; write `{{{{ platform.id }}}}` in its path"
    return page.flag(image.place or (image.start, image.end), message)
