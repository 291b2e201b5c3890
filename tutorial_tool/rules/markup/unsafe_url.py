"""URLs that run a script, and links to hosts that readers cannot reach."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.links import references
from tutorial_tool.markdown.document import Range, Tag
from tutorial_tool.rules import rule
from tutorial_tool.site import Page

_SCRIPT = lazy_re.compile(
    r"(?:java|vb)script:(?!(?:void\(0?\))?;?$)|data:(?:text/html|application/xhtml\+xml)", re.IGNORECASE
)
_UNREAD = lazy_re.compile(
    r"\](?:\(|:)\s*<?((?:javascript|vbscript|data|file):(?:[^\s()<>]|\([^\s()<>]*\))*)", re.IGNORECASE
)
"""The parser treats these as text, not as links; Python-Markdown renders them as links."""
_IN_BRACKETS = lazy_re.compile(r"<((?:java|vb)script:[^\s<>]+)>", re.IGNORECASE)
"""The same between angle brackets, as an autolink."""
_REFRESH = lazy_re.compile(r"\s*\d*\s*[;,]\s*url\s*=\s*[\"']?", re.IGNORECASE)
_IGNORED = lazy_re.compile(r"[\x00-\x20\x7f]+")  # Characters in a scheme that browsers ignore
_HARMLESS = ("https://", "http://", "#", "/", ".")
"""How URLs start that are none of these."""
_ADDRESSES = ("href", "action", "formaction", "xlink:href", "data", "srcdoc")
_SOURCES = ("iframe", "embed", "frame")  # Elements that open their `src`
_HOST = lazy_re.compile(r"(?:https?:)?//(?:[^/?#@]*@)?(\[[0-9a-fA-F:.]+\]|[^/?#:]+)(?::(\d+))?", re.IGNORECASE)
_OWN = lazy_re.compile(r"localhost|.+\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]", re.IGNORECASE)
_ON_DISK = lazy_re.compile(r"file:|[A-Za-z]:[\\/](?!/)", re.IGNORECASE)
_SHORT = lazy_re.compile(r"(?!https?$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
"""A name without a dot, which only a local network resolves; not the scheme of a URL pasted behind another."""
_STAND_IN = lazy_re.compile(r"(?:your|my|some|the|example)-?|.*(?:host|server|domain|address|name|url|ip)$")


@rule("markup", Severity.ERROR)
def check(page: Page) -> Iterator[Finding]:
    text = page.plain
    for address, place in sorted(_find_urls(page), key=lambda item: item[1]):
        if address.startswith(_HARMLESS):
            continue
        if _SCRIPT.match(_IGNORED.sub("", unescape(address))):
            yield page.flag(place, f"`{address[:40]}` runs a script in the reader's browser")
        elif _ON_DISK.match(address):
            yield page.flag(place, f"`{address[:40]}` is a file on the author's machine")
    for reference in references.find_references(page.document) if "//" in text else ():
        match = _HOST.match(reference.href) if reference.kind != "autolink" else None
        if match and (why := _explain_unreachable(match, text, *reference.place)):
            yield page.flag(reference.place, why, severity=Severity.HINT)


def _find_urls(page: Page) -> Iterator[tuple[str, Range]]:
    """Find all URLs on the page that a browser may open."""
    for prose in page.document.get_prose():
        unread = _UNREAD.finditer(prose) if "](" in prose or "]:" in prose else ()
        in_brackets = _IN_BRACKETS.finditer(prose) if "<" in prose and "cript:" in prose else ()
        for match in (*unread, *in_brackets):
            yield match[1], prose.locate(match.start(1), match.end(1))
    seen = set()
    for link in page.document.links:
        seen.add(link.place)
        yield link.href, link.place or Range(link.start, link.end)
    for image in page.document.images:
        yield image.src, image.place or Range(image.start, image.end)
    for tag in page.document.tags:
        yield from (address for address in _find_urls_in_tag(tag) if address[1] not in seen)


def _find_urls_in_tag(tag: Tag) -> Iterator[tuple[str, Range]]:
    for name in (*_ADDRESSES, *(("src",) if tag.name.lower() in _SOURCES else ())):
        if attribute := tag.attributes.get(name):
            yield attribute.value, Range(attribute.start, attribute.end)
    content = tag.attributes.get("content") if tag.name.lower() == "meta" else None
    if content and (refresh := _REFRESH.match(content.value)):
        yield content.value[refresh.end() :], Range(content.start + refresh.end(), content.end)


def _explain_unreachable(match: re.Match[str], text: str, start: int, end: int) -> str:
    """Explain why readers can't open a host.

    "" if the page mentions the URL elsewhere, too: then it tells readers to start it.
    """
    host, port = match[1], match[2]
    if _OWN.fullmatch(host):
        shown = f"{host}:{port}" if port else host
        elsewhere = shown in text[:start] or shown in text[end:] or (port and re.search(rf"\b{port}\b", text[:start]))
        return "" if elsewhere else f"`{host}` is the reader's own machine"
    if match[0].startswith("//") and _SHORT.fullmatch(host):
        return f"`{match[0]}` is the host `{host}`; a path starts with one slash"
    is_private = _SHORT.fullmatch(host) and not _STAND_IN.match(host)
    return f"`{host}` is a host of a private network" if is_private else ""
