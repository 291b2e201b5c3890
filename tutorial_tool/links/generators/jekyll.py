"""Jekyll: collections in folders such as `_guides`, and posts whose URLs contain their dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from posixpath import basename

from tutorial_tool import data
from tutorial_tool.config import site_generator
from tutorial_tool.core import lazy_re
from tutorial_tool.links import urls
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree

_TOP_LEVEL = lazy_re.compile(r"^[A-Za-z].*\n?", re.MULTILINE)  # Top-level YAML keys, with their lines
_PART = lazy_re.compile(r":([a-z_]+)")
_OWN_CONVERTER = lazy_re.compile(
    r"^markdown[ \t]*:[ \t]*[\"']?(?!(?:kramdown|gfm|commonmark\w*|redcarpet|rdiscount|maruku)\b)\w",
    re.IGNORECASE | re.MULTILINE,
)
_SOURCE = lazy_re.compile(r"^source[ \t]*:[ \t]*[\"']?([\w.][\w./-]*)[\"']?[ \t]*$", re.MULTILINE)


def read_tree(configuration: Configuration) -> Tree | None:
    """Read a site; None if the configuration is that of Jupyter Book or Hexo, or is not for these pages."""
    folder, name, disk, _ = configuration
    text = _programs.read_program(folder, name)
    source = _SOURCE.search(text)
    docs = _programs.find_folder(folder, source and source[1], "", disk)
    is_other = "_toc.yml" in disk.list_entries(folder) or site_generator.is_hexo(Path(folder), text)
    if docs is None or is_other or not site_generator.reads_md(text):
        return None
    base, origin = _programs.find_base("".join(_TOP_LEVEL.findall(text)))
    routes = tuple(_iter_permalinks(text)) if "permalink" in text else ()
    tree = Tree(GENERATOR, folder, docs, base, origin, routes=routes, static=(docs,), slugs="kramdown")
    return replace(tree, excluded=site_generator.find_excluded(text), alters_pages=bool(_OWN_CONVERTER.search(text)))


def _iter_permalinks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the folders whose pages the configuration gives other URLs, each with the URL pattern."""
    node = site_generator.read_node("", text)
    collections, defaults = (data.get_node(node, key) for key in ("collections", "defaults"))
    for key, value in collections.items if isinstance(collections, data.Mapping) else ():
        yield f"_{key.text}", data.get_text(value, "permalink")
    for item in defaults.items if isinstance(defaults, data.Sequence) else ():
        kind = data.get_text(item, "scope", "type")
        folder = data.get_text(item, "scope", "path").strip("/") or (f"_{kind}" if kind else "")
        yield folder, data.get_text(item, "values", "permalink")


def publishes(tree: Tree, file: str) -> bool:
    """Return whether the configuration does not exclude a file."""
    return not site_generator.is_excluded(file.removeprefix(f"{tree.docs}/"), tree.excluded)


def build_page_path(tree: Tree, path: str, front: Mapping[str, str]) -> str:
    """Build the path of a page's URL: its permalink, or without the `_` of a collection, and with a post's date."""
    stated = front.get("permalink", "") if urls.get_stated_path(front) else _fill_permalink(tree, path)
    if stated:
        return stated.lstrip("/")
    parts = [part.removeprefix("_") for part in urls.strip_suffix(path).split("/")]
    post = urls.POST.fullmatch(parts[-1]) if "posts" in parts[:-1] else None
    parts = ["/".join((post[1], post[2].zfill(2), post[3].zfill(2), post[4]))] if post else parts
    return urls.build_page_path(tree, "/".join(parts), front)


def _fill_permalink(tree: Tree, path: str) -> str:
    """Return a page's URL by its folder's permalink pattern, or "".

    That is the result without a pattern, and for one with a placeholder that the path does not fill.
    """
    around = ((folder, pattern) for folder, pattern in tree.routes if folder and path.startswith(f"{folder}/"))
    pattern = max(around, key=lambda route: len(route[0]), default=("", ""))[1]
    collection, _, inner = urls.strip_suffix(path).removeprefix("_").partition("/")
    parts = {"collection": collection, "path": inner, "output_ext": ".html"}
    parts |= dict.fromkeys(("title", "name", "basename", "slug"), basename(inner))
    url = _PART.sub(lambda match: parts.get(match[1], match[0]), pattern)
    return "" if ":" in url else url


GENERATOR = Generator(
    "jekyll",
    "Jekyll",
    r"_config\.yml",
    read_tree=read_tree,
    build_page_path=build_page_path,
    publishes=publishes,
    lists_folders=False,
    has_collections=True,
    fills_liquid=True,
)
