"""Run a command in the resident process, if there is one, as if this process ran it."""

from __future__ import annotations

import marshal
import os
import signal
import sys

from tutorial_tool import daemon

TYPE_CHECKING = False  # as in `typing`, whose import takes longer than a request
if TYPE_CHECKING:
    from _socket import socket

_NEVER_RESIDENT = ("--watch", "--untrusted", daemon.DISABLE)  # Options with which a command runs in its own process
_FALSE = ("", "0", "false", "no")


def run(arguments: list[str]) -> int | None:
    """Run a command in the resident process and return its exit code; None if this process has to run it.

    If the command line or the environment requests a resident process, and there is none, start one for the next
    command.
    """
    if arguments[:1] != ["lint"] or any(option in arguments for option in _NEVER_RESIDENT):
        return None
    is_requested, stated = daemon.ENABLE in arguments, os.environ.get(daemon.VARIABLE, "").lower()
    if not daemon.is_available():
        if is_requested:
            sys.stderr.write("tutorial-tool: `--daemon` has no effect: there is no resident process on Windows\n")
        return None
    if daemon.VARIABLE in os.environ and stated in _FALSE and not is_requested:
        return None
    is_wanted = is_requested or (stated not in _FALSE and not os.environ.get("CI"))
    address = daemon.get_address(make=is_wanted)
    if address is None:
        return None
    code = _ask(address, arguments) if os.path.exists(address) else None  # noqa: PTH110 - pathlib is slow to load
    if code is None and is_wanted:
        _start(address)
    return code


def _ask(address: str, arguments: list[str]) -> int | None:
    """Send a command with the standard streams and return its exit code; None if nobody accepts it."""
    import _socket

    with_files = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
    umask = os.umask(0o077)
    os.umask(umask)
    request = marshal.dumps((arguments, os.getcwd(), dict(os.environ), umask, sys.argv[0]))  # noqa: PTH109
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.connect(address)
        connection.sendmsg([b"\0"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, with_files)])
        connection.sendall(request)
        answer = _read_line(connection)
        return _wait(connection, int(answer.split()[1])) if answer.startswith(b"started ") else None
    except OSError:
        return None
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    finally:
        connection.close()


def _wait(connection: socket, process: int) -> int:
    """Wait for the process that runs the command, and return its exit code; pass interrupts on."""
    answer = None
    while answer is None:
        try:
            answer = _read_line(connection)
        except KeyboardInterrupt:
            try:
                os.kill(process, signal.SIGINT)
            except ProcessLookupError:  # it has ended meanwhile
                continue
        except OSError:
            answer = b""
    if answer.startswith(b"ended "):
        return int(answer.split()[1])
    sys.stderr.write("tutorial-tool: the resident process ended in the middle of the run; start it again\n")
    return 2


def _read_line(connection: socket) -> bytes:
    """Read up to the end of a line and no further: the next line may have arrived with it."""
    out = b""
    while not out.endswith(b"\n"):
        received = connection.recv(1)
        if not received:
            break
        out += received
    return out


def _start(address: str) -> None:
    """Start a resident process, which outlives this one. It exits at once if there is another."""
    if not sys.executable:
        return
    command = [sys.executable, "-P", "-m", "tutorial_tool.daemon.server", address]
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        child = os.fork()
        if child:
            os.waitpid(child, 0)
            return
        try:
            os.setsid()
            if os.fork() == 0:
                for number in (0, 1, 2):
                    os.dup2(nothing, number)
                os.execv(sys.executable, command)  # noqa: S606
        finally:
            os._exit(0)
    except OSError:
        return
    finally:
        os.close(nothing)
