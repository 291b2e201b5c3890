"""Projects with errors while serving: the affected pages, and what replaces them."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from tutorial_tool import data, live_preview
from tutorial_tool.core import traced
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import Position, Source
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data import Node
from tutorial_tool.mkdocs_plugin import companions
from tutorial_tool.mkdocs_plugin.pages import put_file
from tutorial_tool.site import Page, Site
from tutorial_tool.templating.places import PageLocation

HOME = "index.md"  # The page that shows errors if there is no other


@dataclass(frozen=True)
class BrokenSite:
    """A site with errors: `loaded` is the site that has the `errors`; `site` is shown nevertheless.

    `pages` maps the paths of pages that can't be shown to their errors. `is_last_site`: the others are from the last
    build, older than the sources. `titles` and `anchors` are the previous ones, by path.
    """

    errors: tuple[Finding, ...]
    loaded: Site
    site: Site
    pages: Mapping[str, tuple[Finding, ...]]
    titles: Mapping[str, str]
    anchors: Mapping[str, tuple[str, ...]]
    is_last_site: bool


def build_broken_site(loaded: Site, last: Site | None, data_nodes: Mapping[str, Node]) -> BrokenSite:
    """Build what to show of a site with errors.

    `last` is the site as last loaded without errors; `data_nodes` are the parsed data files, by path.
    """
    errors = tuple(loaded.errors)
    anchors = {page.path: tuple(section.id for section in page.sections) for page in (last or loaded).pages}
    wrong = _group_page_errors(loaded)
    if loaded.invalid_sections and last is not None:
        for finding in errors:
            for path in _find_step_pages(finding, data_nodes, last):
                wrong.setdefault(path, {})[finding] = None
        new = {place.path for place in loaded.places.values()} - {page.path for page in last.pages}
        of_last = _freeze_findings({path: matches for path, matches in wrong.items() if path not in new})
        return BrokenSite(errors, loaded, last, of_last, _find_titles(of_last, last), anchors, is_last_site=True)
    site = _add_missing_pages(loaded, last)
    if loaded.invalid_sections:  # no page of a tutorial can be shown
        wrong = {page.path: dict.fromkeys(errors) for page in site.pages if page.place} | wrong
    if not site.pages:
        wrong[HOME] = dict.fromkeys(errors)
    return BrokenSite(
        errors, loaded, site, _freeze_findings(wrong), _find_titles(wrong, last, site), anchors, is_last_site=False
    )


def add_error_pages(wrong: BrokenSite, author: live_preview.Author, files: Files, config: MkDocsConfig) -> None:
    """Add an error page at the URL of each broken page: it reloads once the errors are fixed."""
    for path, page in wrong.pages.items():
        overview = posixpath.relpath(live_preview.OVERVIEW, File.generated(config, path, content="").url or ".") + "/"
        values = {
            "title": wrong.titles.get(path, path),
            "search": {"exclude": True},
            **companions.build_macro_front_matter(config),
        }
        front = json.dumps(values, ensure_ascii=False)
        content = live_preview.render_broken_page(
            page, author, overview, wrong.anchors.get(path, ()), is_kept=wrong.is_last_site
        )
        put_file(files, File.generated(config, path, content=f"---\n{front}\n---\n\n{content}\n"))


def _find_titles(paths: Iterable[str], *sites: Site | None) -> dict[str, str]:
    """Return the titles of pages as readers see them, from the last of the sites that has each."""
    expected = set(paths)
    pages = [page for site in sites if site for page in site.pages if page.path in expected]
    return {page.path: title for page in pages if (title := page.stated_title)}


def _freeze_findings(wrong: Mapping[str, dict[Finding, None]]) -> dict[str, tuple[Finding, ...]]:
    return {path: tuple(matches) for path, matches in wrong.items()}


def _group_page_errors(loaded: Site) -> dict[str, dict[Finding, None]]:
    wrong: dict[str, dict[Finding, None]] = {}
    for address, matches in loaded.failed.items():
        findings = [finding for finding in matches if finding.severity is Severity.ERROR]
        if findings and address in loaded.places:
            wrong[loaded.places[address].path] = dict.fromkeys(findings)
    docs = f"{loaded.layout.docs}/"
    for finding in loaded.errors:  # also of a page that cannot be read, at which MkDocs would stop
        if finding.span.path.startswith(docs):
            wrong.setdefault(finding.span.path.removeprefix(docs), {})[finding] = None
    return wrong


# Pages that could not be rendered


def _add_missing_pages(loaded: Site, last: Site | None) -> Site:
    """Return the site with placeholders for missing pages, so that order and links are unchanged."""
    present = {page.path for page in loaded.pages}
    missing = [
        _build_placeholder(place, last, loaded.model.strings)
        for address, place in loaded.places.items()
        if address not in loaded.by_address and place.path not in present
    ]
    return replace(loaded, pages=[*loaded.pages, *missing], cache={})


def _build_placeholder(place: PageLocation, last: Site | None, strings: Mapping[str, str]) -> Page:
    """Return a placeholder page with the last title, or else the id."""
    known = last.by_address.get(place.address) if last else None
    title = strip_origins(
        known.title if known else place.tutorial.get_title(place.step, place.platform) or place.step.id
    )
    shown = title
    if place.number is not None and place.step.numbering.steps:
        shown = strings["title"].replace("{number}", str(place.number)).replace("{title}", title)
    source = Source(place.path, f"---\ntitle: {json.dumps(shown, ensure_ascii=False)}\n---\n")
    return Page(place.path, source, traced.trace_span(source.get_full_span()), place, title, generated=True)


# Steps that an error in the data concerns


def _find_step_pages(finding: Finding, nodes: Mapping[str, Node], last: Site) -> Iterator[str]:
    """Yield the pages of the step whose data has an error."""
    node = nodes.get(finding.span.path)
    way = list(_find_key_path(node, finding.span.position)) if node else []
    if len(way) < 4 or way[0] != "tutorials" or way[2] != "steps":
        return
    for address, page in last.by_address.items():
        if (address.tutorial, address.step) == (way[1], way[3]):
            yield page.path


def _find_key_path(node: Node, at: Position) -> Iterator[str]:
    """Yield the keys, and ids of list entries, from the top of a data file to a position."""
    named = [(key, key, value) for key, value in data.get_entries(node)]
    listed = [(item, data.get_node(item, "id") or item, item) for item in data.get_items(node)]
    for first, name, value in (*named, *listed):
        if first.span.position <= at <= value.span.end_position:
            yield data.get_text(name)
            yield from _find_key_path(value, at)
            return
