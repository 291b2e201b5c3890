"""Messages that make no sense: the server refuses them, and goes on. `tests/fuzz` sends thousands; these failed once."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz import messages, session, shapes
from tests.fuzz.session import Editor

pytestmark = pytest.mark.slow

INVALID = -32602
PLACE = {"line": 0, "character": 0}


def request(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}


UNREADABLE = {
    "a place before the first line": request(
        "textDocument/hover", textDocument={"uri": "file:///a.md"}, position={"line": -1, "character": 0}
    ),
    "no place": request("textDocument/hover", textDocument={"uri": "file:///a.md"}),
    "no file": request("textDocument/documentLink"),
    "parameters that are none": {"jsonrpc": "2.0", "id": 7, "method": "textDocument/rename", "params": 5},
    "a message in a message": request("textDocument/hover", textDocument={"jsonrpc": "2.0"}, position=PLACE),
}


@pytest.mark.asyncio
@pytest.mark.parametrize("name", UNREADABLE)
async def test_a_request_that_cannot_be_read_is_answered(name: str, tmp_path: Path) -> None:
    async with session.here(session.written(tmp_path)) as editor:
        editor.send(json.dumps(UNREADABLE[name]))
        await editor.answered({7})
        assert editor.answers[7]["error"]["code"] in (INVALID, -32603)
        assert "result" not in editor.answers[7]


ODD = {
    "no address": "file://[",
    "a host of odd letters": "file://℀/a.md",
    "another machine": "file://[::1]/a.md",
    "a name that is too long": f"file:///{'a' * 300}.md",
    "a path that is too long": f"file:///{'a/' * 2040}b.md",
    "very many folders": f"file:///{'a/' * 1500}b.md",
    "NUL": "file:///a%00.md",
    "half a pair of surrogates": "file:///\ud800.md",
    "a line break": "file:///a%0ab.md",
    "a number": 7,
    "an object": {"a": []},
    "no file": "file:",
    "a device": "file:///dev/zero",
}


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ODD)
async def test_what_names_no_file_harms_nobody(name: str, tmp_path: Path) -> None:
    document = {"uri": ODD[name], "languageId": "markdown", "version": 1, "text": "# The the text\n"}
    lines = [
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}},
        request("textDocument/hover", textDocument={"uri": ODD[name]}, position=PLACE),
        {
            **request("codeAction/resolve", title="a", kind="source.fixAll.tutorial-tool", data={"uri": ODD[name]}),
            "id": 8,
        },
        {
            "jsonrpc": "2.0",
            "method": "textDocument/didChange",
            "params": {"textDocument": document, "contentChanges": []},
        },
    ]
    async with session.here(session.written(tmp_path)) as editor:
        await editor.sequence("\n".join(map(json.dumps, lines)))


# The server as it is started

BODIES = [
    b"{}",
    b"null",
    b"[]",
    b"{",
    b"\xff\xfe\0",
    b"[" * 6000,
    b'{"jsonrpc": "1.0", "method": "a"}',
    b"[1," + b"9" * 5000 + b"]",
]
FRAMES = [
    *(b"Content-Type: x; charset=utf-16\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body) for body in BODIES),
    b"\r\n\r\nContent-Length: none\r\n\r\n",
    b"Content-Length: -5\r\n\r\n",
]


async def started(root: Path) -> tuple[asyncio.subprocess.Process, Editor, asyncio.Task[None]]:
    command = [sys.executable, "-m", "tutorial_tool", "lsp"]
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=os.environ)
    assert process.stdin
    editor = Editor(root, process.stdin.write)

    async def listen(output: asyncio.StreamReader) -> None:
        while header := await output.readline():
            await output.readuntil(b"\r\n\r\n")
            editor.write(await output.readexactly(int(header.split(b":")[1])))

    assert process.stdout
    return process, editor, asyncio.create_task(listen(process.stdout))


@pytest.mark.asyncio
async def test_nothing_that_is_said_ends_the_server_that_was_started(tmp_path: Path) -> None:
    process, editor, listening = await started(session.written(tmp_path))
    await editor.begin()
    for number, text in zip(count(), shapes.many(messages.messages, 20, seed=7), strict=False):
        editor.say(FRAMES[number % len(FRAMES)])
        await editor.sequence(text)
    await editor.ask("shutdown")
    editor.tell("exit")
    assert await asyncio.wait_for(process.wait(), 60) == 0
    await listening
