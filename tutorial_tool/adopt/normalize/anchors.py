"""Anchors of headings that lose their numbers: links are updated, and anchors used elsewhere are kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set

from tutorial_tool import links
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re, traced
from tutorial_tool.data.model import STRINGS
from tutorial_tool.markdown import headings
from tutorial_tool.markdown.document import Document, Heading
from tutorial_tool.publishing.inventory import load_published
from tutorial_tool.site import Page, Site

_FRAGMENT = lazy_re.compile(r"#([\w.-]+)")
Ids = Mapping[int, tuple[str, str]]
"""The old and the new ID of each heading of a page, by its position counted from the end."""


def find_requested(texts: Iterable[bytes], config: Config) -> frozenset[str]:
    """Return the anchors that other pages may link to, and those of the inventory.

    Raises: settings.ConfigError.
    """
    fragments = find_fragments(text.decode(errors="replace") for text in texts)
    return fragments.union(*(entry.anchors for entry in load_published(config)))


def find_fragments(texts: Iterable[str]) -> frozenset[str]:
    """Return the anchors mentioned in texts."""
    return frozenset(name for text in texts for name in _FRAGMENT.findall(text))


def pair_heading_ids(before: Page, after: Page, fixed_ids: Set[str]) -> Ids:
    """Pair the old IDs of a page with the IDs it gets with numbered sections; those in `fixed_ids` stay."""
    old_sections = headings.read_sections(traced.ensure_traced(before.plain), before.document)
    _, new_sections = headings.number_headings(traced.ensure_traced(after.plain), after.document, 1, STRINGS["step"])
    if not 0 <= len(old_sections) - len(new_sections) <= 1:  # the title may have been removed
        return {}
    pairs = zip(reversed(old_sections), reversed(new_sections), strict=False)
    fixed_by_spelling = {normalize_spelling(anchor): anchor for anchor in fixed_ids}
    return {
        index: (old.id, old.id if old.id in fixed_ids else fixed_by_spelling.get(normalize_spelling(old.id), new.id))
        for index, (old, new) in enumerate(pairs)
    }


def iter_headings(document: Document, ids: Ids) -> Iterator[tuple[Heading, tuple[str, str] | None]]:
    """Yield the headings of a page, each with its old and new ID if known."""
    last = len(document.headings) - 1
    yield from ((heading, ids.get(last - index)) for index, heading in enumerate(document.headings))


def find_id_edits(page: Page, ids: Ids, fixed_ids: Set[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the edits that write explicit IDs into headings whose ID would change."""
    for heading, pair in iter_headings(page.document, ids):
        old, new = pair or ("", "")
        is_fixed = new in fixed_ids and normalize_spelling(new) == normalize_spelling(old)
        if heading.id is None and is_fixed and new != headings.build_slug(str(heading.text)):
            yield _build_id_edit(heading, new, page.source.text)


def find_title_edit(page: Page, fixed_ids: Set[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the edit that writes an explicit ID into the title heading, if its anchor is used elsewhere.

    A number before the title would change the anchor.
    """
    first = next(iter(page.document.headings), None)
    if first and first.level == 1 and first.id is None and (old := headings.build_slug(str(first.text))) in fixed_ids:
        yield _build_id_edit(first, old, page.source.text)


def _build_id_edit(heading: Heading, id_: str, text: str) -> tuple[int, int, str]:
    if heading.attrs is None:
        return heading.content_end, heading.content_end, f" {{: #{id_} }}"
    offset = heading.attrs.start + 1 + (text[heading.attrs.start + 1] == ":")
    return offset, offset, f" #{id_}" + ("" if text[offset] == " " else " ")


def normalize_spelling(anchor: str) -> str:
    """Return the letters and digits of an anchor, in which site generators agree."""
    return re.sub(r"[\W_]", "", anchor).lower()


def find_link_edits(page: Page, copies: Site, moved: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield the edits that update a page's links to renamed anchors; `moved` has these by page path."""
    for reference, target in links.get_addresses(copies).get_links(page):
        to = target.page
        new_ids = moved.get(to.source.path, {}) if to and target.fragment else {}
        by_spelling = {normalize_spelling(old): id_ for old, id_ in new_ids.items()}
        new = new_ids.get(target.fragment) or by_spelling.get(normalize_spelling(target.fragment))
        start, end = reference.place.end - len(target.fragment), reference.place.end
        if new and page.source.text[start - 1 : end] == f"#{target.fragment}":
            yield start, end, new
