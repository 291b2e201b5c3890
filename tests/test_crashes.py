"""Commands that are killed while they write, that find no room, and that may not write: no file is torn or lost."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import project
from tests.crashing import killed, with_full_disk

posix = pytest.mark.skipif(os.name == "nt", reason="signals and modes of POSIX")
SPOILT = "# Page {n}\n\nIt doesnâ€™t stop, and it stops when when nothing is left.\n"
COPY = "# How to {step}\n\nOpen the {platform} app and go on.\n\n```sh\nrun {platform}\n```\n\nThen close it again.\n"


class Case(NamedTuple):
    """A command that writes, and the folder that it works on. CI kills it at each `every`th of its steps."""

    command: list[str]
    make: Callable[[Path], None]
    every: int


def pages(folder: Path) -> None:
    for number in range(12):
        (folder / f"page-{number}.md").write_text(SPOILT.format(n=number))
    (folder / "tutorial-tool.toml").write_text("")


def copies(folder: Path) -> None:
    for platform in ("ios", "web", "android"):
        for step in ("install", "start", "finish"):
            path = folder / "docs" / platform / f"{step}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(COPY.format(platform=platform, step=step))


def tutorial(folder: Path) -> None:
    project.write(folder)


CASES = {
    "fix": Case(["lint", "--fix"], pages, 7),
    "adopt": Case(["adopt", "docs", "--into", "new", "--force"], copies, 11),
    "render": Case(["render", "out"], tutorial, 7),
    "baseline": Case(["lint", "--write-baseline", "known.json"], pages, 1),
}


def here(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def strays(files: Mapping[str, bytes]) -> list[str]:
    return [name for name in files if re.match(r"\.tutorial-tool.*\.(?:tmp|lock)$", Path(name).name)]


def kills(case: Case, folder: Path, every: int) -> Iterator[int]:
    """Kills the command at each `every`th of its steps, and looks at what is left each time."""
    start, whole, work = folder / "start", folder / "whole", folder / "work"
    start.mkdir()
    case.make(start)
    shutil.copytree(start, whole)
    assert not killed(0, case.command, whole)
    before, after = here(start), here(whole)
    assert before != after, "the command writes"
    assert not strays(after)
    for at in count(1, every):
        shutil.copytree(start, work)
        if not killed(at, case.command, work):
            shutil.rmtree(work)
            return
        left = here(work)
        for name, data in left.items():
            if name not in strays(left):
                assert data in (before.get(name), after.get(name)), f"{name} is torn at step {at}"
        lost = [name for name in before if name not in left and name in after]
        assert not lost, f"lost at step {at}"
        assert not killed(0, case.command, work)
        assert not strays(here(work)), f"left behind at step {at}, and by the next run"
        shutil.rmtree(work)
        yield at


@posix
@pytest.mark.parametrize("name", CASES)
def test_a_killed_command_tears_and_loses_nothing(name: str, tmp_path: Path) -> None:
    assert len(list(kills(CASES[name], tmp_path, CASES[name].every))) >= 2


@posix
@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_killed_at_each_of_its_steps_a_command_tears_and_loses_nothing(tmp_path: Path) -> None:
    total = 0
    for name, case in CASES.items():
        (tmp_path / name).mkdir()
        total += len(list(kills(case, tmp_path / name, 1)))
    assert total >= 100


@posix
@pytest.mark.parametrize("name", CASES)
def test_a_full_disk_is_told_and_nothing_is_lost(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    case.make(tmp_path)
    before = here(tmp_path)
    done = with_full_disk(16, case.command, tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "File too large" in done.stderr
    assert here(tmp_path) == before


@posix
@pytest.mark.skipif(os.name != "nt" and os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("name", CASES)
def test_a_folder_that_may_not_be_written_is_told(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    case.make(tmp_path)
    before = here(tmp_path)
    tmp_path.chmod(0o555)
    try:
        done = with_full_disk(10**9, case.command, tmp_path)
    finally:
        tmp_path.chmod(0o755)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert here(tmp_path) == before


@posix
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder in which not even root may write")
@pytest.mark.parametrize("command", [["lint", "--write-baseline", "/proc/known.json"], ["render", "/proc/out"]])
def test_a_place_where_nobody_may_write_is_told(command: list[str], tmp_path: Path) -> None:
    CASES["render" if command[0] == "render" else "fix"].make(tmp_path)
    done = with_full_disk(10**9, command, tmp_path)
    assert done.returncode == 2, done.stdout
    assert "Traceback" not in done.stderr
    assert "/proc" in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 3
