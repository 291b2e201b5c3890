"""Evidence from a tree's own links that all of it was loaded: only then can a target be called missing."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import chain, takewhile
from posixpath import basename, dirname, join, normpath, splitext
from typing import TYPE_CHECKING
from urllib.parse import unquote

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.caching import cache_method
from tutorial_tool.links import navigation_entries, related_files, urls
from tutorial_tool.links.disk import SUFFIXES, make_relative, read_text
from tutorial_tool.links.generator_files import OF_CODE, OF_DOXYGEN, OF_WINDOWS, MarkerFiles
from tutorial_tool.links.pages import Pages
from tutorial_tool.links.programs import Programs
from tutorial_tool.links.references import is_relative
from tutorial_tool.links.tree import ELSEWHERE, Tree
from tutorial_tool.links.typos import SHORTEST, is_slip
from tutorial_tool.links.urls import split_url
from tutorial_tool.site import Page

if TYPE_CHECKING:
    from tutorial_tool.links.redirect_tables import RedirectTables
    from tutorial_tool.links.target_candidates import TargetFinder

_WRITTEN = (".md", ".html", ".markdown", ".mdx")
_SOURCES = (".ipynb", ".Rmd", ".rmd", ".qmd", ".py")  # Sources other than Markdown that programs build pages from
_BY_PROGRAMS = frozenset((".xml", ".json", ".txt", ".pdf", ".inv"))
"""Files other than pages that plugins write, such as feeds and inventories."""
_FEEDS = frozenset((".xml", ".rss", ".atom", ".json", ".txt"))
"""Files that templates and plugins of any generator write."""
_NUMBER = lazy_re.compile(r"/\d+[-._](?=[^\W\d_])")  # A number that sorts the files of a folder
_FEW, _SLIPS = 3, 20
"""Maximum number of broken URLs without a suffix to report as mistakes: `_FEW`, or one in `_SLIPS` that resolve."""


class _LinkCounts:
    """Counts of the resolved and broken relative links of a tree, with and without a suffix."""

    def __init__(self) -> None:
        self.found: Counter[bool] = Counter()
        self.lost: Counter[bool] = Counter()
        self.lacking: dict[str, set[str]] = {}
        """Targets in missing folders, by the nearest existing folder."""


class Evidence:
    """Decides whether a target that was not found would be here if it existed at all."""

    def __init__(self, pages: Pages, targets: TargetFinder, redirects: RedirectTables) -> None:
        self._pages, self._targets, self._redirects, self._disk = pages, targets, redirects, pages.disk
        self.marks = MarkerFiles(pages.disk)
        self.programs = Programs(pages.disk)

    def can_prove_root_missing(self, tree: Tree, path: str) -> bool:
        """Return whether a path from the host's root that was not found is provably missing."""
        inner = path.removeprefix(tree.base)
        file = normpath(join(tree.docs, inner.lstrip("/")))
        if self._may_be_published_by_hugo(tree, file) or self.is_build_output(tree, file):
            return False
        if tree.is_exact and tree.is_complete:
            return path.startswith(tree.base) and not tree.is_generated(inner)
        if tree.generator.has_collections and not self._is_in_folder(tree, path):
            return False
        if tree.generator.has_neighbors and path.endswith(".html") and path.startswith(tree.base):
            is_near = self._disk.is_folder(dirname(join(tree.docs, inner))) and not tree.is_generated(inner)
            return is_near and self.is_fully_loaded(tree)
        return splitext(path)[1] not in _FEEDS and self._can_prove_by_counts(tree, path)

    def _may_be_published_by_hugo(self, tree: Tree, file: str) -> bool:
        """Return whether Hugo may publish a file: from a mount, or from one that differs in case."""
        return tree.hugo is not None and (not tree.hugo.knows_urls or file.casefold() in self._in_small_letters)

    def _can_prove_by_counts(self, tree: Tree, path: str) -> bool:
        """Return whether enough links into the same folder or section resolve to call this one missing."""
        resolved, lost = self._balance[tree.id][_get_first_part(tree, path)]
        inside, outside = self._balance[tree.id][_get_folder(tree, path)]
        inner = path.removeprefix(tree.base.rstrip("/")).lstrip("/")
        generated = tree.is_generated(inner) or self.has_dynamic_page(tree, join(tree.docs, inner))
        is_known = (resolved > 0 and resolved >= lost) or inside > _FEW * outside
        is_known = is_known or self._is_section(tree, path) or self._has_translation(tree, path)
        is_whole = self.is_fully_loaded(tree) or not tree.generator.states_urls
        return is_known and not generated and is_whole and not self._targets.mounts.may_contain(tree, path)

    def is_slip(self, tree: Tree, path: str) -> bool:
        """Return whether a path that was not found is a misspelling of that of a page in the same folder."""
        inner = path.removeprefix(tree.base.rstrip("/"))
        if tree.is_generated(inner) or self.is_build_output(tree, normpath(join(tree.docs, inner.lstrip("/")))):
            return False
        folder, _, name = urls.build_key(path).rpartition("/")
        return is_slip(name, self._pages.names_by_folder.get((tree.id, folder), ()))

    def is_elsewhere(self, tree: Tree, path: str) -> bool:
        """Return whether the page at a path may exist outside the loaded files.

        It is outside the base, git ignores it, a plugin makes it, or another build publishes its first folder: several
        full URLs to the site's own host lead into that folder, and none of them resolves.
        """
        if not splitext(path)[1] and not f"{path}/".startswith(tree.base):
            return True
        inner = path.removeprefix(tree.base)
        is_made = tree.is_generated(inner) or (tree.id, _get_first_part(tree, path)) in self.elsewhere
        return is_made or self.programs.is_ignored(normpath(join(tree.docs, inner.lstrip("/"))))

    @cached_property
    def elsewhere(self) -> set[tuple[str, str]]:
        """By tree, the first folders of several full URLs to its own host, none of which resolves."""
        firsts = {(tree, path): _get_first_part(tree, path) for tree, path in self._iter_own_urls()}
        requested = {at: (at[0].id, first) for at, first in firsts.items() if first}
        there = {key for at, key in requested.items() if self._targets.find_directly(*at) or self._redirects.get(*at)}
        return {key for key, count in Counter(requested.values()).items() if count >= ELSEWHERE and key not in there}

    def _iter_own_urls(self) -> Iterator[tuple[Tree, str]]:
        for page in self._pages.site.pages:
            tree = self._pages.get_tree(page)
            for reference in self._pages.get_references(page) if tree.origin else ():
                if reference.href.startswith(f"{tree.origin}/"):
                    yield tree, unquote(split_url(reference.href).path)

    def can_prove_file_missing(self, tree: Tree, path: str) -> bool:
        """Return whether a path from MkDocs' docs folder that was not found is provably missing."""
        if not tree.is_complete or tree.adds_pages or tree.is_generated(path):
            return False
        return not self.is_build_output(tree, normpath(join(tree.docs, path)))

    def is_build_output(self, tree: Tree, path: str) -> bool:
        """Return whether git ignores a path, or a build makes it from an existing file such as a notebook."""
        is_made = self._is_copied(tree, path) or self.programs.is_written_file(tree.root, path)
        roots, pages = (tree.root, self._pages.root), self._pages.by_file
        is_made = is_made or any(self.programs.may_fetch(root, path, pages) for root in roots)
        is_pdf = path.endswith(".pdf") and basename(path) in read_text(dirname(path), "toc.yml")  # DocFX prints it
        sources = [f"{path}.rst"] + [f"{path[:-8]}.md"] * path.endswith(".html.md")  # a document in MyST, beside a page
        is_source = any(map(self._disk.is_file, sources))
        if is_made or is_pdf or is_source or self.programs.is_ignored(path) or ".docc/" in path:
            return True  # in a DocC catalog, image names omit suffix, size and theme
        stem, suffix = splitext(path)
        if tree.is_plain or (tree.generator.reads_notebooks and suffix == ".md"):
            return False
        stem = stem if suffix in _WRITTEN else path
        return any(self._disk.is_file(f"{stem}{other}") for other in _SOURCES)

    def _is_copied(self, tree: Tree, path: str) -> bool:
        """Return whether a build would copy a file here: of an inherited site, of a folder around, or of one beside.

        The last may be the folder of the main language.
        """
        if not path.startswith(f"{tree.root}/"):
            return False
        inherited, inner = data.get_text(tree.node, "INHERIT"), path[len(tree.root) :]
        if inherited and self._disk.is_file(normpath(join(tree.root, dirname(inherited))) + inner):
            return True
        for around in self._disk.iter_ancestors(dirname(path)):
            above, rest = dirname(around), path[len(around) :]
            if not around.startswith(self._pages.root) or ".git" in self._disk.list_entries(around):
                return False
            copied = self.programs.list_copied_folders(above)
            sources = (above if name == basename(around) else join(above, name) for name in copied)
            if any(self._disk.is_file(source + rest) for source in sources):
                return True
        return False

    def _is_section(self, tree: Tree, path: str) -> bool:
        """Return whether a path is in a folder of pages, and few links of its tree are broken.

        A folder with a dynamic route does not count.
        """
        inside = dirname(path.removeprefix(tree.base.rstrip("/")).strip("/"))
        if not inside or tree.generator.find_section is None:
            return False
        homes = self._targets.find_homes(tree) if path.endswith(SUFFIXES) else ()  # a file, not a URL
        folders = (join(tree.docs, tree.generator.find_section(tree, inside)), *(join(home, inside) for home in homes))
        counts = [count for name, count in self._balance[tree.id].items() if not name.endswith("/")]
        working, lost = map(sum, zip((0, 0), *counts, strict=True))
        known = (folder for folder in folders if self._contains_pages(folder))
        return lost <= max(_FEW, working // _SLIPS) and any(not self.has_dynamic_page(tree, f"{at}/") for at in known)

    def _has_translation(self, tree: Tree, path: str) -> bool:
        """Return whether another language has a page at a path: then a missing one is that of this tree."""
        prefixes = [language.prefix for language in tree.hugo.languages] if tree.hugo else tree.locales
        inner = path.removeprefix(tree.base.rstrip("/")).strip("/")
        return any(self._pages.find_by_url(tree, join(prefix, inner)) for prefix in prefixes if prefix)

    def _is_in_folder(self, tree: Tree, path: str) -> bool:
        """Return whether a path is in an existing folder: posts and collections may have URLs of any kind."""
        folder = dirname(path.removeprefix(tree.base.rstrip("/")).strip("/"))
        return self._disk.is_folder(join(tree.docs, folder).rstrip("/"))

    @cache_method
    def is_fully_loaded(self, tree: Tree) -> bool:
        """Return whether all pages of a tree were read: an unread one may set any URL in its front matter."""
        lacks_pages = not tree.is_plain and any(map(self.programs.lacks_pages, tree.folders))
        return not lacks_pages and related_files.is_fully_loaded(self._pages, tree)

    @cached_property
    def _balance(self) -> dict[str, defaultdict[str, list[int]]]:
        """By tree, and by first part and folder of a path: the numbers of resolved and broken links."""
        out: dict[str, defaultdict[str, list[int]]] = {}
        for tree in self._pages.trees:
            of_tree = out.setdefault(tree.id, defaultdict(lambda: [0, 0]))
            for path, count in self._targets.mounts.requested_paths[tree.id].items():
                if tree.is_generated(path.removeprefix(tree.base.rstrip("/"))):
                    continue
                there = self._targets.find_at_root(tree, path) or self._redirects.get(tree, path)
                for name in {_get_first_part(tree, path), _get_folder(tree, path)}:
                    of_tree[name][0 if there else 1] += count
        return out

    def can_prove_relative_missing(self, page: Page, path: str) -> bool:
        """Return whether a relative URL on a page that was not found is provably missing."""
        tree = self._pages.get_tree(page)
        near = normpath(join(dirname(self._pages.get_file(page)), path))
        url = urls.join_path(self._pages.get_url(page), path)
        is_made = self.is_build_output(tree, near) or self.differs_in_case(page, near)
        if is_made or any(map(tree.is_generated, (make_relative(near, tree.docs), url.removeprefix(tree.base)))):
            return False
        if tree.is_exact:
            is_near = path.endswith(SUFFIXES) or not self.is_elsewhere(tree, url)  # a file, not a URL
            return is_near and self._can_prove_mkdocs_missing(page, tree, near, path)
        if tree.hugo is not None and not tree.hugo.is_fully_loaded and not splitext(path)[1]:
            return False
        if is_part(tree, page) or basename(near).startswith(".") or self._may_lead_elsewhere(page, near):
            return False
        roots = (f"{root.rstrip('/')}/" for root in (self._pages.root, tree.root))
        return near.startswith(tuple(roots)) and self._can_prove_missing(tree, near, path)

    def _may_lead_elsewhere(self, page: Page, near: str) -> bool:
        """Return whether links are relative to the published page, or a program of the site copies or rewrites it."""
        tree, file = self._pages.get_tree(page), self._pages.get_file(page)
        is_of_itself = tree.is_plain and basename(near) == splitext(basename(page.path))[0]  # its own published URL
        is_copied = tree.is_plain and not splitext(near)[1] and self._pages.is_copied_by_build(page)
        is_read = not tree.recognized and self.programs.is_read_file(tree.root, file)
        if is_of_itself or is_copied or is_read or make_relative(file, tree.docs) in (tree.moved_files or ()):
            return True
        if tree.generator.name and not tree.recognized:  # a program may publish a folder as a page, or drop numbers
            stem = splitext(near)[0]
            return self._contains_pages(stem) or _NUMBER.sub("/", stem) in self._unnumbered_stems
        return tree.alters_pages and not self._contains_pages(dirname(near))

    @cached_property
    def _unnumbered_stems(self) -> frozenset[str]:
        stems = (splitext(file)[0].removesuffix("/index") for file in self._pages.by_file)
        return frozenset(_NUMBER.sub("/", stem) for stem in stems)

    def differs_in_case(self, page: Page, near: str) -> bool:
        """Return whether a page or file differs in case only, on hosts that ignore case."""
        return self.marks.has(self._pages.get_file(page), OF_WINDOWS) and near.casefold() in self._in_small_letters

    @cached_property
    def _in_small_letters(self) -> frozenset[str]:
        files = map(self._disk.walk, {tree.docs for tree in self._pages.trees})
        return frozenset(map(str.casefold, chain(self._pages.by_file, *files)))

    def _can_prove_mkdocs_missing(self, page: Page, tree: Tree, near: str, path: str) -> bool:
        """Return whether MkDocs has no such target. `near` is the file that the URL names."""
        if not tree.contains_path(near):  # a hook may link to repository files, and an enclosing site to its own pages
            is_there = self._disk.is_file(near) or self._disk.is_folder(near)
            return not (is_there and (tree.alters_pages or not tree.is_complete)) and not self._pages.is_included(tree)
        is_entry = path.endswith("/") or "*" in path
        if is_entry and navigation_entries.is_navigation_file(tree, self._pages.get_docs_path(page)):
            return tree.is_complete and "*" not in path
        if tree.adds_pages:
            return self._is_near_miss(near)
        if not tree.is_complete and splitext(near)[1] in _BY_PROGRAMS:
            return False
        return tree.is_complete or self._disk.is_folder(dirname(near))

    def _is_near_miss(self, file: str) -> bool:
        """Return whether a name is a misspelling of that of a page in the same folder."""
        suffix = splitext(file)[1] or ".md"
        beside = (splitext(name) for name in self._disk.list_entries(dirname(file)))
        return is_slip(splitext(basename(file))[0], (stem for stem, end in beside if end == suffix), SHORTEST)

    def is_known_to_doxygen(self, near: str, path: str) -> bool:
        """Return whether Doxygen finds a page by the end of its path."""
        expected = f"/{normpath(path).removeprefix('../')}"
        return self.marks.has(near, OF_DOXYGEN) and any(file.endswith(expected) for file in self._pages.by_file)

    def _can_prove_missing(self, tree: Tree, near: str, path: str) -> bool:
        suffix, count = splitext(path)[1], self._counts[tree.id]
        is_near = self._disk.is_folder(dirname(near)) or dirname(near) in self._folders
        is_made = self._is_published_page(tree, near, path) or self._is_made_by_program(tree, near, path)
        is_kept = list(self._disk.list_entries(dirname(near))) == [".gitignore"]  # kept for build output
        if is_made or is_kept or (not is_near and self._is_far(tree, near)):
            return False
        if self.may_be_label(tree, path):
            return self._is_near_miss(near)
        if not suffix and (path.endswith("/") or not tree.is_plain):  # a URL rather than a file
            return count.found[True] > count.lost[True] or (is_near and self._is_rare_failure(tree, near))
        return is_near or count.found.total() > 0

    def may_be_label(self, tree: Tree, path: str) -> bool:
        """Return whether a URL may be a label that Sphinx or a preprocessor finds anywhere, or an added page."""
        if tree.generator.has_labels and not splitext(path)[1]:
            return True
        return "/" not in path and (tree.adds_pages or (tree.has_labels and not path.endswith(_WRITTEN)))

    def _is_made_by_program(self, tree: Tree, near: str, path: str) -> bool:
        """Return whether a program may make the page: a feed, a dynamic route, Doxygen, or an API reference."""
        suffix = splitext(path)[1]
        if not tree.is_plain:
            return suffix in _FEEDS or (suffix in ("", ".md", ".html") and self.has_dynamic_page(tree, near))
        is_of_module = path.endswith((".html", ".yml")) and self.marks.has(near, OF_CODE)
        return is_of_module or self.is_known_to_doxygen(near, path)

    def _is_published_page(self, tree: Tree, near: str, path: str) -> bool:
        """Return whether a path is that of a published page, where the repository has no such file nearby."""
        if not path.endswith(".html"):
            return False
        if not tree.recognized and not self._contains_suffix(dirname(near), ".html"):
            return True
        is_around = not tree.contains_path(near) or not self._disk.is_folder(dirname(near))
        return tree.generator.has_neighbors and is_around  # another program writes it next to the book

    def _is_far(self, tree: Tree, near: str) -> bool:
        """Return whether the pages of a missing folder may come from elsewhere.

        A program writes the folder, or several targets are in missing folders below the same existing one.
        """
        lacking = self._counts[tree.id].lacking.get(self.find_existing_folder(near), ())
        roots = dict.fromkeys((tree.root, self._pages.root))
        return len(lacking) >= ELSEWHERE or any(self.programs.is_written_folder(root, dirname(near)) for root in roots)

    def _is_rare_failure(self, tree: Tree, near: str) -> bool:
        """Return whether a URL without a suffix should be among the tree's pages, as few such are broken."""
        count, folder = self._counts[tree.id], dirname(near)
        if tree.is_plain or count.lost[True] > max(_FEW, count.found.total() // _SLIPS):
            return False
        return self._contains_pages(folder) and self.is_fully_loaded(tree) and not self.has_dynamic_page(tree, near)

    @cached_property
    def _folders(self) -> frozenset[str]:
        """The folders of the pages: those of rendered pages are not on disk."""
        return frozenset(map(dirname, self._pages.by_file))

    def _contains_pages(self, folder: str) -> bool:
        return folder in self._folders or self._contains_suffix(folder, *SUFFIXES)

    def _contains_suffix(self, folder: str, *suffixes: str) -> bool:
        return any(name.endswith(suffixes) for name in self._disk.list_entries(folder))

    def has_dynamic_page(self, tree: Tree, path: str) -> bool:
        """Return whether a page with a name in brackets is a dynamic route for the path."""
        own = takewhile(tree.contains_path, self._disk.iter_ancestors(dirname(path)))
        return any(name.startswith("[") for folder in own for name in self._disk.list_entries(folder))

    @cached_property
    def _counts(self) -> dict[str, _LinkCounts]:
        out = {tree.id: _LinkCounts() for tree in self._pages.trees}
        for page in self._pages.site.pages:
            tree = self._pages.get_tree(page)
            if not tree.is_exact:
                for href in {link.path for link in self._pages.get_references(page) if not link.is_path}:
                    if is_relative(href):
                        self._count_link(out[tree.id], page, unquote(href))
        return out

    def _count_link(self, count: _LinkCounts, page: Page, path: str) -> None:
        is_bare, tree = not splitext(path)[1], self._pages.get_tree(page)
        redirects = (self._redirects.get(tree, url) for url in self._redirects.list_relative_urls(page, path))
        if self._targets.find_relative(page, path, raw=False) is not None or any(redirects):
            count.found[is_bare] += 1
            return
        count.lost[is_bare] += 1
        near = normpath(join(dirname(self._pages.get_file(page)), path))
        if not self._disk.is_folder(dirname(near)):
            count.lacking.setdefault(self.find_existing_folder(near), set()).add(near)

    def find_existing_folder(self, path: str) -> str:
        """Return the nearest ancestor of a path that exists."""
        return next(filter(self._disk.is_folder, self._disk.iter_ancestors(dirname(path))), "")


def _get_first_part(tree: Tree, path: str) -> str:
    """Return the first part of a path, "" for an image at the root.

    It is a section of the host, with one deployment.
    """
    first, _, rest = path.removeprefix(tree.base.rstrip("/")).strip("/").partition("/")
    return "" if not rest and splitext(first)[1].lower() in _PICTURES else first


def _get_folder(tree: Tree, path: str) -> str:
    """Return the folder of a path, with a trailing slash, or the first part if it has none."""
    folder = dirname(path.removeprefix(tree.base.rstrip("/")).strip("/"))
    return f"{folder}/" if folder else _get_first_part(tree, path)


_PICTURES = frozenset((".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif"))


_NAVIGATION = lazy_re.compile(r"(?:^|/)_(?:sidebar|navbar|coverpage|footer|header)\.md", re.IGNORECASE)
"""Navigation pages of wikis and docsify that are shown on all other pages."""
_PARTS = lazy_re.compile(
    r"(?:^|/)(?:_[^/]*|includes?|snippets?|partials?|fragments?|macros|overrides)/|(?:^|/)_(?!index\b)"
)
_INCLUDED = lazy_re.compile(r"(?:^|/)_(?:includes|layouts)/")


def is_part(tree: Tree, page: Page) -> bool:
    """Return whether other pages include this one, by its name or folder: its links are resolved on those."""
    if is_shared_page(tree, page):
        return False
    if tree.generator.part_pattern and tree.generator.part_pattern.search(page.path):
        return True
    return not tree.is_exact and _PARTS.search(page.path) is not None


def is_shared_page(tree: Tree, page: Page) -> bool:
    """Return whether a page is displayed next to all others: its anchors are those of any page."""
    return tree.by_name and _NAVIGATION.search(page.path) is not None


def is_in_collection(tree: Tree, page: Page) -> bool:
    """Return whether a page is in a Jekyll collection: in a folder such as `_guides`, with front matter."""
    is_document = tree.generator.has_collections and page.document.front_matter is not None
    return is_document and not _INCLUDED.search(page.path)
