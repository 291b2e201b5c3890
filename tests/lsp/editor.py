"""An editor for tests: it starts the real server, opens texts in it, and asks what an author would."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

PATIENCE_SECONDS = 60
"""How long a busy machine may take for what takes less than a second."""


class Client(LanguageClient):
    """A client that also knows for which version of a text the diagnostics are."""

    versions: dict[str, int | None]


def make_client() -> Client:
    """A client that keeps what it is told."""
    client = Client()
    client.versions = {}

    def told(client: Client, params: types.PublishDiagnosticsParams) -> None:
        client.diagnostics[params.uri] = list(params.diagnostics)
        client.versions[params.uri] = params.version

    features = {**DEFAULT_CLIENT_FEATURES, types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: told}
    register_lsp_features(client, features)
    return client


class Editor:
    """What an author does. Files are named relative to the folder that is open."""

    def __init__(self, client: Client, root: Path) -> None:
        self.client, self.root = client, root
        self.texts: dict[str, str] = {}
        self.version = 0

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def read(self, name: str) -> str:
        """A file as it stands on the disk."""
        return (self.root / name).read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    # Texts

    def type(self, name: str, text: str) -> None:
        """Opens a text, or changes it, without waiting for anything."""
        self.version += 1
        if name in self.texts:
            document = types.VersionedTextDocumentIdentifier(self.version, self.uri(name))
            change = types.TextDocumentContentChangeWholeDocument(text)
            self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        else:
            language = "yaml" if name.endswith(".yaml") else "markdown"
            item = types.TextDocumentItem(self.uri(name), language, self.version, text)
            self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        self.texts[name] = text

    async def open(self, name: str, text: str | None = None) -> list[types.Diagnostic]:
        """Opens a file, with another text where one is given, and waits for its diagnostics."""
        self.type(name, self.read(name) if text is None else text)
        return await self.told(name)

    async def told(self, name: str) -> list[types.Diagnostic]:
        """The diagnostics of an open file, once they are those of its present text."""
        for _ in range(PATIENCE_SECONDS * 100):
            if self.client.versions.get(self.uri(name)) == self.version:
                await self.hover(name, "|")  # what was told of other files before has arrived with its answer
                return list(self.client.diagnostics[self.uri(name)])
            await asyncio.sleep(0.01)
        raise AssertionError(f"no diagnostics for {name} in {PATIENCE_SECONDS} seconds")

    async def first_told(self, name: str, text: str) -> list[types.Diagnostic]:
        """The next diagnostics of a text, from a server that does not tell which version they are of."""
        self.client.diagnostics.pop(self.uri(name), None)
        self.type(name, text)
        for _ in range(PATIENCE_SECONDS * 100):
            if self.uri(name) in self.client.diagnostics:
                return list(self.client.diagnostics[self.uri(name)])
            await asyncio.sleep(0.01)
        raise AssertionError(f"no diagnostics for {name} in {PATIENCE_SECONDS} seconds")

    def close(self, name: str) -> None:
        self.texts.pop(name)
        identifier = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))

    def close_all(self) -> None:
        for name in list(self.texts):
            self.close(name)

    def saved(self, name: str) -> None:
        identifier = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(identifier))

    def on_disk(self, name: str) -> None:
        """Tells the server that another program has changed, made or deleted a file."""
        event = types.FileEvent(self.uri(name), types.FileChangeType.Changed)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    async def told_again(self, name: str) -> list[object]:
        """The rules of the diagnostics of a text that has not changed, once they are others than now."""
        before = self.client.diagnostics[self.uri(name)]
        for _ in range(PATIENCE_SECONDS * 100):
            if (found := self.client.diagnostics[self.uri(name)]) != before:
                return [each.code for each in found]
            await asyncio.sleep(0.01)
        raise AssertionError(f"no other diagnostics for {name} in {PATIENCE_SECONDS} seconds")

    # Places: `needle` with `|` where the cursor stands

    def place(self, name: str, needle: str) -> dict[str, Any]:
        """Where the cursor stands: `needle` is a text of the file, with `|` at the cursor, the last one of several."""
        before, _, after = needle.rpartition("|") if "|" in needle else (needle, "", "")
        text = self.texts[name]
        start = text.index(before + after) + len(before)
        line = text.count("\n", 0, start)
        column = len(text[text.rfind("\n", 0, start) + 1 : start].encode("utf-16-le")) // 2
        return {"text_document": types.TextDocumentIdentifier(self.uri(name)), "position": types.Position(line, column)}

    def text_at(self, uri: str, place: types.Range) -> str:
        """The characters of a range, in a file by its URI."""
        name = next((n for n in self.texts if self.uri(n) == uri), None)
        text = self.texts[name] if name else Path(uri.removeprefix("file://")).read_text(encoding="utf-8")
        return text[_offset(text, place.start) : _offset(text, place.end)]

    # Requests

    async def hover(self, name: str, needle: str) -> str | None:
        found = await self.client.text_document_hover_async(types.HoverParams(**self.place(name, needle)))
        return found.contents.value if found and isinstance(found.contents, types.MarkupContent) else None

    async def definition(self, name: str, needle: str) -> list[str]:
        """Where a name is defined, as `file:line text`."""
        found = await self.client.text_document_definition_async(types.DefinitionParams(**self.place(name, needle)))
        return self._shown(found)

    async def references(self, name: str, needle: str) -> list[str]:
        params = types.ReferenceParams(types.ReferenceContext(False), **self.place(name, needle))
        return self._shown(await self.client.text_document_references_async(params))

    def _shown(self, found: Any) -> list[str]:
        return [
            f"{Path(each.uri.removeprefix('file://')).relative_to(self.root)}:{each.range.start.line + 1}"
            f" {self.text_at(each.uri, each.range)}".rstrip()
            for each in found or ()
        ]

    async def complete(self, name: str, needle: str) -> dict[str, str]:
        """What can be written at a place, each with its detail."""
        found = await self.client.text_document_completion_async(types.CompletionParams(**self.place(name, needle)))
        return (
            {item.label: item.detail or "" for item in found.items} if isinstance(found, types.CompletionList) else {}
        )

    async def actions(self, name: str, needle: str, only: Sequence[str] = ()) -> dict[str, types.CodeAction]:
        """What can be done at a place, by title."""
        at = self.place(name, needle)
        shown = [
            d for d in self.client.diagnostics.get(self.uri(name), ()) if d.range.start.line == at["position"].line
        ]
        context = types.CodeActionContext(shown, list(only) or None)
        part = types.Range(at["position"], at["position"])
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(at["text_document"], part, context)
        )
        return {action.title: action for action in found or () if isinstance(action, types.CodeAction)}

    async def rename(self, name: str, needle: str, new: str) -> types.WorkspaceEdit | None:
        return await self.client.text_document_rename_async(
            types.RenameParams(new_name=new, **self.place(name, needle))
        )

    def after(self, edit: types.WorkspaceEdit | None, name: str) -> str:
        """A file after an edit of the workspace."""
        assert edit is not None
        edits = list((edit.changes or {}).get(self.uri(name), ()))
        for change in edit.document_changes or ():
            if isinstance(change, types.TextDocumentEdit) and change.text_document.uri == self.uri(name):
                edits += [each for each in change.edits if isinstance(each, types.TextEdit)]
        text = self.texts.get(name) or (self.read(name) if (self.root / name).is_file() else "")
        for each in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
            text = text[: _offset(text, each.range.start)] + each.new_text + text[_offset(text, each.range.end) :]
        return text


def _offset(text: str, at: types.Position) -> int:
    """The offset of a position, counted in UTF-16 as the protocol does."""
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: at.line])
    before = lines[at.line].encode("utf-16-le")[: at.character * 2] if at.line < len(lines) else b""
    return start + len(before.decode("utf-16-le"))
