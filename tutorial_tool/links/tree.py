"""A folder of pages that is published as one site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from tutorial_tool import data
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source

if TYPE_CHECKING:
    from tutorial_tool.links.anchors import Style
    from tutorial_tool.links.generators.protocol import Generator
    from tutorial_tool.links.tab_ids import Tabs
    from tutorial_tool.links.translations import Translations

SEVERAL = 3  # Number of links or pages that prove what a tree does, and of misses that make it doubtful
MAX_LEVELS = 4  # Folders above plain files that may be the root of URLs; below a root, those of files that name images
ELSEWHERE = 5  # Number of targets in missing folders that shows that part of the tree is elsewhere


class Language(NamedTuple):
    """A language of a site: the folder of its pages, and the prefix of its URLs (`de/`)."""

    code: str
    folder: str
    prefix: str


class Hugo(NamedTuple):
    """The parts of Hugo's configuration that affect URLs.

    `is_fully_loaded` if all content is in the languages' folders, `knows_urls` if content from elsewhere has known
    URLs.
    """

    languages: tuple[Language, ...]  # The default language comes first
    keeps_case: bool = False
    is_fully_loaded: bool = True
    knows_urls: bool = True


@dataclass(frozen=True, eq=False)
class Tree:
    """A folder of pages that is published as one site. Folders are absolute paths with `/`.

    `generator` publishes it. `base` is the path at which the pages are published, with slashes at both ends; `origin`
    is the scheme and host, "" if unknown.
    """

    generator: Generator
    root: str
    docs: str
    base: str = "/"
    origin: str = ""
    directory_urls: bool = True
    route: str = "docs"  # Where Docusaurus publishes its `docs` folder, below the base
    routes: tuple[tuple[str, str], ...] = ()
    """Folders whose pages are published elsewhere, each with the path, or a pattern of Jekyll (`:title.html`)."""
    static: tuple[str, ...] = ()
    links: Literal["any", "file", "url"] = "any"
    """The base of relative links without a suffix in Markdown: the page's file, or its URL as a folder."""
    trailing_slash: bool | None = None
    """Whether Docusaurus ends all page URLs in a slash; None if only those of index pages."""
    slugs: Style = "any"
    tabs: Tabs = ""  # What tab IDs are built from
    has_ids: bool = True
    """Whether headings are known to get IDs of that style: some generators add none by default."""
    alters_pages: bool = False  # Whether the site's own code may change the content of a page
    has_all_pages: bool = False  # Whether no plugin or hook may add pages or change the navigation
    is_complete: bool = False  # Whether every page and file of the published site is known
    is_checked: bool = False  # Whether a build stops at a broken link: then a program writes what is missing as a whole
    adds_pages: bool = False
    """Whether programs or other repositories add pages: only misspelled names are known to be missing."""
    translations: Translations | None = None  # The languages of a MkDocs site
    generated: tuple[str, ...] = ()  # Folders of the docs folder whose pages a plugin writes
    generated_paths: frozenset[str] = frozenset()
    """URL paths below the base, without outer slashes, of single pages without a file, or with another page's file."""
    moved_files: tuple[str, ...] | None = ()
    """Files of the docs folder that are published as if they were elsewhere; None if any may be."""
    excluded: tuple[str, ...] = ()  # Patterns of files and folders of the docs folder that Jekyll ignores
    adds_base: bool = False
    """Whether the generator may add its base to root-relative URLs in Markdown."""
    has_loose_tables: bool = False
    """Whether a pipe in code ends no cell, and a delimiter row may have any number of cells."""
    custom_markup: bool = False  # Whether the configuration adds names or plugins to the Markdown parser
    old_mdx: bool = False
    """Whether MDX 1 parses the pages, which accepts much HTML that later versions reject."""
    hugo: Hugo | None = None
    locales: tuple[str, ...] = ()
    """Language folders of Starlight, the default one first: "" if that has none. It shows its pages where
    another language has none."""
    outside_folders: tuple[tuple[str, str], ...] = ()
    """Outside folders that are also published, each with the folder of the docs folder that it replaces."""
    recognized: bool = True  # Whether a configuration identifies the publisher of the pages
    by_name: bool = False  # Whether links may name a page or file without its folders
    has_labels: bool = False  # Whether an mdBook preprocessor may give names in brackets their own URLs
    config: Source | None = None
    node: data.Mapping | None = None  # The configuration, if it is YAML
    faults: tuple[Finding, ...] = ()  # Why it is not valid YAML
    plugins: frozenset[str] = frozenset()  # Plugins that a TOML configuration names

    @cached_property
    def id(self) -> str:
        """An identifier among the trees of a site."""
        return f"{self.generator.name}:{self.docs}"

    @property
    def is_plain(self) -> bool:
        return self.generator.is_plain

    @property
    def is_exact(self) -> bool:
        return self.generator.is_exact

    def build_page_path(self, path: str, front: Mapping[str, str] = MappingProxyType({})) -> str:
        """Build the path of a page's URL below the base; `front` is the front matter that affects it."""
        return self.generator.build_page_path(self, path, front)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders whose pages are published."""
        return self.docs, *(folder for folder, _ in self.outside_folders)

    def contains_path(self, path: str) -> bool:
        return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in self.folders)

    def get_inner_path(self, path: str) -> str:
        """Return a path as if folders published from elsewhere were in the docs folder."""
        for folder, name in self.outside_folders:
            if path.startswith(f"{folder}/"):
                return f"{self.docs.rstrip('/')}/{name}/{path[len(folder) + 1 :]}"
        return path

    def is_generated(self, path: str) -> bool:
        """Return whether a plugin generates the page at a path below the docs folder, or the base."""
        path = path.strip("/")
        code, _, rest = path.partition("/")
        paths = {path, rest if code in self.locales else path}
        if self.moved_files is None or not paths.isdisjoint(self.generated_paths):
            return True
        folders = tuple(f"{folder.strip('/')}/" for folder in self.generated)
        return any(f"{name.removesuffix('.md')}/".startswith(folders) for name in paths)

    @property
    def root_is_docs(self) -> bool:
        """Whether `/x` in a Markdown link means a file of the docs folder (MkDocs' `absolute_links`)."""
        return data.get_text(self.node, "validation", "links", "absolute_links") == "relative_to_docs"
