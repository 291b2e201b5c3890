"""A resident process with the program loaded that forks for `lint`, and keeps the pages of the last run.

`client` sends requests, and imports next to nothing; `server` is the process. They use a Unix socket in a folder that
only this user can access. Its name is derived from the program, the folder, and the environment variables that Python
itself reads: each combination has its own process. Everything else is sent with each request.
"""

from __future__ import annotations

import os
import stat
import sys

from tutorial_tool.cache import blake2b

FORM = "tutorial-tool daemon 1"  # Incremented when the protocol between client and server changes
VARIABLE = "TUTORIAL_TOOL_DAEMON"
ENABLE, DISABLE = "--daemon", "--no-daemon"
_FLAGS = ("optimize", "isolated", "ignore_environment", "dev_mode", "utf8_mode", "warn_default_encoding")
_STARTUP_PREFIXES = ("PYTHON", "LANG", "LC_", "LD_", "DYLD_")
"""Prefixes of environment variables that take effect only when a process starts."""


def is_available() -> bool:
    """Return whether this system can fork a running process, and pass open files to it."""
    return sys.platform != "win32" and hasattr(os, "fork")


def get_folder(*, make: bool = False) -> str | None:
    """Return the folder of this user's sockets; None if it is missing, or accessible to other users."""
    base = os.environ.get("XDG_RUNTIME_DIR") or os.environ.get("TMPDIR") or "/tmp"  # noqa: S108 - checked below
    path = os.path.join(base, f"tutorial-tool-{os.getuid()}")  # noqa: PTH118
    try:
        if make and not os.path.isdir(path):  # noqa: PTH112
            os.mkdir(path, 0o700)  # noqa: PTH102
        status = os.lstat(path)
    except OSError:
        return None
    is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
    return path if is_own else None


def get_address(*, make: bool = False) -> str | None:
    """Return the path of the socket for this program and folder; None if there can be none.

    With `make`, create the folder of the socket if it is missing.
    """
    base = get_folder(make=make)
    if base is None:
        return None
    environment = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith(_STARTUP_PREFIXES))
    program = (FORM, sys.version, sys.executable, sys.prefix, os.path.dirname(__file__), os.getcwd())  # noqa: PTH109, PTH120
    flags = [f"{name}={getattr(sys.flags, name)}" for name in _FLAGS]
    identity = "\0".join((*program, *flags, *sys.warnoptions, *environment))
    return os.path.join(base, blake2b(identity.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest())  # noqa: PTH118
