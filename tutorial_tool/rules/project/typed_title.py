"""A heading of level 1 in a template, which readers see instead of the step's numbered title."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site
from tutorial_tool.site.fact_index import collect_facts

_TITLE = lazy_re.compile(r"^title\s*:", re.MULTILINE)


@rule("project", Severity.WARNING, needs="project")
def check(site: Site) -> Iterator[Finding]:
    for findings in collect_facts(site, _report_headings, site.model.strings["title"]).values():
        yield from findings


def _report_headings(page: Page, words: str) -> tuple[Finding, ...]:
    """Report the extra level-1 headings of a page with a computed title, whose format is `words`."""
    if not _has_computed_title(page):
        return ()
    title = words.replace("{number}", str(page.number)).replace("{title}", strip_origins(page.title))
    headings = (heading for heading in page.document.headings if heading.level == 1 and str(heading.text) != title)
    message = f"readers see this heading instead of the title `{title}`; delete it"
    return tuple(page.flag((heading.content_start, heading.content_end), message) for heading in headings)


def _has_computed_title(page: Page) -> bool:
    """Return whether a title in the front matter is printed with the step's number; else, the heading is the title."""
    front = page.document.front_matter if page.generated else None
    if front is None or page.place is None or page.number is None or not page.place.step.numbering.steps:
        return False
    return _TITLE.search(page.document.text, front.start, front.end) is not None
