"""Page content as MkDocs reads it, and site-wide content, for detecting changes."""

from __future__ import annotations

import re

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model import Model
from tutorial_tool.data.model.parts import Platform
from tutorial_tool.publishing import html, html_escaping
from tutorial_tool.site import Page, Site

_MOVED = lazy_re.compile(r"redirect|alias|old_urls", re.IGNORECASE)


class PageContents:
    """Caches the content of pages as long as these are unchanged."""

    def __init__(self) -> None:
        self.texts: dict[Page, str] = {}  # The generated pages, as passed to MkDocs
        self._fronts: dict[Page, str] = {}

    def build_texts(self, site: Site) -> dict[str, str]:
        """Build the text of each generated page and figure, by path."""
        reported = frozenset(site.data_files)
        ours = [page for page in site.pages if page.generated]
        self.texts = {page: self.texts.get(page) or html_escaping.escape_markdown(page, reported) for page in ours}
        return {page.path: text for page, text in self.texts.items()} | {
            path: figure.svg for path, figure in site.figures.items()
        }

    def compute_shape(self, site: Site) -> object:
        """Return what several pages show, except page titles: equal only if none of it has changed."""
        read = site.model
        return (
            [(page.path, page.source.path, page.generated, page.number) for page in site.pages],
            [_describe_platform(platform) for platform in read.platforms.values()],
            [(id_, strip_origins(tutorial.title)) for id_, tutorial in read.tutorials.items()],
            _list_reasons(read),
            html.build_state_tables(site, None),
            {key: strip_origins(text) for key, text in read.strings.items()},
            site.redirects,
            site.addressing,
            self._find_redirect_sources(site),
        )

    def _find_redirect_sources(self, site: Site) -> list[tuple[str, str]]:
        """Return the front matter of pages that may name their old URLs."""
        self._fronts = {page: self._fronts.get(page) or _get_front_matter(page) for page in site.pages}
        return [(page.path, front) for page, front in self._fronts.items() if _MOVED.search(front)]


def _describe_platform(platform: Platform) -> tuple[str, ...]:
    """Return what the switcher shows of a platform."""
    icon = platform.icon.text if platform.icon else ""
    return (platform.id, *map(strip_origins, (platform.name, platform.section or "", icon)))


def _list_reasons(model: Model) -> list[str | None]:
    """Return the reasons why platforms lack steps."""
    return [
        strip_origins(reason) if (reason := tutorial.get_absence_reason(step, platform)) else None
        for tutorial in model.tutorials.values()
        for step in tutorial.steps.values()
        for platform in model.platforms.values()
    ]


def _get_front_matter(page: Page) -> str:
    text = page.plain
    parts = data.find_front_matter(text)
    return text[: parts.body] if parts else ""
