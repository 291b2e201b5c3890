"""docs.page: the folder `docs` of a repository, whose pages it reads from GitHub."""

from __future__ import annotations

from dataclasses import replace
from posixpath import join

from tutorial_tool.links.disk import read_text
from tutorial_tool.links.generators import plain
from tutorial_tool.links.generators.protocol import Configuration
from tutorial_tool.links.tree import Tree


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the pages below a configuration; None where a `docs.json` is another program's."""
    folder, name, disk, _ = configuration
    docs = join(folder, "docs")
    is_own = "://docs.page/" in read_text(folder, name) and disk.is_folder(docs)
    return Tree(GENERATOR, folder, docs) if is_own else None


GENERATOR = replace(
    plain.GENERATOR,
    name="docs.page",
    title="docs.page",
    configuration=r"docs\.(?:json|yaml)",
    read_tree=read_tree,
    starts_at_root=True,
)
