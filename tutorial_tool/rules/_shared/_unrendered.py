"""The addresses of pages that a mistake keeps from being rendered: the mistake is told, and not what comes of it."""

from __future__ import annotations

from collections.abc import Callable

from tutorial_tool.site import Site


def build_matcher(site: Site) -> Callable[[str], bool]:
    """Tells whether a page that a mistake keeps from being rendered would be at an address: it is not gone."""
    late = tuple(f"/{_get_stem(place.path)}" for at, place in site.places.items() if at not in site.by_address)
    return lambda url: f"/{_get_stem(url)}".endswith(late)


def may_redirect(site: Site) -> bool:
    """Whether the template of such a page says which addresses it takes over: that is known when it is rendered."""
    late = tuple(f"/{place.step.id}.md.j2" for at, place in site.places.items() if at not in site.by_address)
    return any("redirect_from" in source.text for path, source in site.sources.items() if path.endswith(late))


def _get_stem(path: str) -> str:
    """What the path of a page and that of its URL have in common."""
    return path.partition("#")[0].strip("/").removesuffix(".md").removesuffix(".html").removesuffix("index").rstrip("/")
