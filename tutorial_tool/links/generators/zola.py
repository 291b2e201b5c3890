"""Zola: links name pages from the content folder, after `@/`. The URLs of pages are inferred from links."""

from __future__ import annotations

from functools import partial
from posixpath import join

from tutorial_tool.data.forms import parse_toml
from tutorial_tool.links import urls
from tutorial_tool.links.disk import read_text
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the folder of pages next to a configuration; None if it is another program's."""
    folder, name, disk, _ = configuration
    content = join(folder, "content")
    if "base_url" not in parse_toml(read_text(folder, name)) or not disk.is_folder(content):
        return None
    static = _programs.select_existing_folders((folder,), ("static",), disk)
    return Tree(GENERATOR, content, content, static=static, recognized=False)


GENERATOR = Generator(
    "zola",
    "Zola",
    r"config\.toml",
    precedence=4,
    read_tree=read_tree,
    build_page_path=partial(urls.build_page_path, is_rooted=True),
    is_plain=True,
    root_alias="@/",
)
