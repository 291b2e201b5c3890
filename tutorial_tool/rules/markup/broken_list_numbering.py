"""An ordered list that starts again at 1 in the published page, because what belongs to an item is not indented."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.core.source import TAB
from tutorial_tool.links.generators import mkdocs
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules.markup._lists import numbers
from tutorial_tool.rules.markup._lists.items import Item as ListItem
from tutorial_tool.rules.markup._lists.items import PageLists, PublishedItem, count_code_blocks
from tutorial_tool.rules.markup._lists.plain import has_only_plain_lists
from tutorial_tool.rules.markup._lists.published import LISTS, Element
from tutorial_tool.rules.markup._unparsed import extensions
from tutorial_tool.site import Page, PageFix, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts

SEVERITIES = {Dialect.PYTHON_MARKDOWN: None, Dialect.GFM: Severity.HINT}
"""GFM is also assumed for pages whose engine is unknown."""
_LATER = lazy_re.compile(r"^[ \t>]*(?:[-*+] +)*(?:[2-9]|\d\d+)\.[ \t]|^[ ]{0,3}1\.[ \t].*\n\n {2,3}\S", re.MULTILINE)
"""A later item, or a first one with text that CommonMark puts into it."""
_NOUNS = {
    "code": "code block", "table": "table", "box": "block", "quote": "quotation",
    "h": "heading", "hr": "rule", "p": "paragraph",
}  # fmt: skip
_BOX = lazy_re.compile(r"[ \t]*(?:===|!!!|\?\?\?)[+-]?[ \t]")
_ADD_FENCES = ", and add `pymdownx.superfences` to `markdown_extensions`"
_FENCES = ("```", "~~~")
_ENDS = ("h", "hr")  # What cannot be part of an item


class _Item(NamedTuple):
    """A numbered item: its number as typed and as rendered (None: as a bullet)."""

    element: Element
    typed: int
    published: int | None
    listing: Element


class _Restart(NamedTuple):
    """An item rendered with a wrong number, the one before it in the author's count, and what is between."""

    item: _Item
    before: _Item | None
    between: list[Element]


@rule("markup", Severity.ERROR)
def check(site: Site) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    for page, findings in collect_facts(site, _check_page).items():
        tree = addresses.get_tree(page)
        enabled = extensions.find_enabled_extensions(tree) if findings else None
        has_fences = enabled is None or not enabled.isdisjoint(extensions.READERS["``"])
        for finding in () if mkdocs.has_other_lists(tree) else findings:
            is_read = has_fences or not any(related.span.text.startswith(_FENCES) for related in finding.related)
            result = finding if is_read else replace(finding, message=finding.message + _ADD_FENCES, fix=None)
            is_guessed = not tree.recognized and finding.severity is Severity.OFF  # extensions may read it otherwise
            yield replace(result, severity=Severity.WARNING) if is_guessed else result


@page_facts.register
def _check_page(page: Page) -> list[Finding]:
    text, body = page.plain, page.document.body_start
    if not _LATER.search(text, body) or has_only_plain_lists(text, body):
        return []
    findings = list(_report_restarted(page) if page.publishing_dialect in SEVERITIES else ())
    findings += _report_resumed(page) if page.publishing_dialect is Dialect.KRAMDOWN else ()
    findings = [finding for finding in findings if finding.span.start not in page.conditional_items]
    reported = [*(finding.span.start for finding in findings), *page.conditional_items]
    for item in _find_miscounted(page):
        if not any(item.listing.start <= start < item.listing.end for start in reported):
            findings.append(page.flag(item.place, _describe_miscount(item), severity=Severity.HINT))
    return findings


def _find_miscounted(page: Page) -> Iterator[numbers.MiscountedItem]:
    """Find items that CommonMark numbers differently, and so does Python-Markdown on its pages."""
    miscounteds = list(numbers.find_miscounted_items(page.document))
    if not miscounteds or page.publishing_dialect is not Dialect.PYTHON_MARKDOWN:
        yield from miscounteds
        return
    reading = PageLists(page)
    for item in miscounteds:
        shown = reading.published_items.get(page.plain.count("\n", 0, item.place.start))
        if shown is None or shown.number != item.number:
            yield item


def _describe_miscount(item: numbers.MiscountedItem) -> str:
    if item.published is None:
        return f"list starts at {item.number}, and no item {item.number - 1} comes before it"
    return f"list item rendered as {item.published}, not as {item.number}: Markdown counts from the list's first number"


def _report_resumed(page: Page) -> Iterator[Finding]:
    """Report lists that kramdown starts at 1, since it supports no other first number."""
    document = page.document
    for item in numbers.find_resumed_items(document) if "start=" not in page.plain else ():
        above = page.plain[: item.between.start].split("\n")[-2:][0]
        is_include = item.between.kind == "macro" and "include" in page.plain[item.between.start : item.between.end]
        if is_include or (above.strip() and item.between.kind != "html"):
            continue  # an include may have items; without a blank line above, it is part of the item
        noun = numbers.describe_block(document, item.between)
        under = f"is not indented under item {item.number - 1}"
        why = f"the {noun} before it {'ends the list' if item.between.kind in ('heading', 'rule') else under}"
        yield page.flag(item.place, f"kramdown publishes this item as 1, not as {item.number}: {why}")


def _report_restarted(page: Page) -> Iterator[Finding]:
    """Report lists that Python-Markdown renumbers; all of them if it is known to render the page."""
    reading = PageLists(page)
    by_parent = ((parent, _find_broken_lists(parent, reading.lines)) for parent in reading.root.walk())
    broken = [(restarts, parent) for parent, lists in by_parent for restarts in lists]
    is_known = SEVERITIES[page.publishing_dialect] is None
    if not is_known:  # only lists that end in CommonMark, too: others are rendered as written
        resumed = {page.plain.count("\n", 0, item.place.start) for item in numbers.find_resumed_items(page.document)}
        broken = [(restarts, parent) for restarts, parent in broken if restarts[0].item.element.first in resumed]
    findings = [
        _build_finding(page, reading, restarts, in_quote=parent.tag == "quote")
        for restarts, parent in broken
        if not _is_uncertain(reading, restarts[0].item.element.first, restarts[0].between)
    ]
    if is_known or len(findings) < 2:
        yield from findings
    else:  # a habit of the page, which may be correct where it is published
        others = [Related(finding.span, "also here") for finding in findings[1:]]
        yield replace(findings[0], related=(*findings[0].related, *others))
    if is_known:
        reported = {restart.item.element.first for restarts, _ in broken for restart in restarts}
        yield from _report_misnumbered(page, reading, reported)


# What is broken


def _is_uncertain(reading: PageLists, line: int, between: Sequence[Element] = ()) -> bool:
    """Return whether it is uncertain how an item is rendered.

    Either no blank line is above it in a tab or admonition, where Python-Markdown has already extracted code blocks and
    inner admonitions; or an extension's `///` opens its list.
    """
    above = range(line - 1, -1, -1)
    first = next(
        (number for number in above if not re.match(r"[ \t]*(?:\d+\.[ \t]|[ \t]|$)", reading.lines[number])), 0
    )
    if reading.lines[first].startswith("///"):
        return True
    if between or not reading.lines[line - 1].strip():
        return False
    width = _measure_indent(reading.lines[line])
    for number in above:
        if reading.lines[number].strip() and _measure_indent(reading.lines[number]) < width:
            width = _measure_indent(reading.lines[number])
            if _BOX.match(reading.lines[number]):
                return True
    return False


def _find_broken_lists(parent: Element, lines: Sequence[str]) -> Iterator[list[_Restart]]:
    """Yield, for each broken list among an element's children, the items where it restarts."""
    restarts: list[_Restart] = []
    before: _Item | None = None
    for item in _count_items(parent, lines):
        extends = before is not None and item.typed == before.typed + 1
        if before is None or item.listing is not before.listing:
            if restarts and not extends:
                yield restarts
                restarts = []
            if item.published != item.typed and (extends or _is_wrong_start(parent, item)):
                between = _get_elements_between(parent, before.listing, item.listing) if before and extends else []
                restarts.append(_Restart(item, before if extends else None, between))
        before = item
    if restarts:
        yield restarts


def _count_items(parent: Element, lines: Sequence[str]) -> Iterator[_Item]:
    """Yield the numbered items; those of a list that is typed 1, 1, 1 with the numbers that Markdown gives them.

    Such a list goes on over text that is indented by two or three spaces, as in CommonMark.
    """
    before: _Item | None = None
    is_counted = False
    for item in _iter_numbered_items(parent):
        is_counted = item.typed == 1 and before is not None and (is_counted or before.typed == 1)
        if is_counted and before and item.listing is not before.listing:
            between = _get_elements_between(parent, before.listing, item.listing)
            is_counted = bool(between) and all(
                _measure_indent(lines[element.first]) in (TAB - 2, TAB - 1) for element in between
            )
        before = item._replace(typed=before.typed + 1) if is_counted and before else item
        yield before


def _is_wrong_start(parent: Element, item: _Item) -> bool:
    """Return whether a list begins with an impossible number. A file that begins so is a part of another."""
    begins_page = parent.first == 0 and parent.children[0] is item.listing
    return item.typed > 1 and item.published == 1 and not begins_page


def _iter_numbered_items(parent: Element) -> Iterator[_Item]:
    for listing in parent.children:
        if listing.tag in LISTS:
            for index, element in enumerate(listing.children, 1):
                if element.typed is not None:
                    yield _Item(element, element.typed, index if listing.tag == "ol" else None, listing)


def _get_elements_between(parent: Element, first: Element, second: Element) -> list[Element]:
    low, high = (next(i for i, child in enumerate(parent.children) if child is element) for element in (first, second))
    return parent.children[low + 1 : high]


# What to say


def _report_misnumbered(page: Page, reading: PageLists, reported: set[int]) -> Iterator[Finding]:
    """Report continued lists renumbered by nesting; `reported` are lines of items that have a finding."""
    for items in reading.lists:
        item = None if reported.intersection(entry.first for entry in items) else reading.find_misnumbered(items)
        if item and not _is_uncertain(reading, item.first):
            result = reading.published_items.get(item.first)
            shown = "text" if result is None else _format_number(result.number)
            message = (
                f"{_format_message_start(page)} as {shown}, not as {item.block.number}: {_explain_item(item, result)}"
            )
            place = reading.find_marker(item.first)
            fix = _adjust_safety(page, reading.build_fix(items))
            yield page.flag(place, message, fix=fix, severity=SEVERITIES[page.publishing_dialect])


def _build_finding(page: Page, reading: PageLists, restarts: list[_Restart], *, in_quote: bool) -> Finding:
    first = restarts[0]
    related = []
    for restart in restarts:
        if restart is not first:
            message = f"published as {_format_number(restart.item.published)}, not as {restart.item.typed}"
            related.append((page, reading.find_marker(restart.item.element.first), message))
        related += [
            (page, reading.get_span(element.first, element.last), "this ends the list") for element in restart.between
        ]
    related.sort(key=lambda place: place[1])
    shown = _format_number(first.item.published)
    why = _explain_restart(reading, first)
    return page.flag(
        reading.find_marker(first.item.element.first),
        f"{_format_message_start(page)} as {shown}, not as {first.item.typed}: {why}",
        related=related,
        fix=None if in_quote else _adjust_safety(page, _build_fix(reading, restarts)),
        severity=SEVERITIES[page.publishing_dialect],
    )


def _format_message_start(page: Page) -> str:
    """Return the start of a message: a fact if the engine is known, and conditional if it is not."""
    return (
        "Python-Markdown would render this list item" if SEVERITIES[page.publishing_dialect] else "list item rendered"
    )


def _adjust_safety(page: Page, fix: PageFix | None) -> PageFix | None:
    """Mark a fix as unsafe if the engine is unknown: another one may render the list as typed."""
    return fix._replace(safe=False) if fix and SEVERITIES[page.publishing_dialect] else fix


def _explain_item(item: ListItem, result: PublishedItem | None) -> str:
    if result is None or result.depth > item.depth:
        return "add a blank line before it"
    if result.depth < item.depth:
        return "indent it by four spaces, below the item that it belongs to"
    if result.number is None and item.block.number == "1":
        return "only text separates it from the list before it"
    return "indent what is nested above it by four spaces"


def _format_number(published: int | None) -> str:
    return "a bullet" if published is None else str(published)


def _explain_restart(reading: PageLists, restart: _Restart) -> str:
    if restart.before is None or not restart.between:
        return "a new list starts at 1"
    if ends := next((element for element in restart.between if element.tag in _ENDS), None):
        return f"the {_NOUNS[ends.tag]} before it ends the list"
    return (
        f"indent the {_describe_element(reading, restart.between[0])} after item {restart.before.typed} by four spaces"
    )


def _describe_element(reading: PageLists, element: Element) -> str:
    text = reading.lines[element.first].strip()
    if element.tag == "p" and text.startswith(_FENCES):
        return "code block"
    if element.tag == "p" and (text.startswith("![") or text.lower().startswith("<img")):
        return "image"
    if element.tag == "p" and text.startswith("<!--"):
        return "comment"
    if element.tag == "p" and (tag := re.match(r"</?([A-Za-z][\w-]*)", text)):
        return f"`<{tag[1]}>`"
    return _NOUNS.get(element.tag, "text")


# How to fix it


def _build_fix(reading: PageLists, restarts: list[_Restart]) -> PageFix | None:
    """Build a fix that indents the blocks between items into the item before; no number changes."""
    edits: dict[int, str] = {}
    for restart in restarts:
        if restart.before is None or any(element.tag in _ENDS for element in restart.between):
            return None
        edits.update(_compute_indents(reading, restart))
    if not edits or not _is_fixed_by(reading, restarts, edits):
        return None
    return PageFix("indent what belongs to the items", reading.build_edits(edits))


def _compute_indents(reading: PageLists, restart: _Restart) -> Iterator[tuple[int, str]]:
    """Yield the spaces to insert before lines between two items, by line number."""
    assert restart.before is not None
    low, high = restart.before.element.first + 1, restart.item.element.first
    first = min((element.first for element in restart.between), default=high)
    least = _measure_indent(reading.lines[high]) // TAB * TAB + TAB
    head = shift = 0
    inside, begun = -1, False
    for number in range(low, high):
        text = reading.lines[number]
        begun = begun or not text.strip() or number >= first or re.match(r" {1,3}(?:\d+\.|[*+-]) ", text) is not None
        if not begun or not text.strip():
            continue
        width = _measure_indent(text)
        if number > inside:
            if width < least and not (shift and width > head):
                head, shift = width, least - width
            inside = reading.verbatim_lines.get(number, number)
        if shift:
            yield number, " " * shift


def _measure_indent(line: str) -> int:
    expanded = line.expandtabs(TAB)
    return len(expanded) - len(expanded.lstrip(" "))


def _is_fixed_by(reading: PageLists, restarts: list[_Restart], edits: dict[int, str]) -> bool:
    """Return whether edits fix the rendered numbers without turning text into code."""
    after, begin = reading.parse_edited(edits)
    before, _ = reading.parse_edited(dict.fromkeys(edits, ""))
    matches = {
        item.element.first + begin: item.published for element in after.walk() for item in _iter_numbered_items(element)
    }
    mended = all(matches.get(restart.item.element.first) == restart.item.typed for restart in restarts)
    return mended and count_code_blocks(after) <= count_code_blocks(before)
