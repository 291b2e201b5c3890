"""Export a folder at a revision to a temporary copy, without touching the working tree."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import format_suggestion, suggest_name
from tutorial_tool.core.errors import TutorialToolError
from tutorial_tool.fs import files, git

MOST_BYTES = 4_000_000_000  # Limit of a revision; anything larger is not documentation
_LINK, _SUBMODULE = "120000", "160000"
_ID = lazy_re.compile(r"[0-9a-f]{11,64}")
_RANGE = lazy_re.compile(r"(?P<old>.*?[^.]|)(?P<dots>\.{2,3})(?P<new>[^.].*|)", re.DOTALL)


class UnknownRevision(TutorialToolError):
    """A revision is not available: a message for the user, in one line."""


class NoFolder(UnknownRevision):
    """The revision exists, but had no such folder."""


class Commit(NamedTuple):
    """A revision known to git: its full ID, and the requested name."""

    id: str
    name: str

    @property
    def short(self) -> str:
        return format_revision(self.name)


class _File(NamedTuple):
    mode: str
    id: str
    size: int
    path: str


@contextlib.contextmanager
def export(folder: Path, rev: str) -> Iterator[Path]:
    """Export the repository around `folder` at `rev`; yield the path of `folder` in the temporary copy.

    Working tree, index, hooks, and filters are not used: the bytes are those that git stores, so line ends are as
    committed and files of Git LFS are pointers. Submodules have the files of their commit at that time, if they are
    checked out. Symbolic links out of the tree are left out, and so are `.gitignore` files, since everything there was
    committed. A file larger than `files.LIMIT` has its size but no content. The copy is always removed at the end.

    Raises: UnknownRevision.
    """
    commit = find_commit(folder, rev)
    prefix = os.fsdecode(_ask(folder, "rev-parse", "--show-prefix").out).removesuffix("\n")
    if prefix and _ask(folder, "cat-file", "-t", f"{commit.id}:{prefix.rstrip('/')}").lines != ["tree"]:
        raise NoFolder(f"`{prefix.rstrip('/')}` is not a folder at {commit.short}")
    repository = git.find_repository(folder.absolute()) or folder
    top = Path(os.path.realpath(tempfile.mkdtemp(prefix="tutorial-tool-")))
    try:
        (top / ".git").touch()  # ends the search for a repository or a configuration in parent folders
        _copy_tree(repository, commit, top)
        (top / prefix).mkdir(parents=True, exist_ok=True)
        yield top / prefix
    finally:
        _remove(top)


def find_commit(folder: Path, rev: str) -> Commit:
    """Find the commit of a name in the repository around `folder`. Raises UnknownRevision."""
    _check_repository(folder)
    if not rev or rev.startswith("-") or "\0" in rev or ".." in rev:
        raise UnknownRevision(f"`{rev}` is not a single revision")
    answer = _ask(folder, "rev-parse", "--verify", "--quiet", rev + "^{commit}")
    if answer.code:
        raise UnknownRevision(_explain_unknown(folder, rev))
    return Commit(answer.lines[0], rev)


def find_merge_base(folder: Path, text: str, other: str = "HEAD") -> Commit:
    """Find the merge base of two revisions. Raises UnknownRevision."""
    commits = [find_commit(folder, name).id for name in (text, other)]
    answer = _ask(folder, "merge-base", *commits)
    if answer.code or not answer.lines:
        raise UnknownRevision(f"`{text}` and `{other}` have no common ancestor here{_explain_shallow(folder)}")
    return Commit(answer.lines[0], answer.lines[0])


def split_range(range_: str) -> tuple[str, str, bool] | None:
    """Split `A..B` or `A...B` into two names and whether it has three dots; None if it is no range."""
    match = _RANGE.fullmatch(range_)
    return (match["old"], match["new"], len(match["dots"]) == 3) if match else None


def format_revision(rev: str) -> str:
    """Return a revision's name for people: as it was requested, or the first characters of an ID."""
    return rev[:10] if _ID.fullmatch(rev) else rev


def find_main_branch(folder: Path) -> str | None:
    """Find the main branch, from the remote or by a common name; None if there is none."""
    _check_repository(folder)
    answer = _ask(folder, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
    names = [*answer.lines, "origin/main", "origin/master", "main", "master"]
    return next((name for name in names if not _ask(folder, "rev-parse", "--verify", "--quiet", name).code), None)


# --- Queries to git


def _ask(folder: Path, *arguments: str, seconds: float = git.PROGRAM_SECONDS) -> git.Answer:
    try:
        return git.ask(folder, *arguments, seconds=seconds)
    except git.GitNotFound as e:
        raise UnknownRevision(str(e)) from e


def _check_repository(folder: Path) -> None:
    if not folder.is_dir():
        raise UnknownRevision(f"`{folder}` is not a folder")
    answer = _ask(folder, "rev-parse", "--is-inside-work-tree")
    if answer.code == 0 and answer.lines[:1] == ["true"]:
        return
    if "dubious ownership" in answer.complaint:
        trusted = git.find_repository(folder.absolute())
        hint = f"run: git config --global --add safe.directory {trusted}"
        raise UnknownRevision(f"git does not trust `{trusted}`, which belongs to another user; {hint}")
    if answer.code and (top := git.find_repository(folder.absolute())):
        raise UnknownRevision(f"git cannot read the repository `{top}`: {answer.complaint}")
    raise UnknownRevision(f"`{folder}` is not in the working tree of a git repository")


def _explain_unknown(folder: Path, rev: str) -> str:
    if _ask(folder, "rev-parse", "--verify", "--quiet", rev).code == 0:
        return f"git cannot read the commit of `{rev}`: its objects are missing or broken; run `git fsck`"
    if _ask(folder, "rev-parse", "--verify", "--quiet", "HEAD").code:
        return f"there is no revision `{rev}`: the repository has no commit yet"
    names = _ask(folder, "for-each-ref", "--format=%(refname:short)", "--sort=-creatordate", "--count=2000").lines
    same = next((name for name in names if name.endswith(f"/{rev}")), None)
    near = suggest_name(same) or format_suggestion(rev, ["HEAD", *names])
    return f"there is no revision `{rev}` here{_explain_shallow(folder)}{near}"


def _explain_shallow(folder: Path) -> str:
    if _ask(folder, "rev-parse", "--is-shallow-repository").lines[:1] != ["true"]:
        return ""
    return "; the history is cut off: run `git fetch --unshallow` (in CI, check out with fetch-depth: 0)"


# --- The copy


def _copy_tree(repository: Path, commit: Commit, top: Path) -> None:
    """Write the files of a commit, and those of submodules that are checked out and have theirs."""
    listed = _list_files(repository, commit)
    _write_files(repository, commit, [file for file in listed if file.mode != _SUBMODULE], top)
    for file in listed:
        if file.mode == _SUBMODULE and os.path.lexists(repository / file.path / ".git"):
            with contextlib.suppress(UnknownRevision):
                _copy_tree(repository / file.path, Commit(file.id, file.id), top / file.path)


def _list_files(folder: Path, commit: Commit) -> list[_File]:
    answer = _ask(folder, "ls-tree", "-r", "-l", "-z", "--full-tree", commit.id, seconds=git.TREE_SECONDS)
    if answer.code:
        raise UnknownRevision(_explain_missing(commit, answer.complaint))
    listed = []
    for entry in answer.out.split(b"\0")[:-1]:
        about, _, path = entry.partition(b"\t")
        mode, _, id_, size = about.decode("ascii").split()
        name = os.fsdecode(path)
        if (size.isdigit() or mode == _SUBMODULE) and _is_allowed(name):
            listed.append(_File(mode, id_, int(size.replace("-", "0")), name))
    if sum(file.size for file in listed if file.size <= files.LIMIT) > MOST_BYTES:
        raise UnknownRevision(f"{commit.short} has more than can be copied: {len(listed):,} files")
    return listed


def _is_allowed(path: str) -> bool:
    """Return whether a file may be written.

    Git rejects such paths, too, unless a tree was made by other means.
    """
    parts = path.split("/")
    if parts[-1] == ".gitignore" or Path(path).is_absolute() or (os.sep != "/" and (os.sep in path or ":" in path)):
        return False
    return not any(part in ("", ".", "..") or part.lower() == ".git" for part in parts)


def _write_files(folder: Path, commit: Commit, listed: Iterable[_File], top: Path) -> None:
    small = [file for file in listed if file.size <= files.LIMIT]
    for file in listed:
        if file.size > files.LIMIT:
            _write_file(top / file.path, b"", file.size)
    links: list[tuple[Path, bytes]] = []
    for file, content in zip(small, _read_contents(folder, commit, small), strict=True):
        if file.mode == _LINK:
            links.append((top / file.path, content))
        else:
            _write_file(top / file.path, content, len(content))
    _write_links(links, top)  # after all files, so that none is written through a link


def _write_links(links: Iterable[tuple[Path, bytes]], top: Path) -> None:
    for path, target in links:
        _write_link(path, os.fsdecode(target), top)
    for path, _ in links:
        if not files.contains(top, path):  # through another link
            path.unlink(missing_ok=True)


def _read_contents(folder: Path, commit: Commit, expected: Iterable[_File]) -> Iterator[bytes]:
    with tempfile.TemporaryFile() as requests:
        requests.writelines(f"{file.id}\n".encode() for file in expected)
        requests.seek(0)
        with git.open_output(folder, "cat-file", "--batch", given=requests, seconds=git.TREE_SECONDS) as stream:
            yield from (_read_content(stream, commit, file) for file in expected)


def _read_content(stream: IO[bytes], commit: Commit, file: _File) -> bytes:
    head = stream.readline().decode("ascii", "replace").split()
    if head != [file.id, "blob", str(file.size)]:
        raise UnknownRevision(_explain_missing(commit, f"`{file.path}` is not there"))
    content = stream.read(file.size)
    if len(content) != file.size or stream.read(1) != b"\n":
        raise UnknownRevision(f"git ended in the middle of `{file.path}` at {commit.short}")
    return content


def _explain_missing(commit: Commit, complaint: str) -> str:
    """Return the message on missing files of a partial (`--filter`) or damaged clone."""
    return (
        f"files of {commit.short} are not in this clone: {complaint or 'git failed'}; "
        "fetch them with `git fetch --refetch --no-filter`"
    )


def _write_file(path: Path, content: bytes, size: int) -> None:
    """Write a new file. Skip one whose name is invalid on this system, or collides with another."""
    with _ignore_name_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(content)
            file.truncate(size)


def _write_link(path: Path, target: str, top: Path) -> None:
    leads = os.path.normpath(path.parent / target)
    if Path(target).is_absolute() or not (leads == str(top) or leads.startswith(f"{top}{os.sep}")):
        return
    with _ignore_name_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)


@contextlib.contextmanager
def _ignore_name_errors(path: Path) -> Iterator[None]:
    """Ignore errors caused by a file's name. Others, such as a full disk, are raised as UnknownRevision."""
    try:
        yield
    except ValueError:
        return
    except OSError as e:
        if e.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EMFILE):
            raise UnknownRevision(f"cannot be copied to `{path.parent}`: {(e.strerror or str(e)).lower()}") from e


def _remove(top: Path) -> None:
    try:
        shutil.rmtree(top, ignore_errors=True)
    except KeyboardInterrupt:  # pressed again during removal
        shutil.rmtree(top, ignore_errors=True)
        raise
