"""Exports a site as plain Markdown files with navigation, for another site generator to build."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.fs import files as files_
from tutorial_tool.markdown import directive_comments, headings
from tutorial_tool.markdown.document import Document
from tutorial_tool.publishing import combined_pages, llms_txt, navigation, page_dates, text_edits
from tutorial_tool.publishing.export import config_file, languages, markup, order, readers
from tutorial_tool.publishing.export.config_file import DOCS
from tutorial_tool.publishing.export.engines import PLAIN, Engine, detect_engine
from tutorial_tool.site import Page, Site, output_manifest
from tutorial_tool.site.output_manifest import MANIFEST


class FolderNotEmpty(TutorialToolError):
    """The target folder holds files that were not rendered."""


def write_files(folder: Path, contents: Mapping[str, bytes], *, force: bool = False) -> int:
    """Write the files and delete stale ones of an earlier run, all or nothing; return the number of files.

    Raises: FolderNotEmpty if the folder has other files, without `force`; InvalidInput for a path outside of it;
    OSError if it can't be written.
    """
    before = output_manifest.read_paths(folder)
    if not force and not before and not _can_overwrite(folder, contents):
        raise FolderNotEmpty(f"`{folder}` contains other files; name an empty folder, or add --force")
    stale = [path for path in before if path not in contents and not files_.explain_unsafe(path)]
    manifest = _encode_manifest([*contents, *stale])  # written first: the run after a killed one knows what to delete
    targets = {folder / path: content for path, content in {**contents, MANIFEST: manifest}.items()}
    stale_paths = [folder / path for path in stale]
    folder.mkdir(parents=True, exist_ok=True)
    files_.remove_temporary_files(
        files_.iter_folders(folder)
    )  # and a killed run may have left files that are no longer written
    if stale_paths:
        files_.write(folder / MANIFEST, manifest, root=folder)
    files_.write_all(targets, stale_paths, root=folder)
    if stale_paths:
        files_.write(folder / MANIFEST, _encode_manifest(contents), root=folder)
    return len(contents)


def _encode_manifest(paths: Iterable[str]) -> bytes:
    return (json.dumps(sorted(paths), indent=0) + "\n").encode()


def _can_overwrite(folder: Path, contents: Mapping[str, bytes]) -> bool:
    """Return whether a folder is empty, or has only files that an interrupted run wrote."""
    paths = [path for path in folder.rglob("*") if path.is_file() or path.is_symlink()]
    left = set(files_.remove_temporary_files({path.parent for path in paths}))
    ours = {folder / path: content for path, content in contents.items()}
    return all(path in left or (path in ours and files_.has_content(path, ours[path])) for path in paths)


@dataclass(frozen=True)
class Options:
    """How pages are written: each engine has its own front matter, index pages, links and heading ids."""

    front_matter: bool = True
    index: str = "index.md"
    links: str = "md"
    heading_ids: str = "attr-list"
    engine: Engine = PLAIN  # The generator that publishes the pages
    reader_features: bool = False  # Whether steps get a platform switcher, a list of steps, and previous and next links
    dates: bool = False  # Whether pages show the date of their last change

    @property
    def is_mkdocs(self) -> bool:
        """Whether the engine may be one that reads `mkdocs.yml`."""
        return not self.engine.name


@dataclass
class RenderedPages:
    """The pages of one rendering, for reuse with the same options, and the context that they depend on."""

    context: object = None
    pages: dict[Page, tuple[object, bytes]] = field(default_factory=dict)


def build_files(site: Site, options: Options, before: RenderedPages | None = None) -> dict[str, bytes]:
    """Return all files of the rendered site by path in the target folder; `before` is updated."""
    model, site = site.model, combined_pages.add_combined_pages(languages.select_language_pages(site))
    out = _read_assets(site)
    out |= {f"{DOCS}/{path}": figure.svg.encode() for path, figure in site.figures.items()}
    titles = {_rename_index(page.path, options): page.stated_title for page in site.pages}
    out |= _build_page_files(site, options, (model, titles), before or RenderedPages())
    nav = _build_nav(site, options)
    titled = _serialize_nav(nav, titles)
    taken = {path.removeprefix(f"{DOCS}/") for path in out}
    for path, text in order.build_files(site, titled, options.engine.order, taken).items():
        out[posixpath.normpath(f"{DOCS}/{path}")] = text.encode()
    out["navigation.json"] = (json.dumps(titled, indent=2, ensure_ascii=False) + "\n").encode()
    if options.is_mkdocs:
        out["mkdocs.yml"] = config_file.build_config(site, nav, with_assets=options.reader_features)
    if options.reader_features:
        out = {**_build_reader_files(site, options), **out}
    return out


def _build_page_files(site: Site, options: Options, around: object, before: RenderedPages) -> dict[str, bytes]:
    """Return the pages by path, from `before` where neither the page nor its context has changed."""
    ours = [page for page in site.pages if not page.is_in_publisher_dialect and options.heading_ids == "none"]
    anchors = {page.path: _map_anchors(page, options.engine.slug) for page in ours}
    positions = order.compute_positions(site, options.engine.order)
    dates = page_dates.build_dates(site) if options.dates else {}
    seen = [(page.path, page.title, [section.id for section in page.sections]) for page in site.pages]
    around = around, site.announces_drafts, seen, anchors
    known = before.pages if before.context == around else {}
    before.context, before.pages = around, {}
    for page in site.pages:
        own = positions.get(page.path), dates.get(page.path)
        if known.get(page, ("",))[0] != own:
            known[page] = own, _render_page(page, options, anchors, site, *own)
        before.pages[page] = known[page]
    return {f"{DOCS}/{_rename_index(page.path, options)}": before.pages[page][1] for page in site.pages}


def _build_reader_files(site: Site, options: Options) -> dict[str, bytes]:
    """Return styles, scripts and other reader files that the generator does not create."""
    if not options.is_mkdocs:
        has_style = options.engine.features != "markdown"
        return {f"static/{path}": content for path, content in readers.read_assets().items()} if has_style else {}
    added = (
        readers.read_assets()
        | readers.build_redirects(site)
        | {llms_txt.WHOLE: llms_txt.build_full_text(site, site.pages)}
    )
    return {f"{DOCS}/{path}": content for path, content in added.items()}


def _read_assets(site: Site) -> dict[str, bytes]:
    """Return the files of the docs folder that are not pages, by path in the target folder."""
    folder = site.layout.root / site.layout.docs
    pages = {page.path for page in site.pages}
    assets = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = path.relative_to(folder).as_posix()
        is_page = name in pages or f"{site.layout.docs}/{name}" in site.sources
        if not is_page and "/." not in f"/{name}" and path.resolve().is_relative_to(folder.resolve()):
            assets[f"{DOCS}/{name}"] = path.read_bytes()
    return assets


def _rename_index(path: str, options: Options) -> str:
    folder, name = posixpath.split(path)
    return posixpath.join(folder, options.index) if name == "index.md" else path


Anchors = Mapping[str, Mapping[str, str]]
"""By page and heading id, the anchor that the generator makes from the heading's text."""


def _map_anchors(page: Page, made: Callable[[str], str]) -> dict[str, str]:
    """Map the ids of a page to the anchors that it has without explicit ids."""
    result = zip(headings.read_sections(page.text, page.document), page.document.headings, strict=True)
    taken: dict[str, int] = {}
    out = {}
    for section, heading in result:
        slug = made(headings.extract_words(heading.text.block.inlines))
        count = taken[slug] = taken.get(slug, -1) + 1
        out[section.id] = f"{slug}-{count}" if count else slug
    return out


def _render_page(
    page: Page, options: Options, anchors: Anchors, site: Site, position: int | None, date: str | None
) -> bytes:
    text = directive_comments.strip_comments(page.plain, page.dialect)
    if options == Options() and text == page.text:
        return page.encode_file()
    document = page.document if text == page.text else Document(text, page.dialect)
    text = text_edits.apply_edits(text, _build_edits(text, document, page, options, anchors))
    text = text if page.is_in_publisher_dialect else markup.convert_containers(text, options.engine)
    if options.reader_features:
        url = readers.build_browser_url if options.links == "url" else lambda href, _: href
        text = readers.add_reader_features(text, site, page, options.engine, url, date or "")
    text = text if page.is_in_publisher_dialect else markup.add_imports(text, options.engine)
    if options.front_matter:
        text = order.add_order_fields(text, position, date, options.engine.order)
    else:
        text = text_edits.strip_front_matter(text, page)
    return page.encode_file() if text == page.text and not page.generated else page.style.encode_text(text)


def _build_edits(
    text: str, document: Document, page: Page, options: Options, anchors: Anchors
) -> list[text_edits.Edit]:
    """Return the inline edits of a page; only URLs of files if it is in its publisher's Markdown."""
    links = _build_link_edits(document, page, options, anchors)
    if page.is_in_publisher_dialect:
        return links
    return [*links, *_build_heading_edits(text, document, options), *markup.build_edits(text, document, options.engine)]


def _build_heading_edits(text: str, document: Document, options: Options) -> list[text_edits.Edit]:
    edits = []
    for heading in document.headings:
        if heading.attrs and options.heading_ids != "attr-list":
            start, end = heading.attrs
            new = f"{{#{heading.id}}}" if heading.id and options.heading_ids == "hugo" else ""
            start -= 0 if new else len(text[:start]) - len(text[:start].rstrip(" "))
            edits.append((start, end, new))
    return edits


def _build_link_edits(document: Document, page: Page, options: Options, anchors: Anchors) -> list[text_edits.Edit]:
    """Return edits of relative links for the page's URL, which is a folder, and of anchors without ids."""
    if options.links == "md" and not anchors:
        return []

    def rewrite_link(href: str) -> str:
        new = _replace_anchor(href, page.path, anchors)
        is_file = not page.is_in_publisher_dialect or href.partition("#")[0].endswith((".md", ".mdx"))
        return readers.build_browser_url(new, page.path) if options.links == "url" and is_file else new

    return text_edits.build_link_edits(document, rewrite_link)


def _replace_anchor(href: str, page: str, anchors: Anchors) -> str:
    path, _, anchor = href.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    new = anchors.get(target, {}).get(anchor)
    return f"{path}#{new}" if new else href


def _build_nav(site: Site, options: Options) -> list[Any]:
    value = config_file.read_settings(site).get("nav")
    others = [page.path for page in site.pages if page.place is None]
    nav = navigation.build_nav(site, value if isinstance(value, list) else None, list(others))
    return [_rename_nav_entry(entry, options) for entry in nav]


def _rename_nav_entry(entry: Any, options: Options) -> Any:
    if isinstance(entry, dict):
        return {title: _rename_nav_entry(value, options) for title, value in entry.items()}
    if isinstance(entry, list):
        return [_rename_nav_entry(value, options) for value in entry]
    return _rename_index(entry, options) if isinstance(entry, str) else entry


def _serialize_nav(nav: list[Any], titles: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the navigation as data: title, and path or children, of each entry."""
    out = []
    for entry in nav:
        title, value = next(iter(entry.items())) if isinstance(entry, dict) else (None, entry)
        if isinstance(value, list):
            out.append({"title": title, "children": _serialize_nav(value, titles)})
        else:
            out.append({"title": title or titles.get(value) or value, "path": value})
    return out


__all__ = ["DOCS", "PLAIN", "Engine", "detect_engine"]  # Of the modules within; the rest is defined here
