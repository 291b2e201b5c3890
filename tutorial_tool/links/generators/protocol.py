"""What links know of a site generator: its facts and functions, in one value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from tutorial_tool.links import urls

if TYPE_CHECKING:
    from tutorial_tool.core.source import Source
    from tutorial_tool.links.disk import Disk
    from tutorial_tool.links.navigation_files import NamedPage
    from tutorial_tool.links.pages import Pages
    from tutorial_tool.links.redirect import Redirect
    from tutorial_tool.links.tree import Tree
    from tutorial_tool.site import Page

PagePath = Callable[["Tree", str, Mapping[str, str]], str]
"""Takes a tree, the path of a page below its docs folder, and what the page's front matter states of its URL."""


class Configuration(NamedTuple):
    """A file or folder that a generator is recognized by; findings name paths from the folder `root`."""

    folder: str
    name: str
    disk: Disk
    root: str


def _find_nothing(*_arguments: object) -> None:
    return None


def _publish_all(*_arguments: object) -> bool:
    return True


def _list_nothing(*_arguments: object) -> tuple[()]:
    return ()


@dataclass(frozen=True, eq=False)
class Generator:
    """A site generator, or the absence of one. What is not stated of one is taken to be unknown.

    `name` tells it from others, "" where no generator publishes the pages; `title` is how it writes its own name.

    Recognition. `configuration` is a pattern of the names that it is recognized by; those of a lower `precedence` are
    asked first. `read_tree` reads a folder with such a configuration; None where it turns out to be another program's.
    `read_beside` does so where the configuration is in a folder beside the pages, `read_page` where a page is in a
    folder that is published by convention.

    Pages. `page_path` gives the path of a page's URL below the base of its tree. `publishes` tells whether a file of
    the docs folder is a page. `is_plain` where pages are read as files, at the paths that they have; `is_exact` where
    URLs follow from the paths of files alone and nothing is guessed. `states_urls` where front matter may state the URL
    of a page. `lists_folders` where a folder without a page of its own may have a URL. `templates` are the suffixes of
    pages in languages other than Markdown. `hides_base` where nothing states the path of the site on its host,
    `ignores_case` where hosts do not tell cases apart. `part_pattern` finds the paths of pages that are shown as parts
    of others, `home_pattern` the folders of versions and translations, which links to files may count from.
    `find_old_versions` lists, below a folder with a configuration, the folders of pages that a newer version replaces.
    `has_neighbors` where other programs publish files around its folder. `has_collections` where
    pages in folders with a mark have URLs of any kind. `find_section` gives the folder, below that of the docs, whose
    pages alone are published below a path.

    Links. `has_labels` where links may name labels that are on any page, and documents by their names.
    `reads_notebooks` where a notebook is a page by its own name. `root_alias` is what links have in place of the folder
    of the configuration, `schemes` what they have in place of paths. `reads_backslashes` where they divide folders as
    slashes do. `bundles_images` where the base is put before images in HTML, too. `resolves_files` where links in
    Markdown that name files are brought to the published URLs.

    Redirects. `keeps_pages` where a page at the old URL of a redirect is published, and nobody is sent on from there.
    `aliases_from_folder` where old URLs in front matter count from the folder around the page's. `read_redirects` reads
    those of its own configuration, with the folder that findings name paths from.

    Includes. `includes` is how pages bring in others: as whole pages, or as snippets of Python-Markdown.
    `proves_includes` where they count from the page alone, so that a file that is not there is missing.

    Navigation. `summary` is the page that is the navigation: what it does not name is not published. `read_navigation`
    reads what a configuration names, by the file that names it. `find_listed` finds all that it lists, None where that
    is not known; `listed_names` gives what a page may be listed as.

    Markup. `fills_liquid` where Liquid is filled in before Markdown is read: its tags name pages, layouts and includes
    bring headings. `has_extensions` where the configuration turns on extensions of Python-Markdown. `containers` are
    the names that `:::` takes. `rejects_attribute_lists` where `{: … }` stops the build.
    """

    name: str
    title: str = ""

    configuration: str = ""
    precedence: int = 2
    read_tree: Callable[[Configuration], Tree | None] = _find_nothing
    read_beside: Callable[[str, Disk], Tree | None] | None = None
    read_page: Callable[[str, Disk], Tree | None] | None = None

    build_page_path: PagePath = urls.build_page_path
    publishes: Callable[[Tree, str], bool] = _publish_all
    is_plain: bool = False
    is_exact: bool = False
    states_urls: bool = True
    lists_folders: bool = True
    templates: tuple[str, ...] = ()
    hides_base: bool = False
    ignores_case: bool = False
    part_pattern: re.Pattern[str] | None = None
    home_pattern: re.Pattern[str] | None = None
    find_old_versions: Callable[[Configuration], Iterable[str]] = _list_nothing
    has_neighbors: bool = False
    has_collections: bool = False
    find_section: Callable[[Tree, str], str] | None = None

    has_labels: bool = False
    reads_notebooks: bool = False
    root_alias: str = ""
    schemes: tuple[tuple[str, str], ...] = ()
    reads_backslashes: bool = False
    bundles_images: bool = False
    resolves_files: bool = False

    keeps_pages: bool = False
    aliases_from_folder: bool = False
    read_redirects: Callable[[Tree, str], Iterable[Redirect]] = _list_nothing

    includes: Literal["", "pages", "snippets"] = ""
    proves_includes: bool = False

    summary: str = ""
    read_navigation: Callable[[Tree, Pages], Iterable[tuple[Source, list[NamedPage]]]] = _list_nothing
    find_listed: Callable[[Tree, Pages], frozenset[str] | None] = _find_nothing
    list_names: Callable[[Tree, Pages, Page], Iterable[str]] = _list_nothing

    fills_liquid: bool = False
    has_extensions: bool = False
    containers: tuple[str, ...] = ()
    rejects_attribute_lists: bool = False
