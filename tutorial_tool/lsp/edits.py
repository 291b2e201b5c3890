"""Edits of sources as the protocol's edits of a workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from lsprotocol import types

from tutorial_tool.core.source import Edit, Source
from tutorial_tool.lsp.places import position, range_of

Uri = Callable[[Path], str]  # What the client calls a file


def edit(item: Edit, encoding: str) -> types.TextEdit:
    return types.TextEdit(range_of(item.span, encoding), item.text)


def insertion(source: Source, offset: int, text: str, encoding: str) -> types.TextEdit:
    place = position(source, offset, encoding)
    return types.TextEdit(types.Range(place, place), text)


def workspace_edit(by_file: Mapping[Path, Sequence[types.TextEdit]], uri: Uri) -> types.WorkspaceEdit:
    return types.WorkspaceEdit(changes={uri(path): list(edits) for path, edits in by_file.items()})


def of_sources(edits: Iterable[Edit], root: Path, uri: Uri, encoding: str) -> types.WorkspaceEdit:
    """Edits whose paths are relative to `root`."""
    by_file: dict[Path, list[types.TextEdit]] = {}
    for item in edits:
        by_file.setdefault(root / item.span.path, []).append(edit(item, encoding))
    return workspace_edit(by_file, uri)


def new_file(path: Path, text: str, uri: Uri) -> types.WorkspaceEdit:
    """A file that is made, with its text."""
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    document = types.OptionalVersionedTextDocumentIdentifier(uri(path))
    return types.WorkspaceEdit(
        document_changes=[
            types.CreateFile(uri(path), options=types.CreateFileOptions(ignore_if_exists=True)),
            types.TextDocumentEdit(document, [types.TextEdit(start, text)]),
        ]
    )
