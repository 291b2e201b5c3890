"""Astro and Starlight: collections of pages, which Starlight shows in its default language where one has none."""

from __future__ import annotations

from functools import partial
from posixpath import join

from tutorial_tool.core import lazy_re
from tutorial_tool.links import urls
from tutorial_tool.links.disk import Disk
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree

_DOCS, _STATIC = "src/content/docs", ("public", "src")
_COLLECTION_STATIC = ("public", "static", "assets", "source")
_DEPENDENCY = lazy_re.compile(r"\"astro\"\s*:\s*\"")
_SLASHED = lazy_re.compile(r"\btrailingSlash\s*:\s*[\"']always")
_LOCALES = lazy_re.compile(r"\blocales\s*:\s*\{((?:[^{}]++|\{[^{}]*+\})*+)\}")
_LOCALE = lazy_re.compile(r"[\"']?([A-Za-z][\w-]*)[\"']?\s*:\s*\{")
_DEFAULT = lazy_re.compile(r"\bdefaultLocale\s*:\s*[\"']([\w-]+)[\"']")


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the docs of Starlight; None where the site has none."""
    folder, name, disk, _ = configuration
    text, docs = _programs.read_program(folder, name), join(folder, _DOCS)
    if not disk.is_folder(docs):
        return None
    base, origin = _programs.find_base(text)
    return Tree(
        GENERATOR,
        folder,
        docs,
        base,
        origin,
        links="url" if _SLASHED.search(text) else "any",
        locales=_find_locales(text),
        static=_programs.existing_folders((folder, docs), _STATIC, disk),
        slugs="github",
    )


def _find_locales(text: str) -> tuple[str, ...]:
    """Find the languages of Starlight, the default one first."""
    found = _LOCALES.search(text)
    if found is None:
        return ()
    default = stated[1] if (stated := _DEFAULT.search(text)) else "root"
    codes = dict.fromkeys((default, *_LOCALE.findall(found[1])))
    return tuple("" if code == "root" else code for code in codes)


def read_collection(path: str, disk: Disk) -> Tree | None:
    """Read the collection that a page is in."""
    before, mark, after = path.rpartition("/src/content/")
    if not mark or not _is_astro(before, disk):
        return None
    docs = f"{before}/src/content/{after.split('/')[0]}" if "/" in after else f"{before}/src/content"
    static = _programs.existing_folders((before,), _COLLECTION_STATIC, disk)
    return Tree(GENERATOR, before, docs, static=static, slugs="github")


def _is_astro(folder: str, disk: Disk) -> bool:
    """Tell whether a folder has Astro's configuration, or depends on it."""
    is_configured = any(name.startswith("astro.config.") for name in disk.entries(folder))
    return is_configured or _DEPENDENCY.search(_programs.read_text(folder, "package.json")) is not None


GENERATOR = Generator(
    "astro",
    "Astro",
    r"astro\.config\.\w+",
    read_tree=read_tree,
    read_page=read_collection,
    page_path=partial(urls.page_path, is_rooted=True),
)
