"""Links whose target does not exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.links import Addresses, Reference, Target
from tutorial_tool.links.snippets import may_include_files
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _doubts, _footnotes, _versions
from tutorial_tool.rules.navigation._broken_link.missing import (
    find_missing_includes,
    flag_missing,
    lacks_slash,
    names_file,
)
from tutorial_tool.rules.navigation._broken_link.navigation import find_in_navigation, find_unpublished
from tutorial_tool.rules.navigation._broken_link.typos import find_pasted_headings, find_typo
from tutorial_tool.rules.navigation._broken_link.undefined import find_footnotes, find_undefined
from tutorial_tool.site import Page, Site
from tutorial_tool.site.fact_index import collect_facts

_FOR_PROGRAM = lazy_re.compile(r"\([ \t]*\)\{[ \t]*[:#.]")
"""No URL, but attributes: an anchor for other pages, or a button that a program of the site handles."""


@rule("navigation", Severity.ERROR, yields_to=("foreign-link", "base-path-drift", "unsafe-url"))
def check(site: Site) -> Iterator[Finding]:
    return _versions.merge_versions(_find_broken_links(site))


def _find_broken_links(site: Site) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    for page in site.pages:
        yield from _check_links(addresses, page)
    yield from _doubts.find_hints(addresses, "page")
    yield from find_pasted_headings(addresses)
    for page in collect_facts(site, may_include_files):
        yield from find_missing_includes(addresses, page)
    for page, notes in collect_facts(site, _footnotes.find_footnotes).items():
        yield from find_footnotes(addresses, page, notes)
    yield from find_undefined(addresses)
    yield from find_in_navigation(addresses, site)
    yield from find_unpublished(addresses, site)


def _check_links(addresses: Addresses, page: Page) -> Iterator[Finding]:
    for reference, target in addresses.get_links(page):
        is_doubtful = target.kind == "missing" and (
            may_be_elsewhere(addresses, page, reference) or addresses.doubts.get_doubt("page", page, reference)
        )
        if not reference.is_image and not is_doubtful:
            yield from _report_link(addresses, page, reference, target)


def _report_link(addresses: Addresses, page: Page, reference: Reference, target: Target) -> Iterator[Finding]:
    if not reference.href.strip():
        yield from _report_empty(addresses, page, reference)
    elif finding := find_typo(page, reference, target):
        yield replace(finding, severity=Severity.WARNING) if addresses.get_tree(page).alters_pages else finding
    elif target.kind == "missing":
        yield from _report_missing(addresses, page, reference)


def _report_missing(addresses: Addresses, page: Page, reference: Reference) -> Iterator[Finding]:
    names = names_file(reference.href)
    is_sure = names or _is_known(addresses, page, reference.href) or lacks_slash(addresses, page, reference)
    if not addresses.doubts.may_be_elsewhere(page, reference, is_sure=is_sure):
        why = _doubts.describe_evidence(addresses, "page", page, reference)
        result = replace(flag_missing(addresses, page, reference), why=why)
        may_work = not names and addresses.doubts.differs_in_case(page, reference)
        yield result if is_sure and not may_work else replace(result, severity=Severity.WARNING)


def _report_empty(addresses: Addresses, page: Page, reference: Reference) -> Iterator[Finding]:
    place = reference.place
    is_element = _FOR_PROGRAM.match(page.document.text, place.start - 1)
    if reference.kind == "inline" and not is_element and not addresses.is_draft(page, reference):
        yield page.flag((place.start - 1, place.end + 1), "the link has no URL")  # including the parentheses


def _is_known(addresses: Addresses, page: Page, href: str) -> bool:
    """Return whether a page's generator is known, and what the path of a link is relative to.

    Front matter, of this or several pages, shows that there is a generator, but what a path without a suffix means to
    it is unknown.
    """
    tree, path = addresses.get_tree(page), href.partition("#")[0]
    is_published = page.document.front_matter or addresses.have_front_matter(tree)
    if not tree.recognized and is_published and "." not in path.rpartition("/")[2]:
        return False
    return addresses.is_known(tree) and not (path.startswith("/") and tree.generator.hides_base)


# Links whose target is not here, but may well be elsewhere.


_SOURCE = lazy_re.compile(r"/|^www\.|@|\.(?:md|rst|txt|ipynb)(?:#|$)")


def may_be_elsewhere(addresses: Addresses, page: Page, reference: Reference) -> bool:
    """Return whether a URL may be valid elsewhere: for example, relative to the pages that include this one."""
    href = reference.href
    if addresses.anchors.is_snippet(page):
        return True
    if page.dialect is Dialect.MYST and reference.kind not in ("toctree", "doc"):
        return _may_be_built_by_sphinx(addresses, page, href)
    return not reference.is_path and (href in ("url", "URL", "link") or addresses.resolves_elsewhere(page, href))


def _may_be_built_by_sphinx(addresses: Addresses, page: Page, href: str) -> bool:
    """Return whether Sphinx may know a URL without a source: a label, something documented in code, or its output."""
    is_slip = "." not in href and addresses.get_tree(page).generator.has_labels  # a document in the same folder
    return href.endswith(".html") or not (is_slip or _SOURCE.search(href))
