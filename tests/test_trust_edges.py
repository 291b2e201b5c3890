"""Odd surroundings: streams that are closed, broken repositories, folders without rights. One clear line for each."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import Repository

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="needs POSIX files and a POSIX shell")]

TOOL = f'"{sys.executable}" -m tutorial_tool'
NOBODY = 65534


AS_NOBODY = f"setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups {TOOL}"


def shell(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent), "HOME": str(folder.parent)}
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["lint --no-cache", "lint", "--version"])
def test_a_closed_stream_changes_nothing(tmp_path: Path, closed: str, command: str) -> None:
    (tmp_path / "a.md").write_text("# A\n\nthe the\n")
    done = shell(tmp_path, f"{TOOL} {command} {closed}")
    assert (done.returncode, done.stderr) == (0 if command == "--version" else 1, "")
    if ">&-" not in closed.split():
        assert "repeated word" in done.stdout or command == "--version"


@pytest.mark.parametrize("length", ["99999999999999", "99999999999999999999999999"])
def test_a_message_that_is_larger_than_memory_ends_the_server_with_one_line(tmp_path: Path, length: str) -> None:
    done = shell(tmp_path, f"printf 'Content-Length: {length}\\r\\n\\r\\n' | {TOOL} lsp")
    assert (done.returncode, done.stderr) == (
        2, "tutorial-tool: the editor announced a message larger than memory; the server ends\n"
    )  # fmt: skip


def broken_history(made: Repository) -> None:
    for folder in (made.folder / ".git/objects").glob("??"):
        for file in folder.iterdir():
            file.unlink()


def other_head(made: Repository) -> None:
    (made.folder / ".git/HEAD").write_text("ref: refs/heads/elsewhere\n")
    (made.folder / ".git/refs/heads/elsewhere").write_text(f"{40 * '1'}\n")


def no_head(made: Repository) -> None:
    (made.folder / ".git/HEAD").write_text("garbage\n")


@pytest.mark.parametrize("breaks", [broken_history, other_head, no_head])
def test_a_broken_repository_is_said_and_not_taken_for_a_new_one(tmp_path: Path, breaks: object) -> None:
    made = Repository(tmp_path / "repository")
    made.commit("Start", {"a.md": "# A\n\nthe the\n"})
    breaks(made)  # type: ignore[operator]
    done = shell(made.folder, f"{TOOL} lint --no-cache --changed-since HEAD")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("tutorial-tool: --changed-since: git cannot read the ")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can be another user")
def test_folders_and_files_without_rights_are_findings(tmp_path: Path) -> None:
    if shell(tmp_path, f"{AS_NOBODY} --version").returncode:
        pytest.skip("another user cannot start the tool")
    root = tmp_path / "docs"
    for name in ("open.md", "closed.md", "shut/a.md", "listed/b.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("# A\n")
    for folder in (root, *root.resolve().parents):
        if folder.is_relative_to("/tmp") and folder != Path("/tmp"):
            folder.chmod(folder.stat().st_mode | 0o711)
    for name, mode in (("", 0o755), ("closed.md", 0), ("shut", 0o700), ("listed", 0o744)):
        (root / name).chmod(mode)
    done = shell(root, f"{AS_NOBODY} lint --no-cache --output-format concise")
    assert done.stderr == ""
    found = {line.partition(":")[0]: line for line in done.stdout.splitlines() if "unreadable-file" in line}
    assert set(found) == {"closed.md", "shut", "listed"}
    assert "its permissions forbid it" in found["shut"]
    root.chmod(0o711)
    done = shell(root, f"{AS_NOBODY} lint --no-cache --output-format concise")
    assert "is a folder, not a file" not in done.stdout
    assert (done.returncode, done.stderr) == (1, "")
