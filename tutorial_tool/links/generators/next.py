"""Next.js: pages at URLs that programs make, and files in `public`. The URLs of pages are learned from links."""

from __future__ import annotations

from functools import partial

from tutorial_tool.links import urls
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree


def read_tree(configuration: Configuration, generator: Generator | None = None, static: str = "public") -> Tree:
    """Read the pages beside a configuration; `static` is the folder of files that are published as they are."""
    folder, _, disk, _ = configuration
    folders = _programs.existing_folders((folder,), (static,), disk)
    return Tree(generator or GENERATOR, folder, folder, static=folders, recognized=False)


GENERATOR = Generator(
    "next",
    "Next.js",
    r"next\.config\.\w+",
    precedence=6,
    read_tree=read_tree,
    page_path=partial(urls.page_path, is_rooted=True),
    is_plain=True,
)
