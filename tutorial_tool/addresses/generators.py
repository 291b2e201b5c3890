"""The trees of other generators: of their configurations, only what is plain to see is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import join, normpath

from tutorial_tool import files, lazy_re
from tutorial_tool.addresses.disk import Disk
from tutorial_tool.addresses.tree import Tree, split
from tutorial_tool.source import Source

_BASE = lazy_re.compile(r"\b(?:baseUrl|base|baseurl|baseURL)\s*[:=]\s*[\"']?(/[^\"'\s,]*)")
_ORIGIN = lazy_re.compile(r"\b(?:url|site|baseURL)\s*[:=]\s*[\"']?(https?://[^\"'/\s,]+)([^\"'\s,]*)")
_ROUTE = lazy_re.compile(r"\brouteBasePath\s*:\s*[\"']([^\"']*)[\"']")
_LAYOUTS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    (r"docusaurus\.config\.\w+", "docusaurus", "", ("static",)),
    (r"astro\.config\.\w+", "astro", "src/content/docs", ("public", "src")),
    (r"hugo\.(?:toml|ya?ml|json)", "hugo", "content", ("static", "assets")),
    (r"_config\.yml", "jekyll", "", ()),
    (r"\.vitepress|\.vuepress", "vitepress", "", ("public", ".vuepress/public")),
    (r"book\.toml", "mdbook", "src", ()),
    (r"conf\.py", "sphinx", "", ("_static",)),
    (r"config\.toml", "hugo", "content", ("static", "assets")),
)
"""By the name of its configuration: a generator, its folder of pages, and its folders of files."""
_CONFIGURATION = lazy_re.compile("|".join(layout[0] for layout in _LAYOUTS))


def read(folder: str, name: str, disk: Disk) -> Tree | None:
    for pattern, engine, docs, static in _LAYOUTS if _CONFIGURATION.fullmatch(name) else ():
        if not re.fullmatch(pattern, name):
            continue
        home = normpath(join(folder, docs))
        if docs and not disk.is_folder(home):
            continue
        inside = (join(name, entry) for entry in disk.entries(join(folder, name)) if entry.startswith("config."))
        text = _text(folder, next(inside, "") if disk.is_folder(join(folder, name)) else name)
        base, origin = _BASE.search(text), _ORIGIN.search(text)
        route = told[1].strip("/") if (told := _ROUTE.search(text)) else "docs"
        path = (origin[2] if origin and origin[2].strip("/") else "") or (base[1] if base else "")
        path = split(path).path
        return Tree(
            engine,
            folder,
            home,
            f"/{path.strip('/')}/".replace("//", "/"),
            origin[1] if origin else "",
            route=route,
            generated=tuple(_of_docusaurus(folder, route, disk)) if engine == "docusaurus" else (),
            static=tuple(join(folder, name) for name in static if disk.is_folder(join(folder, name))),
            slugs="any" if engine in ("sphinx", "jekyll") else "github",
        )
    return None


def _of_docusaurus(folder: str, route: str, disk: Disk) -> Iterator[str]:
    """The paths below which Docusaurus publishes what no file of the docs stands for: categories, tags, versions."""
    versions = (name.removeprefix("version-") for name in disk.entries(join(folder, "versioned_docs")))
    yield from (join(route, name) for name in ("category", "tags", "next", *versions))


def _text(folder: str, name: str) -> str:
    read = files.read(Path(folder, name), root=folder)
    return read.text if isinstance(read, Source) else ""
