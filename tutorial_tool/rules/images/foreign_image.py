"""A page that shows another platform's image where its copies show their own."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import partial
from itertools import starmap

from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import Span, find_line_start
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
    pages = [page for page in step.pages.values() if page.generated]
    shown = group_pairs((span, (page, image)) for page in pages for span, image in _iter_typed_images(page))
    for images in shown.values():
        owned = [(page, image, of) for page, image in images if (of := _find_platform(step, page, image))]
        foreign = [item for item in owned if item[0].platform != item[2]]
        if len(foreign) < len(owned):
            yield from starmap(partial(_report_image, step), foreign)


def _iter_typed_images(page: Page) -> Iterator[tuple[Span, Image]]:
    """Yield the images whose URL is literal text of a template, and its span."""
    for image in page.document.images:
        span, exact = page.get_source_span(*image.place) if image.place else (None, False)
        if span and exact and span.text == image.src:
            yield span, image


def _find_platform(step: Step, page: Page, image: Image) -> str | None:
    """Return the platform whose image folder, as set in the data, holds an image.

    An image is skipped if a nearby word names the platform.
    """
    place = page.place
    if place is None:
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), image.src))
    text = page.plain
    line = text[find_line_start(text, image.start) : image.start] + (image.alt or "")
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
