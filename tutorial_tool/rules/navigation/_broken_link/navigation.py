"""Missing pages in the navigation, and pages there that a configuration excludes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tutorial_tool.core.diagnostics import Finding, Severity, format_suggestion, suggest_name
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.links import Addresses, navigation_entries
from tutorial_tool.site import Site


def find_in_navigation(addresses: Addresses, site: Site) -> Iterator[Finding]:
    """Find missing targets in the navigation."""
    for entry in addresses.nav_entries:
        if entry.target.kind == "missing":
            near = addresses.suggestions.format_hint(entry.tree, entry.path)
            yield Finding("", Severity.OFF, f"navigation entry `{entry.path}` is not a page{near}", entry.span)
    for lost in addresses.missing_nav_entries:
        message = f"navigation entry `{lost.name}` is not a {lost.expected}{suggest_name(lost.suggestion)}"
        yield Finding("", Severity.OFF, message, lost.span)
    known = site.model.tutorials
    tutorials = map(navigation_entries.iter_tutorials, addresses.pages.trees if known else ())
    for id_, span in chain.from_iterable(tutorials):
        if id_ not in known:
            near = format_suggestion(id_, known)
            message = f"navigation entry names tutorial `{id_}`, which is not in the data{near}"
            yield Finding("", Severity.OFF, message, span)


def find_unpublished(addresses: Addresses, site: Site) -> Iterator[Finding]:
    """Find unpublished tutorial pages that the navigation and the platforms' links point to."""
    excludes = any(any(navigation_entries.iter_exclusions(tree)) for tree in addresses.pages.trees)
    placed = [page for page in site.pages if page.place] if excludes else []
    excluded = group_pairs((pattern, page) for page in placed if (pattern := addresses.find_exclusion(page)))
    for pattern, pages in excluded.items():
        many = "a page" if len(pages) == 1 else f"{len(pages)} pages"
        message = (
            f"`{pattern.text}` excludes {many} of tutorials that the navigation and other platforms link to; "
            "to leave them out, use `only` or `platforms` in the data"
        )
        yield Finding("", Severity.OFF, message, pattern)
