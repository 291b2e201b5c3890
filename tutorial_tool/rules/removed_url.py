"""Addresses that were published last time, and are gone without a redirect."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import addresses
from tutorial_tool.config import Config
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._published import published
from tutorial_tool.site import Site


@rule("navigation", Severity.ERROR, needs="inventory")
def check(site: Site, config: Config) -> Iterator[Finding]:
    of = addresses.of(site)
    if not site.doubts.isdisjoint(("platforms", "groups", "tutorials")):
        return  # it is not known which pages there are
    lost = tuple(f"/{_stem(place.path)}" for at, place in site.places.items() if at not in site.by_address)
    for entry in published(config):
        if of.visit(entry.url).kind == "missing" and not f"/{_stem(entry.url.strip('/'))}".endswith(lost):
            title = f" (“{entry.title}”)" if entry.title else ""
            message = f"`{entry.url}`{title} was published, and is gone without a redirect"
            yield Finding("", Severity.OFF, message, entry.place)


def _stem(path: str) -> str:
    """What the path of a page and that of its URL have in common. A page that cannot be rendered is not gone."""
    return path.removesuffix(".md").removesuffix(".html").removesuffix("index").rstrip("/")
