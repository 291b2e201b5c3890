"""A gap in the numbers of a page's images: 1, 2, 4."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Image
from tutorial_tool.rules import rule
from tutorial_tool.site import Page
from tutorial_tool.variants.ordering.sequences import MIN_SEQUENCE

_NUMBERED = lazy_re.compile(r"(.*?[^\d.])(\d{1,2})(\.[A-Za-z]{2,5})")


@rule("images", Severity.OFF, needs="images")
def check(page: Page) -> Iterator[Finding]:
    series: dict[tuple[str, str], dict[int, Image]] = {}
    for image in page.document.images:
        if match := _NUMBERED.fullmatch(image.src):
            series.setdefault((match[1], match[3]), {}).setdefault(int(match[2]), image)
    for (stem, suffix), images in series.items():
        numbers = sorted(images)
        if len(numbers) >= MIN_SEQUENCE and numbers[0] <= 1:
            for before, after in pairwise(numbers):
                if after > before + 1:
                    yield _report_gap(page, images[after], stem, suffix, before + 1, after - 1)


def _report_gap(page: Page, image: Image, stem: str, suffix: str, first: int, last: int) -> Finding:
    name = stem.rpartition("/")[2]
    missing = f"`{name}{first}{suffix}`" + (f" to `{name}{last}{suffix}`" if last > first else "")
    place = image.place or (image.start, image.end)
    return page.flag(place, f"missing image {missing} before this one")
