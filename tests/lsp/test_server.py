"""The server itself: it keeps up with typing, survives what is typed, and ends when it should."""

from __future__ import annotations

import asyncio
import random
import socket
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests import project
from tests.lsp.conftest import CAPABILITIES
from tests.lsp.editor import Editor, make_client
from tutorial_tool.lsp.runs import Runs
from tutorial_tool.lsp.workspace import Snapshot, Workspace

pytestmark = pytest.mark.slow

STEP = "site_templates/steps/prepare.md.j2"
DATA = "platforms.yaml"
PAGE = "docs_src/index.md"
WITHOUT = "import sys; sys.modules['pygls'] = None; from tutorial_tool.cli import main; main(['lsp'])"


# Runs: the newest text wins


@pytest.mark.asyncio
async def test_keys_that_follow_each_other_make_one_run(tmp_path: Path) -> None:
    workspace, told = Workspace([project.write(tmp_path)]), list[Snapshot]()
    runs = Runs(workspace, told.append, raises)
    for count in range(50):
        workspace.set_text(tmp_path / STEP, "x" * count)
        runs.schedule_run()
    found = await runs.get_current()
    assert runs.count == 1
    assert [each.version for each in told] == [found.version] == [workspace.version]
    runs.stop()


@pytest.mark.asyncio
async def test_what_was_found_in_an_old_text_is_not_told(tmp_path: Path) -> None:
    workspace, told = Workspace([project.write(tmp_path)]), list[Snapshot]()
    runs = Runs(workspace, told.append, raises)
    workspace.set_text(tmp_path / STEP, "An old old text.")
    runs.schedule_run()
    while not runs.count:  # noqa: ASYNC110 - it begins in one of the next turns of the loop
        await asyncio.sleep(0)
    workspace.set_text(tmp_path / STEP, "---\ntitle: New\n---\n\nText.\n")  # while the first run is on
    runs.schedule_run()
    found = await runs.get_current()
    assert runs.count == 2
    assert told == [found]
    assert (found.version, found.by_file.get(tmp_path / STEP)) == (workspace.version, None)
    runs.stop()


@pytest.mark.asyncio
async def test_a_mistake_of_ours_is_told_and_work_goes_on(tmp_path: Path) -> None:
    class Broken(Workspace):
        def lint(self, is_stale: object = None) -> Snapshot:
            if self.version == 1:
                raise ZeroDivisionError("a mistake")
            return Snapshot(self.version)

    workspace, failures = Broken([tmp_path]), list[Exception]()
    runs = Runs(workspace, lambda found: None, failures.append)
    workspace.record_change()
    assert (await runs.get_current()).checked == ()
    workspace.record_change()
    assert (await runs.get_current()).version == 2
    assert [str(failure) for failure in failures] == ["a mistake"]
    runs.stop()


@pytest.mark.asyncio
async def test_a_client_that_cannot_be_told_keeps_nobody_waiting(tmp_path: Path) -> None:
    failures = list[Exception]()
    workspace = Workspace([project.write(tmp_path)])
    runs = Runs(workspace, lambda found: raises(BrokenPipeError("gone")), failures.append)
    workspace.record_change()
    assert (await asyncio.wait_for(runs.get_current(), 60)).version == workspace.version
    assert [str(failure) for failure in failures] == ["gone"]
    runs.stop()


def raises(error: Exception) -> None:
    raise error


# What is typed


ODD = [
    "{",
    "}",
    "{{",
    "%}",
    "{%",
    "#}",
    "'",
    '"',
    "|",
    "`",
    "<",
    "🦢",
    "\u2028",
    "\x0b",
    "\x00",
    "\r",
    "\t",
    ":",
    "- ",
    "&a",
    "*a",
    "…",
]


def edits(text: str, count: int, seed: int) -> Iterable[str]:
    """A text as somebody spoils it: letters go, others come, parts change places."""
    chance = random.Random(seed)
    for _ in range(count):
        at, length = chance.randrange(len(text) + 1), chance.choice((0, 1, 1, 5, 40))
        piece = chance.choice([*ODD, text[:7], text[-9:], ""])
        text = text[:at] + piece + text[at + length :] if len(text) < 5000 else text[:1000]
        yield text


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("name", "count"), [(STEP, 80), (DATA, 80), (PAGE, 40)])
async def test_nothing_that_is_typed_ends_the_server(name: str, count: int, editor: Editor) -> None:
    for number, text in enumerate(edits(editor.read(name), count, seed=count)):
        await editor.open(name, text)
        if number % 8 == 0:
            await editor.actions(name, "|")
            await editor.complete(name, "|")
    await editor.open(name, editor.read(name))
    assert not [each for each in await editor.open(STEP) if each.severity == types.DiagnosticSeverity.Error]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_template_is_typed_letter_by_letter(editor: Editor) -> None:
    text = editor.read(STEP)
    for end in range(0, len(text), 3):
        editor.type(STEP, text[:end])
        if end % 30 == 0:
            await editor.told(STEP)
            await editor.complete(STEP, text[:end] + "|")
    assert await editor.open(STEP, text) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_request_can_be_cancelled(editor: Editor) -> None:
    await editor.open(STEP)
    editor.type(PAGE, "# Home\n\n" + "".join(f"Line {number} of a long page.\n\n" for number in range(4000)))
    params = types.HoverParams(**editor.place(STEP, "table('set|tings')"))  # the answer has to wait for that page
    sent = editor.client.protocol.send_request(types.TEXT_DOCUMENT_HOVER, params, msg_id="hover-1")
    editor.client.cancel_request(types.CancelParams("hover-1"))
    with pytest.raises(JsonRpcException, match="cancel"):
        await asyncio.wrap_future(sent)
    assert await editor.hover(STEP, "table('set|tings')")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_text_that_was_never_saved_belongs_nowhere(editor: Editor) -> None:
    item = types.TextDocumentItem("untitled:Untitled-1", "markdown", 1, "The the text.")
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    place = types.TextDocumentIdentifier("untitled:Untitled-1"), types.Position(0, 1)
    assert await editor.client.text_document_hover_async(types.HoverParams(*place)) is None


# Folders


async def _opened(folder: Path, *, as_folder: bool = True) -> Editor:
    client = make_client()
    await client.start_io(sys.executable, "-m", "tutorial_tool", "lsp")
    uri = folder.as_uri() if as_folder else None
    await client.initialize_session(types.InitializeParams(capabilities=CAPABILITIES, root_uri=uri))
    return Editor(client, folder)


async def _ended(editor: Editor) -> None:
    await editor.client.shutdown_session()
    await editor.client.stop()  # type: ignore[no-untyped-call]


@pytest.mark.asyncio
async def test_a_folder_without_a_project_has_its_markdown_linted(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\n[B](b.md)\n")
    (tmp_path / "b.md").write_text("# B\n\nThe the end.\n\n## The end\n")
    editor = await _opened(tmp_path)
    (broken,) = await editor.open("a.md", "# A\n\n[B](c.md)\n")
    assert broken.code == "broken-link"
    assert [each.code for each in editor.client.diagnostics[editor.uri("b.md")]] == ["repeated-word"]
    await editor.open("a.md", "# A\n\n[B](b.md#the-end)\n")
    assert await editor.definition("a.md", "b.md#the|-end") == ["b.md:5"]
    params = types.DocumentLinkParams(types.TextDocumentIdentifier(editor.uri("a.md")))
    (link,) = await editor.client.text_document_document_link_async(params) or ()
    assert (editor.text_at(editor.uri("a.md"), link.range), link.target) == ("b.md#the-end", editor.uri("b.md"))
    await _ended(editor)


@pytest.mark.asyncio
async def test_a_folder_inside_of_a_project_is_that_project(tmp_path: Path) -> None:
    root = project.write(tmp_path)
    editor = await _opened(root / "site_templates")
    editor.root = root
    await editor.open(STEP)
    assert await editor.definition(STEP, "table('set|tings')") == ["platforms.yaml:18 settings"]
    await _ended(editor)


@pytest.mark.asyncio
async def test_a_file_that_is_opened_alone_finds_its_project(tmp_path: Path) -> None:
    project.write(tmp_path)
    (tmp_path / "README.md").write_text("# Read me\n")
    editor = await _opened(tmp_path, as_folder=False)
    (found,) = await editor.open(STEP, editor.read(STEP).replace("{{ table", "{{ tabel"))
    assert found.message.startswith("`tabel` is not defined; did you mean `table`?")
    assert [each.code for each in await editor.open("README.md", "# Read the the manual\n")] == ["repeated-word"]
    await _ended(editor)


# Its end


@pytest.mark.asyncio
async def test_it_ends_when_it_is_told_to(tmp_path: Path) -> None:
    editor = await _opened(project.write(tmp_path))
    server = editor.client._server
    await _ended(editor)
    assert server is not None
    assert server.returncode == 0


def test_it_ends_when_its_editor_is_gone() -> None:
    command = [sys.executable, "-m", "tutorial_tool", "lsp"]
    done = subprocess.run(command, input=b"", capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, cwd=tmp_path, check=False)
    wanted = "tutorial-tool: the language server needs an extra: pip install 'tutorial-tool[lsp]"
    assert (done.returncode, done.stdout, done.stderr.partition(" @ ")[0]) == (2, "", wanted)  # from where this one is


@pytest.mark.parametrize("address", ["localhost", "localhost:", ":80", "localhost:99999", "a:b"])
def test_an_address_has_a_host_and_a_port(address: str) -> None:
    command = [sys.executable, "-m", "tutorial_tool", "lsp", "--tcp", address]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "write HOST:PORT, such as 127.0.0.1:2087" in done.stderr


@pytest.mark.asyncio
async def test_it_serves_at_an_address_too(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tutorial_tool", "lsp", "--tcp", f"127.0.0.1:{port}"
    )
    client = make_client()
    for _ in range(600):
        try:
            await client.start_tcp("127.0.0.1", port)
            break
        except OSError:
            await asyncio.sleep(0.1)
    root = project.write(tmp_path)
    await client.initialize_session(types.InitializeParams(capabilities=CAPABILITIES, root_uri=root.as_uri()))
    editor = Editor(client, root)
    (found,) = await editor.open(PAGE, "# Home\n\nThe the page.\n")
    assert found.code == "repeated-word"
    await client.shutdown_async(None)
    client.exit(None)
    assert await asyncio.wait_for(server.wait(), 60) == 0
    await client.stop()  # type: ignore[no-untyped-call]
