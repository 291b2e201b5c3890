"""VitePress: a folder with `.vitepress`, whose links name files and which may publish files elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from posixpath import join, normpath, split, splitext
from typing import TYPE_CHECKING

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.links import literals, urls
from tutorial_tool.links.disk import Disk, read_text
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.literals import List, Object, Text, Value
from tutorial_tool.links.navigation_files import NamedPage, Trust
from tutorial_tool.links.tree import Tree

if TYPE_CHECKING:
    from tutorial_tool.links.pages import Pages
    from tutorial_tool.site import Page

_STATIC = ("public", ".vuepress/public")
_SOURCE = lazy_re.compile(r"\bsrcDir\s*:\s*[\"']([^\"']+)[\"']")
_CUSTOM = lazy_re.compile(r"\b(?:remark|rehype)Plugins\b|RemarkPlugins\b|\bkeywords\s*:|\.use\(|\bmd\b")
_REWRITES = lazy_re.compile(r"\brewrites\b[\"']?\s*(?:[:=]\s*(?=(\{)))?")
_IMPORT = lazy_re.compile(r"^import\s*\{\s*rewrites\s*\}\s*from\s*[\"'](\.[^\"'\n]+)[\"']", re.MULTILINE)
_FOLDER = lazy_re.compile(r"(?P<folder>(?:[\w.-]+/)*)(?P<rest>:\w+\*)")
_PUBLIC = lazy_re.compile(r"\bpublicDir[\"']?\s*:\s*[\"']([^\"'\n]+)")  # A setting of Vite
_UNCHECKED = lazy_re.compile(r"\bignoreDeadLinks[\"']?\s*:(?!\s*false\b)|\A\s*\Z")
_PATTERN = lazy_re.compile(r"[:*()]")


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the site around a folder `.vitepress`."""
    folder, name, disk, _ = configuration
    text = read_configuration(folder, name, disk)
    if imported := _IMPORT.search(text):
        text = _REWRITES.sub("", text) + _programs.read_program(join(folder, name), imported[1])
    source = _SOURCE.search(text)
    docs = _programs.find_folder(folder, source and source[1], "", disk)
    if docs is None:
        return None
    base, origin = _programs.find_base(text)
    routes = _find_routes(text)
    rewrites = {} if routes else _find_rewrites(text)
    return Tree(
        GENERATOR,
        folder,
        docs,
        base,
        origin,
        links="any" if _REWRITES.search(text) or not text else "file",
        custom_markup=not text or _CUSTOM.search(text) is not None,
        generated_paths=frozenset(_list_file_urls((rewrites or {}).values())),
        routes=routes,
        moved_files=() if routes else None if rewrites is None else tuple(rewrites),
        is_checked=_UNCHECKED.search(text) is None,
        adds_base=True,
        static=_programs.select_existing_folders((folder, docs), (*_STATIC, *_PUBLIC.findall(text)), disk),
        slugs="any" if _has_slugify(folder, name, text, disk) else "vitepress",
    )


def _has_slugify(folder: str, name: str, text: str, disk: Disk) -> bool:
    """Return whether the configuration, or a file next to `config/index.ts`, customizes anchors."""
    inner = join(name, "config")
    beside = disk.list_entries(join(folder, inner)) if disk.is_folder(join(folder, inner)) else ()
    return "slugify" in text or any("slugify" in read_text(folder, join(inner, entry)) for entry in beside)


def read_configuration(folder: str, name: str, disk: Disk) -> str:
    """Read the configuration in a folder, which may be a folder itself."""
    for inner, stem in ((name, "config."), (join(name, "config"), "index.")):
        for entry in sorted(disk.list_entries(join(folder, inner))):
            if entry.startswith(stem) and disk.is_file(join(folder, inner, entry)):
                return _programs.read_program(folder, join(inner, entry))
    return ""


def build_page_path(tree: Tree, path: str, front: Mapping[str, str]) -> str:
    """Build the path of a page's URL; a folder may be published elsewhere."""
    for folder, route in tree.routes:
        if path.startswith(folder):
            path = route + path.removeprefix(folder)
            break
    return urls.build_page_path(tree, path, front, ending=".html")


def _find_source_path(tree: Tree, path: str) -> str:
    """Return the path of the page folder published at a path."""
    return next((folder + path.removeprefix(route) for folder, route in tree.routes if path.startswith(route)), path)


def _find_routes(text: str) -> tuple[tuple[str, str], ...]:
    """Return the folders published elsewhere, each with its route, if only whole folders are rewritten."""
    objects = [literals.parse_value(text, match.end()) for match in _REWRITES.finditer(text) if match[1]]
    items = [item for value in objects if isinstance(value, Object) for item in value.items]
    pairs = ((_FOLDER.fullmatch(key.value), _FOLDER.fullmatch(getattr(new, "value", ""))) for key, new in items)
    routes = [(old["folder"], new["folder"]) for old, new in pairs if old and new and old["rest"] == new["rest"]]
    return tuple(routes) if objects and len(routes) == len(items) else ()


def _find_rewrites(text: str) -> dict[str, str] | None:
    """Return the files published under other names, with these; None if patterns or code rewrite them."""
    out: dict[str, str] = {}
    for match in _REWRITES.finditer(text):
        value = literals.parse_value(text, match.end()) if match[1] else None
        if not isinstance(value, literals.Object):
            return None
        for key, new in value.items:
            if not isinstance(new, literals.Text) or _PATTERN.search(key.value + new.value):
                return None
            out[key.value] = new.value
    return out


def _list_file_urls(names: Iterable[str]) -> Iterator[str]:
    """Yield the URLs of files, and the ways in which links may name them."""
    for name in names:
        stem = name.removesuffix(".md").strip("/")
        yield from (stem, f"{stem}.md", f"{stem}.html")
        if stem == "index" or stem.endswith("/index"):
            yield stem.removesuffix("index").strip("/")


# Navigation


_NAV = lazy_re.compile(r"\b(?:sidebar|nav)\s*:\s*(?=[\[{])")
_NAMING = ((".vitepress", r"config\.\w+"), (".vitepress/config", r"[\w-]+\.[cm]?[jt]s"))
_SIDEBAR = lazy_re.compile(r"\bsidebar\s*:")
_FROM_ELSEWHERE = lazy_re.compile(
    r"\b(?:locales|rewrites)\s*:|\bbase\s*:.*\bbase\s*:|vitepress-sidebar|from\s+[\"']\.|\.\.\.|=>|\bfs\.|\.map\(|\bsidebar\s*:\s*[\w.]+\(",
    re.DOTALL,
)
_LOADER = lazy_re.compile(r"\.data\.[jt]s$")  # A program that lists pages on other pages
_PROGRAMS = (".js", ".jsx", ".ts", ".tsx", ".json", ".vue")


def read_navigation(tree: Tree, pages: Pages) -> Iterator[tuple[Source, list[NamedPage]]]:
    """Yield the pages that the configuration names, by file."""
    for folder, names in _NAMING:
        for source in _programs.find_sources(pages, join(tree.root, folder), names):
            yield source, list(_find_named(tree, source))


def _find_named(tree: Tree, source: Source) -> Iterator[NamedPage]:
    if re.search(r"\brewrites\s*:", source.text):
        return
    for value in _programs.find_values(source, _NAV):
        for text, base in _find_links(value):
            path = re.split(r"[?#]", text.value)[0]
            whole = join(base, path.lstrip("/")) if base else path
            if whole.startswith("/") and not whole.startswith("//") and splitext(whole)[1] in ("", ".md", ".html"):
                inner = re.sub(r"\.(?:md|html)$", "", whole)
                near = normpath(f"{tree.docs}{inner}") + "/index" * inner.endswith("/")
                trust: Trust = "built" if inner.strip("/").count("/") else "slip"  # an app may be next to the pages
                yield NamedPage(text.value, source.span(text.start, text.end), (near,), trust, urls=(inner,))


def _find_links(value: Value) -> Iterator[tuple[Text, str]]:
    """Yield the links of a sidebar or a navigation bar, each with its base."""
    todo: list[tuple[Value, str]] = [(value, "")]
    while todo:
        node, base = todo.pop()
        if isinstance(node, List):
            todo += [(item, base) for item in node.items]
        elif isinstance(node, Object):
            if node.has("base"):
                stated = node.get_text("base")
                if stated is None:
                    continue
                base = stated.value
            link = node.get_text("link")
            if link and not node.has("target") and not node.has("rel"):
                yield link, base
            todo += [(inner, base) for key, inner in node.items if key.value != "link"]


def find_listed(tree: Tree, pages: Pages) -> frozenset[str] | None:
    """Return the URLs in a configuration; None if it has no sidebar, or that is imported or computed."""
    folder = join(tree.root, ".vitepress")
    name = next((name for name in sorted(pages.disk.list_entries(folder)) if name.startswith("config.")), None)
    text = _programs.strip_comments(read_text(folder, name)) if name else ""
    has_loaders = any(_LOADER.search(file) for file in pages.disk.walk(tree.root))
    if not _SIDEBAR.search(text) or _FROM_ELSEWHERE.search(text) or has_loaders:
        return None
    beside = (file for file in pages.disk.walk(join(folder, "theme")) if file.endswith(_PROGRAMS))
    texts = _programs.find_texts(text).union(*(_programs.find_texts(read_text(*split(file))) for file in beside))
    return frozenset(urls.build_key(splitext(text.partition("#")[0])[0]) for text in texts if "/" in text)


def list_names(_tree: Tree, pages: Pages, page: Page) -> Iterable[str]:
    """Yield the name by which a sidebar may list a page: its URL."""
    yield urls.build_key(splitext(f"/{pages.get_docs_path(page)}")[0])


GENERATOR = Generator(
    "vitepress",
    "VitePress",
    r"\.vitepress",
    read_tree=read_tree,
    build_page_path=build_page_path,
    find_section=_find_source_path,
    includes="pages",
    read_navigation=read_navigation,
    find_listed=find_listed,
    list_names=list_names,
    bundles_images=True,
    resolves_files=True,
    has_containers=True,
)
