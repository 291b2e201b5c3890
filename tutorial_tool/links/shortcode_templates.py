"""Templates of Hugo's shortcodes, as far as available: their output may have headings, and so anchors."""

from __future__ import annotations

from posixpath import dirname, join

from tutorial_tool.core import lazy_re
from tutorial_tool.core.caching import cache_method
from tutorial_tool.links.disk import Disk, read_text
from tutorial_tool.links.tree import Tree

_BRINGING = lazy_re.compile(
    r"<h[1-6]\b|\bid=|readFile|\bmarkdownify\b|RenderString|RenderShortcodes|\.Inner\b|\bpartial|\btemplate\b|\.Content\b"
    r"|\.RawContent|\.Render\b|\.Plain\b|\banchorize\b|\bplainify\b|safeHTML"
)
"""Template code that may write a heading or an ID."""
_FOLDERS = ("layouts/shortcodes", "layouts/_shortcodes")


class ShortcodeTemplates:
    """The templates of shortcodes; each is read once."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    def writes_no_anchors(self, tree: Tree, name: str) -> bool:
        """Return whether the template of a shortcode is available, and writes no anchors."""
        text = self._read_template(tree, name)
        return text is not None and not _BRINGING.search(text)

    @cache_method
    def _read_template(self, tree: Tree, name: str) -> str | None:
        files_named = (f"{home}/{name}.html" for home in self._find_folders(tree))
        file = next(filter(self._disk.is_file, files_named), "")
        return read_text(tree.root, file) if file else None

    @cache_method
    def _find_folders(self, tree: Tree) -> tuple[str, ...]:
        """Return the folders of a site's templates: its own first, then those of its themes and modules."""
        own = [join(tree.root, folder) for folder in _FOLDERS]
        others = (file for name in ("themes", "_vendor") for file in self._disk.walk(join(tree.root, name)))
        folders = dict.fromkeys((*filter(self._disk.is_folder, own), *map(dirname, others)))
        return tuple(folder for folder in folders if folder.endswith(_FOLDERS))
