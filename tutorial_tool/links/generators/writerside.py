"""Writerside: links name topics and images without their folders, perhaps those of other modules."""

from __future__ import annotations

from dataclasses import replace
from posixpath import basename, join, normpath

from tutorial_tool.core import lazy_re
from tutorial_tool.links.disk import read_text
from tutorial_tool.links.generators import plain
from tutorial_tool.links.generators.protocol import Configuration
from tutorial_tool.links.tree import Tree

_FOLDER = lazy_re.compile(r"<(topics|images)\s[^<>]*?\bdir=\"([^\"]+)\"")
_INSTANCE = lazy_re.compile(r"<instance\s[^<>]*?\bsrc=\"([^\"]+)\"")
_SHARED = lazy_re.compile(r"<include\s[^<>]*?\borigin=|<snippet\s[^<>]*?\bid=")
"""In the navigation of an instance: topics of another module, or topics that other modules include."""


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the topics of a module; None if it has no folder of them."""
    folder, name, disk, _ = configuration
    text = read_text(folder, name)
    named = ((kind, normpath(join(folder, path))) for kind, path in _FOLDER.findall(text))
    existing = [(kind, path) for kind, path in named if disk.is_folder(path)]
    docs, *others = [path for kind, path in existing if kind == "topics"] or [""]
    static = tuple(path for kind, path in existing if kind == "images")
    is_shared = any(_SHARED.search(read_text(folder, path)) for path in _INSTANCE.findall(text))
    outside = tuple((path, basename(path)) for path in others)
    tree = Tree(GENERATOR, folder, docs, slugs="collapsed", static=static, outside_folders=outside)
    return replace(tree, by_name=True, adds_pages=is_shared) if docs else None


GENERATOR = replace(
    plain.GENERATOR,
    name="writerside",
    title="Writerside",
    configuration=r"writerside\.cfg|project\.ihp",
    read_tree=read_tree,
    includes="pages",
)
