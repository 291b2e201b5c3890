"""The external links of a site: on its pages, and in the navigation in `mkdocs.yml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from urllib.parse import urlsplit

from tutorial_tool import data, links
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Fix, Severity
from tutorial_tool.core.source import Edit, Span
from tutorial_tool.links.external.guard import matches_any
from tutorial_tool.markdown.document import Range
from tutorial_tool.site import Page, PageFix, Site

_WEB = lazy_re.compile(r"(?:https?:)?//[^/]", re.IGNORECASE)
_RESERVED = lazy_re.compile(r"(?:.*\.)?(?:example\.(?:com|org|net)|example|test|invalid|localhost)", re.IGNORECASE)
"""Placeholder host names (RFC 2606, RFC 6761)."""
_STANDS_FOR = lazy_re.compile(r"[{}<>$*|\\^`\s\[\]…\ufffc]|//(?:[^/]*\.)?(?:your|example)[\w-]*\.", re.IGNORECASE)
"""A placeholder URL: has a blank to fill in, or a host of the reader."""
_OF_SCRIPTS = lazy_re.compile(r"[!/?]|:~:|L\d|.*[=&:]")  # Fragments that a page's scripts handle


@dataclass(frozen=True)
class Link:
    """A link to another host, and its span: on a page, or in a file."""

    url: str
    place: tuple[Page, Range] | Span

    @property
    def address(self) -> str:
        """The URL without its fragment, as it is requested."""
        return self.url.partition("#")[0]

    @property
    def fragment(self) -> str:
        """The anchor that the page should have; "" if a script may interpret it."""
        fragment = self.url.partition("#")[2]
        return "" if _OF_SCRIPTS.match(fragment) else fragment

    def flag(self, message: str, *, severity: Severity = Severity.OFF, new: str = "") -> Finding:
        """Return a finding at the link; the caller adds the rule's name. `new` is the URL for the fix."""
        title = f"replace with `{new}`"
        if isinstance(self.place, Span):
            fix = Fix(title, (Edit(self.place, new),), safe=False) if new and self.place.text == self.url else None
            return Finding("", severity, message, self.place, fix=fix)
        page, place = self.place
        return page.flag(
            place, message, severity=severity, fix=PageFix(title, ((*place, new),), safe=False) if new else None
        )


def find_checkable(site: Site, config: Config) -> Iterator[Link]:
    """Yield the links of a site that may be checked: those of navigations, then those of each page."""
    read = links.get_addresses(site)
    for tree in read.pages.trees:
        if tree.node is not None:
            entries = data.iter_scalars(tree.node.get("nav"))
            yield from _select_external(tree.origin, config, ((e.plain, e.span) for e in entries))
    for page in site.pages:
        references = read.pages.get_references(page)
        places = ((unescape(reference.href).strip(), (page, reference.place)) for reference in references)
        yield from _select_external(read.get_tree(page).origin, config, places)


def _select_external(
    origin: str, config: Config, results: Iterator[tuple[str, tuple[Page, Range]]] | Iterator[tuple[str, Span]]
) -> Iterator[Link]:
    """Yield links to other hosts than the site's own that may exist."""
    for url, place in results:
        if not _WEB.match(url) or _STANDS_FOR.search(url):
            continue
        url = f"https:{url}" if url.startswith("//") else url
        host, own = _get_host(url), origin and f"{url}/".lower().startswith(f"{origin.lower()}/")
        if host and not own and not _RESERVED.fullmatch(host) and not matches_any(config.external_ignore, url):
            yield Link(url, place)


def _get_host(url: str) -> str:
    """Return the host of a URL, or "" if it has none that can be requested."""
    try:
        parts = urlsplit(url)
        return (parts.hostname or "") if parts.port != 0 else ""
    except ValueError:
        return ""
