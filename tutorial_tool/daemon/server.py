"""The resident process: it has all rules loaded, and forks to answer each request.

A fork has what the process has loaded, and nothing that other requests read: no answer can be stale. Before each
answer, the process checks whether the program on disk is still the one that was loaded.
"""

from __future__ import annotations

import array
import fcntl
import gc
import importlib
import marshal
import os
import selectors
import signal
import socket
import sys
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from tutorial_tool import cache, daemon
from tutorial_tool.cache import inputs, recording

IDLE_SECONDS = 30 * 60  # Idle time after which the process ends. It holds 45 MB.
_REQUEST_SECONDS = 5.0  # Timeout for a client's request, which is sent at once
_MAX_REQUEST_BYTES = 16_000_000  # Maximum bytes of a request; Linux limits arguments and environment to 6 MB

_EXAMPLE = """# Title

Open the the menu and [go on](#title). `code` <b>bold</b>

1. Item, as in **Settings**
2. Another item

| Setting | Value |
| --- | --- |
| Sound | On |

```python
print()
```
"""


def main() -> None:
    """Serve at the address from the command line, unless another process does."""
    address = sys.argv[1]
    if daemon.get_address() != address:  # Python was started with other options: its output would differ
        return
    lock = os.open(f"{address}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return
    server = Server(address)
    server.load()
    server.serve()


@dataclass
class _RunningRequest:
    """A request that a forked process works on. `ended` is a pipe that closes when that process ends."""

    client: socket.socket
    process: int
    ended: int


class Server:
    """A server that waits for requests, and for the ends of the forked processes."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._inputs = inputs.InputObserver()
        self._program: dict[str, tuple[int, ...]] = {}
        self._selector = selectors.DefaultSelector()
        self._is_leaving = False
        self._running = 0

    def load(self) -> None:
        """Import what a run needs, and run once on an example, to compile patterns and read tables."""
        inputs.begin(self._inputs)
        from tutorial_tool.linter import session, targets
        from tutorial_tool.rules import get_rules

        self._note_program()
        for rule in get_rules().values():
            assert rule.level == "" or rule.check is not None
        for module in ("cli.lint", "reporters.as_json", "reporters.concise", "reporters.full"):
            importlib.import_module(f"tutorial_tool.{module}")
        folder = Path(self.address).parent
        settings = targets.Settings(folder, isolated=True)
        session.run(session.Request(settings, stdin=(Path("page.md"), _EXAMPLE.encode())))
        inputs.end()
        self._note_program()
        gc.collect()
        gc.freeze()

    def serve(self) -> None:
        """Answer requests until the idle time is over, or the program has changed."""
        with suppress(FileNotFoundError):
            os.unlink(self.address)  # noqa: PTH108
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
            listening.bind(self.address)
            listening.listen(64)
            inode = os.stat(self.address).st_ino  # noqa: PTH116
            self._selector.register(listening, selectors.EVENT_READ, None)
            while self._running or not self._is_leaving:
                ready = self._selector.select(IDLE_SECONDS)
                if not ready and not self._running:
                    break
                for key, _ in ready:
                    if key.data is None:
                        self._accept(listening)
                    else:
                        self._end(key.data, key.fd)
                if self._is_leaving:
                    with suppress(KeyError):
                        self._selector.unregister(listening)
            with suppress(OSError):
                if os.stat(self.address).st_ino == inode:  # noqa: PTH116
                    os.unlink(self.address)  # noqa: PTH108

    def _note_program(self) -> None:
        """Record the state of the loaded files, and of the folders that show what is installed."""
        modules = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
        for path in {*filter(None, modules), *filter(os.path.isabs, sys.path)}:
            self._program.setdefault(path, _read_stamp(path))

    def _is_current(self) -> bool:
        return all(_read_stamp(path) == stamp for path, stamp in self._program.items())

    def _accept(self, listening: socket.socket) -> None:
        client, _ = listening.accept()
        try:
            client.settimeout(_REQUEST_SECONDS)
            files, request = _receive_request(client)
            client.settimeout(None)
        except (OSError, ValueError, EOFError, TypeError):
            client.close()
            return
        try:
            if not self._is_current():
                self._is_leaving = True
                client.close()  # the client runs the command itself
                return
            self._start(client, files, request, listening)
        finally:
            for number in files:
                os.close(number)

    def _start(self, client: socket.socket, files: list[int], request: Any, listening: socket.socket) -> None:
        ended, end = os.pipe()
        try:
            process = os.fork()
        except OSError:
            os.close(ended)
            os.close(end)
            client.close()
            return
        if process == 0:
            code = 1
            try:
                os.setpgid(0, 0)
                os.close(ended)
                self._selector.close()
                listening.close()
                client.close()
                code = _run_request(files, *request, loaded_inputs=self._inputs)
            finally:
                os._exit(code)
        os.close(end)
        client.sendall(b"started %d\n" % process)
        self._running += 1
        run = _RunningRequest(client, process, ended)
        self._selector.register(ended, selectors.EVENT_READ, run)
        self._selector.register(client, selectors.EVENT_READ, run)

    def _end(self, run: _RunningRequest, number: int) -> None:
        """Send the exit code of a run to its client; if the client is gone, end the run."""
        if number != run.ended:
            self._selector.unregister(run.client)
            with suppress(OSError):
                os.killpg(run.process, signal.SIGTERM)
            return
        self._selector.unregister(run.ended)
        with suppress(KeyError):
            self._selector.unregister(run.client)
        os.close(run.ended)
        _, status = os.waitpid(run.process, 0)
        code = os.waitstatus_to_exitcode(status)
        with suppress(OSError):
            run.client.sendall(b"ended %d\n" % (code if code >= 0 else 128 - code))
        run.client.close()
        self._running -= 1


def _read_stamp(path: str) -> tuple[int, ...]:
    try:
        status = os.stat(path)  # noqa: PTH116
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _receive_request(client: socket.socket) -> tuple[list[int], Any]:
    """Return the open files of a client, and its request.

    Raises: OSError, EOFError, ValueError, and TypeError.
    """
    numbers = array.array("i")
    data, messages, _, _ = client.recvmsg(4, socket.CMSG_SPACE(3 * numbers.itemsize))
    for level, kind, content in messages:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            numbers.frombytes(content[: len(content) - len(content) % numbers.itemsize])
    try:
        size = int.from_bytes(data, "little")
        if len(numbers) != 3 or len(data) != 4 or size > _MAX_REQUEST_BYTES:
            raise ValueError("no request")
        request = b""
        while len(request) < size:
            part = client.recv(min(size - len(request), 1 << 16))
            if not part:
                raise EOFError
            request += part
        return list(numbers), marshal.loads(request)  # noqa: S302 - only this user can reach the socket
    except BaseException:
        for number in numbers:
            os.close(number)
        raise


# The copy


def _run_request(
    files: list[int],
    arguments: list[str],
    folder: str,
    environment: dict[str, str],
    umask: int,
    program: str,
    *,
    loaded_inputs: inputs.InputObserver,
) -> int:
    """Run a command as the client would, and return its exit code."""
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.umask(umask)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    sys.argv = [program, *arguments]
    _open_streams()
    _clear_caches()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return _run_command(arguments, loaded_inputs)
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()


def _run_command(arguments: list[str], loaded_inputs: inputs.InputObserver) -> int:
    from tutorial_tool.cli import main as command

    if cache.is_cacheable(arguments):
        recording.begin(arguments)
        loaded = {path: None for path in loaded_inputs.opened if inputs.is_in(path, [inputs.PACKAGE])}
        cache.recorded[0].opened.update(loaded)  # the data that was read during loading
    gc.disable()
    try:
        command(arguments, prog_name="tutorial-tool")
    except SystemExit as exit_:
        if exit_.code is None or isinstance(exit_.code, int):
            return exit_.code or 0
        sys.stderr.write(f"{exit_.code}\n")
        return 1
    except BaseException:  # noqa: BLE001 - as Python itself ends
        traceback.print_exc()
        return 1
    return 0


def _open_streams() -> None:
    """Open the standard streams again, as Python does at startup: they may be terminals or not now."""
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        stream = getattr(sys, name)
        raw = os.fdopen(number, f"{mode}b", closefd=False)
        is_terminal = os.isatty(number)
        reopened = TextIOWrapper(raw, stream.encoding, stream.errors, line_buffering=is_terminal or number == 2)
        setattr(sys, name, reopened)
        setattr(sys, f"__{name}__", reopened)


def _clear_caches() -> None:
    """Clear caches of facts about the machine, which may have changed."""
    from tutorial_tool.fs import files
    from tutorial_tool.spelling import known_misspellings

    known_misspellings.find_program.cache_clear()
    files._get_run_id.cache_clear()


if __name__ == "__main__":
    main()
