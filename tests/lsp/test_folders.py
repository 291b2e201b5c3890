"""What the folders and texts of an editor belong to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import project
from tutorial_tool.lsp.workspace import Workspace

TABLE = (
    "# Settings on {}\n\nOpen the settings, and choose these.\n\n| Setting | Value |\n| --- | --- |\n| Sound | {} |\n"
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("swan", "otter"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "settings.md").write_text(TABLE.format(name.title(), "On"))
    return tmp_path


def rules(workspace: Workspace, path: Path) -> list[str]:
    return [finding.rule for finding in workspace.lint().by_file.get(path, ())]


def test_a_new_copy_is_compared_before_it_is_saved(tree: Path) -> None:
    workspace, new = Workspace([tree]), tree / "newt/settings.md"
    workspace.set_text(new, TABLE.format("Newt", "Off"))
    assert len(workspace.lint().checked) == 1
    assert rules(workspace, new) == ["conflicting-value"]
    workspace.close_text(new)
    assert rules(workspace, new) == []


def test_a_copy_that_was_deleted_is_compared_while_it_is_open(tree: Path) -> None:
    workspace, path = Workspace([tree]), tree / "newt/settings.md"
    path.parent.mkdir()
    path.write_text(TABLE.format("Newt", "Off"))
    workspace.set_text(path, path.read_text())
    assert rules(workspace, path) == ["conflicting-value"]
    path.unlink()
    workspace.record_change()
    assert rules(workspace, path) == ["conflicting-value"]


def test_a_new_page_that_is_excluded_joins_no_tree(tree: Path) -> None:
    (tree / "tutorial-tool.toml").write_text('extend-exclude = ["newt"]\n')
    workspace, new = Workspace([tree]), tree / "newt/settings.md"
    workspace.set_text(new, TABLE.format("Newt", "Off"))
    assert rules(workspace, new) == []


def test_a_new_page_of_a_project_beside_a_tree_is_that_project_s(tree: Path) -> None:
    project.write(tree / "birds")
    workspace, new = Workspace([tree]), tree / "birds/docs_src/news.md"
    workspace.set_text(new, "# News\n\nThe the news.\n")
    assert [checked.site.is_project for checked in workspace.lint().checked if checked.get_source(new)] == [True]
    assert rules(workspace, new) == ["repeated-word"]


def test_a_new_data_file_is_included_before_it_is_saved(tmp_path: Path) -> None:
    data = project.DATA.replace("platforms:\n", "include: [more/*.yaml]\nplatforms:\n", 1)
    workspace, new = Workspace([project.write(tmp_path, data)]), tmp_path / "more/birds.yaml"
    assert [finding.message for finding in workspace.lint().by_file[tmp_path / "platforms.yaml"]] == [
        "`include`: no file matches `more/*.yaml`"
    ]
    workspace.set_text(new, "groups: {birds: [swna]}\n")
    assert rules(workspace, new) == ["invalid-data"]
    workspace.set_text(new, "groups: {birds: [swan]}\n")
    assert "invalid-data" not in rules(workspace, tmp_path / "platforms.yaml")
