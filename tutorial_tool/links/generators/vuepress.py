"""VuePress: like VitePress, except for heading ids, and the base of relative links without a suffix."""

from __future__ import annotations

from dataclasses import replace
from posixpath import dirname

from tutorial_tool.core import lazy_re
from tutorial_tool.links.disk import read_text
from tutorial_tool.links.generators import vitepress
from tutorial_tool.links.generators.protocol import Configuration
from tutorial_tool.links.tree import Tree

_OLD = lazy_re.compile(r"\"(?:@vuepress/core|vuepress)\"\s*:\s*\"[^\d\"]*[01]\.")
"""A version with markdown-it before 11."""


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the site around a folder `.vuepress`."""
    tree, folder = vitepress.read_tree(configuration), configuration.folder
    is_old = any(_OLD.search(read_text(place, "package.json")) for place in (folder, dirname(folder)))
    tree = replace(tree, links="any", slugs="vuepress", is_checked=False) if tree else None
    return replace(tree, generator=GENERATOR, has_loose_tables=is_old) if tree else None


GENERATOR = replace(
    vitepress.GENERATOR, name="vuepress", title="VuePress", configuration=r"\.vuepress", read_tree=read_tree
)
