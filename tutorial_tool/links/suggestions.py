"""Suggestions for broken URLs: the most similar page or anchor, written like the link."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from posixpath import basename, dirname, normpath, relpath, splitext
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool.core.grouping import group_by, group_pairs
from tutorial_tool.links.anchors import build_github_slug
from tutorial_tool.links.disk import SUFFIXES
from tutorial_tool.links.heading_ids import build_vitepress_id, normalize_id
from tutorial_tool.links.pages import Pages
from tutorial_tool.links.references import Kind
from tutorial_tool.links.tree import Tree
from tutorial_tool.markdown.headings import build_python_markdown_slug
from tutorial_tool.site import Page

if TYPE_CHECKING:
    from tutorial_tool.links.target_candidates import TargetFinder

_NEAR_PAGE, NEAR_BESIDE, _NEAR_ANCHOR = 0.84, 0.75, 0.75
"""Minimum similarity (0 to 1) of names or anchors (rapidfuzz's normalized Indel similarity)."""
_SEARCHES, _NAMESAKES = 500, 500  # Maximum number of searches of all names, and of same-named pages to compare
_FIRST = ("overview", "introduction", "intro", "getting-started")
"""Names of the first page of a folder without an index."""


class Suggestion(NamedTuple):
    """A suggested URL. `is_certain` if nothing else can be meant."""

    address: str
    is_certain: bool = False


class _Candidate(NamedTuple):
    """A page that may be meant, by its stem, for a path relative to the folder `start`.

    `is_same` if only the case differs, `is_beside` if it is in the folder that was named.
    """

    stem: str
    start: str
    is_same: bool
    is_beside: bool


class Suggestions:
    """Suggests targets among the pages of a site."""

    def __init__(self, pages: Pages, targets: TargetFinder) -> None:
        self._pages, self._targets = pages, targets
        self._searches = 0

    @cached_property
    def _by_stem(self) -> dict[str, Page]:
        """Pages by their file without suffix, except those of older versions; an index by its folder."""
        return {_get_stem(file): page for file, page in self._pages.by_file.items() if not page.is_link_only}

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The stems of pages by their last part, ignoring case."""
        return group_by(self._by_stem, lambda stem: basename(stem).casefold())

    def suggest_page(self, page: Page, href: str, *, raw: bool, kind: Kind = "inline") -> Suggestion | None:
        """Return the page that a broken link probably means. `kind` is that of the reference."""
        path, mark, fragment = href.partition("#")
        result = self._find_candidate(page, path)
        if result is None:
            return None
        target = self._by_stem[result.stem]
        tree = self._pages.get_tree(page)
        if tree.recognized and self._pages.get_tree(target) is not tree:
            return None  # not published on the site of the link
        named = self._format_path(page, target, path, kind) if kind in ("ref", "liquid", "toctree", "doc") else ""
        address = (named or self.format_url(page, target, path, raw=raw, start=result.start)) + mark + fragment
        return Suggestion(address, result.is_same) if address != href else None

    def _find_candidate(self, page: Page, path: str) -> _Candidate | None:
        """Return the page that a path probably means, from each folder that it may be relative to."""
        starts = [""] if path.startswith("/") else self._list_start_folders(page, path)
        stems = ((self._resolve_stem(page, path, start), start) for start in starts)
        matches = ((stem, self._match_candidate(stem, start)) for stem, start in stems)
        result = [match for stem, match in matches if match and not self._is_of_variant(page, stem, match.stem)]
        return next((item for item in result if item.is_beside), result[0] if result else None)

    def _match_candidate(self, expected: str, start: str) -> _Candidate | None:
        namesakes = self._by_name.get(basename(expected).casefold(), [])
        same = [stem for stem in namesakes if stem.casefold() == expected.casefold()]
        only = namesakes[0] if len(namesakes) == 1 else None
        first = next((stem for name in _FIRST if (stem := f"{expected}/{name}") in self._by_stem), None)
        text = same[0] if len(same) == 1 else first or only or self._find_nearest_stem(expected, namesakes)
        return _Candidate(text, start, len(same) == 1, dirname(text) == dirname(expected)) if text is not None else None

    def _is_of_variant(self, page: Page, expected: str, stem: str) -> bool:
        """Return whether a page is in the folder of another platform or version: the linking page has a copy there."""
        own, names, others = (path.split("/") for path in (_get_stem(self._pages.get_file(page)), expected, stem))
        at = next((at for at, name in enumerate(names) if others[at : at + 1] != [name]), len(names))
        is_below_own = own[: at + 1] == names[: at + 1] and at + 1 < min(len(own), len(names))
        is_alone = names[at + 1 :] == others[at + 1 :]
        twin = "/".join([*own[:at], *others[at : at + 1], *own[at + 1 :]])
        return is_below_own and is_alone and twin in self._by_stem

    def _list_start_folders(self, page: Page, path: str) -> list[str]:
        """Return the folders that a relative path may count from: the file's, and that of the page's URL."""
        tree, file = self._pages.get_tree(page), self._pages.get_file(page)
        if path.endswith(SUFFIXES) or tree.is_plain or tree.is_exact or tree.links == "file":
            return [dirname(file)]
        inner = _get_stem(file)
        is_known = inner == dirname(file) or self._targets.counts_from_address(tree)
        return [inner] if is_known else [dirname(file), inner]

    def _format_path(self, page: Page, target: Page, like: str, kind: Kind) -> str:
        """Return the name of a page in shortcodes, tags and directives."""
        tree, file, own = self._pages.get_tree(target), self._pages.get_file(target), self._pages.get_file(page)
        if kind == "ref":
            return self._targets.get_content(tree).format_path(own, file, like) if tree.hugo else ""
        if kind in ("toctree", "doc"):
            start, folder = ("/", tree.docs) if like.startswith("/") else ("", dirname(own))
            return start + splitext(relpath(file, folder))[0]
        return relpath(file, tree.docs)

    def _resolve_stem(self, page: Page, path: str, start: str) -> str:
        """Return the stem that a path names, relative to the folder `start` or to the root."""
        tree = self._pages.get_tree(page)
        if alias := _get_alias(tree, path):
            return _get_stem(normpath(f"{tree.root}/{path.removeprefix(alias)}"))
        if path.startswith("/"):
            return _get_stem(normpath(f"{tree.docs}/{path.removeprefix(tree.base.rstrip('/')).strip('/')}"))
        return _get_stem(normpath(f"{start}/{path}"))

    def _find_nearest_stem(self, expected: str, named: list[str]) -> str | None:
        """Return the page with the nearest path among those of that name, or of the most similar name."""
        if not named:
            name, beside = basename(expected).casefold(), self._by_folder.get(dirname(expected), [])
            near = find_best_match(name, beside, NEAR_BESIDE) or self._find_name_anywhere(name)
            named = self._by_name[near] if near else []
        nearest = find_best_match(expected, named[:_NAMESAKES], 0)
        if not nearest or len(named) == 1:
            return nearest
        folder, around = basename(dirname(expected)), dirname(nearest).split("/")
        return nearest if find_best_match(folder, around, NEAR_BESIDE) else None  # no `overview` elsewhere, no copy

    def _find_name_anywhere(self, name: str) -> str | None:
        """Return the most similar name of all pages, for a limited number of searches.

        With very many broken links, their time would grow with the number of pages.
        """
        self._searches += 1
        return find_best_match(name, list(self._by_name), _NEAR_PAGE) if self._searches <= _SEARCHES else None

    @cached_property
    def _by_folder(self) -> dict[str, list[str]]:
        """The names of pages by their folder."""
        return group_pairs((dirname(stem), basename(stem).casefold()) for stem in self._by_stem)

    def format_hint(self, tree: Tree, path: str) -> str:
        """Return `; did you mean …?` for a path relative to the docs folder of a tree, or ""."""
        expected = _get_stem(normpath(f"{tree.docs}/{path}"))
        nearest = self._find_nearest_stem(expected, self._by_name.get(basename(expected).casefold(), []))
        return f"; did you mean `{self._pages.get_docs_path(self._by_stem[nearest])}`?" if nearest else ""

    def format_url(self, page: Page, target: Page, like: str = "", *, raw: bool = False, start: str = "") -> str:
        """Return the URL of a page on another, written like an existing one: from the root, as file or URL.

        `start` is the folder that a URL without a suffix is relative to, "" if unknown.
        """
        tree = self._pages.get_tree(page)
        if alias := _get_alias(tree, like):
            return alias + relpath(self._pages.get_file(target), tree.root)
        if like.startswith("/"):
            return self._format_root_url(tree, target, like)
        names_files = not raw if tree.is_exact else like.endswith(SUFFIXES) or tree.is_plain
        if names_files or (not like and not raw and tree.generator.resolves_files):
            return _add_dot_prefix(relpath(target.path, dirname(page.path) or "."), like)
        url, own = self._pages.get_url(target), self._pages.get_url(page)
        if start and not raw and not all(text.endswith(".html") for text in (like, url, own)):
            return self._format_suffixless_url(tree, target, like, start)
        return _add_dot_prefix(relpath(url, own if own.endswith("/") else dirname(own)) + "/" * url.endswith("/"), like)

    def _format_suffixless_url(self, tree: Tree, target: Page, like: str, start: str) -> str:
        """Return the URL of a page without a suffix, or with `.html`, relative to a folder of files."""
        file = self._pages.get_file(target)
        stem = _get_stem(file)
        is_index = stem == dirname(file)
        if like.endswith(".html"):
            return _add_dot_prefix(relpath(stem, start) + ("/index.html" if is_index else ".html"), like)
        is_folder = like.endswith("/") or (is_index and tree.links == "file")
        return _add_dot_prefix(relpath(stem, start) + "/" * (is_folder and (is_index or tree.links != "file")), like)

    def _format_root_url(self, tree: Tree, target: Page, like: str) -> str:
        """Return the URL of a page from the root: with the site's base, unless the generator adds that."""
        url = self._pages.get_url(target)
        if tree.is_exact:
            return url
        if tree.adds_base and not (tree.base != "/" and like.startswith(tree.base)):
            url = "/" + url.removeprefix(tree.base)
        if like.endswith(SUFFIXES) and tree.generator.resolves_files:
            return "/" + relpath(self._pages.get_file(target), tree.docs)
        if url.endswith(".html"):
            return url if like.endswith(".html") else url.removesuffix(".html")
        return url if like.endswith("/") else url.rstrip("/") or "/"


def _get_alias(tree: Tree, path: str) -> str:
    """Return the alias at the start of a path relative to the configuration's folder, or ""."""
    return tree.generator.root_alias if path.startswith(tree.generator.root_alias or " ") else ""


def _add_dot_prefix(path: str, like: str) -> str:
    """Add `./` to a relative path if another has it."""
    return f"./{path}" if like.startswith("./") and not path.startswith(".") else path


def _get_stem(path: str) -> str:
    stem = splitext(path)[0] if path.endswith((*SUFFIXES, ".html", ".htm")) else path
    return dirname(stem) if basename(stem) in ("index", "README", "_index") else stem


def find_best_match(expected: str, names: list[str], cutoff: float) -> str | None:
    """Return the name most similar to another, if the similarity is at least `cutoff`, from 0 to 1."""
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    result = process.extractOne(expected, names, scorer=Indel.normalized_similarity, score_cutoff=cutoff)
    return str(result[0]) if result else None


def suggest_anchor(fragment: str, ids: Iterable[str]) -> Suggestion | None:
    """Return the anchor that was probably meant: in another case, of a heading with that text, or similar."""
    known = list(ids)
    same = [id_ for id_ in known if id_.casefold() == fragment.casefold()]
    if same:
        return Suggestion(same[0], len(same) == 1)
    made = {make(fragment) for make in (build_vitepress_id, build_python_markdown_slug, build_github_slug)}
    if slugs := made.intersection(known):  # the longest, if the site has several
        return Suggestion(max(slugs, key=len), sum(normalize_id(id_) == normalize_id(fragment) for id_ in known) == 1)
    near = find_best_match(fragment, known, _NEAR_ANCHOR)
    return Suggestion(near) if near else None
