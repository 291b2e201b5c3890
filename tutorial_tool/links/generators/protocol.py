"""The facts and functions of a site generator that links need, in one value."""

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
    from tutorial_tool.links.target import Redirect
    from tutorial_tool.links.tree import Tree
    from tutorial_tool.site import Page

PagePath = Callable[["Tree", str, Mapping[str, str]], str]
"""Takes a tree, the path of a page below its docs folder, and the entries of its front matter about its URL."""


class Configuration(NamedTuple):
    """A file or folder that identifies a generator; findings name paths relative to `root`."""

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
    """A site generator, or the absence of one. What is not set is unknown.

    `name` identifies it, "" if no generator publishes the pages; `title` is its official name.

    Recognition. `configuration` is a pattern for the names of its configurations; generators with a lower `precedence`
    come first. `read_tree` reads a folder with such a configuration and returns None if it is another program's.
    `read_conventional_tree` does so if a page is in a folder that is published by convention. `reads_outside`: it can
    publish pages next to the folder with the configuration.

    Pages. `build_page_path` builds the path of a page's URL below the base of its tree. `publishes` returns whether a
    file of the docs folder is a page. `is_plain`: pages are read as files, at their paths; `is_exact`: URLs follow from
    the paths of files alone and nothing is guessed. `states_urls`: front matter may set the URL of a page.
    `lists_folders`: a folder without an index page may have a URL. `templates` are the suffixes of pages in languages
    other than Markdown. `hides_base`: the path of the site on its host is not configured. `part_pattern` matches the
    paths of pages that are included in others, `home_pattern` the folders of versions and translations, which links to
    files may be relative to. `find_old_versions` lists, below a folder with a configuration, the folders of pages that
    a newer version replaces, `find_untranslated` the file that is published if a translation lacks one, None if that is
    in no translation. `has_neighbors`: other programs publish files around its folder. `has_collections`: pages in
    marked folders have URLs of any kind. `find_section` returns the folder, below that of the docs, whose pages are the
    only ones published below a path.

    Links. `has_labels`: links may name labels on any page, and documents by their names. `reads_notebooks`: a notebook
    is a page under its name. `root_alias` is the prefix in links for the folder of the configuration, `schemes` are
    prefixes for paths. `reads_backslashes`: backslashes separate folders as slashes do. `bundles_images`: the base is
    added to images in HTML, too. `starts_at_root`: relative URLs are relative to the root of the site.
    `resolves_files`: links in Markdown to files are rewritten to the published URLs, and `renames_files` if only the
    suffix is changed, whichever file is published there.

    Redirects. `keeps_pages`: a page at the old URL of a redirect is published, and nobody is redirected from there.
    `aliases_from_folder`: old URLs in front matter are relative to the folder around the page's. `read_redirects` reads
    those of the generator's configuration, with the folder that findings name paths from.

    Includes. `includes` is how pages include others: as whole pages, or as snippets of Python-Markdown.
    `proves_includes`: they are relative to the page only, so that a file that does not exist is missing.

    Navigation. `summary` is the page that is the navigation: pages that it does not name are not published.
    `read_navigation` reads the pages that a configuration names, by file. `find_listed` returns all that it lists, None
    if that is not known; `list_names` returns the names by which a page may be listed.

    Markup. `fills_liquid`: Liquid is rendered before Markdown is parsed: its tags name pages, and layouts and includes
    add headings. `has_extensions`: the configuration enables extensions of Python-Markdown. `has_containers`: `:::`
    opens an admonition.
    """

    name: str
    title: str = ""

    configuration: str = ""
    precedence: int = 2
    read_tree: Callable[[Configuration], Tree | None] = _find_nothing
    read_conventional_tree: Callable[[str, Disk], Tree | None] | None = None
    reads_outside: bool = False

    build_page_path: PagePath = urls.build_page_path
    publishes: Callable[[Tree, str], bool] = _publish_all
    is_plain: bool = False
    is_exact: bool = False
    states_urls: bool = True
    lists_folders: bool = True
    templates: tuple[str, ...] = ()
    hides_base: bool = False
    part_pattern: re.Pattern[str] | None = None
    home_pattern: re.Pattern[str] | None = None
    find_old_versions: Callable[[Configuration], Iterable[str]] = _list_nothing
    find_untranslated: Callable[[str], str | None] = _find_nothing
    has_neighbors: bool = False
    has_collections: bool = False
    find_section: Callable[[Tree, str], str] | None = None

    has_labels: bool = False
    reads_notebooks: bool = False
    root_alias: str = ""
    schemes: tuple[tuple[str, str], ...] = ()
    reads_backslashes: bool = False
    bundles_images: bool = False
    starts_at_root: bool = False
    resolves_files: bool = False
    renames_files: bool = False

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
    has_containers: bool = False
