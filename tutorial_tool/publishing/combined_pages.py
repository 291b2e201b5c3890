"""One page for all platforms, for each step of a `combined` tutorial: shared text once, the rest in tabs.

The pages are those of one more platform, so that switcher, navigation and lists of steps include them. Only publishing
adds them: a rule that compares variants would find each of them twice.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import count, pairwise
from typing import Any, NamedTuple

import yaml

from tutorial_tool import data
from tutorial_tool.core import lazy_re, traced
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.traced import Traced, concatenate, strip_origins
from tutorial_tool.data.model.parts import ALL_PLATFORMS, Platform, Tutorial
from tutorial_tool.markdown import headings
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.publishing import text_edits
from tutorial_tool.site import Page, Site
from tutorial_tool.templating.functions import build_page_path
from tutorial_tool.templating.places import PageId, PageLocation

_MARKER = lazy_re.compile(r"[ ]*(?:\d+[.)]|[-*+])[ \t]+")
_RELATIVE = lazy_re.compile(r"(?![/#]|[\w.+-]+:)[^\s\"'<>{}`\\]+")
"""A path from one page to another; paths with a character that ends an HTML value are not changed."""
_OLD_ADDRESSES = lazy_re.compile(r"redirect|alias|old_urls", re.IGNORECASE)
_TAB = "=== "


def add_combined_pages(site: Site) -> Site:
    """Return the site with pages for all platforms, for each step of a `combined` tutorial."""
    if site.variants is not None:
        return site
    pages = [
        page for tutorial in site.model.tutorials.values() if tutorial.combined for page in _build_pages(site, tutorial)
    ]
    if not pages:
        return site
    places = {page.place.address: page.place for page in pages if page.place}
    everyone = next(place.platform for place in places.values())
    return replace(
        site,
        model=replace(site.model, platforms={ALL_PLATFORMS: everyone, **site.model.platforms}),
        pages=[*site.pages, *pages],
        places={**site.places, **places},
        cache={},
        variants=site,
    )


def _build_pages(site: Site, tutorial: Tutorial) -> Iterator[Page]:
    """Yield a tutorial's pages for all platforms. A manually written page at such a path is kept."""
    name = traced.ensure_traced(site.model.strings["all-platforms"])
    nothing: dict[str, Any] = {}
    everyone = Platform(
        ALL_PLATFORMS, tutorial.key, name, (ALL_PLATFORMS,), (), nothing, nothing, frozenset(), nothing, nothing
    )
    taken = {page.path for page in site.pages}
    paths = {step: f"{tutorial.build_combined_path(step)}.md" for step in tutorial.steps}
    ready = {
        step: variants for step in tutorial.steps if (variants := _get_published_variants(site, tutorial.id, step))
    }
    counted = [step for step in ready if tutorial.steps[step].numbered]
    steps = {id_: list(variants.values()) for id_, variants in ready.items() if paths[id_] not in taken}
    steps = {step: pages for step, pages in steps.items() if not _has_conflicting_definitions(pages)}
    addresses = [PageId(tutorial.id, step, ALL_PLATFORMS) for step in steps]
    neighbors = zip([None, *addresses], addresses, [*addresses[1:], None], strict=False)
    for (step, pages), (previous, address, following) in zip(steps.items(), neighbors, strict=True):
        assert address is not None
        position = counted.index(step) + 1 if step in counted else None
        number = position if {page.number for page in pages} == {position} else None
        place = PageLocation(
            address, tutorial, tutorial.steps[step], everyone, paths[step], number, previous, following
        )
        page_options = _PageOptions(paths[step], tuple(steps), number is None, _pair_equal_images(pages))
        yield replace(pages[0].get_cached(_combine_pages, tuple(pages[1:]), page_options), place=place)


def _pair_equal_images(pages: Iterable[Page]) -> tuple[tuple[str, str], ...]:
    """Return the generated images, each with the first one that is identical."""
    pictures = {figure.path: figure.svg for page in pages for figure in page.figures}
    path_by_svg = {svg: path for path, svg in reversed(pictures.items())}
    return tuple((path, path_by_svg[svg]) for path, svg in pictures.items())


def _get_published_variants(site: Site, tutorial: str, step: str) -> dict[str, Page]:
    """Return the published pages of a step by platform, in the order of the data."""
    pages = site.steps.get((tutorial, step), {})
    ordered = ((id_, pages[id_]) for id_ in site.model.platforms if id_ in pages)
    return {id_: page for id_, page in ordered if page.place and not page.place.draft}


def _has_conflicting_definitions(pages: Iterable[Page]) -> bool:
    """Return whether a link label is defined with several URLs: on one page, only one would apply."""
    urls: dict[str, str] = {}
    return any(
        urls.setdefault(target.label, target.href) != target.href
        for page in pages
        for target in page.document.definitions
    )


class _PageOptions(NamedTuple):
    """Parameters of a page for all platforms besides the pages that it is composed from."""

    path: str
    steps: tuple[str, ...]  # Steps with such a page: links from a platform's page point to it
    is_unnumbered: bool  # Whether the step's or its sections' numbers are right on one platform only
    images: tuple[tuple[str, str], ...]  # The generated images, each with the first equal one


def _combine_pages(first: Page, others: tuple[Page, ...], options: _PageOptions) -> Page:
    pages = [first, *others]
    bodies = {page.platform or "": _build_body(page, options) for page in pages}
    names = {page.platform or "": _format_tab_label(page.place.platform.name) for page in pages if page.place}
    front = traced.ensure_traced(f"---\n{_merge_front_matter(pages, is_unnumbered=options.is_unnumbered)}---\n\n")
    text = _make_ids_unique(concatenate([front, _merge_texts(bodies, names), "\n"]), first)
    combined = replace(
        first,
        path=options.path,
        text=text,
        generated=True,
        figures=(),
        tables=frozenset[Any]().union(*(page.tables for page in pages)),
        used_files=frozenset[str]().union(*(page.used_files for page in pages)),
        precomputed_conditional_items=None,
    )
    combined.sections = headings.read_sections(text, combined.document)
    return combined


def _format_tab_label(name: Traced) -> Traced:
    """Format a platform's name as a tab label, which ends at the first double quote."""
    words = name.replace('"', "'").split()
    return concatenate(part for word in words for part in (" ", word)).removeprefix(" ")  # type: ignore[return-value]


def _merge_front_matter(pages: Sequence[Page], *, is_unnumbered: bool) -> str:
    """Return the front matter that all pages share; if the step's number differs, the title has none."""
    first, *others = [data.parse_metadata(page.plain) for page in pages]
    shared = {key: value for key, value in first.items() if all(other.get(key) == value for other in others)}
    shared = {key: value for key, value in shared.items() if not _OLD_ADDRESSES.search(key)}
    title = pages[0].title if is_unnumbered else pages[0].stated_title
    return yaml.safe_dump({**shared, "title": strip_origins(title)}, allow_unicode=True, sort_keys=False, width=1000)


def _make_ids_unique(text: Traced, page: Page) -> Traced:
    """Return the text with unique heading ids: an id that an earlier tab has already gets a suffix."""
    all_headings = page.document_cache.parse(strip_origins(text), page.dialect, is_rendered=True).headings
    taken, earlier_ids = {heading.id for heading in all_headings}, set[str]()
    edits = []
    for heading in all_headings:
        if heading.id and heading.attrs and heading.id in earlier_ids:
            new = next(id_ for number in count(2) if (id_ := f"{heading.id}-{number}") not in taken)
            taken.add(new)
            start = text.index(heading.id, heading.attrs.start)
            edits.append((start, start + len(heading.id), new))
        earlier_ids.add(heading.id or "")
    return _apply_edits(text, edits)


def _apply_edits(text: Traced, edits: Iterable[tuple[int, int, str]], offset: int = 0) -> Traced:
    """Return the text from an offset on, with edits applied."""
    parts = []
    for start, end, new in sorted(set(edits)):
        parts += [text[offset:start], new]
        offset = end
    return concatenate([*parts, text[offset:]])


def _build_body(page: Page, expected: _PageOptions) -> Traced:
    """Return a page's text without front matter, with links as seen from the combined page's path."""
    edits = [*_build_link_edits(page, expected)]
    if expected.is_unnumbered:
        numbered = (heading for heading in page.document.headings if heading.number)
        edits += [(head.content_start, head.content_start + len(head.number), "") for head in numbered]
    return _apply_edits(page.text, edits, page.document.body_start)


def _build_link_edits(page: Page, expected: _PageOptions) -> list[text_edits.Edit]:
    assert page.place is not None
    tutorial, platform = page.place.tutorial, page.place.platform
    moved = {
        f"{build_page_path(tutorial, step, platform)}.md": f"{tutorial.build_combined_path(step)}.md"
        for step in expected.steps
    }
    moved |= dict(expected.images)

    def relocate_link(href: str) -> str:
        if not _RELATIVE.fullmatch(href):
            return href
        path, mark, anchor = href.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path))
        new = posixpath.relpath(moved.get(target, target), posixpath.dirname(expected.path) or ".")
        return new + mark + anchor

    return text_edits.build_link_edits(page.document, relocate_link)


# Shared and differing blocks


class _Block(NamedTuple):
    """A block of text, and its items if it is a list."""

    kind: str
    text: Traced
    items: tuple[Traced, ...]


Units = Mapping[str, Sequence[_Block]]  # The blocks of each platform, by its id


def _merge_texts(texts: Mapping[str, Traced], names: Mapping[str, Traced]) -> Traced:
    units = {id_: _split_blocks(text) for id_, text in texts.items()}
    shared = _find_common_blocks([[strip_origins(unit.text) for unit in blocks] for blocks in units.values()])
    starts = dict.fromkeys(units, 0)
    out: list[Traced] = []
    for key in [*shared, None]:
        ends = {  # the index of the next block with that text, or the end
            id_: next(
                (end for end in range(starts[id_], len(blocks)) if strip_origins(blocks[end].text) == key), len(blocks)
            )
            for id_, blocks in units.items()
        }
        out += _render_differences({id_: blocks[starts[id_] : ends[id_]] for id_, blocks in units.items()}, names)
        if key is not None:
            out.append(next(blocks[ends[id_]].text for id_, blocks in units.items()))
        starts = {id_: end + 1 for id_, end in ends.items()}
    return concatenate(part for block in _separate_tab_sets(out) for part in ("\n\n", block)).removeprefix("\n\n")  # type: ignore[return-value]


def _separate_tab_sets(blocks: Sequence[Traced]) -> Iterator[Traced]:
    for before, block in zip(["", *blocks], blocks, strict=False):
        follows = before.startswith("===") and block.startswith(_TAB)
        yield concatenate(["===! ", block[len(_TAB) :]]) if follows else block


def _find_common_blocks(texts: Sequence[Sequence[str]]) -> list[str]:
    first, *others = texts
    common = list(first)
    for other in others:
        matches = SequenceMatcher(None, common, other, autojunk=False).get_matching_blocks()
        common = [key for index, _, size in matches for key in common[index : index + size]]
    return common


def _render_differences(units: Units, names: Mapping[str, Traced]) -> Iterator[Traced]:
    """Yield the blocks of platforms between two blocks that all share."""

    def cut(start: int, end: int | None = None) -> Units:
        return {id_: blocks[start:end] for id_, blocks in units.items()}

    kinds = {tuple(unit.kind for unit in blocks) for blocks in units.values()}
    start = 0
    for i, column in enumerate(zip(*units.values(), strict=True)) if len(kinds) == 1 else ():
        if _can_merge_lists(column):
            yield from _render_tabs(cut(start, i), names)
            yield _merge_list_items({id_: blocks[i].items for id_, blocks in units.items()}, names)
            start = i + 1
    yield from _render_tabs(cut(start), names)


def _can_merge_lists(units: Sequence[_Block]) -> bool:
    """Return whether blocks are lists of equal length that share a block in at least one item."""
    if len({len(unit.items) for unit in units}) > 1:
        return False
    rows = zip(*(map(_dedent_item, unit.items) for unit in units), strict=True)
    return any(
        _find_common_blocks([[strip_origins(part.text) for part in _split_blocks(text)] for text in row])
        for row in rows
    )


def _merge_list_items(items: Mapping[str, Sequence[Traced]], names: Mapping[str, Traced]) -> Traced:
    out: list[str] = []
    for number in range(len(next(iter(items.values())))):
        texts = {id_: blocks[number] for id_, blocks in items.items()}
        first = next(iter(texts.values()))
        if len(set(map(strip_origins, texts.values()))) > 1:
            marker = _measure_marker(first)
            inner = {id_: _dedent_item(text) for id_, text in texts.items()}
            first = concatenate(
                [first[:marker].rstrip(), "  ", _indent_lines(_merge_texts(inner, names)).removeprefix("    ")]
            )
        out += ["\n\n", first]
    return concatenate(out[1:])


def _measure_marker(item: str) -> int:
    """Return the length of a list item's marker, with its white space."""
    match = _MARKER.match(item)
    return match.end() if match else 0


def _render_tabs(units: Units, names: Mapping[str, Traced]) -> Iterator[Traced]:
    """Yield a tab set with each distinct text and the names of its platforms; nothing if all are empty."""
    groups = group_pairs(
        ("\n\n".join(strip_origins(unit.text) for unit in blocks), id_) for id_, blocks in units.items() if blocks
    )
    out: list[str] = []
    for ids in groups.values():
        label = traced.ensure_traced(", ").join(names[id_] for id_ in ids)
        content = concatenate(part for unit in units[ids[0]] for part in ("\n\n", _indent_lines(unit.text)))
        out += ["\n\n", _TAB, '"', label, '"', content]
    if out:
        yield concatenate(out[1:])


def _split_blocks(text: Traced) -> list[_Block]:
    """Split a text into blocks, each up to the next one."""
    blocks = Document(strip_origins(text), Dialect.PYTHON_MARKDOWN).blocks
    ends = [*(block.start for block in blocks[1:]), len(text)]
    start = 0  # text before the first block, such as a link definition
    out = []
    for block, end in zip(blocks, ends, strict=True):
        starts = [item.start for item in block.children] if block.kind == "list" else []
        items = [text[a:b].rstrip() for a, b in pairwise([*starts, end])]
        out.append(_Block(block.kind, text[start:end].rstrip(), tuple(items)))  # type: ignore[arg-type]
        start = end
    return out


def _indent_lines(text: str) -> Traced:
    lines = text.splitlines(keepends=True)
    return concatenate(part for line in lines for part in (("    ", line) if line.strip() else (line,)))


def _dedent_item(item: Traced) -> Traced:
    """Return a list item's text without marker and indentation."""
    lines = item[_measure_marker(item) :].splitlines(keepends=True)
    return concatenate(line[min(4, len(line) - len(line.lstrip(" "))) :] for line in lines)
