"""What an address that leads nowhere was meant to be: the nearest page or anchor, written as the link is."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from posixpath import basename, dirname, normpath, relpath, splitext
from typing import NamedTuple

from tutorial_tool.addresses.anchors import github_slug
from tutorial_tool.addresses.pages import Pages
from tutorial_tool.addresses.readings import Readings
from tutorial_tool.addresses.references import Kind
from tutorial_tool.addresses.tree import Tree
from tutorial_tool.sections import python_markdown_slug
from tutorial_tool.site import Page

_NEAR_PAGE, NEAR_BESIDE, _NEAR_ANCHOR = 0.84, 0.7, 0.75
"""How alike, of 1, two names or anchors are at least (rapidfuzz's normalised Indel similarity)."""
_SEARCHES, _NAMESAKES = 500, 500
"""How many times all names are searched, and how many pages of one name are compared."""
_MARKDOWN = (".md", ".mdx", ".markdown")


class Suggestion(NamedTuple):
    """An address to write instead. `sure` where nothing else can be meant."""

    address: str
    sure: bool = False


class Suggestions:
    """Finds what was meant among the pages of a site."""

    def __init__(self, pages: Pages, readings: Readings) -> None:
        self._pages, self._readings = pages, readings
        self._searches = 0

    @cached_property
    def _by_stem(self) -> dict[str, Page]:
        """Pages by their file without suffix; an index by its folder."""
        return {_stem(file): page for file, page in self._pages.by_file.items()}

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The stems of pages by their last part, whatever its case."""
        out: dict[str, list[str]] = {}
        for stem in self._by_stem:
            out.setdefault(basename(stem).casefold(), []).append(stem)
        return out

    def page(self, page: Page, href: str, *, raw: bool, kind: Kind = "inline") -> Suggestion | None:
        """The page that a link on another was meant to lead to. `kind` is that of the reference."""
        path, mark, fragment = href.partition("#")
        wanted = self._wanted(page, path)
        namesakes = self._by_name.get(basename(wanted).casefold(), [])
        same = [stem for stem in namesakes if stem.casefold() == wanted.casefold()]
        only = namesakes[0] if len(namesakes) == 1 else None
        found = same[0] if len(same) == 1 else only or self._nearest(wanted, namesakes)
        if found is None and dirname(wanted) in self._by_stem and not path.endswith(_MARKDOWN):
            found = dirname(wanted)  # a page that became a section of the one above it
        if found is None:
            return None
        target = self._by_stem[found]
        named = self._path(page, target, path, kind) if kind in ("ref", "liquid", "toctree") else ""
        address = (named or self.written(page, target, path, raw=raw)) + mark + fragment
        return Suggestion(address, len(same) == 1) if address != href else None

    def _path(self, page: Page, target: Page, like: str, kind: Kind) -> str:
        """How shortcodes, tags and directives name a page."""
        tree, file = self._pages.tree(target), self._pages.file(target)
        if kind == "ref":
            return self._readings.content(tree).path(self._pages.file(page), file, like) if tree.hugo else ""
        if kind == "toctree":
            return splitext(relpath(file, dirname(self._pages.file(page))))[0]
        return relpath(file, tree.root)

    def _wanted(self, page: Page, path: str) -> str:
        """The stem that an address names."""
        tree = self._pages.tree(page)
        if path.startswith("/"):
            return _stem(normpath(f"{tree.docs}/{path.removeprefix(tree.base.rstrip('/')).strip('/')}"))
        return _stem(normpath(f"{dirname(self._pages.file(page))}/{path}"))

    def _nearest(self, wanted: str, named: list[str]) -> str | None:
        """Of the pages of that name, or of the name that is nearest to it, the one whose path is nearest."""
        if not named:
            name = basename(wanted).casefold()
            near = best(name, self._by_folder.get(dirname(wanted), []), NEAR_BESIDE) or self._anywhere(name)
            named = self._by_name[near] if near else []
        return best(wanted, named[:_NAMESAKES], 0)

    def _anywhere(self, name: str) -> str | None:
        """The nearest name of all. Where very many links are broken, their time would grow with the pages' number."""
        self._searches += 1
        return best(name, list(self._by_name), _NEAR_PAGE) if self._searches <= _SEARCHES else None

    @cached_property
    def _by_folder(self) -> dict[str, list[str]]:
        """The names of pages by their folder."""
        out: dict[str, list[str]] = {}
        for stem in self._by_stem:
            out.setdefault(dirname(stem), []).append(basename(stem).casefold())
        return out

    def near(self, tree: Tree, path: str) -> str:
        """`; did you mean …?` for a path relative to the docs folder of a tree."""
        wanted = _stem(normpath(f"{tree.docs}/{path}"))
        found = self._nearest(wanted, self._by_name.get(basename(wanted).casefold(), []))
        return f"; did you mean `{self._pages.docs_path(self._by_stem[found])}`?" if found else ""

    def written(self, page: Page, target: Page, like: str = "", *, raw: bool = False) -> str:
        """The address of a page, written on another as an address there is: from the root, as a file or as a URL."""
        url, is_mkdocs = self._pages.url(target), self._pages.tree(page).is_mkdocs
        if like.startswith("/"):
            return url if like.endswith("/") or is_mkdocs else url.rstrip("/") or "/"
        names_files = not raw if is_mkdocs else like.endswith(_MARKDOWN) or not self._pages.tree(page).engine
        if names_files:
            return relpath(target.path, dirname(page.path) or ".")
        return relpath(url, self._pages.url(page)) + "/" * url.endswith("/")


def _stem(path: str) -> str:
    stem = splitext(path)[0] if path.endswith((*_MARKDOWN, ".html", ".htm")) else path
    return dirname(stem) if basename(stem) in ("index", "README", "_index") else stem


def best(wanted: str, names: list[str], cutoff: float) -> str | None:
    """The name that is most like another, if it is as alike as `cutoff`, from 0 to 1."""
    from rapidfuzz import process
    from rapidfuzz.distance import Indel

    found = process.extractOne(wanted, names, scorer=Indel.normalized_similarity, score_cutoff=cutoff)
    return str(found[0]) if found else None


def anchor(fragment: str, ids: Iterable[str]) -> Suggestion | None:
    """The anchor that was meant: it differs in case, or a heading of that text has it, or it is near."""
    known = list(ids)
    same = [id_ for id_ in known if id_.casefold() == fragment.casefold()]
    if same:
        return Suggestion(same[0], len(same) == 1)
    slugs = (python_markdown_slug(fragment), github_slug(fragment))
    if slug := next((slug for slug in slugs if slug in known), None):
        return Suggestion(slug, True)
    near = best(fragment, known, _NEAR_ANCHOR)
    return Suggestion(near) if near else None
