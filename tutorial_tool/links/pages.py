"""The pages of a site by file and by URL, each in the tree that it is published in, and what stands on them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from posixpath import commonpath, dirname, join, normpath, splitext

from tutorial_tool.core import lazy_re
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.links import references, urls
from tutorial_tool.links.disk import SUFFIXES, Disk, below
from tutorial_tool.links.generators import mkdocs
from tutorial_tool.links.references import Reference
from tutorial_tool.links.tree import Tree
from tutorial_tool.links.trees import Finder
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.site import plain as plain_site

Found = Page | str | None  # A page, the path of a file that is no page of the site, or nothing

_UP = 4  # How many folders around plain files may be the root of addresses
_TITLE = lazy_re.compile(r"^title[ \t]*:([^\n]*)$", re.MULTILINE)


class Pages:
    """The pages of one site. Files and folders are absolute paths with `/`."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.disk = Disk()
        # The folder from which findings name paths, and the one from which pages do
        self.root = normpath(site.layout.root.absolute().as_posix())
        self.docs = normpath(join(self.root, site.layout.docs))
        self._files: dict[str, str] = {}
        self._finder = Finder(self.disk, self.root)
        self._trees_by_folder: dict[str, Tree] = {}
        self._tree_of: dict[Page, Tree] = {}
        self._folder_of: dict[str, str] = {}
        self._beside: dict[str, Page | None] = {}

    def file(self, page: Page) -> str:
        """Where a page stands, also one that a template makes."""
        if page.path not in self._files:
            self._files[page.path] = normpath(join(self.docs, page.path))
        return self._files[page.path]

    @cached_property
    def by_file(self) -> dict[str, Page]:
        return {self.file(page): page for page in self.site.pages}

    @cached_property
    def drawn(self) -> frozenset[str]:
        """The pictures that a build draws."""
        return frozenset(normpath(join(self.docs, path)) for path in self.site.figures)

    def beside(self, file: str) -> Page | None:
        """A page that is not linted itself, where only some files of a tree are named."""
        if self.site.is_project or not file.lower().endswith((".md", ".mdx", ".markdown")):
            return None
        if file not in self._beside:
            pages = plain_site([Path(file)], Path(self.root)).pages
            self._beside[file] = pages[0] if pages else None
        return self._beside[file]

    # Trees

    def tree(self, page: Page) -> Tree:
        """The tree that a page is published in."""
        if page not in self._tree_of:
            self._tree_of[page] = self._project if self.site.is_project else self._at(self.file(page))
        return self._tree_of[page]

    def _at(self, file: str) -> Tree:
        """The tree of a page: that of its folder, if it is not left out there."""
        folder = dirname(file)
        if folder not in self._trees_by_folder:
            self._trees_by_folder[folder] = self._finder.tree(join(folder, "page.md"))
        tree = self._trees_by_folder[folder]
        return self._finder.tree(file) if tree.excluded else tree

    def publishes(self, tree: Tree, file: str) -> bool:
        """Whether a file in the folder of a tree is published there, and not by a site in a folder below."""
        return tree.generator.publishes(tree, file) and not self._at(file).root.startswith(f"{tree.root}/")

    def is_joined(self, tree: Tree) -> bool:
        """Whether the site of a folder around brings in the pages of a tree of MkDocs."""
        around = self._finder.around(dirname(tree.root))
        return around is not None and mkdocs.joins(around)

    @cached_property
    def _project(self) -> Tree:
        """A project's: what its `mkdocs.yml` says, else what MkDocs does unless told otherwise."""
        tree = self._finder.tree(join(self.docs, "index.md"))
        if not tree.is_plain and tree.holds(self.docs):
            return tree
        own = Tree(mkdocs.GENERATOR, self.root, self.docs, slugs="python-markdown", closed=True)
        return own if tree.is_plain else replace(own, static=tree.static)

    @cached_property
    def trees(self) -> list[Tree]:
        """All trees of the site, in the order of their first pages."""
        trees = list(dict.fromkeys(map(self.tree, self.site.pages)))
        for tree in trees:
            if tree.config is not None:  # what is found there can be silenced there
                self.site.sources.setdefault(tree.config.path, tree.config)
        return trees

    def folder(self, tree: Tree) -> str:
        """The folder of a tree's pages; of plain files the one that holds those that are linted."""
        if not tree.is_plain:
            return tree.docs
        if tree.id not in self._folder_of:
            folders = {dirname(self.file(page)) for page in self.site.pages if self.tree(page) is tree}
            self._folder_of[tree.id] = commonpath(folders)
        return self._folder_of[tree.id]

    def around(self, tree: Tree) -> tuple[str, ...]:
        """The folder of a tree's pages and those around it, no further up than the repository goes: any may be the
        root that addresses of plain files count from, wherever the linter was started."""
        out = [self.folder(tree)]
        while len(out) < _UP and ".git" not in self.disk.entries(out[-1]) and out[-1] != "/":
            out.append(dirname(out[-1]))
        return tuple(out)

    def docs_path(self, page: Page) -> str:
        """A page's path relative to the folder of pages that its generator reads."""
        tree = self.tree(page)
        return below(tree.inner(self.file(page)), tree.docs)

    # URLs

    def url(self, page: Page) -> str:
        """The path of a page's URL, from the host's root: `/base/guide/links/`."""
        return self._urls[page] if page in self._urls else self._url_of(page)  # a tab's page is none of the site's

    @cached_property
    def _urls(self) -> dict[Page, str]:
        return {page: self._url_of(page) for page in self.site.pages}

    def _url_of(self, page: Page) -> str:
        tree = self.tree(page)
        front = {} if tree.is_exact else urls.stated(page.document)
        return tree.base + tree.page_path(self.docs_path(page), front)

    @cached_property
    def _by_key(self) -> dict[tuple[str, str], Page]:
        """Pages by their tree and what answers for their URL, with the tree's base and without."""
        out: dict[tuple[str, str], Page] = {}
        for page, url in self._urls.items():
            tree = self.tree(page)
            for whole in (url, url.removeprefix(tree.base)):
                for name in urls.served(whole) if tree.is_exact else (urls.key(whole),):
                    out.setdefault((tree.id, name), page)
        return out

    def keys(self, tree: Tree) -> list[str]:
        """What answers for the URLs of a tree's pages, below its base."""
        return [urls.key(url.removeprefix(tree.base)) for page, url in self._urls.items() if self.tree(page) is tree]

    @cached_property
    def _names_by_folder(self) -> dict[tuple[str, str], set[str]]:
        """The last parts of the URLs of pages, by tree and by the part before, with the tree's base and without."""
        out: dict[tuple[str, str], set[str]] = {}
        for tree_id, key in self._by_key:
            folder, _, name = urls.key(key).rpartition("/")
            out.setdefault((tree_id, folder), set()).add(name)
        return out

    def names_beside(self, tree: Tree, path: str) -> set[str]:
        """List the last parts of the URLs of pages that differ from a path in that alone."""
        return self._names_by_folder.get((tree.id, urls.key(path).rpartition("/")[0]), set())

    def by_url(self, tree: Tree, path: str) -> Page | None:
        """The page at the path of a URL, with the tree's base or without; a page's suffix may name its file."""
        page = self._by_key.get((tree.id, path.lstrip("/") if tree.is_exact else urls.key(path)))
        is_file = tree.generator.resolves_files and path.endswith(SUFFIXES)
        is_other = page is not None and is_file and not page.path.endswith(splitext(path)[1])
        return None if is_other else page

    # What stands on a page

    def title(self, page: Page) -> str:
        """A page's title: as its front matter or the data say it, else its first heading."""
        front = page.document.front_matter
        match = _TITLE.search(page.document.front_text, front.start, front.end) if front else None
        if match and (text := match[1].strip()):
            return text[1:-1] if text[0] in "\"'" and text[-1] == text[0] else text
        return strip_origins(page.title) or page.kept(first_heading)

    def references(self, page: Page) -> tuple[Reference, ...]:
        """The addresses that stand on a page, in their order."""
        return page.kept(_references)


@page_facts.of_each
def _references(page: Page) -> tuple[Reference, ...]:
    return references.find_references(page.document)


@page_facts.of_each
def first_heading(page: Page) -> str:
    """The text of a page's first heading of level 1; "" where it has none."""
    return page.document.lean.title
