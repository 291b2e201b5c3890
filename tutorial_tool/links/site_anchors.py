"""The anchors of a site's pages, and whether one that is not found is missing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from posixpath import basename, dirname, join, normpath, split, splitext
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.caching import cache_method
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source
from tutorial_tool.links import anchors, heading_ids, snippets
from tutorial_tool.links.anchors import Anchors, AnchorSources, Style
from tutorial_tool.links.evidence import is_in_collection, is_part, is_shared_page
from tutorial_tool.links.generator_files import OF_DOXYGEN, OF_GITBOOK, MarkerFiles
from tutorial_tool.links.jekyll_layouts import Layouts
from tutorial_tool.links.pages import Pages
from tutorial_tool.links.references import Reference
from tutorial_tool.links.shortcode_templates import ShortcodeTemplates
from tutorial_tool.links.tab_ids import Tabs
from tutorial_tool.links.target import Target
from tutorial_tool.links.tree import SEVERAL, Tree
from tutorial_tool.links.typos import is_slip
from tutorial_tool.markdown.document import Document
from tutorial_tool.site import Page, page_facts

_OF_THE_BROWSER = lazy_re.compile(r"(?:_?top|start-of-content)?$|__|fn[:-]|fnref|L\d+|[!/?]|tab/|[\w.-]+=|admonition-")
"""Fragments of browsers, scripts, GitHub's line numbers, footnotes, DocFX's tabs, or mdbook-admonish."""
_OF_GITHUB = "user-content-"  # GitHub's prefix for heading IDs, optional in links
_OF_GITHUB_ITSELF = lazy_re.compile(r"(?:\.github/)?(?:README|CONTRIBUTING|SECURITY|CODE_OF_CONDUCT)\.md")
"""Files in the root of a repository that GitHub shows, whatever publishes the others."""
_OF_README = "readme"  # The ID of the box in which GitHub shows a README below the file list
_HTML_HEADING = lazy_re.compile(r"<h([1-6])\b[^>]*>(.*?)</h\1>", re.IGNORECASE | re.DOTALL)
_ID = lazy_re.compile(r"\b(?:id|name)=[{\"']+(?P<id>[^\"'\n]+)[\"']|^#{1,6}=(?P<marked>\S+)", re.MULTILINE)
_TAG = lazy_re.compile(r"<[^>]*>")
_BLOCK = lazy_re.compile(r"^[ \t]*\{%[ ]*(?:hint|content-ref|stepper|endhint|endcontent-ref)\b", re.MULTILINE)
"""A GitBook block."""
_BLANK = lazy_re.compile(r"(?<!/)\{\w+\}")
_NUMBER = lazy_re.compile(r"-\d+$")  # Of a repeated id
_MARKS = lazy_re.compile(r"(?:\s*\[[^\[\]]*\])+$")
_SIGN_NAME = lazy_re.compile(r"\b(?:less|greater)-than\b")


class _AnchorCounts(NamedTuple):
    """Counts of the anchors that links of a tree use: present, missing, and not built by GitHub.

    A missing one that many links use counts once, and where the engine is known, one that differs in case does not
    count. `routed` ones are in URLs that only a site has, such as `/setup#install`: no viewer of files follows them.
    """

    present: int
    missing: int
    non_github: int
    routed: int


def _build_page_anchors(page: Page, style: Style, tabs: Tabs) -> Anchors:
    return anchors.build_anchors(page.get_cached(_find_anchor_sources), style, tabs)


@page_facts.register
def _find_anchor_sources(page: Page) -> AnchorSources:
    return anchors.find_anchor_sources(page.document.lean)


@lru_cache(maxsize=64)
def _select_github_ids(anchors: Anchors) -> frozenset[str]:
    """Return the anchors that GitHub builds, as the same set for each link to a page."""
    return anchors.ids - anchors.non_github_ids


@page_facts.register
def _find_html_ids(page: Page) -> tuple[str, ...]:
    """Return the ids that GitHub gives headings in HTML."""
    return tuple(anchors.build_github_slug(_TAG.sub("", match[2])) for match in _HTML_HEADING.finditer(page.plain))


def _find_typed_ids(page: Page) -> frozenset[str]:
    """Return what looks like an id on a page: an attribute, or a mark of the site's own before a heading (`##=id`)."""
    return frozenset(match["id"] or match["marked"] for match in _ID.finditer(page.plain))


def _is_of_component(page: Page, fragment: str) -> bool:
    """Return whether the site's own component may build an anchor from its attributes: it has all of its words."""
    own, words = anchors.find_own_components(page.plain), {*fragment.split("-")}
    tags = page.document.tags if own else ()  # most pages have none, and need not be parsed again
    texts = (" ".join(a.value for a in tag.attributes.values()) for tag in tags if tag.name in own)
    return any(words <= {*re.findall(r"[a-z\d]+", text.lower())} for text in texts)


def _may_be_filled(page: Page, fragment: str) -> bool:
    """Return whether a heading has this anchor once a program fills its placeholders, such as `{Platform}`."""
    texts = (text for text, _ in page.get_cached(_find_anchor_sources).headings if "{" in text)
    slugs = (anchors.build_github_slug(_BLANK.sub("_blank_", text)) for text in texts if _BLANK.search(text))
    return any(re.fullmatch(re.escape(slug).replace("_blank_", ".+"), fragment) for slug in slugs)


def _build_gitbook_ids(page: Page) -> frozenset[str]:
    """Build the ids that GitBook gives headings; it numbers those that repeat, with those that the page states."""
    texts = [text for text, _ in page.get_cached(_find_anchor_sources).headings]
    built = [heading_ids.build_gitbook_id(text) for text in texts]
    stated = (_NUMBER.sub("", match["id"] or "") for match in _ID.finditer(page.plain))
    numbered = (f"{id_}-{number}" for id_, count in Counter((*stated, *built)).items() for number in range(1, count))
    in_dollars = (heading_ids.build_gitbook_id(text.replace("$", "usd")) for text in texts)
    return frozenset((*built, *in_dollars, *map(heading_ids.collapse_punctuation, numbered)))


@page_facts.register
def _build_unmarked_ids(page: Page) -> frozenset[str]:
    """Build the ids of headings without the marks in brackets at their end."""
    texts = [text for text, _ in page.get_cached(_find_anchor_sources).headings if text.endswith("]")]
    return frozenset(anchors.build_github_slug(_MARKS.sub("", text)) for text in texts)


def _iter_ends(file: str) -> Iterator[str]:
    """Yield the path of a file without its first folders, with a slash before it."""
    return (file[at:] for at, sign in enumerate(file) if sign == "/")


def _iter_folders(page: Page) -> Iterator[str]:
    """Yield the folders around a page, relative to the linted one."""
    return (page.path[:at] for at, sign in enumerate(page.path) if sign == "/")


def _is_route(reference: Reference) -> bool:
    """Return whether a URL is relative to a site's root, and names no file."""
    path = reference.href.partition("#")[0]
    return path.startswith("/") and "." not in basename(path)


class SiteAnchors:
    """The anchors of a site's pages. `links` returns the references on a page, each with its target."""

    def __init__(self, pages: Pages, links: Callable[[Page], Iterable[tuple[Reference, Target]]]) -> None:
        self._pages, self._links = pages, links
        self._brought_in: dict[str, Source | Finding] = {}
        self._shortcodes = ShortcodeTemplates(pages.disk)
        self._layouts = Layouts(pages)
        self._marks = MarkerFiles(pages.disk)

    def _get_own_anchors(self, page: Page) -> Anchors:
        """Return the anchors of a page's own text."""
        tree = self._pages.get_tree(page)
        return page.get_cached(_build_page_anchors, self._choose_style(tree, page), tree.tabs)

    def has_own(self, page: Page, fragment: str) -> bool:
        """Return whether a page's own text has an anchor, without snippets and layout."""
        return fragment in self._get_own_anchors(page).ids

    def _choose_style(self, tree: Tree, page: Page) -> Style:
        """Return the style of a page's heading ids; `any` for a README that MkDocs drops for an index."""
        if self._pages.site.addressing.keeps_case:
            return "cased"
        folder, name = split(self._pages.get_file(page))
        is_left_out = tree.is_exact and name == "README.md" and join(folder, "index.md") in self._pages.by_file
        return "any" if is_left_out else tree.slugs

    @cache_method
    def _get_anchors_with_snippets(self, page: Page) -> Anchors:
        """Return the anchors of a page with its snippets. That parses it again, so it is done last."""
        tree, text = self._pages.get_tree(page), page.document.text
        marks = {"snippets": snippets.MARK, "pages": "include"}
        if not tree.generator.includes or marks[tree.generator.includes] not in text:
            return self._get_own_anchors(page)
        asked = self._expand_includes(page, tree, text), page.dialect
        named = self._pages.site.results.get(lambda: anchors.find_anchor_sources(Document(*asked)), "named", *asked)
        return anchors.build_anchors(named, self._choose_style(tree, page), tree.tabs)

    def _expand_includes(self, page: Page, tree: Tree, text: str) -> str:
        if tree.generator.includes == "snippets":
            return snippets.expand_text(text, tree, self._pages.root, self._brought_in)
        folder = dirname(self._pages.get_file(page))
        return snippets.expand_pages(text, folder, tree, self._pages.disk, self._pages.root)

    def get_ids(self, page: Page) -> frozenset[str]:
        """Return the known anchors of a page."""
        return self._select_ids(page, self._get_anchors_with_snippets(page))

    def _select_ids(self, page: Page, anchors: Anchors) -> frozenset[str]:
        is_linted = self._pages.get_file(page) in self._pages.by_file
        if not anchors.non_github_ids or page.path.endswith(".mdx") or not is_linted:
            return anchors.ids  # few pages are linted: the IDs that their links use are unknown
        return _select_github_ids(anchors) if self._is_github(self._pages.get_tree(page)) else anchors.ids

    @cache_method
    def has_anchor(self, page: Page, fragment: str) -> bool | None:
        """Return whether a page has an anchor, or None if unknown."""
        tree, fragment = self._pages.get_tree(page), fragment.partition(":~:")[0]  # what follows names a text to show
        if tree.is_plain:
            fragment = fragment.removeprefix(_OF_GITHUB)
        if fragment in self._select_ids(page, self._get_own_anchors(page)) or _OF_THE_BROWSER.match(fragment):
            return True
        whole = self._get_anchors_with_snippets(page)
        here = self._select_ids(page, whole)
        if fragment in here or self._is_made_by_generator(page, fragment, here):
            return True
        around = self._layouts.get_anchors(tree, page)
        if fragment in around.ids:
            return True
        if self._is_made_elsewhere(page, fragment, here):
            return None
        is_proven = around.is_complete and self._is_complete(tree, whole) and self._can_prove(tree, page, fragment)
        return False if is_proven or is_slip(fragment, here) or is_slip(fragment, around.ids) else None

    def _is_made_elsewhere(self, page: Page, fragment: str, here: frozenset[str]) -> bool:
        """Return whether an anchor may come from elsewhere, so that nothing can be proven.

        It may be a label of another page, an id in code that is HTML to the publisher of the page, that of a component
        or of a part of the page, filled in by a program, or have characters that the site's own program keeps if the
        generator builds no ids.
        """
        tree = self._pages.get_tree(page)
        if (
            is_shared_page(tree, page)
            or self._is_doxygen_label(page, fragment)
            or fragment in page.get_cached(_find_typed_ids)
            or _is_of_component(page, fragment)
            or _may_be_filled(page, fragment)
            or self._is_name_of_part(tree, page, fragment)
        ):
            return True
        has_own_slugs = tree.generator.name and not tree.recognized
        return bool(has_own_slugs) and heading_ids.normalize_id(fragment) in map(heading_ids.normalize_id, here)

    def _is_name_of_part(self, tree: Tree, page: Page, fragment: str) -> bool:
        """Return whether a page below this one has that name: a template may show all of them on one page."""
        stem = splitext(self._pages.get_file(page))[0]
        folder = dirname(stem) if basename(stem) in ("index", "_index") else stem
        return not (tree.is_plain or tree.is_exact) and join(folder, f"{fragment}.md") in self._pages.by_file

    def _is_made_by_generator(self, page: Page, fragment: str, here: frozenset[str]) -> bool:
        """Return whether a publisher of the tree may add an anchor beyond those of the dialect."""
        tree = self._pages.get_tree(page)
        if tree.is_plain and self._is_plain_anchor(page, fragment, here):
            return True
        if tree.by_name and self._has_obsidian_target(page, fragment):
            return True
        if tree.custom_markup and fragment in page.get_cached(_build_unmarked_ids):
            return True  # a plugin may turn the marks into components before ids are built
        in_mintlify = heading_ids.collapse_punctuation(fragment), fragment.replace("dollar", "")  # in some versions
        return tree.slugs == "collapsed" and not here.isdisjoint(in_mintlify)

    def _is_plain_anchor(self, page: Page, fragment: str, here: frozenset[str]) -> bool:
        """Return whether a program that may publish an unconfigured tree builds such an anchor."""
        is_readme = fragment == _OF_README and basename(page.path).lower().startswith(f"{_OF_README}.")
        is_of_program = _OF_GITHUB + fragment in here or is_readme or self._is_of_gitbook(page, fragment)
        is_escaped = "quot" in fragment and fragment.replace("quot", "") in here  # docsify does not unescape titles
        return is_of_program or is_escaped or fragment in page.get_cached(_find_html_ids)

    def _can_prove(self, tree: Tree, page: Page, fragment: str) -> bool:
        """Return whether an anchor that is not among those of a page is provably missing."""
        if is_part(tree, page) and not is_in_collection(tree, page):
            return False
        if tree.alters_pages and not self._is_mostly_known(page):
            return False
        if tree.hugo and basename(page.path).startswith("_index.") and fragment != fragment.lower():
            return False  # not a heading: a section's template may render it from data
        return tree.has_ids and (self._are_known(tree) or _OF_GITHUB_ITSELF.fullmatch(page.path) is not None)

    def _is_of_gitbook(self, page: Page, fragment: str) -> bool:
        """Return whether GitBook, as publisher or origin of the link, gives a heading that id."""
        collapsed = heading_ids.collapse_punctuation(fragment)  # dots may remain; an id before a digit is added
        is_known = not {collapsed, collapsed.removeprefix("id-")}.isdisjoint(page.get_cached(_build_gitbook_ids))
        is_certain = is_known and (_SIGN_NAME.search(fragment) is not None or self._has_blocks)
        return is_certain or (is_known and self._marks.has(self._pages.get_file(page), OF_GITBOOK))

    @cached_property
    def _has_blocks(self) -> bool:
        return any(_BLOCK.search(page.plain) for page in self._pages.site.pages if "{%" in page.plain)

    def _is_doxygen_label(self, page: Page, fragment: str) -> bool:
        """Return whether another page has this Doxygen label, which links on any page may name."""
        is_known = self._marks.has(self._pages.get_file(page), OF_DOXYGEN)
        return is_known and any(f"{{#{fragment}}}" in other.plain for other in self._pages.site.pages)

    def _has_obsidian_target(self, page: Page, fragment: str) -> bool:
        """Return whether a page has the heading with that text, or the block, as Obsidian links name them."""
        if fragment.startswith("^"):
            return re.search(rf"(?:^|\s){re.escape(fragment)}[ \t]*$", page.plain, re.MULTILINE) is not None
        return anchors.build_github_slug(fragment.rpartition("#")[2]) in self._get_own_anchors(page).ids

    def _is_complete(self, tree: Tree, anchors: Anchors) -> bool:
        """Return whether a page has no other anchors: its shortcodes' templates are known to write none."""
        return anchors.is_complete and all(self._shortcodes.writes_no_anchors(tree, tag) for tag in anchors.shortcodes)

    def get_target_page(self, target: Target) -> Page | None:
        """Return the page of a target, even one that is not linted."""
        if target.kind != "file":
            return target.page
        return self._pages.load_unlinted(normpath(join(self._pages.docs, target.path))) if target.fragment else None

    def is_snippet(self, page: Page) -> bool:
        """Return whether other pages include the page, or most pages of a folder around it."""
        return page in self._snippets or any(folder in self._part_folders for folder in _iter_folders(page))

    @cache_method
    def is_joined(self, page: Page) -> bool:
        """Return whether a longer page has the whole text of a page, as scripts join pages: it is checked there."""
        text = page.document.text.strip()
        others = (other.document.text for other in self._pages.site.pages)
        return any(text in other and len(text) < len(other.strip()) for other in others)

    @cached_property
    def _snippets(self) -> frozenset[Page]:
        """The pages that others include: they are published there, with the slugs of that page."""
        files = ((page, self._pages.get_file(page)) for page in self._pages.site.pages)
        return frozenset(page for page, file in files if not self._included_files.isdisjoint(_iter_ends(file)))

    @cached_property
    def _part_folders(self) -> frozenset[str]:
        """The folders most of whose pages are included by others: nothing publishes the rest."""
        whole = Counter(folder for page in self._pages.site.pages for folder in _iter_folders(page))
        parts = Counter(folder for page in self._snippets for folder in _iter_folders(page))
        return frozenset(folder for folder, count in parts.items() if count > SEVERAL and 2 * count > whole[folder])

    @cached_property
    def _included_files(self) -> frozenset[str]:
        """The ends of the paths of snippets, and the files that other includes may mean, relative to a page or root."""
        out = set[str]()
        for page in self._pages.site.pages:
            out |= page.get_cached(snippets.find_named_files)
            for path in page.get_cached(snippets.find_included_pages):
                tree, here = self._pages.get_tree(page), dirname(self._pages.get_file(page))
                languages = tree.hugo.languages if tree.hugo else ()
                folders = (here, tree.docs, tree.root, *(language.folder for language in languages))
                out |= {normpath(join(folder, path.lstrip("/"))) for folder in folders}
        return frozenset(out)

    def has_included_text(self, page: Page) -> bool:
        """Return whether a page includes text from elsewhere."""
        return anchors.has_included_text(page.document) or is_part(self._pages.get_tree(page), page)

    def _is_github(self, tree: Tree) -> bool:
        """Return whether GitHub shows the pages, as it does plain files.

        It does unless links use the anchors of other generators, or URLs of a site.
        """
        requested = self._get_counts(tree)
        return tree.is_plain and requested.non_github < SEVERAL and requested.routed < SEVERAL

    def _are_known(self, tree: Tree) -> bool:
        """Return whether most anchors that links of a tree use exist: else another slug style is in use."""
        requested = self._get_counts(tree)
        return tree.is_complete or requested.missing <= SEVERAL or requested.present > requested.missing

    def _get_anchors_with_layout(self, tree: Tree, page: Page) -> Anchors:
        """Return the anchors of a page's own text and its layout."""
        known, around = self._get_own_anchors(page), self._layouts.get_anchors(tree, page)
        return known._replace(ids=known.ids | around.ids, is_complete=known.is_complete and around.is_complete)

    def _get_counts(self, tree: Tree) -> _AnchorCounts:
        return self._counts_by_tree.get(tree.id, _AnchorCounts(0, 0, 0, 0))

    def _is_mostly_known(self, page: Page) -> bool:
        """Return whether most anchors that links to a page use exist: else a hook may create them."""
        known = self._get_own_anchors(page).ids
        fragments = self._fragments.get(page, set())
        return 2 * len(fragments & known) > len(fragments)

    @cached_property
    def _fragments(self) -> dict[Page, set[str]]:
        """The anchors that the links of the site use, by page."""
        out: dict[Page, set[str]] = {}
        for page in self._pages.site.pages:
            for _, to in self._links(page):
                if to.fragment and to.page is not None and to.kind != "external":
                    out.setdefault(to.page, set()).add(to.fragment)
        return out

    @cached_property
    def _counts_by_tree(self) -> dict[str, _AnchorCounts]:
        matches, lost, only, routed = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
        slips = set[tuple[str, Page]]()
        for page in self._pages.site.pages:
            requested = [
                (reference, to) for reference, to in self._links(page) if to.fragment and to.kind != "external"
            ]
            targets = {(to.fragment, self.get_target_page(to), _is_route(reference)) for reference, to in requested}
            for fragment, target, is_route in targets:
                if target is not None:
                    tree = self._pages.get_tree(target)
                    known = self._get_anchors_with_layout(tree, target)
                    routed[tree.id] += is_route
                    if fragment in known.ids or self._is_made_by_generator(target, fragment, known.ids):
                        matches[tree.id] += known.is_complete and not known.shortcodes
                    elif (fragment, target) not in slips and (tree.is_plain or fragment.lower() not in known.ids):
                        lost[tree.id] += known.is_complete and not known.shortcodes
                        slips.add((fragment, target))
                    only[tree.id] += fragment in known.non_github_ids
        return {id_: _AnchorCounts(matches[id_], lost[id_], only[id_], routed[id_]) for id_ in {*matches, *lost, *only}}
