"""The navigation of a site that types none: its folders, as MkDocs shows them, and the tutorials in their places."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tutorial_tool.core.traced import strip_origins
from tutorial_tool.site import Site
from tutorial_tool.site.collisions import INDEX


def whole(site: Site, others: Iterable[str], written: Callable[[str], str]) -> list[Any]:
    """The `nav` of a site whose hand-written pages are `others`, with the tutorials in it.

    A tutorial whose folder holds other pages, too, stands among them; else it is a section in the place of its folder.
    """
    root = _nested(others, written)
    parts, shared = _all_parts(site, written)
    for id_, part in parts.items():
        _settle(root, _title_of(site, id_, written), part, is_alone=shared[_around(part)] == 1)
    return root.shown({})


def by_folder(site: Site, others: Iterable[str], titles: Mapping[str, str], written: Callable[[str], str]) -> list[Any]:
    """The `nav` with a section for each folder, whatever it holds, for a plugin that arranges folders.

    Folders of tutorials and platforms are called and ordered as the data has them. `titles` are those of pages by path.
    """
    root = _nested(others, written)
    parts, shared = _all_parts(site, written)
    pages = [page for result in parts.values() for part in result for page in part.pages]
    for folder in dict.fromkeys(map(posixpath.dirname, pages)):
        root.added(folder).insert([page for page in pages if posixpath.dirname(page) == folder])
    for id_, match in parts.items():
        around = _around(match)
        homes = {part.home: part.name for part in match}
        if len(homes) == len(match) and {*map(posixpath.dirname, homes)} == {around}:
            title = _title_of(site, id_, written) if shared[around] == 1 else ""
            root.added(around).hold([root.added(home).called(name) for home, name in homes.items()], title)
    return root.shown(titles)


# Folders


@dataclass
class _Section:
    """A folder in the navigation. `is_made` where only pages of tutorials stand in it.

    `written` writes a name as a title.
    """

    folder: str
    title: str = ""
    entries: list[str | _Section] = field(default_factory=list)
    is_made: bool = False
    written: Callable[[str], str] = str

    def inner(self, folder: str, *, is_made: bool = False) -> _Section:
        """Return a section for a folder in this one, whose title is the folder's name, written as HTML if need be."""
        return _Section(folder, self.written(_title(folder)), is_made=is_made, written=self.written)

    def nearest(self, folder: str) -> _Section:
        """The section of a folder, or of the nearest one around it, of those with hand-written pages."""
        for inner in self._sections():
            if not inner.is_made and f"{folder}/".startswith(f"{inner.folder}/"):
                return inner.nearest(folder)
        return self

    def added(self, folder: str) -> _Section:
        """The section of a folder, which is added if need be, and those around it."""
        section = self
        for path in _way(folder):
            inner = next((section for section in section._sections() if section.folder == path), None)
            if inner is None:
                inner = section.inner(path, is_made=True)
                section.entries.append(inner) if section.is_made else section.put([inner])
            section = inner
        return section

    def put(self, new: list[_Section]) -> None:
        """Add sections side by side, where the first of their folders by name would stand."""
        name = min(map(self._name, new))
        later = (
            at for at, entry in enumerate(self.entries) if isinstance(entry, _Section) and self._name(entry) > name
        )
        at = next(later, len(self.entries)) if name else len(self.entries)
        self.entries[at:at] = new

    def insert(self, pages: list[str]) -> None:
        """Add pages behind the index of the folder."""
        at = sum(isinstance(entry, str) and _is_index(entry) for entry in self.entries)
        self.entries[at:at] = pages

    def hold(self, platforms: list[_Section], title: str) -> None:
        """Add sections in place of those of them that stand there. With nothing else but an index, take the title."""
        self.entries = [entry for entry in self.entries if not any(entry is platform for platform in platforms)]
        is_theirs = all(isinstance(entry, str) and _is_index(entry) for entry in self.entries)
        self.title = title if title and is_theirs else self.title
        self.put(platforms)

    def called(self, title: str) -> _Section:
        self.title = title
        return self

    def shown(self, titles: Mapping[str, str]) -> list[Any]:
        """The entries as MkDocs' `nav` has them."""
        return [
            {entry.title: entry.shown(titles)}
            if isinstance(entry, _Section)
            else ({titles[entry]: entry} if entry in titles else entry)
            for entry in self.entries
        ]

    def _sections(self) -> list[_Section]:
        return [entry for entry in self.entries if isinstance(entry, _Section)]

    def _name(self, inner: _Section) -> str:
        return inner.folder[len(self.folder) :].strip("/").split("/")[0]


def _nested(pages: Iterable[str], written: Callable[[str], str]) -> _Section:
    """The folders of pages in MkDocs' order: the index before other pages, and these before folders."""
    root = _Section("", written=written)
    known = {"": root}
    for page in sorted(pages, key=lambda page: (page.split("/")[:-1], not _is_index(page), posixpath.basename(page))):
        section = root
        for folder in _way(posixpath.dirname(page)):
            if folder not in known:
                known[folder] = section.inner(folder)
                section.entries.append(known[folder])
            section = known[folder]
        section.entries.append(page)
    return root


def _way(folder: str) -> Iterator[str]:
    """A folder and those around it, from the outermost."""
    parts = folder.split("/") if folder else []
    return ("/".join(parts[:end]) for end in range(1, len(parts) + 1))


def _title(folder: str) -> str:
    """The name of a folder as MkDocs writes it."""
    name = posixpath.basename(folder).replace("-", " ").replace("_", " ")
    return name.capitalize() if name.lower() == name else name


def _is_index(page: str) -> bool:
    return posixpath.splitext(posixpath.basename(page))[0] in INDEX


# Tutorials


class _Part(NamedTuple):
    """The pages of a tutorial on a platform, and the folder that holds them all."""

    name: str
    pages: list[str]
    home: str


def _all_parts(site: Site, written: Callable[[str], str]) -> tuple[dict[str, list[_Part]], Counter[str]]:
    """The parts of each tutorial that has pages, and how many tutorials have one folder."""
    parts = {id_: result for id_ in site.model.tutorials if (result := _parts(site, id_, written))}
    return parts, Counter(map(_around, parts.values()))


def _parts(site: Site, id_: str, written: Callable[[str], str]) -> list[_Part]:
    return [
        _Part(written(strip_origins(platform.name)), paths, _common(map(posixpath.dirname, paths)))
        for platform, paths in site.paths_by_platform(id_).items()
    ]


def _around(parts: Iterable[_Part]) -> str:
    """The folder that holds all pages of a tutorial."""
    return _common(part.home for part in parts)


def _common(folders: Iterable[str]) -> str:
    different = {*folders}
    return "" if "" in different else posixpath.commonpath(different)


def _title_of(site: Site, id_: str, written: Callable[[str], str]) -> str:
    return written(strip_origins(site.model.tutorials[id_].title))


def _settle(root: _Section, title: str, parts: list[_Part], *, is_alone: bool) -> None:
    """Put a tutorial into its place. `is_alone` where no other one has its folder."""
    around, platforms, any_stands = _around(parts), list[_Section](), False
    for part in parts:
        near, new = root.nearest(part.home), _Section(part.home, part.name, [*part.pages], is_made=True)
        if not is_alone or len(near.folder) <= len(around):
            platforms.append(new)
        elif near.folder != part.home:
            near.put([new.called(title)])
        else:
            near.insert(part.pages)
            if posixpath.dirname(part.home) == around:
                platforms.append(near.called(part.name))
                any_stands = True
    near = root.nearest(around)
    if platforms and is_alone and near.folder == around and (around or any_stands):
        near.hold(platforms, title if around else "")
    elif platforms:
        near.put([_Section(around, title, [*platforms], is_made=True)])
