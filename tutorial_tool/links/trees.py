"""Which site a file belongs to, as the nearest configuration tells, or the folders around it."""

from __future__ import annotations

from pathlib import Path
from posixpath import dirname, join

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.links import generators, hugo_tree, mkdocs_tree
from tutorial_tool.links.disk import Disk
from tutorial_tool.links.tree import Tree

_MKDOCS = lazy_re.compile(r"(?:mkdocs|properdocs)\.ya?ml")
_ASTRO = lazy_re.compile(r"\"astro\"\s*:\s*\"")
_STATIC = ("public", "static", "assets", "source")


class Finder:
    """Finds the trees of many files; each folder is looked at once."""

    def __init__(self, disk: Disk, root: str) -> None:
        """`root` is the folder from which findings name paths."""
        self.disk, self.root = disk, root
        self._at: dict[str, Tree | None] = {}
        self._made: dict[str, Tree] = {}
        self._vaults: dict[str, str | None] = {}

    def tree(self, path: str) -> Tree:
        """The tree of a file: the same one for all of its files."""
        found = self.around(dirname(path))
        if found is None or not found.holds(path):
            vault = self._vault(dirname(path))
            unknown = Tree("", self.root, self.root, recognized=False)
            plain = Tree("", vault, vault, by_name=True) if vault else unknown
            found = _by_convention(path, self.disk) or plain
        return self._made.setdefault(found.id, found)

    def around(self, folder: str) -> Tree | None:
        """The tree of the nearest folder around that has one, no further up than the repository goes."""
        return self.disk.nearest(folder, self._at, lambda each: _tree_in(each, self.disk, self.root))

    def _vault(self, folder: str) -> str | None:
        """The nearest folder around whose notes name one another: of Obsidian, a wiki, or docsify; None for none."""
        return self.disk.nearest(folder, self._vaults, lambda each: each if _is_vault(each, self.disk) else None)


def _by_convention(path: str, disk: Disk) -> Tree | None:
    """The collections of Astro, in whose folder of docs a page does not stand."""
    before, mark, after = path.rpartition("/src/content/")
    if mark and _is_astro(before, disk):
        docs = f"{before}/src/content/{after.split('/')[0]}" if "/" in after else f"{before}/src/content"
        return Tree("astro", before, docs, static=_static(before, disk), slugs="github")
    return None


def _is_astro(folder: str, disk: Disk) -> bool:
    """Whether the configuration of Astro stands in a folder, or its program is asked for there."""
    if any(name.startswith("astro.config.") for name in disk.entries(folder)):
        return True
    read = files.read(Path(folder, "package.json"), root=folder)
    return isinstance(read, Source) and _ASTRO.search(read.text) is not None


def _is_vault(folder: str, disk: Disk) -> bool:
    """Whether a folder is one of Obsidian, the wiki of a repository, or a site of docsify."""
    names = disk.entries(folder)
    if ".obsidian" in names or ("Home.md" in names and ("_Sidebar.md" in names or "_Footer.md" in names)):
        return True
    if "index.html" not in names or "README.md" not in names:
        return False
    read = files.read(Path(folder, "index.html"), root=folder)
    return isinstance(read, Source) and "docsify" in read.text


def _static(root: str, disk: Disk) -> tuple[str, ...]:
    return tuple(join(root, name) for name in _STATIC if disk.is_folder(join(root, name)))


def _tree_in(folder: str, disk: Disk, root: str) -> Tree | None:
    """The tree whose configuration stands in a folder."""
    names = disk.entries(folder)
    for name in names:
        if _MKDOCS.fullmatch(name):
            return mkdocs_tree.read(folder, name, root)
    if "zensical.toml" in names:
        return mkdocs_tree.zensical(folder)
    for name in names:
        if found := generators.read(folder, name, disk):
            return found
    for name in generators.HOSTED:
        if name in names and (found := generators.hosted(folder, name)):
            return found
    if hugo_tree.MARKS & names.keys() and (found := hugo_tree.read(folder, disk)):
        return found
    return generators.around(folder, disk)
