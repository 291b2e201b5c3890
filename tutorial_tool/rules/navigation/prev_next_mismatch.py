"""A hard-coded previous or next link that disagrees with the order of pages, or with its target's link back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import basename

from tutorial_tool import links
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.links import Addresses
from tutorial_tool.links.navigation_links import Direction
from tutorial_tool.links.typed_neighbors import Neighbor, find_all_typed
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix, Site
from tutorial_tool.variants import ordering
from tutorial_tool.variants.ordering import Order, PageOrder

_OPPOSITE: Mapping[Direction, Direction] = {"previous": "next", "next": "previous"}


@dataclass
class _Walk:
    """The typed previous and next links of a site: by page and direction, and all pages involved."""

    typed: dict[Page, list[Neighbor]]
    links: dict[tuple[Page, Direction], list[Neighbor]] = field(default_factory=dict)
    members: set[Page] = field(default_factory=set)
    wrong: dict[tuple[Page, Direction], Finding] = field(default_factory=dict)

    def get_only_target(self, page: Page, direction: Direction) -> Page | None:
        """Return the common target of all links of a direction; None if they disagree or there is none."""
        targets = {neighbor.target for neighbor in self.links.get((page, direction), ())}
        return targets.pop() if len(targets) == 1 else None


@rule("navigation", Severity.ERROR)
def check(site: Site, config: Config) -> Iterator[Finding]:
    yield from find_wrong_links(site, ordering.get_order(site, config.variants)).values()


def find_wrong_links(site: Site, known: Order) -> dict[tuple[Page, Direction], Finding]:
    """Find the wrong previous and next links of pages."""
    paths = links.get_addresses(site)
    walk = _Walk(find_all_typed(paths))
    for page, neighbors in walk.typed.items():
        for neighbor in neighbors:
            walk.links.setdefault((page, neighbor.direction), []).append(neighbor)
            walk.members |= {page, neighbor.target} if neighbor.target else {page}
    _check_order(walk, known)
    _check_ways_back(walk, paths, known)
    return walk.wrong


# Contradicts the order


@dataclass
class _Verdict:
    right: int = 0
    wrong: list[tuple[Page, Direction, Page | None]] = field(default_factory=list)


def _check_order(walk: _Walk, known: Order) -> None:
    """Check the links against the known order.

    Links between sections of a nav are judged separately: they may leave the order.
    """
    verdicts: dict[tuple[PageOrder, bool], _Verdict] = {}
    paths = {sequence: _Path(sequence, walk.members) for sequence in map(known.get_walk, walk.members) if sequence}
    for page, direction in walk.links:
        got, sequence = walk.get_only_target(page, direction), known.get_walk(page)
        if got is page:
            _add_finding(walk, page, direction, "points to its own page")
        elif got is not None and sequence is not None and got in sequence.values:
            expected = paths[sequence].get_neighbor(page, direction)
            crosses = expected is not None and _get_sections(known, page) != _get_sections(known, expected)
            verdict = verdicts.setdefault((sequence, crosses), _Verdict())
            if expected is got:
                verdict.right += 1
            elif not (expected is None and direction == "next" and got is sequence.pages[0]):
                verdict.wrong.append((page, direction, expected))
    for (sequence, _), verdict in verdicts.items():
        if _is_followed(sequence, verdict):
            for page, direction, expected in verdict.wrong:
                _add_finding(walk, page, direction, _describe_conflict(walk, sequence, page, direction, expected))


def _get_sections(known: Order, page: Page) -> tuple[str, ...]:
    return known.entries[page].sections if page in known.entries else ()


class _Path:
    """The pages of a sequence that have previous or next links; for a tutorial in the data, all."""

    def __init__(self, sequence: PageOrder, members: set[Page]) -> None:
        self._pages = [page for page in sequence.pages if page in members or sequence.source == "data"]
        self._at = {page: at for at, page in enumerate(self._pages)}

    def get_neighbor(self, page: Page, direction: Direction) -> Page | None:
        """Return the page before or after one."""
        at = self._at[page] + (1 if direction == "next" else -1)
        return self._pages[at] if 0 <= at < len(self._pages) else None


def _is_followed(sequence: PageOrder, verdict: _Verdict) -> bool:
    """Return whether the typed links mostly follow an order, so that exceptions are mistakes."""
    if sequence.source == "data":
        return True
    weight = 1 if sequence.source in ("names", "titles") else 2
    return verdict.right >= max(1, weight * len(verdict.wrong))


def _describe_conflict(walk: _Walk, order: PageOrder, page: Page, direction: Direction, expected: Page | None) -> str:
    got = walk.get_only_target(page, direction)
    assert got is not None
    by = order.key if order.source != "front matter" else f"`{order.key}`"
    if expected is None:
        return f"points to {got.path}; by {by}, this is the {'last' if direction == 'next' else 'first'} page"
    return f"points to {got.path}; by {by}, the {direction} page is {expected.path}"


# Contradicts the link back


def _check_ways_back(walk: _Walk, paths: Addresses, known: Order) -> None:
    """Check pairs: if A's next is B, but B's previous is C, decide which is wrong from C's own links."""
    for (page, direction), there, other in list(_find_one_way_links(walk)):
        if walk.get_only_target(other, _OPPOSITE[direction]) is page:  # C is between A and B
            problem = f"points to {there.path}, whose {_OPPOSITE[direction]} link points to {other.path}"
            _add_finding(walk, page, direction, problem, there)
    for (page, direction), there, other in list(_find_one_way_links(walk)):
        back = _OPPOSITE[direction]
        if walk.get_only_target(other, direction) not in (None, there) and (
            copy := _get_variant_name(known, other, page)
        ):
            problem = f"points to the {copy} copy; the {back} page here is `{basename(page.path)}`"
            _add_finding(walk, there, back, problem, page, _build_fix(walk, paths, there, back, page))


def _get_variant_name(known: Order, page: Page, other: Page) -> str:
    """Return the name of a page's variant if another page is the same step; else ""."""
    steps = (step for step in known.steps if other in step.pages.values())
    names = (step.variants[id_].name for step in steps for id_, copy in step.pages.items() if copy is page)
    return next(names, "")


def _build_fix(walk: _Walk, paths: Addresses, page: Page, direction: Direction, target: Page) -> PageFix | None:
    """Point a link to the copy that links back; not in the front matter, whose form is a program's."""
    (neighbor, *others) = walk.links[page, direction]
    href = page.document.text[slice(*neighbor.place)]
    if others or neighbor.link == neighbor.place or "#" in href:
        return None
    address = paths.suggestions.format_url(page, target, href)
    return PageFix(f"link to `{address}`", ((*neighbor.place, address),), safe=False)


def _find_one_way_links(walk: _Walk) -> Iterator[tuple[tuple[Page, Direction], Page, Page]]:
    """Find links to a page whose link back points to a third one."""
    for page, direction in list(walk.links):
        back = _OPPOSITE[direction]
        there = walk.get_only_target(page, direction)
        other = walk.get_only_target(there, back) if there else None
        if there is None or there is page or other is None or other in (page, there):
            continue
        if walk.wrong.keys().isdisjoint([(page, direction), (there, back)]):
            yield (page, direction), there, other


def _add_finding(
    walk: _Walk, page: Page, direction: Direction, problem: str, reason: Page | None = None, fix: PageFix | None = None
) -> None:
    first, *others = walk.links[page, direction]
    related = [(page, neighbor.place, "and here") for neighbor in others]
    if reason:
        back = _OPPOSITE[direction]
        related += [(reason, neighbor.place, f"its {back} link") for neighbor in walk.links.get((reason, back), ())[:1]]
    walk.wrong[page, direction] = page.flag(first.place, f"{direction} link {problem}", related=related, fix=fix)
