"""A folder as it stood at a revision, out of git, with nothing else touched."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.repository import Repository
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files, worktrees


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "project")


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()} - {".git"}


def test_a_copy_holds_what_was_committed(repository: Repository) -> None:
    repository.commit("First", {"docs/page.md": "# Before\n", "mkdocs.yml": "site_name: A\n"})
    repository.commit("Second", {"docs/page.md": "# After\n", "docs/new.md": "# New\n"})
    repository.write({"docs/page.md": "# Not committed\n"})
    with worktrees.export(repository.folder, "HEAD~1") as copy:
        assert names(copy) == {"docs/page.md", "mkdocs.yml"}
        assert (copy / "docs/page.md").read_text() == "# Before\n"
    assert not copy.exists()
    assert (repository.folder / "docs/page.md").read_text() == "# Not committed\n"


def test_a_folder_is_seen_where_it_stands(repository: Repository) -> None:
    repository.commit("First", {"mkdocs.yml": "site_name: A\n", "guide/steps/one.md": "# One\n"})
    with worktrees.export(repository.folder / "guide/steps", "HEAD") as copy:
        assert names(copy) == {"one.md"}
        assert (copy.parent.parent / "mkdocs.yml").is_file()


def test_the_copy_is_removed_when_the_work_is_broken_off(repository: Repository) -> None:
    repository.commit("First", {"page.md": "# Page\n"})
    seen: list[Path] = []

    def work() -> None:
        with worktrees.export(repository.folder, "HEAD") as copy:
            seen.append(copy)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert not seen[0].exists()


def test_nothing_of_the_repository_is_written_or_run(repository: Repository, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    tree = {
        ".gitattributes": "*.md filter=shout export-subst diff=shout\n*.txt export-ignore\n",
        "page.md": "$Format:%H$\n",
        "left-out.txt": "text\n",
    }
    repository.commit("First", tree)
    repository.git("config", "filter.shout.smudge", f"touch {ran}; tr a-z A-Z")
    repository.git("config", "diff.shout.textconv", f"touch {ran}; cat")
    repository.git("config", "core.fsmonitor", f"touch {ran}")
    hook = repository.folder / ".git/hooks/post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    before = {path: path.stat().st_mtime_ns for path in (repository.folder / ".git").rglob("*") if path.is_file()}
    with worktrees.export(repository.folder, "HEAD") as copy:
        assert (copy / "page.md").read_text() == "$Format:%H$\n"
        assert (copy / "left-out.txt").is_file()
    after = {path: path.stat().st_mtime_ns for path in (repository.folder / ".git").rglob("*") if path.is_file()}
    assert before == after
    assert not ran.exists()


def test_links_that_lead_out_are_left_out(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret\n")
    repository.write({"docs/page.md": "# Page\n"})
    links = {
        "docs/same.md": "page.md",
        "docs/up.md": "../docs/page.md",
        "absolute.md": str(tmp_path / "secret.md"),
        "out.md": "../secret.md",
        "here": ".",
        "round.md": "here/../secret.md",  # inside by its letters, outside by way of the other link
    }
    for name, target in links.items():
        (repository.folder / name).symlink_to(target)
    repository.commit("Links")
    with worktrees.export(repository.folder, "HEAD") as copy:
        assert names(copy) >= {"docs/page.md", "docs/same.md", "docs/up.md"}
        assert not names(copy) & {"absolute.md", "out.md"}
        assert not os.path.lexists(copy / "round.md")
        assert (copy / "docs/up.md").read_text() == "# Page\n"


def test_a_tree_that_nobody_could_check_out_writes_nothing_elsewhere(repository: Repository, tmp_path: Path) -> None:
    repository.commit("First", {"page.md": "# Page\n"})
    blob = repository.git("hash-object", "-w", "page.md")
    inner = subprocess.run(
        ["git", "mktree"],
        cwd=repository.folder,
        input=f"100644 blob {blob}\tescaped.md\n100644 blob {blob}\t.GIT\n",
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    # `git mktree` refuses a folder called `..`: written as the bytes that a hostile server would send.
    raw = tmp_path / "tree"
    raw.write_bytes(b"40000 ..\0" + bytes.fromhex(inner))
    tree = repository.git("hash-object", "-t", "tree", "-w", "--literally", str(raw))
    commit = repository.git("commit-tree", "-m", "Hostile", tree)
    with worktrees.export(repository.folder, commit) as copy:
        assert names(copy) == set()
        assert not (copy.parent / "escaped.md").exists()


def test_a_large_file_has_its_size_and_no_content(repository: Repository) -> None:
    (repository.folder / "large.md").write_bytes(b"a" * (files.LIMIT + 1))
    repository.commit("Large", {"small.md": "# Small\n"})
    with worktrees.export(repository.folder, "HEAD") as copy:
        assert (copy / "large.md").stat().st_size == files.LIMIT + 1
        assert not isinstance(files.read(copy / "large.md", root=copy), Source)
        assert (copy / "small.md").read_text() == "# Small\n"


def test_what_is_ignored_and_was_committed_is_found(repository: Repository) -> None:
    repository.write({".gitignore": "kept/\n", "kept/page.md": "# Kept\n"})
    repository.git("add", "--force", ".")
    repository.commit("Forced")
    with worktrees.export(repository.folder, "HEAD") as copy:
        assert [path.name for path in files.find(copy, [".md"])] == ["page.md"]


def test_names_of_any_bytes(repository: Repository) -> None:
    odd = ['quote".md', "new\nline.md", "tab\t.md", "ünïcode.md", "- dash.md"]
    for name in odd:
        (repository.folder / name).write_text("# Odd\n")
    (repository.folder / os.fsdecode(b"latin-\xe9.md")).write_text("# Odd\n")
    repository.commit("Odd names")
    with worktrees.export(repository.folder, "HEAD") as copy:
        assert names(copy) == {*odd, os.fsdecode(b"latin-\xe9.md")}


def test_a_submodule_has_the_files_of_its_commit(repository: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.commit("First", {"theirs.md": "# Theirs\n"})
    repository.commit("First", {"docs/ours.md": "# Ours\n"})
    repository.git("submodule", "--quiet", "add", str(other.folder), "vendor")
    repository.commit("Submodule")
    Repository(repository.folder / "vendor").commit("Later", {"later.md": "# Later\n"})
    ours = {"docs/ours.md", ".gitmodules"}
    with worktrees.export(repository.folder / "docs", "HEAD") as copy:
        assert names(copy.parent) == {*ours, "vendor/theirs.md"}
    repository.commit("Newer submodule")
    with worktrees.export(repository.folder, "HEAD") as copy:
        assert names(copy) == {*ours, "vendor/theirs.md", "vendor/later.md"}
    repository.git("submodule", "--quiet", "deinit", "--force", "vendor")
    with worktrees.export(repository.folder, "HEAD") as copy:
        assert names(copy) == ours


def test_inside_a_hook_the_folder_decides(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit("First", {"page.md": "# Page\n"})
    elsewhere = Repository(tmp_path / "elsewhere")
    monkeypatch.setenv("GIT_DIR", str(elsewhere.folder / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "half-made-index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(elsewhere.folder))
    with worktrees.export(repository.folder, "HEAD") as copy:
        assert names(copy) == {"page.md"}
    assert not (tmp_path / "half-made-index").exists()


# --- What cannot be had


def refused(folder: Path, rev: str) -> str:
    with pytest.raises(worktrees.UnknownRevision) as problem, worktrees.export(folder, rev):
        pass
    told = str(problem.value)
    assert "\n" not in told
    return told


def test_a_folder_without_repository(tmp_path: Path) -> None:
    assert refused(tmp_path, "HEAD") == f"`{tmp_path}` is not in the working tree of a git repository"


def test_a_repository_without_commit(repository: Repository) -> None:
    assert refused(repository.folder, "HEAD") == "there is no revision `HEAD`: the repository has no commit yet"


def test_a_name_that_is_near_another(repository: Repository) -> None:
    repository.commit("First", {"page.md": "# Page\n"})
    repository.git("tag", "v1.20")
    assert refused(repository.folder, "v1.2") == "there is no revision `v1.2` here; did you mean `v1.20`?"


def test_a_branch_that_only_the_remote_has(repository: Repository) -> None:
    repository.commit("First", {"page.md": "# Page\n"})
    repository.git("update-ref", "refs/remotes/origin/release", "HEAD")
    told = "there is no revision `release` here; did you mean `origin/release`?"
    assert refused(repository.folder, "release") == told


@pytest.mark.parametrize("name", ["", "--output=x", "HEAD..main", "a\0b"])
def test_what_is_no_name(repository: Repository, name: str) -> None:
    repository.commit("First", {"page.md": "# Page\n"})
    assert refused(repository.folder, name).endswith("is not a single revision")


def test_a_shallow_clone_says_how_to_get_the_rest(repository: Repository, tmp_path: Path) -> None:
    repository.commit("First", {"page.md": "# Page\n"})
    repository.commit("Second", {"page.md": "# Page two\n"})
    clone = tmp_path / "clone"
    repository.git("clone", "-q", "--depth", "1", f"file://{repository.folder}", str(clone))
    told = refused(clone, "HEAD~1")
    assert "run `git fetch --unshallow`" in told
    assert "fetch-depth: 0" in told


def test_a_clone_without_its_files_says_how_to_get_them(repository: Repository, tmp_path: Path) -> None:
    repository.commit("First", {"page.md": "# Page\n"})
    repository.commit("Second", {"page.md": "# Page two\n"})
    repository.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    repository.git("clone", "-q", "--filter=blob:none", f"file://{repository.folder}", str(clone))
    repository.git("config", "uploadpack.allowFilter", "false")
    (repository.folder / ".git").rename(repository.folder / "gone")
    told = refused(clone, "HEAD~1")
    assert "git fetch --refetch --no-filter" in told


def test_a_folder_that_was_not_there_yet(repository: Repository) -> None:
    repository.commit("First", {"page.md": "# Page\n"})
    repository.write({"guide/page.md": "# Guide\n"})
    with (
        pytest.raises(worktrees.NoFolder, match="`guide` is not a folder at HEAD"),
        worktrees.export(repository.folder / "guide", "HEAD"),
    ):
        pass


def test_without_git(repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    repository.commit("First", {"page.md": "# Page\n"})
    monkeypatch.setenv("PATH", str(tmp_path))
    assert refused(repository.folder, "HEAD") == "git not found; install it, or add it to PATH"


# --- Names


def test_where_lines_of_work_parted(repository: Repository) -> None:
    first = repository.commit("First", {"page.md": "# Page\n"})
    repository.git("switch", "-q", "-c", "topic")
    repository.commit("Topic", {"topic.md": "# Topic\n"})
    repository.git("switch", "-q", "main")
    repository.commit("Main", {"main.md": "# Main\n"})
    assert worktrees.find_merge_base(repository.folder, "topic", "main").id == first
    assert worktrees.find_main_branch(repository.folder) == "main"


def test_ranges() -> None:
    assert worktrees.split_range("v1..v2") == ("v1", "v2", False)
    assert worktrees.split_range("main...topic") == ("main", "topic", True)
    assert worktrees.split_range("main..") == ("main", "", False)
    assert worktrees.split_range("v1.0..v1.1") == ("v1.0", "v1.1", False)
    assert worktrees.split_range("v1.0") is None
