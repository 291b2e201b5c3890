"""A link whose text is the title of another page than its target, or another URL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from tutorial_tool import links as addresses
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.links import Addresses
from tutorial_tool.links.navigation_links import Direction
from tutorial_tool.links.typed_neighbors import Neighbor, find_all_typed
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules import rule
from tutorial_tool.rules.navigation._link_titles import hosts
from tutorial_tool.rules.navigation._link_titles.titles import NamedLink, Titles, normalize_title
from tutorial_tool.rules.navigation.prev_next_mismatch import find_wrong_links
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts
from tutorial_tool.variants import Step, Variant, ordering
from tutorial_tool.variants.ordering import Order, Title


@rule(
    "navigation",
    Severity.HINT,
    yields_to=("prev-next-mismatch", "foreign-link", "broken-link", "broken-anchor", "typed-number"),
)
def check(site: Site, config: Config) -> Iterator[Finding]:
    for page, misleadings in collect_facts(site, hosts.find_misleading_links).items():
        for misleading in misleadings:
            message = f"the link text says `{misleading.named}`, but the link goes to `{misleading.target}`"
            yield page.flag(misleading.place, message, severity=Severity.WARNING)
    if len(site.pages) > 1:
        yield from _report_titles(site, config)


def _report_titles(site: Site, config: Config) -> Iterator[Finding]:
    known, paths = ordering.get_order(site, config.variants), addresses.get_addresses(site)
    titles = Titles(site, known)
    neighbors = find_all_typed(paths)
    copies = _Copies(known)
    yield from _report_neighbors(titles, neighbors, find_wrong_links(site, known).keys())
    linked = collect_facts(site, _find_links).items()
    nameds = [
        named for page, links in linked for named in _iter_named_links(page, links, paths, neighbors.get(page, ()))
    ]
    for named in _select_distinct_links(nameds):
        if problem := "" if named.is_part else titles.explain_mismatch(named):
            yield named.page.flag(named.place, problem)
        elif finding := copies.find_mismatch(named):
            yield finding


def _select_distinct_links(nameds: list[NamedLink]) -> Iterator[NamedLink]:
    """Yield the links but those whose text often leads to their target, or leads to several on one page."""
    whole = [named for named in nameds if not named.is_part]
    habits = Counter((named.name, named.target) for named in whole)
    families = Counter((page, name) for page, name, _ in {(named.page, named.name, named.target) for named in whole})
    for named in nameds:
        if families[named.page, named.name] <= 2 and habits[named.name, named.target] <= 2:
            yield named


def _iter_named_links(
    page: Page, links: Iterable[_Link], paths: Addresses, neighbors: Iterable[Neighbor]
) -> Iterator[NamedLink]:
    """Yield the links of a page to pages, except through redirects and to its own sections."""
    taken = {neighbor.link.start for neighbor in neighbors}
    for link in links:
        if link.span.start not in taken:
            target = paths.resolve_link(page, link)
            is_there = target.kind == "page" and not target.redirected
            is_own = target.page is page  # which only the name of another platform can contradict
            if target.page is not None and is_there and not (is_own and (target.fragment or link.href.startswith("#"))):
                name, is_part = normalize_title(link.text), is_own or bool(target.fragment)
                yield NamedLink(page, name, link.span, target.page, text=link.text, is_part=is_part)


class _Link(NamedTuple):
    """A link with a text; `place` is the span of its URL."""

    kind: str
    href: str
    place: Range | None
    text: str
    span: Range


@page_facts.register
def _find_links(page: Page) -> tuple[_Link, ...]:
    return tuple(
        _Link(link.kind, link.href, link.place, str(link.text), Range(link.start, link.end))
        for link in page.document.links
        if link.kind != "autolink" and link.text.strip()
    )


class _Copies:
    """The pages of all variants, each with its step and variant."""

    def __init__(self, known: Order) -> None:
        self._known = known
        self._of = {page: (step, id_) for step in known.steps for id_, page in step.pages.items()}
        self._named = cache(_find_named_variants)  # copies of a page share their links

    def find_mismatch(self, named: NamedLink) -> Finding | None:
        """Find a link text that is its target's title except for another variant's name, or only that name."""
        step, id_ = self._of.get(named.target, (None, ""))
        title = self._known.get_title(named.target)
        if step is None or title is None:
            return None
        own, variant = step.variants[id_], self._find_other_variant(step, named, title)
        if variant is None:
            return None
        rest = normalize_title(variant.name_pattern.sub(" ", named.text)).split()
        same = "" if named.is_part else normalize_title(own.pattern.sub(" ", title.text))
        if not set(rest) <= set(same.split()):
            return None
        says = f"the link text says `{variant.name}`, but the link goes to"
        if rest or named.page not in step.pages.values():
            return named.page.flag(named.place, f"{says} `{title.text}`")
        return named.page.flag(named.place, f"{says} the page for {own.name}", severity=Severity.WARNING)

    def _find_other_variant(self, step: Step, named: NamedLink, title: Title) -> Variant | None:
        """Return the only variant that a link's text names, unless it is the page's, the target's, or in the title."""
        variants = self._named(step, named.text)
        is_other = len(variants) == 1 and step.pages[variants[0].id] not in (named.page, named.target)
        return variants[0] if is_other and not variants[0].inner_pattern.search(title.text) else None


def _find_named_variants(step: Step, text: str) -> list[Variant]:
    known = step.variants.values()
    return [variant for variant in known if variant.may_occur_in(text) and variant.name_pattern.search(text)]


def _report_neighbors(
    titles: Titles, neighbors: dict[Page, list[Neighbor]], wrong_ones: Container[tuple[Page, Direction]]
) -> Iterator[Finding]:
    """Report previous and next links that name another page; wrong targets are left to the other rule."""
    reported: set[tuple[Page, str]] = set()
    for page, links in neighbors.items():
        for link in _iter_named_neighbors(page, links, wrong_ones):
            problem = titles.explain_mismatch(link)
            if problem and (page, problem) not in reported:
                reported.add((page, problem))
                yield page.flag(link.place, problem, severity=Severity.WARNING)


def _iter_named_neighbors(
    page: Page, neighbors: Iterable[Neighbor], wrong_ones: Container[tuple[Page, Direction]]
) -> Iterator[NamedLink]:
    """Yield the previous and next links of a page that have text and no known wrong target."""
    for neighbor in neighbors:
        target = neighbor.target
        if neighbor.name and target not in (None, page) and (page, neighbor.direction) not in wrong_ones:
            assert target is not None
            yield NamedLink(page, normalize_title(neighbor.name), neighbor.link, target, True)
