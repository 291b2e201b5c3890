"""Missing images and the likely intended ones: reported by one rule, and skipped by another."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename, splitext
from typing import NamedTuple
from urllib.parse import unquote

from tutorial_tool.core import language, lazy_re
from tutorial_tool.links import Addresses, Reference
from tutorial_tool.links.suggestions import Suggestion
from tutorial_tool.site import Page

_WORD = lazy_re.compile(r"[^\W_]+")


class MissingImage(NamedTuple):
    """A missing image that a page shows, with the likely intended one."""

    page: Page
    reference: Reference
    suggestion: Suggestion | None


def find_missing_images(addresses: Addresses) -> Iterator[MissingImage]:
    """Find the missing images of a site."""
    for page in addresses.site.pages:
        for reference, target in () if addresses.anchors.is_snippet(page) else addresses.get_links(page):
            if reference.is_image and target.kind == "missing" and not _is_doubtful(addresses, page, reference):
                yield MissingImage(page, reference, _suggest_image(addresses, page, reference))


def _is_doubtful(addresses: Addresses, page: Page, reference: Reference) -> bool:
    """Return whether a missing image may be elsewhere, or none is named."""
    is_lost = reference.href.strip() and addresses.doubts.get_doubt("picture", page, reference) is None
    return not is_lost or _is_translated(addresses, page, reference)


def _suggest_image(addresses: Addresses, page: Page, reference: Reference) -> Suggestion | None:
    suggestion = addresses.suggest_file(page, reference.href, raw=reference.is_raw)
    is_other = suggestion is not None and _is_of_other_platform(page, addresses, suggestion.address)
    return None if is_other else suggestion


def _is_translated(addresses: Addresses, page: Page, reference: Reference) -> bool:
    """Return whether the image exists per language, as `menu.fr.png`: the generator picks the reader's."""
    stem, suffix = splitext(basename(unquote(reference.href)))
    codes = (
        name[len(stem) + 1 : len(name) - len(suffix)]
        for name in addresses.iter_sibling_files(page, reference.href, raw=reference.is_raw)
        if name.startswith(f"{stem}.") and name.endswith(suffix)
    )
    return not language.CODES.isdisjoint(codes)


def _is_of_other_platform(page: Page, addresses: Addresses, address: str) -> bool:
    """Return whether an image is named after another platform of the data than the page's."""
    named = set(_WORD.findall(address.lower()))
    ids = {id_.lower() for id_ in addresses.site.model.platforms}
    return page.platform is not None and page.platform.lower() not in named and not ids.isdisjoint(named)
