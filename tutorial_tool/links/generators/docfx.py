"""DocFX: pages read as files, on hosts that do not tell cases apart. Its own configuration names no URLs."""

from __future__ import annotations

from functools import partial

from tutorial_tool.links import urls
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree


def read_tree(configuration: Configuration) -> Tree:
    """Read the pages beside a configuration."""
    folder = configuration.folder
    return Tree(GENERATOR, folder, folder, recognized=False)


GENERATOR = Generator(
    "docfx",
    "DocFX",
    r"docfx\.json",
    precedence=4,
    read_tree=read_tree,
    page_path=partial(urls.page_path, is_rooted=True),
    is_plain=True,
    ignores_case=True,
)
