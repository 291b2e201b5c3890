"""Docusaurus: folders of docs with routes, versions and translations, a blog, and pages that sidebars generate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.links import literals, urls
from tutorial_tool.links.disk import Disk
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.literals import List, Object, Text
from tutorial_tool.links.tree import Tree

_ROUTE = lazy_re.compile(r"\brouteBasePath\s*:\s*[\"']([^\"']*)[\"']")
_CUSTOM = lazy_re.compile(r"\b(?:remark|rehype)Plugins\b|RemarkPlugins\b|\bkeywords\s*:|\.use\(|\bmd\b")
_OLD = lazy_re.compile(r"\"@docusaurus/core\"\s*:\s*\"[^\d\"]*[012]\.")
_PLUGINS = lazy_re.compile(r"\b(?:presets|plugins)[\"']?\s*:\s*(?=\[)")
_MAX_FOLDERS_BESIDE = 60
_SIDEBARS = ("sidebars.js", "sidebars.ts", "sidebars.json", "sidebars.cjs", "sidebars.mjs")
_INDEX = lazy_re.compile(r"\{[^{}]*\bgenerated-index\b[^{}]*\}")
_SLUG = lazy_re.compile(r"\bslug[\"']?\s*:\s*[\"']([^\"'\n]+)[\"']")
_NUMBERED = lazy_re.compile(r"^\d+[-_. ]+(?=\D)")


class Instance(NamedTuple):
    """A folder of pages, the path below which it is published, and its file of sidebars, "" where none is stated.

    Paths are relative to the folder of the configuration, and the base of the site.
    """

    folder: str
    route: str
    sidebars: str


def find_instances(text: str) -> Iterator[Instance]:
    """Find the folders of docs in a configuration, but those whose path it computes."""
    for found in _PLUGINS.finditer(text):
        for options in _docs_options(literals.value_at(text, found.end())):
            folder, route, sidebars = (options.text(key) for key in ("path", "routeBasePath", "sidebarPath"))
            if (folder or not options.has("path")) and (route or not options.has("routeBasePath")):
                path = normpath(folder.value) if folder else "docs"
                yield Instance(path, route.value.strip("/") if route else "docs", sidebars.value if sidebars else "")


def _docs_options(value: literals.Value) -> Iterator[Object]:
    """Find the options of the docs in a preset, and of each plugin that publishes a folder of docs."""
    for node in literals.inside(value):
        if isinstance(node, Object) and isinstance(docs := node.get("docs"), Object):
            yield docs
        if isinstance(node, List) and len(node.items) > 1:
            name, options = node.items[:2]
            if isinstance(name, Text) and "content-docs" in name.value and isinstance(options, Object):
                yield options


def read_tree(configuration: Configuration) -> Tree:
    """Read the site of a folder with a configuration."""
    folder, name, disk, _ = configuration
    text = _programs.read_program(folder, name)
    routes = {instance.folder: instance.route for instance in find_instances(text)}
    elsewhere = _outer_folders(folder, routes)
    route = routes.pop("docs", None) or _first_route(text, routes)
    base, origin = _programs.find_base(text)
    trailing_slash = _programs.find_trailing_slash(text)
    return Tree(
        GENERATOR,
        folder,
        normpath(folder),
        base,
        origin,
        route=route,
        routes=tuple((path, stated) for path, stated in routes.items() if path[0] not in "./"),
        elsewhere=elsewhere,
        links="url" if trailing_slash else "any",
        old_mdx=_OLD.search(_programs.read_text(folder, "package.json")) is not None,
        custom_markup=not text or _CUSTOM.search(text) is not None,
        trailing_slash=trailing_slash,
        generated=tuple(_generated_folders(folder, route, disk)),
        made=frozenset(_generated_indexes(folder, text, route, disk)),
        prefixes=True,
        static=_programs.existing_folders((folder,), ("static",), disk),
        slugs="github",
    )


def _outer_folders(folder: str, routes: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """List the published folders around the site's, each with the name that its URLs are made by."""
    outer = [path for path in routes if path.startswith("../")]
    return tuple((normpath(join(folder, path)), routes[path] if at else "docs") for at, path in enumerate(outer))


def _first_route(text: str, routes: Mapping[str, str]) -> str:
    """Find where the first folder of docs is published, where no folder of that name is stated."""
    if outer := next((path for path in routes if path.startswith("../")), None):
        return routes[outer]
    named = (found[1].strip("/") for found in _ROUTE.finditer(text))
    return next((route for route in named if route not in routes.values()), "docs")


def read_beside(folder: str, disk: Disk) -> Tree | None:
    """Read the site in a folder beside that publishes pages of this folder."""
    entries = disk.entries(folder)
    if "package.json" not in entries and ".git" not in entries:
        return None
    beside = [name for name, is_folder in sorted(entries.items()) if is_folder and name[0] not in "._"]
    for inner in beside[:_MAX_FOLDERS_BESIDE]:
        for name in disk.entries(join(folder, inner)):
            if name.startswith("docusaurus.config."):
                tree = read_tree(Configuration(join(folder, inner), name, disk, folder))
                return tree if tree.elsewhere else None
    return None


def _generated_folders(folder: str, route: str, disk: Disk) -> Iterator[str]:
    """List the paths below which pages are published that have no file: categories, tags, versions."""
    versions = (name.removeprefix("version-") for name in disk.entries(join(folder, "versioned_docs")))
    yield from (join(route, name) for name in ("category", "tags", "next", *versions))
    yield from (f"blog/{name}" for name in ("archive", "authors", "page", "tags", "rss.xml", "atom.xml", "feed.json"))
    yield from ("search", "sitemap.xml")


def _generated_indexes(folder: str, text: str, route: str, disk: Disk) -> Iterator[str]:
    """List the URLs that sidebars give the pages that are generated for categories."""
    stated = [
        (join(folder, instance.sidebars), instance.route) for instance in find_instances(text) if instance.sidebars
    ]
    stated += [(join(folder, name), route) for name in _SIDEBARS]
    for file, start in dict.fromkeys((normpath(file), start) for file, start in stated):
        for link in _INDEX.finditer(_programs.read_text(folder, file)) if disk.is_file(file) else ():
            if slug := _SLUG.search(link[0]):
                yield join(start, slug[1].strip("/"))


# URLs


def page_path(tree: Tree, path: str, front: Mapping[str, str]) -> str:
    """Build the path of a page's URL: without the numbers that order pages, below the route of its docs."""
    stem = _published_stem(tree, urls.without_suffix(path))
    folder, name = dirname(stem), basename(stem)
    if slug := urls.stated_path(front):
        return _slug_path(tree, slug, folder)
    name = basename(front["id"]) if front.get("id") else name
    if name in urls.INDEXES or name == basename(folder):
        return folder + "/" * (tree.trailing_slash is not False) if folder else ""
    return join(folder, name) + "/" * bool(tree.trailing_slash)


def _published_stem(tree: Tree, stem: str) -> str:
    if stem.startswith("src/pages/"):
        return stem.removeprefix("src/pages/")
    if stem.startswith("blog/"):
        return _post_path(stem)
    parts = [_NUMBERED.sub("", part) for part in stem.split("/")]
    folder, route = _mounted(tree, stem) if len(parts) > 1 else ("", "")
    parts[: len(folder.split("/")) if folder else 0] = [route] if route else []
    return "/".join(parts)


def _mounted(tree: Tree, path: str) -> tuple[str, str]:
    """Find the folder of docs that a path is in, and where it is published; nothing where it is in none."""
    folders = (("docs", tree.route), *tree.routes)
    return next((found for found in folders if f"{path}/".startswith(f"{found[0]}/")), ("", ""))


def source_path(tree: Tree, path: str) -> str:
    """Find the path of the file that is published at a path below the base, as far as routes tell."""
    for folder, route in (*tree.routes, ("docs", tree.route)):
        if f"{path}/".startswith(f"{route}/") or not route:
            return f"{folder}/{path[len(route) :].strip('/')}".rstrip("/")
    return path


def _post_path(stem: str) -> str:
    """Build the path of a post of the blog, which its date is part of."""
    parts = stem.removesuffix("/index").split("/")
    dated = next((at for at, part in enumerate(parts) if urls.POST.fullmatch(part)), None)
    if dated is None:
        return stem
    year, month, day, name = urls.POST.findall(parts[dated])[0]
    return "/".join((*parts[:dated], year, month.zfill(2), day.zfill(2), name, *parts[dated + 1 :]))


def _slug_path(tree: Tree, slug: str, folder: str) -> str:
    """Build the path of a page with a `slug`: from its folder, or from the route of its docs or blog."""
    is_post = folder.partition("/")[0] == "blog"
    route = next((route for _, route in tree.routes if route and f"{folder}/".startswith(f"{route}/")), tree.route)
    home = folder if not slug.startswith("/") and not is_post else "blog" if is_post else route
    path = urls.key(join(home, slug.strip("/")))
    ends = slug.endswith("/") if tree.trailing_slash is None else tree.trailing_slash
    return path + "/" * ends if path else ""


GENERATOR = Generator(
    "docusaurus",
    "Docusaurus",
    r"docusaurus\.config\.\w+",
    read_tree=read_tree,
    read_beside=read_beside,
    page_path=page_path,
)
