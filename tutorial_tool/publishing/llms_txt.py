"""A published site for other tools: each page as Markdown, `llms.txt` and `llms-full.txt`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from urllib.parse import quote, urlsplit

from tutorial_tool import links
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model.parts import ALL_PLATFORMS
from tutorial_tool.markdown import directive_comments
from tutorial_tool.markdown.document import Document
from tutorial_tool.publishing import text_edits
from tutorial_tool.site import Page, Site

INDEX, WHOLE = "llms.txt", "llms-full.txt"


def build_files(site: Site, pages: Sequence[Page], name: str, summary: str, base: str) -> dict[str, bytes]:
    """Return the files to write, by path in the built site. `pages` are the published ones.

    A page is at the path of its source, so that its relative links work. `base` is the URL of the site, up to its last
    slash; if it is empty, the lists use paths.
    """
    index = links.get_addresses(site)
    out = {page.path: render_markdown(page) for page in pages}
    head = _format_header(name, summary)
    sections = list(_iter_sections(site, pages))
    listed = (
        f"\n## {title}\n\n" + "".join(_format_entry(page, index.pages.get_title(page), base) for page in held)
        for title, held in sections
    )
    out[INDEX] = (head + "".join(listed)).encode()
    out[WHOLE] = build_full_text(site, pages, name, summary, base)
    return out


def build_full_text(site: Site, pages: Sequence[Page], name: str = "", summary: str = "", base: str = "") -> bytes:
    """Return all pages in one text. Without a name, that of the first tutorial is used."""
    titles = [strip_origins(tutorial.title) for tutorial in site.model.tutorials.values()]
    texts = (f"\n{_render_page(page, base).strip()}\n" for _, held in _iter_sections(site, pages) for page in held)
    return (_format_header(name or (titles or ["Documentation"])[0], summary) + "".join(texts)).encode()


def _format_header(name: str, summary: str) -> str:
    return f"# {_join_lines(name)}\n" + (f"\n> {_join_lines(summary)}\n" if _join_lines(summary) else "")


def _iter_sections(site: Site, pages: Sequence[Page]) -> Iterator[tuple[str, list[Page]]]:
    """Yield the pages of each tutorial and platform, in order, followed by the others."""
    published = {page.path for page in pages}
    for key, tutorial in site.model.tutorials.items():
        for platform in filter(lambda platform: platform.id != ALL_PLATFORMS, site.model.platforms.values()):
            if held := [page for page in site.get_ordered_pages(key, platform.id) if page.path in published]:
                yield f"{_join_lines(tutorial.title)}: {_join_lines(platform.name)}", held
    if others := sorted((page for page in pages if page.place is None), key=lambda page: page.path):
        yield "Pages", others


def _format_entry(page: Page, title: str, base: str) -> str:
    title = _join_lines(title or page.path).replace("[", "\\[").replace("]", "\\]")
    description = f": {_join_lines(page.description)}" if page.description else ""
    return f"- [{title}]({base}{quote(page.path)}){description}\n"


def _join_lines(text: str) -> str:
    return " ".join(strip_origins(text).split())


def render_markdown(page: Page) -> bytes:
    """Return a page as plain Markdown, with its links unchanged."""
    text = directive_comments.strip_comments(page.plain, page.dialect)
    return page.encode_file() if text == page.text else page.style.encode_text(text)


def _render_page(page: Page, base: str) -> str:
    """Return a page without front matter, with links relative to the site's root."""
    text = directive_comments.strip_comments(page.plain, page.dialect)
    document = page.document.lean if text == page.text else Document(text, page.dialect)
    edits = text_edits.build_link_edits(document, lambda href: _resolve_from_root(href, page.path, base))
    return text_edits.strip_front_matter(text_edits.apply_edits(text, edits), page)


def _resolve_from_root(href: str, path: str, base: str) -> str:
    parts = urlsplit(href)
    if parts.scheme or parts.netloc or href.startswith("/"):
        return href
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), parts.path)) if parts.path else quote(path)
    return base + target + href[len(parts.path) :]
