"""Find pages with the same URL: steps of the data, pages of the docs folder, and other files."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from tutorial_tool.core.diagnostics import Finding, Related, build_error
from tutorial_tool.core.source import Source
from tutorial_tool.data.model.parts import Tutorial
from tutorial_tool.site import Page
from tutorial_tool.templating.places import PageLocation

INDEX = ("index", "README")  # Pages published at the URL of their folder; if both exist, the second is not published


@lru_cache(100_000)  # called for all pages, in an editor on each key press
def compute_address(path: str) -> str:
    """Return a page's URL path: its path without suffix, or its folder for an index page."""
    stem = posixpath.splitext(path)[0]
    folder, _, name = stem.rpartition("/")
    return folder if name in INDEX else stem


def index_by_address(pages: Mapping[str, Page]) -> dict[str, Page]:
    """Index pages by URL; of two pages with one URL, keep the first in the order of collision reports."""
    return {compute_address(path): pages[path] for path in sorted(pages, key=_get_sort_key, reverse=True)}


def find_all(places: Iterable[PageLocation], pages: Mapping[str, Page], others: Iterable[str]) -> Iterator[Finding]:
    """Yield the collisions of URLs. `others` are the remaining files of the docs folder, by path."""
    places = [place for place in places if "{" not in place.path]  # undefined names in the data are reported elsewhere
    yield from _find_place_collisions(places)
    yield from _find_page_collisions(pages)
    files = {path.removesuffix(".html").removesuffix("/index"): path for path in others if path.endswith(".html")}
    published = {compute_address(p.path): (f"`{p.step.id}` on `{p.platform.id}`", p.step.key) for p in places}
    published |= {compute_address(path): ("this page", page.source.span(0, 0)) for path, page in pages.items()}
    for url, (owner, span) in published.items():
        if url in files:
            file = Related(Source(files[url], "").span(0), "the file")
            message = f"{owner} and the file {files[url]} have the same URL"
            yield build_error("page-collision", message, span, related=(file,))


def _find_place_collisions(places: Iterable[PageLocation]) -> Iterator[Finding]:
    place_by_path: dict[str, PageLocation] = {}
    reported: set[tuple[Tutorial, str]] = set()
    for place in places:
        first = place_by_path.setdefault(place.path.lower(), place)
        if first is place:
            continue
        variable, tutorial = _find_missing_variable(place, first), place.tutorial
        if first.tutorial is not tutorial:
            variable = first.tutorial.id
            message = f"tutorials `{tutorial.id}` and `{variable}` both have a page at {place.path}; change one `path`"
            related = [Related(first.tutorial.key, "the other tutorial")]
        else:
            names = (f"`{collided.step.id}` on `{collided.platform.id}`" for collided in (place, first))
            fix = f"; name {{{variable}}} in the path" if variable else ""
            message, related = f"{' and '.join(names)} are both at {place.path}{fix}", []
        if (tutorial, variable) not in reported:
            if variable:
                reported.add((tutorial, variable))
            span = tutorial.path.runs[0].span or tutorial.key if tutorial.path else tutorial.key
            yield build_error("page-collision", message, span, related=tuple(related))


def _find_page_collisions(pages: Mapping[str, Page]) -> Iterator[Finding]:
    path_by_url = dict[str, str]()
    for path in sorted(pages, key=_get_sort_key):
        first_path = path_by_url.setdefault(compute_address(path), path)
        if first_path != path and not (_get_stem(path) == "README" and _get_stem(first_path) == "index"):
            yield build_error(
                "page-collision",
                f"this page and {pages[path].source.path} have the same URL",
                pages[first_path].source.span(0, 0),
                related=(Related(pages[path].source.span(0, 0), "the other page"),),
            )


def _get_stem(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0]


def _get_sort_key(path: str) -> tuple[bool, bool, str]:
    """Return a key that sorts `README` pages after all others, and `.md` before other suffixes."""
    return _get_stem(path) == "README", not path.endswith(".md"), path


def _find_missing_variable(place: PageLocation, other: PageLocation) -> str:
    """Return the variable missing from a tutorial's path that causes two pages to have one URL."""
    pattern = place.tutorial.get_path_pattern(place.platform)
    differences = [("step", place.step is not other.step), ("platform", place.platform is not other.platform)]
    if place.tutorial is not other.tutorial:
        return ""
    return next((name for name, is_other in differences if is_other and f"{{{name}}}" not in pattern), "")
