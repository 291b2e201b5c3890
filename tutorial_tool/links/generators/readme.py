"""readme.io, as stored in git: all pages are published directly below `docs` or `reference`, in any folder.

A renamed page may redirect from its old URL, which no file records: a target that is not found may be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import basename, dirname

from tutorial_tool.links import urls
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the folder around one that lists its sections; folders below have such lists, too."""
    around = dirname(configuration.folder)
    is_section = basename(configuration.folder) in ("docs", "reference")
    return Tree(GENERATOR, around, around, recognized=False) if is_section else None


def build_page_path(_tree: Tree, path: str, front: Mapping[str, str]) -> str:
    """Build the path of a page's URL: its section, and the name of its file, or of its folder for an index."""
    stem = urls.strip_suffix(path)
    name = basename(dirname(stem) if basename(stem) == "index" else stem)
    return f"{path.partition('/')[0]}/{front.get('slug', name)}"


_SCHEMES = ("doc:", "/docs/"), ("ref:", "/reference/")
GENERATOR = Generator(
    "readme",
    "ReadMe",
    r"_order\.yaml",
    read_tree=read_tree,
    build_page_path=build_page_path,
    is_plain=True,
    schemes=_SCHEMES,
)
