"""A language server in this process, and an editor that talks nonsense to it: each request is answered, and it lives on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event
from typing import Any

from pygls.io_ import run_async
from pygls.protocol import LanguageServerProtocol

from tests import project
from tests.fuzz.messages import FILES
from tutorial_tool.cli import lsp

PATIENCE_SECONDS = 30
"""How long a busy machine may take for what takes less than a second."""
_OURS = re.compile(r'File \\?"[^"]*tutorial_tool')
"""A line of a traceback that leads through our code: nonsense is refused before, or it is understood."""
STEP = "project/site_templates/steps/prepare.md.j2"
NAMED = FILES[STEP].index("settings")
WHERE = {"line": FILES[STEP].count("\n", 0, NAMED), "character": NAMED - FILES[STEP].rindex("\n", 0, NAMED)}
"""A place in a file that is well, and what shows over it."""
SHOWN = "**table** `settings`"


def written(root: Path) -> Path:
    """The folders that the editor has open: a project and a tree, deep enough that `..` stays among them."""
    deep = root / "a/b/c"
    project.write(deep / "project")
    for name in FILES:
        _write(deep, name)
    return deep


def _write(root: Path, name: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FILES[name], encoding="utf-8", newline="")


class Editor:
    """An editor that has the folders open. `say` takes what it writes; what a server says comes to `write`."""

    def __init__(self, root: Path, say: Callable[[bytes], None]) -> None:
        self.root, self.uri, self.say = root, root.as_uri(), say
        self.answers: dict[Any, Any] = {}
        self.opened: dict[str, None] = {}
        self.wrong: list[str] = []
        self.came = asyncio.Event()

    # What the server writes to

    def write(self, data: bytes) -> None:
        message = json.loads(data)
        if isinstance(message.get("id"), str | int) and "method" not in message:
            self.answers[message["id"]] = message
            self.came.set()
        if _OURS.search(data.decode()):
            self.wrong.append(data.decode())

    def close(self) -> None:
        pass

    # What the editor says

    def send(self, body: str) -> None:
        data = body.encode("utf-8", "surrogatepass")
        self.say(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))

    def tell(self, method: str, **params: Any) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    async def ask(self, method: str, **params: Any) -> Any:
        id_ = f"asked-{time.monotonic_ns()}"
        self.send(json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}))
        await self.answered({id_})
        return self.answers[id_].get("result")

    async def answered(self, ids: set[Any]) -> None:
        """Waits until each of these requests has an answer."""
        end = time.monotonic() + PATIENCE_SECONDS
        while missing := ids - self.answers.keys():
            self.came.clear()
            assert time.monotonic() < end, f"no answer to {missing}"
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.came.wait(), 1)

    async def begin(self) -> None:
        folders = [{"uri": f"{self.uri}/{name}", "name": name} for name in ("project", "tree")]
        await self.ask("initialize", processId=None, rootUri=None, workspaceFolders=folders, capabilities={})
        self.tell("initialized")

    async def sequence(self, text: str) -> None:
        """Sends the messages of a text, and looks whether the server is as good as before."""
        self.answers.clear()
        asked = set()
        for line in text.replace("$ROOT", self.uri).split("\n"):
            if line.startswith("!"):
                await self.ask("nothing/asked")  # what was sent before has been read by then
                self.change(*line[1:].split(" ")[:2])
            elif line:
                asked |= self.noted(line)
                self.send(line)
        await self.answered(asked)
        await self.ask("nothing/asked")
        await self.mend()
        shown = await self.ask("textDocument/hover", textDocument={"uri": f"{self.uri}/{STEP}"}, position=WHERE)
        assert not self.wrong, self.wrong[0]
        assert shown, "nothing shows over a name any more"
        assert SHOWN in shown["contents"]["value"]

    def noted(self, line: str) -> set[Any]:
        """The id of a request, which is to be answered whatever else is wrong with it; what is opened is noted."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return set()
        if (
            not isinstance(message, dict)
            or message.get("jsonrpc") != "2.0"
            or not isinstance(message.get("method"), str)
        ):
            return set()
        with contextlib.suppress(KeyError, TypeError):
            self.opened[message["params"]["textDocument"]["uri"]] = None
        id_ = message.get("id")
        return {id_} if isinstance(id_, str) or type(id_) is int else set()

    def change(self, what: str, name: str = "") -> None:
        """Something happens to a file while it is open, or not."""
        if name not in FILES:
            return
        if what == "delete":
            (self.root / name).unlink(missing_ok=True)
        elif what == "spoil":
            (self.root / name).write_bytes(b"\xff\xfe\0")
        else:
            _write(self.root, name)

    async def mend(self) -> None:
        """Closes what is open, puts the files back, and begins again, as an editor that is started anew."""
        for name in FILES:
            if (self.root / name).is_file() and (self.root / name).read_text(errors="replace") == FILES[name]:
                continue
            _write(self.root, name)
        for uri in self.opened:
            self.tell("textDocument/didClose", textDocument={"uri": uri})
        self.opened.clear()
        await self.begin()


@asynccontextmanager
async def here(root: Path) -> AsyncIterator[Editor]:
    """An editor whose server runs in this process. Raises AssertionError where the server ended, or a task of it failed."""
    problems: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: problems.append(str(context)))
    server, reader = lsp.make_server(), asyncio.StreamReader(limit=2**26)
    editor = Editor(root, reader.feed_data)
    server.protocol.set_writer(editor, include_headers=False)
    served = asyncio.create_task(run_async(Event(), reader, server.protocol, error_handler=server.report_server_error))
    try:
        await editor.begin()
        yield editor
        assert not served.done(), "the server ended"
        assert not problems, problems[0]
    finally:
        reader.feed_eof()
        await served
        server.runs.stop()
        LanguageServerProtocol.get_message_type.cache_clear()  # it would keep the last hundred servers, with all they know
        LanguageServerProtocol.get_result_type.cache_clear()


def run(root: Path, texts: Iterable[str]) -> None:
    """Sends sequences of messages to a server of their own."""

    async def talk() -> None:
        async with here(root) as editor:
            for text in texts:
                await editor.sequence(text)

    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    asyncio.run(talk())
