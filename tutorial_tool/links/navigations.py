"""What the navigation of generators that are no MkDocs names, and is not there."""

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
from tutorial_tool.links.disk import below
from tutorial_tool.links.evidence import ELSEWHERE, Evidence, is_nearly
from tutorial_tool.links.generators import mkdocs
from tutorial_tool.links.navigation_files import Named
from tutorial_tool.links.pages import Pages
from tutorial_tool.links.readings import Readings
from tutorial_tool.links.redirect_tables import Tables
from tutorial_tool.links.suggestions import NEAR_BESIDE, best
from tutorial_tool.links.tree import Tree

_PAGES = (".md", ".mdx", ".markdown", ".qmd", ".ipynb", ".rst", ".Rmd", ".rmd")
_MADE = (".ipynb", ".qmd", ".rst", ".Rmd", ".rmd")  # What a program may make of a file of another kind beside it
_FEW = 2  # How many entries may name no page, however few others do


class Lost(NamedTuple):
    """An entry of a navigation that names no page, and what may be meant."""

    name: str
    span: Span
    meant: str = ""
    wanted: str = "page"


class Navigations:
    """Reads the navigation files around the pages of a site."""

    def __init__(self, pages: Pages, readings: Readings, evidence: Evidence, redirects: Tables) -> None:
        self._pages, self._readings, self._evidence, self._redirects = pages, readings, evidence, redirects
        self._disk = pages.disk

    @cached_property
    def lost(self) -> list[Lost]:
        """The entries that name no page, though the pages around it are at hand."""
        out = []
        for source, tree, entries in self._all():
            lost = [entry for entry in entries if not self._stands(tree, entry)]
            lacking = Counter(dirname(item.files[0]) for item in lost)
            index = len(entries) - len(lost)
            if not index or len(lost) > max(index, _FEW):
                continue  # it is read in another way, or the pages are elsewhere
            nameds = [item for item in lost if self._settles(tree, item, lacking)]
            if nameds:  # what is found there can be silenced there
                self._pages.site.sources.setdefault(source.path, source)
            out += [Lost(item.name, item.span, self._meant(item)) for item in nameds]
        return [*out, *self._not_included()]

    def _not_included(self) -> Iterator[Lost]:
        for tree in self._pages.trees:
            for path, span in navigation_entries.included(tree):
                file = normpath(join(tree.root, path))
                is_lost = not self._disk.is_file(file) and not self._evidence.programs.is_ignored(file)
                folder = dirname(file)  # where none is called nearly so, a build may bring it
                if is_lost and (self._disk.is_folder(folder) or self._near(folder) is not None):
                    yield Lost(path, span, wanted="file")

    def _all(self) -> Iterator[tuple[Source, Tree, list[Named]]]:
        """The files of navigation, each with its tree and what it names."""
        if self._pages.site.is_project or self._pages.site.errors:
            return
        for tree in self._pages.trees:
            for source, entries in tree.generator.read_navigation(tree, self._pages):
                yield source, tree, list(dict.fromkeys(entries))
        read = set[str]()
        for folder, tree in self._folders.items():
            for source, entries in self._in_folder(folder, tree):
                if source.path not in read:
                    read.add(source.path)
                    yield source, tree, entries

    @cached_property
    def _folders(self) -> dict[str, Tree]:
        """The folders of pages and those around them, below the one that is linted."""
        out: dict[str, Tree] = {}
        for page in self._pages.site.pages:
            tree, folder = self._pages.tree(page), dirname(self._pages.file(page))
            while folder not in out and below(folder, self._pages.root)[:2] != "..":
                out[folder] = tree
                folder = dirname(folder)
        return out

    def _in_folder(self, folder: str, tree: Tree) -> Iterator[tuple[Source, list[Named]]]:
        names = self._disk.entries(folder)
        if tree.is_exact:
            used = mkdocs.plugins(tree) if tree.holds(folder) else frozenset[str]()
            wanted = [name for name, plugin in navigation_files.OF_MKDOCS if plugin in used and name in names]
            readers = [(name, navigation_files.of_awesome) for name in wanted]
        else:
            matches = ((name, self._reader(name, folder)) for name in sorted(names))
            readers = [(name, read) for name, read in matches if read]
        for name, read in readers:
            file = join(folder, name)
            source = files.read(file, root=self._pages.root) if self._disk.is_file(file) else None
            if isinstance(source, Source):
                yield source, list(dict.fromkeys(read(source, folder)))

    def _reader(self, name: str, folder: str) -> navigation_files.Reader | None:
        return navigation_files.reader(name, lambda mark: self._evidence.marks.has(join(folder, name), (mark,)))

    # What is there

    def _stands(self, tree: Tree, entry: Named) -> bool:
        if tree.is_exact and any(self._readings.of_docs(tree, file) is not None for file in entry.files):
            return True  # in a language
        is_there = entry.stands or any(map(self._is_there, entry.files))
        return is_there or any(self._answers(tree, url) for url in entry.urls)

    def _is_there(self, path: str) -> bool:
        """Whether a page, file or folder stands at a path, with any suffix or language."""
        if self._readings.at(path) is not None:
            return True
        name = basename(path)
        begin = f"{splitext(name)[0] if name.endswith(_MADE) else name}."
        return any(entry.startswith(begin) for entry in self._disk.entries(dirname(path)))

    def _answers(self, tree: Tree, url: str) -> bool:
        return tree.generates(url) or (self._readings.at_root(tree, url) or self._redirects.get(tree, url)) is not None

    def _settles(self, tree: Tree, entry: Named, lacking: Counter[str]) -> bool:
        """Whether a page that is not there would be, if it were anywhere."""
        file = next((file for file in entry.files if self._holds_pages(dirname(file))), entry.files[0])
        if self._evidence.programs.is_ignored(file) or (not tree.is_plain and self._evidence.is_made(tree, file)):
            return False
        if tree.is_exact and not navigation_entries.is_known(tree, below(file, tree.docs)):
            return False
        if entry.trust == "slip":
            return is_nearly(_stem(file), map(str.casefold, self._names(dirname(file))))
        if entry.urls and not self._evidence.is_whole(tree):
            return False  # another page may state that address
        if self._holds_pages(dirname(file)):
            return entry.trust == "hosted" or not self._is_copied(file)
        return entry.trust == "hosted" and lacking[dirname(entry.files[0])] < ELSEWHERE

    def _holds_pages(self, folder: str) -> bool:
        return any(name.endswith(_PAGES) for name in self._disk.entries(folder))

    def _is_copied(self, file: str) -> bool:
        """Whether a build may bring a file here that stands in a folder around, such as a changelog."""
        around = islice(self._disk.up(dirname(file)), 1, None)
        return any(_stem(name) == _stem(file) for folder in around for name in self._disk.entries(folder))

    # What was meant

    def _meant(self, entry: Named) -> str:
        """The entry with the name of a page beside the one that it names."""
        near = next(filter(None, (self._near(file) for file in entry.files)), None)
        stem = splitext(basename(entry.name))[0] if entry.name.endswith(_PAGES) else basename(entry.name)
        head, _, tail = entry.name.rpartition(stem)
        return f"{head}{near}{tail}" if near else ""

    def _near(self, file: str) -> str | None:
        """The name, without suffix, that is most like that of a file among those that stand there."""
        wanted = splitext(basename(file))[0] if file.endswith(_PAGES) else basename(file)
        return best(wanted, sorted(self._names(dirname(file))), NEAR_BESIDE)

    def _names(self, folder: str) -> set[str]:
        """The pages in a folder, without suffix, and the folders in it."""
        entries = self._disk.entries(folder).items()
        pages = {splitext(name)[0] for name, is_folder in entries if not is_folder and name.endswith(_PAGES)}
        return pages | {name for name, is_folder in entries if is_folder and name[:1] not in "._(["}


def _stem(path: str) -> str:
    name = basename(path)
    return (splitext(name)[0] if name.endswith(_PAGES) else name).casefold()
