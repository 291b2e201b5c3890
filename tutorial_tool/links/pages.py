"""The pages of a site by file and by URL, each in the tree that publishes it, and their contents."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from posixpath import basename, commonpath, dirname, join, normpath, splitext

from tutorial_tool.core import lazy_re
from tutorial_tool.core.caching import cache_method
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.links import references, urls
from tutorial_tool.links.disk import SUFFIXES, Disk, make_relative
from tutorial_tool.links.generators import mkdocs
from tutorial_tool.links.references import Reference
from tutorial_tool.links.tree import MAX_LEVELS, Tree
from tutorial_tool.links.trees import FOR_AGENTS, TreeFinder
from tutorial_tool.site import Page, Site, page_facts
from tutorial_tool.site import load_plain as plain_site

Found = Page | str | None  # A page, the path of a file that is not a page of the site, or None

_TITLE = lazy_re.compile(r"^title[ \t]*:([^\n]*)$", re.MULTILINE)


class Pages:
    """The pages of a site. Files and folders are absolute paths with `/`."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.disk = Disk()
        # The folder to which paths in findings are relative, and the one to which pages' paths are
        self.root = normpath(site.layout.root.absolute().as_posix())
        self.docs = normpath(join(self.root, site.layout.docs))
        self._files: dict[str, str] = {}
        self._finder = TreeFinder(self.disk, self.root)
        self._trees_by_folder: dict[str, Tree] = {}
        self._tree_of: dict[Page, Tree] = {}

    def get_file(self, page: Page) -> str:
        """Return the path of a page's file, even if a template generates the page."""
        if page.path not in self._files:
            self._files[page.path] = normpath(join(self.docs, page.path))
        return self._files[page.path]

    @cached_property
    def by_file(self) -> dict[str, Page]:
        return {self.get_file(page): page for page in self.site.pages}

    @cached_property
    def figures(self) -> frozenset[str]:
        """The images that a build generates."""
        return frozenset(normpath(join(self.docs, path)) for path in self.site.figures)

    @cache_method
    def load_unlinted(self, file: str) -> Page | None:
        """Return a page that is not linted itself, if only some files of a tree are linted."""
        if self.site.is_project or not file.lower().endswith((".md", ".mdx", ".markdown")):
            return None
        return next(iter(plain_site([Path(file)], Path(self.root)).pages), None)

    def format_searched_folder(self, page: Page, reference: Reference) -> str:
        """Return ` in FOLDER` for a relative path on a template's page, whose folder its author doesn't see; or ""."""
        if page.place is None or reference.is_raw or reference.href.startswith("/"):
            return ""
        file = normpath(join(dirname(self.get_file(page)), reference.href.partition("#")[0]))
        names = make_relative(dirname(file), self.root).split("/")
        return f" in `{'/'.join('{platform}' if name == page.platform else name for name in names)}`"

    # Trees

    def get_tree(self, page: Page) -> Tree:
        """Return the tree that publishes a page."""
        if page not in self._tree_of:
            self._tree_of[page] = self._project_tree if self.site.is_project else self._find_tree(self.get_file(page))
        return self._tree_of[page]

    def _find_tree(self, file: str) -> Tree:
        """Return the tree of a file: that of its folder, unless it is excluded there or instructs agents."""
        folder = dirname(file)
        if folder not in self._trees_by_folder:
            self._trees_by_folder[folder] = self._finder.find_tree(join(folder, "page.md"))
        tree = self._trees_by_folder[folder]
        return self._finder.find_tree(file) if tree.excluded or basename(file) in FOR_AGENTS else tree

    def publishes(self, tree: Tree, file: str) -> bool:
        """Return whether a tree publishes a file in its folder, and no site in a folder below does."""
        return tree.generator.publishes(tree, file) and not self._find_tree(file).root.startswith(f"{tree.root}/")

    def is_included(self, tree: Tree) -> bool:
        """Return whether a site in an ancestor folder includes the pages of a MkDocs tree."""
        around = self._finder.find_enclosing_tree(dirname(tree.root))
        return around is not None and mkdocs.has_included_sites(around.node)

    def is_copied_by_build(self, page: Page) -> bool:
        """Return whether the site around a page has no docs folder: a build makes it from pages such as this."""
        around = self._finder.find_enclosing_tree(dirname(self.get_file(page)))
        return around is not None and not self.disk.is_folder(around.docs)

    @cached_property
    def _project_tree(self) -> Tree:
        """The tree of a project, from its `mkdocs.yml`, else with the defaults of MkDocs."""
        tree = self._finder.find_tree(join(self.docs, "index.md"))
        if not tree.is_plain and tree.contains_path(self.docs):
            return tree
        own = Tree(mkdocs.GENERATOR, self.root, self.docs, slugs="python-markdown", is_complete=True)
        return own if tree.is_plain else replace(own, static=tree.static)

    @cached_property
    def trees(self) -> list[Tree]:
        """All trees of the site, in the order of their first pages."""
        trees = list(dict.fromkeys(map(self.get_tree, self.site.pages)))
        for tree in trees:
            if tree.config is not None:  # so that findings in it can be suppressed
                self.site.sources.setdefault(tree.config.path, tree.config)
        return trees

    @cache_method
    def get_folder(self, tree: Tree) -> str:
        """Return the folder of a tree's pages; of plain files without a configuration, the one with the linted ones."""
        if not tree.is_plain or tree.generator.configuration:
            return tree.docs
        return commonpath({dirname(self.get_file(page)) for page in self.site.pages if self.get_tree(page) is tree})

    def list_possible_roots(self, tree: Tree) -> tuple[str, ...]:
        """Return the folder of a tree's pages and its ancestors within the repository, at most four folders.

        URLs of plain files may be relative to any of them, wherever the linter was started.
        """
        out = [self.get_folder(tree)]
        while len(out) < MAX_LEVELS and ".git" not in self.disk.list_entries(out[-1]) and out[-1] != "/":
            out.append(dirname(out[-1]))
        return tuple(out)

    def get_docs_path(self, page: Page) -> str:
        """Return a page's path relative to the folder of pages that its generator reads."""
        tree = self.get_tree(page)
        return make_relative(tree.get_inner_path(self.get_file(page)), tree.docs)

    # URLs

    def get_url(self, page: Page) -> str:
        """Return the path of a page's URL, from the host's root: `/base/guide/links/`."""
        return self._urls[page] if page in self._urls else self._build_url(page)  # a tab's page is not in the site

    @cached_property
    def _urls(self) -> dict[Page, str]:
        return {page: self._build_url(page) for page in self.site.pages}

    def _build_url(self, page: Page) -> str:
        tree = self.get_tree(page)
        front = {} if tree.is_exact else urls.read_stated(page.document)
        return tree.base + tree.build_page_path(self.get_docs_path(page), front)

    @cached_property
    def _by_key(self) -> dict[tuple[str, str], Page]:
        """Pages by their tree and the paths that serve their URL, with and without the tree's base."""
        out: dict[tuple[str, str], Page] = {}
        for page, url in self._urls.items():
            tree = self.get_tree(page)
            for whole in (url, url.removeprefix(tree.base)):
                for name in urls.list_served_paths(whole) if tree.is_exact else (urls.build_key(whole),):
                    out.setdefault((tree.id, name), page)
        return out

    def list_keys(self, tree: Tree) -> list[str]:
        """Return the keys of the URLs of a tree's pages, below its base."""
        own = (url for page, url in self._urls.items() if self.get_tree(page) is tree)
        return [urls.build_key(url.removeprefix(tree.base)) for url in own]

    @cached_property
    def names_by_folder(self) -> dict[tuple[str, str], set[str]]:
        """The last parts of page URLs, by tree and by the part before, with and without the tree's base."""
        out: dict[tuple[str, str], set[str]] = {}
        for tree_id, key in self._by_key:
            folder, _, name = urls.build_key(key).rpartition("/")
            out.setdefault((tree_id, folder), set()).add(name)
        return out

    def find_by_url(self, tree: Tree, path: str) -> Page | None:
        """Return the page at a URL path, with or without the tree's base, or None.

        If the path has a page's suffix and the generator resolves links to files, a file with another suffix does not
        count.
        """
        page = self._by_key.get((tree.id, path.lstrip("/") if tree.is_exact else urls.build_key(path)))
        is_file = tree.generator.resolves_files and path.endswith(SUFFIXES)
        is_other = page is not None and is_file and not page.path.endswith(splitext(path)[1])
        return None if is_other else page

    # Content of pages

    def get_title(self, page: Page) -> str:
        """Return a page's title: from its front matter or data, else its first heading."""
        match = next(page.document.find_in_front_matter(_TITLE), None)
        if match and (text := match[1].strip()):
            return text[1:-1] if text[0] in "\"'" and text[-1] == text[0] else text
        return strip_origins(page.title) or page.get_cached(get_first_heading)

    def get_references(self, page: Page) -> tuple[Reference, ...]:
        """Return the references on a page, sorted by place; none on one that is only a link target."""
        return () if page.is_link_only else page.get_cached(_find_references)


@page_facts.register
def _find_references(page: Page) -> tuple[Reference, ...]:
    return references.find_references(page.document)


@page_facts.register
def get_first_heading(page: Page) -> str:
    """Return the text of a page's first heading of level 1, or ""."""
    return page.document.lean.title
