"""HTML around a step: breadcrumbs, platform switcher, progress, previous and next."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tutorial_tool.core.traced import Traced, strip_origins
from tutorial_tool.publishing import navigation, platform_switcher
from tutorial_tool.site import Page, Site

HERE = Path(__file__).parent
STATIC = HERE / "static"  # The folder of the site's files, at the paths below
STYLES = ("assets/tutorial-tool/tutorial.css", "assets/tutorial-tool/content.css")
SCRIPTS = ("assets/tutorial-tool/tutorial.js", "assets/tutorial-tool/content.js")
TABS_STYLE = "assets/tutorial-tool/tabs.css"  # For themes that have no content tabs; Material has
MATERIAL_STYLE = "assets/tutorial-tool/material.css"
MATERIAL_SCRIPT = "assets/tutorial-tool/material.js"
MATERIAL = HERE / "material"  # Templates that replace some of Material's, to fix their accessibility

Url = Callable[[str], str]
"""Returns the URL of a page, by its path in the docs folder, relative to the page being written."""


def render_surroundings(
    site: Site,
    page: Page,
    url: Url,
    title: Callable[[Page], str],
    root: str,
    *,
    home: str | None,
    anchors: Callable[[Page], set[str]],
    heading: bool,
    updated: str = "",
) -> tuple[str, str]:
    """Return the HTML before and after a step's content.

    `title` returns the visible title of a page. `root` is the URL of the site and `home` the path of its home page, if
    any. `anchors` returns those of a page: the switcher links to the same section. With `heading`, the title is printed
    as one. `updated` is the page's last-change date, if known.
    """
    assert page.place is not None
    before, after = navigation.get_neighbors(site, page)
    choices = platform_switcher.list_choices(site, page)
    missing = platform_switcher.filter_missing(choices)
    is_many = len(missing) > platform_switcher.MAX_SEPARATE_SENTENCES
    is_menu = len(choices) > platform_switcher.MAX_ON_A_LINE
    facts = {
        "strings": site.model.strings,
        "url": url,
        "title": title,
        "root": root,
        "page": page,
        "place": page.place,
        "home": home,
        "choices": choices,
        "is_menu": is_menu,
        "sections": platform_switcher.group_choices(choices) if is_menu else {"": choices},
        "missing": [] if is_many else missing,
        "absences": platform_switcher.group_absences(missing) if is_many else (),
        "progress": platform_switcher.compute_progress(site, page),
        "anchors": lambda other: " ".join(sorted(anchors(page) & anchors(other))),
        "icon_url": lambda platform: url(platform.icon.plain) if platform.icon else "",
        "heading": heading,
        "updated": updated,
        "previous": before,
        "next": after,
    }
    before_content, after_content = (_render_template(name, facts) for name in ("head.html", "foot.html"))
    return before_content, after_content


def render_platform_data(site: Site, url: Url, root: str) -> str:
    """Return the data for the script on a page outside tutorials: first pages, and platform names."""
    values = {
        "platforms": {id_: strip_origins(platform.name) for id_, platform in site.model.platforms.items()},
        "starts": [
            {platform: url(page.path) for platform, page in pages.items()}
            for pages in platform_switcher.find_first_pages(site).values()
        ],
    }
    return _render_template("elsewhere.html", {"root": root, "said": json.dumps(values).replace("<", "\\u003c")})


@cache
def get_environment() -> Environment:
    """Return the environment that renders this package's own templates."""
    return Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        finalize=lambda value: strip_origins(value) if isinstance(value, Traced) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _render_template(name: str, facts: Mapping[str, object]) -> str:
    return get_environment().get_template(name).render(facts)
