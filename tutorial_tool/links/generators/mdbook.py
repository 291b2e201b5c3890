"""mdBook: the chapters that `SUMMARY.md` names, each published as a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from posixpath import join

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.data.forms import get_section, parse_toml
from tutorial_tool.fs import files
from tutorial_tool.links import redirect_files, urls
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.target import Redirect
from tutorial_tool.links.tree import Tree
from tutorial_tool.links.urls import split_url

_SOURCE = lazy_re.compile(r"^[ \t]*src[ \t]*=[ \t]*[\"']([^\"']+)[\"']", re.MULTILINE)
_PREPROCESSOR = lazy_re.compile(r"^[ \t]*\[preprocessor\.([\w-]+)\]", re.MULTILINE)
_PREPROCESSORS = frozenset(
    ("links", "index", "mermaid", "admonish", "toc", "katex", "linkcheck", "alerts", "pagetoc")
)  # They do not change links
_GENERATED = ("index.html", "print.html", "toc.html", "404.html")


def read_tree(configuration: Configuration) -> Tree | None:
    """Read a book; None if its folder of chapters does not exist."""
    folder, name, disk, _ = configuration
    text = _programs.read_program(folder, name)
    source = _SOURCE.search(text)
    docs = _programs.find_folder(folder, source and source[1], "src", disk)
    if docs is None:
        return None
    site = get_section(parse_toml(text), "output", "html").get("site-url")
    base = urls.normalize_base(split_url(site).path) if isinstance(site, str) else "/"
    is_custom = any(name not in _PREPROCESSORS for name in _PREPROCESSOR.findall(text))
    return Tree(
        GENERATOR,
        folder,
        docs,
        base,
        generated=(*_GENERATED, *_find_unchecked(text)),
        slugs="github",
        has_labels=is_custom,
    )


def _find_unchecked(text: str) -> Iterator[str]:
    """Yield the URLs that the book's own link checker excludes: other programs write these files."""
    for name, stated in get_section(parse_toml(text), "output").items():
        if name.startswith("linkcheck") and isinstance(stated, dict):
            yield from map(str, stated.get("exclude", ()))


def read_redirects(tree: Tree, root: str) -> Iterator[Redirect]:
    """Yield the redirects of `book.toml`; a target may be relative to the old URL."""
    source = files.read(join(tree.root, "book.toml"), root=root)
    if not isinstance(source, Source):
        return
    for old, new in get_section(parse_toml(source.text), "output", "html", "redirect").items():
        if isinstance(new, str):
            page, target = "/" + old.partition("#")[0].lstrip("/"), new
            if not redirect_files.is_address(new):
                target = f"{page}{new}" if new.startswith("#") else urls.join_path(page, new)
            yield Redirect("/" + old.lstrip("/"), target, redirect_files.find_target(source, old, new))


GENERATOR = Generator(
    "mdbook",
    "mdBook",
    r"book\.toml",
    read_tree=read_tree,
    build_page_path=partial(urls.build_page_path, ending=".html"),
    has_neighbors=True,
    resolves_files=True,
    renames_files=True,
    read_redirects=read_redirects,
    includes="pages",
    proves_includes=True,
    summary="SUMMARY.md",
)
