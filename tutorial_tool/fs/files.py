"""Find files, read them with limits, write them atomically, lock folders, remove temporary files.

Everything that writes files uses it.
"""

from __future__ import annotations

import codecs
import contextlib
import itertools
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, InvalidInput, build_error
from tutorial_tool.core.source import Source
from tutorial_tool.fs import git

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

if sys.platform != "win32":
    import fcntl

LARGEST = 500_000_000  # Bytes of a file that a program wrote, which may be a whole site, and of images and the like
LIMIT = 5_000_000  # Maximum bytes of a file to read
STALE_SECONDS = 24 * 3600.0  # Age at which a temporary file or a lock is stale, whoever created it

# --- Paths


_UNPRINTABLE = lazy_re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def format_path(path: str | Path, root: str | Path) -> str:
    """Return the path of a file for findings: relative to `root`, with `/`, and always printable."""
    return _UNPRINTABLE.sub("\ufffd", _make_relative(path, root))


def _make_relative(path: str | Path, root: str | Path) -> str:
    base, full = os.path.abspath(root), os.path.abspath(path)
    stem = base.rstrip(os.sep) + os.sep
    if full.startswith(stem):
        name = full[len(stem) :]
    else:
        try:
            name = os.path.relpath(full, base)
        except ValueError:  # on another drive
            name = full
    return name.replace(os.sep, "/")


_DRIVE = lazy_re.compile(r"[A-Za-z]:")
_RESERVED = lazy_re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])", re.IGNORECASE)


def explain_unsafe(relative: str) -> str | None:
    """Return why a path from data or a template is unsafe on any system; None if it is safe.

    The disk is not checked: `resolve_inside` does that too.
    """
    for _ in range(4):  # `%252e` is `.` to a program that decodes twice
        if reason := _explain_unsafe(relative):
            return reason
        if relative == (decoded := unquote(relative)):
            return None
        relative = decoded
    return "is encoded several times over"


def _explain_unsafe(relative: str) -> str | None:
    if _UNPRINTABLE.search(relative):
        return "contains a control character"
    if "\\" in relative:
        return "contains a backslash; separate folders with /"
    if relative.startswith("/") or _DRIVE.match(relative):
        return "is absolute; it should be relative"
    for part in relative.split("/"):
        if part not in ("", ".") and not part.strip(" ."):  # Windows reads `.. ` as `..`
            return "leaves the folder through `..`"
        if _RESERVED.fullmatch(part.split(".")[0].rstrip(" ")):
            return f"contains `{part}`, which is a device on Windows"
        if _DRIVE.match(part):
            return f"contains `{part}`, which is a drive on Windows"
    return None


def resolve_inside(root: Path, relative: str) -> Path | None:
    """Resolve a path below `root`; return None if it leads outside, even by a symbolic link."""
    if explain_unsafe(relative):
        return None
    path = root / relative
    return path if contains(root, path) else None


def resolve_existing(root: Path, relative: str) -> Path | None:
    """Resolve a path below `root` to an existing file, else return None, as for a name that is too long."""
    path = resolve_inside(root, relative)
    return path if path is not None and os.path.isfile(path) else None


def contains(root: str | Path, path: str | Path) -> bool:
    """Return whether a path stays in `root` when its symbolic links are followed."""
    base, full = os.path.realpath(root), os.path.realpath(path)
    return full == base or full.startswith(base.rstrip(os.sep) + os.sep)


def _is_linked(path: str | Path, root: str | Path, name: str) -> bool:
    """Return whether a path, `name` below `root`, has a symbolic link in it.

    Most have none, and `contains` costs more.
    """
    if name.startswith("../") or os.path.isabs(name):
        return False
    steps = itertools.accumulate(name.split("/"), os.path.join, initial=os.fspath(root))
    return ".." in os.fspath(path) or any(os.path.islink(step) for step in itertools.islice(steps, 1, None))


# --- Reading


def read(path: str | Path, *, root: str | Path, limit: int = LIMIT) -> Source | Finding:
    """Return the text of a file, or a finding that explains why there is none.

    The rule is `unreadable-file` or `unsafe-path`. A file below `root` must stay there when its symbolic links are
    followed; one outside is read where it is. Anything that is not a regular file is only opened to find that out.
    """
    name = _make_relative(path, root)
    if _UNPRINTABLE.search(name):  # it could not be printed or written back
        message = "the file's name holds control characters or is not UTF-8"
        return _build_finding(format_path(path, root), message, rule="unsafe-path")
    try:
        if _is_linked(path, root, name) and not contains(root, path):
            message = "a symbolic link points outside the folder; put a copy of the file here"
            return _build_finding(name, message, rule="unsafe-path")
        data = _read_bytes(path, limit)
    except ValueError as e:
        return _build_finding(name, str(e))
    except OSError as e:
        return _build_finding(name, f"the file cannot be read: {(e.strerror or str(e)).lower()}")
    return decode(name, data)


def describe_os_error(e: OSError) -> str:
    """Return a message with the file and the reason, without the error number."""
    reason = e.strerror.lower() if e.strerror else str(e)
    return f"`{e.filename}`: {reason}" if e.filename else reason


def _read_bytes(path: str | Path, limit: int) -> bytes:
    """Return the content of a regular file.

    Raises: ValueError with a message for anything else, and OSError.
    """
    if os.path.isdir(path) and not os.access(path, os.R_OK | os.X_OK):
        raise ValueError("the folder may not be opened: its permissions forbid it")
    _check_kind(os.stat(path), limit)
    # Since the check, the file may have become a pipe, and opening one would block.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:
        status = os.fstat(file.fileno())
        _check_kind(status, limit)
        data = file.read(status.st_size + 1)
        if len(data) > status.st_size:  # it is growing, or is in /proc, where files report a size of 0
            data += file.read(max(limit + 1 - len(data), 0))
    if len(data) > limit:
        raise ValueError(_describe_too_large(limit))
    return data


def _check_kind(status: os.stat_result, limit: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise ValueError("the path is a folder, not a file")
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("the path is a pipe, socket, or device, not a file")
    if status.st_size > limit:
        raise ValueError(_describe_too_large(limit))


def _describe_too_large(limit: int) -> str:
    return f"the file is larger than {limit:,} bytes; split it, or exclude it"


_MARKS = (  # UTF-32's mark begins with UTF-16's, so it is first
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def decode(name: str, data: bytes) -> Source | Finding:
    """Decode the source from bytes, or return a finding on why it cannot be. `name` is the path to show."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _build_finding(name, f"the file is {encoding}; save it as UTF-8")
    try:
        source = Source(name, data.decode("utf-8"))
    except UnicodeDecodeError as e:
        if b"\0" in data:
            return _build_finding(name, "the file is binary, not text; rename or exclude it")
        # The text before the bad byte is valid, so its length is the offset of that byte in the text.
        place = len(Source(name, data[: e.start].decode("utf-8")).text)
        span = Source(name, data.decode("utf-8", "replace")).span(place, place + 1)
        byte = f"byte {e.start} (0x{data[e.start]:02x}, line {span.position.line})"
        return build_error("unreadable-file", f"{byte} is not UTF-8; save the file as UTF-8", span)
    if (at := source.text.find("\0")) >= 0:
        return build_error(
            "unreadable-file",
            f"the file contains a NUL character on line {source.get_position(at).line}; it is binary, or damaged",
            source.span(at, at + 1),
        )
    return source


def _build_finding(name: str, message: str, *, rule: str = "unreadable-file") -> Finding:
    return build_error(rule, message, Source(name, "").span(0))


# --- Finding files

AGENT_FOLDERS = frozenset((".claude", ".codex", ".cursor", ".gemini", ".opencode"))
"""Hidden folders with instructions and skills for coding agents, one copy per agent."""


def is_hidden(name: str) -> bool:
    """Return whether a name begins with a dot and is not the folder of a coding agent."""
    return name.startswith(".") and name not in AGENT_FOLDERS


def find(root: Path, suffixes: Iterable[str]) -> list[Path]:
    """Find the files below a folder whose names end in one of `suffixes`, in a stable order.

    Hidden files and folders, whose names begin with a dot, are skipped, except for folders of coding agents; so is
    whatever git ignores. Symbolic links to folders are not followed. A folder that cannot be opened is returned itself,
    so that reading reports it.
    """
    ends = tuple(s.lower() for s in suffixes)
    names = _list_with_git(root, ends)
    if names is None:
        names = _walk_folder(root, ends)
    return [root / name for name in sorted(names, key=lambda name: name.split("/"))]


def _list_with_git(root: Path, ends: tuple[str, ...]) -> list[str] | None:
    """Return names relative to `root`; None without a repository, or if it ignores the folder itself."""
    out = git.read_output(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if out is None or (not out and git.read_output(root, "check-ignore", "-q", ".") is not None):
        return None
    names = []
    for name in dict.fromkeys(filter(None, os.fsdecode(out).split("\0"))):
        if "/." in f"/{name}" and any(map(is_hidden, name.split("/"))):
            continue
        if name.lower().endswith(ends) and os.path.isfile(root / name):
            names.append(name)
        elif name.endswith("/") or "." not in name[name.rfind("/") + 1 :]:  # perhaps a nested repository
            nested = root / name
            if nested.is_dir() and not nested.is_symlink():
                names += [path.relative_to(root).as_posix() for path in find(nested, ends)]
    return names


class _Ignores(NamedTuple):
    """The ignore files in effect for a folder: each with its own folder, the nearest first."""

    files: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    def add_folder(self, folder: Path, prefix: str) -> _Ignores:
        """Return these and the ignore file in `folder`, whose path with a trailing slash is `prefix`."""
        if not os.path.lexists(folder / ".gitignore"):
            return self
        source = read(folder / ".gitignore", root=folder, limit=100_000)
        if isinstance(source, Finding):
            return self
        from pathspec import GitIgnoreSpec

        # Git also skips invalid patterns.
        spec = GitIgnoreSpec.from_lines(line for line in source.text.splitlines() if not explain_bad_pattern(line))
        return _Ignores(((prefix, spec), *self.files))

    def is_ignored(self, name: str) -> bool:
        for prefix, spec in self.files:
            verdict = spec.check_file(name[len(prefix) :]).include
            if verdict is not None:
                return verdict
        return False


def explain_bad_pattern(line: str) -> str | None:
    """Return why a line of an ignore file, or a glob read as one, is invalid; None if it is valid."""
    import re
    import warnings

    from pathspec import GitIgnoreSpec

    if _SLOW_PATTERN.search(line):
        return "has too many * to match in reasonable time"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about sets, which later Pythons may read differently
            GitIgnoreSpec.from_lines([line])
    except re.error as wrong:
        return f"is not a valid glob: {wrong.msg}"
    except ValueError as wrong:
        return f"is not a valid glob: {wrong}"
    return None


_SLOW_PATTERN = lazy_re.compile(r"(?:\*[^*/]+){3}|(?:\*\*.*){4}")  # as regular expressions, these may take forever


def _walk_folder(root: Path, ends: tuple[str, ...]) -> list[str]:
    """Return the same names as `_list_with_git`, without git."""
    names: list[str] = []
    folders = [("", _Ignores())]
    while folders:
        prefix, ignores = folders.pop()
        try:
            if not os.access(root / prefix, os.X_OK):  # its files can be listed, but not opened
                raise PermissionError
            ignores = ignores.add_folder(root / prefix, prefix)
            with os.scandir(root / prefix) as entries:
                for entry in entries:
                    name = prefix + entry.name
                    if is_hidden(entry.name):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        if not ignores.is_ignored(name + "/"):
                            folders.append((name + "/", ignores))
                    elif entry.name.lower().endswith(ends) and entry.is_file() and not ignores.is_ignored(name):
                        names.append(name)
        except OSError:
            names.append(prefix.rstrip("/"))
    return names


# --- Writing


def write(path: Path, data: bytes, *, root: Path) -> None:
    """Write one file atomically: at any moment it has the old content or the new. See `write_all`."""
    write_all({path: data}, root=root)


def write_all(files: Mapping[Path, bytes], delete: Iterable[Path] = (), *, root: Path) -> None:
    """Write files and delete others: all of them or, if one step fails, none.

    A killed process leaves each file complete, in the old or the new version, and possibly temporary files, which the
    next run that writes in the folder removes. A symbolic link is written through, to its target; modes are preserved;
    missing folders are created; an unchanged file is not touched.

    Raises: InvalidInput (`unsafe-path`) for a path outside of `root`, before anything is written, and OSError.
    """
    targets = {path: _resolve_target(path, root) for path in files}
    gone = [_resolve_target(path.parent, root) / path.name for path in delete]
    expected = [*targets.values(), *gone]
    if len(set(expected)) != len(expected):
        raise ValueError("one file is written twice, or written and deleted")
    remove_temporary_files(dict.fromkeys((root, *(path.parent for path in expected))))
    _Transaction(
        {targets[path]: data for path, data in files.items() if not has_content(targets[path], data)}, gone
    ).commit()


def write_generated(files: Mapping[Path, bytes], *, root: Path) -> None:
    """Write files that the next run recreates, such as those of a built site, without syncing the disk.

    A symbolic link at a path is replaced by the file.

    Raises: InvalidInput (`unsafe-path`) for a path outside of `root`, before anything is written, and OSError.
    """
    folders = dict.fromkeys(path.parent for path in files)
    for folder in folders:
        _resolve_target(folder, root)
    for folder in folders:
        os.makedirs(folder, exist_ok=True)
    for path, data in files.items():
        if os.path.islink(path):
            os.unlink(path)
        with open(path, "wb") as file:
            file.write(data)


def _resolve_target(path: Path, root: Path) -> Path:
    if not contains(root, path):
        name = format_path(path, root)
        raise InvalidInput(
            [_build_finding(name, f"is outside the folder `{root.name}`; nothing is written there", rule="unsafe-path")]
        )
    return Path(os.path.realpath(path))


def has_content(path: Path, data: bytes) -> bool:
    """Return whether a file has exactly this content."""
    try:
        return os.stat(path).st_size == len(data) and _read_bytes(path, len(data)) == data
    except (OSError, ValueError):
        return False


class _Transaction:
    """Files to write and to delete, with everything needed to roll back."""

    def __init__(self, files: Mapping[Path, bytes], gone: Iterable[Path]) -> None:
        self.files, self.gone = files, [path for path in gone if os.path.lexists(path)]
        self.alone = len(self.files) + len(self.gone) == 1
        self.staged: dict[Path, Path] = {}
        self.kept: dict[Path, Path | None] = {}  # the backup of the old file; None if there was none
        self.folders: list[Path] = []

    def commit(self) -> None:
        try:
            for path, data in self.files.items():
                with _rename_errors(path):
                    self._write_temporary(path, data)
            for path in self.files:
                with _rename_errors(path):
                    self._replace(path)
            for path in self.gone:
                with _rename_errors(path):
                    self._move_aside(path)
            for folder in {path.parent for path in (*self.files, *self.gone)}:
                _sync(folder)
        except BaseException:  # leave nothing half done on Ctrl+C either
            self._undo()
            raise
        for kept in self.kept.values():
            _remove(kept)

    def _write_temporary(self, path: Path, data: bytes) -> None:
        """Write the new content to a temporary file in the same folder, and sync it to the disk."""
        old = _check_writable(path)
        if old is None:
            self._make_folder(path.parent)
        temporary = self.staged[path] = _build_temporary_path(path.parent)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        with open(os.open(temporary, flags, 0o666), "wb") as file:
            file.write(data)
            file.flush()
            if old:
                _keep_owner_and_mode(temporary, old)
            os.fsync(file.fileno())

    def _make_folder(self, folder: Path) -> None:
        lacking = [f for f in (folder, *folder.parents) if not f.exists()]
        for new in reversed(lacking):
            new.mkdir(exist_ok=True)
            self.folders.append(new)

    def _replace(self, path: Path) -> None:
        existed = path.exists()
        if existed and not self.alone:  # a single change is one step and needs no backup
            self.kept[path] = backup = _build_temporary_path(path.parent)
            _link(path, backup)
        os.replace(self.staged[path], path)
        del self.staged[path]
        if not existed:
            self.kept[path] = None

    def _move_aside(self, path: Path) -> None:
        if path.is_dir() and not path.is_symlink():
            raise IsADirectoryError(f"`{path}` is a folder")
        self.kept[path] = backup = _build_temporary_path(path.parent)
        os.replace(path, backup)

    def _undo(self) -> None:
        for path, kept in reversed(self.kept.items()):
            if kept is None:
                _remove(path)
                continue
            with contextlib.suppress(OSError):
                os.replace(kept, path)
            if path.exists():
                _remove(kept)  # remains if both are links to one file
        for temporary in self.staged.values():
            _remove(temporary)
        for folder in reversed(self.folders):
            with contextlib.suppress(OSError):
                folder.rmdir()


@contextlib.contextmanager
def _rename_errors(path: Path) -> Iterator[None]:
    """Make errors name the user's file instead of the temporary one."""
    try:
        yield
    except OSError as e:
        if e.errno is None:
            raise
        raise OSError(e.errno, e.strerror, str(path)) from e


def _check_writable(path: Path) -> os.stat_result | None:
    """Return the status of a file; None if there is none. Raises OSError if it is not replaceable."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise OSError(f"`{path}` is not a regular file")
    if not os.access(
        path, os.W_OK, effective_ids=os.access in os.supports_effective_ids
    ):  # replacing does not need this permission, but a read-only file is read-only on purpose
        raise PermissionError(f"`{path}` is read-only")
    return status


def _keep_owner_and_mode(path: Path, old: os.stat_result) -> None:
    if sys.platform != "win32" and (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
        with contextlib.suppress(PermissionError):
            os.chown(path, old.st_uid, old.st_gid)
    path.chmod(stat.S_IMODE(old.st_mode))


def _link(path: Path, backup: Path) -> None:
    try:
        os.link(path, backup)
    except OSError:  # the file system has no hard links
        import shutil

        shutil.copy2(path, backup)


def _remove(path: Path | None) -> None:
    if path:
        with contextlib.suppress(OSError):
            path.unlink()


def _sync(folder: Path) -> None:
    """Sync a folder's new entries to the disk, where the system supports it."""
    with contextlib.suppress(OSError):  # Windows cannot open folders
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# --- Leftovers of killed runs, and concurrent runs

_OWNER = lazy_re.compile(r"([0-9a-f]{8})-(\d+)-([0-9a-f]{8})")
_STRAY = lazy_re.compile(r"\.tutorial-tool-([0-9a-f]{8}-\d+-[0-9a-f]{8})-\d+\.tmp")
_LOCK = ".tutorial-tool.lock"
_numbers = itertools.count()


@cache
def _get_host() -> str:
    import socket  # slow to load, as is `secrets`, and most runs write nothing
    import zlib

    return f"{zlib.crc32(socket.gethostname().encode()):08x}"


@cache
def _get_run_id() -> str:
    """Return an ID of this run: process IDs are reused, in containers at each start."""
    import secrets

    return secrets.token_hex(4)


def _get_owner() -> str:
    return f"{_get_host()}-{os.getpid()}-{_get_run_id()}"


def _build_temporary_path(folder: Path) -> Path:
    return folder / f".tutorial-tool-{_get_owner()}-{next(_numbers)}.tmp"


def _is_left_over(path: str | Path, owner: str) -> bool:
    """Return whether the run that made a file has ended.

    A file of another machine, or of no known run, is left over after a day.
    """
    if time.time() - os.stat(path, follow_symlinks=False).st_ctime > STALE_SECONDS:
        return True
    match = _OWNER.fullmatch(owner)
    if not match or match[1] != _get_host() or sys.platform == "win32":  # on Windows, os.kill would end the process
        return False
    if int(match[2]) == os.getpid():
        return match[3] != _get_run_id()
    try:
        os.kill(int(match[2]), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        pass
    return False


def iter_folders(root: Path) -> Iterator[Path]:
    """Yield a folder and all folders below it, except for hidden ones and installed packages."""
    for parent, names, _ in os.walk(root):
        names[:] = [name for name in names if not name.startswith(".") and name != "node_modules"]
        yield Path(parent)


def remove_temporary_files(folders: Iterable[Path]) -> list[Path]:
    """Remove and return the temporary files of killed runs directly in the folders, not below."""
    swept = []
    for folder in folders:
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for path, owner in [(e.path, match[1]) for e in entries if (match := _STRAY.fullmatch(e.name))]:
                with contextlib.suppress(OSError):
                    if _is_left_over(path, owner):
                        os.unlink(path)
                        swept.append(Path(path))
    return sorted(swept)


class FolderLocked(TimeoutError):
    """Another run was writing in the folder for longer than the timeout."""


@contextlib.contextmanager
def lock(folder: Path, *, seconds: float = 10.0) -> Iterator[None]:
    """Keep other runs of the tool from writing in a folder within the context; other programs ignore this.

    Waits for at most `seconds`, then raises FolderLocked. A killed run leaves nothing locked. Not reentrant.
    """
    end = time.monotonic() + seconds
    while (release := _claim(folder)) is None:
        if time.monotonic() >= end:
            raise FolderLocked(f"another run of tutorial-tool is writing in `{folder}`; waited for {seconds:g} s")
        time.sleep(0.02)
    try:
        yield
    finally:
        release()


def _claim(folder: Path) -> Callable[[], None] | None:
    """Lock a folder and return a function that unlocks it; None while another run holds the lock."""
    if sys.platform == "win32":
        return _claim_by_file(folder)
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as e:
        os.close(descriptor)
        # Network file systems may refuse to lock a folder.
        return None if isinstance(e, BlockingIOError) else _claim_by_file(folder)
    return lambda: os.close(descriptor)


def _claim_by_file(folder: Path) -> Callable[[], None] | None:
    """Lock like `_claim`, with a file that only one run can create."""
    path = folder / _LOCK
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    except FileExistsError:
        with contextlib.suppress(OSError, ValueError):
            if _is_left_over(path, _read_bytes(path, 1000).decode("ascii")):
                path.unlink()
        return None
    with open(descriptor, "w", encoding="ascii") as file:
        file.write(_get_owner())
    return lambda: _remove(path)
