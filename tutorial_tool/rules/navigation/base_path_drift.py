"""URLs under another base than on the page's copies: `/tutorials/` here, `/quickstart/` there."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool import links, variants
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared._copies import Verdict, decide_outliers, format_variant_names
from tutorial_tool.variants import Step
from tutorial_tool.variation import OWN
from tutorial_tool.variation.model.intentions import is_intended
from tutorial_tool.variation.paths import get_path_words


class _Address(NamedTuple):
    """A URL that contains its variant's name: with the name masked, and its span."""

    masked: str
    place: Range
    is_base: bool  # Whether it is below the page's base


@rule("navigation", Severity.WARNING, yields_to=("foreign-link", "foreign-image"))
def check(step: Step) -> Iterator[Finding]:
    urls = group_pairs((key, (name, address)) for name in step.pages for key, address in _find_urls(step, name).items())
    outliers = group_pairs(item for here in urls.values() for item in _find_outliers(step, dict(here)))
    for (name, left, expected), places in outliers.items():
        yield _build_finding(step, name, left, expected, places)


def _find_outliers(step: Step, here: dict[str, _Address]) -> Iterator[tuple[tuple[str, str, str], _Address]]:
    """Find variants whose URL has another base than the others', with both bases, and that URL."""
    shapes = {name: address.masked for name, address in here.items()}
    if "" in shapes.values() or len(set(shapes.values())) == 1:
        return
    verdict = _decide_outliers(step, shapes, here)
    usual = Counter(shapes[name] for name in verdict.majority).most_common(1)[0][0]
    for name in verdict.outliers:
        differs = _find_difference(shapes[name], usual)
        if differs and _is_worth_reporting(step, name, here[name], verdict):
            yield (name, *differs), here[name]


def _decide_outliers(step: Step, shapes: Mapping[str, str], here: Mapping[str, _Address]) -> Verdict:
    """Decide which variants are the outliers: in a tie, those whose URL is not below the base of their pages."""
    verdict = decide_outliers(step, shapes, {name: address.place for name, address in here.items()})
    if verdict.tie and any(here[name].is_base for name in verdict.outliers):
        return Verdict(verdict.majority, verdict.outliers, tie=True)
    return verdict


def _is_worth_reporting(step: Step, name: str, address: _Address, verdict: Verdict) -> bool:
    """Return whether a URL without a page is worth a finding: a whole platform under another base is reported once."""
    if is_intended(step, step.pages[name], address.place):
        return False
    if not address.is_base:
        return not variants.query_site(step, _has_page_at, name, address.place)
    return variants.query_site(step, _is_first_step, name) and len(verdict.majority) > 1 and not verdict.tie


def _has_page_at(step: Step, name: str, place: Range) -> bool:
    page = step.pages[name]
    resolve = links.get_addresses(step.site).resolve_link
    return any(resolve(page, link).page is not None for link in page.document.links if link.place == place)


def _is_first_step(step: Step, name: str) -> bool:
    """Return whether no earlier step has the variant and two others."""
    first = next(
        (other for other in variants.find_steps(step.site) if name in other.pages and len(other.pages) > 2), None
    )
    return first is None or first.first_page is step.first_page


def _find_urls(step: Step, name: str) -> dict[str, _Address]:
    """Return the URLs that contain the page's variant, by last part, or by link text if that is the name.

    If different URLs share a last part, their masked URL is "": it is unknown which of a copy's URLs corresponds.
    """
    words, page = get_path_words(step)[name], step.pages[name]
    own = f"/{words.mask_words(page.path)}"
    out: dict[str, _Address] = {}
    hrefs = [(link.href, link.place, f"“{link.text.strip().lower()}”") for link in page.document.links if link.place]
    srcs = [(image.src, image.place, image.src) for image in page.document.images if image.place]
    for href, place, text in (*hrefs, *srcs):
        masked = words.mask_words(href.split("#")[0]).rstrip("/")
        if OWN in masked and masked.startswith("/"):
            last = posixpath.basename(masked)
            before = masked.partition(OWN)[0]
            key = text if last == OWN else last
            address = out.setdefault(key, _Address(masked, place, f"{before}{OWN}" in own))
            if address.masked != masked:
                out[key] = address._replace(masked="")
    return out


def _find_difference(left: str, right: str) -> tuple[str, str] | None:
    """Return the only folder in which two URLs differ, from each.

    None if they differ in several parts, in the last one, or in the variant's name.
    """
    a, b = left.split("/"), right.split("/")
    places = [i for i in range(min(len(a), len(b))) if a[i] != b[i]]
    if len(a) != len(b) or len(places) != 1 or OWN in a[places[0]] or OWN in b[places[0]] or places[0] == len(a) - 1:
        return None
    (at,) = places
    return a[at], b[at]


def _build_finding(step: Step, name: str, left: str, right: str, addresses: list[_Address]) -> Finding:
    page, first = step.pages[name], addresses[0]
    there = [
        (other, address)
        for other in step.pages
        if other != name
        for address in _find_urls(step, other).values()
        if f"/{right}/" in address.masked
    ]
    names = {other for other, _ in there}
    links_use = f"{len(addresses)} links use" if len(addresses) > 1 else "this link uses"
    others_use = f"{format_variant_names(step, names)} {'use' if len(names) > 1 else 'uses'}"
    at = page.text.find(left, *first.place)
    place = (at, at + len(left)) if at >= 0 else first.place
    again = [(page, more.place, "this one, too") for more in addresses[1:]]
    other, address = there[0]
    related = [(step.pages[other], address.place, f"`{right}` on {step.variants[other].name}")]
    return page.flag(place, f"{links_use} `/{left}/`; {others_use} `/{right}/`", related=related, again=again)
