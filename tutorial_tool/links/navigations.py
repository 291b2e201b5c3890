"""Missing pages in the navigation of generators other than MkDocs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from posixpath import basename, dirname, join, normpath, splitext
from typing import NamedTuple

from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import files
from tutorial_tool.links import navigation_entries, navigation_files
from tutorial_tool.links.disk import make_relative
from tutorial_tool.links.evidence import Evidence
from tutorial_tool.links.generators import mkdocs
from tutorial_tool.links.navigation_files import NamedPage
from tutorial_tool.links.pages import Pages
from tutorial_tool.links.redirect_tables import RedirectTables
from tutorial_tool.links.suggestions import NEAR_BESIDE, find_best_match
from tutorial_tool.links.target_candidates import TargetFinder
from tutorial_tool.links.tree import ELSEWHERE, Tree
from tutorial_tool.links.typos import SHORTEST, is_slip

_PAGES = (".md", ".mdx", ".markdown", ".qmd", ".ipynb", ".rst", ".Rmd", ".rmd")
_MADE = (".ipynb", ".qmd", ".rst", ".Rmd", ".rmd")  # Other sources from which a program may build a page
_MAX_MISSING = 2  # Number of entries that may be missing even if few others exist


class MissingEntry(NamedTuple):
    """An entry of a navigation that names no page, and a suggested replacement."""

    name: str
    span: Span
    suggestion: str = ""
    expected: str = "page"


class Navigations:
    """Reads the navigation files around the pages of a site."""

    def __init__(self, pages: Pages, targets: TargetFinder, evidence: Evidence, redirects: RedirectTables) -> None:
        self._pages, self._targets, self._evidence, self._redirects = pages, targets, evidence, redirects
        self._disk = pages.disk

    @cached_property
    def missing_entries(self) -> list[MissingEntry]:
        """The entries that name no page, though the pages around them were loaded."""
        out = []
        for source, tree, entries in self._iter_files():
            lost = [entry for entry in entries if not self._is_entry_present(tree, entry)]
            lacking = Counter(dirname(item.files[0]) for item in lost)
            index = len(entries) - len(lost)
            if not index or len(lost) > max(index, _MAX_MISSING):
                continue  # it is parsed differently, or the pages are elsewhere
            nameds = [item for item in lost if self._can_prove_missing(tree, item, lacking)]
            if nameds:  # so that findings in it can be suppressed
                self._pages.site.sources.setdefault(source.path, source)
            out += [MissingEntry(item.name, item.span, self._suggest_entry(item)) for item in nameds]
        return [*out, *self._find_missing_includes()]

    def _find_missing_includes(self) -> Iterator[MissingEntry]:
        for tree in self._pages.trees:
            for path, span in navigation_entries.iter_included(tree):
                file = normpath(join(tree.root, path))
                is_lost = not self._disk.is_file(file) and not self._evidence.programs.is_ignored(file)
                folder = dirname(file)  # if no folder has a similar name, a build may add it
                if is_lost and (self._disk.is_folder(folder) or self._find_near_name(folder) is not None):
                    yield MissingEntry(path, span, expected="file")

    def _iter_files(self) -> Iterator[tuple[Source, Tree, list[NamedPage]]]:
        """Yield the navigation files, each with its tree and the pages that it names.

        There are none for a project, or for a site with errors.
        """
        if self._pages.site.is_project or self._pages.site.errors:
            return
        for tree in self._pages.trees:
            for source, entries in tree.generator.read_navigation(tree, self._pages):
                yield source, tree, list(dict.fromkeys(entries))
        read = set[str]()
        for folder, tree in self._folders.items():
            for source, entries in self._read_folder(folder, tree):
                if source.path not in read:
                    read.add(source.path)
                    yield source, tree, entries

    @cached_property
    def _folders(self) -> dict[str, Tree]:
        """The folders of pages and their ancestors, below the linted folder."""
        out: dict[str, Tree] = {}
        for page in self._pages.site.pages:
            tree, folder = self._pages.get_tree(page), dirname(self._pages.get_file(page))
            while folder not in out and make_relative(folder, self._pages.root)[:2] != "..":
                out[folder] = tree
                folder = dirname(folder)
        return out

    def _read_folder(self, folder: str, tree: Tree) -> Iterator[tuple[Source, list[NamedPage]]]:
        names = self._disk.list_entries(folder)
        if tree.is_exact:
            used = mkdocs.get_plugins(tree) if tree.contains_path(folder) else frozenset[str]()
            wanted = [name for name, plugin in navigation_files.OF_MKDOCS if plugin in used and name in names]
            readers = [(name, navigation_files.of_awesome) for name in wanted]
        else:
            matches = ((name, self._get_reader(name, folder)) for name in sorted(names))
            readers = [(name, read) for name, read in matches if read]
        for name, read in readers:
            file = join(folder, name)
            source = files.read(file, root=self._pages.root) if self._disk.is_file(file) else None
            if isinstance(source, Source):
                yield source, list(dict.fromkeys(read(source, folder)))

    def _get_reader(self, name: str, folder: str) -> navigation_files.Reader | None:
        return navigation_files.get_reader(name, lambda mark: self._evidence.marks.has(join(folder, name), (mark,)))

    # Existing targets

    def _is_entry_present(self, tree: Tree, entry: NamedPage) -> bool:
        if tree.is_exact and any(self._targets.find_in_docs(tree, file) is not None for file in entry.files):
            return True  # in one of the languages
        is_there = entry.exists or any(map(self._is_path_present, entry.files))
        find, get = self._targets.find_at_root, self._redirects.get
        return is_there or any(tree.is_generated(url) or find(tree, url) or get(tree, url) for url in entry.urls)

    def _is_path_present(self, path: str) -> bool:
        """Return whether a page, file or folder exists at a path, with any suffix or language."""
        if self._targets.find_at_path(path) is not None:
            return True
        name = basename(path)
        begin = f"{splitext(name)[0] if name.endswith(_MADE) else name}."
        return any(entry.startswith(begin) for entry in self._disk.list_entries(dirname(path)))

    def _can_prove_missing(self, tree: Tree, entry: NamedPage, lacking: Counter[str]) -> bool:
        """Return whether a page that was not found is provably missing."""
        file = next((file for file in entry.files if self._contains_pages(dirname(file))), entry.files[0])
        is_dynamic = not tree.is_plain and self._evidence.has_dynamic_page(tree, file)
        if is_dynamic or self._evidence.programs.is_ignored(file):
            return False
        if tree.is_exact and not navigation_entries.can_prove_missing(tree, make_relative(file, tree.docs)):
            return False
        if entry.trust == "slip":
            return is_slip(_get_stem(file), map(str.casefold, self._list_names(dirname(file))), SHORTEST)
        if entry.urls and not self._evidence.is_fully_loaded(tree):
            return False  # another page may set that URL
        if self._contains_pages(dirname(file)):
            return entry.trust == "hosted" or not self._is_copied(file)
        return entry.trust == "hosted" and lacking[dirname(entry.files[0])] < ELSEWHERE

    def _contains_pages(self, folder: str) -> bool:
        return any(name.endswith(_PAGES) for name in self._disk.list_entries(folder))

    def _is_copied(self, file: str) -> bool:
        """Return whether a build may copy a file here from an ancestor folder, such as a changelog."""
        around = islice(self._disk.iter_ancestors(dirname(file)), 1, None)
        return any(_get_stem(name) == _get_stem(file) for folder in around for name in self._disk.list_entries(folder))

    # Suggestions

    def _suggest_entry(self, entry: NamedPage) -> str:
        """Return the entry with the name of a similar page in the same folder, or ""."""
        near = next(filter(None, (self._find_near_name(file) for file in entry.files)), None)
        stem = splitext(basename(entry.name))[0] if entry.name.endswith(_PAGES) else basename(entry.name)
        head, _, tail = entry.name.rpartition(stem)
        return f"{head}{near}{tail}" if near else ""

    def _find_near_name(self, file: str) -> str | None:
        """Return the name, without suffix, that is most similar to a file's in its folder, or None."""
        wanted = splitext(basename(file))[0] if file.endswith(_PAGES) else basename(file)
        return find_best_match(wanted, sorted(self._list_names(dirname(file))), NEAR_BESIDE)

    def _list_names(self, folder: str) -> set[str]:
        """Return the pages in a folder, without suffix, and its subfolders."""
        entries = self._disk.list_entries(folder).items()
        pages = {splitext(name)[0] for name, is_folder in entries if not is_folder and name.endswith(_PAGES)}
        return pages | {name for name, is_folder in entries if is_folder and name[:1] not in "._(["}


def _get_stem(path: str) -> str:
    name = basename(path)
    return (splitext(name)[0] if name.endswith(_PAGES) else name).casefold()
