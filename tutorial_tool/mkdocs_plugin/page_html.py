"""HTML around the text of a page, and its images and tables."""

from __future__ import annotations

from functools import cache, partial

from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage

from tutorial_tool.mkdocs_plugin.site_index import SiteIndex
from tutorial_tool.publishing import html, theme
from tutorial_tool.site import Page, Site


def render_content(
    page: MkDocsPage,
    step_page: Page | None,
    site: Site,
    site_index: SiteIndex,
    nav: Navigation,
    base_url: str,
    theme_name: str | None,
) -> None:
    """Render a page's published content. `step_page` is its step, if any."""
    dark = html.DARK.get(theme_name or "")
    tables, rendered_tables = site_index.get_tables(site, step_page)
    find_image = site_index.get_image_finder(page, site.figures)
    context = html.HtmlContext(find_image, tables, site.model.strings, dark, rendered_tables)
    page.content = content = html.render_page(page.content or "", context)
    url = cache(partial(site_index.build_url, page))  # a page links to most others more than once
    if step_page is None and ("tutorial-start" in content or "tabbed-labels" in content):
        page.content = content + theme.render_platform_data(site, url, base_url)
    elif step_page is not None:
        before, after = theme.render_surroundings(
            site,
            step_page,
            url,
            site_index.get_title,
            base_url,
            home=nav.homepage.file.src_uri if nav.homepage else None,
            anchors=lambda other: site_index.get_anchors(page, other.path),
            heading="<h1" not in content,
            updated=site_index.dates.get(step_page.path, ""),
        )
        page.content = before + content + after
        hidden = page.meta.get("hide", [])  # otherwise, Material would print it twice
        page.meta["hide"] = [*(hidden if isinstance(hidden, list) else [hidden]), "footer", "path"]
