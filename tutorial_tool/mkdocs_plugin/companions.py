"""Compatibility with other plugins of a site."""

from __future__ import annotations

import html
import json
import posixpath
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage

from tutorial_tool import data
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model.parts import ALL_PLATFORMS
from tutorial_tool.publishing import navigation as navigations
from tutorial_tool.site import Page, Site

_LANGUAGES = "i18n"
_NAVIGATION = "awesome-nav"
_PAGES, _SAID = "awesome-pages", "nav_config_with_rest"
_MACROS, _READS = "macros", "render_macros"
_LITERATE = "literate-nav"
_PRINT = "print-site"
_DATES = ("git_revision_date", "git_creation_date")  # Prefixes of plugins that show when a page was last changed


def check_plugins(config: MkDocsConfig) -> None:
    """Abort a build with a plugin that would lose generated pages, and explain the alternative."""
    if _LANGUAGES in config.plugins:
        name = Path(config.config_file_path or "mkdocs.yml").name
        raise Abort(
            f"{name}: the plugin `{_LANGUAGES}` publishes files of the docs folder only, and loses the pages that are "
            "rendered from platforms.yaml: give each language a mkdocs.yml "
            "with the option `lang` of the plugin `tutorial`, or run `tutorial-tool render`, and build what it writes"
        )


def register_early(config: MkDocsConfig, event: str, method: Callable[..., Any]) -> None:
    """Register an event handler before those of plugins without a priority, whatever the configured order.

    Engines differ in how a plugin declares two handlers of one event.
    """
    events = config.plugins.events[event]
    index = next((index for index, item in enumerate(events) if getattr(item, "mkdocs_priority", 0) <= 0), len(events))
    events.insert(index, method)


def has_nav_plugin(config: MkDocsConfig) -> bool:
    """Return whether another plugin builds the whole navigation from folders, without a `nav`."""
    return _NAVIGATION in config.plugins and config.nav is None


def add_folder_files(site: Site, files: Files, config: MkDocsConfig) -> None:
    """Add a file to each generated folder with its title and page order, for the plugin that builds `nav`.

    Existing files are kept.
    """
    name = str(config.plugins[_NAVIGATION].config["filename"])
    for folder, title, entries in _iter_folders(site):
        path = posixpath.join(folder, name)
        if files.get_file_from_path(path) is None:
            reported = {"title": title, "nav": entries, "append_unmatched": True}
            files.append(File.generated(config, path, content=json.dumps(reported)))


def name_folders(site: Site, files: Files, config: MkDocsConfig) -> list[File]:
    """Add a file with platform names to tutorial folders, for the plugin that names sections after folders.

    Only folders with nothing but platform folders get one. Returns these files, which are no pages of the site.
    """
    if _LITERATE not in config.plugins:
        return []
    name = str(config.plugins[_LITERATE].config["nav_file"])
    pages = [file.src_uri for file in files.documentation_pages()]
    titles = {folder: title for folder, title, _ in _iter_folders(site)}
    named = []
    for folder, _, entries in _iter_folders(site):
        homes = {posixpath.join(folder, entry): entry for entry in entries}
        inside = {posixpath.dirname(path) for path in pages if path.startswith(f"{folder}/")}
        if homes.keys() <= titles.keys() and inside == homes.keys():
            text = "".join(f"* [{titles[home]}]({entry}/)\n" for home, entry in homes.items())
            named.append(File.generated(config, posixpath.join(folder, name), content=text))
    for file in named:
        files.append(file)
    return named


def follows_folders(config: MkDocsConfig) -> bool:
    """Return whether another plugin changes the navigation that MkDocs builds from folders."""
    return _PAGES in config.plugins and config.nav is None


def pass_nav(site: Site, config: MkDocsConfig) -> None:
    """Pass the generated navigation to a plugin that changes one built from folders: it checks for a `nav`.

    A `nav` with a placeholder for the rest has been set aside by the plugin: the tutorials are inserted at their marks
    there.
    """
    plugin = config.plugins[_PAGES]
    if value := getattr(plugin, _SAID, None):
        setattr(plugin, _SAID, navigations.expand_tutorial_marks(site, value, html.escape))

    def clear_nav(nav: Navigation, /, *, config: MkDocsConfig, **_: Any) -> Navigation:
        config.nav = None
        return nav

    register_early(config, "nav", clear_nav)


def _iter_folders(site: Site) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each folder of a platform's pages or of all platforms, with its title and entries."""
    for id_, tutorial in site.model.tutorials.items():
        homes = []
        for platform, paths in site.group_paths(id_).items():
            inside = {posixpath.dirname(path) for path in paths}
            if platform.id != ALL_PLATFORMS and len(inside) == 1 and (home := inside.pop()):
                homes.append(home)
                yield home, html.escape(strip_origins(platform.name)), [posixpath.basename(path) for path in paths]
        above = {posixpath.dirname(home) for home in homes}
        if len(above) == 1 and len({*homes}) == len(homes) and (whole := above.pop()):
            yield whole, html.escape(strip_origins(tutorial.title)), [posixpath.basename(home) for home in homes]


def disable_macros(text: str, config: MkDocsConfig) -> str:
    """Return a generated page with macros disabled, since anything that looks like one is code."""
    parts = data.find_front_matter(text)
    if _MACROS not in config.plugins or (parts and f"\n{_READS}:" in text[: parts.end]):
        return text
    value = f"{_READS}: false\n"
    return text[: parts.start] + value + text[parts.start :] if parts else f"---\n{value}---\n\n{text}"


def build_macro_front_matter(config: MkDocsConfig) -> dict[str, bool]:
    """Return the front matter keys that disable macros in a generated page."""
    return {_READS: False} if _MACROS in config.plugins else {}


def add_heading(content: str, page: MkDocsPage, config: MkDocsConfig) -> str:
    """Add a step's title as a heading, for a plugin that copies pages without their theme."""
    if _PRINT not in config.plugins or "<h1" in content:
        return content
    return f'<h1 id="{html.escape(posixpath.basename(page.url.rstrip("/")))}">{page.title}</h1>\n{content}'


def remove_dates(meta: MutableMapping[str, Any], shown: Page) -> None:
    """Remove another plugin's page dates: a generated page has the time of the build.

    Dates in its own front matter stay.
    """
    dates = [key for key in meta if key.startswith(_DATES)]
    metadata = data.parse_metadata(shown.plain) if dates else {}
    for key in dates:
        if key not in metadata:
            del meta[key]
