"""DocFX: links to pages as files, API pages generated from code, and a base path that no file sets."""

from __future__ import annotations

from functools import partial
from posixpath import join

from tutorial_tool.core import lazy_re
from tutorial_tool.links import urls
from tutorial_tool.links.disk import read_text
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree

_MADE = lazy_re.compile(r"\"(?:dest|output)\"\s*:\s*\"([^\"]+)\"")
"""Output folders of DocFX: API pages and the site. May also match URLs of folders with written pages."""
_PAGE = lazy_re.compile(r"/(?!index\.)[^/]+\.md$")


def read_tree(configuration: Configuration) -> Tree:
    """Read the pages in the folder of a configuration."""
    folder, name, disk, _ = configuration
    named = _MADE.findall(read_text(folder, name))
    made = tuple(path for path in named if not any(map(_PAGE.search, disk.walk(join(folder, path)))))
    return Tree(GENERATOR, folder, folder, slugs="github", generated=made, has_loose_tables=True)


GENERATOR = Generator(
    "docfx",
    "DocFX",
    r"docfx\.json",
    precedence=4,
    read_tree=read_tree,
    build_page_path=partial(urls.build_page_path, is_rooted=True),
    is_plain=True,
    hides_base=True,
    root_alias="~/",
    reads_backslashes=True,
)
