"""Index of files and URLs in the site that MkDocs builds, relative to its pages."""

from __future__ import annotations

import html
import posixpath
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as MkDocsPage

from tutorial_tool.data.model.parts import ALL_PLATFORMS
from tutorial_tool.publishing import html as published
from tutorial_tool.publishing import platform_switcher
from tutorial_tool.publishing.html.tables import StateTable, TableContent
from tutorial_tool.site import Page, Site
from tutorial_tool.templating.places import Figure


class SiteIndex:
    """The files of a build. `record_dependency` is called with each page and the path that it depends on."""

    def __init__(self, files: Files, record_dependency: Callable[[MkDocsPage, str], None] | None = None) -> None:
        self.files = files
        self.record_dependency = record_dependency or (lambda _page, _path: None)
        self.dates: dict[str, str] = {}
        """The date of each page's last change, by path, if known and requested."""
        self._tables: dict[Hashable, tuple[list[StateTable], dict[str, TableContent]]] = {}

    def find_file(self, path: str) -> File | None:
        """Return the file at a path in the docs folder; most paths are written as MkDocs does."""
        return self.files.src_uris.get(path) or self.files.get_file_from_path(path)

    def find_page(self, path: str) -> MkDocsPage | None:
        """Return the page at a path in the docs folder."""
        file = self.find_file(path)
        return file.page if file else None

    def build_url(self, page: MkDocsPage, path: str) -> str:
        """Return a file's URL relative to a page; "" if it does not exist."""
        file = self.find_file(path)
        return file.url_relative_to(page.file) if file else ""

    def build_rule_linker(self, page: MkDocsPage, folder: str | None) -> Callable[[str], str | None]:
        """Return a function that builds the URL of a rule's documentation, in a folder."""
        return lambda rule: self.build_url(page, f"{folder}/{rule}.md") or None if folder else None

    def get_title(self, page: Page) -> str:
        """Return the title that readers see, with its number."""
        target = self.find_page(page.path)
        return html.unescape(str(target.title)) if target else page.title

    def get_anchors(self, page: MkDocsPage, path: str) -> set[str]:
        """Return the anchors of a page, once it is rendered."""
        self.record_dependency(page, path)
        target = self.find_page(path)
        return (target.present_anchor_ids if target else None) or set()

    def get_platform_names(self, pages: Iterable[Page]) -> dict[str, str]:
        """Return the platform name of each tutorial page, by URL."""
        matches = ((page.place, self.find_file(page.path)) for page in pages)
        return {file.url: platform_switcher.get_platform_name(place) for place, file in matches if place and file}

    def compute_dates(self, site: Site) -> None:
        """Compute last-change dates, for pages and for the sitemap."""
        from tutorial_tool.publishing import page_dates

        self.dates = page_dates.build_dates(site)
        for path, date in self.dates.items():
            if page := self.find_page(path):
                page.update_date = date

    def find_superseded(self, site: Site) -> set[str]:
        """Return the URLs of pages whose content a page for all platforms has in full."""
        pages = [
            page
            for page in site.by_address.values()
            if platform_switcher.find_combined_page(site, page) not in (None, page)
        ]
        return {file.url for page in pages if (file := self.find_file(page.path))}

    def get_tables(self, site: Site, step_page: Page | None) -> tuple[list[StateTable], dict[str, TableContent]]:
        """Return the data tables that may be on a page, and a cache of tables on other pages."""
        step_page = step_page if step_page and step_page.platform != ALL_PLATFORMS else None
        key = step_page.tables if step_page else None
        if key not in self._tables:
            self._tables[key] = published.build_state_tables(site, step_page), {}
        return self._tables[key]

    # Images

    def resolve_path(self, page: MkDocsPage, src: str) -> str | None:
        """Resolve a relative URL on a page to a path in the docs folder."""
        try:
            parts = urlsplit(src)
        except ValueError:
            return None
        if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
            return None
        return posixpath.normpath(posixpath.join(posixpath.dirname(page.url), unquote(parts.path)))

    def get_image_finder(
        self, page: MkDocsPage, figures: Mapping[str, Figure]
    ) -> Callable[[str], published.ImageSource | None]:
        """Return a function that finds the image at a URL on a page. `figures` are the drawn ones."""
        return partial(self._find_image, page, figures)

    def _find_image(self, page: MkDocsPage, figures: Mapping[str, Figure], src: str) -> published.ImageSource | None:
        path = self.resolve_path(page, src)
        if path is None:
            return None
        self.record_dependency(page, path)
        if figure := figures.get(path):
            return published.ImageSource(svg=figure.svg)
        file = self.find_file(path)
        if file is None or file.abs_src_path is None:
            return None
        return published.ImageSource(size=published.measure_image(Path(file.abs_src_path)))


def build_absolute_url(config: MkDocsConfig, url: str) -> str:
    """Return the absolute URL of a file; "" if the site's URL is unknown."""
    return f"{config.site_url.rstrip('/')}/{'' if url == './' else url}" if config.site_url else ""
