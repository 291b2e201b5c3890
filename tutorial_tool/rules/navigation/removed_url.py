"""URLs that were published before, and are gone without a redirect."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tutorial_tool import links
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.core.grouping import group_by
from tutorial_tool.links import Addresses
from tutorial_tool.publishing.inventory import Entry, load_published
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _unrendered
from tutorial_tool.site import Page, Site
from tutorial_tool.variants.ordering import numbers


class Move(NamedTuple):
    """A page that was at one URL, and where it is now."""

    entry: Entry
    page: Page
    old: str  # The URL, with `{platform}` for the page's own platform
    new: str


@rule("navigation", Severity.ERROR, needs="inventory")
def check(site: Site, config: Config) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    if not site.invalid_sections.isdisjoint(("platforms", "groups", "tutorials")) or _unrendered.may_redirect(site):
        return  # the pages, or the URLs that redirect to them, are unknown
    known = load_published(config)
    is_unrendered = _unrendered.build_matcher(site)
    gone = [e for e in known if addresses.resolve_url(e.url).kind == "missing" and not is_unrendered(e.url)]
    lost: list[Entry] = []
    yield from _flag_moved(addresses, known, [entry for entry in gone if not entry.moved_to], lost)
    groups = _group_lost(site, known, lost)
    for group in groups:
        yield _report_group(addresses, group) if len(group.entries) > 1 else _report_entry(group.entries[0])
    below = tuple(group.address.rstrip("*") for group in groups if group.address.endswith("*") and group.entries[1:])
    redirects = [entry for entry in gone if entry.moved_to and not entry.url.startswith(below)]
    # an unrendered page may still redirect: its front matter is unknown
    yield from _report_lost_redirects(addresses, [entry for entry in redirects if not is_unrendered(entry.moved_to)])


def _flag_moved(
    addresses: Addresses, known: Sequence[Entry], gone: Sequence[Entry], lost: list[Entry]
) -> Iterator[Finding]:
    """Report URLs whose page has moved; add those without a page to `lost`."""
    fresh = _index_new_pages(addresses, known) if gone else {}
    moved: list[Move] = []
    for entry in gone:
        page = _find_current_page(addresses, entry, fresh.get(numbers.strip_step_number(entry.title), ()))
        if page is None:
            lost.append(entry)
        elif page.place is None or not page.generated:
            yield _report_entry(entry, addresses.get_url(page))
        else:
            moved.append(_build_move(addresses, entry, page))
    for moves in _group_by_step(moved):
        message = "was published; its page is now `{new}`, without a redirect; {remedy}"
        yield _report_step(addresses, moves, message, "what was published")


# Missing URLs


class Group(NamedTuple):
    """Pages that disappeared together: one step's on several platforms, or one platform's.

    `address` is the common part of their URLs, with `{platform}` or `*` for the rest.
    """

    address: str
    entries: list[Entry]


def _group_lost(site: Site, known: Sequence[Entry], lost: Sequence[Entry]) -> list[Group]:
    """Group the missing pages: by removed platform, else by step, else each alone."""
    ids = frozenset(site.model.platforms)
    gone = {entry.url for entry in lost}
    living = {_mask_platforms(entry.url, ids) for entry in known if entry.url not in gone}
    former = dict.fromkeys(folder for entry in lost for folder in _find_former_folders(entry.url, ids, living))

    def get_address(entry: Entry) -> str:
        folder = next((folder for folder in former if entry.url.startswith(folder)), "")
        return f"{folder}*" if folder else _mask_platforms(entry.url, ids)

    return [Group(address, entries) for address, entries in group_by(lost, get_address).items()]


def _find_former_folders(url: str, ids: Collection[str], living: Collection[str]) -> Iterator[str]:
    """Yield folders of removed platforms: with an existing platform in its place, the page exists."""
    for part in url.split("/"):
        if part and part not in ids and _mask_platforms(url, {part}) in living:
            yield url[: url.index(f"/{part}/") + len(part) + 2]


def _report_group(addresses: Addresses, group: Group) -> Finding:
    """Report pages that disappeared together, with a line that would redirect their readers."""
    tree = next((tree for tree in addresses.pages.trees if group.address.startswith(tree.base)), None)
    below = group.address.removeprefix(tree.base.rstrip("/")) if tree else group.address
    first, *others = group.entries
    if below.endswith("*"):
        what = f"{len(group.entries)} pages below `{group.address.rstrip('*')}` were published and are"
        text = f'write `"{below}" = "…"` below `[redirects]` in the configuration, or a line for each'
    else:
        title = f" (“{first.title}”)" if first.title else ""
        what = f"`{group.address}`{title} was published on {len(group.entries)} platforms and is"
        old = below.replace("{platform}", "{{ platform.id }}")
        text = f"write `redirect_from: {old}` in the page that takes its place"
    message = f"{what} gone without a redirect; {text}"
    related = tuple(Related(entry.span, "was published, too", again=True) for entry in others)
    return Finding("", Severity.OFF, message, first.span, related=related)


def _report_entry(entry: Entry, now: str = "") -> Finding:
    title = f" (“{entry.title}”)" if entry.title else ""
    near = f"; is it `{now}` now?" if now else ""
    message = f"`{entry.url}`{title} was published and is gone without a redirect{near}"
    return Finding("", Severity.OFF, message, entry.span)


def _report_lost_redirects(addresses: Addresses, entries: Sequence[Entry]) -> Iterator[Finding]:
    """Report lost redirects: once for a step whose pages on several platforms had one."""
    moved: list[Move] = []
    for entry in entries:
        page = addresses.resolve_url(entry.moved_to).page
        if page is None or page.place is None or not page.generated:
            message = f"`{entry.url}` redirected to `{entry.moved_to}`, but no longer does"
            yield Finding("", Severity.OFF, message, entry.span)
        else:
            moved.append(_build_move(addresses, entry, page))
    for moves in _group_by_step(moved):
        text = "redirected to `{new}`, but no longer does; {remedy}"
        yield _report_step(addresses, moves, text, "what redirected")


# Where a page is now


def _index_new_pages(addresses: Addresses, known: Sequence[Entry]) -> dict[str, list[Page]]:
    """Index the pages with URLs that the inventory lacks, by title without number."""
    urls = {entry.url for entry in known}
    published = (page for page in addresses.site.pages if addresses.is_published(page))
    fresh = (page for page in published if addresses.get_url(page) not in urls)
    return group_by(fresh, lambda page: numbers.strip_step_number(addresses.pages.get_title(page)))


def _find_current_page(addresses: Addresses, entry: Entry, pages: Sequence[Page]) -> Page | None:
    """Return the page with the same title and a common anchor whose URL is most similar to the former one.

    Without any anchors on both sides, the title is enough. None if several URLs are equally similar, or without a
    title.
    """
    expected = set(entry.anchors)
    alike = [
        page
        for page in pages
        if expected & addresses.get_anchors(page) or not (expected or addresses.get_anchors(page))
    ]
    parts = set(entry.url.split("/"))
    shared = [len(parts & set(addresses.get_url(page).split("/"))) for page in alike]
    best = [page for page, count in zip(alike, shared, strict=True) if count == max(shared)]
    return best[0] if len(best) == 1 and entry.title else None


def _build_move(addresses: Addresses, entry: Entry, page: Page) -> Move:
    old, new = (_mask_platforms(url, {page.platform or ""}) for url in (entry.url, addresses.get_url(page)))
    return Move(entry, page, old, new) if "{platform}" in old else Move(entry, page, entry.url, addresses.get_url(page))


def _mask_platforms(url: str, platforms: Collection[str]) -> str:
    """Replace platform names in a URL with `{platform}`."""
    return "/".join("{platform}" if part and part in platforms else part for part in url.split("/"))


def _group_by_step(moves: Iterable[Move]) -> Iterable[Sequence[Move]]:
    """Group the moves of a step that are the same on all platforms."""
    return group_by(moves, lambda move: (move.page.tutorial, move.page.step, move.old, move.new)).values()


def _report_step(addresses: Addresses, moves: Sequence[Move], what: str, there: str) -> Finding:
    """Report a step's changed URLs once, at its title. `what` has `{new}` and `{remedy}`."""
    (_, page, old, new) = moves[0]
    base = addresses.get_tree(page).base.rstrip("/")
    address = old.removeprefix(base)
    if "{platform}" in old:
        remedy = f"write `redirect_from: {address.replace('{platform}', '{{ platform.id }}')}` in its front matter"
    else:
        remedy = f'write `"{address}" = "{new.removeprefix(base)}"` below `[redirects]` in the configuration'
    message = f"`{old}` {what.format(new=new, remedy=remedy)}"
    related = tuple(Related(move.entry.span, there) for move in moves)
    finding = page.flag(_get_title_span(page), message, related=related)
    return replace(finding, platforms=tuple(move.page.platform for move in moves if move.page.platform))


def _get_title_span(page: Page) -> tuple[int, int]:
    """Return the span of a page's title without its number, as a location that its author knows."""
    title = numbers.find_title(page.document)
    if title is None:
        return (0, 0)
    start = title.span.start + max(title.text.rfind(numbers.strip_step_number(title.text)), 0)
    return start, title.span.end
