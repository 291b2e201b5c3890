"""A tabset that lacks a platform, or spells it otherwise, than the same tabs on this page and on others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from tutorial_tool.core.diagnostics import Finding, Severity, format_more
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import FACTOR
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts
from tutorial_tool.variants.tabsets import find_lone_tabs, find_tabsets

_TREE_FACTOR = 10  # How many times more frequent the full set must be in the tree if the page is no evidence

Sets = Mapping[frozenset[str], int]  # How often each set of labels occurs


class Labels(NamedTuple):
    """The platform labels of a tabset, in order, with their spans."""

    names: tuple[str, ...]
    places: tuple[Range, ...]

    @property
    def key(self) -> frozenset[str]:
        """The labels as a case-insensitive set."""
        return frozenset(map(str.casefold, self.names))


@rule("drift", Severity.WARNING)
def check(site: Site) -> Iterator[Finding]:
    labels_by_page = collect_facts(site, _find_labels)
    label_sets = list(chain.from_iterable(labels_by_page.values()))
    sets = Counter(labels.key for labels in label_sets)
    spellings = Counter(name for labels in label_sets for name in labels.names)
    are_tabs = sets.total() >= _TREE_FACTOR * sum(count for key, count in sets.items() if len(key) == 1)
    for page, matches in labels_by_page.items():
        yield from _report_missing(page, matches, sets, spellings, are_tabs=are_tabs)
        for labels in matches:
            if len(labels.names) > 1:  # a single one may not be a tab, and its label not visible
                yield from _report_misspelled(page, labels, spellings)


@page_facts.register
def _find_labels(page: Page) -> tuple[Labels, ...]:
    if page.generated:
        return ()
    rows = [tabset.tabs for tabset in find_tabsets(page) if tabset.has_platform_labels]
    rows += [(tab,) for tab in find_lone_tabs(page)]
    return tuple(
        Labels(tuple(", ".join(tab.names) for tab in tabs), tuple(tab.label_span for tab in tabs)) for tabs in rows
    )


def _report_missing(
    page: Page, label_sets: Sequence[Labels], sets: Sets, spellings: Mapping[str, int], *, are_tabs: bool
) -> Iterator[Finding]:
    """Report each tab that tabsets lack, compared with larger ones usual on the page or in the tree."""
    on_page = Counter(labels.key for labels in label_sets)
    pairs = ((labels, _find_majority(labels.key, sets, on_page, are_tabs=are_tabs)) for labels in label_sets)
    missing = group_pairs((full - labels.key, (labels, full)) for labels, full in pairs if full is not None)
    for (name,), places in missing.items():
        first, full = places[0]
        label = max((text for text in spellings if text.casefold() == name), key=lambda text: (spellings[text], text))
        count = on_page[full]
        where = f"{count} other sets on this page" if count > 1 else f"{sets[full]:,} other sets of these tabs"
        is_sure = count and len(places) == 1 < len(first.names) and sets[full] >= FACTOR * sets[first.key]
        again = [(page, labels.places[-1], f"no tab for `{label}` here") for labels, _ in places[1:]]
        severity = Severity.WARNING if is_sure else Severity.HINT
        message = f"no tab for `{label}`, which {where} have{format_more(places[1:])}"
        yield page.flag(first.places[-1], message, again=again, severity=severity)


def _find_majority(labels: frozenset[str], sets: Sets, on_page: Sets, *, are_tabs: bool) -> frozenset[str] | None:
    """Return the set with one more tab that is more frequent on the page, or else far more so in the tree.

    A single tab may be a note for one platform: then the larger set must also be far more frequent on the page, or
    hardly any tab in the tree be alone, as `are_tabs` says.
    """
    is_alone = len(labels) == 1
    larger = [key for key in sets if len(key) == len(labels) + 1 and labels < key]
    if not larger:
        return None
    usual_set = max(larger, key=lambda key: (on_page.get(key, 0), sets[key], sorted(key)))
    larger_count, smaller_count = on_page.get(usual_set, 0), on_page.get(labels, 0)
    in_tree = sets[usual_set] >= _TREE_FACTOR * sets[labels]
    if is_alone:
        on_both = larger_count >= FACTOR * smaller_count and sets[usual_set] >= FACTOR * sets[labels]
        is_usual = on_both or (are_tabs and in_tree)
    else:
        is_usual = larger_count > max(1, smaller_count) if larger_count else in_tree
    return usual_set if is_usual else None


def _report_misspelled(page: Page, labels: Labels, spellings: Mapping[str, int]) -> Iterator[Finding]:
    for name, place in zip(labels.names, labels.places, strict=True):
        others = [other for other in spellings if other.casefold() == name.casefold() and other != name]
        majority = max(others, key=lambda other: (spellings[other], other), default=name)
        if spellings[majority] >= FACTOR * spellings[name] and majority != name:
            message = f"inconsistent tab label: `{name}` here, `{majority}` in {spellings[majority]} other places"
            yield page.flag(place, message, severity=Severity.HINT if spellings[name] > 1 else Severity.WARNING)
