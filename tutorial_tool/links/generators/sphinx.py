"""Sphinx, MyST and Jupyter Book: pages published as files, and labels that links on any page may name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from posixpath import join, normpath, splitext
from typing import TYPE_CHECKING

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.links import urls
from tutorial_tool.links.disk import read_text
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.target import Redirect
from tutorial_tool.links.tree import Tree

if TYPE_CHECKING:
    from tutorial_tool.links.pages import Pages

_WRITING = lazy_re.compile(
    r"apidoc|autoapi|autodoc2|autosummary|gallery|breathe|exhale|jsonschema|sphinx_?multi|\bopen\([^\n]*,[ ]*[\"']w"
)
"""Extensions or configuration code that write pages before Sphinx reads them."""
_GENERATED = ("genindex.html", "search.html", "modindex.html")


def read_tree(configuration: Configuration) -> Tree:
    """Read the documents of a folder with a configuration."""
    folder, name, disk, _ = configuration
    text = _programs.read_program(folder, name)
    base, origin = _programs.find_base(text)
    return Tree(
        GENERATOR,
        folder,
        folder,
        base,
        origin,
        generated=_GENERATED,
        adds_pages=_WRITING.search(text) is not None,
        adds_base=True,
        static=_programs.select_existing_folders((folder,), ("_static",), disk),
        slugs="docutils",
    )


_LEFT_OUT = lazy_re.compile(r"^[ \t]*(?:exclude_patterns|include_patterns|nb_execution)\b", re.MULTILINE)
_GLOB = lazy_re.compile(r"^[ \t]*(?::glob:|glob:)", re.MULTILINE)  # An option of `toctree`
_OTHERS = (".rst", ".txt", ".ipynb")


def find_listed(tree: Tree, site: Pages) -> frozenset[str] | None:
    """Return an empty set if the navigation is known: only Markdown pages list others in `toctree`, by name.

    Return None otherwise.
    """
    pages = [page for page in site.site.pages if site.get_tree(page) is tree]
    names = any(reference.kind == "toctree" for page in pages for reference in site.get_references(page))
    has_globs = any("toctree}" in page.plain and _GLOB.search(page.plain) for page in pages)
    is_alone = not any(file.endswith(_OTHERS) for file in site.disk.walk(tree.docs))
    conf = read_text(tree.root, "conf.py")
    is_known = names and not has_globs and is_alone and conf and not _LEFT_OUT.search(conf)
    return frozenset() if is_known else None


_RAFFE = lazy_re.compile(
    r"^rediraffe_redirects[ \t]*=[ \t]*(?:\{(?P<table>[^{}]*)\}|[\"'](?P<file>[^\"'\n]+)[\"'])", re.MULTILINE
)
_COMMENT = lazy_re.compile(r"^[ \t]*#.*", re.MULTILINE)
_QUOTED = lazy_re.compile(r"([\"'])(?P<old>[^\"'\n]+)\1[ \t]*(?::[ \t]*|[ \t])([\"'])(?P<new>[^\"'\n]+)\3")


def read_redirects(tree: Tree, root: str) -> Iterator[Redirect]:
    """Yield the `sphinxext-rediraffe` redirects of `conf.py`, or of a file that it names: files of pages."""
    conf = files.read(join(tree.root, "conf.py"), root=root)
    stated = _RAFFE.search(conf.text) if isinstance(conf, Source) else None
    if stated is None or not isinstance(conf, Source):
        return
    named = files.read(normpath(join(tree.root, stated["file"])), root=root) if stated["file"] else conf
    if not isinstance(named, Source):
        return
    start, end = (0, len(named.text)) if stated["file"] else stated.span("table")
    for pair in _QUOTED.finditer(_COMMENT.sub(lambda comment: " " * len(comment[0]), named.text), start, end):
        new = pair["new"] if splitext(pair["new"])[1] else f"{pair['new']}.rst"
        yield Redirect(pair["old"], new, named.span(*pair.span("new")), is_file=True)


GENERATOR = Generator(
    "sphinx",
    "Sphinx",
    r"conf\.py|_toc\.yml|myst\.ya?ml",
    read_tree=read_tree,
    build_page_path=partial(urls.build_page_path, ending=".html"),
    has_labels=True,
    reads_notebooks=True,
    read_redirects=read_redirects,
    find_listed=find_listed,
    list_names=lambda _tree, pages, page: (pages.get_docs_path(page),),
    resolves_files=True,
)
