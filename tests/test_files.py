"""Files: what may be read, what is found, and that nothing is half written."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tutorial_tool.core.diagnostics import Finding, InvalidInput
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files

posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX files")


@pytest.fixture
def nobody() -> Iterator[Path]:
    """A folder of a user without special rights, who runs the test: root may read and write anything."""
    with tempfile.TemporaryDirectory() as name:
        folder, root = Path(name), hasattr(os, "geteuid") and os.geteuid() == 0
        if root:
            os.chown(folder, 65534, 65534)
            os.seteuid(65534)
        try:
            yield folder
        finally:
            if root:
                os.seteuid(0)


def put(root: Path, **texts: str) -> None:
    for name, text in texts.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")


def text(path: Path, root: Path) -> str:
    source = files.read(path, root=root)
    assert isinstance(source, Source), source
    return source.text


def refusal(path: Path, root: Path, **options: int) -> str:
    """What the finding says, with its place, as a terminal shows it."""
    found = files.read(path, root=root, **options)
    assert isinstance(found, Finding), found
    return str(found)


def here(folder: Path) -> dict[str, bytes]:
    """All files below a folder, hidden ones too."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def git(folder: Path, *arguments: str) -> None:
    try:
        subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("needs git")


# Reading


def test_a_source_has_the_path_below_the_root_and_normalised_text(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    source = files.read(tmp_path / "docs" / "a.md", root=tmp_path)
    assert isinstance(source, Source)
    assert (source.path, source.text, source.newline, source.bom) == ("docs/a.md", "one\ntwo\n", "\r\n", True)


def test_a_file_that_is_named_outside_the_root_is_read(tmp_path: Path) -> None:
    put(tmp_path, a="text")
    (tmp_path / "root").mkdir()
    assert text(tmp_path / "a.md", tmp_path / "root") == "text"
    assert files.format_path(tmp_path / "a.md", tmp_path / "root") == "../a.md"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (
            b"ok\nb\xc3\xa4d \xff",
            "x.md:2:5: unreadable-file: byte 8 (0xff, line 2) is not UTF-8; save the file as UTF-8",
        ),
        (
            b"\xef\xbb\xbfa\r\n\r\nna\xefve",
            "x.md:3:3: unreadable-file: byte 10 (0xef, line 3) is not UTF-8; save the file as UTF-8",
        ),
        (b"\xed\xa0\x80", "x.md:1:1: unreadable-file: byte 0 (0xed, line 1) is not UTF-8; save the file as UTF-8"),
        (
            b"one\ntw\0o",
            "x.md:2:3: unreadable-file: the file contains a NUL character on line 2; it is binary, or damaged",
        ),
        (
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            "x.md:1:1: unreadable-file: the file is binary, not text; rename or exclude it",
        ),
        ("Grüße".encode("utf-16"), "x.md:1:1: unreadable-file: the file is UTF-16; save it as UTF-8"),
        ("Grüße".encode("utf-32"), "x.md:1:1: unreadable-file: the file is UTF-32; save it as UTF-8"),
        (b"\xfe\xff\0a", "x.md:1:1: unreadable-file: the file is UTF-16; save it as UTF-8"),
    ],
)
def test_bytes_that_are_no_text(tmp_path: Path, data: bytes, says: str) -> None:
    (tmp_path / "x.md").write_bytes(data)
    assert refusal(tmp_path / "x.md", tmp_path) == says


@given(st.binary(max_size=60))
@example(b"\xff\xfe\0\0")
@example(b"\r\xff")
@example(b"\r\n\xff")
def test_any_bytes_give_their_text_or_a_finding_in_the_right_place(data: bytes) -> None:
    found = files.decode("x.md", data)
    if isinstance(found, Source):
        assert found.raw.encode() == data
    elif "is not UTF-8" in found.message:
        at = int(found.message.split()[1])
        assert (
            data[:at].decode().count("\n") + data[:at].replace(b"\r\n", b"").count(b"\r") + 1
            == found.span.position.line
        )
        assert found.span.text == "\ufffd"


def test_a_file_over_the_limit_is_not_read(tmp_path: Path) -> None:
    put(tmp_path, x="12345", y="1234")
    assert (
        refusal(tmp_path / "x.md", tmp_path, limit=4)
        == "x.md:1:1: unreadable-file: the file is larger than 4 bytes; split it, or exclude it"
    )
    assert isinstance(files.read(tmp_path / "y.md", root=tmp_path, limit=4), Source)
    with (tmp_path / "huge.md").open("wb") as file:
        file.truncate(50_000_000_000)
    assert refusal(tmp_path / "huge.md", tmp_path).endswith("is larger than 5,000,000 bytes; split it, or exclude it")


def test_what_is_not_there_or_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "d.md").mkdir()
    assert (
        refusal(tmp_path / "a.md", tmp_path)
        == "a.md:1:1: unreadable-file: the file cannot be read: no such file or directory"
    )
    assert refusal(tmp_path / "d.md", tmp_path) == "d.md:1:1: unreadable-file: the path is a folder, not a file"


@posix
@pytest.mark.timeout(10)
def test_pipes_and_devices_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "loop.md").symlink_to("loop.md")
    assert refusal(tmp_path / "pipe.md", tmp_path).endswith("is a pipe, socket, or device, not a file")
    assert refusal(Path("/dev/zero"), tmp_path).endswith("is a pipe, socket, or device, not a file")
    assert refusal(tmp_path / "loop.md", tmp_path).endswith("cannot be read: too many levels of symbolic links")


@posix
def test_a_file_without_permission(nobody: Path) -> None:
    put(nobody, a="secret")
    (nobody / "a.md").chmod(0)
    assert refusal(nobody / "a.md", nobody) == "a.md:1:1: unreadable-file: the file cannot be read: permission denied"


@posix
def test_a_link_may_lead_about_inside_but_not_out(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    put(tmp_path, outside="secret")
    put(root, inside="public")
    (root / "docs" / "good.md").symlink_to("../inside.md")
    (root / "docs" / "bad.md").symlink_to("../../outside.md")
    (root / "up").symlink_to("..")
    assert text(root / "docs" / "good.md", root) == "public"
    says = "unsafe-path: a symbolic link points outside the folder; put a copy of the file here"
    assert refusal(root / "docs" / "bad.md", root) == f"docs/bad.md:1:1: {says}"
    assert refusal(root / "up" / "outside.md", root) == f"up/outside.md:1:1: {says}"


@posix
def test_a_root_that_is_itself_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    put(tmp_path / "real", a="text")
    (tmp_path / "root").symlink_to("real")
    assert text(tmp_path / "root" / "a.md", tmp_path / "root") == "text"


@posix
@pytest.mark.parametrize("name", [b"caf\xe9.md", b"a\nb.md", b"a\x1b[31m.md"])
def test_a_name_that_cannot_be_printed(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / os.fsdecode(name)
    try:
        path.write_text("text")
    except OSError:
        pytest.skip("this file system has no such names")
    assert refusal(path, tmp_path).endswith("unsafe-path: the file's name holds control characters or is not UTF-8")
    assert refusal(path, tmp_path).isprintable()


# Paths that data and templates name


@pytest.mark.parametrize(
    "path", ["a.md", "images/ios/a b.png", "./a", "a/./b", "100%.md", "c++/a.md", "..a/b..", "console.md"]
)
def test_paths_that_stay(tmp_path: Path, path: str) -> None:
    assert files.resolve_inside(tmp_path, path) == tmp_path / path


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../a", "leaves the folder through `..`"),
        ("a/../../b", "leaves the folder through `..`"),
        (".. /a", "leaves the folder through `..`"),
        ("a/.../b", "leaves the folder through `..`"),
        ("%2e%2e/a", "leaves the folder through `..`"),
        ("%252E./a", "leaves the folder through `..`"),
        ("a%2f..%2f..", "leaves the folder through `..`"),
        ("%25252525252e", "is encoded several times over"),
        ("/etc/passwd", "is absolute; it should be relative"),
        ("//server/share", "is absolute; it should be relative"),
        ("%2fetc", "is absolute; it should be relative"),
        ("C:/a", "is absolute; it should be relative"),
        ("c:a", "is absolute; it should be relative"),
        ("a/c:/b", "contains `c:`, which is a drive on Windows"),
        ("a\\b", "contains a backslash; separate folders with /"),
        ("\\\\server\\share", "contains a backslash; separate folders with /"),
        ("a%5cb", "contains a backslash; separate folders with /"),
        ("a\0b", "contains a control character"),
        ("a%00b", "contains a control character"),
        ("a\nb", "contains a control character"),
        ("\ud800", "contains a control character"),
        ("NUL", "contains `NUL`, which is a device on Windows"),
        ("images/con.png", "contains `con.png`, which is a device on Windows"),
        ("lpt1 .tar.gz", "contains `lpt1 .tar.gz`, which is a device on Windows"),
    ],
)
def test_paths_that_may_lead_elsewhere(tmp_path: Path, path: str, why: str) -> None:
    assert files.explain_unsafe(path) == why
    assert files.resolve_inside(tmp_path, path) is None


@given(st.text("./%2eE5cC\\:a ", max_size=12))
def test_no_text_leads_out_of_the_folder(path: str) -> None:
    root = Path("/srv/project")
    found = files.resolve_inside(root, path)
    assert found is None or os.path.realpath(found).startswith("/srv/project")


@posix
def test_a_path_through_a_link_that_leads_out(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "up").symlink_to("..")
    (root / "same").symlink_to(".")
    assert files.resolve_inside(root, "up/x.md") is None
    assert files.resolve_inside(root, "same/x.md") == root / "same/x.md"


# Finding


def tree(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)


def found(root: Path, *suffixes: str) -> list[str]:
    return [path.relative_to(root).as_posix() for path in files.find(root, suffixes or (".md",))]


TREE = ["b.md", "a/z.md", "a/B.MD", "a-b/c.md", "a/x.png", "a/.hidden.md", ".github/x.md", "step.md.j2"]


@pytest.mark.parametrize("repository", [True, False])
def test_files_by_suffix_in_order_without_hidden_ones(tmp_path: Path, repository: bool) -> None:
    tree(tmp_path, *TREE)
    if repository:
        git(tmp_path, "init")
    assert found(tmp_path) == ["a/B.MD", "a/z.md", "a-b/c.md", "b.md"]
    assert found(tmp_path, ".md", ".md.j2") == ["a/B.MD", "a/z.md", "a-b/c.md", "b.md", "step.md.j2"]


@pytest.mark.parametrize("repository", [True, False])
def test_ignored_files_are_left_aside(tmp_path: Path, repository: bool) -> None:
    tree(
        tmp_path,
        "a.md",
        "site/a.md",
        "docs/site/a.md",
        "docs/drafts/keep.md",
        "docs/drafts/x.md",
        "x/site/deep/a.md",
        "docs/z.md",
    )
    (tmp_path / ".gitignore").write_text("/site/\nx/**/deep\n# a comment\nz.md\n")
    (tmp_path / "docs" / ".gitignore").write_text("drafts/*\n!drafts/keep.md\n!z.md\n")
    if repository:
        git(tmp_path, "init")
    assert found(tmp_path) == ["a.md", "docs/drafts/keep.md", "docs/site/a.md", "docs/z.md"]
    assert found(tmp_path / "docs") == ["drafts/keep.md", "site/a.md", "z.md"]


def test_tracked_files_that_are_gone_and_ignored_folders_that_are_named(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "gone.md", "out/page.md")
    (tmp_path / ".gitignore").write_text("out/\n")
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    (tmp_path / "gone.md").unlink()
    assert found(tmp_path) == ["a.md"]
    assert found(tmp_path / "out") == ["page.md"]


def test_a_repository_inside_a_repository(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "inner/b.md", "inner/c.md")
    (tmp_path / "inner" / ".gitignore").write_text("c.md\n")
    git(tmp_path, "init")
    git(tmp_path / "inner", "init")
    assert found(tmp_path) == ["a.md", "inner/b.md"]


def test_a_repository_cannot_make_git_start_programs(tmp_path: Path) -> None:
    tree(tmp_path, "a.md")
    git(tmp_path, "init")
    git(tmp_path, "config", "core.fsmonitor", f"touch {tmp_path}/started; false")
    assert found(tmp_path) == ["a.md"]
    assert not (tmp_path / "started").exists()


def test_the_variables_of_a_git_hook_do_not_change_what_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, "one/a.md", "two/b.md")
    git(tmp_path / "one", "init")
    git(tmp_path / "two", "init")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "one" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "one" / ".git" / "index"))
    assert found(tmp_path / "two") == ["b.md"]


@posix
@pytest.mark.parametrize("repository", [True, False])
def test_links_to_folders_are_not_followed(tmp_path: Path, repository: bool) -> None:
    tree(tmp_path, "docs/a.md")
    (tmp_path / "docs" / "self").symlink_to(".")
    (tmp_path / "docs" / "link.md").symlink_to("a.md")
    (tmp_path / "docs" / "broken.md").symlink_to("nothing.md")
    if repository:
        git(tmp_path, "init")
    assert found(tmp_path) == ["docs/a.md", "docs/link.md"]


@posix
def test_a_folder_that_may_not_be_opened_is_reported(nobody: Path) -> None:
    tree(nobody, "a.md", "closed/b.md")
    (nobody / "closed").chmod(0)
    assert found(nobody) == ["a.md", "closed"]
    assert refusal(nobody / "closed", nobody) == "closed:1:1: unreadable-file: the path is a folder, not a file"
    (nobody / "closed").chmod(0o700)


@pytest.mark.timeout(20)
def test_hostile_ignore_patterns_cost_no_time(tmp_path: Path) -> None:
    tree(tmp_path, "a" * 200 + ".md")
    (tmp_path / ".gitignore").write_text("*a*a*a*a*a*a*a*a*a*b\n" + "**/a" * 30 + "\n[\n\\\n[z-a]\n")
    assert found(tmp_path) == ["a" * 200 + ".md"]


# Writing


def test_a_file_is_written_with_its_folders(tmp_path: Path) -> None:
    files.write(tmp_path / "a/b/c.md", b"new\r\n", root=tmp_path)
    files.write(tmp_path / "a/b/c.md", b"newer", root=tmp_path)
    assert here(tmp_path) == {"a/b/c.md": b"newer"}


@posix
def test_modes_stay_and_new_files_get_the_usual_one(tmp_path: Path) -> None:
    put(tmp_path, a="old", usual="")
    (tmp_path / "a.md").chmod(0o640)
    files.write_all({tmp_path / "a.md": b"new", tmp_path / "b.md": b"new"}, root=tmp_path)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a.md", "b.md", "usual.md")]
    assert modes[0] == 0o640
    assert modes[1] == modes[2]


def test_equal_bytes_are_not_written_again(tmp_path: Path) -> None:
    put(tmp_path, a="same")
    before = (tmp_path / "a.md").stat()
    files.write(tmp_path / "a.md", b"same", root=tmp_path)
    after = (tmp_path / "a.md").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@posix
def test_a_link_is_written_through_but_never_out(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    put(tmp_path, outside="old")
    put(root, real="old", other="old")
    (root / "link.md").symlink_to("real.md")
    (root / "out.md").symlink_to("../outside.md")
    files.write(root / "link.md", b"new", root=root)
    assert (root / "link.md").is_symlink()
    assert (root / "real.md").read_bytes() == b"new"
    with pytest.raises(
        InvalidInput, match=r"out\.md:1:1: unsafe-path: is outside the folder `root`; nothing is written there"
    ):
        files.write_all({root / "other.md": b"new", root / "out.md": b"new"}, root=root)
    with pytest.raises(InvalidInput, match=r"\.\./b\.md:1:1: unsafe-path"):
        files.write(root / ".." / "b.md", b"new", root=root)
    assert here(tmp_path)["outside.md"] == here(tmp_path)["root/other.md"] == b"old"


def test_deleting_a_link_leaves_what_it_leads_to(tmp_path: Path) -> None:
    put(tmp_path, real="old")
    (tmp_path / "link.md").symlink_to("real.md")
    files.write_all({}, delete=[tmp_path / "link.md", tmp_path / "was-never-there.md"], root=tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["real.md"]


def test_all_or_nothing(tmp_path: Path) -> None:
    put(tmp_path, a="old", b="old", c="old")
    (tmp_path / "folder").mkdir()
    before = here(tmp_path)
    changes = {tmp_path / "a.md": b"new", tmp_path / "b.md": b"new", tmp_path / "made/x.md": b"new"}
    with pytest.raises(IsADirectoryError):  # only the last step fails
        files.write_all(changes, delete=[tmp_path / "c.md", tmp_path / "folder"], root=tmp_path)
    assert here(tmp_path) == before
    assert not (tmp_path / "made").exists()
    files.write_all(changes, delete=[tmp_path / "c.md"], root=tmp_path)
    assert here(tmp_path) == {"a.md": b"new", "b.md": b"new", "made/x.md": b"new"}


@posix
def test_what_is_read_only_stays_so(nobody: Path) -> None:
    put(nobody, a="old", b="old")
    (nobody / "b.md").chmod(0o444)
    with pytest.raises(PermissionError, match="read-only"):
        files.write_all({nobody / "a.md": b"new", nobody / "b.md": b"new"}, root=nobody)
    assert here(nobody) == {"a.md": b"old", "b.md": b"old"}


@posix
def test_an_error_names_the_file_that_the_user_knows(nobody: Path) -> None:
    (nobody / "closed").mkdir(mode=0o500)
    with pytest.raises(PermissionError) as caught:
        files.write(nobody / "closed" / "a.md", b"new", root=nobody)
    assert caught.value.filename == str(nobody / "closed" / "a.md")


def test_one_file_cannot_be_two(tmp_path: Path) -> None:
    put(tmp_path, a="old")
    with pytest.raises(ValueError, match="twice"):
        files.write_all({tmp_path / "a.md": b"new"}, delete=[tmp_path / "a.md"], root=tmp_path)
    assert here(tmp_path) == {"a.md": b"old"}


# Killed runs, and runs at the same time

WRITER = """
import sys
from pathlib import Path
from tutorial_tool.fs import files
root, number = Path(sys.argv[1]), 0
while True:
    number += 1
    files.write_all({root / f"{name}.md": str(number).encode() * 30_000 for name in "abcd"}, root=root)
    print(flush=True)
"""

HOLDER = """
import sys, time
from pathlib import Path
from tutorial_tool.fs import files
with files.lock(Path(sys.argv[1])):
    print(flush=True)
    time.sleep(60)
"""


def started(program: str, folder: Path) -> subprocess.Popen[bytes]:
    """A running program, which has printed its first line."""
    process = subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    return process


def kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.communicate()


def kill_writers(folder: Path, times: int) -> None:
    for number in range(times):
        process = started(WRITER, folder)
        time.sleep(0.0017 * (number % 30))
        kill(process)
        for name in "abcd":
            data = (folder / f"{name}.md").read_bytes()
            unit = data[: len(data) // 30_000]
            assert data == unit * 30_000, f"{name} is torn"
    files.remove_temporary_files([folder])
    assert sorted(here(folder)) == ["a.md", "b.md", "c.md", "d.md"]


@posix
def test_a_killed_run_tears_no_file_and_its_strays_are_swept(tmp_path: Path) -> None:
    kill_writers(tmp_path, 15)


@posix
@pytest.mark.soak
def test_150_killed_runs_tear_no_file(tmp_path: Path) -> None:
    kill_writers(tmp_path, 150)


def stray(folder: Path, owner: str) -> Path:
    path = folder / f".tutorial-tool-{owner}-0.tmp"
    path.write_text("half of it")
    return path


@posix
def test_only_the_strays_of_dead_runs_are_swept(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    mine = files._get_owner()
    host, pid, run = mine.split("-")
    process = started(HOLDER, tmp_path)
    other = stray(tmp_path / "deep", f"{host}-{process.pid}-00000000")
    reused = stray(tmp_path, f"{host}-{pid}-00000000")  # the number of this process, in another run
    kept = [stray(tmp_path, mine), stray(tmp_path, f"00000000-{pid}-{run}"), tmp_path / ".tutorial-tool-notes.tmp"]
    kept[-1].write_text("somebody's own")
    assert files.remove_temporary_files([tmp_path, tmp_path / "deep"]) == [reused]
    kill(process)
    assert files.remove_temporary_files([tmp_path, tmp_path / "deep"]) == [other]
    assert all(path.exists() for path in kept)


def test_strays_of_another_machine_are_swept_after_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = stray(tmp_path, "00000000-1-00000000")
    assert files.remove_temporary_files([tmp_path, tmp_path / "deep"]) == []
    monkeypatch.setattr(files, "STALE_SECONDS", -1.0)
    assert files.remove_temporary_files([tmp_path, tmp_path / "deep"]) == [path]


def test_a_second_run_waits_its_turn_and_gives_up(tmp_path: Path) -> None:
    process = started(HOLDER, tmp_path)
    try:
        says = r"another run of tutorial-tool is writing in `.*`; waited for 0\.1 s"
        with pytest.raises(files.FolderLocked, match=says), files.lock(tmp_path, seconds=0.1):
            pytest.fail("two runs hold the lock")
    finally:
        kill(process)
    with files.lock(tmp_path, seconds=5):
        pass
    assert list(tmp_path.iterdir()) == []


@posix
def test_where_folders_cannot_be_locked_a_file_does_it(tmp_path: Path) -> None:
    release = files._claim_by_file(tmp_path)
    assert release
    assert files._claim_by_file(tmp_path) is None
    release()
    (tmp_path / ".tutorial-tool.lock").write_text(
        files._get_owner()[:-8] + "00000000"
    )  # a run of this number, long ago
    assert files._claim_by_file(tmp_path) is None  # it takes the old one away
    again = files._claim_by_file(tmp_path)
    assert again
    again()
    assert list(tmp_path.iterdir()) == []
