"""Pages of a site as MkDocs files, and in its navigation."""

from __future__ import annotations

import html
import logging
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.structure.toc import AnchorLink

from tutorial_tool import data
from tutorial_tool.fs import files as disk
from tutorial_tool.mkdocs_plugin import companions
from tutorial_tool.mkdocs_plugin.site_index import build_absolute_url
from tutorial_tool.publishing import html_escaping, redirect_pages
from tutorial_tool.publishing import navigation as navigations
from tutorial_tool.publishing.navigation import folders
from tutorial_tool.site import Page, Site

log = logging.getLogger("mkdocs.plugins.tutorial")


def put_file(files: Files, file: File) -> None:
    """Add a file, replacing the one at its path if any."""
    existing = files.get_file_from_path(file.src_uri)
    if existing is not None:
        files.remove(existing)
    files.append(file)


def add_generated(site: Site, texts: Mapping[Page, str], rules: str | None, files: Files, config: MkDocsConfig) -> None:
    """Add generated pages and figures, and rule documentation in the folder `rules`."""
    for page, text in texts.items():
        file = File.generated(config, page.path, content=companions.disable_macros(text, config))
        file.edit_uri = posixpath.relpath(page.source.path, site.layout.docs)
        file.abs_src_path = str(site.layout.root / page.source.path)  # other plugins read its history or its folder
        put_file(files, file)
    for path, figure in site.figures.items():
        put_file(files, File.generated(config, path, content=figure.svg))
    if rules:
        from tutorial_tool.docs import rule_pages

        for path, content in rule_pages.build_pages(rules).items():
            file = File.generated(config, path, content=companions.disable_macros(content, config))
            file.abs_src_path = rule_pages.__file__
            put_file(files, file)


def translate_pages(site: Site, files: Files, config: MkDocsConfig) -> None:
    """Replace source pages by manually written ones in the site's language; drop those in other languages."""
    ends = tuple(f".{language}.md" for language in site.catalogs)
    for file in [file for file in files.documentation_pages() if file.src_uri.endswith(ends)]:
        files.remove(file)
    for page in site.pages:
        name = posixpath.relpath(page.source.path, site.layout.docs)
        if not page.generated and name != page.path and files.get_file_from_path(page.path):
            put_file(files, File.generated(config, page.path, abs_src_path=str(site.layout.root / page.source.path)))


def remove_drafts(site: Site, files: Files) -> None:
    """Remove manually written pages of drafts."""
    for path in site.withheld:
        if file := files.get_file_from_path(path):
            files.remove(file)


def remove_outside(site: Site, files: Files, config: MkDocsConfig) -> None:
    """Remove files outside the project, since MkDocs follows symbolic links anywhere."""
    roots = [site.layout.root.resolve(), Path(config.docs_dir).resolve()]
    for file in list(files):
        path = Path(file.abs_src_path) if file.abs_src_path else None
        if path is None or not path.is_relative_to(config.docs_dir):
            continue
        if not any(path.resolve().is_relative_to(root) for root in roots):
            files.remove(file)
            name = disk.format_path(path, site.layout.root)
            log.warning("%s: unsafe-path: a symbolic link points outside the project; it is not published", name)


def add_redirects(site: Site, published: Iterable[str], files: Files, config: MkDocsConfig) -> bool:
    """Add redirect pages at old URLs that are free; return whether there are any.

    `published` are the URLs in the inventory.
    """
    moves = redirect_pages.find_moves(site, published)
    if not moves:
        return False
    from tutorial_tool import links

    has_added = False
    taken = {file.dest_uri for file in files}
    for old, target in moves:
        redirect = File.generated(config, old, content="") if old not in taken else None
        if redirect is None or not (target.kind == "external" or files.get_file_from_path(target.path)):
            continue
        url = partial(_build_relative_url, files, redirect)
        file = files.get_file_from_path(target.path)
        absolute_url = target.path if file is None else build_absolute_url(config, file.url)
        title = links.get_addresses(site).pages.get_title(target.page) if target.page else ""
        language = str(config.theme.get("language", "en"))
        text = redirect_pages.render_page(target, url, title, absolute_url, site.model.strings, language)
        files.append(File.generated(config, old, content=text))
        has_added = True
    return has_added


def _build_relative_url(files: Files, redirect: File, path: str) -> str:
    file = files.get_file_from_path(path)
    return file.url_relative_to(redirect) if file else ""


# The navigation


def build_nav(site: Site, rules: str | None, files: Files, config: MkDocsConfig) -> list[Any]:
    """Return the `nav` of the site, including its tutorials."""
    value = _expand_rule_mark(config.nav, rules) if rules else config.nav
    return navigations.build_nav(site, value, list_other_pages(site, files), html.escape)


def build_folder_nav(site: Site, texts: Mapping[Page, str], files: Files) -> list[Any]:
    """Return the `nav` for a plugin that arranges folders and reads titles from files."""
    titles = {
        page.path: escape_value(str(title))
        for page, text in texts.items()
        if (title := data.parse_metadata(text).get("title"))
    }
    return folders.build_folder_nav(site, list_other_pages(site, files), titles, html.escape)


def list_other_pages(site: Site, files: Files) -> list[str]:
    """Return the pages outside tutorials that MkDocs would show without a configured `nav`."""
    ours = {page.path for page in site.pages if page.place}
    matches = (file for file in files.documentation_pages() if file.inclusion.is_in_nav())
    return [file.src_uri for file in matches if file.src_uri not in ours]


def _expand_rule_mark(nav: Any, rules: str) -> Any:
    """Return the configured navigation with rule pages at their mark."""
    from tutorial_tool.docs import rule_pages

    if isinstance(nav, list):
        return [_expand_rule_mark(entry, rules) for entry in nav]
    if isinstance(nav, dict):
        return {title: _expand_rule_mark(value, rules) for title, value in nav.items()}
    return rule_pages.build_nav(rules) if nav == rule_pages.MARK else nav


def set_titles(site: Site, nav: Navigation) -> list[MkDocsPage]:
    """Set the titles of generated pages, which MkDocs reads later; return the pages changed."""
    titles = {page.path: page.title for page in site.pages if page.generated and page.title}
    untitled = [page for page in nav.pages if page.title is None and page.file.src_uri in titles]
    for page in untitled:
        page.title = html.escape(titles[page.file.src_uri])
    return untitled


def clear_titles(pages: Iterable[MkDocsPage]) -> None:
    """Clear the titles that `set_titles` set: from here on, MkDocs reads them from pages, even changed ones."""
    for page in pages:
        page.__dict__.pop("title", None)


def set_neighbors(site: Site, nav: Navigation) -> None:
    """Set the previous and next page of a step to those on its platform."""
    by_path = {page.file.src_uri: page for page in nav.pages}
    for page in site.pages:
        if page.place and (mkdocs_page := by_path.get(page.path)):
            before, after = navigations.get_neighbors(site, page)
            mkdocs_page.previous_page = by_path.get(before.path) if before else None
            mkdocs_page.next_page = by_path.get(after.path) if after else None


# Information about a page, as HTML


def escape_value(value: Any) -> Any:
    """Return a front matter value with its texts HTML-escaped."""
    if isinstance(value, str):
        return html.escape(value.translate(html_escaping.MARKS_TO_TEXT), quote=True)
    if isinstance(value, list):
        return [escape_value(item) for item in value]
    return {key: escape_value(item) for key, item in value.items()} if isinstance(value, dict) else value


def escape_front_matter(page: MkDocsPage) -> None:
    """Escape front matter, which MkDocs and its themes write into HTML unescaped.

    Values that other plugins add later, such as a date, are left to them.
    """
    page.meta = {key: escape_value(value) for key, value in page.meta.items()}


def escape_titles(page: MkDocsPage) -> None:
    """Escape titles from data or file names, in the page's title and in its table of contents."""
    for anchor in _iter_anchors(page.toc):
        anchor.title = html_escaping.restore_html(anchor.title)
    title = str(page.title)
    has_none = "title" not in page.__dict__ and "title" not in page.meta and not page._title_from_render
    if has_none and html.escape(title) != title:
        page.title = html.escape(title)
    elif html_escaping.restore_html(title) != title:
        page.title = html_escaping.restore_html(title)


def _iter_anchors(entries: Iterable[AnchorLink]) -> Iterator[AnchorLink]:
    for entry in entries:
        yield entry
        yield from _iter_anchors(entry.children)
