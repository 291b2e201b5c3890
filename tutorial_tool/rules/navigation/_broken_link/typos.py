"""Misspelled URLs: a scheme, a space."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.links import Addresses, Reference, Target
from tutorial_tool.links.typos import BROKEN_SCHEME, fix_scheme
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page, page_facts
from tutorial_tool.site.fact_index import collect_facts

_BARE_HOST = lazy_re.compile(
    r"(?:www\.[\w-]+\.\w[\w.-]*|[\w-]+(?:\.[\w-]+)*\.(?:com|net|io|dev|gov|edu|org(?=[/:?#])))(?:[/:?#].*)?",
    re.IGNORECASE,
)
"""A host without a scheme; `notes.org` may be a file."""
_BARE_MAIL = lazy_re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_BRACKETED = lazy_re.compile(r"\((https?://[^\s()]+)\)")
_UNREAD = lazy_re.compile(r"\[([^\[\]\n]{1,200})\]\((#[^()\s]*+[ \t][^()\n]*+|/[^()\s]*+[ \t][^()\n]*+)\)")
"""A link with a space in its URL: text in CommonMark."""
_WHOLE = lazy_re.compile(r"[ \t](?:=(?:\d+%?x?|x)\d*%?|\"[^\"]*\"|'[^']*')$")
"""An image size after its URL, as in Azure DevOps, Discount, and a markdown-it plugin; or a title."""


def _find_missing_scheme(page: Page, href: str, span: Range) -> Finding | None:
    """Find URLs of other hosts and email addresses without a scheme."""
    if _BARE_MAIL.fullmatch(href):
        expected = f"mailto:{href}"
    elif page.document.text.endswith(f"[`{href}`](", 0, span.start):  # the name of a module
        return None
    elif _BARE_HOST.fullmatch(href) and not href.lower().endswith((".md", ".html")):
        expected = f"https://{href}"
    else:
        return None
    begin = expected.removesuffix(href)
    return page.flag(span, f"`{href}` lacks `{begin}`, so it is treated as a relative link", replace=expected)


def find_pasted_headings(addresses: Addresses) -> Iterator[Finding]:
    """Find the text of a heading used as a URL."""
    for page, (href, place) in (
        (page, item) for page, matches in collect_facts(addresses.site, _find_spaced_urls).items() for item in matches
    ):
        intended = addresses.find_heading_anchor(page, href.lstrip("#")) if href.startswith("#") else None
        if intended:
            message = f"`{href}` is the text of a heading, not a URL; its anchor is `#{intended}`"
            yield page.flag(place, message, replace=f"#{intended}")
        elif page.dialect is not Dialect.PYTHON_MARKDOWN:  # which reads it
            yield page.flag(place, f"`{href}` is not a URL: it contains a space")


@page_facts.register
def _find_spaced_urls(page: Page) -> tuple[tuple[str, Range], ...]:
    """Find literal text in the place of a URL."""
    text = page.document.text
    if "](#" not in text and "](/" not in text:
        return ()
    texts = (prose for prose in page.document.get_prose() if "](" in prose)
    matches = ((prose, match) for prose in texts for match in _UNREAD.finditer(prose) if not _WHOLE.search(match[2]))
    return tuple((match[2], prose.locate(match.start(2), match.end(2))) for prose, match in matches)


def find_typo(page: Page, reference: Reference, target: Target) -> Finding | None:
    """Find a typo in a URL."""
    href, place = reference.href, reference.place
    if bare := _BRACKETED.fullmatch(href):
        message = "two pairs of parentheses around the URL; the inner pair becomes part of it"
        return page.flag(place, message, replace=bare[1])
    if slip := BROKEN_SCHEME.match(href):
        scheme, message = fix_scheme(slip[0])
        return page.flag(place, message, replace=f"{scheme}{href[slip.end() :]}")
    if target.kind in ("missing", "unknown"):
        return _find_missing_scheme(page, href, place)
    return None
