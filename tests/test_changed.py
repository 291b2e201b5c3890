"""`lint --changed-since`: what a change brings, on its lines and elsewhere; what stood there before is silent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from tests import project
from tests.repository import Repository
from tutorial_tool import cli
from tutorial_tool.linter.changed_since import find_changed_lines

MENU = "# Menu\n\nOpen the the menu.\n\n## Sound\n\nTurn it on, and and wait for the sound.\n"
CONNECT = """\
# Connect your iOS app

Open the dashboard and choose your project there.

1. Select **iOS** from the list of inputs.
2. Click **Connect** and wait for the green mark.

The connection may take a minute to become active.

| Setting | Recommended | Description |
| --- | --- | --- |
| Send purchases | Enabled | Sends an event for each purchase. |
| Send views | Enabled | Sends an event for each screen. |
| Send logs | Disabled | Logs are large, and seldom needed. |
"""
START = "# Start\n\nSee [the sound](menu.md#sound).\n"


def lint(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, ["lint", "--output-format", "concise", *arguments])


def told(*arguments: str) -> list[str]:
    """Place and rule of what is told."""
    lines = lint("--quiet", *arguments).stdout.splitlines()
    return [f"{place} {rest.split('[')[1].split(']')[0]}" for place, _, rest in (x.partition(": ") for x in lines)]


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Two pages with three old findings, on the branch `change` that parts from `main`."""
    made = Repository(tmp_path / "team")
    made.commit("Start", {"docs/menu.md": MENU, "docs/start.md": START, "docs/end.md": "# End\n\nIt is is over.\n"})
    made.git("switch", "-q", "-c", "change")
    monkeypatch.chdir(made.folder)
    return made


# What counts


def test_nothing_changed_tells_nothing(team: Repository) -> None:
    assert len(told()) == 3
    result = lint("--changed-since", "main")
    assert (result.exit_code, result.stdout) == (0, "Nothing found.\n")
    assert result.stderr == "3 older findings suppressed (since main).\n"


def test_a_new_defect_is_told_saved_staged_committed_or_not_known_to_git(team: Repository) -> None:
    team.commit("A change", {"docs/a.md": "# A\n\nGo to to A.\n"})
    team.write({"docs/b.md": "# B\n\nGo to to B.\n"})
    team.git("add", "docs/b.md")
    team.edit("docs/start.md", "See", "Then then see")
    team.write({"docs/c.md": "# C\n\nGo to to C.\n"})
    assert told("--changed-since", "main") == [
        "docs/a.md:3:4 repeated-word",
        "docs/b.md:3:4 repeated-word",
        "docs/c.md:3:4 repeated-word",
        "docs/start.md:3:1 repeated-word",
    ]


def test_of_a_mistake_in_several_places_the_new_one_is_named(team: Repository) -> None:
    old = "# Lamps\n\n![](a.png)\n\nText.\n\n![](b.png)\n"
    team.commit("Images", {"lamps.md": old, "a.png": "", "b.png": "", "c.png": ""})
    assert told("--changed-since", "HEAD") == []
    team.write({"lamps.md": f"{old}\n![](c.png)\n"})
    result = lint("--changed-since", "HEAD", "--quiet").stdout
    assert result == "lamps.md:9:1: warning[missing-alt] image `c.png` has no alt text (new; known is line 3)\n"
    team.write({"lamps.md": old.replace("Text", "The text")})
    assert told("--changed-since", "HEAD") == []


def test_what_the_change_breaks_elsewhere_is_told(team: Repository) -> None:
    team.edit("docs/menu.md", "## Sound", "## Noise")
    assert told("--changed-since", "main") == ["docs/start.md:3:24 broken-anchor"]
    (team.folder / "docs/menu.md").unlink()
    assert told("--changed-since", "main") == ["docs/start.md:3:17 broken-link"]


def test_an_old_defect_on_a_changed_line_is_told(team: Repository) -> None:
    team.edit("docs/menu.md", "Open the the menu.", "Open the the large menu.")
    assert told("--changed-since", "main") == ["docs/menu.md:3:6 repeated-word"]
    team.edit("docs/menu.md", "the the", "the")
    assert told("--changed-since", "main") == []


def test_what_moves_is_not_new(team: Repository) -> None:
    team.write(
        {"docs/menu.md": "# Menu\n\n## Sound\n\nTurn it on, and and wait for the sound.\n\nOpen the the menu.\n"}
    )
    assert told("--changed-since", "main") == [], "within its page"
    team.write({"docs/menu.md": "# Menu\n\n## Sound\n\nTurn it on, and and wait for the sound.\n"})
    team.edit("docs/end.md", "# End\n", "# End\n\nOpen the the menu.\n")
    assert told("--changed-since", "main") == [], "to another page"
    team.git("mv", "docs/end.md", "docs/finish.md")
    assert told("--changed-since", "main") == [], "with its page"
    team.edit("docs/finish.md", "It is is over.", "It is is over.\n\nOpen the the menu.")
    assert len(told("--changed-since", "main")) == 1, "a copy of it is new"


def test_what_others_did_on_the_main_branch_is_no_part_of_the_change(team: Repository) -> None:
    team.git("switch", "-q", "main")
    team.commit("Meanwhile", {"docs/end.md": "# End\n\nIt is over.\n"})
    team.git("switch", "-q", "change")
    team.commit("A change", {"docs/new.md": "# New\n\nA new new page.\n"})
    assert told("--changed-since", "main") == ["docs/new.md:3:3 repeated-word"], "the old `is is` is not told"


def test_a_change_of_the_settings_brings_what_it_selects(team: Repository) -> None:
    team.write(
        {"tutorial-tool.toml": 'extend-select = ["trailing-space"]\n', "docs/end.md": "# End\n\nIt is is over. \n"}
    )
    team.commit("Spaces")
    team.git("branch", "-f", "main")
    assert told("--changed-since", "main") == []
    team.write({"tutorial-tool.toml": 'ignore = ["ALL"]\nextend-select = ["trailing-space"]\n'})
    team.git("branch", "-f", "main", team.commit("Quiet"))
    team.write({"tutorial-tool.toml": ""})
    assert len(told("--changed-since", "main")) == 3


def test_settings_of_then_that_cannot_be_read_hide_nothing(team: Repository) -> None:
    team.commit("Broken", {"tutorial-tool.toml": "selct = []\n"})
    team.git("branch", "-f", "main")
    team.write({"tutorial-tool.toml": ""})
    result = lint("--changed-since", "main")
    assert result.stdout.count("repeated-word") == 3
    assert result.stderr.startswith("main cannot be linted, so all findings are reported: ")
    assert "unknown option `selct`; did you mean `select`?" in result.stderr


def test_drift_is_told_when_a_sibling_changes(team: Repository) -> None:
    names = {"ios": "iOS", "android": "Android", "web": "Web"}
    team.commit("Copies", {f"docs/{id_}/connect.md": CONNECT.replace("iOS", name) for id_, name in names.items()})
    team.git("branch", "-f", "main")
    chosen = ("--select", "conflicting-value", "--changed-since", "main")
    assert told(*chosen) == []
    for name in ("ios", "android"):
        team.edit(f"docs/{name}/connect.md", "| Send views | Enabled |", "| Send views | Disabled |")
    assert told(*chosen) == ["docs/web/connect.md:13:16 conflicting-value"], "on the line that stayed"


def test_data_counts_where_its_pages_go_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Repository(project.write(tmp_path))
    made.commit()
    monkeypatch.chdir(made.folder)
    assert told("--changed-since", "HEAD") == []
    made.edit("platforms.yaml", "package: swan-kit", "package: the the kit")
    made.edit("platforms.yaml", "labels: {menu: Swan menu}, ", "")
    found = told("--changed-since", "HEAD")
    assert any(line.startswith("site_templates/steps/prepare.md.j2:8:") for line in found), "the template asks for it"


# With other options


def test_fixes_are_those_of_what_is_told(team: Repository) -> None:
    team.edit("docs/menu.md", "## Sound\n", "## Sound\n\nPress the the button.\n")
    result = lint("--changed-since", "main", "--fix")
    assert result.exit_code == 0
    assert (team.folder / "docs/menu.md").read_text() == MENU.replace("## Sound\n", "## Sound\n\nPress the button.\n")
    assert "Fixed 1: 1 repeated-word\n" in result.stderr
    assert told("--changed-since", "main") == []


def test_paths_and_a_baseline_take_away_from_it(team: Repository) -> None:
    team.write({"docs/a.md": "# A\n\nGo to to A.\n", "docs/b.md": "# B\n\nGo to to B.\n"})
    assert told("docs/b.md", "docs/end.md", "--changed-since", "main") == ["docs/b.md:3:4 repeated-word"]
    assert lint("docs/a.md", "--write-baseline", "known.json").exit_code == 0
    assert told("--baseline", "known.json", "--changed-since", "main") == ["docs/b.md:3:4 repeated-word"]


def test_it_runs_in_a_folder_below_and_in_one_that_is_new(team: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    team.write({"docs/a.md": "# A\n\nGo to to A.\n", "more/b.md": "# B\n\nGo to to B.\n"})
    monkeypatch.chdir(team.folder / "docs")
    assert told("--changed-since", "main") == ["a.md:3:4 repeated-word"]
    assert told("../more", "--changed-since", "main") == ["../more/b.md:3:4 repeated-word"]
    monkeypatch.chdir(team.folder / "more")
    assert told("--changed-since", "main") == ["b.md:3:4 repeated-word"]


def test_what_stood_in_another_kind_of_tree_is_old_too(team: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    team.write({"tutorial-tool.toml": 'docs = "docs"\n', "docs/a.md": "# A\n\nGo to to A.\n"})
    monkeypatch.chdir(team.folder / "docs")
    assert told("--changed-since", "main") == ["a.md:3:4 repeated-word"], "the settings above are new"
    monkeypatch.chdir(team.folder)
    team.write({"platforms.yaml": "platforms:\n  ios: {name: iOS}\n"})
    found = told("--changed-since", "main")
    assert [line for line in found if line.startswith("docs/")] == ["docs/a.md:3:4 repeated-word"], (
        "it is a project now"
    )


def test_sarif_says_what_is_new(team: Repository) -> None:
    team.write({"docs/a.md": "# A\n\nGo to to A.\n"})
    team.edit("docs/menu.md", "Open the the menu.", "Open the the large menu.")
    sarif = lint("--output-format", "sarif", "--changed-since", "main").stdout
    assert sorted(line.strip() for line in sarif.splitlines() if "baselineState" in line) == [
        '"baselineState": "new"',
        '"baselineState": "unchanged"',
    ]
    assert "baselineState" not in lint("--output-format", "sarif").stdout


def test_the_working_tree_stays_as_it_is(team: Repository) -> None:
    team.write({"docs/a.md": "# A\n\nGo to to A.\n"})
    team.edit("docs/menu.md", "Open", "Close")
    before = team.git("status", "--porcelain"), team.git("stash", "list"), team.git("worktree", "list")
    assert lint("--changed-since", "main").exit_code == 1
    assert (team.git("status", "--porcelain"), team.git("stash", "list"), team.git("worktree", "list")) == before


def test_what_a_submodule_had_is_no_part_of_the_change(team: Repository, tmp_path: Path) -> None:
    Repository(tmp_path / "other").commit("Start", {"menu.md": MENU})
    team.git("submodule", "--quiet", "add", str(tmp_path / "other"), "other")
    team.commit("A submodule")
    assert told("--changed-since", "HEAD") == []
    (team.folder / "other/menu.md").write_text(MENU + "\nOpen it it.\n")
    assert told("--changed-since", "HEAD") == ["other/menu.md:9:6 repeated-word"]


def test_before_the_first_commit_all_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Repository(tmp_path)
    made.write({"menu.md": MENU})
    monkeypatch.chdir(made.folder)
    assert len(told("--changed-since", "HEAD")) == 2
    assert "the repository has no commit yet" in lint("--changed-since", "main").stderr


# What keeps it from running


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--changed-since", "mian"], "--changed-since: there is no revision `mian` here; did you mean `main`?"),
        (
            ["--changed-since", "main", ".."],
            "--changed-since: `..` is not in the repository of this folder; run it there",
        ),
        (["--changed-since", "main", "--stdin-filename", "a.md"], "cannot be combined with --stdin-filename or"),
        (["--changed-since", "main", "--write-baseline", "a.json"], "or --write-baseline"),
    ],
)
def test_one_line_says_why_it_cannot_run(team: Repository, arguments: list[str], message: str) -> None:
    result = lint(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_outside_of_a_repository_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text(MENU)
    monkeypatch.chdir(tmp_path)
    result = lint("--changed-since", "main")
    assert result.exit_code == 2
    assert result.stderr.endswith("is not in the working tree of a git repository\n")


def test_a_history_that_is_cut_off_is_told_how_to_get_it(team: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    team.commit("A change", {"docs/a.md": "# A\n"})
    shallow = team.folder.parent / "shallow"
    team.git("clone", "-q", "--depth", "1", "--branch", "change", team.folder.as_uri(), str(shallow))
    monkeypatch.chdir(shallow)
    result = lint("--changed-since", "origin/main")
    assert result.exit_code == 2
    assert "in CI, check out with fetch-depth: 0" in result.stderr


def test_without_git_it_says_so(team: Repository) -> None:
    command = [sys.executable, "-m", "tutorial_tool", "lint", "--changed-since", "main"]
    environment = {**os.environ, "PATH": str(team.folder)}
    ran = subprocess.run(command, cwd=team.folder, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "git" in ran.stderr


# Lines


@pytest.mark.parametrize(
    ("then", "now", "changed"),
    [
        ("a\nb\nc", "a\nb\nc", set()),
        ("a\nb\nc", "a\nx\nc", {2}),
        ("a\nb\nc", "c\na\nb", set()),
        ("a\nb", "a\n\n  b  \r", set()),
        ("a\nb", "a\nb\nb", {3}),
        ("a\nb", "a\nx\na\nb", {2, 3}),
        ("", "a\n\nb", {1, 3}),
        ("a", "", set()),
    ],
)
def test_the_lines_that_changed(then: str, now: str, changed: set[int]) -> None:
    assert find_changed_lines(then, now, Counter()) == changed
    assert find_changed_lines(then, now, Counter(["x"])) == {
        line for line in changed if now.split("\n")[line - 1] != "x"
    }


@given(*[st.lists(st.sampled_from("abc ")).map("\n".join)] * 2)
def test_as_many_lines_changed_as_are_more_than_before(then: str, now: str) -> None:
    more = Counter(now.split("\n")) - Counter(then.split("\n"))
    found = Counter(now.split("\n")[line - 1] for line in find_changed_lines(then, now, Counter()))
    assert found == Counter({line: count for line, count in more.items() if line.strip()})
