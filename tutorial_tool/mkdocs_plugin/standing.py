"""What stands where in the site that MkDocs builds, as its pages name it."""

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
    """The files of a build. `asked` is told which page was told something of which path."""

    def __init__(self, files: Files, requested: Callable[[MkDocsPage, str], None] | None = None) -> None:
        self.files = files
        self.asked = requested or (lambda _page, _path: None)
        self.dates: dict[str, str] = {}
        """The day on which each page was last changed, by path, where that is known and wanted."""
        self._tables: dict[Hashable, tuple[list[StateTable], dict[str, TableContent]]] = {}

    def find_file(self, path: str) -> File | None:
        """The file at a path in the docs folder. Most paths are written as MkDocs does, which it need not look into."""
        return self.files.src_uris.get(path) or self.files.get_file_from_path(path)

    def find_page(self, path: str) -> MkDocsPage | None:
        """The page at a path in the docs folder."""
        file = self.find_file(path)
        return file.page if file else None

    def build_url(self, page: MkDocsPage, path: str) -> str:
        """The address of a file as a page names it; empty where there is none."""
        file = self.find_file(path)
        return file.url_relative_to(page.file) if file else ""

    def build_rule_linker(self, page: MkDocsPage, folder: str | None) -> Callable[[str], str | None]:
        """The address of each rule's page, of those in a folder."""
        return lambda rule: self.build_url(page, f"{folder}/{rule}.md") or None if folder else None

    def get_title(self, page: Page) -> str:
        """The title that readers see, with its number."""
        shown = self.find_page(page.path)
        return html.unescape(str(shown.title)) if shown else page.title

    def get_anchors(self, asking: MkDocsPage, path: str) -> set[str]:
        """The anchors of a page, once it is rendered."""
        self.asked(asking, path)
        shown = self.find_page(path)
        return (shown.present_anchor_ids if shown else None) or set()

    def get_platform_names(self, pages: Iterable[Page]) -> dict[str, str]:
        """The platform's name of each page of a tutorial, by the page's address."""
        matches = ((page.place, self.find_file(page.path)) for page in pages)
        return {file.url: platform_switcher.get_platform_name(place) for place, file in matches if place and file}

    def compute_dates(self, site: Site) -> None:
        """Find out when pages were last changed, for themselves and for the sitemap."""
        from tutorial_tool.publishing import page_dates

        self.dates = page_dates.build_dates(site)
        for path, date in self.dates.items():
            if page := self.find_page(path):
                page.update_date = date

    def find_superseded(self, site: Site) -> set[str]:
        """The addresses of the pages of which a page for all platforms has everything."""
        pages = [
            page
            for page in site.by_address.values()
            if platform_switcher.find_combined_page(site, page) not in (None, page)
        ]
        return {file.url for page in pages if (file := self.find_file(page.path))}

    def get_tables(self, site: Site, shown: Page | None) -> tuple[list[StateTable], dict[str, TableContent]]:
        """The tables of the data as they may stand on a page, and what was made of those that stand on others."""
        shown = shown if shown and shown.platform != ALL_PLATFORMS else None
        key = shown.tables if shown else None
        if key not in self._tables:
            self._tables[key] = published.build_state_tables(site, shown), {}
        return self._tables[key]

    # Pictures

    def resolve_path(self, page: MkDocsPage, src: str) -> str | None:
        """The path in the docs folder of what stands at a relative address, as seen from a page."""
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
        """What stands at an address of a picture, as seen from a page. `figures` are those that are drawn."""
        return partial(self._find_image, page, figures)

    def _find_image(self, page: MkDocsPage, figures: Mapping[str, Figure], src: str) -> published.ImageSource | None:
        path = self.resolve_path(page, src)
        if path is None:
            return None
        self.asked(page, path)
        if figure := figures.get(path):
            return published.ImageSource(svg=figure.svg)
        file = self.find_file(path)
        if file is None or file.abs_src_path is None:
            return None
        return published.ImageSource(size=published.measure_image(Path(file.abs_src_path)))


def build_absolute_url(config: MkDocsConfig, url: str) -> str:
    """The whole address of a file of the site; empty where the site's is not known."""
    return f"{config.site_url.rstrip('/')}/{'' if url == './' else url}" if config.site_url else ""
