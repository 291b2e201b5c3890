"""URLs of pages that an error keeps from being rendered: the error is reported, and not its consequences."""

from __future__ import annotations

from collections.abc import Callable

from tutorial_tool.site import Site


def build_matcher(site: Site) -> Callable[[str], bool]:
    """Build a function that returns whether an unrendered page would be at a URL: it is not missing."""
    unrendered = tuple(f"/{_get_stem(place.path)}" for key, place in site.places.items() if key not in site.by_address)
    return lambda url: f"/{_get_stem(url)}".endswith(unrendered)


def may_redirect(site: Site) -> bool:
    """Return whether an unrendered page's template sets redirects, which are only known after rendering."""
    unrendered = tuple(f"/{place.step.id}.md.j2" for key, place in site.places.items() if key not in site.by_address)
    return any("redirect_from" in source.text for path, source in site.sources.items() if path.endswith(unrendered))


def _get_stem(path: str) -> str:
    """Return the part that the path of a page and the path of its URL share."""
    return path.partition("#")[0].strip("/").removesuffix(".md").removesuffix(".html").removesuffix("index").rstrip("/")
