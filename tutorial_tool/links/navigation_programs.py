"""The navigation that stands, written out, in the programs of Docusaurus, Starlight and VitePress."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath, splitext

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.links import literals, urls
from tutorial_tool.links.anchors import github_slug
from tutorial_tool.links.generators import docusaurus
from tutorial_tool.links.literals import List, Object, Text, Value
from tutorial_tool.links.navigation_files import Named, Trust
from tutorial_tool.links.pages import Pages
from tutorial_tool.links.tree import Tree

_DEPTH = 50
_SUFFIXES = (".md", ".mdx")


def of_tree(tree: Tree, pages: Pages) -> Iterator[tuple[Source, list[Named]]]:
    """The pages that the programs of a tree name, by the file that names them."""
    yield from _docusaurus(tree, pages) if tree.engine == "docusaurus" else ()
    for source in _sources(pages, tree.root, r"astro\.config\.\w+") if tree.engine == "astro" else ():
        yield source, list(_starlight(tree, source, pages))
    for folder, names in _OF_VITEPRESS if tree.engine == "vitepress" else ():
        for source in _sources(pages, join(tree.root, folder), names):
            yield source, list(_vitepress(tree, source))


_OF_VITEPRESS = ((".vitepress", r"config\.\w+"), (".vitepress/config", r"[\w-]+\.[cm]?[jt]s"))


def _sources(pages: Pages, folder: str, names: str) -> Iterator[Source]:
    """The files in a folder whose names match a pattern."""
    for name in sorted(pages.disk.entries(folder)):
        if re.fullmatch(names, name) and (source := _source(pages, folder, name)):
            yield source


def _source(pages: Pages, folder: str, name: str) -> Source | None:
    file = normpath(join(folder, name))
    read = files.read(file, root=pages.root) if pages.disk.is_file(file) else None
    return read if isinstance(read, Source) else None


def _values(source: Source, pattern: re.Pattern[str]) -> Iterator[Value]:
    """The values that begin behind what a pattern finds."""
    return (literals.value_at(source.text, found.end()) for found in pattern.finditer(source.text))


# Docusaurus


_CONFIG = r"docusaurus\.config\.\w+"
_ITEMS = lazy_re.compile(r"\bitems[\"']?\s*:\s*(?=\[)")
_EXPORT = lazy_re.compile(
    r"\b(?:module\.exports\s*=|export\s+default)\s*(?:(?P<name>\w+)\s*(?:;|$)|(?=\{))", re.MULTILINE
)
_NUMBER = lazy_re.compile(r"^\d+\s*[-_.]+\s*(?=[^-_.\s])")
_VERSIONED = lazy_re.compile(r"version-(.+)-sidebars\.json")


def _docusaurus(tree: Tree, pages: Pages) -> Iterator[tuple[Source, list[Named]]]:
    told = list(dict.fromkeys((*_instances(tree, pages), *_versions(tree, pages))))
    for docs, name in told:
        if source := _source(pages, tree.root, name):
            yield source, _of_ids(source, _sidebar(source), [normpath(join(tree.root, docs))], pages)
    every = dict.fromkeys(normpath(join(tree.root, docs)) for docs in ("docs", *(docs for docs, _ in told)))
    for source in _sources(pages, tree.root, _CONFIG):
        yield source, [*_of_ids(source, _in_bars(source), list(every), pages), *_addresses(tree, source)]


def _of_ids(source: Source, ids: Iterator[Text], folders: list[str], pages: Pages) -> list[Named]:
    """Pages that are named by their ids, in any of some folders."""
    listed = [text for text in ids if text.value] if any(map(pages.disk.is_folder, folders)) else []
    known = frozenset(id_ for folder in folders for id_ in _ids(folder, pages)) if listed else frozenset[str]()
    return [_of_id(source, text, folders[0], known) for text in listed]


def _in_bars(source: Source) -> Iterator[Text]:
    """The ids of pages in the bars of links that a configuration writes out, but those of other folders of docs."""
    for value in _values(source, _ITEMS):
        for each in literals.inside(value):
            if isinstance(each, Object) and (id_ := each.text("docId")) and not each.has("docsPluginId"):
                yield id_


def _addresses(tree: Tree, source: Source) -> Iterator[Named]:
    """The addresses of docs in the bars of links; other programs answer for those elsewhere."""
    routes = tuple(f"/{route}/" for route in (tree.route, *(route for _, route in tree.routes)) if route)
    for value in _values(source, _ITEMS):
        for each in literals.inside(value):
            to = each.text("to") if isinstance(each, Object) else None
            path = re.split(r"[?#]", to.value)[0].rstrip("/") if to else ""
            if to and path.startswith(routes):
                file = join(tree.root, docusaurus.source_path(tree, path[1:]))
                yield Named(to.value, source.span(to.start, to.end), (file,), urls=(path,))


def _of_id(source: Source, text: Text, folder: str, known: frozenset[str]) -> Named:
    id_ = re.sub(r"^version-[^/]+/", "", text.value)
    span = source.span(text.start, text.end)
    return Named(text.value, span, (normpath(join(folder, id_)),), stands=id_ in known or text.value in known)


def _instances(tree: Tree, pages: Pages) -> Iterator[tuple[str, str]]:
    """The folders of pages that the configuration names together with a file of sidebars."""
    for source in _sources(pages, tree.root, _CONFIG):
        for one in docusaurus.find_instances(source.text):
            if one.sidebars:
                yield one.folder, one.sidebars


def _versions(tree: Tree, pages: Pages) -> Iterator[tuple[str, str]]:
    for folder in pages.disk.entries(tree.root):
        if folder.endswith("versioned_sidebars"):
            docs = folder.removesuffix("sidebars") + "docs"
            found = map(_VERSIONED.fullmatch, pages.disk.entries(join(tree.root, folder)))
            yield from ((f"{docs}/version-{one[1]}", join(folder, one[0])) for one in found if one)


def _ids(folder: str, pages: Pages) -> Iterator[str]:
    """The ids of the pages in a folder: their paths with the numbers that order them, or without, or as they say."""
    for file in pages.disk.walk(folder, _DEPTH):
        if not file.endswith(_SUFFIXES):
            continue
        stem = splitext(file[len(folder) + 1 :])[0]
        told = _said(file, pages, "id")
        bare = "/".join(_NUMBER.sub("", part) for part in stem.split("/"))
        for one in (stem, bare):
            yield one
            yield join(dirname(one), told) if told else one


_KEY = lazy_re.compile(r"^(?P<key>id|slug)[ \t]*:[ \t]*(?P<quote>[\"']?)(?P<value>[^\s\"'#]+)(?P=quote)", re.MULTILINE)
_BEGIN = 3000
"""Characters of a page that is not linted in which its front matter is looked for."""


def _said(file: str, pages: Pages, key: str) -> str | None:
    """What the front matter of a page says of its `id` or `slug`."""
    if page := pages.by_file.get(file):
        return urls.stated(page.document).get(key)
    read = files.read(file, root=pages.root)
    text = read.text[:_BEGIN] if isinstance(read, Source) else ""
    front = text.split("\n---", 1)[0] if text.startswith("---") else ""
    return next((found["value"] for found in _KEY.finditer(front) if found["key"] == key), None)


def _sidebar(source: Source) -> Iterator[Text]:
    """The ids of pages in a file of sidebars."""
    if source.path.endswith(".json"):
        root = literals.value_at(source.text, 0)
    else:
        found = _EXPORT.search(source.text)
        name = found["name"] if found else None
        if name:
            found = re.compile(rf"\b(?:const|let|var)\s+{name}\b[^=]*=\s*").search(source.text)
        root = literals.value_at(source.text, found.end()) if found else None
    for _, value in root.items if isinstance(root, Object) else ():
        yield from _items(value)


def _items(value: Value) -> Iterator[Text]:
    """The ids in a sidebar: a list of ids, of objects with a type, and of categories by their labels."""
    todo = [value]
    while todo:
        each = todo.pop()
        if isinstance(each, List):
            for item in each.items:
                if isinstance(item, Text):
                    yield item
                else:
                    todo.append(item)
        elif isinstance(each, Object) and each.has("type"):
            kind, id_ = each.text("type"), each.text("id")
            if kind and id_ and kind.value in ("doc", "ref"):
                yield id_
            todo += [each.get("items"), each.get("link")] if kind and kind.value == "category" else []
        elif isinstance(each, Object):
            todo += [inner for _, inner in each.items]


# Starlight


_SIDEBAR = lazy_re.compile(r"\bsidebar\s*:\s*(?=[\[{])")
_NAV = lazy_re.compile(r"\b(?:sidebar|nav)\s*:\s*(?=[\[{])")


def _starlight(tree: Tree, source: Source, pages: Pages) -> Iterator[Named]:
    if "starlight" not in source.text:
        return
    known = frozenset(_known_slugs(tree.docs, pages))
    for value in _values(source, _SIDEBAR):
        for text in _slugs(value):
            slug = text.value.strip("/")
            homes = dict.fromkeys((tree.locales[0] if tree.locales else "", ""))
            paths = tuple(normpath(join(tree.docs, home, slug)) for home in homes)
            stands = any(join(home, slug) in known for home in homes)
            yield Named(text.value, source.span(text.start, text.end), paths, stands=stands)


def _known_slugs(folder: str, pages: Pages) -> Iterator[str]:
    """The slugs of the pages in a folder: their paths as Astro writes them, or as they say."""
    for file in pages.disk.walk(folder, _DEPTH):
        if file.endswith((*_SUFFIXES, ".mdoc", ".markdown")):
            stem = urls.key(splitext(file[len(folder) + 1 :])[0])
            yield "/".join(github_slug(part) for part in stem.split("/"))
            yield (_said(file, pages, "slug") or stem).strip("/")


def _slugs(value: Value) -> Iterator[Text]:
    """The pages that a sidebar names: by `slug`, or alone in a list of items."""
    for each in literals.inside(value):
        if isinstance(each, List):
            yield from (item for item in each.items if isinstance(item, Text))
        elif isinstance(each, Object) and (slug := each.text("slug")):
            yield slug


# VitePress


def _vitepress(tree: Tree, source: Source) -> Iterator[Named]:
    if re.search(r"\brewrites\s*:", source.text):
        return
    for value in _values(source, _NAV):
        for text, base in _links(value):
            path = re.split(r"[?#]", text.value)[0]
            whole = join(base, path.lstrip("/")) if base else path
            if whole.startswith("/") and not whole.startswith("//") and splitext(whole)[1] in ("", ".md", ".html"):
                inner = re.sub(r"\.(?:md|html)$", "", whole)
                near = normpath(f"{tree.docs}{inner}") + "/index" * inner.endswith("/")
                trust: Trust = "built" if inner.strip("/").count("/") else "slip"  # beside the pages may stand an app
                yield Named(text.value, source.span(text.start, text.end), (near,), trust, urls=(inner,))


def _links(value: Value) -> Iterator[tuple[Text, str]]:
    """The links of a sidebar or a bar of links, each with what is put before it."""
    todo: list[tuple[Value, str]] = [(value, "")]
    while todo:
        each, base = todo.pop()
        if isinstance(each, List):
            todo += [(item, base) for item in each.items]
        elif isinstance(each, Object):
            if each.has("base"):
                told = each.text("base")
                if told is None:
                    continue
                base = told.value
            link = each.text("link")
            if link and not each.has("target") and not each.has("rel"):
                yield link, base
            todo += [(inner, base) for key, inner in each.items if key.value != "link"]
