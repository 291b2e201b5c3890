"""Convert edits of sources to the protocol's workspace edits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from lsprotocol import types

from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import Edit, Source
from tutorial_tool.lsp.places import build_range, compute_position

Uri = Callable[[Path], str]  # The client's URI of a file


def build_insertion(source: Source, offset: int, text: str, encoding: str) -> types.TextEdit:
    place = compute_position(source, offset, encoding)
    return types.TextEdit(types.Range(place, place), text)


def build_workspace_edit(by_file: Mapping[Path, Sequence[types.TextEdit]], uri: Uri) -> types.WorkspaceEdit:
    return types.WorkspaceEdit(changes={uri(path): list(edits) for path, edits in by_file.items()})


def convert_edits(edits: Iterable[Edit], root: Path, uri: Uri, encoding: str) -> types.WorkspaceEdit:
    """Convert edits whose paths are relative to `root`."""
    converted = ((root / edit.span.path, types.TextEdit(build_range(edit.span, encoding), edit.text)) for edit in edits)
    return build_workspace_edit(group_pairs(converted), uri)


def build_new_file(path: Path, text: str, uri: Uri) -> types.WorkspaceEdit:
    """Return the edit that creates a file with its text."""
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    document = types.OptionalVersionedTextDocumentIdentifier(uri(path))
    return types.WorkspaceEdit(
        document_changes=[
            types.CreateFile(uri(path), options=types.CreateFileOptions(ignore_if_exists=True)),
            types.TextDocumentEdit(document, [types.TextEdit(start, text)]),
        ]
    )
