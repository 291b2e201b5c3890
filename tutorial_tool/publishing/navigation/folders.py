"""Navigation without a configured `nav`: folders, as MkDocs shows them, and tutorials in their places."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tutorial_tool.core.traced import strip_origins
from tutorial_tool.site import Site
from tutorial_tool.site.collisions import INDEX


def build_nav(site: Site, others: Iterable[str], format_: Callable[[str], str]) -> list[Any]:
    """Return the `nav` of a site whose manually written pages are `others`, with its tutorials.

    A tutorial whose folder has other pages is among them; otherwise it is a section in place of its folder.
    """
    root = _build_folder_tree(others, format_)
    parts, shared = _collect_platform_pages(site, format_)
    for id_, part in parts.items():
        _place_tutorial(
            root, _format_tutorial_title(site, id_, format_), part, is_alone=shared[_find_tutorial_folder(part)] == 1
        )
    return root.build_entries({})


def build_folder_nav(
    site: Site, others: Iterable[str], titles: Mapping[str, str], format_: Callable[[str], str]
) -> list[Any]:
    """Return a `nav` with a section for every folder, for a plugin that arranges folders.

    Folders of tutorials and platforms have the names and order of the data. `titles` maps paths to page titles.
    """
    root = _build_folder_tree(others, format_)
    parts, shared = _collect_platform_pages(site, format_)
    pages = [page for result in parts.values() for part in result for page in part.pages]
    for folder in dict.fromkeys(map(posixpath.dirname, pages)):
        root.ensure_section(folder).insert_pages([page for page in pages if posixpath.dirname(page) == folder])
    for id_, match in parts.items():
        folder_above = _find_tutorial_folder(match)
        homes = {part.folder: part.name for part in match}
        if len(homes) == len(match) and {*map(posixpath.dirname, homes)} == {folder_above}:
            title = _format_tutorial_title(site, id_, format_) if shared[folder_above] == 1 else ""
            root.ensure_section(folder_above).regroup_sections(
                [root.ensure_section(home).set_title(name) for home, name in homes.items()], title
            )
    return root.build_entries(titles)


# Folders


@dataclass
class _Section:
    """A folder in the navigation. `is_generated`: it has only pages of tutorials.

    `format_title` formats a name as a title.
    """

    folder: str
    title: str = ""
    entries: list[str | _Section] = field(default_factory=list)
    is_generated: bool = False
    format_title: Callable[[str], str] = str

    def create_section(self, folder: str, *, is_made: bool = False) -> _Section:
        """Return a section for a subfolder, titled with the folder's name, HTML-escaped if needed."""
        return _Section(
            folder,
            self.format_title(_format_folder_title(folder)),
            is_generated=is_made,
            format_title=self.format_title,
        )

    def find_nearest(self, folder: str) -> _Section:
        """Return the section of a folder or its nearest parent, among those with manually written pages."""
        for inner in self._get_sections():
            if not inner.is_generated and f"{folder}/".startswith(f"{inner.folder}/"):
                return inner.find_nearest(folder)
        return self

    def ensure_section(self, folder: str) -> _Section:
        """Return the section of a folder, adding it and its parents if missing."""
        section = self
        for path in _iter_ancestors(folder):
            inner = next((section for section in section._get_sections() if section.folder == path), None)
            if inner is None:
                inner = section.create_section(path, is_made=True)
                section.entries.append(inner) if section.is_generated else section.insert_sections([inner])
            section = inner
        return section

    def insert_sections(self, new: list[_Section]) -> None:
        """Insert sections together, where the first of their folders by name belongs."""
        name = min(map(self._get_relative_name, new))
        later = (
            index
            for index, entry in enumerate(self.entries)
            if isinstance(entry, _Section) and self._get_relative_name(entry) > name
        )
        index = next(later, len(self.entries)) if name else len(self.entries)
        self.entries[index:index] = new

    def insert_pages(self, pages: list[str]) -> None:
        """Insert pages after the index of the folder."""
        index = sum(isinstance(entry, str) and _is_index(entry) for entry in self.entries)
        self.entries[index:index] = pages

    def regroup_sections(self, platforms: list[_Section], title: str) -> None:
        """Add sections, moving those already here; if only an index is left, take the title."""
        self.entries = [entry for entry in self.entries if not any(entry is platform for platform in platforms)]
        is_theirs = all(isinstance(entry, str) and _is_index(entry) for entry in self.entries)
        self.title = title if title and is_theirs else self.title
        self.insert_sections(platforms)

    def set_title(self, title: str) -> _Section:
        self.title = title
        return self

    def build_entries(self, titles: Mapping[str, str]) -> list[Any]:
        """Return the entries as a MkDocs `nav`."""
        return [
            {entry.title: entry.build_entries(titles)}
            if isinstance(entry, _Section)
            else ({titles[entry]: entry} if entry in titles else entry)
            for entry in self.entries
        ]

    def _get_sections(self) -> list[_Section]:
        return [entry for entry in self.entries if isinstance(entry, _Section)]

    def _get_relative_name(self, inner: _Section) -> str:
        return inner.folder[len(self.folder) :].strip("/").split("/")[0]


def _build_folder_tree(pages: Iterable[str], format_: Callable[[str], str]) -> _Section:
    """Return the folders of pages in MkDocs' order: the index, other pages, then folders."""
    root = _Section("", format_title=format_)
    sections = {"": root}
    for page in sorted(pages, key=lambda page: (page.split("/")[:-1], not _is_index(page), posixpath.basename(page))):
        section = root
        for folder in _iter_ancestors(posixpath.dirname(page)):
            if folder not in sections:
                sections[folder] = section.create_section(folder)
                section.entries.append(sections[folder])
            section = sections[folder]
        section.entries.append(page)
    return root


def _iter_ancestors(folder: str) -> Iterator[str]:
    """Yield a folder and its parents, outermost first."""
    parts = folder.split("/") if folder else []
    return ("/".join(parts[:end]) for end in range(1, len(parts) + 1))


def _format_folder_title(folder: str) -> str:
    """Return the name of a folder as MkDocs formats it."""
    name = posixpath.basename(folder).replace("-", " ").replace("_", " ")
    return name.capitalize() if name.lower() == name else name


def _is_index(page: str) -> bool:
    return posixpath.splitext(posixpath.basename(page))[0] in INDEX


# Tutorials


class _PlatformPages(NamedTuple):
    """The pages of a tutorial on a platform, and their common folder."""

    name: str
    pages: list[str]
    folder: str


def _collect_platform_pages(
    site: Site, format_: Callable[[str], str]
) -> tuple[dict[str, list[_PlatformPages]], Counter[str]]:
    """Return the pages of each tutorial by platform, and how many tutorials share each folder."""
    parts = {id_: result for id_ in site.model.tutorials if (result := _list_platform_pages(site, id_, format_))}
    return parts, Counter(map(_find_tutorial_folder, parts.values()))


def _list_platform_pages(site: Site, id_: str, format_: Callable[[str], str]) -> list[_PlatformPages]:
    return [
        _PlatformPages(format_(strip_origins(platform.name)), paths, _find_common_folder(map(posixpath.dirname, paths)))
        for platform, paths in site.group_paths(id_).items()
    ]


def _find_tutorial_folder(parts: Iterable[_PlatformPages]) -> str:
    return _find_common_folder(part.folder for part in parts)


def _find_common_folder(folders: Iterable[str]) -> str:
    different = {*folders}
    return "" if "" in different else posixpath.commonpath(different)


def _format_tutorial_title(site: Site, id_: str, format_: Callable[[str], str]) -> str:
    return format_(strip_origins(site.model.tutorials[id_].title))


def _place_tutorial(root: _Section, title: str, parts: list[_PlatformPages], *, is_alone: bool) -> None:
    """Insert a tutorial into the navigation. `is_alone`: no other one has its folder."""
    home, platforms, has_section = _find_tutorial_folder(parts), list[_Section](), False
    for part in parts:
        above, new = root.find_nearest(part.folder), _Section(part.folder, part.name, [*part.pages], is_generated=True)
        if not is_alone or len(above.folder) <= len(home):
            platforms.append(new)
        elif above.folder != part.folder:
            above.insert_sections([new.set_title(title)])
        else:
            above.insert_pages(part.pages)
            if posixpath.dirname(part.folder) == home:
                platforms.append(above.set_title(part.name))
                has_section = True
    above = root.find_nearest(home)
    if platforms and is_alone and above.folder == home and (home or has_section):
        above.regroup_sections(platforms, title if home else "")
    elif platforms:
        above.insert_sections([_Section(home, title, [*platforms], is_generated=True)])
