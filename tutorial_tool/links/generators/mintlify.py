"""Mintlify: pages read as files, with ids of its own."""

from __future__ import annotations

from functools import partial

from tutorial_tool.core import lazy_re
from tutorial_tool.links import urls
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree

_SCHEMA = lazy_re.compile(r"\"\$schema\"\s*:\s*\"[^\"]*\bmintlify\b")


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the pages beside a configuration; None where a `docs.json` is another program's."""
    folder, name, _, _ = configuration
    if name == "docs.json" and not _SCHEMA.search(_programs.read_text(folder, name)):
        return None
    return Tree(GENERATOR, folder, folder, slugs="collapsed")


GENERATOR = Generator(
    "mintlify",
    "Mintlify",
    r"docs\.json|mint\.json",
    precedence=4,
    read_tree=read_tree,
    page_path=partial(urls.page_path, is_rooted=True),
    is_plain=True,
)
