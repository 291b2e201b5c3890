"""The pictures that are not there, and what may be meant: told by one rule, and left alone by another."""

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
    """A picture that a page shows and that is not there, with the one that may be meant."""

    page: Page
    reference: Reference
    suggestion: Suggestion | None


def find_missing_images(addresses: Addresses) -> Iterator[MissingImage]:
    """All of a site."""
    for page in addresses.site.pages:
        for reference, target in () if addresses.is_snippet(page) else addresses.get_links(page):
            is_lost = reference.is_image and reference.href.strip() and target.kind == "missing"
            is_lost = is_lost and addresses.doubts.get_doubt("picture", page, reference) is None
            if is_lost and not _is_translated(addresses, page, reference):
                suggestion = addresses.suggest_file(page, reference.href, raw=reference.is_raw)
                intended = (
                    None if suggestion and _is_of_other_platform(page, addresses, suggestion.address) else suggestion
                )
                yield MissingImage(page, reference, intended)


def _is_translated(addresses: Addresses, page: Page, reference: Reference) -> bool:
    """Whether the picture is there in languages, as `menu.fr.png`: what publishes the page takes that of the reader."""
    stem, suffix = splitext(basename(unquote(reference.href)))
    codes = (
        name[len(stem) + 1 : len(name) - len(suffix)]
        for name in addresses.iter_sibling_files(page, reference.href, raw=reference.is_raw)
        if name.startswith(f"{stem}.") and name.endswith(suffix)
    )
    return not language.CODES.isdisjoint(codes)


def _is_of_other_platform(page: Page, addresses: Addresses, address: str) -> bool:
    """Whether a picture is named after another platform of the data than that of the page."""
    named = set(_WORD.findall(address.lower()))
    ids = {id_.lower() for id_ in addresses.site.model.platforms}
    return page.platform is not None and page.platform.lower() not in named and not ids.isdisjoint(named)
