"""Metadata of pages for search engines and sites that link to them."""

from __future__ import annotations

import html
import posixpath
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils import get_relative_url

from tutorial_tool.mkdocs_plugin.site_index import SiteIndex, build_absolute_url
from tutorial_tool.publishing import html as published
from tutorial_tool.publishing import platform_switcher, social_meta
from tutorial_tool.site import Page


def build_card(
    page: MkDocsPage, step_page: Page | None, site_index: SiteIndex, config: MkDocsConfig, *, listed: bool
) -> social_meta.Card:
    """Build the metadata of a page.

    `step_page` is its step, if any; `listed`: it is also published as Markdown.
    """
    description = page.meta.get("description") or config.site_description or ""
    return social_meta.Card(
        html.unescape(str(page.title or "")),
        html.unescape(config.site_name),
        html.unescape(str(description)),
        page.canonical_url or "",
        platform_switcher.get_platform_name(step_page.place) if step_page and step_page.place else "",
        _find_image(page, site_index, config),
        get_relative_url(page.file.src_uri, page.url) if listed else "",
        page.is_homepage,
    )


def _find_image(page: MkDocsPage, site_index: SiteIndex, config: MkDocsConfig) -> social_meta.Image | None:
    """Return a page's preview image: from its front matter, or the first one it shows."""
    if not config.site_url:
        return None
    candidates = [(site_index.resolve_path(page, src), alt) for src, alt in published.find_images(page.content or "")]
    if isinstance(value := page.meta.get("image"), str):
        image = html.unescape(value).lstrip("/")
        candidates = [(image, ""), (posixpath.join(posixpath.dirname(page.file.src_uri), image), "")]
    for path, alt in candidates:
        site_index.record_dependency(page, path or "")
        expected = path and path.lower().endswith(social_meta.SUFFIXES)
        file = site_index.find_file(path) if path and expected else None
        if file is not None and file.abs_src_path:
            return social_meta.Image(
                build_absolute_url(config, file.url), alt, published.measure_image(Path(file.abs_src_path))
            )
    return None
