"""An unchanged run is told again, and a run is told again only where it would say the same."""

from __future__ import annotations

import os
import random
import shutil
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests import project
from tutorial_tool import cache, cli
from tutorial_tool.cache import inputs, recording
from tutorial_tool.spelling import lists

ARGUMENTS = ["lint", "--output-format", "concise"]
BAD = "# Menu\n\nOpen the the menu. See [that](other.md) and ![a picture](menu.png).\n"
TICK = 0.06
"""Seconds after which a change bears another time than the one before."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    assert lists.is_known("page")  # the dictionaries stay in their own place
    monkeypatch.setattr(cache, "get_folder", lambda: str(tmp_path / "cache" / "tutorial-tool"))
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path / "docs")
    (tmp_path / "docs" / "page.md").write_text(BAD)
    return tmp_path / "docs"


def run(arguments: list[str] = ARGUMENTS) -> tuple[int, str]:
    """A run as the program makes it: its exit code and output."""
    time.sleep(TICK)
    recording.begin(arguments)
    done = CliRunner().invoke(cli.main, arguments)
    return done.exit_code, done.output


def again(arguments: list[str] = ARGUMENTS) -> tuple[int, str] | None:
    """The same, as it is told without a run."""
    try:
        found = cache.find_entry(arguments)
    except (OSError, ValueError):
        return None
    return (found.code, "".join(said.text for said in found.output)) if found else None


def test_a_run_that_asks_for_the_day_is_told_again_on_that_day(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "platforms.yaml").write_text("platforms: {ios: {name: iOS, review-after: 2026-01-01}}\ntutorials: {}\n")
    first = run()
    assert "review-due" in first[1]
    assert again() == first
    monkeypatch.setattr(time, "strftime", lambda _: "2999-12-31")
    assert again() is None


def test_a_run_is_told_again_while_nothing_changes(here: Path) -> None:
    assert again() is None
    first = run()
    assert "repeated-word" in first[1]
    assert again() == first


def test_the_same_content_at_another_time_is_the_same(here: Path) -> None:
    first = run()
    (here / "page.md").write_text(BAD)
    assert again() == first


def link(folder: Path) -> None:
    (folder / "other.md").write_text("# Other\n")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a page": lambda folder: (folder / "page.md").write_text(BAD.replace("the the", "the")),
    "a page of the same length": lambda folder: (folder / "page.md").write_text(BAD.replace("the the", "the one")),
    "a page that is added": link,
    "a page that goes": lambda folder: (folder / "page.md").rename(folder / "new.md"),
    "a picture that a page shows": lambda folder: (folder / "menu.png").write_bytes(b"x"),
    "settings": lambda folder: (folder / "tutorial-tool.toml").write_text('ignore = ["repeated-word"]\n'),
    "settings in a folder above": lambda folder: (folder.parent / "pyproject.toml").write_text(
        '[tool.tutorial-tool]\nignore = ["repeated-word"]\n'
    ),
    "the engine": lambda folder: (folder / "mkdocs.yml").write_text("site_name: x\ndocs_dir: .\n"),
    "what git ignores": lambda folder: (folder / ".gitignore").write_text("page.md\n"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_changes_makes_a_run(here: Path, change: Callable[[Path], object]) -> None:
    run()
    change(here)
    assert again() is None


def test_other_arguments_folders_and_variables_are_other_runs(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    assert again([*ARGUMENTS, "--quiet"]) is None
    with monkeypatch.context() as other:
        other.setenv("NO_COLOR", "1")
        assert again() is None
    monkeypatch.chdir(here.parent)
    assert again() is None


@pytest.mark.parametrize(
    "option", [["--no-cache"], ["--fix"], ["--diff"], ["-o", "out.txt"], ["--write-baseline", "b.json"]]
)
def test_what_writes_or_shall_run_is_never_told_again(here: Path, option: list[str]) -> None:
    run([*ARGUMENTS, *option])
    assert again([*ARGUMENTS, *option]) is None


def test_a_file_that_changes_during_the_run_is_not_believed(here: Path) -> None:
    time.sleep(TICK)
    recording.begin(ARGUMENTS)
    CliRunner().invoke(cli.main, ARGUMENTS[:1])  # keeps, and ends the recording
    assert again() is not None
    recording.begin(ARGUMENTS)
    now = cache.get_recording()
    assert now is not None
    (here / "page.md").write_text("# Another\n")
    now.opened["page.md"] = None
    now.save(0, [here])
    assert again() is None


# What others may put there


def entry_file(here: Path) -> Path:
    (found,) = (here.parent / "cache" / "tutorial-tool" / "runs").iterdir()
    return found


@pytest.mark.parametrize(
    "spoil", [lambda data: b"", lambda data: data[:50], lambda data: data.replace(b"repeated word", b"expected word")]
)
def test_an_entry_that_was_changed_is_not_read(here: Path, spoil: Callable[[bytes], bytes]) -> None:
    run()
    entry_file(here).write_bytes(spoil(entry_file(here).read_bytes()))
    assert again() is None


def test_an_entry_of_somebody_else_is_not_read(here: Path) -> None:
    run()
    theirs = cache.Entry(0, [cache.PrintedText("All checks passed.\n")], [])
    cache.write_entry(str(entry_file(here)), theirs, b"0" * 32)
    assert again() is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_a_key_that_others_can_read_is_no_key(here: Path) -> None:
    run()
    (here.parent / "cache" / "tutorial-tool" / "key").chmod(0o644)
    assert again() is None


def test_without_a_folder_to_write_to_a_run_is_a_run(here: Path) -> None:
    (here.parent / "cache").write_text("a file")
    code, out = run()
    assert (code, "repeated-word" in out) == (1, True)
    assert again() is None


def test_old_entries_are_forgotten(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MAX_ENTRIES", 3)
    for number in range(5):
        run([*ARGUMENTS, "--ignore", ("grammar", "mojibake", "raw-html", "misspelling", "long-value")[number]])
    assert len(list((here.parent / "cache" / "tutorial-tool" / "runs").iterdir())) == 3


# Many changes


def edits(root: Path, chance: random.Random) -> None:
    """One change of many kinds."""
    pages = [*root.rglob("*.md"), *root.rglob("*.j2"), root / "platforms.yaml"]
    page = chance.choice(pages)
    text = page.read_text()
    match chance.randrange(9):
        case 0:
            page.write_text(text.replace("Open", "Open the the", 1))
        case 1:
            page.write_text(text + f"\nSee [it](page-{chance.randrange(4)}.md).\n")
        case 2:
            (root / "docs_src" / f"page-{chance.randrange(4)}.md").write_text("# Page\n\nTeh page.\n")
        case 3 if page.parent.name == "docs_src":
            page.rename(page.with_name(f"page-{chance.randrange(4)}.md"))
        case 4 if page.parent.name == "docs_src":
            page.unlink()
        case 5:
            name = chance.choice(("repeated-word", "misspelling", "broken-link"))
            (root / "tutorial-tool.toml").write_text(f'ignore = ["{name}"]\n')
        case 6:
            (root / "tutorial-tool.toml").unlink(missing_ok=True)
        case 7:
            shutil.copy(page, page.with_suffix(".bak"))
        case _:
            page.write_text(text)


@pytest.mark.slow
def test_after_each_of_many_changes_what_is_told_again_is_what_a_run_says(
    tmp_path: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, hits = random.Random(3), 0
    root = project.write(tmp_path / "project", docs={"page-1.md": "# One\n\nOpen it.\n"})
    monkeypatch.chdir(root)
    for _ in range(25):
        if chance.random() < 0.8:
            edits(root, chance)
        kept = again()
        fresh = run()
        assert kept in (None, fresh)
        after = again()
        assert after in (None, fresh)
        hits += after is not None
    assert hits > 10


def test_a_project_beside_python_is_looked_at(tmp_path: Path) -> None:
    inside = str(Path(sys.prefix) / "src/project/page.md")
    assert inputs.is_recorded(inside, ["/cache"])
    assert not inputs.is_recorded(str(Path(sysconfig.get_path("purelib")) / "click/core.py"), ["/cache"])
