"""The resident process: it has all rules loaded, and forks to answer a request.

The fork that answered last stays, with the pages that it read, and answers the same command again; any other request
gets a new fork, which has only what the process has loaded. Before each answer, the process checks whether the program
on disk is still the one that was loaded.
"""

from __future__ import annotations

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
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

from tutorial_tool import cache, daemon
from tutorial_tool.cache import WAIT_SECONDS, inputs, recording

IDLE_SECONDS = 30 * 60  # Idle time after which the process ends. It holds 45 MB, and 190 MB with 525 pages.

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


class _Fork(NamedTuple):
    """A forked process, the request that it answered last, and the socket for the same request again."""

    process: int
    request: Any
    channel: socket.socket


class _RunningRequest(NamedTuple):
    """A request that a fork works on. `ended` is a pipe that gets the exit code, and is closed."""

    client: socket.socket
    fork: _Fork
    ended: int


class Server:
    """A server that waits for requests, and for the ends of the forked processes."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._inputs = inputs.InputObserver()
        self._program: dict[str, tuple[int, ...]] = {}
        self._selector = selectors.DefaultSelector()
        self._is_leaving = False
        self._idle: _Fork | None = None

    def load(self) -> None:
        """Import what a run needs, and run once on an example, to compile patterns and read tables."""
        inputs.begin(self._inputs)
        from tutorial_tool.linter import session
        from tutorial_tool.linter.config_lookup import LookupOptions
        from tutorial_tool.rules import get_rules

        self._note_program()
        for rule in get_rules().values():
            assert rule.level == "" or rule.check is not None
        for module in ("cli.lint", "reporters.as_json", "reporters.concise", "reporters.full"):
            importlib.import_module(f"tutorial_tool.{module}")
        folder = Path(self.address).parent
        lookup = LookupOptions(folder, isolated=True)
        session.run(session.Request(lookup, stdin=(Path("page.md"), _EXAMPLE.encode())))
        inputs.end()
        self._note_program()
        opened = {path: None for path in self._inputs.opened if inputs.is_in(path, [inputs.PACKAGE])}
        self._inputs = inputs.InputObserver(opened)  # the data that was read during loading
        gc.collect()
        gc.freeze()

    def serve(self) -> None:
        """Answer requests until the idle time is over, or the program has changed."""
        with suppress(FileNotFoundError):
            os.unlink(self.address)  # noqa: PTH108
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # until a fork runs the command
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a fork: its exit code comes through a pipe
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
            listening.bind(self.address)
            listening.listen(64)
            self._selector.register(listening, selectors.EVENT_READ, None)
            while (is_running := any(key.data for key in self._selector.get_map().values())) or not self._is_leaving:
                ready = self._selector.select(IDLE_SECONDS)
                if not ready and not is_running:
                    break
                for key, _ in ready:
                    if key.data is None:
                        self._accept(listening)
                    elif self._selector.get_map().get(key.fd) is key:  # not ended meanwhile
                        self._end(key.data, key.fd)
                if self._is_leaving:
                    with suppress(KeyError):
                        self._selector.unregister(listening)
            with suppress(OSError):
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
            client.settimeout(WAIT_SECONDS)
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
            self._start(client, files, request)
        finally:
            for number in files:
                os.close(number)

    def _start(self, client: socket.socket, files: list[int], request: Any) -> None:
        ended, end = os.pipe()
        try:
            fork = self._send_again([*files, end], request) or self._start_fork([*files, end], request, client)
        except OSError:
            os.close(ended)
            client.close()
            return
        finally:
            os.close(end)
        client.sendall(b"started %d\n" % fork.process)
        run = _RunningRequest(client, fork, ended)
        self._selector.register(ended, selectors.EVENT_READ, run)
        self._selector.register(client, selectors.EVENT_READ, run)

    def _send_again(self, files: list[int], request: Any) -> _Fork | None:
        """Send the same request again to the fork that answered last; return None for any other request."""
        fork = self._idle
        if fork is None or fork.request != request:
            return None
        self._idle = None
        try:
            socket.send_fds(fork.channel, [b"again"], files)
        except OSError:  # it was killed
            return None
        return fork

    def _start_fork(self, files: list[int], request: Any, client: socket.socket) -> _Fork:
        """Start a process that answers the request. Raises OSError."""
        channel, other = socket.socketpair()
        with other:
            process = os.fork()
            if process == 0:
                try:
                    os.setpgid(0, 0)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    for connection in (channel, client, *self._list_connections()):
                        connection.close()
                    _answer_requests(other, files, request, self._inputs)
                finally:
                    os._exit(0)
        return _Fork(process, request, channel)

    def _list_connections(self) -> Iterator[socket.socket]:
        """Yield the open sockets, which a fork closes: the other end notices when this process closes its own."""
        if self._idle:
            yield self._idle.channel
        for key in self._selector.get_map().values():
            if isinstance(key.fileobj, socket.socket):
                yield key.fileobj
            if key.data:
                yield key.data.fork.channel

    def _end(self, run: _RunningRequest, number: int) -> None:
        """Send the exit code of a run to its client, unless it was killed; if the client is gone, end the run."""
        if number != run.ended:
            self._selector.unregister(run.client)
            with suppress(OSError):
                os.killpg(run.fork.process, signal.SIGTERM)
            return
        self._selector.unregister(run.ended)
        with suppress(KeyError):
            self._selector.unregister(run.client)
        answer = os.read(run.ended, 64)
        os.close(run.ended)
        with run.client, suppress(OSError):
            run.client.sendall(answer)
        if _can_answer_again(answer, run.fork.request):
            if self._idle:
                self._idle.channel.close()  # which ends it
            self._idle = run.fork


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
    data, files, _, _ = socket.recv_fds(client, 1, 3)
    try:
        if len(files) != 3 or not data:
            raise ValueError("no request")
        with client.makefile("rb") as sent:
            return files, marshal.load(sent)  # noqa: S302 - only this user can reach the socket
    except BaseException:
        for number in files:
            os.close(number)
        raise


# The fork


def _answer_requests(channel: socket.socket, files: list[int], request: Any, earlier: inputs.InputObserver) -> None:
    """Answer a request, and the same one again whenever the channel brings its open files."""
    from tutorial_tool.linter import session

    session.kept_memories.append({})
    while files:
        code = _run_request(files[:3], *request, earlier=earlier)
        nothing = os.open(os.devnull, os.O_RDWR)
        _replace_streams([nothing] * 3)
        answer = b"ended %d\n" % code
        os.write(files[3], answer)
        os.close(files[3])
        if not _can_answer_again(answer, request):
            break
        gc.collect()
        _, files, _, _ = socket.recv_fds(channel, 16, 4)


def _can_answer_again(answer: bytes, request: Any) -> bool:
    """Return whether a fork may answer again: not if it was to keep nothing, and not if it could not run."""
    return answer in (b"ended 0\n", b"ended 1\n") and cache.is_cacheable(request[0])


def _replace_streams(files: Iterable[int]) -> None:
    """Make these files the standard streams."""
    for number, file in enumerate(files):
        os.dup2(file, number)
    for file in {*files}:
        os.close(file)


def _run_request(
    files: list[int],
    arguments: list[str],
    folder: str,
    environment: dict[str, str],
    umask: int,
    program: str,
    *,
    earlier: inputs.InputObserver,
) -> int:
    """Run a command as the client would, and return its exit code."""
    _replace_streams(files)
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
        return _run_command(arguments, earlier)
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()


def _run_command(arguments: list[str], earlier: inputs.InputObserver) -> int:
    """Run a command with the inputs of earlier runs, of which it may use what they read, and return its exit code."""
    from tutorial_tool.cli import main as command

    if cache.is_cacheable(arguments):
        recording.begin(arguments)
        cache.recorded[0].share_inputs(earlier)
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
