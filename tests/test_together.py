"""Several runs on one tree at the same time: what comes of it is what one of them would have made."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.test_crashes import SPOILT, here, pages
from tests.test_plugin import log_of, made, served, shows

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-m", "tutorial_tool", "lint", "--fix", "--exit-zero"]
RUNS = 8


def fixed_by(folder: Path, runs: int) -> dict[str, bytes]:
    """The tree after some runs of `lint --fix` that were started at once."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    started = [
        subprocess.Popen(
            COMMAND, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(runs)
    ]
    for process in started:
        out, err = process.communicate(timeout=180)
        assert process.returncode == 0, out + err
        assert "Traceback" not in err
    return {name: data for name, data in here(folder).items() if not name.startswith(".tutorial-tool")}


def check(folder: Path, times: int) -> None:
    start = folder / "start"
    start.mkdir()
    pages(start)
    shutil.copytree(start, folder / "alone")
    alone = fixed_by(folder / "alone", 1)
    assert alone != here(start)
    for number in range(times):
        work = folder / f"work-{number}"
        shutil.copytree(start, work)
        assert fixed_by(work, RUNS) == alone
        assert not [name for name in here(work) if name.endswith((".tmp", ".lock"))]


def test_eight_runs_leave_the_bytes_of_one(tmp_path: Path) -> None:
    check(tmp_path, 1)


@pytest.mark.soak
def test_eight_runs_leave_the_bytes_of_one_twenty_times(tmp_path: Path) -> None:
    check(tmp_path, 20)


def test_an_editor_that_saves_meanwhile_loses_nothing(tmp_path: Path) -> None:
    pages(tmp_path)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(COMMAND, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    saved, aside, number = tmp_path / "page-3.md", tmp_path / "page-3.new", 0
    while process.poll() is None:
        number += 1
        text = f"# Page 3\n\nSaved {number} times: it doesnâ€™t stop.\n"
        aside.write_text(text)
        aside.replace(saved)
    process.communicate()
    left = saved.read_text()
    assert f"Saved {number} times" in left or f"Saved {number - 1} times" in left


def test_a_server_and_an_editor_beside_eight_runs(tmp_path: Path) -> None:
    """While `mkdocs serve` shows a site, its pages are fixed and saved: all of it arrives, and nobody falls over."""
    root = made(tmp_path / "root")
    for number in range(6):
        (root / f"docs_src/page-{number}.md").write_text(SPOILT.format(n=number))
    saved, fixed = root / "docs_src/page-3.md", "It doesn’t stop"
    aside = tmp_path / "page-3.new"  # MkDocs ends a build where a file that it has listed is gone
    with served(root) as url:
        assert shows(f"{url}page-5/", "Page 5"), log_of(root).read_text()
        runs = [
            subprocess.Popen(COMMAND, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(RUNS)
        ]
        number = 0
        while any(run.poll() is None for run in runs):
            number += 1
            aside.write_text(f"# Page 3\n\nSaved {number} times.\n")
            aside.replace(saved)
            time.sleep(0.01)  # as fast as nobody types, and slow enough for the runs to get on
        said = [run.communicate()[1].decode() for run in runs]
        assert [run.returncode for run in runs] == [0] * RUNS, said
        assert not any("Traceback" in text for text in said)
        assert f"Saved {number} times." in saved.read_text(), "what was saved last has nothing to fix"
        assert shows(f"{url}page-3/", f"Saved {number} times."), log_of(root).read_text()
        # What stood still, they fixed; or they took it back, for another page changed while they looked.
        assert fixed_by(root, 1)["docs_src/page-5.md"].decode().count(fixed) == 1
        assert shows(f"{url}page-5/", fixed), log_of(root).read_text()
    assert "Traceback" not in log_of(root).read_text()
    assert not [name for name in here(root) if name.endswith((".tmp", ".lock", ".new"))]
    assert all(fixed in (root / f"docs_src/page-{number}.md").read_text() for number in (0, 1, 2, 4, 5))
