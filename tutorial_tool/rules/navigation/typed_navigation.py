"""Previous and next typed by hand, where they follow from the order of the pages."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.links.typed_neighbors import Neighbor, find_all_typed
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site

_COMPUTED = lazy_re.compile(r"\bstep\s*\.\s*(?:next|previous)\b")


@rule("navigation", Severity.OFF, project=Severity.WARNING, yields_to=("prev-next-mismatch",))
def check(site: Site) -> Iterator[Finding]:
    for page, neighbors in find_all_typed(links.get_addresses(site)).items():
        if page.generated or not site.is_project:
            yield from _report_typed(page, neighbors)


def _report_typed(page: Page, neighbors: list[Neighbor]) -> Iterator[Finding]:
    """Report each direction once: the same link at the top and at the bottom is one habit."""
    typed = (neighbor for neighbor in neighbors if not page.generated or _is_hard_coded(page, neighbor))
    for direction, (first, *others) in group_by(typed, lambda neighbor: neighbor.direction).items():
        again = [(page, item.link, "and here") for item in others]
        instead = f"; delete it, or write `{{{{ link(step.{direction}) }}}}`" if page.generated else ""
        message = f"hard-coded link to the {direction} page, which follows from the order of the steps{instead}"
        yield page.flag(first.link, message, again=again)


def _is_hard_coded(page: Page, neighbor: Neighbor) -> bool:
    """Return whether a link on a generated page is typed, and its target not outside of the steps."""
    is_ordered = neighbor.target is None or neighbor.target.place is not None
    return is_ordered and not _COMPUTED.search(page.get_source_span(*neighbor.link)[0].text)
