"""What rules need to have anything to check. Where it is missing, they are not even loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tutorial_tool import variants
from tutorial_tool.config.settings import Config
from tutorial_tool.markdown.document import Document
from tutorial_tool.site import Page, Site, page_facts

PAGE_NEEDS: Mapping[str, Callable[[Document], bool]] = {
    "code": lambda document: bool(document.code_blocks),
    "fences": lambda document: any(fence in document.text for fence in ("```", "~~~", ":::")),
    "front-matter": lambda document: document.front_matter is not None,
    "html": lambda document: "<" in document.text,
    "images": lambda document: bool(document.images),
    "more-than-ascii": lambda document: not document.text.isascii(),
    "tables": lambda document: bool(document.tables),
}
"""What a page must contain, or one page of the site."""
SITE_NEEDS: Mapping[str, Callable[[Site, Config], bool]] = {
    "copies": lambda site, config: bool(variants.find_steps(site, config.variants)),
    "inventory": lambda _, config: config.inventory is not None,
    "pages": lambda site, _: len(site.pages) > 1,
    "project": lambda site, _: site.is_project,
    "ui-strings": lambda _, config: bool(config.ui_strings),
    "vocabularies": lambda _, config: bool(config.vocabularies or config.vocabulary_file),
}


def is_met_on_page(page: Page, need: str) -> bool:
    """Return whether a page has what a page rule needs."""
    return need not in PAGE_NEEDS or need in page.get_cached(_find_page_needs)


def can_be_met(need: str, site: Site, config: Config) -> bool:
    """Return whether a site may have what a rule needs, as far as that is known without its pages."""
    return need in PAGE_NEEDS or is_met_on_site(need, site, config)


def is_met_on_site(need: str, site: Site, config: Config) -> bool:
    """Return whether a site has what a rule needs."""
    if need in PAGE_NEEDS:
        return need in site.get_cached(_collect_needs)  # requested often, and the pages of a site do not change
    return not need or SITE_NEEDS[need](site, config)


def _collect_needs(site: Site) -> frozenset[str]:
    return frozenset[str]().union(*(page.get_cached(_find_page_needs) for page in site.pages))


@page_facts.register
def _find_page_needs(page: Page) -> frozenset[str]:
    return frozenset(need for need, is_met in PAGE_NEEDS.items() if is_met(page.document))
