"""The server that the tests of a module share, on a project of its own."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig

from tests import project
from tests.lsp.editor import Client, Editor, make_client

CAPABILITIES = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True, version_support=True),
        document_link=types.DocumentLinkClientCapabilities(tooltip_support=True),
    ),
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True)
    ),
)
SERVER = ClientServerConfig(server_command=[sys.executable, "-m", "tutorial_tool", "lsp"], client_factory=make_client)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the editor has open."""
    return project.write(tmp_path_factory.mktemp("project"))


@pytest_lsp.fixture(config=SERVER, scope="module")  # type: ignore[untyped-decorator]
async def client(lsp_client: Client, root: Path) -> AsyncIterator[None]:
    folder = types.WorkspaceFolder(root.as_uri(), root.name)
    await lsp_client.initialize_session(
        types.InitializeParams(capabilities=CAPABILITIES, root_uri=root.as_uri(), workspace_folders=[folder])
    )
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(client: Client, root: Path) -> Iterator[Editor]:
    """The editor, with nothing open; what a test opens is closed after it, and the server has complained of nothing."""
    found = Editor(client, root)
    found.version = max((version or 0 for version in client.versions.values()), default=0)
    yield found
    found.close_all()
    assert [message.message for message in client.log_messages] == []
