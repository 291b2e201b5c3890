"""Images of copies that are published from outside the docs folder, as from Docusaurus' `static`.

`figure()` looks in the docs folder: an image elsewhere would be replaced by a drawn one.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote

from tutorial_tool import links, site
from tutorial_tool.adopt.base import BaseProject
from tutorial_tool.adopt.copies import CopySet
from tutorial_tool.links.disk import Disk
from tutorial_tool.links.trees import TreeFinder
from tutorial_tool.site import Page, Site


def find_redrawn_images(rendered: Site, sets: Sequence[CopySet], base: BaseProject, root: Path) -> Iterator[str]:
    """Yield the images of copies that the project would draw anew. `root` is the copies' docs folder.

    Images of another docs folder than the project's are copied, and a missing image may be drawn.
    """
    drawn = {posixpath.splitext(path)[0] for path in rendered.figures}
    if not drawn or root.absolute() != (base.layout.root / base.layout.docs).absolute():
        return
    paths = [root / copy.source.path for copy_set in sets for copy in copy_set.copies.values()]
    read = site.load_plain(paths, root)
    addresses = links.get_addresses(read)
    for page in read.pages:
        yield from (src for src in _iter_shown_images(page, addresses) if get_image_stem(src, page.path) in drawn)


def find_static_files(base: BaseProject) -> dict[str, bytes]:
    """Return the files that the site generator publishes from outside the docs folder, as empty files."""
    root, docs = base.layout.root.absolute(), (base.layout.root / base.layout.docs).absolute()
    tree = TreeFinder(Disk(), root.as_posix()).find_enclosing_tree(docs.as_posix())
    folders = [folder for name in (tree.static if tree else ()) if (folder := Path(name)) not in (root, docs)]
    paths = [path for folder in folders if folder.is_relative_to(root) for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): b"" for path in paths if not path.is_relative_to(docs)}


def _iter_shown_images(page: Page, of: links.Addresses) -> Iterator[str]:
    """Yield the images that a page shows and that exist."""
    for reference, target in of.get_links(page):
        if reference.is_image and target.kind == "file":
            yield reference.href


def get_image_stem(src: str, page: str) -> str:
    """Return the path of an image below the docs folder, without its suffix."""
    bare = unquote(src.partition("?")[0].partition("#")[0])
    if "://" in bare:
        return bare
    folder = "" if bare.startswith("/") else posixpath.dirname(page)
    return posixpath.splitext(posixpath.normpath(posixpath.join(folder, bare.lstrip("/"))))[0]
