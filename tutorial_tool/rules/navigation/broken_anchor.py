"""Links to a section that the page does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tutorial_tool import links
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import is_within
from tutorial_tool.links import Addresses, Reference, Target, suggestions
from tutorial_tool.links.heading_ids import strip_marks
from tutorial_tool.links.typos import is_slip
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _doubts, _versions
from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page, PageFix, Site, page_facts


# For other rules: pages with an unclosed fence.
def is_swallowed(page: Page, findings: Findings) -> bool:
    """Return whether an unclosed fence turns the rest of a page into code: only the fence is reported."""
    return any(finding.rule == "unclosed-fence" for finding in findings.get_in_sources([page.source]))


_MARK = lazy_re.compile(r"<!--\s*([\w-]{1,60}?)[ :_-]{1,3}(?:(START|BEGIN)\b([^<>]{0,300})|END\b)", re.IGNORECASE)
_BY_COMMITS = lazy_re.compile(r"See \[Conventional Commits\]\(\S+\) for commit guidelines\.")  # By Lerna or Melos
_OF_A_PROGRAM = lazy_re.compile(r"\b(?:do not|don't)\s+(?:remove|modify|edit|change)\b", re.IGNORECASE)


@page_facts.register
def _find_generated_spans(page: Page) -> tuple[tuple[int, int], ...]:
    """Return the spans that a program generates and nobody should edit: between two markers, or a changelog."""
    out, begun = [], dict[str, int]()
    out += [(0, len(page.plain))] if _BY_COMMITS.search(page.plain, 0, 500) else []
    for mark in _MARK.finditer(page.document.text) if "<!--" in page.document.text else ():
        if mark[2] and _OF_A_PROGRAM.search(mark[3]):
            begun.setdefault(mark[1].lower(), mark.start())
        elif not mark[2] and (start := begun.pop(mark[1].lower(), None)) is not None:
            out.append((start, mark.end()))
    return tuple(out)


@rule("navigation", Severity.ERROR)
def check(site: Site, findings: Findings) -> Iterator[Finding]:
    return _versions.merge_versions(_find_broken_anchors(site, findings))


def _find_broken_anchors(site: Site, findings: Findings) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    for page in site.pages:
        for reference, target in addresses.get_links(page):
            to = _find_page_without_anchor(addresses, reference, target)
            if to is None or is_swallowed(to, findings) or _may_be_elsewhere(addresses, page, target):
                continue
            spans, start = page.get_cached(_find_generated_spans), reference.place.start
            if not is_within(start, spans) and not addresses.doubts.get_doubt("anchor", page, reference):
                why = _doubts.describe_evidence(addresses, "anchor", page, reference)
                yield replace(_build_finding(addresses, page, reference, to, target.fragment), why=why)

    yield from _doubts.find_hints(addresses, "anchor")


def _find_page_without_anchor(addresses: Addresses, reference: Reference, target: Target) -> Page | None:
    """Return the page that a link leads to, also by a full URL of the site, if it lacks the anchor."""
    if not target.fragment or reference.is_image:
        return None
    page = addresses.anchors.get_target_page(target)
    return page if page and addresses.has_anchor(page, target.fragment) is False else None


def _may_be_elsewhere(addresses: Addresses, page: Page, target: Target) -> bool:
    """Return whether an anchor of a page itself may be on one that includes it, or into which a script copies it."""
    if target.kind != "self" or is_slip(target.fragment, addresses.get_anchors(page)):
        return False
    return addresses.anchors.is_snippet(page) or addresses.anchors.is_joined(page)  # the last reads all pages


def _get_anchor_span(page: Page, reference: Reference) -> tuple[int, int]:
    """Return the span of the anchor as typed, which may differ from its decoded form."""
    text = page.document.text
    if reference.fragment:
        start = text.index("#", reference.place.end)
        return start, start + 1 + len(reference.fragment)
    return max(text.find("#", *reference.place), reference.place.start), reference.place.end


def _build_finding(addresses: Addresses, page: Page, reference: Reference, to: Page, fragment: str) -> Finding:
    place = _get_anchor_span(page, reference)
    where = "this page" if to is page else f"step `{to.step}`" if to.step else f"`{to.path}`"
    anchor = suggestions.suggest_anchor(fragment, sorted(addresses.get_anchors(to)))
    doubt = None if addresses.is_known(addresses.get_tree(to)) else Severity.WARNING
    if anchor is None:
        doubt = Severity.HINT if addresses.get_tree(to).alters_pages else doubt
        return page.flag(place, f"{where} has no anchor `#{fragment}`", severity=doubt)
    is_sure = anchor.is_certain and strip_marks(anchor.address) != strip_marks(fragment)  # some engines drop diacritics
    is_safe = is_sure and addresses.is_proven(page, "anchor", reference)
    fix = PageFix(f"link to `#{anchor.address}`", ((*place, f"#{anchor.address}"),), is_safe)
    message = f"{where} has no anchor `#{fragment}`; did you mean `#{anchor.address}`?"
    if anchor.address.casefold() == fragment.casefold():
        message = f"`#{fragment}` is written `#{anchor.address}` on {where}: anchors are case-sensitive"
    return page.flag(place, message, fix=fix, severity=doubt)
