"""The navigation that follows from the data: nobody types it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

from tutorial_tool.config.plugin_options import tutorial_in_nav
from tutorial_tool.core.traced import plain
from tutorial_tool.publishing.navigation import beside, folders
from tutorial_tool.site import Page, Site


def tutorial(site: Site, id_: str, written: Callable[[str], str] = plain, besides: Container[str] = ()) -> list[Any]:
    """The pages of a tutorial as entries of MkDocs' `nav`: by platform, in their order, without those in `besides`.

    `written` is how a name is written there.
    """
    out: list[Any] = []
    for platform in site.model.platforms.values():
        pages = [page.path for page in site.page_order(id_, platform.id) if page.path not in besides]
        if pages:
            out.append({written(plain(platform.name)): pages})
    return out


def whole(
    site: Site, said: list[Any] | None, others: Iterable[str], written: Callable[[str], str] = plain
) -> list[Any]:
    """The whole `nav`: what the configuration says, with the tutorials at their marks, else behind it.

    Pages of a tutorial that the configuration names one by one stand where it names them, and nowhere else; the others
    beside them. For a configuration that says nothing, the folders of `others`, the hand-written pages, are the
    navigation. `written` is how a name of the data is written in it.
    """
    if said is None:
        return folders.whole(site, others, written)
    named: set[str] = set()
    nav = list(_replaced(site, said, named, written))
    for id_, tutorial_ in site.model.tutorials.items():
        if id_ in named:
            continue
        beside.put(site, id_, nav, written)
        if entries := tutorial(site, id_, written, frozenset(beside.paths(nav))):
            nav.append({written(plain(tutorial_.title)): entries})
    return nav


def marked(site: Site, said: list[Any], written: Callable[[str], str] = plain) -> list[Any]:
    """What a configuration says, with the tutorials at their marks."""
    return list(_replaced(site, said, set(), written))


def _replaced(site: Site, entries: Iterable[Any], named: set[str], written: Callable[[str], str]) -> Iterator[Any]:
    for entry in entries:
        title, value = next(iter(entry.items())) if isinstance(entry, dict) and len(entry) == 1 else (None, entry)
        mark = tutorial_in_nav(title, value) if isinstance(value, str) else None
        if mark and mark.id in site.model.tutorials:
            named.add(mark.id)
            shown = mark.title or written(plain(site.model.tutorials[mark.id].title))
            yield {shown: tutorial(site, mark.id, written)}
        elif mark and site.model.tutorials:
            continue  # a rule tells it; published, the id would be an address
        elif isinstance(value, list):
            inner = list(_replaced(site, value, named, written))
            yield {title: inner} if title is not None else inner
        else:
            yield entry


def neighbours(site: Site, page: Page) -> tuple[Page | None, Page | None]:
    """The pages before and after one, on its platform."""
    if page.place is None:
        return None, None
    before, after = page.place.previous, page.place.following
    return (
        site.by_address.get(before) if before else None,
        site.by_address.get(after) if after else None,
    )
