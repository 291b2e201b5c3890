"""Mounts: which folder serves which path of the host, inferred from the root-relative links that resolve."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from posixpath import basename, dirname, join, normpath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from tutorial_tool.core import language, lazy_re
from tutorial_tool.core.grouping import group_by
from tutorial_tool.links import urls
from tutorial_tool.links.tree import SEVERAL, Tree

if TYPE_CHECKING:
    from tutorial_tool.links.pages import Found, Pages
    from tutorial_tool.links.target_candidates import TargetFinder


class Mount(NamedTuple):
    """A mapping of paths that begin with `prefix` to files in `folder`."""

    prefix: str
    folder: str


_SAMPLE = 400  # Number of distinct URLs examined to find where a tree is mounted, and of namesakes for each
_GROUP = lazy_re.compile(r"/\([^()/]+\)(?=/)")
_ORDERED = lazy_re.compile(r"/\d+\.(?=[^\W\d_][^/])")
_VERSION = lazy_re.compile(r"(?<=/)v\d[\w.]*/$")


class Mounts:
    """The mounts of each tree of a site."""

    def __init__(self, pages: Pages, targets: TargetFinder) -> None:
        self._pages, self._targets = pages, targets

    @cached_property
    def requested_paths(self) -> dict[str, Counter[str]]:
        """The root-relative URLs on the pages of each tree, and how often they occur."""
        out: dict[str, Counter[str]] = {tree.id: Counter() for tree in self._pages.trees}
        for page in self._pages.site.pages:
            of_tree = out[self._pages.get_tree(page).id]
            for reference in self._pages.get_references(page):
                if reference.href.startswith("/") and not reference.href.startswith("//") and not reference.is_path:
                    of_tree[urls.join_path("/", unquote(reference.path))] += 1
        return out

    @cached_property
    def _stems(self) -> dict[str, list[str]]:
        """The files of pages without suffix, an index as its folder, by their last part."""
        names = (file.rpartition(".")[0] for file in self._pages.by_file)
        stems = (stem for name in names for stem in dict.fromkeys((name, *iter_unordered_stems(name))))
        return group_by((f"/{urls.build_key(stem)}" for stem in stems), basename)

    @cached_property
    def _by_tree(self) -> dict[str, list[Mount]]:
        out = {}
        for tree in self._pages.trees:
            lost = (path for path in self.requested_paths[tree.id] if self._targets.find_directly(tree, path) is None)
            keys = map(urls.build_key, islice(lost, _SAMPLE))
            votes = Counter(mount for key in keys for mount in self._find_possible(key))
            for mount in [mount for mount in votes if Mount(_VERSION.sub("", mount.prefix), mount.folder) in votes]:
                if _VERSION.search(mount.prefix):
                    del votes[mount]  # another version, not among the loaded pages
            ranked = sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))  # keeps ties in a stable order
            out[tree.id] = [mount for mount, count in ranked if count >= SEVERAL]
        return out

    def _find_possible(self, key: str) -> set[Mount]:
        """Return the mounts by which a path would mean a page."""
        stems = self._stems.get(basename(key), ())[:_SAMPLE]
        mounts = (mount for stem in stems if (mount := _infer_mount(key, stem)))
        return {mount for mount in mounts if not _changes_language(mount)}

    def find(self, tree: Tree, path: str) -> Found:
        """Return what is at a path in one of the mounts, or None."""
        fit = (mount for mount in self._by_tree[tree.id] if path.startswith(mount.prefix))
        for file in (normpath(join(mount.folder, path[len(mount.prefix) :].strip("/"))) for mount in fit):
            inner = file.removeprefix(tree.docs)  # names of files may be changed in URLs
            if result := self._targets.find_at_path(file):
                return result
            if inner != file and (page := self._pages.find_by_url(tree, inner)):
                return page
        return None

    def may_contain(self, tree: Tree, path: str) -> bool:
        """Return whether a path may mean a page in a folder that too few links show to be a mount, beside one that is.

        Its file then ends in the whole path.
        """
        key = urls.build_key(path)
        stems = self._stems.get(basename(key), ()) if "/" in key and self._by_tree[tree.id] else ()
        return any(stem.endswith(f"/{key}") for stem in stems)


def _changes_language(mount: Mount) -> bool:
    """Return whether a mount would map paths of one language to pages of another.

    That is no mount, but a missing page.
    """
    asked, there = (language.find_language_folder(path) for path in mount)
    return asked not in ("", there)


def _infer_mount(key: str, stem: str) -> Mount | None:
    """Return the mount by which a path means a file, or None, by removing their common ending.

    That has at least two parts, unless it is the whole path.
    """
    wanted, stands = key.split("/"), stem.strip("/").split("/")
    same = 0
    while same < min(len(wanted), len(stands)) and wanted[-1 - same] == stands[-1 - same]:
        same += 1
    if same < 2 and same < len(wanted):
        return None
    prefix = "/".join(wanted[: len(wanted) - same])
    return Mount(f"/{prefix}/" if prefix else "/", "/" + "/".join(stands[: len(stands) - same]))


def iter_unordered_stems(stem: str) -> Iterator[str]:
    """Yield a path without the parts that only order or group pages, if it has any."""
    if "/(" in stem:
        yield _GROUP.sub("", stem)
    if _ORDERED.search(stem):
        yield _ORDERED.sub("/", stem)
        yield f"{dirname(stem)}{_ORDERED.sub('/', f'/{basename(stem)}')}"
