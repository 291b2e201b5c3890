"""Replay the output of an earlier run of `lint` while nothing that it depends on has changed.

Only the smallest modules of the standard library are imported here: this runs before everything else. An entry lists
every input of the run and its state. It is signed with a key in this user's cache folder that only this user has, so
that somebody else's folder cannot fake a clean run.
"""

from __future__ import annotations

import os
import stat
import sys
import time

try:
    from _blake2 import blake2b  # `hashlib` would load OpenSSL: a tenth of an unchanged run
except ImportError:  # not CPython
    from hashlib import blake2b

TYPE_CHECKING = False  # like `typing`, whose import takes as long as all of this
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tutorial_tool.cache.recording import Recording

FORM = b"tutorial-tool run 1\n"  # Increment when the content of an entry changes
OFF = "--no-cache"
WAIT_SECONDS = 5.0  # How long to wait for another process of this tool that writes or asks; then, go on without it
MAX_REMEMBERED = 60_000  # Entries of a cache in memory: four times what the largest of 40 trees needs, 2026-11
DIGEST_BYTES = 32  # Bytes of a digest, of the key, and of an entry's signature
MAX_VALUE_BYTES = 8_000_000  # Maximum bytes of a value in the store, and of what a run printed
FINE_TICK_NANOSECONDS = 50_000_000
COARSE_TICK_NANOSECONDS = 2_000_000_000
"""Nanoseconds within which two changes may have the same time: with fine timestamps, and with whole seconds.

The coarsest clock of a common file system (FAT) ticks every two seconds.
"""
_VARIABLES = (
    "HOME USERPROFILE LOCALAPPDATA PATH NO_COLOR FORCE_COLOR TERM COLUMNS LANG LC_ALL LC_CTYPE GITHUB_ACTIONS "
    "GITHUB_REPOSITORY GITHUB_SERVER_URL GITHUB_SHA GITHUB_WORKSPACE GITLAB_CI CI_PROJECT_URL CI_COMMIT_SHA "
    "CI_PROJECT_DIR"
).split()
_SETTINGS = (b".yml", b".yaml", b".toml", b".json", b".git", b".git/", b".gitignore")
_VARIABLE_PREFIXES = ("GIT_", "XDG_", "PYTHON", "TUTORIAL_TOOL_")
"""The environment variables on which a run depends, and the prefixes of others."""


class Input:
    """An input of a run: a path, its kind, its `stamp` and its `digest`.

    `stamp` is device, inode, size and times, which change with the content; empty if these were too recent to prove it.
    """

    __slots__ = ("digest", "kind", "path", "stamp")

    def __init__(self, kind: str, stamp: str, digest: str, path: str) -> None:
        self.kind, self.stamp, self.digest, self.path = kind, stamp, digest, path


class PrintedText:
    """A text that was printed to standard error or standard output."""

    __slots__ = ("text", "to_error")

    def __init__(self, text: str, *, to_error: bool = False) -> None:
        self.text, self.to_error = text, to_error


class Entry:
    """The output of a run, its exit code, and all its inputs."""

    __slots__ = ("code", "inputs", "output")

    def __init__(self, code: int, output: list[PrintedText], inputs: list[Input]) -> None:
        self.code, self.output, self.inputs = code, output, inputs


recorded: list[Recording] = []  # The recording of this run, if any. Set and cleared by `recording`.


def get_recording() -> Recording | None:
    """Return the recording of this run, if one was started."""
    return recorded[0] if recorded else None


def print_cached(arguments: list[str]) -> int | None:
    """Print what the same run printed last time, and return its exit code; None if it has to run."""
    try:
        entry = find_entry(arguments)
    except (OSError, ValueError):
        return None
    if entry is None:
        return None
    try:
        for printed in entry.output:
            stream = sys.stderr if printed.to_error else sys.stdout
            stream.write(printed.text)
            stream.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return entry.code


def find_entry(arguments: list[str]) -> Entry | None:
    """Return the entry of a command line if its inputs are unchanged. Raises OSError and ValueError."""
    base = get_folder()
    if base is None or not is_cacheable(arguments):
        return None
    path, secret = os.path.join(base, "runs", build_name(arguments)), read_key(base)  # noqa: PTH118 - pathlib is slow to load
    if secret is None:
        return None
    data = read(path, secret)
    if data is None:
        return None
    entry = unpack(data)
    current: list[Input] = []
    for old in entry.inputs:
        new = refresh_input(old)
        if new is None:
            return None
        current.append(new)
    if any(new is not old for new, old in zip(current, entry.inputs, strict=True)):
        write_entry(path, Entry(entry.code, entry.output, current), secret)  # same content, other time
    return entry


def is_cacheable(arguments: list[str]) -> bool:
    """Return whether the output of a command line may be cached."""
    return arguments[:1] == ["lint"] and OFF not in arguments


def build_name(arguments: list[str]) -> str:
    """Return the name of a command line's entry, derived from arguments, folder, environment, and program."""
    names = [name for name in os.environ if name in _VARIABLES or name.startswith(_VARIABLE_PREFIXES)]
    environment = sorted(f"{name}={os.environ[name]}" for name in names)
    streams = (f"{stream.isatty()} {stream.encoding}" for stream in (sys.stdout, sys.stderr))
    program = (sys.version, sys.prefix, os.path.dirname(__file__), os.getcwd())  # noqa: PTH109, PTH120
    text = "\0".join((*arguments, "", *environment, "", *streams, *program))
    return blake2b(FORM + text.encode("utf-8", "surrogateescape"), digest_size=DIGEST_BYTES // 2).hexdigest()


def get_folder() -> str | None:
    """Return our folder in the user's cache folder; None if the user has none."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    else:
        default = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
        base = os.environ.get("XDG_CACHE_HOME", "") or os.path.expanduser(default)  # noqa: PTH111
    return os.path.join(base, "tutorial-tool") if os.path.isabs(base) else None  # noqa: PTH117, PTH118


def read_key(base: str) -> bytes | None:
    """Return the user's own key; None if there is none, or if others can access the file."""
    path = os.path.join(base, "key")  # noqa: PTH118
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            status, result = os.fstat(file.fileno()), file.read(DIGEST_BYTES + 1)
    except OSError:
        return None
    is_private = sys.platform == "win32" or (status.st_uid == os.getuid() and not status.st_mode & 0o077)
    return result if is_private and len(result) == DIGEST_BYTES else None


def write_entry(path: str, entry: Entry, secret: bytes) -> None:
    """Write an entry atomically. Errors of the system are ignored."""
    write(path, pack(entry), secret)


def read(path: str, secret: bytes) -> bytes | None:
    """Return the data that `write` wrote; None if it is not signed with this key. Raises OSError."""
    with open(path, "rb") as file:  # noqa: PTH123
        mark, data = file.read(DIGEST_BYTES), file.read()
    return data if mark == sign(secret, data) else None


def write(path: str, data: bytes, secret: bytes) -> None:
    """Write a signed file atomically. Errors of the system are ignored."""
    temporary = f"{path}.{os.getpid()}.{time.monotonic_ns()}"
    try:
        with open(temporary, "xb") as file:  # noqa: PTH123
            file.write(sign(secret, data))
            file.write(data)
        os.replace(temporary, path)  # noqa: PTH105
    except OSError:
        return


def sign(secret: bytes, data: bytes) -> bytes:
    """Return a signature of the data that requires the key."""
    return blake2b(data, key=secret, digest_size=DIGEST_BYTES).digest()


# Serialization


def pack(entry: Entry) -> bytes:
    """Serialize an entry: lines of inputs, then the texts with their lengths.

    Raises: ValueError for a path with a line end.
    """
    head = [f"{entry.code} {len(entry.inputs)} {len(entry.output)}"]
    for input_ in entry.inputs:
        if "\n" in input_.path:
            raise ValueError("a path with a line end")
        head.append(f"{input_.kind}\t{input_.stamp}\t{input_.digest}\t{input_.path}")
    texts = [value.text.encode("utf-8", "surrogateescape") for value in entry.output]
    head += [f"{int(value.to_error)} {len(text)}" for value, text in zip(entry.output, texts, strict=True)]
    return FORM + "\n".join(head).encode("utf-8", "surrogateescape") + b"\n" + b"".join(texts)


def unpack(data: bytes) -> Entry:
    """Parse an entry. Raises ValueError for data that `pack` does not write."""
    if not data.startswith(FORM):
        raise ValueError("another form")
    header, _, rest = data[len(FORM) :].partition(b"\n")
    code, inputs, texts = map(int, header.split())
    *lines, rest = rest.split(b"\n", inputs + texts)
    fields = (line.decode("utf-8", "surrogateescape").split("\t", 3) for line in lines[:inputs])
    output, offset = [], 0
    for line in lines[inputs:]:
        to_error, length = map(int, line.split())
        text = rest[offset : offset + length].decode("utf-8", "surrogateescape")
        output.append(PrintedText(text, to_error=bool(to_error)))
        offset += length
    return Entry(code, output, [Input(*item) for item in fields])


# Inputs


def refresh_input(old: Input) -> Input | None:
    """Return the current state of an input if its content is unchanged, else None."""
    if old.kind == "day":
        return old if old.stamp == get_today() else None
    try:
        status = os.stat(old.path)  # noqa: PTH116
    except (OSError, ValueError):
        return old if old.kind == "none" else None
    if old.kind != get_kind(status) and not (old.kind == "around" and stat.S_ISDIR(status.st_mode)):
        return None
    stamp = get_stamp(status)
    if stamp == old.stamp and stamp:
        return old
    if not old.digest or digest(old.path, old.kind) != old.digest:
        return None
    return Input(old.kind, get_settled_stamp(status), old.digest, old.path)


def get_today() -> str:
    """Return the current day, such as `2027-03-01`, and record that the run depends on it."""
    day = time.strftime("%Y-%m-%d")
    for recording in recorded:
        recording.day = day
    return day


def get_kind(status: os.stat_result) -> str:
    """Return the kind of what a path names: `folder`, `file`, or `other`."""
    return "folder" if stat.S_ISDIR(status.st_mode) else "file" if stat.S_ISREG(status.st_mode) else "other"


def get_stamp(status: os.stat_result) -> str:
    """Return a stamp that changes with the content of a file, or with the names in a folder."""
    return f"{status.st_dev} {status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"


def get_settled_stamp(status: os.stat_result, now: int | None = None) -> str:
    """Return the stamp of `get_stamp` if a later change is sure to have another time, else "".

    `now` is in nanoseconds.
    """
    changed = max(status.st_mtime_ns, status.st_ctime_ns)
    tick = FINE_TICK_NANOSECONDS if status.st_mtime_ns % 1_000_000_000 else COARSE_TICK_NANOSECONDS
    return get_stamp(status) if changed + tick < (time.time_ns() if now is None else now) else ""


def digest(path: str, kind_: str) -> str:
    """Return a digest of a file, or of the names in a folder with their kinds. Raises OSError.

    Of a folder `around` the linted one, only the names of settings count: temporary files may come and go there.
    """
    if kind_ == "folder":
        return _hash_parts(sorted(_list_names(path)))
    if kind_ == "around":
        return _hash_parts(
            sorted(name for name in _list_names(path) if name.endswith(_SETTINGS) or b".config." in name)
        )
    if kind_ != "file":
        return ""
    with open(path, "rb") as file:  # noqa: PTH123
        return blake2b(file.read(), digest_size=DIGEST_BYTES // 2).hexdigest()


def _list_names(path: str) -> Iterator[bytes]:
    with os.scandir(path) as entries:
        for entry in entries:
            yield os.fsencode(entry.name) + (b"/" if entry.is_dir() else b"")


def _hash_parts(parts: Iterable[bytes]) -> str:
    return blake2b(b"\0".join(parts), digest_size=DIGEST_BYTES // 2).hexdigest()


__all__ = ["Entry", "Input", "PrintedText", "blake2b", "find_entry", "print_cached"]
