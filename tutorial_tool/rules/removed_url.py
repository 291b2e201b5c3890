"""Addresses that were published last time, and are gone without a redirect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tutorial_tool import addresses
from tutorial_tool.addresses import Addresses
from tutorial_tool.config import Config
from tutorial_tool.finding import Finding, Related, Severity
from tutorial_tool.inventory import Entry
from tutorial_tool.order import numbers
from tutorial_tool.rules import rule
from tutorial_tool.rules._published import published
from tutorial_tool.site import Page, Site


class Move(NamedTuple):
    """A page that stood at an address, and where it stands now."""

    entry: Entry
    page: Page
    old: str
    """The address, with `{platform}` where it names the page's platform."""
    new: str


@rule("navigation", Severity.ERROR, needs="inventory")
def check(site: Site, config: Config) -> Iterator[Finding]:
    of = addresses.of(site)
    if not site.doubts.isdisjoint(("platforms", "groups", "tutorials")):
        return  # it is not known which pages there are
    known = published(config)
    unrendered = tuple(f"/{_stem(place.path)}" for at, place in site.places.items() if at not in site.by_address)
    missing = (entry for entry in known if of.visit(entry.url).kind == "missing")
    gone = [entry for entry in missing if not f"/{_stem(entry.url.strip('/'))}".endswith(unrendered)]
    fresh = _fresh(of, known) if gone else {}
    steps: dict[tuple[object, ...], list[Move]] = {}
    for entry in gone:
        page = _now(of, entry, fresh.get(numbers.named(entry.title), ()))
        if page is None or page.place is None or not page.generated:
            yield Finding("", Severity.OFF, _message(entry, of.url(page) if page else ""), entry.place)
        else:
            move = _move(of, entry, page)
            address = page.place.address
            steps.setdefault((address.tutorial, address.step, move.old, move.new), []).append(move)
    for moves in steps.values():
        yield _moved(of, moves)


def _stem(path: str) -> str:
    """What the path of a page and that of its URL have in common. A page that cannot be rendered is not gone."""
    return path.removesuffix(".md").removesuffix(".html").removesuffix("index").rstrip("/")


# Where a page stands now


def _fresh(of: Addresses, known: Sequence[Entry]) -> dict[str, list[Page]]:
    """The pages that stand at addresses of which the inventory knows nothing, by title without number."""
    urls = {entry.url for entry in known}
    found: dict[str, list[Page]] = {}
    for page in of.site.pages:
        if of.is_published(page) and of.url(page) not in urls:
            found.setdefault(numbers.named(of.title(page)), []).append(page)
    return found


def _now(of: Addresses, entry: Entry, pages: Sequence[Page]) -> Page | None:
    """The one page of the same title, with one of the same anchors, whose address is most like a former one."""
    wanted = set(entry.anchors)
    alike = [page for page in pages if wanted & of.anchors(page) or not (wanted or of.anchors(page))]
    parts = set(entry.url.split("/"))
    shared = [len(parts & set(of.url(page).split("/"))) for page in alike]
    best = [page for page, count in zip(alike, shared, strict=True) if count == max(shared)]
    return best[0] if len(best) == 1 and entry.title else None


def _message(entry: Entry, now: str) -> str:
    title = f" (“{entry.title}”)" if entry.title else ""
    near = f"; is it `{now}` now?" if now else ""
    return f"`{entry.url}`{title} was published, and is gone without a redirect{near}"


def _move(of: Addresses, entry: Entry, page: Page) -> Move:
    old, new = (_of_any(url, page.platform or "") for url in (entry.url, of.url(page)))
    return Move(entry, page, old, new) if "{platform}" in old else Move(entry, page, entry.url, of.url(page))


def _of_any(url: str, platform: str) -> str:
    return "/".join("{platform}" if part == platform else part for part in url.split("/"))


def _moved(of: Addresses, moves: Sequence[Move]) -> Finding:
    """One finding of a step whose pages were published elsewhere, at its title."""
    (_, page, old, new) = moves[0]
    base = of.tree(page).base.rstrip("/")
    address = old.removeprefix(base)
    if "{platform}" in old:
        told = f"write `redirect_from: {address.replace('{platform}', '{{ platform.id }}')}` in its front matter"
    else:
        told = f'write `"{address}" = "{new.removeprefix(base)}"` below `[redirects]` in the configuration'
    message = f"`{old}` was published, and its page is `{new}` now, without a redirect: {told}"
    related = tuple(Related(move.entry.place, "what was published") for move in moves)
    finding = page.flag(_title(page), message, related=related)
    return replace(finding, platforms=tuple(move.page.platform for move in moves if move.page.platform))


def _title(page: Page) -> tuple[int, int]:
    """Where a page's title stands, without its number; a finding needs a place that its author knows."""
    found = numbers.title(page.document)
    if found is None:
        return (0, 0)
    start = found.place.start + max(found.text.rfind(numbers.named(found.text)), 0)
    return start, found.place.end
