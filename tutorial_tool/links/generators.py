"""The trees of other generators: of their configurations, only what is plain to see is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from posixpath import join, normpath
from typing import Literal

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.links import docusaurus, literals
from tutorial_tool.links.anchors import Style
from tutorial_tool.links.disk import Disk
from tutorial_tool.links.tree import Tree, split

_BASE = lazy_re.compile(r"\b(?:baseUrl|base|baseurl|baseURL)\s*[:=]\s*[\"'`]?(/[^\"'`\s,]*)")
_ORIGIN = lazy_re.compile(r"\b(?:url|site|baseURL)\s*[:=]\s*[\"']?(https?://[^\"'/\s,]+)([^\"'\s,]*)")
_TOP = lazy_re.compile(r"^[A-Za-z].*\n?", re.MULTILINE)
"""The keys of YAML that are part of no other, with what stands on their lines."""
_CONSTANT = lazy_re.compile(r"^(?:export[ \t]+)?const[ \t]+(\w+)[ \t]*=[ \t]*([\"'`])([^\"'`\n$]*)\2", re.MULTILINE)
_NAME = lazy_re.compile(r"\$\{(\w+)\}")
_ROUTE = lazy_re.compile(r"\brouteBasePath\s*:\s*[\"']([^\"']*)[\"']")
_CUSTOM = lazy_re.compile(r"\b(?:remark|rehype)Plugins\b|RemarkPlugins\b|\bkeywords\s*:|\.use\(|\bmd\b")
_OLD = lazy_re.compile(r"\"@docusaurus/core\"\s*:\s*\"[^\d\"]*[012]\.")
_TRAILING_SLASH = lazy_re.compile(r"\btrailingSlash\s*:\s*(true|false)\b")
_LAYOUTS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    (r"docusaurus\.config\.\w+", "docusaurus", "", ("static",)),
    (r"astro\.config\.\w+", "astro", "src/content/docs", ("public", "src")),
    (r"_config\.yml", "jekyll", "", ()),
    (r"\.vitepress|\.vuepress", "vitepress", "", ("public", ".vuepress/public")),
    (r"book\.toml", "mdbook", "src", ()),
    (r"conf\.py|_toc\.yml|myst\.ya?ml", "sphinx", "", ("_static",)),
    (r"\.eleventy\.c?js|eleventy\.config\.[cm]?[jt]s", "eleventy", "", ()),
)
"""By the name of its configuration: a generator, its folder of pages, and its folders of files."""
_CONFIGURATION = lazy_re.compile("|".join(layout[0] for layout in _LAYOUTS))


_BESIDE = 60
"""How many folders are looked into for a site that publishes one beside it."""
HOSTED = ("docs.json", "mint.json")
"""The configurations of Mintlify."""
_MINTLIFY = lazy_re.compile(r"\"\$schema\"\s*:\s*\"[^\"]*\bmintlify\b")


def hosted(folder: str, name: str) -> Tree | None:
    """The pages that Mintlify publishes: as plain files, with anchors of its own."""
    is_known = name == "mint.json" or _MINTLIFY.search(_text(folder, name))
    return Tree("", folder, folder, slugs="collapsed") if is_known else None


def read(folder: str, name: str, disk: Disk) -> Tree | None:
    for pattern, engine, docs, static in _LAYOUTS if _CONFIGURATION.fullmatch(name) else ():
        if not re.fullmatch(pattern, name) or (name == "_config.yml" and "_toc.yml" in disk.entries(folder)):
            continue  # Jupyter Book has a configuration of that name, too
        text = _filled(_text(folder, _inside(folder, name, disk) if disk.is_folder(join(folder, name)) else name))
        told = _INPUT.search(text) if engine in ("eleventy", "vitepress", "mdbook") else None
        told = _SOURCE.search(text) if engine == "jekyll" else told
        home = normpath(join(folder, next(filter(None, told.groups())) if told else docs))
        home = home if f"{home}/".startswith(f"{folder.rstrip('/')}/") else normpath(join(folder, docs))
        if (docs or told) and not disk.is_folder(home):
            continue
        told_of_site = "".join(_TOP.findall(text)) if engine == "jekyll" else text
        base, origin = _BASE.search(told_of_site), _ORIGIN.search(told_of_site)
        routes = {one.folder: one.route for one in docusaurus.instances(text)} if engine == "docusaurus" else {}
        elsewhere = _elsewhere(folder, routes)
        route = routes.pop("docs", None) or _route(text, routes)
        path = (origin[2] if origin and origin[2].strip("/") else "") or (base[1] if base else "")
        path = split(path).path
        rewrites = _rewrites(text) if engine == "vitepress" else {}
        return Tree(
            engine,
            folder,
            home,
            f"/{path.strip('/')}/".replace("//", "/"),
            origin[1] if origin else "",
            route=route,
            routes=tuple((path, told) for path, told in routes.items() if path[0] not in "./"),
            elsewhere=elsewhere,
            links=_links(name, text),
            old_mdx=engine == "docusaurus" and _OLD.search(_text(folder, "package.json")) is not None,
            custom_markup=not text or _CUSTOM.search(text) is not None,
            trailing_slash=_trailing_slash(text),
            generated=tuple(_of_docusaurus(folder, route, disk))
            if engine == "docusaurus"
            else _GENERATED.get(engine, ()),
            made=frozenset(
                _indexes(folder, text, route, disk) if engine == "docusaurus" else _addresses((rewrites or {}).values())
            ),
            moved=None if rewrites is None else tuple(rewrites),
            whole=_PROGRAMS.search(text) is None,
            locales=_locales(text) if engine == "astro" else (),
            prefixes=engine in ("docusaurus", "vitepress", "sphinx", "eleventy"),
            static=tuple(_static(dict.fromkeys((folder, home)), static, disk)),
            slugs="vuepress" if name == ".vuepress" else _SLUGS.get(engine, "github"),
            has_ids=engine != "eleventy",
        )
    return None


def _elsewhere(folder: str, routes: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The folders around that Docusaurus is told to publish, each by the name that its addresses are made by."""
    outer = [path for path in routes if path.startswith("../")]
    return tuple((normpath(join(folder, path)), routes[path] if at else "docs") for at, path in enumerate(outer))


def _route(text: str, routes: Mapping[str, str]) -> str:
    """Where Docusaurus publishes its first folder of docs, where no folder of that name is told."""
    if outer := next((path for path in routes if path.startswith("../")), None):
        return routes[outer]
    named = (found[1].strip("/") for found in _ROUTE.finditer(text))
    return next((route for route in named if route not in routes.values()), "docs")


def around(folder: str, disk: Disk) -> Tree | None:
    """The tree of a site of Docusaurus in a folder beside, which is told to publish one of this folder."""
    entries = disk.entries(folder)
    beside = [name for name, is_folder in sorted(entries.items()) if is_folder and name[0] not in "._"]
    for inner in beside[:_BESIDE] if "package.json" in entries or ".git" in entries else ():
        for name in disk.entries(join(folder, inner)):
            if name.startswith("docusaurus.config.") and (tree := read(join(folder, inner), name, disk)):
                return tree if tree.elsewhere else None
    return None


def _filled(text: str) -> str:
    """A program with its constants written out where a template names them: `${BASE}/`."""
    constants = {found[1]: found[3] for found in _CONSTANT.finditer(text)} if "${" in text else {}
    return _NAME.sub(lambda found: constants.get(found[1], found[0]), text) if constants else text


def _static(folders: Iterable[str], names: Iterable[str], disk: Disk) -> Iterator[str]:
    """The folders of files that are there: VitePress has its own among the pages."""
    paths = (join(folder, name) for folder in folders for name in names)
    return (path for path in paths if disk.is_folder(path))


_GENERATED = {
    "mdbook": ("print.html", "toc.html", "404.html"),
    "sphinx": ("genindex.html", "search.html", "modindex.html"),
}
"""Pages that a generator makes for a whole site."""
_SLUGS: dict[str, Style] = {"sphinx": "docutils", "jekyll": "kramdown", "vitepress": "vitepress"}
_INPUT = lazy_re.compile(
    r"\b(?:srcDir|input)\s*:\s*[\"']([^\"']+)[\"']|^[ \t]*src[ \t]*=[ \t]*[\"']([^\"']+)[\"']", re.MULTILINE
)
"""The folder of pages that VitePress, Eleventy and mdBook are told."""
_SOURCE = lazy_re.compile(r"^source[ \t]*:[ \t]*[\"']?([\w.][\w./-]*)[\"']?[ \t]*$", re.MULTILINE)
"""The folder of pages that Jekyll is told."""
_PROGRAMS = lazy_re.compile(r"apidoc|autoapi|autodoc2|autosummary|gallery|breathe|exhale|jsonschema|sphinx_?multi")
"""Extensions of Sphinx that write pages before it reads them."""


def _inside(folder: str, name: str, disk: Disk) -> str:
    """The configuration in a folder of VitePress, which may be a folder itself."""
    for inner, stem in ((name, "config."), (join(name, "config"), "index.")):
        for entry in sorted(disk.entries(join(folder, inner))):
            if entry.startswith(stem) and disk.is_file(join(folder, inner, entry)):
                return join(inner, entry)
    return ""


def _links(name: str, text: str) -> Literal["any", "file", "url"]:
    """What relative links without a suffix count from, as far as it is certain."""
    if name == ".vitepress":
        return "any" if re.search(r"\brewrites\b", text) or not text else "file"
    is_slashed = name.startswith("astro") and re.search(r"\btrailingSlash\s*:\s*[\"']always", text)
    return "url" if is_slashed or (name.startswith("docusaurus") and _trailing_slash(text)) else "any"


def _locales(text: str) -> tuple[str, ...]:
    """The languages that Starlight is told, the default one first."""
    told = _LOCALES.search(text)
    if told is None:
        return ()
    default = found[1] if (found := _DEFAULT.search(text)) else "root"
    codes = dict.fromkeys((default, *_LOCALE.findall(told[1])))
    return tuple("" if code == "root" else code for code in codes)


_LOCALES = lazy_re.compile(r"\blocales\s*:\s*\{((?:[^{}]++|\{[^{}]*+\})*+)\}")
_LOCALE = lazy_re.compile(r"[\"']?([A-Za-z][\w-]*)[\"']?\s*:\s*\{")
_DEFAULT = lazy_re.compile(r"\bdefaultLocale\s*:\s*[\"']([\w-]+)[\"']")


def _trailing_slash(text: str) -> bool | None:
    told = _TRAILING_SLASH.search(text)
    return told[1] == "true" if told else None


def _of_docusaurus(folder: str, route: str, disk: Disk) -> Iterator[str]:
    """The paths below which Docusaurus publishes what no file of the docs stands for: categories, tags, versions."""
    versions = (name.removeprefix("version-") for name in disk.entries(join(folder, "versioned_docs")))
    yield from (join(route, name) for name in ("category", "tags", "next", *versions))
    yield from (f"blog/{name}" for name in ("archive", "authors", "page", "tags", "rss.xml", "atom.xml", "feed.json"))
    yield from ("search", "sitemap.xml")


_SIDEBARS = ("sidebars.js", "sidebars.ts", "sidebars.json", "sidebars.cjs", "sidebars.mjs")
_INDEX = lazy_re.compile(r"\{[^{}]*\bgenerated-index\b[^{}]*\}")
_SLUG = lazy_re.compile(r"\bslug[\"']?\s*:\s*[\"']([^\"'\n]+)[\"']")


def _indexes(folder: str, text: str, route: str, disk: Disk) -> Iterator[str]:
    """The addresses that Docusaurus' sidebars give the pages that it makes of categories."""
    told = [(join(folder, one.sidebars), one.route) for one in docusaurus.instances(text) if one.sidebars]
    told += [(join(folder, name), route) for name in _SIDEBARS]
    for file, start in dict.fromkeys((normpath(file), start) for file, start in told):
        for link in _INDEX.finditer(_text(folder, file)) if disk.is_file(file) else ():
            if slug := _SLUG.search(link[0]):
                yield join(start, slug[1].strip("/"))


_REWRITES = lazy_re.compile(r"\brewrites\b[\"']?\s*(?::\s*(?=(\{)))?")
_PATTERN = lazy_re.compile(r"[:*()]")


def _rewrites(text: str) -> dict[str, str] | None:
    """The files of VitePress that are published as others, each with that one; None where patterns tell, or code."""
    out: dict[str, str] = {}
    for found in _REWRITES.finditer(text):
        told = literals.value_at(text, found.end()) if found[1] else None
        for key, value in told.items if isinstance(told, literals.Object) else ():
            if not isinstance(value, literals.Text) or _PATTERN.search(key.value + value.value):
                return None
            out[key.value] = value.value
        if not isinstance(told, literals.Object):
            return None
    return out


def _addresses(names: Iterable[str]) -> Iterator[str]:
    """The addresses at which VitePress publishes files of some names, and how links may name them."""
    for name in names:
        stem = name.removesuffix(".md").strip("/")
        yield from (stem, f"{stem}.md", f"{stem}.html")
        if stem == "index" or stem.endswith("/index"):
            yield stem.removesuffix("index").strip("/")


def _text(folder: str, name: str) -> str:
    read = files.read(Path(folder, name), root=folder)
    return read.text if isinstance(read, Source) else ""
