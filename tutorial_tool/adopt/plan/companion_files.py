"""Find files that copies use: other files are copied, pages that are not steps are reported."""

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
from tutorial_tool.links.references import find_references
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect

_QUOTED = lazy_re.compile(
    r"[\"'](?P<path>[^\"'\s<>{}]{1,300}\.\w{2,5})[\"']|(?<=[\s=])(?P<bare>[\w./-]{1,300}\.\w{2,5})(?=[\s/]*[>%]\}\})"
)
"""An argument of a component or shortcode that is a file path, judging by its suffix."""
LARGEST = 20_000_000  # Maximum bytes of a companion file
_CODE = (".html", ".htm", ".js", ".mjs", ".php", ".py", ".sh", ".exe")
"""Suffixes of files that a browser or server would run, which nobody asked for on their site."""
_STATIC = ("static", "public")
"""Folders that some generators publish at the site's root: in the docs folder, or next to it."""


@dataclass
class LinkedFiles:
    """Files below the docs folder to copy, by path, and linked pages that are not, with the first link.

    `above` are files of parent folders, which the project's links cannot reach, with the first link.
    """

    copied: dict[str, bytes] = field(default_factory=dict)
    left_behind: dict[str, str] = field(default_factory=dict)
    above: dict[Path, str] = field(default_factory=dict)

    def note_file(self, path: str, file: Path | None, place: str) -> None:
        """Record a linked file if it exists: a page as left behind, another file with its content.

        Hidden files are left out, and so are scripts and files of more than `LARGEST` bytes.
        """
        if file is None or any(part.startswith(".") for part in path.split("/")):
            return
        if file.suffix.lower() in COPIES:
            self.left_behind[path] = place
        elif file.suffix.lower() not in _CODE and file.stat().st_size <= LARGEST:
            self.copied[path] = file.read_bytes()


def find_files(adopted: Iterable[CopySet], root: Path, base: BaseProject, written: Iterable[str] = ()) -> LinkedFiles:
    """Find what the adopted copies use and the project lacks. Paths are relative to `root`.

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
                static = _find_static_file(root, path) if is_absolute else None
                out.note_file(path, files.resolve_existing(root, path) or static, place)
    return out


def _find_static_file(root: Path, path: str) -> Path | None:
    """Return the static file that is published at a path from another folder."""
    folders = (folder / name for folder in (root, root.parent) for name in _STATIC)
    resolved = (files.resolve_existing(folder, path) for folder in folders if folder.is_dir())
    return next(filter(None, resolved), None)


def _iter_paths(copy: Copy) -> Iterator[tuple[str, int, bool]]:
    """Yield the used paths below the docs folder, the offset of each, and whether it is absolute."""
    document = Document(copy.text, Dialect.PYTHON_MARKDOWN)
    matches = [(reference.href, reference.place.start) for reference in find_references(document)]
    matches += _find_argument_paths(document)
    for address, offset in matches:
        bare = unquote(address.partition("?")[0].partition("#")[0])
        if bare and ":" not in bare and not bare.startswith("//"):
            is_absolute = bare.startswith("/")
            folder = "" if is_absolute else posixpath.dirname(copy.path)
            yield posixpath.normpath(posixpath.join(folder, bare.lstrip("/"))), offset, is_absolute


def _find_argument_paths(document: Document) -> Iterator[tuple[str, int]]:
    """Yield the file paths, except for pages, in arguments of tags and shortcodes."""
    code = [(block.start, block.end) for block in document.code_blocks] + [(*span,) for span in document.code_spans]
    for match in _QUOTED.finditer(document.text):
        path = match["path"] or match["bare"]
        if _get_page_path(path) == path and not any(start <= match.start() < end for start, end in code):
            yield path, match.start()


def _get_page_path(path: str) -> str:
    """Return a path with the suffix of pages: adopted ones end in `.md`."""
    stem, suffix = posixpath.splitext(path)
    return f"{stem}.md" if suffix.lower() in COPIES else path
