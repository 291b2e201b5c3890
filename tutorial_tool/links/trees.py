"""The site that a file belongs to, by the nearest configuration or the folders around it."""

from __future__ import annotations

from posixpath import basename, dirname
from typing import TYPE_CHECKING

from tutorial_tool.links.generators import plain, registry
from tutorial_tool.links.tree import Tree

if TYPE_CHECKING:
    from tutorial_tool.links.disk import Disk

FOR_AGENTS = frozenset(("AGENTS.md", "CLAUDE.md", "GEMINI.md"))
"""Instructions for programs that read a repository: a generator may publish them, but nobody reads them there."""


class TreeFinder:
    """Finds the trees of many files; each folder is read once."""

    def __init__(self, disk: Disk, root: str) -> None:
        """Set the disk to read, and the `root` that findings name paths relative to."""
        self.disk, self.root = disk, root
        self._at: dict[str, Tree | None] = {}
        self._made: dict[str, Tree] = {}
        self._vaults: dict[str, str | None] = {}

    def find_tree(self, path: str) -> Tree:
        """Return the tree of a file: the same object for all of its files."""
        tree = self.find_enclosing_tree(dirname(path))
        is_published = tree is not None and basename(path) not in FOR_AGENTS and tree.contains_path(path)
        if tree is None or not is_published or not tree.generator.publishes(tree, path):
            tree = registry.read_conventional_tree(path, self.disk) or self._build_plain_tree(path)
        return self._made.setdefault(tree.id, tree)

    def find_enclosing_tree(self, folder: str) -> Tree | None:
        """Return the tree of the nearest ancestor folder that has one, within the repository, or None."""
        return self.disk.find_nearest(folder, self._at, lambda parent: registry.read_tree(parent, self.disk, self.root))

    def _build_plain_tree(self, path: str) -> Tree:
        """Build the tree of a page that no generator is known to publish.

        It is that of the nearest ancestor folder whose notes link by name (Obsidian, a wiki, docsify), else that of the
        root.
        """
        vault = self.disk.find_nearest(
            dirname(path), self._vaults, lambda parent: parent if plain.is_vault(parent, self.disk) else None
        )
        if vault:
            return Tree(plain.GENERATOR, vault, vault, by_name=True, generated_paths=plain.find_aliases(vault))
        return Tree(plain.GENERATOR, self.root, self.root, recognized=False)
