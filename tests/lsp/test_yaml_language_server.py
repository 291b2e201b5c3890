"""An editor without our server: yaml-language-server completes the data's keys and finds what we find, by the schema."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig

from tests import project
from tests.lsp.editor import Client, Editor, make_client
from tutorial_tool import data, scaffold
from tutorial_tool.core.source import Source
from tutorial_tool.data.model import building

PROGRAM = shutil.which("yaml-language-server")
pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(
        PROGRAM is None and not os.environ.get("CI"), reason="yaml-language-server is not installed (npm has it)"
    ),
]
TEXT = f"# yaml-language-server: $schema={scaffold.SCHEMA}\n{project.DATA}"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose data names its schema, as `init` writes it."""
    root = project.write(tmp_path_factory.mktemp("project"), TEXT)
    for name, text in scaffold.build_schema().items():
        (root / name).write_text(text, encoding="utf-8")
    return root


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    config=ClientServerConfig([PROGRAM or "yaml-language-server", "--stdio"], client_factory=make_client),
    scope="module",
)
async def client(lsp_client: Client, root: Path) -> AsyncIterator[None]:
    completion = types.CompletionClientCapabilities(
        completion_item=types.ClientCompletionItemOptions(snippet_support=True, documentation_format=[])
    )
    published = types.PublishDiagnosticsClientCapabilities(version_support=True)
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(completion=completion, publish_diagnostics=published)
    )
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities, root_uri=root.as_uri()))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def name(editor: Editor) -> str:
    """A file of its own for each test: this server does not say which of a file's texts it speaks of."""
    return f"platforms-{len(editor.client.diagnostics)}.yaml"


def ours(text: str) -> list[tuple[int, int]]:
    """Where our own validation finds something: lines and columns from 0."""
    source = Source("platforms.yaml", text)
    found = building.build_model([(source, data.load_yaml(source).node)]).findings
    return sorted((each.span.position.line - 1, each.span.position.column - 1) for each in found)


async def test_good_data_has_no_findings(name: str, editor: Editor) -> None:
    assert ours(TEXT) == []
    assert await editor.first_told(name, TEXT) == []


@pytest.mark.parametrize(
    ("good", "wrong"),
    [
        ("labels: {menu: Swan", "lables: {menu: Swan"),
        ("can: [fly]", "can: fly"),
        ("numbered: false", "numbered: maybe"),
        ("labels: {menu: Swan menu}", "labels: Swan menu"),
        ("steps:\n", "steps: {a: b}\n    stops:\n"),
        ("columns: {setting", "colums: {}\n    columns: {setting"),
        ("values: {value: [Enabled, Disabled]}", "values: {value: Enabled}"),
        ("  swan: {name", "  the swan: {name"),
        ("{omit:", "{omit: [a], because:"),
    ],
)
async def test_the_same_is_found_at_the_same_places(good: str, wrong: str, name: str, editor: Editor) -> None:
    text = TEXT.replace(good, wrong, 1)
    found = await editor.first_told(name, text)
    places = {(each.range.start.line, each.range.start.character) for each in found}
    assert places
    assert places <= set(ours(text))


async def test_what_is_missing_is_told_at_the_key(name: str, editor: Editor) -> None:
    (found,) = await editor.first_told(name, TEXT.replace("{name: Swan, ", "{", 1))
    assert found.message == 'Missing property "name".'
    assert editor.text_at(editor.uri(name), found.range) == "swan"
    assert ours(TEXT.replace("{name: Swan, ", "{", 1))[0][0] == found.range.start.line


async def test_keys_are_completed_with_what_they_are_for(name: str, editor: Editor) -> None:
    text = TEXT.replace("    name: Otter\n", "    name: Otter\n    \n")
    await editor.first_told(name, text)
    params = types.CompletionParams(types.TextDocumentIdentifier(editor.uri(name)), types.Position(5, 4))
    found = await editor.client.text_document_completion_async(params)
    items = found.items if isinstance(found, types.CompletionList) else found or []
    told = {item.label: item.documentation for item in items}
    assert {"values", "can", "code"} <= told.keys()
    assert told["can"] == "Features that templates test."
