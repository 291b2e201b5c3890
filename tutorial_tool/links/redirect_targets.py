"""Following redirects from an old URL until a page or file is found."""

from __future__ import annotations

import re
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tutorial_tool.core.diagnostics import MAX_DEPTH
from tutorial_tool.links import redirects, urls
from tutorial_tool.links.disk import SUFFIXES, make_relative
from tutorial_tool.links.pages import Pages
from tutorial_tool.links.redirect_tables import RedirectTables
from tutorial_tool.links.references import has_scheme
from tutorial_tool.links.target import Redirect, Target
from tutorial_tool.links.target_candidates import TargetFinder
from tutorial_tool.links.tree import Tree
from tutorial_tool.site import Page

if TYPE_CHECKING:
    from tutorial_tool.links.evidence import Evidence


class RedirectFollower:
    """Follows the redirects of a site."""

    def __init__(self, pages: Pages, targets: TargetFinder, evidence: Evidence, tables: RedirectTables) -> None:
        self._pages, self._targets, self._evidence, self._tables = pages, targets, evidence, tables

    def follow(self, tree: Tree, url: str, fragment: str = "", depth: int = 0) -> Target | None:
        """Return the target of the path of a URL through redirects, or None if none matches it."""
        pair = self._tables.get(tree, url)
        if pair is None or depth > MAX_DEPTH:
            return None
        redirect, new = pair
        if redirect.page is not None and not new:
            return Target("page", redirect.page, redirect.page.path, fragment, True)
        target = self.resolve_destination(tree, new, depth + 1)
        kind = target.kind if target.kind in ("page", "file", "external") else "unknown"  # the redirect is at fault
        return Target(kind, target.page, target.path, target.fragment or fragment, True)

    def resolve_destination(
        self, tree: Tree, new: str, depth: int = 0, *, own: bool = False, is_file: bool = False
    ) -> Target:
        """Resolve the target of a redirect.

        `own` if it is relative to the site even without its base; `is_file` if it is the path of a page's file and not
        a URL.
        """
        if has_scheme(new):
            return Target("external", None, new)
        path, _, fragment = new.partition("#")
        path, fragment = unquote(path.partition("?")[0]), unquote(fragment)
        if is_file or (not path.startswith("/") and path.endswith(SUFFIXES)):
            file = normpath(join(tree.docs, path))
            result = self._targets.find_at_path(file) or self._targets.find_at_path(re.sub(r"\.rst$", ".md", file))
        else:
            path = path if path.startswith("/") else f"/{path}"
            result = self._targets.find_at_root(tree, path)
        if isinstance(result, Page):
            return Target("page", result, result.path, fragment)
        if result is not None:
            return Target("file", None, make_relative(result, self._pages.docs), fragment)
        if again := self.follow(tree, tree.base + tree.build_page_path(path) if is_file else path, fragment, depth):
            return again
        if own and tree.base != "/" and not path.startswith(tree.base):
            path = tree.base + path[1:]
        return Target("missing" if self._is_missing(tree, path, is_file) else "unknown", None, path, fragment)

    def _is_missing(self, tree: Tree, path: str, is_file: bool) -> bool:
        """Return whether it is certain that nothing exists at a path which no page or file has."""
        if is_file:
            file = normpath(join(tree.docs, path))
            return self._pages.disk.is_folder(dirname(file)) and not self._evidence.is_build_output(tree, file)
        if tree.is_exact and not tree.adds_pages and not path.startswith("/"):
            return not self._evidence.is_build_output(tree, join(tree.docs, path))
        return path.startswith("/") and self._evidence.can_prove_root_missing(tree, path)

    def find_published_page(self, tree: Tree, redirect: Redirect) -> Page | None:
        """Return the page published at the old URL of a redirect, from which nobody is redirected."""
        is_folder = basename(redirect.old.rstrip("/")) in ("index", "README.md")
        if not tree.generator.keeps_pages or is_folder or redirect.is_forced:
            return None
        is_file = tree.is_exact and redirect.old.endswith(SUFFIXES)
        keys = [_build_key(tree, redirect.old)] if is_file else self._tables.iter_keys(tree, redirect)
        result = filter(None, (self._pages.find_by_url(tree, key) for key in keys))
        return next((page for page in result if page is not redirect.page), None)

    def is_circular(self, tree: Tree, redirect: Redirect) -> bool:
        """Return whether a redirect leads back to its start.

        One that only adds or removes a trailing slash does not, nor does one through a pattern, since hosts look for a
        file first.
        """
        if "#" in redirect.old or redirects.is_pattern(redirect.old):
            return False
        seen, new = {_build_key(tree, redirect.old)}, redirect.new
        if urls.build_key(redirect.old.strip("/")) == urls.build_key(new.strip("/")) and redirect.old != new:
            return False
        for _ in range(MAX_DEPTH):
            key = _build_key(tree, new)
            is_page = self._pages.find_by_url(tree, key) is not None  # most hosts show it and do not redirect
            if key in seen:
                return not has_scheme(new) and not (is_page and len(seen) + redirect.is_file > 1)
            if is_page:
                return False
            seen.add(key)
            following = self._tables.get(tree, key)
            is_pattern = following is not None and redirects.is_pattern(following[0].old)
            if following is None or not following[1] or is_pattern or _build_key(tree, following[1]) == key:
                return False
            new = following[1]
        return True

    def follow_file(self, page: Page, path: str, fragment: str = "") -> Target | None:
        """Return what the file named by a link redirects to, or None if no redirect matches it."""
        if not path.endswith(SUFFIXES):
            return None
        tree = self._pages.get_tree(page)
        root = tree.docs if path.startswith("/") else dirname(self._pages.get_file(page))
        url = tree.build_page_path(make_relative(normpath(join(root, unquote(path).lstrip("/"))), tree.docs))
        parts = url.split("/")  # a custom site may publish an inner folder at its root
        depth = 1 if tree.recognized or not tree.generator.name else len(parts)
        candidates = ["/".join(parts[at:]) for at in range(depth)]
        targets = (self.follow(tree, tree.base + key, fragment) for key in candidates if key)
        return next(filter(None, targets), None)


def _build_key(tree: Tree, address: str) -> str:
    path = address.partition("#")[0]
    if path.endswith(SUFFIXES) and not path.startswith("/"):
        url = tree.build_page_path(path)
        return url if tree.is_exact else urls.build_key(url)  # `x.html` is not `x/index.html`
    return urls.build_key(path)
