"""What the pages of copies show and link that no step is: pictures and other files go along, pages are named."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from tutorial_tool.adopt.base import COPIES, BaseProject
from tutorial_tool.adopt.copies import Copy, CopySet
from tutorial_tool.core import lazy_re
from tutorial_tool.fs import files
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect

_QUOTED = lazy_re.compile(
    r"[\"'](?P<path>[^\"'\s<>{}]{1,300}\.\w{2,5})[\"']|(?<=[\s=])(?P<bare>[\w./-]{1,300}\.\w{2,5})(?=[\s/]*[>%]\}\})"
)
"""What components and shortcodes are given: a path of a file, as far as its suffix tells."""
LARGEST = 20_000_000  # Bytes of a file that goes along
_CODE = (".html", ".htm", ".js", ".mjs", ".php", ".py", ".sh", ".exe")
"""Suffixes of what a browser or a server would run: nobody asked for that on their site."""
_STATIC = ("static", "public")
"""Folders whose files some generators publish at the root of the site: in the docs folder, or beside it."""


@dataclass
class LinkedFiles:
    """Files below the docs folder that go along, by path, and pages that stay behind: who links them first.

    `above` are files of the folders around, which no link of the project reaches, with who links them first.
    """

    copied: dict[str, bytes] = field(default_factory=dict)
    left_behind: dict[str, str] = field(default_factory=dict)
    above: dict[Path, str] = field(default_factory=dict)

    def note_file(self, path: str, file: Path | None, place: str) -> None:
        """Note a file that somebody links, as far as it is there and can go along."""
        if file is None or any(part.startswith(".") for part in path.split("/")):
            return
        if file.suffix.lower() in COPIES:
            self.left_behind[path] = place
        elif file.suffix.lower() not in _CODE and file.stat().st_size <= LARGEST:
            self.copied[path] = file.read_bytes()


def find_files(adopted: Iterable[CopySet], root: Path, base: BaseProject, written: Iterable[str] = ()) -> LinkedFiles:
    """What the adopted copies show and link, and a project lacks. Their paths are told from `root`.

    `written` are pages of the docs folder that are written as well.
    """
    copies = [copy for copy_set in adopted for copy in copy_set.copies.values()]
    out = LinkedFiles()
    if (base.layout.root / base.layout.docs).absolute() == root.absolute():
        return out
    there = {*(copy.path for copy in copies), *base.pages, *base.assets, *written}
    for copy in copies:
        for path, offset, is_absolute in _iter_paths(copy):
            place = str(copy.source.span(offset))
            if path.startswith("../"):
                outside = Path(posixpath.normpath((root / path).as_posix()))
                if outside.is_file():
                    out.above.setdefault(outside, place)
            elif _get_page_path(path) not in there and path not in out.copied and path not in out.left_behind:
                out.note_file(
                    path,
                    files.resolve_existing(root, path) or (_find_static_file(root, path) if is_absolute else None),
                    place,
                )
    return out


def _find_static_file(root: Path, path: str) -> Path | None:
    """The file that is published at a path, though it stands elsewhere."""
    folders = (folder / name for folder in (root, root.parent) for name in _STATIC)
    return next(
        (file for folder in folders if folder.is_dir() and (file := files.resolve_existing(folder, path))), None
    )


def _iter_paths(copy: Copy) -> Iterator[tuple[str, int, bool]]:
    """The paths below the docs folder that a page shows or links, where it does, and whether they begin at its root."""
    document = Document(copy.text, Dialect.PYTHON_MARKDOWN)
    matches = [(image.src, image.start) for image in document.images]
    matches += [(link.href, link.start) for link in document.links]
    matches += _find_argument_paths(document)
    for address, offset in matches:
        bare = unquote(address.partition("?")[0].partition("#")[0])
        if bare and ":" not in bare and not bare.startswith("//"):
            is_absolute = bare.startswith("/")
            folder = "" if is_absolute else posixpath.dirname(copy.path)
            yield posixpath.normpath(posixpath.join(folder, bare.lstrip("/"))), offset, is_absolute


def _find_argument_paths(document: Document) -> Iterator[tuple[str, int]]:
    """The paths of files, but of pages, that tags and shortcodes of any name are given."""
    code = [(block.start, block.end) for block in document.code_blocks] + [(*span,) for span in document.code_spans]
    for match in _QUOTED.finditer(document.text):
        path = match["path"] or match["bare"]
        if _get_page_path(path) == path and not any(start <= match.start() < end for start, end in code):
            yield path, match.start()


def _get_page_path(path: str) -> str:
    """A path as pages stand: adopted ones end in `.md`."""
    stem, suffix = posixpath.splitext(path)
    return f"{stem}.md" if suffix.lower() in COPIES else path
