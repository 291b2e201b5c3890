"""The edited pages: their text before and after, and the uncommitted lines of others."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tutorial_tool.core.source import Source
from tutorial_tool.fs import files, git, worktrees
from tutorial_tool.variation.multi_alignment import find_changed_runs


@dataclass(frozen=True, eq=False)
class FolderChange:
    """A change below a folder: from the commit `old` to `new`, or to the working tree."""

    folder: Path
    old: worktrees.Commit
    new: worktrees.Commit | None = None

    @cached_property
    def paths(self) -> Sequence[Path]:
        """The changed files that still exist. Raises UnknownRevision if git fails."""
        revisions = [self.old.id, *([self.new.id] if self.new else [])]
        options = ("--name-only", "--diff-filter=M", "-z", "--relative")
        answer = git.ask(self.folder, "diff", *options, *revisions, "--", ".")
        if answer.code:
            raise worktrees.UnknownRevision(f"git cannot compare with {self.old.short}: {answer.complaint}")
        return [self.folder / os.fsdecode(name) for name in answer.out.split(b"\0") if name]

    def read_before(self, path: Path) -> str | None:
        """Return a file's text before the change; None if there is none, or it cannot be read."""
        return read_at(self.folder, self.old.id, path)

    def read_after(self, path: Path) -> str | None:
        """Return a file's text after the change; None if it cannot be read."""
        if self.new:
            return read_at(self.folder, self.new.id, path)
        source = files.read(path, root=self.folder)
        return source.text if isinstance(source, Source) else None


def build_change_since(folder: Path, revision: str) -> FolderChange:
    """Return the change since a revision. Raises UnknownRevision."""
    return FolderChange(folder, worktrees.find_commit(folder, revision))


def build_commit_change(folder: Path, revision: str) -> FolderChange:
    """Return the change made by one commit, relative to its first parent. Raises UnknownRevision."""
    commit = worktrees.find_commit(folder, revision)
    return FolderChange(folder, worktrees.find_commit(folder, f"{revision}^"), commit)


def read_at(folder: Path, revision: str, path: Path) -> str | None:
    """Return a file's text at a revision; None if it did not exist, or cannot be read."""
    content = git.read_output(folder, "show", f"{revision}:./{Path(os.path.relpath(path, folder)).as_posix()}")
    source = files.decode(path.name, content) if content is not None else None
    return source.text if isinstance(source, Source) else None


def find_uncommitted_lines(folder: Path, path: Path, text: str) -> frozenset[int]:
    """Return the lines (0-based) that differ from the last commit; all lines of an uncommitted file."""
    committed = read_at(folder, "HEAD", path)
    lines = text.split("\n")
    if committed is None:
        return frozenset(range(len(lines))) if git.find_repository(folder) else frozenset()
    runs = find_changed_runs(committed.split("\n"), lines)
    return frozenset(line for *_, start, end in runs for line in range(start, max(end, start + 1)))
