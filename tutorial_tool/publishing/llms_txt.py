"""A published site for readers' other tools: each page as Markdown, `llms.txt` and `llms-full.txt`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from urllib.parse import quote, urlsplit

from tutorial_tool import links
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model.parts import ALL_PLATFORMS
from tutorial_tool.markdown import directive_comments
from tutorial_tool.markdown.document import Document
from tutorial_tool.publishing import rewriting
from tutorial_tool.site import Page, Site

INDEX, WHOLE = "llms.txt", "llms-full.txt"


def files(site: Site, pages: Sequence[Page], name: str, summary: str, base: str) -> dict[str, bytes]:
    """What to write, by its path in the built site. `pages` are those that are published.

    A page stands at the path of its source, so that its relative links hold. `base` is the address of the site, up to
    its last slash; where it is empty, the lists name paths.
    """
    index = links.get_addresses(site)
    out = {page.path: markdown(page) for page in pages}
    head = _head(name, summary)
    sections = list(_sections(site, pages))
    listed = (
        f"\n## {title}\n\n" + "".join(_entry(page, index.get_title(page), base) for page in held)
        for title, held in sections
    )
    out[INDEX] = (head + "".join(listed)).encode()
    out[WHOLE] = whole(site, pages, name, summary, base)
    return out


def whole(site: Site, pages: Sequence[Page], name: str = "", summary: str = "", base: str = "") -> bytes:
    """Write all pages one after the other. Without a name, that of the first tutorial."""
    titles = [strip_origins(tutorial.title) for tutorial in site.model.tutorials.values()]
    texts = (f"\n{_whole(page, base).strip()}\n" for _, held in _sections(site, pages) for page in held)
    return (_head(name or (titles or ["Documentation"])[0], summary) + "".join(texts)).encode()


def _head(name: str, summary: str) -> str:
    return f"# {_line(name)}\n" + (f"\n> {_line(summary)}\n" if _line(summary) else "")


def _sections(site: Site, pages: Sequence[Page]) -> Iterator[tuple[str, list[Page]]]:
    """The pages of each tutorial and platform, in their order, and then the others."""
    published = {page.path for page in pages}
    for key, tutorial in site.model.tutorials.items():
        for platform in filter(lambda platform: platform.id != ALL_PLATFORMS, site.model.platforms.values()):
            if held := [page for page in site.page_order(key, platform.id) if page.path in published]:
                yield f"{_line(tutorial.title)}: {_line(platform.name)}", held
    if others := sorted((page for page in pages if page.place is None), key=lambda page: page.path):
        yield "Pages", others


def _entry(page: Page, title: str, base: str) -> str:
    title = _line(title or page.path).replace("[", "\\[").replace("]", "\\]")
    description = f": {_line(page.description)}" if page.description else ""
    return f"- [{title}]({base}{quote(page.path)}){description}\n"


def _line(text: str) -> str:
    """A text on one line."""
    return " ".join(strip_origins(text).split())


def markdown(page: Page) -> bytes:
    """Write a page as plain Markdown, its links as it has them."""
    text = directive_comments.strip_comments(strip_origins(page.text), page.dialect)
    return page.encoded() if text == page.text else page.style.encode_text(text)


def _whole(page: Page, base: str) -> str:
    """A page without front matter, its links as seen from the site's root."""
    text = directive_comments.strip_comments(strip_origins(page.text), page.dialect)
    document = page.document.lean if text == page.text else Document(text, page.dialect)
    edits = rewriting.address_edits(document, lambda href: _from_root(href, page.path, base))
    return rewriting.without_front_matter(rewriting.edited(text, edits), page)


def _from_root(href: str, path: str, base: str) -> str:
    parts = urlsplit(href)
    if parts.scheme or parts.netloc or href.startswith("/"):
        return href
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), parts.path)) if parts.path else quote(path)
    return base + target + href[len(parts.path) :]
