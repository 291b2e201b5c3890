"""VuePress: like VitePress, except for heading ids, and the base of relative links without a suffix."""

from __future__ import annotations

from dataclasses import replace

from tutorial_tool.links.generators import vitepress
from tutorial_tool.links.generators.protocol import Configuration
from tutorial_tool.links.tree import Tree


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the site around a folder `.vuepress`."""
    tree = vitepress.read_tree(configuration)
    return replace(tree, generator=GENERATOR, links="any", slugs="vuepress") if tree else None


GENERATOR = replace(
    vitepress.GENERATOR, name="vuepress", title="VuePress", configuration=r"\.vuepress", read_tree=read_tree
)
