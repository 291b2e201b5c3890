"""Docusaurus: folders of docs with routes, versions and translations, a blog, and pages that sidebars generate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename, join, normpath

from tutorial_tool.core import lazy_re
from tutorial_tool.links.disk import Disk, read_text
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.docusaurus.instances import find_instances
from tutorial_tool.links.generators.docusaurus.navigation import find_listed, list_names, read_navigation
from tutorial_tool.links.generators.docusaurus.routes import (
    build_page_path,
    find_old_versions,
    find_source_path,
    find_version_routes,
    publishes,
)
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree

_ROUTE = lazy_re.compile(r"\brouteBasePath\s*:\s*[\"']([^\"']*)[\"']")
_CUSTOM = lazy_re.compile(r"\b(?:remark|rehype)Plugins\b|RemarkPlugins\b|\bkeywords\s*:|\.use\(|\bmd\b")
_OLD = lazy_re.compile(r"\"@docusaurus/core\"\s*:\s*\"[^\d\"]*[012]\.")
_OWN = lazy_re.compile(r"(?:\bfrom\s+|\brequire\(\s*)[\"']\./([^\"']+)[\"']")
_LINKS = lazy_re.compile(r"\bisLink\b|[\"']link[\"']|\bnode\.url\b")
_MAX_FOLDERS_BESIDE = 60
_COMPONENTS = lazy_re.compile(r"(?:^|/)src/(?!pages/)")
"""Where components are kept: pages there are shown as parts of others."""
_HOMES = lazy_re.compile(r"(?:versioned_docs|[^/]+_versioned_docs)/[^/]+|i18n/[^/]+/[^/]+/[^/]+|[^/]+(?=/)")
"""A folder of pages: of a version, of a translation, or the one that is written now."""
_CONTAINERS = ("note", "tip", "info", "warning", "danger", "caution", "important", "success", "secondary")
_SIDEBARS = ("sidebars.js", "sidebars.ts", "sidebars.json", "sidebars.cjs", "sidebars.mjs")
_INDEX = lazy_re.compile(r"\{[^{}]*\bgenerated-index\b[^{}]*\}")
_SLUG = lazy_re.compile(r"\bslug[\"']?\s*:\s*[\"']([^\"'\n]+)[\"']")


def read_tree(configuration: Configuration) -> Tree:
    """Read the site of a folder with a configuration."""
    folder, name, disk, _ = configuration
    text = _programs.read_program(folder, name)
    routes = {instance.folder: instance.route for instance in find_instances(text)}
    elsewhere = _list_outer_folders(folder, routes)
    route = routes.pop("docs", None) or _find_first_route(text, routes)
    inside = tuple((path, stated) for path, stated in routes.items() if path[0] not in "./")
    base, origin = _programs.find_base(text)
    trailing_slash = _programs.find_trailing_slash(text)
    return Tree(
        GENERATOR,
        folder,
        normpath(folder),
        base,
        origin,
        route=route,
        routes=(*find_version_routes(folder, text, ("docs", route), disk), *inside),
        elsewhere=elsewhere,
        locales=("", *(name for name, is_folder in disk.list_entries(join(folder, "i18n")).items() if is_folder)),
        links="url" if trailing_slash else "any",
        rewrites=_has_link_rewriter(folder, text),
        old_mdx=_OLD.search(read_text(folder, "package.json")) is not None,
        custom_markup=not text or _CUSTOM.search(text) is not None,
        trailing_slash=trailing_slash,
        generated=tuple(_list_generated_folders(folder, route, disk)),
        generated_paths=frozenset(_find_generated_indexes(folder, text, route, disk)),
        prefixes=True,
        static=_programs.select_existing_folders((folder,), ("static",), disk),
        slugs="github",
    )


def _list_outer_folders(folder: str, routes: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """List the published folders around the site's, each with the name that its URLs are made by."""
    outer = [path for path in routes if path.startswith("../")]
    return tuple((normpath(join(folder, path)), routes[path] if at else "docs") for at, path in enumerate(outer))


def _find_first_route(text: str, routes: Mapping[str, str]) -> str:
    """Find where the first folder of docs is published, where no folder of that name is stated."""
    if outer := next((path for path in routes if path.startswith("../")), None):
        return routes[outer]
    named = (match[1].strip("/") for match in _ROUTE.finditer(text))
    return next((route for route in named if route not in routes.values()), "docs")


def read_beside(folder: str, disk: Disk) -> Tree | None:
    """Read the site in a folder beside that publishes pages of this folder."""
    entries = disk.list_entries(folder)
    if "package.json" not in entries and ".git" not in entries:
        return None
    beside = [name for name, is_folder in sorted(entries.items()) if is_folder and name[0] not in "._"]
    for inner in beside[:_MAX_FOLDERS_BESIDE]:
        for name in disk.list_entries(join(folder, inner)):
            if name.startswith("docusaurus.config."):
                tree = read_tree(Configuration(join(folder, inner), name, disk, folder))
                return tree if tree.elsewhere else None
    return None


def _list_generated_folders(folder: str, route: str, disk: Disk) -> Iterator[str]:
    """List the paths below which pages are published that have no file: categories, tags, versions."""
    versions = (name.removeprefix("version-") for name in disk.list_entries(join(folder, "versioned_docs")))
    yield from (join(route, name) for name in ("category", "tags", "next", *versions))
    yield from (f"blog/{name}" for name in ("archive", "authors", "page", "tags", "rss.xml", "atom.xml", "feed.json"))
    yield from ("search", "sitemap.xml")


def _has_link_rewriter(folder: str, text: str) -> bool:
    """Whether a program beside the configuration handles links: it may bring those to a repository's files there."""
    programs = (match[1] + end for match in _OWN.finditer(text) for end in ("", ".js", ".ts"))
    return any(_LINKS.search(read_text(folder, name)) for name in programs)


def _find_generated_indexes(folder: str, text: str, route: str, disk: Disk) -> Iterator[str]:
    """List the URLs that sidebars and folders give the pages that are generated for categories."""
    instances = tuple(find_instances(text))
    stated = [(join(folder, instance.sidebars), instance.route) for instance in instances if instance.sidebars]
    stated += [(join(folder, name), route) for name in _SIDEBARS]
    for instance in instances:
        inside = disk.walk(normpath(join(folder, instance.folder)))
        stated += ((file, instance.route) for file in inside if basename(file).startswith("_category_."))
    for file, start in dict.fromkeys((normpath(file), start) for file, start in stated):
        for link in _INDEX.finditer(read_text(folder, file)) if disk.is_file(file) else ():
            if slug := _SLUG.search(link[0]):
                yield join(start, slug[1].strip("/"))


GENERATOR = Generator(
    "docusaurus",
    "Docusaurus",
    r"docusaurus\.config\.\w+",
    read_tree=read_tree,
    read_beside=read_beside,
    build_page_path=build_page_path,
    publishes=publishes,
    find_section=find_source_path,
    read_navigation=read_navigation,
    find_listed=find_listed,
    list_names=list_names,
    part_pattern=_COMPONENTS,
    home_pattern=_HOMES,
    find_old_versions=find_old_versions,
    root_alias="@site/",
    resolves_files=True,
    containers=_CONTAINERS,
    rejects_attribute_lists=True,
)
