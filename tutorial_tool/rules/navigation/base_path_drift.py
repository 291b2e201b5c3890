"""URLs under another base than on the page's copies: `/tutorials/` here, `/quickstart/` there."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tutorial_tool import links, variants
from tutorial_tool.core.diagnostics import Finding, Severity
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
    addresses = {name: _find_urls(step, name) for name in step.pages}
    keys = Counter(key for of_page in addresses.values() for key in of_page)
    outliers: dict[tuple[str, str, str], list[_Address]] = {}
    for key in (key for key, count in keys.items() if count > 1):
        here = {name: of_page[key] for name, of_page in addresses.items() if key in of_page}
        shapes = {address.masked for address in here.values()}
        if len(shapes) > 1 and "" not in shapes:
            for name, left, expected in _find_outliers(step, here):
                outliers.setdefault((name, left, expected), []).append(here[name])
    for (name, left, expected), places in outliers.items():
        yield _build_finding(step, name, left, expected, places)


def _find_outliers(step: Step, here: dict[str, _Address]) -> Iterator[tuple[str, str, str]]:
    """Find variants whose URL has another base than the others', with both bases."""
    shapes = {name: address.masked for name, address in here.items()}
    verdict = decide_outliers(step, shapes, {name: address.place for name, address in here.items()})
    wrong, right = verdict.outliers, verdict.majority
    if verdict.tie and any(here[name].is_base for name in wrong):
        wrong, right = right, wrong
    usual = Counter(shapes[name] for name in right).most_common(1)[0][0]
    for name in wrong:
        differs, address = _find_difference(shapes[name], usual), here[name]
        if (
            differs
            and _is_worth_reporting(step, name, address, verdict)
            and not is_intended(step, step.pages[name], address.place)
        ):
            yield name, *differs


def _is_worth_reporting(step: Step, name: str, address: _Address, verdict: Verdict) -> bool:
    """Return whether a URL without a page is worth a finding: a whole platform under another base is reported once."""
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
    hrefs = [(link.href, link.place, f"“{link.text.strip().lower()}”") for link in page.document.links]
    for href, place, text in (*hrefs, *((image.src, image.place, image.src) for image in page.document.images)):
        masked = words.mask_words(href.split("#")[0]).rstrip("/")
        if OWN in masked and place is not None and masked.startswith("/"):
            last = posixpath.basename(masked)
            before = masked.partition(OWN)[0]
            key = text if last == OWN else last
            if key not in out:
                out[key] = _Address(masked, place, f"{before}{OWN}" in own)
            elif out[key].masked != masked:
                out[key] = out[key]._replace(masked="")
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
    stand = format_variant_names(step, {other for other, _ in there})
    many = len(addresses) > 1
    message = (
        f"{len(addresses)} links use" if many else "this link uses"
    ) + f" `/{left}/`; {stand} {'use' if len({o for o, _ in there}) > 1 else 'uses'} `/{right}/`"
    at = page.text[first.place.start : first.place.end].find(left)
    start = first.place.start + at
    place = (start, start + len(left)) if at >= 0 else first.place
    again = [(page, more.place, "this one, too") for more in addresses[1:]]
    related = [(step.pages[other], a.place, f"`{right}` on {step.variants[other].name}") for other, a in there[:1]]
    return page.flag(place, message, related=related, again=again)
