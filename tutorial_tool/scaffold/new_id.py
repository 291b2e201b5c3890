"""Renames a platform, a step, or a tutorial: in data and templates, files and URLs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from tutorial_tool import links
from tutorial_tool.config.settings import OWN_FILE
from tutorial_tool.core.source import Edit, Span
from tutorial_tool.fs import files
from tutorial_tool.links import navigation_entries
from tutorial_tool.publishing import text_edits
from tutorial_tool.scaffold import data_edits, redirect_lines
from tutorial_tool.scaffold.data_edits import ScaffoldError
from tutorial_tool.site import Page, Site
from tutorial_tool.site.symbols import Name, Occurrence, SymbolIndex, SymbolKind
from tutorial_tool.templating.functions import PICTURES
from tutorial_tool.templating.functions.texts import build_image_path, fill_pattern
from tutorial_tool.templating.places import PageId


@dataclass
class Change:
    """The writes of a rename: file contents by path, None to delete. `moved` maps old to new paths."""

    files: dict[str, bytes | None]
    edits: list[Edit]
    moved: dict[str, str]
    redirects: dict[str, str] = field(default_factory=dict)  # Old and new URLs of published pages


def rename_id(site: Site, uses: SymbolIndex, name: Name, new: str, load: Callable[[Mapping[str, str]], Site]) -> Change:
    """Return the change that renames a platform, step, or tutorial. `load` reads a project with new texts.

    Raises: ScaffoldError if a page would change beyond its URL and its links.
    """
    names = _find_linked_names(uses, name)
    _check_new_id(site, names, new)
    renamed = partial(_rename_address, names, new)
    docs = site.layout.docs
    pages = {page.path: _build_page_path(page, renamed) for page in site.pages if page.place}
    moved = dict(_find_template_moves(site, uses, names, new))
    by_hand = (page.path for page in site.pages if page.place and not page.generated)
    moved |= {f"{docs}/{path}": f"{docs}/{pages[path]}" for path in by_hand if pages[path] != path}
    moved |= dict(_find_image_moves(site, renamed))
    if taken := sorted(path for path in moved.values() if (site.layout.root / path).exists()):
        raise ScaffoldError(f"{taken[0]} already exists")
    gone = {path for path, now in pages.items() if now != path} | {path.removeprefix(f"{docs}/") for path in moved}
    edits = [*_build_name_edits(uses, names, new, moved), *_build_link_edits(site, names, new, gone)]
    change = Change(_build_files(site, edits, moved), edits, moved)
    made = {path: data for path, data in change.files.items() if data is not None}
    after = load({path: "" if path.lower().endswith(PICTURES) else data.decode() for path, data in made.items()})
    _verify_rename(site, after, pages, change)
    change.redirects = dict(_find_redirects(site.published_site, after.published_site, pages))
    if change.redirects:
        change.files[OWN_FILE] = redirect_lines.add_redirects(site.layout.root, change.redirects).encode()
    return change


def _find_linked_names(uses: SymbolIndex, name: Name) -> list[Name]:
    """Return the name, and for a step shared by tutorials that of each: they have one template."""
    if name.kind is not SymbolKind.STEP:
        return [name]
    own = {place.span.path for place in uses.definitions.get(name, ()) if place.context == "its template"}
    steps = (other for other in uses.definitions if other.kind is SymbolKind.STEP and other.word == name.word)
    return sorted({name, *(o for o in steps if any(place.span.path in own for place in uses.definitions[o]))})


def _check_new_id(site: Site, names: Iterable[Name], new: str) -> None:
    data_edits.check_id(new)
    model = site.model
    steps = (f"{tutorial}/{step}" for tutorial in model.tutorials for step in model.tutorials[tutorial].steps)
    taken = {
        SymbolKind.PLATFORM: (*model.platforms, *model.groups),
        SymbolKind.TUTORIAL: model.tutorials,
        SymbolKind.STEP: set(steps),
    }
    for name in names:
        if name.id[: len(name.id) - len(name.word)] + new in taken[name.kind]:
            raise ScaffoldError(f"`{new}` already exists")


def _rename_address(names: list[Name], new: str, address: PageId) -> PageId:
    tutorial, step, platform = address
    match names[0].kind:
        case SymbolKind.PLATFORM:
            return PageId(tutorial, step, new if platform == names[0].id else platform)
        case SymbolKind.TUTORIAL:
            return PageId(new if tutorial == names[0].id else tutorial, step, platform)
    return PageId(tutorial, new if Name(SymbolKind.STEP, f"{tutorial}/{step}") in names else step, platform)


def _build_page_path(page: Page, renamed: Callable[[PageId], PageId]) -> str:
    assert page.place is not None
    place, address = page.place, renamed(page.place.address)
    return fill_pattern(place.tutorial.get_path_pattern(place.platform), address._asdict()).strip("/") + ".md"


def _find_template_moves(site: Site, uses: SymbolIndex, names: list[Name], new: str) -> Iterator[tuple[str, str]]:
    folder, kind = site.layout.templates, names[0].kind
    if kind is SymbolKind.PLATFORM:
        for place in _iter_direct_uses(uses, names):
            head, _, file = place.span.path.rpartition("/")
            stem, level, rest = file.split(".", 2) if file.count(".") > 1 else ("", "", "")
            if place.context == "named by the file" and level == names[0].id:
                yield place.span.path, f"{head}/{stem}.{new}.{rest}"
        return
    word = names[0].word
    starts = {"steps/": new, **{f"steps/{name.id.partition('/')[0]}/": new for name in names}}
    if kind is SymbolKind.TUTORIAL:
        starts = {"steps/": new}
    for file in sorted(site.template_names):
        for start in starts:
            rest = file.removeprefix(f"{start}{word}")
            is_file = kind is SymbolKind.STEP and rest == ".md.j2"
            if file.startswith(f"{start}{word}") and (is_file or rest.startswith("/")):
                yield f"{folder}/{file}", f"{folder}/{start}{new}{rest}"


def _find_image_moves(site: Site, renamed: Callable[[PageId], PageId]) -> Iterator[tuple[str, str]]:
    """Yield the author's images whose paths contain the ids, with their new paths."""
    docs = site.layout.docs
    stored = [path.relative_to(site.layout.root).as_posix() for path in files.find(site.layout.root / docs, PICTURES)]
    for page in site.pages:
        if page.place is None or (address := renamed(page.place.address)) == page.place.address:
            continue
        place, fields = page.place, {**address._asdict(), "number": str(page.place.number or 0)}
        old = f"{docs}/{build_image_path(place)}".rpartition(".")[0]
        new = f"{docs}/{fill_pattern(place.tutorial.get_image_pattern(place.platform), fields)}".rpartition(".")[0]
        shape = re.compile(re.escape(old).replace(re.escape("{figure}"), r"([^/]+)") + r"(\.\w+)")
        for path in stored if old != new else ():
            if match := shape.fullmatch(path):
                yield path, new.replace("{figure}", match[1]) + match[match.lastindex or 0]


def _iter_direct_uses(uses: SymbolIndex, names: Iterable[Name]) -> Iterator[Occurrence]:
    return (place for name in names for place in uses.list_places(name) if not place.is_indirect)


def _build_name_edits(uses: SymbolIndex, names: list[Name], new: str, moved: Mapping[str, str]) -> Iterator[Edit]:
    """Yield edits of the id in data and templates, and of the path of a template named after it."""
    for place in _iter_direct_uses(uses, names):
        if place.exact:
            yield Edit(place.span, new)
        elif place.span.start != place.span.end:
            raise ScaffoldError(f"{place.span}: `{names[0].word}` is put together here; write it out first")
    folder = f"{uses.site.layout.templates}/"
    for old, path in moved.items():
        places = _iter_direct_uses(uses, [Name(SymbolKind.TEMPLATE, old.removeprefix(folder))])
        yield from (Edit(place.span, path.removeprefix(folder)) for place in places if place.exact)


def _build_link_edits(site: Site, names: list[Name], new: str, gone: Collection[str]) -> Iterator[Edit]:
    """Yield edits of paths and URLs with the id that people typed in pages, templates and navigation."""
    of, word = links.get_addresses(site), names[0].word
    for span in _find_typed_links(site, gone):
        yield from _build_segment_edits(span, word, new)
    for id_, span in chain.from_iterable(map(navigation_entries.iter_tutorials, of.pages.trees)):
        if Name(SymbolKind.TUTORIAL, id_) in names:
            at = span.start + span.text.rindex(word)
            yield Edit(span.source.span(at, at + len(word)), new)


def _find_typed_links(site: Site, gone: Collection[str]) -> Iterator[Span]:
    addresses = links.get_addresses(site)
    for page in site.pages:
        for reference, target in addresses.get_links(page):
            span, is_typed = page.get_source_span(*reference.place)
            if target.path in gone and is_typed and span.text == reference.href:
                yield span
    yield from (entry.span for entry in addresses.nav_entries if entry.target.path in gone)


def _build_segment_edits(span: Span, word: str, new: str) -> Iterator[Edit]:
    """Yield the edit of the path segment that is the id; a relative path may lack it."""
    matches = list(re.finditer(rf"(?<![^/]){re.escape(word)}(?=[/.#?]|$)", span.text))
    if len(matches) > 1:
        raise ScaffoldError(f"{span}: `{word}` is here twice; name the page by `link()` or by another path first")
    yield from (Edit(span.source.span(span.start + match.start(), span.start + match.end()), new) for match in matches)


def _build_files(site: Site, edits: Iterable[Edit], moved: Mapping[str, str]) -> dict[str, bytes | None]:
    out: dict[str, bytes | None] = dict(data_edits.apply_edits(edits))
    for old, new in moved.items():
        out[new] = out.pop(old, None) or (site.layout.root / old).read_bytes()
        out[old] = None
    return out


def _find_redirects(site: Site, after: Site, pages: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the old and new URLs of published pages, below the base of the site."""
    of, now = links.get_addresses(site), links.get_addresses(after)
    by_path = {page.path: page for page in after.pages}
    for page in site.pages:
        if pages.get(page.path, page.path) != page.path:
            other = by_path[pages[page.path]]
            yield _build_url(of, page), _build_url(now, other)
    for tutorial, renamed in zip(site.model.tutorials.values(), after.model.tutorials.values(), strict=True):
        for old, new in zip(tutorial.steps, renamed.steps, strict=True) if tutorial.combined else ():
            if tutorial.build_combined_path(old) != renamed.build_combined_path(new):
                yield f"/{tutorial.build_combined_path(old)}/", f"/{renamed.build_combined_path(new)}/"


def _build_url(of: links.Addresses, page: Page) -> str:
    return f"/{of.get_url(page).removeprefix(of.get_tree(page).base)}"


def _verify_rename(site: Site, after: Site, pages: Mapping[str, str], change: Change) -> None:
    """Check the renamed project.

    Raises: ScaffoldError if it would not render, or a page would change.
    """
    if new := [finding for finding in after.errors if change.files.get(finding.span.path, b"") is not None]:
        raise ScaffoldError(f"the project would not render any more: {new[0].span}: {new[0].message}")
    now = {page.path: page for page in after.pages}
    for page in site.pages:
        other = now.get(pages.get(page.path, page.path))
        is_draft = page.place is not None and page.place.draft  # a draft may lack the files that it lists
        if other is None or (not is_draft and _strip_link_targets(page, site) != _strip_link_targets(other, after)):
            raise ScaffoldError(f"the page {page.path} would change: the id is used in a way that is not seen")
        if lost := _find_missing_links(other, after)[len(_find_missing_links(page, site)) :]:
            raise ScaffoldError(f"the link {lost[-1]} on the page {page.path} would have no target; use `link()`")
    if sorted(f.svg for f in site.figures.values()) != sorted(f.svg for f in after.figures.values()):
        raise ScaffoldError("a figure would change: its template uses the id in a way that is not seen")


def _strip_link_targets(page: Page, site: Site) -> tuple[str, str]:
    """Return the title and text of a page without link URLs."""
    spots = {
        (*ref.place, "") for ref in links.get_addresses(site).pages.get_references(page) if ref.kind != "front-matter"
    }
    return page.title, text_edits.apply_edits(page.plain, spots)


def _find_missing_links(page: Page, site: Site) -> list[str]:
    """Return the links whose target is not found; images are not included, as they have not moved yet."""
    known = links.get_addresses(site).get_links(page)
    return [link.href for link, target in known if target.kind == "missing" and not link.is_image]
