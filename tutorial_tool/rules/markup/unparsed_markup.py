"""Markup that the renderer of the page does not parse, so that it is shown literally or stops the build."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeVar

from tutorial_tool import links
from tutorial_tool.config.plugin_options import EXTENSIONS
from tutorial_tool.core import merge_markers
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.merge_markers import MergeMarker
from tutorial_tool.links import Tree
from tutorial_tool.links.generator_files import OF_DOXYGEN
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import PLACES
from tutorial_tool.rules.markup._unparsed import (
    admonitions,
    directives,
    extensions,
    inline_marks,
    liquid,
    mdx,
    raw_blocks,
    shortcodes,
)
from tutorial_tool.site import Page, PageFix, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts


# Merge conflict markers in the text of a page, for `unparsed-markup`.
@page_facts.register
def find_conflict_marks(page: Page) -> tuple[MergeMarker, ...]:
    """Find the merge conflict markers of a page outside code, where they may be examples."""
    text = page.plain
    marks = list(merge_markers.find_markers(text))
    if not marks:
        return ()
    front = page.document.front_matter
    body = front.body if front else 0  # reported with other front matter errors
    shown = [
        (block.start, block.end)
        for block, _ in page.document.walk()
        if block.kind in ("code", "esm") or (block.kind == "html" and text.startswith("<pre", block.start))
    ]
    return tuple(
        mark for mark in marks if mark.start >= body and not any(start <= mark.start < end for start, end in shown)
    )


Made = TypeVar("Made")

_FEW, _FEW_IN = 3, 50  # Maximum pages with a construct that MDX rejects: this many, or one in so many
_READ_IN_HTML = {"md_in_html", "extra", "pymdownx.extra"}
_TURN_ON = ", and add `md_in_html` to `markdown_extensions`"


@rule("markup", Severity.WARNING, yields_to=("malformed-table", "broken-link"))
def check(site: Site) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    for page, marks in collect_facts(site, find_conflict_marks).items():
        yield from (page.flag((mark.start, mark.end), mark.message, severity=Severity.ERROR) for mark in marks)
    yield from _report_comments(site)
    yield from _report_literal_markers(site, addresses)
    for tree in addresses.pages.trees:
        pages = _TreePages(site, addresses, tree)
        if tree.generator.has_extensions:
            if (names := extensions.find_enabled_extensions(tree)) is not None:
                names |= frozenset(EXTENSIONS if site.is_project else ())  # without the plugin, `render` adds them
                yield from _report_raw_blocks(pages, names)
            continue
        for page, place, why in shortcodes.find_problems(addresses, pages.collect_facts(shortcodes.find_uses)):
            yield page.flag(place, f"Hugo rejects the page: {why}", severity=Severity.ERROR)
        for page, place, why in liquid.find_problems(pages.all) if tree.generator.fills_liquid else ():
            yield page.flag(place, f"Jekyll rejects the page: {why}", severity=Severity.ERROR)
        for page, lines in (
            pages.collect_facts(directives.find_container_lines).items() if tree.generator.containers else ()
        ):
            yield from _report_containers(tree, page, lines)
        if not tree.old_mdx:
            yield from _report_mdx_faults(pages)
            yield from _report_attribute_lists(tree, pages)


class _TreePages:
    """The pages of a tree."""

    def __init__(self, site: Site, of: links.Addresses, tree: Tree) -> None:
        self.site, self._of, self._tree = site, of, tree

    def collect_facts(self, make: Callable[[Page], Made]) -> dict[Page, Made]:
        """Return the pages for which `make` returns something, with the result."""
        matches = collect_facts(self.site, make)
        return {page: made for page, made in matches.items() if self._of.get_tree(page) is self._tree}

    @cached_property
    def all(self) -> list[Page]:
        return [page for page in self.site.pages if self._of.get_tree(page) is self._tree]


@page_facts.register
def _find_open_comment(page: Page) -> Range | None:
    """Find the unclosed comment that hides the rest of a page."""
    at = page.plain.rfind("<!--")
    if at < 0 or "-->" in page.plain[at:]:
        return None
    html = (block for block, _ in page.document.walk() if block.kind == "html")
    return next((Range(at, at + 4) for block in html if block.start <= at < block.end), None)


def _report_comments(site: Site) -> Iterator[Finding]:
    for page, place in collect_facts(site, _find_open_comment).items():
        assert place is not None
        python = page.dialect is Dialect.PYTHON_MARKDOWN
        what = "it is rendered literally" if python else "the rest of the page is not shown"
        yield page.flag(place, f"unclosed comment: {what}")


def _report_literal_markers(site: Site, of: links.Addresses) -> Iterator[Finding]:
    for page, literal in collect_facts(site, inline_marks.find_literal_markers).items():
        for place, message, title, edits, goes_on in literal:
            if goes_on and of.evidence.marks.has(of.pages.get_file(page), OF_DOXYGEN):
                continue  # Doxygen supports URLs that continue on a second line
            yield page.flag(place, message, fix=PageFix(title, edits) if edits else None)
    for page, in_page in collect_facts(site, admonitions.find_broken_admonitions).items():
        yield from (page.flag(box.place, box.message) for box in in_page)


def _report_raw_blocks(pages: _TreePages, names: frozenset[str]) -> Iterator[Finding]:
    """Report Markdown in HTML, once per page."""
    for page, raws in pages.collect_facts(raw_blocks.find_raw_blocks).items():
        if closed := [raw for raw in raws if raw.is_closed]:
            first, *others = closed
            lacking = "" if names & _READ_IN_HTML else _TURN_ON
            more = f" (and in {len(others)} more)" if others else ""
            asking = _describe_remedy(page.plain[slice(*first.tag)], first.open_elements)
            related = [(page, first.marker, "as here"), *((page, raw.tag, "also in this") for raw in others[:PLACES])]
            message = f"Markdown in HTML is rendered literally{more}; {asking}{lacking}"
            yield page.flag(first.tag, message, related=related)
        for item in raws:
            if not item.is_closed:
                message = f"unclosed `{page.plain[slice(*item.tag)]}`: what follows is rendered literally"
                yield page.flag(item.tag, message, related=[(page, item.marker, "as here")])


def _describe_remedy(tag: str, around: tuple[str, ...]) -> str:
    """Describe how to enable Markdown in elements: each one around the Markdown needs the attribute."""
    if len(around) > 1:
        return f"write `markdown` into the tags around it: {', '.join(f'`<{name}>`' for name in around)}"
    return f"write `{tag[:-1].rstrip(' /')} markdown>`"


def _report_mdx_faults(pages: _TreePages) -> Iterator[Finding]:
    """Report what stops the build. If many pages would, their compiler accepts more than MDX does."""
    refused = pages.collect_facts(mdx.find_faults)
    if len(refused) <= _FEW or len(refused) <= len(pages.all) // _FEW_IN:
        for page, faults in refused.items():
            yield from (page.flag(fault.place, fault.message, severity=Severity.ERROR) for fault in faults)


def _report_attribute_lists(tree: Tree, pages: _TreePages) -> Iterator[Finding]:
    """Report attribute lists once per page, since a whole site is written for another generator."""
    is_rejected = tree.generator.rejects_attribute_lists
    for page, attribute_lists in pages.collect_facts(mdx.find_attribute_lists).items():
        if is_rejected or page.path.endswith(".mdx"):
            (place, meant), *others = attribute_lists
            written = page.plain[slice(*place)]
            instead = f"write `{meant}`" if meant and is_rejected else "delete it"
            more = f"{len(others)} more" if len(others) > 1 else "1 more"
            too = f", with {more} on this page" if others else ""
            edits = tuple(
                (*attribute_list.place, attribute_list.replacement)
                for attribute_list in attribute_lists
                if attribute_list.replacement and is_rejected
            )
            fix = PageFix("write the ids as Docusaurus reads them", edits) if edits else None
            what = f"MDX parses `{written}` as an expression and rejects the page{too}; {instead}"
            related = [(page, other.place, "also here") for other in others[:PLACES]]
            yield page.flag(place, what, related=related, fix=fix, severity=Severity.ERROR)


def _report_containers(tree: Tree, page: Page, lines: directives.ContainerLines) -> Iterator[Finding]:
    names = tree.generator.containers
    for line in lines.opening:
        intended = line.word.lower()
        if intended in names and line.word != intended and not tree.custom_markup:
            word = page.plain.index(line.word, line.place.start)
            message = f"unknown container `{line.word}`: names are in lowercase"
            yield page.flag((word, word + len(line.word)), message, replace=intended)
    if lines.unclosed:
        place = lines.unclosed.place
        yield page.flag(place, "unclosed container: it contains the rest of the page")
    if lines.overlapping:
        message = "unclosed container before the next one, so it ends where that does"
        yield page.flag(lines.overlapping.place, message)
    if lines.unmatched:
        yield page.flag(lines.unmatched.place, "unmatched end of a container, rendered literally")
