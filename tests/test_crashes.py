"""Commands that are killed while they write, that find no room, and that may not write: no file is torn or lost."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import project
from tests.crashing import CACHE, Ran, may_be_limited, run, with_full_disk, without_rights, words
from tests.repository import Repository

pytestmark = pytest.mark.slow

posix = pytest.mark.skipif(os.name == "nt", reason="signals and modes of POSIX")
SPOILT = "# Page {n}\n\nIt doesnâ€™t stop, and it stops when when nothing is left.\n"
COPY = "# How to {step}\n\nOpen the {platform} app and go on.\n\n```sh\nrun {platform}\n```\n\nThen close it again.\n"
SITE = "site_name: Example\ndocs_dir: docs_src\ntheme: {name: mkdocs}\nplugins: [{tutorial: {lint: false}}]\n"
MORE = "  heron: {name: Heron, extends: swan}\n  newt: {name: Newt, extends: otter}\n"
SEVERAL = project.DATA.replace("groups:\n", f"{MORE}groups:\n")


TREE = "tree"


class Case(NamedTuple):
    """A command that writes, and the folder that it works on. CI kills it at each `every`th of its steps.

    With `has_cache`, what it keeps for the next run is looked at, too. `again` makes runs before, of which something is
    left. A command that `is_done_once` refuses to run where it has come to its end.
    """

    command: list[str]
    make: Callable[[Path], None]
    every: int
    has_cache: bool = False
    again: Callable[[Path], None] | None = None
    is_done_once: bool = False

    def run(self, folder: Path, killed_at: int = 0) -> Ran:
        """Runs it in the tree below a folder, beside which the user's cache stands."""
        return run(self.command, folder / TREE, killed_at=killed_at, cache=folder / CACHE if self.has_cache else None)


def pages(folder: Path) -> None:
    for number in range(12):
        (folder / f"page-{number}.md").write_text(SPOILT.format(n=number))
    (folder / "tutorial-tool.toml").write_text("")


def spoilt_project(folder: Path) -> None:
    """A project whose pages, templates, parts and data have something to fix."""
    wrong = "\n\nIt doesnâ€™t stop, and it stops when when nothing is left.\n"
    templates = {name: text + wrong if name.endswith("md") else text for name, text in project.TEMPLATES.items()}
    templates |= {name: text + wrong for name, text in templates.items() if name.endswith(".j2")}
    docs = {f"more/page-{number}.md": SPOILT.format(n=number) for number in range(6)}
    project.write(folder, project.DATA.replace("Otters dive", "Otters donâ€™t fly"), templates, docs)


def copies(folder: Path) -> None:
    for platform in ("ios", "web", "android", "desktop"):
        for step in ("install", "start", "finish", "remove"):
            path = folder / "docs" / platform / f"{step}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(COPY.format(platform=platform, step=step))


def edited(folder: Path) -> None:
    """Copies that are committed, in one of which people went on."""
    copies(folder)
    Repository(folder).commit()
    for path in (folder / "docs/ios").iterdir():
        path.write_text(path.read_text().replace("and go on", "and wait for a while"))


def tutorial(folder: Path) -> None:
    project.write(folder, SEVERAL)


def rendered(folder: Path) -> None:
    """A tutorial that was rendered before it changed: files are written, others go."""
    tutorial(folder)
    assert run(["render", "out"], folder).code == 0
    fewer = SEVERAL.replace("  newt: {name: Newt, extends: otter}\n", "").replace("name: Heron", "name: Grey heron")
    (folder / "platforms.yaml").write_text(fewer)


def nothing(folder: Path) -> None:
    (folder / "notes.txt").write_text("An empty folder, but for this.\n")


def standing(folder: Path) -> None:
    """A site without a tutorial."""
    (folder / "docs").mkdir()
    (folder / "docs/index.md").write_text("# Home\n")
    (folder / "mkdocs.yml").write_text("site_name: Example\n# Plugins\nplugins:\n  - search\n")


def with_words(folder: Path) -> None:
    pages(folder)
    for name, data in words().items():
        path = folder.parent / CACHE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def site(folder: Path) -> None:
    project.write(folder)
    (folder / "mkdocs.yml").write_text(SITE)


def copied(start: Path, to: Path, case: Case) -> dict[str, bytes]:
    """A copy of a folder, ready for the command; and its files."""
    shutil.copytree(start, to)
    if case.has_cache:
        time.sleep(0.1)  # nothing is kept of a run whose files changed just before: they might change again unnoticed
    if case.again:
        case.again(to)
    return here(to)


BUILD = Case(["mkdocs", "build", "-q"], site, 40, has_cache=True)
CASES = {
    "fix": Case(["lint", "--fix"], pages, 20),
    "fix of a project": Case(["lint", "--fix", "--exit-zero"], spoilt_project, 30),
    "adopt": Case(["adopt", "docs", "--into", "new", "--force"], copies, 20),
    "adopt in place": Case(["adopt", "docs", "--into", ".", "--remove-copies"], copies, 20, is_done_once=True),
    "sync": Case(["sync", "--write"], edited, 2),
    "render": Case(["render", "out"], tutorial, 20),
    "render again": Case(["render", "out"], rendered, 20),
    "add-platform": Case(["add-platform", "crane", "--like", "swan"], tutorial, 2, is_done_once=True),
    "new-step": Case(["new-step", "rest", "--after", "prepare"], tutorial, 2, is_done_once=True),
    "rename": Case(["rename", "platform.values.package", "parcel"], tutorial, 2, is_done_once=True),
    "rename of an id": Case(["rename", "prepare", "set-up", "--kind", "step"], tutorial, 4, is_done_once=True),
    "baseline": Case(["lint", "--write-baseline", "known.json"], pages, 1),
    "init": Case(["init", "new", "--ci", "github"], lambda _: None, 20),
    "init in a site": Case(["init", "."], standing, 3),
    "cache": Case(["lint", "--exit-zero"], with_words, 2, has_cache=True),
    "build": BUILD,
}
RARE = {
    "report": Case(["lint", "--exit-zero", "-o", "report.txt"], pages, 1),
    "inventory": Case(["inventory", "-o", "published.json"], tutorial, 1),
    "comparison": Case(["compare", "prepare", "--html", "compared.html"], tutorial, 1),
    "words": Case(["lint", "--exit-zero"], pages, 1, has_cache=True),
}
"""Not for CI: one file is written as a baseline is, and the word lists take seconds to read."""


def here(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }


def strays(files: Mapping[str, bytes]) -> list[str]:
    """Files that a run makes for itself: ours, and those of an entry in the cache that is being written."""
    return [
        name
        for name in files
        if re.search(r"(?:/|^)\.tutorial-tool(?:[^/]*\.(?:tmp|lock)|-[^/]*\.json)$|/runs/.*\.", name)
    ]


def is_made(name: str) -> bool:
    """Whether a file can be made again: a killed run may leave it as it likes, and the next one has to notice."""
    return name.startswith((f"{CACHE}/", f"{TREE}/site/"))


def settled(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """What must be there in the end. What is kept of a run has names and bytes that differ from folder to folder."""
    return {
        re.sub("[0-9a-f]{32}", "#", name): b"" if name.startswith(f"{CACHE}/") else data for name, data in files.items()
    }


def _differing(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    one, other = settled(one), settled(other)
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def kills(case: Case, folder: Path, every: int, first: int = 1) -> Iterator[int]:
    """Kills the command at each `every`th of its steps from the `first` on, and looks at what is left each time."""
    start, whole, work = folder / "start", folder / "whole", folder / "work"
    (start / TREE).mkdir(parents=True)
    case.make(start / TREE)
    before = copied(start, whole, case)
    done = case.run(whole)
    assert done.code in (0, 1), done.stderr
    after = here(whole)
    assert before != after, "the command writes"
    assert not strays(after)
    for at in count(first, every):
        copied(start, work, case)
        if not case.run(work, at).was_killed:
            shutil.rmtree(work)
            return
        left = here(work)
        for name in left.keys() - strays(left):
            assert is_made(name) or left[name] in (before.get(name), after.get(name)), f"{name} is torn at step {at}"
        lost = [name for name in before if name not in left and name in after and not is_made(name)]
        assert not lost, f"lost at step {at}"
        again = case.run(work)
        is_complete = case.is_done_once and all(left.get(name) == data for name, data in after.items())
        is_noted = any(name.endswith("unfinished.json") for name in left)
        assert again.code == (2 if is_complete and not is_noted else done.code), f"after step {at}: {again}"
        assert "Traceback" not in again.stderr
        now = here(work)
        assert not strays(now), f"left behind at step {at}, and by the next run: {strays(now)}"
        assert settled(now) == settled(after), f"after step {at}: {_differing(now, after)}"
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
    for name, case in (CASES | RARE).items():
        (tmp_path / name).mkdir()
        total += len(list(kills(case, tmp_path / name, 1)))
    assert total >= 300


WRITING = ("fix", "adopt", "render", "baseline", "init")


@posix
@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_is_told_and_nothing_is_lost(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    case.make(tmp_path)
    before = here(tmp_path)
    done = with_full_disk(16, case.command, tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "file too large" in done.stderr.lower()
    assert here(tmp_path) == before


@posix
@pytest.mark.skipif(not may_be_limited(), reason="root may write everywhere, and there is no setpriv")
@pytest.mark.parametrize("name", WRITING)
def test_a_folder_that_may_not_be_written_is_told(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    case.make(tmp_path)
    before = here(tmp_path)
    tmp_path.chmod(0o555)
    try:
        done = without_rights(case.command, tmp_path)
    finally:
        tmp_path.chmod(0o755)
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    assert "denied" in done.stderr
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
