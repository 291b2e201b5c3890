"""The redirects of a site, by the URLs that they match."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from tutorial_tool.links import redirect_files, redirects, urls
from tutorial_tool.links.disk import SUFFIXES
from tutorial_tool.links.pages import Pages
from tutorial_tool.links.redirects import Table
from tutorial_tool.links.target import Redirect
from tutorial_tool.links.tree import Tree
from tutorial_tool.links.urls import split_url
from tutorial_tool.site import Page
from tutorial_tool.site.fact_index import collect_facts


class RedirectTables:
    """A table of redirects for each tree of a site."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    @cached_property
    def all_redirects(self) -> list[tuple[Tree, Redirect]]:
        """All redirects, each with the tree whose URLs it matches."""
        trees = self._pages.trees
        out = list[tuple[Tree, Redirect]]()
        for tree in sorted(trees, key=lambda tree: not tree.recognized):
            matches = redirect_files.read_from_tree(tree, self._pages.disk, self._pages.root)
            # files next to a site are read as on GitHub: their redirects belong to the site
            claimed = set[str]() if tree.recognized else {other.span.path for _, other in out if other.span}
            out += [(tree, other) for other in matches if other.span is None or other.span.path not in claimed]
        for page, stated in collect_facts(self._pages.site, redirects.read_former_urls, linked=True).items():
            out += [(self._pages.get_tree(page), redirect) for redirect in stated]
        return out + [(trees[0], Redirect(old, new)) for old, new in self._pages.site.redirects if trees]

    @cached_property
    def _tables(self) -> dict[str, Table]:
        out = {tree.id: Table(self._pages.list_keys(tree)) for tree in self._pages.trees}
        for tree, redirect in self.all_redirects:
            for key in self.iter_keys(tree, redirect):
                out[tree.id].add(key, redirect)
        return out

    def iter_keys(self, tree: Tree, redirect: Redirect) -> Iterator[str]:
        """Yield the keys of the URLs that a redirect matches, the one below the tree's base last."""
        old, mark, _ = redirect.old.partition("#")
        if mark:
            return  # for a part of a page: a script on that page redirects
        if old.endswith(SUFFIXES) and not old.startswith("/"):
            yield urls.build_key(tree.build_page_path(old))
            return
        if redirect.page is not None and not old.startswith(("/", "http")):
            is_from_folder = tree.generator.aliases_from_folder and not redirect.from_page
            old = urls.join_path(self._pages.get_url(redirect.page), f"../{old}" if is_from_folder else old)
        path = split_url(old).path if old.startswith("http") else old
        if redirects.is_pattern(path):
            path = path.strip("/")
            yield path
            if tree.base != "/" and f"{path}/".startswith(tree.base.lstrip("/")):
                yield path.removeprefix(tree.base.strip("/")).strip("/")
            return
        yield urls.build_key(path)
        if tree.base != "/" and path.startswith(tree.base):
            yield urls.build_key(path.removeprefix(tree.base))

    def get(self, tree: Tree, url: str) -> tuple[Redirect, str] | None:
        """Return the redirect that matches the path of a URL, and its target, or None."""
        table = self._tables[tree.id]
        return table.get(urls.build_key(url.removeprefix(tree.base))) or table.get(urls.build_key(url))

    def list_relative_urls(self, page: Page, path: str) -> tuple[str, ...]:
        """Return the URLs whose redirects a relative link may follow, from the page's URL or, if guessed, its file."""
        url = self._pages.get_url(page)
        bases = (url,) if self._pages.get_tree(page).is_exact else (url, url.rstrip("/"))
        return tuple(urls.join_path(base, path) for base in bases)
