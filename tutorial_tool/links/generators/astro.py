"""Astro and Starlight: collections of pages. Starlight shows the default language for missing pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import join, normpath, splitext
from typing import TYPE_CHECKING

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.links import literals, urls
from tutorial_tool.links.anchors import build_github_slug
from tutorial_tool.links.disk import Disk, read_text
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.literals import List, Object, Text, Value
from tutorial_tool.links.navigation_files import NamedPage
from tutorial_tool.links.tree import Tree

if TYPE_CHECKING:
    from tutorial_tool.links.pages import Pages

_CONFIGURATION = r"astro\.config\.\w+"
_DOCS, _STATIC = "src/content/docs", ("public", "src")
_COLLECTION_STATIC = ("public", "static", "assets", "source")
_DEPENDENCY = lazy_re.compile(r"\"astro\"\s*:\s*\"")
_SLASHED = lazy_re.compile(r"\btrailingSlash\s*:\s*[\"']always")
_LOCALES = lazy_re.compile(r"\blocales\s*:\s*\{((?:[^{}]++|\{[^{}]*+\})*+)\}")
_LOCALE = lazy_re.compile(r"[\"']?([A-Za-z][\w-]*)[\"']?\s*:\s*\{")
_IMPORTED = lazy_re.compile(r"\bimport\s+locales\s+from\s+[\"'](\./[\w./-]+\.json)[\"']")
_MADE = lazy_re.compile(r"\bbase\s*:\s*[\"']/?(\w[\w/-]*)[\"']")
_SUFFIXES = (".md", ".mdx", ".mdoc", ".markdown")
_DEFAULT = lazy_re.compile(r"\bdefaultLocale\s*:\s*[\"']([\w-]+)[\"']")


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the docs of Starlight; None if the site has none."""
    folder, name, disk, _ = configuration
    text, docs = _programs.read_program(folder, name), join(folder, _DOCS)
    if not disk.is_folder(docs):
        return None
    base, origin = _programs.find_base(text)
    file = _IMPORTED.search(text)
    return Tree(
        GENERATOR,
        folder,
        docs,
        base,
        origin,
        links="url" if _SLASHED.search(text) else "any",
        locales=_find_locales(f"{text} locales: {read_text(folder, file[1])}" if file else text),
        static=_programs.select_existing_folders((folder, docs), _STATIC, disk),
        slugs="github",
        generated=tuple(path for path in _MADE.findall(text) if not disk.is_folder(join(docs, path))),
    )


def _find_locales(text: str) -> tuple[str, ...]:
    """Return the languages of Starlight, the default one first."""
    match = _LOCALES.search(text)
    if match is None:
        return ()
    default = stated[1] if (stated := _DEFAULT.search(text)) else "root"
    codes = dict.fromkeys((default, *_LOCALE.findall(match[1])))
    return tuple("" if code == "root" else code for code in codes)


def read_collection(path: str, disk: Disk) -> Tree | None:
    """Read the content collection that a page is in; None if it is in none that Astro publishes."""
    before, mark, after = path.rpartition("/src/content/")
    if not mark:
        return None
    is_configured = any(name.startswith("astro.config.") for name in disk.list_entries(before))
    if not (is_configured or _DEPENDENCY.search(read_text(before, "package.json"))):
        return None
    docs = f"{before}/src/content/{after.split('/')[0]}" if "/" in after else f"{before}/src/content"
    static = _programs.select_existing_folders((before,), _COLLECTION_STATIC, disk)
    return Tree(GENERATOR, before, docs, static=static, slugs="github")


def build_page_path(tree: Tree, path: str, front: Mapping[str, str]) -> str:
    """Build the path of a page's URL: Astro makes a slug of each part, in lower case without punctuation."""
    slugs = "/".join(build_github_slug(part) for part in urls.strip_suffix(path).split("/"))
    return urls.build_page_path(tree, slugs, front, is_rooted=True)


# The sidebar


_SIDEBAR = lazy_re.compile(r"\bsidebar\s*:\s*(?=[\[{])")


def read_navigation(tree: Tree, pages: Pages) -> Iterator[tuple[Source, list[NamedPage]]]:
    """Yield the pages that Starlight's sidebar names, by file."""
    for source in _programs.find_sources(pages, tree.root, _CONFIGURATION):
        yield source, list(_find_named(tree, source, pages)) if "starlight" in source.text else []


def _find_named(tree: Tree, source: Source, pages: Pages) -> Iterator[NamedPage]:
    known = frozenset(_iter_known_slugs(tree.docs, pages))
    for value in _programs.find_values(source, _SIDEBAR):
        for text in _find_slugs(value):
            slug = text.value.strip("/")
            homes = dict.fromkeys((tree.locales[0] if tree.locales else "", ""))
            paths = tuple(normpath(join(tree.docs, home, slug)) for home in homes)
            stands = any(join(home, slug) in known for home in homes)
            yield NamedPage(text.value, source.span(text.start, text.end), paths, exists=stands)


def _iter_known_slugs(folder: str, pages: Pages) -> Iterator[str]:
    """Yield the slugs of the pages in a folder, built from their paths or set by front matter."""
    for file in pages.disk.walk(folder):
        if file.endswith(_SUFFIXES):
            stem = urls.build_key(splitext(file[len(folder) + 1 :])[0])
            yield "/".join(build_github_slug(part) for part in stem.split("/"))
            yield (_programs.read_stated(file, pages, "slug") or stem).strip("/")


def _find_slugs(value: Value) -> Iterator[Text]:
    """Yield the slugs in a sidebar: by `slug`, or as a plain string in a list of items."""
    for node in literals.iter_values(value):
        if isinstance(node, List):
            yield from (item for item in node.items if isinstance(item, Text))
        elif isinstance(node, Object) and (slug := node.get_text("slug")):
            yield slug


GENERATOR = Generator(
    "astro",
    "Astro",
    _CONFIGURATION,
    read_tree=read_tree,
    read_conventional_tree=read_collection,
    build_page_path=build_page_path,
    find_section=lambda _tree, path: path,
    read_navigation=read_navigation,
)
