"""All generators, and the one that publishes a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from posixpath import join
from typing import TYPE_CHECKING

from tutorial_tool.links import generators
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree

if TYPE_CHECKING:
    from tutorial_tool.links.disk import Disk


@cache
def find_generators() -> tuple[Generator, ...]:
    """Return the generators, sorted by precedence."""
    modules = (import_module(f"{generators.__name__}.{module.name}") for module in iter_modules(generators.__path__))
    matches = (module.GENERATOR for module in modules if hasattr(module, "GENERATOR"))
    return tuple(sorted(matches, key=lambda generator: (generator.precedence, generator.name)))


@cache
def _compile_configurations() -> tuple[re.Pattern[str], tuple[tuple[Generator, re.Pattern[str]], ...]]:
    """Compile the name patterns of all configurations together, and those of each generator."""
    with_names = [generator for generator in find_generators() if generator.configuration]
    patterns = tuple((generator, re.compile(generator.configuration)) for generator in with_names)
    return re.compile("|".join(generator.configuration for generator in with_names)), patterns


def read_tree(folder: str, disk: Disk, root: str) -> Tree | None:
    """Read the tree whose configuration is in a folder, or in a child folder next to its pages."""
    any_name, patterns = _compile_configurations()
    names = [name for name in disk.list_entries(folder) if any_name.fullmatch(name)]
    for generator, pattern in patterns if names else ():
        for name in filter(pattern.fullmatch, names):
            if tree := generator.read_tree(Configuration(folder, name, disk, root)):
                return tree
    return _read_beside(folder, disk)


def _read_beside(folder: str, disk: Disk) -> Tree | None:
    """Read the site in a child folder that publishes pages of this folder."""
    entries = disk.list_entries(folder)
    if "package.json" not in entries and ".git" not in entries:
        return None
    beside = [join(folder, name) for name, is_folder in sorted(entries.items()) if is_folder and name[0] not in "._"]
    for inner in beside:
        for generator, pattern in _compile_configurations()[1]:
            for name in filter(pattern.fullmatch, disk.list_entries(inner) if generator.reads_outside else ()):
                tree = generator.read_tree(Configuration(inner, name, disk, folder))
                if tree is not None and tree.outside_folders:
                    return tree
    return None


def find_old_versions(folder: str, disk: Disk) -> Iterator[str]:
    """Yield the folders of pages that a newer version replaces, by a configuration in a folder."""
    for generator, pattern in _compile_configurations()[1]:
        for name in filter(pattern.fullmatch, disk.list_entries(folder)):
            yield from generator.find_old_versions(Configuration(folder, name, disk, folder))


def read_conventional_tree(path: str, disk: Disk) -> Tree | None:
    """Read the tree of a page in a folder without a configuration that is published by convention."""
    readers = (generator.read_conventional_tree for generator in find_generators() if generator.read_conventional_tree)
    return next((tree for read in readers if (tree := read(path, disk))), None)
