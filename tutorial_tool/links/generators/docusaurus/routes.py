"""The URLs of Docusaurus: routes of docs folders, slugs, dated blog posts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename, dirname, join, normpath

from tutorial_tool.core import lazy_re
from tutorial_tool.links import urls
from tutorial_tool.links.disk import Disk, read_text
from tutorial_tool.links.generators.docusaurus.instances import Instance
from tutorial_tool.links.generators.protocol import Configuration
from tutorial_tool.links.tree import Tree

_VERSION = lazy_re.compile(r"[\"']?(?P<name>[\w.-]+)[\"']?\s*:\s*\{[^{}]*?\bpath\s*:\s*[\"'](?P<path>[^\"'/]*)[\"']")
_NAMES = lazy_re.compile(r"\"([^\"]+)\"")
_PLUGIN = r"i18n/[^/]+/docusaurus-plugin-content-docs"
_VERSIONED = lazy_re.compile(rf"(?:(?P<id>\w[\w-]*)_)?versioned_docs|{_PLUGIN}(?:-(?P<translated>[\w-]+))?")
_TRANSLATED = lazy_re.compile(rf"(.*)/{_PLUGIN}(?:-([\w-]+))?/(?:current|(version-[^/]+))/(.*)")
_UNPUBLISHED = lazy_re.compile(r"\bincludeCurrentVersion\s*:\s*false")
_NUMBERED = lazy_re.compile(r"^\d+[-_. ]+(?=\D)")


def build_page_path(tree: Tree, path: str, front: Mapping[str, str]) -> str:
    """Build the path of a page's URL, below the route of its docs and without ordering numbers."""
    stem = _build_published_stem(tree, urls.strip_suffix(path))
    folder, name = dirname(stem), basename(stem)
    if slug := urls.get_stated_path(front):
        return _build_slug_path(tree, slug, folder)
    if name in urls.INDEXES or name.lower() == basename(folder).lower():  # whatever its `id`
        return folder + "/" * (tree.trailing_slash is not False) if folder else ""
    return join(folder, basename(front.get("id") or name)) + "/" * bool(tree.trailing_slash)


def find_version_routes(folder: str, text: str, instance: Instance, disk: Disk) -> Iterator[tuple[str, str]]:
    """Yield the folders of versions and translations of an instance's pages, each with its route.

    The current version and the last released one are assumed to be at the route of the instance.
    """
    stated = {match["name"]: match["path"] for match in _VERSION.finditer(text)}
    released = _NAMES.search(read_text(folder, f"{instance.prefix}versions.json"))
    last = instance.last_version or (released[1] if released else "")
    home = f"{instance.prefix}versioned_docs"
    versions = [entry.removeprefix("version-") for entry in disk.list_entries(join(folder, home))]
    paths = {version: stated.get(version, "" if version == last else version) for version in versions}
    for version, path in paths.items():
        yield f"{home}/version-{version}", join(instance.start, path).rstrip("/")
    for locale in disk.list_entries(join(folder, "i18n")):
        home = f"i18n/{locale}/docusaurus-plugin-content-docs" + (f"-{instance.id}" if instance.id else "")
        for version in disk.list_entries(join(folder, home)):
            path = paths.get(version.removeprefix("version-"))
            route = instance.route if path is None else join(instance.start, path)
            yield f"{home}/{version}", join(locale, route).rstrip("/")


def find_old_versions(configuration: Configuration) -> Iterator[str]:
    """Yield the folders of released versions and their translations, since the current one is the newest.

    If a current version is not published, the last released one of each instance is the newest.
    """
    folder, name, disk, _ = configuration
    is_unpublished = _UNPUBLISHED.search(read_text(folder, name)) is not None
    locales = (f"i18n/{locale}" for locale in disk.list_entries(join(folder, "i18n")))
    plugins = (f"{locale}/{plugin}" for locale in locales for plugin in disk.list_entries(join(folder, locale)))
    for match in filter(None, map(_VERSIONED.fullmatch, (*disk.list_entries(folder), *plugins))):
        id_ = match["id"] or match["translated"]
        released = _NAMES.search(read_text(folder, f"{id_}_versions.json" if id_ else "versions.json"))
        newest = f"version-{released[1]}" if released and is_unpublished else ""
        home = join(folder, match[0])
        versions = (version for version in disk.list_entries(home) if version.startswith("version-"))
        yield from (join(home, version) for version in versions if version != newest)


def find_untranslated(file: str) -> str | None:
    """Return the file that is published if a translation lacks one; None if that is in no translation."""
    if not (match := _TRANSLATED.fullmatch(file)):
        return None
    site, id_, version, path = match.groups()
    versions = f"{id_}_versioned_docs" if id_ else "versioned_docs"
    return join(site, f"{versions}/{version}" if version else id_ or "docs", path)


def publishes(tree: Tree, file: str) -> bool:
    """Return whether a file is in a folder of pages: not next to the configuration, nor a static file."""
    path = file.removeprefix(f"{tree.docs}/")
    return "/" in path and not path.startswith("static/")


def _build_published_stem(tree: Tree, stem: str) -> str:
    if stem.startswith("src/pages/"):
        return stem.removeprefix("src/pages/")
    if stem.startswith("blog/"):
        return _build_post_path(stem)
    parts = [_NUMBERED.sub("", part) for part in stem.split("/")]
    folder, route = _find_mount(tree, stem) if len(parts) > 1 else ("", "")
    parts[: len(folder.split("/")) if folder else 0] = [route] if route else []
    return "/".join(parts)


def _find_mount(tree: Tree, path: str) -> tuple[str, str]:
    """Return the docs folder that contains a path, and its route; empty strings if there is none."""
    folders = (("docs", tree.route), *tree.routes)
    around = (folder for folder in folders if f"{path}/".startswith(f"{folder[0]}/"))
    return max(around, key=lambda folder: len(folder[0]), default=("", ""))


def find_source_path(tree: Tree, path: str) -> str:
    """Return the path of the file published at a path below the base, as far as the routes show."""
    for folder, route in (*tree.routes, ("docs", tree.route)):
        if f"{path}/".startswith(f"{route}/") or not route:
            return f"{folder}/{path[len(route) :].strip('/')}".rstrip("/")
    return path


def _build_post_path(stem: str) -> str:
    """Build the path of a blog post, which contains its date."""
    parts = stem.removesuffix("/index").split("/")
    dated = next((at for at, part in enumerate(parts) if urls.POST.fullmatch(part)), None)
    if dated is None:
        return stem
    year, month, day, name = urls.POST.findall(parts[dated])[0]
    return "/".join((*parts[:dated], year, month.zfill(2), day.zfill(2), name, *parts[dated + 1 :]))


def _build_slug_path(tree: Tree, slug: str, folder: str) -> str:
    """Build the path of a page with a `slug`: from its folder, or from the route of its docs or blog."""
    is_post = folder.partition("/")[0] == "blog"
    around = (route for _, route in tree.routes if route and f"{folder}/".startswith(f"{route}/"))
    route = max(around, key=len, default=tree.route)
    home = folder if not slug.startswith("/") and not is_post else "blog" if is_post else route
    path = urls.build_key(normpath(join(home, slug.strip("/"))))
    ends = slug.endswith("/") if tree.trailing_slash is None else tree.trailing_slash
    return path + "/" * ends if path else ""
