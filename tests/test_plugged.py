"""Commands read where a project stands from the options of the plugin in `mkdocs.yml`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests import project
from tutorial_tool.cli import main
from tutorial_tool.config.plugin_options import EXTENSIONS, parse_nav_entry
from tutorial_tool.site import Layout

HOME = "# Home\n\nSee [how to prepare](guide/swan/prepare.md).\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A site whose project stands in a folder of its own, with another folder of templates."""
    project.write(tmp_path / "animals", project.DATA.replace(", can: [fly]", ""))
    shutil.move(tmp_path / "animals/site_templates", tmp_path / "animals/forms")
    shutil.rmtree(tmp_path / "animals/docs_src", ignore_errors=True)
    (tmp_path / "animals/mkdocs.yml").unlink(missing_ok=True)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text(HOME)
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: Zoo\nplugins: [search, {tutorial: {project: animals, templates: forms}}]\n"
    )
    return tmp_path


def run(folder: Path, *arguments: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(main, arguments)
    return done.exit_code, done.output


@pytest.mark.parametrize("folder", [".", "docs", "animals", "animals/forms"])
def test_the_project_is_linted_from_any_folder(root: Path, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(root / folder, "lint", monkeypatch=monkeypatch) == (0, "Nothing found.\n")


def test_files_that_are_named_belong_to_the_project(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "docs/index.md").write_text(HOME.replace("prepare.md", "prepar.md"))
    told = "docs/index.md:3:22: error[broken-link]"
    for named in ((), ("docs/index.md",), (".",), ("docs",)):
        code, output = run(root, "lint", *named, "--output-format", "concise", monkeypatch=monkeypatch)
        assert (code, output.startswith(told)) == (1, True), output
    assert run(root, "lint", "animals/forms", monkeypatch=monkeypatch) == (0, "Nothing found.\n")


def test_pages_are_rendered_and_names_are_found(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(root, "render", "out", monkeypatch=monkeypatch)[1].startswith("7 pages, ")
    assert "forms/steps/prepare.md.j2" in run(root, "where", "menu", monkeypatch=monkeypatch)[1]


def test_a_configuration_elsewhere_says_nothing_of_a_project(root: Path) -> None:
    other = project.write(root / "other")
    assert Layout.find(other).templates == "site_templates"


@pytest.mark.parametrize("command", [("render", "out"), ("where", "menu")])
def test_the_configuration_of_the_tool_is_heard(
    tmp_path: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(tmp_path)
    shutil.move(tmp_path / "site_templates", tmp_path / "forms")
    (tmp_path / "tutorial-tool.toml").write_text('templates = "forms"\n')
    code, output = run(tmp_path, *command, monkeypatch=monkeypatch)
    assert code == 0, output
    (tmp_path / "tutorial-tool.toml").write_text('tmplates = "forms"\n')
    code, output = run(tmp_path, *command, monkeypatch=monkeypatch)
    assert (code, "did you mean `templates`?" in output) == (2, True)


@pytest.mark.parametrize(
    ("title", "value", "found"),
    [
        (None, "tutorial:guide", ("guide", None)),
        ("First", "tutorial: guide", ("guide", "First")),
        (None, "tutorials:guide", ("guide", None)),
        ("tutorial", "guide", ("guide", None)),
        ("tutorials", "guide", None),
        (None, "tutorial/guide.md", None),
        (None, "https://example.com/tutorial:guide", None),
    ],
)
def test_an_entry_of_the_navigation_stands_for_a_tutorial(
    title: str | None, value: str, found: tuple[str, str | None] | None
) -> None:
    assert parse_nav_entry(title, value) == found


def test_the_guide_names_the_extensions_that_the_plugin_turns_on() -> None:
    guide = (Path(__file__).parent.parent / "docs_src/how-to/customize-site.md").read_text()
    said = guide.partition("The plugin turns on")[2].partition("\n\n")[0]
    assert set(re.findall("`([^`]+)`", said)) == set(EXTENSIONS)
