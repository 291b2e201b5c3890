"""Next.js: files in `public`, and pages at URLs that programs build, which are inferred from links."""

from __future__ import annotations

from collections.abc import Mapping

from tutorial_tool.core import lazy_re
from tutorial_tool.links import urls
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree


def read_tree(configuration: Configuration, generator: Generator | None = None, static: str = "public") -> Tree:
    """Read the pages in the folder of a configuration; `static` is the folder of static files."""
    folder, _, disk, _ = configuration
    folders = _programs.select_existing_folders((folder,), (static,), disk)
    is_old = _programs.has_old_mdx(folder)
    return Tree(generator or GENERATOR, folder, folder, static=folders, recognized=False, old_mdx=is_old)


_ROUTE = lazy_re.compile(r"(?:src/)?app/(?:(.*)/)?page\.\w+")
_GROUP = lazy_re.compile(r"(?:^|/)\([^()/]+\)(?=/|$)")
_PAGES = lazy_re.compile(r"\A(?:src/)?pages/")


def build_page_path(tree: Tree, path: str, front: Mapping[str, str]) -> str:
    """Build the path of a page's URL, without groups; in the app router, of its folder without a trailing slash."""
    if match := _ROUTE.fullmatch(path):
        return _GROUP.sub("", match[1] or "")
    return urls.build_page_path(tree, _GROUP.sub("", _PAGES.sub("", path)), front, is_rooted=True)


GENERATOR = Generator(
    "next",
    "Next.js",
    r"next\.config\.\w+",
    precedence=6,
    read_tree=read_tree,
    build_page_path=build_page_path,
    is_plain=True,
)
