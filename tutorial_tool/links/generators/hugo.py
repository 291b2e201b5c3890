"""Hugo: one content folder per language, and URLs in lower case."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from posixpath import basename, commonpath, dirname, join, normpath
from typing import TYPE_CHECKING, Any

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import MAX_DEPTH
from tutorial_tool.core.source import Source
from tutorial_tool.data.forms import get_section, parse_toml
from tutorial_tool.fs import files
from tutorial_tool.links import urls
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Hugo, Language, Tree
from tutorial_tool.links.urls import split_url

if TYPE_CHECKING:
    from tutorial_tool.links.disk import Disk

_SUFFIXES = ("toml", "yaml", "yml", "json")
_NAMES = tuple(f"{name}.{suffix}" for name in ("hugo", "config") for suffix in _SUFFIXES)
_SIGNS = frozenset(
    "baseurl languagecode theme markup module permalinks taxonomies outputs menu menus defaultcontentlanguage".split()
)
"""Keys that identify a `config.yaml` as Hugo's."""
_CODE = lazy_re.compile(r"[a-z]{2,3}(?:-[a-z0-9]+)*")


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the site of a folder with a configuration and content; None if it is another generator's."""
    folder, _, disk, _ = configuration
    settings = dict(_read_settings(folder, disk))
    if "base_url" in settings or not (settings or _has_own_name(folder, disk)):  # Zola also uses `config.toml`
        return None
    content = _resolve_inside(folder, settings.get("contentdir"), join(folder, "content"))
    languages = tuple(_build_languages(folder, content, settings))
    docs = commonpath([language.folder for language in languages])
    is_there = disk.is_folder(docs) and any(disk.is_folder(language.folder) for language in languages)
    if not is_there or not (_SIGNS & settings.keys() or _has_own_name(folder, disk)):
        return None
    outer = tuple(_iter_outer_folders(folder, settings, languages, disk))
    mounted = _list_mounted_paths(settings, languages, folder, outer)
    site = split_url(str(settings.get("baseurl") or ""))
    is_whole, knows_urls = _check_completeness(settings, mounted, docs, disk)
    style = get_section(settings, "markup", "goldmark", "parser").get("autoheadingidtype")  # of headings' ids
    static = tuple(filter(disk.is_folder, (join(folder, name) for name in _iter_static_folders(settings))))
    return Tree(
        GENERATOR,
        folder,
        docs,
        urls.normalize_base(site.path),
        urls.build_origin(site),
        static=static,
        outside_folders=outer,
        slugs="hugo",
        has_ids=style in (None, "", "github"),
        generated=(*_list_generated_folders(settings, languages), *(mounted or ())),
        adds_base=True,
        hugo=Hugo(languages, settings.get("disablepathtolower") in (True, "true"), is_whole, knows_urls),
    )


def _has_own_name(folder: str, disk: Disk) -> bool:
    return any(name in disk.list_entries(folder) for name in _NAMES if name.startswith("hugo."))


def _check_completeness(
    settings: Mapping[str, Any], mounted: list[str] | None, docs: str, disk: Disk
) -> tuple[bool, bool]:
    """Return whether all content is in its folders, and whether the URLs of other content are known.

    Other content is mounted from elsewhere, or made by a template.
    """
    is_written = any(path.endswith("_content.gotmpl") for path in disk.walk(docs))
    return not _get_mounts(settings) and not is_written, mounted is not None and not is_written


def _get_mounts(settings: Mapping[str, Any]) -> list[Any]:
    return mounts if isinstance(mounts := get_section(settings, "module").get("mounts"), list) else []


def _iter_content_mounts(
    settings: Mapping[str, Any], target_kind: str = "content"
) -> Iterator[tuple[str, str, set[str]]]:
    """Yield the mounts of content: source, path below the content, and its languages if not all."""
    for mount in _get_mounts(settings):
        source, target = (mount.get(key) if isinstance(mount, dict) else None for key in ("source", "target"))
        if isinstance(source, str) and isinstance(target, str):
            kind, _, path = target.strip("/").partition("/")
            if kind == target_kind:
                yield source, path, _find_mount_languages(mount)


def _iter_outer_folders(
    folder: str, settings: Mapping[str, Any], languages: tuple[Language, ...], disk: Disk
) -> Iterator[tuple[str, str]]:
    """Yield the folders outside a site of one language that it mounts, each with its path below the content."""
    for source, path, _ in _iter_content_mounts(settings) if len(languages) == 1 else ():
        outer = normpath(join(folder, source))
        if path and source.startswith("../") and disk.is_folder(outer):
            yield outer, path


def _list_mounted_paths(
    settings: Mapping[str, Any], languages: tuple[Language, ...], folder: str, outer: tuple[tuple[str, str], ...]
) -> list[str] | None:
    """Return the URL paths below which content that is not read is mounted; None if it may be any."""
    out: list[str] = []
    for source, path, codes in _iter_content_mounts(settings):
        prefixes = [language.prefix for language in languages if not codes or language.code in codes]
        at = normpath(join(folder, source))
        is_known = (at, path) in outer or (not path and at in {language.folder for language in languages})
        stem = urls.build_key(urls.strip_suffix(path)).removesuffix("_index").rstrip("/")
        paths = [] if is_known else [f"{prefix}{stem}".rstrip("/") for prefix in prefixes]
        if "" in paths:
            return None
        out += paths
    return [*out, *(path for _, path, _ in _iter_content_mounts(settings, "static") if path)]


def _find_mount_languages(mount: Mapping[str, Any]) -> set[str]:
    """Return the languages of a mount; empty if it is for all."""
    matrix = get_section(mount, "sites", "matrix")
    codes = matrix.get("languages") if matrix else mount.get("lang")
    return {str(code).lower() for code in (codes if isinstance(codes, list) else [codes]) if code}


def _list_generated_folders(settings: Mapping[str, Any], languages: tuple[Language, ...]) -> Iterator[str]:
    """Yield the folders of pages without files, or with URLs set by a pattern, and those of these URLs."""
    permalinks = get_section(settings, "permalinks")
    folders = {str(value) for value in get_section(settings, "taxonomies").values()} or {"tags", "categories"}
    moved = (item for item in (permalinks, *permalinks.values()) if isinstance(item, dict))
    pairs = (pair for item in moved for pair in item.items())
    folders |= {text.partition(":")[0].strip("/") for pair in pairs for text in pair if isinstance(text, str)}
    yield from sorted(f"{language.prefix}{folder}" for language in languages for folder in folders if folder)


def _iter_static_folders(settings: Mapping[str, Any]) -> Iterator[str]:
    named = settings.get("staticdir") or "static"
    yield from map(str, named if isinstance(named, list) else [named])
    yield str(settings.get("assetdir") or "assets")


def _build_languages(folder: str, content: str, settings: Mapping[str, Any]) -> Iterator[Language]:
    """Yield the languages, the default one first; its URLs have its code as a prefix only if configured."""
    default = str(settings.get("defaultcontentlanguage") or "en").lower()
    named = {str(code).lower(): value for code, value in get_section(settings, "languages").items()}
    named = {code: value for code, value in named.items() if isinstance(value, dict) and _CODE.fullmatch(code)}
    mounts = [*_iter_content_mounts(settings)][::-1]  # if a language has several, the first one wins
    roots = {code: source for source, path, codes in mounts if not path for code in codes or {default}}
    for code in sorted({default, *named}, key=lambda code: (code != default, code)):
        own = roots.get(code) or named.get(code, {}).get("contentdir")  # mounts replace the folders of languages
        always = settings.get("defaultcontentlanguageinsubdir") in (True, "true")
        prefix = f"{code}/" if code != default or (always and named) else ""
        yield Language(code, _resolve_inside(folder, own, content), prefix)


def _resolve_inside(folder: str, settings: object, usual: str) -> str:
    """Return a folder that the configuration names; the default if it names none, or one outside the site."""
    text = normpath(join(folder, str(settings))) if settings else usual
    return text if text.startswith(folder.rstrip("/") + "/") else usual


def _read_settings(folder: str, disk: Disk) -> Iterator[tuple[str, Any]]:
    """Yield the configuration's settings by lower-case key; a file `languages.toml` sets `languages`."""
    for name in _NAMES:
        if name in disk.list_entries(folder):
            yield from _read_file(folder, name).items()
    inner = join(folder, "config", "_default")
    for file in disk.walk(inner):  # subfolders have no special meaning
        stem, _, suffix = basename(file).rpartition(".")
        if suffix in _SUFFIXES:
            values = _read_file(dirname(file), basename(file))
            section = "module" if "mounts" in values else stem
            yield from (values.items() if stem in ("hugo", "config") else ((section, values),))


def _read_file(folder: str, name: str) -> dict[str, Any]:
    read = files.read(Path(folder, name), root=folder)
    if not isinstance(read, Source):
        return {}
    if name.endswith(".toml"):
        settings: Any = parse_toml(read.text)
    elif name.endswith(".json"):
        try:
            settings = json.loads(read.text)
        except (ValueError, RecursionError):
            settings = {}
    else:
        settings = data.convert_to_plain(data.load_yaml(read).node)
    return _lower_keys(settings) if isinstance(settings, dict) else {}


def _lower_keys(settings: dict[Any, Any], depth: int = 0) -> dict[str, Any]:
    """Convert the keys to lower case: Hugo ignores their case."""
    return {
        str(key).lower(): _lower_keys(value, depth + 1) if isinstance(value, dict) and depth < MAX_DEPTH else value
        for key, value in settings.items()
    }


# URLs


_DROPPED = lazy_re.compile(r"[^\w./\\#+~@%\s-]")
"""Characters that are removed from paths."""


def split_language(tree: Tree, file: str) -> tuple[str, str]:
    """Split a content file into its language, by folder or name (`x.de.md`), and its path without that."""
    assert tree.hugo is not None
    languages, file = tree.hugo.languages, tree.get_inner_path(file)
    here = [language for language in languages if file.startswith(language.folder + "/")]
    nearest = max(here, key=lambda language: len(language.folder), default=languages[0])
    path = file.removeprefix(nearest.folder + "/")
    stem, _, suffix = path.rpartition(".")
    before, _, code = stem.rpartition(".")
    named = next((language for language in languages if before and language.code == code.lower()), None)
    return (named.code, f"{before}.{suffix}") if named else (nearest.code, path)


def build_page_path(tree: Tree, path: str, front: Mapping[str, str]) -> str:
    """Build the path of a page's URL: `url` sets all of it, `slug` its last part."""
    assert tree.hugo is not None
    code, path = split_language(tree, join(tree.docs, path))
    prefix = next(language.prefix for language in tree.hugo.languages if language.code == code)
    if stated := front.get("url"):
        stated = urls.build_key(stated) + "/" if urls.build_key(stated) else ""
        return stated if front["url"].startswith("/") else prefix + stated
    parts = _sanitize_path(tree.hugo, urls.strip_suffix(path)).split("/")
    is_section = parts[-1] == "_index"
    if parts[-1] in ("_index", "index"):
        parts.pop()
    if (slug := front.get("slug")) and parts and not is_section:
        parts[-1] = _sanitize_path(tree.hugo, slug.strip("/"))
    return prefix + "/".join(parts) + "/" * bool(parts)


def _sanitize_path(hugo: Hugo, path: str) -> str:
    path = re.sub(r"\s", "-", _DROPPED.sub("", path))
    return path if hugo.keeps_case else path.lower()


GENERATOR = Generator(
    "hugo",
    "Hugo",
    "|".join((*map(re.escape, _NAMES), "config")),
    precedence=5,
    reads_outside=True,
    read_tree=read_tree,
    build_page_path=build_page_path,
    lists_folders=False,
    keeps_pages=True,
    aliases_from_folder=True,
)
