"""What some rules cannot do without. Where it lacks, they have nothing to look at, and are not even loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tutorial_tool import variants
from tutorial_tool.config import Config
from tutorial_tool.site import Page, Site

OF_A_PAGE: Mapping[str, Callable[[Page], bool]] = {
    "code": lambda page: bool(page.document.code_blocks),
    "front-matter": lambda page: page.document.front_matter is not None,
    "html": lambda page: "<" in page.document.text,
    "images": lambda page: bool(page.document.images),
    "more-than-ascii": lambda page: not page.document.text.isascii(),
    "tables": lambda page: bool(page.document.tables),
}
"""What has to stand on a page, or on one page of the site."""
OF_A_SITE: Mapping[str, Callable[[Site, Config], bool]] = {
    "copies": lambda site, config: bool(variants.of(site, config.variants)),
    "inventory": lambda _, config: config.inventory is not None,
    "pages": lambda site, _: len(site.pages) > 1,
    "project": lambda site, _: site.is_project,
    "ui-strings": lambda _, config: bool(config.ui_strings),
    "vocabularies": lambda _, config: bool(config.vocabularies or config.vocabulary_file),
}


def on(page: Page, need: str) -> bool:
    """Whether a page has what a rule of pages needs of it."""
    return need not in OF_A_PAGE or OF_A_PAGE[need](page)


def met(need: str, site: Site, config: Config) -> bool:
    """Whether a site has what a rule needs."""
    if need in OF_A_PAGE:
        return any(map(OF_A_PAGE[need], site.pages))
    return not need or OF_A_SITE[need](site, config)
