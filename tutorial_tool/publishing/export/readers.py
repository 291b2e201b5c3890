"""Reader features in rendered pages: platform switcher, list of steps, reasons, previous and next.

Generators that pass HTML through get the plugin's HTML. Others get Markdown, whose links they resolve: it is complete
without this tool's style and script.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.publishing import navigation, platform_switcher, redirect_pages, theme
from tutorial_tool.publishing.export.engines import Engine
from tutorial_tool.site import Page, Site

_HEADING = lazy_re.compile(r"\s*# .*\n")
_ASKS_SCRIPT = lazy_re.compile(r"\btutorial-start\b|^[ ]*=== ", re.MULTILINE)
"""A link to the tutorial on the reader's platform, or tabs that select that platform."""
_ENDING = lazy_re.compile(r"(?:(^|/)index)?\.mdx?$")  # The part of a page's file name that its URL lacks
_SPECIAL = lazy_re.compile(r"([\\`*_{}\[\]<>])")

Url = Callable[[str, str], str]  # Returns the URL that the page at a path uses for a relative path


def add_reader_features(text: str, site: Site, page: Page, engine: Engine, url: Url, updated: str) -> str:
    """Add reader features around the text of a step, and to other pages the data for the script."""
    is_plain = not engine.name
    if page.place is None:
        if engine.features == "markdown" or not _ASKS_SCRIPT.search(text):
            return text
        script = theme.render_platform_data(
            site, lambda path: build_browser_url(_make_relative(path, page), page.path), _build_root_url(page)
        )
        return f"{text}\n{_wrap_raw_html(script, engine)}"
    start = data.find_body_start(text)
    heading = _HEADING.match(text, start)
    if engine.features == "markdown":
        before, after = _render_markdown(site, page, engine, url)
    else:  # Zensical alone resolves links in HTML
        parts = _render_html(
            site, page, url if is_plain else build_browser_url, heading=is_plain and heading is None, updated=updated
        )
        before, after = (_wrap_raw_html(part, engine) for part in parts)
    start = heading.end() if heading and not is_plain else start
    return f"{text[:start].rstrip()}\n\n{before.strip()}\n\n{text[start:].strip()}\n\n{after.strip()}\n".lstrip("\n")


def build_browser_url(href: str, page: str) -> str:
    """Return a relative path as a browser resolves it from a page's URL: each page has its own folder."""
    parts = urlsplit(href)
    if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
        return href
    here = _ENDING.sub(r"\1", page)
    target, is_page = _ENDING.subn(r"\1", posixpath.normpath(posixpath.join(posixpath.dirname(page), parts.path)))
    path = posixpath.relpath(target or ".", here or ".")
    return path + "/" * is_page + href[len(parts.path) :]


def _wrap_raw_html(html: str, engine: Engine) -> str:
    """Wrap HTML for a generator: React passes it through if it is a string."""
    return f"<div dangerouslySetInnerHTML={{{{__html: {json.dumps(html)}}}}} />" if engine.features == "jsx" else html


def _build_root_url(page: Page) -> str:
    depth = page.path.removesuffix(".md").count("/") + (not page.path.endswith("index.md"))
    return "../" * depth or "."


def read_assets() -> dict[str, bytes]:
    """Return the styles and scripts for the HTML of `add_reader_features`, as on the plugin's site."""
    names = (*theme.STYLES, *theme.SCRIPTS, theme.MATERIAL_STYLE, theme.MATERIAL_SCRIPT, theme.TABS_STYLE)
    return {name: Path(theme.STATIC, name).read_bytes() for name in names}


def build_redirects(site: Site) -> dict[str, bytes]:
    """Return redirect pages for moved URLs, by path, where each page has its own folder."""
    from tutorial_tool import links

    result = {}
    for old, target in redirect_pages.find_moves(site):
        folder = posixpath.dirname(old) or "."
        title = links.get_addresses(site).pages.get_title(target.page) if target.page else ""

        def build_relative_url(path: str, folder: str = folder) -> str:
            new, is_page = _ENDING.subn(r"\1", path)
            return posixpath.relpath(new or ".", folder) + "/" * is_page

        result[old] = redirect_pages.render_page(
            target, build_relative_url, title, "", site.model.strings, "en"
        ).encode()
    return result


def _render_html(site: Site, page: Page, url: Url, *, heading: bool, updated: str) -> tuple[str, str]:
    has_home = any(other.path == "index.md" for other in site.pages)
    around = theme.render_surroundings(
        site,
        page,
        lambda path: url(_make_relative(path, page), page.path),
        _get_title,
        _build_root_url(page),
        home="index.md" if has_home else None,
        anchors=lambda other: {section.id for section in other.sections},
        heading=heading,
        updated=updated,
    )
    before, after = (re.sub(r"\n\s*\n", "\n", part) for part in around)  # a blank line could end a block of HTML
    return before, after


def _render_markdown(site: Site, page: Page, engine: Engine, url: Url) -> tuple[str, str]:
    def format_link(target: Page, text: str) -> str:
        return f"[{_escape_markdown(text)}]({url(_make_relative(target.path, page), page.path)})"

    return "\n\n".join(_render_head(site, page, engine, format_link)), _render_foot(site, page, format_link)


Link = Callable[[Page, str], str]


def _render_head(site: Site, page: Page, engine: Engine, link: Link) -> Iterator[str]:
    strings = site.model.strings
    choices = platform_switcher.list_choices(site, page)
    if len(choices) > 1:
        names = (_render_choice(choice, page, strings, link) for choice in choices)
        yield f"**{_escape_markdown(strings['platform'])}:** " + " · ".join(names)
    for choice in platform_switcher.filter_missing(choices):
        yield _escape_markdown(_format_reason(choice, strings)) + _render_alternative(choice, strings, link)
    progress = platform_switcher.compute_progress(site, page)
    if len(progress.pages) > 1:
        yield from _render_steps(progress, page, strings, engine, link)


def _render_choice(choice: platform_switcher.Choice, page: Page, strings: Mapping[str, str], link: Link) -> str:
    name = strip_origins(choice.platform.name)
    if choice.is_announced:
        return _escape_markdown(f"{name} ({strings['coming-soon']})")
    if choice.page is page:
        return f"**{_escape_markdown(name)}**"
    return link(choice.page, name) if choice.page else _escape_markdown(name)


def _format_reason(choice: platform_switcher.Choice, strings: Mapping[str, str]) -> str:
    form = strings["not-on-because" if choice.reason else "not-on"].replace(
        "{platform}", strip_origins(choice.platform.name)
    )
    return form.replace("{reason}", strip_origins(choice.reason).strip().rstrip("."))


def _render_alternative(choice: platform_switcher.Choice, strings: Mapping[str, str], link: Link) -> str:
    if choice.instead is None:
        return ""
    title = _get_title(choice.instead)
    form = f"{strings['previous']}: {title}" if choice.is_before else strings["instead"].replace("{title}", title)
    return f" {link(choice.instead, form)}"


def _render_steps(
    progress: platform_switcher.Progress, page: Page, strings: Mapping[str, str], engine: Engine, link: Link
) -> Iterator[str]:
    count = progress.count if progress.count > 1 else len(progress.pages)
    form = strings["all-steps"] if progress.number is None else strings["progress"]
    summary = form.replace("{number}", str(progress.number)).replace("{count}", str(count))
    if not engine.details:
        yield _escape_markdown(summary)
        return
    titles = (
        f"**{_escape_markdown(_get_title(step))}**" if step is page else link(step, _get_title(step))
        for step in progress.pages
    )
    listed = "\n".join(f"- {title}" for title in titles)
    yield f"<details>\n<summary>{_escape_markdown(summary)}</summary>\n\n{listed}\n\n</details>"


def _render_foot(site: Site, page: Page, link: Link) -> str:
    strings = site.model.strings
    before, after = navigation.get_neighbors(site, page)
    shown = ((strings["previous"], before), (strings["next"], after))
    return " · ".join(
        f"{_escape_markdown(word)}: {link(target, _get_title(target))}" for word, target in shown if target
    )


def _make_relative(path: str, page: Page) -> str:
    return posixpath.relpath(path, posixpath.dirname(page.path) or ".")


def _get_title(page: Page) -> str:
    return page.stated_title or page.title


def _escape_markdown(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", strip_origins(text))
