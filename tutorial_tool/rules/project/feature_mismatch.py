"""A page whose text and table disagree about a feature: the one asks for it, and the other does not."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model.parts import Platform, Row
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, Site, page_facts

_WORD = lazy_re.compile(r"[^\W\d_]{4,}")  # Shorter words do not characterize a row
_MARKS = "*_`"


@rule("project", Severity.WARNING, needs="project")
def check(site: Site) -> Iterator[Finding]:
    for copies in site.steps.values():
        pages = {site.model.platforms[id_]: page for id_, page in copies.items() if page.generated}
        for id_ in sorted({id_ for page in pages.values() for id_, _ in page.tables}):
            table = site.model.tables[id_]
            for row in table.rows.values():
                if first := row.cells.get(next(iter(table.columns), "")):
                    yield from _report_shown_rows(row, first.plain.lower(), pages)
                    yield from _report_named_rows(row, first.plain.strip(_MARKS), pages)


def _report_shown_rows(row: Row, label: str, pages: dict[Platform, Page]) -> Iterator[Finding]:
    """Report a row about a feature that only the text requires: readers without the feature see it, too."""
    requested = {ask.key: ask.span for page in pages.values() for ask in page.dependencies if ask.kind == "can"}
    for feature in sorted(requested.keys() - set(row.needs)):
        having = [platform for platform in pages if feature in platform.can]
        lacking = [platform for platform in pages if feature not in platform.can]
        words = set(_WORD.findall(label)).intersection(
            _WORD.findall(feature), *(pages[p].get_cached(_get_words) for p in having)
        )
        outliers = [platform for platform in lacking if _shows_row(platform, row)]
        if (
            outliers
            and words.difference(*(pages[p].get_cached(_get_words) for p in lacking))
            and not all(map(row.is_omitted, having))
        ):
            shown = ", ".join(strip_origins(p.name) for p in outliers)
            what = f"row `{row.id}` is shown on {shown}, whose text leaves it out"
            hint = f"`{feature}` is not in `can`; write `needs: [{feature}]` in the row"
            related = Related(requested[feature] or row.key, "the text asks for it")
            yield Finding("", Severity.OFF, f"{what}: {hint}", row.key, tuple(p.id for p in outliers), (related,))


def _shows_row(platform: Platform, row: Row) -> bool:
    """Return whether a platform shows a row without a platform-specific reason."""
    return not row.is_omitted(platform) and not (platform.id in row.on and row.on[platform.id].because)


def _report_named_rows(row: Row, label: str, pages: dict[Platform, Page]) -> Iterator[Finding]:
    """Report text that names a row to everybody, though the row requires a feature."""
    places = {platform: set(_find_label_spans(page, label)) for platform, page in pages.items() if row.needs}
    lacking = [platform for platform in places if not platform.can_all(row.needs)]
    for span in set().union(*(places[platform] for platform in places.keys() - set(lacking))):
        if odd := [platform for platform in lacking if span in places[platform]]:
            feature = next(need for need in row.needs if need not in odd[0].can)
            what = f"`{label}` is named on {', '.join(strip_origins(p.name) for p in odd)}, without such a row"
            hint = f"`{feature}` is not in `can`; write the text under `{{% if platform.can('{feature}') %}}`"
            related = Related(row.key, "the row asks for it")
            yield Finding("", Severity.OFF, f"{what}: {hint}", span, tuple(p.id for p in odd), (related,))


def _find_label_spans(page: Page, label: str) -> Iterator[Span]:
    """Yield the source spans where a page's text has a label as code or in bold."""
    for node, block in page.document.get_inlines():
        is_label = node.kind in ("code", "emphasis") and page.text[node.start : node.end].strip(_MARKS) == label
        span, is_exact = page.get_source_span(node.start, node.end)
        if is_label and is_exact and block.kind == "paragraph":
            yield span


@page_facts.register
def _get_words(page: Page) -> frozenset[str]:
    """Return the words of a page's text, without its tables."""
    texts = (text for text in page.document.get_prose() if text.kind not in ("cell", "alt"))
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text))
