"""The guide's page on CI: its files fit the schemas of those who read them, and its commands print what it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.repository import Repository
from tests.test_guide import GUIDE, blocks, commands

PAGE = GUIDE / "how-to/ci.md"
REPOSITORY = GUIDE.parent
SHOWN = {title: text for language, title, text in blocks(PAGE) if language == "yaml"}
WORKFLOWS = [title for title in SHOWN if title.startswith(".github/")]


def checked(folder: Path, titles: list[str], *command: str) -> None:
    """Files of the page, held against a tool of those who read them."""
    if not Path(sys.executable).with_name(command[0]).exists() and not os.environ.get("CI"):
        pytest.skip(f"{command[0]} is not installed")
    for title in titles:
        file = folder / title
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(SHOWN[title])
    ran = subprocess.run(
        [Path(sys.executable).with_name(command[0]), *command[1:], *titles],
        cwd=folder,
        env={**os.environ, "PRE_COMMIT_HOME": str(folder / "home")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_commands_print_what_the_page_shows(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repository")
    shown = [(language, title, text) for language, title, text in blocks(PAGE) if language in ("markdown", "console")]
    ran = 0
    for _, title, text in shown:
        if title and (repository.folder / title).exists() and not ran:
            repository.commit("As it is on main")
        if title:
            repository.write({title: text})
        for command, output in commands(text) if not title else ():
            scripts = Path(sys.executable).parent
            done = subprocess.run(
                command,
                shell=True,
                cwd=repository.folder,
                env={**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            assert done.stdout == output
            ran += 1
    assert ran == 2
    assert {path.name for path in repository.folder.glob("findings.*")} == {
        "findings.sarif",
        "findings.xml",
        "findings.md",
    }


def test_the_workflows_are_workflows_and_safe(tmp_path: Path) -> None:
    assert len(WORKFLOWS) == 4
    checked(tmp_path, WORKFLOWS, "check-jsonschema", "--builtin-schema", "vendor.github-workflows")
    # A version stands for ours, whose hash nobody knows before it is released.
    (tmp_path / "zizmor.yml").write_text(
        'rules: {unpinned-uses: {config: {policies: {"example/*": ref-pin, "*": hash-pin}}}}\n'
    )
    checked(tmp_path, WORKFLOWS, "zizmor", "--offline", "--quiet", "--config", "zizmor.yml")


def test_the_inputs_of_the_workflows_are_those_of_the_action() -> None:
    action = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
    jobs = [job for title in WORKFLOWS for job in yaml.safe_load(SHOWN[title])["jobs"].values()]
    steps = [step for job in jobs for step in job["steps"] if "example/tutorial-tool@" in step.get("uses", "")]
    assert len(steps) == 3
    assert all(set(step["with"]) <= set(action["inputs"]) for step in steps)
    assert set(re.findall(r"steps\.docs\.outputs\.(\w+)", "".join(SHOWN.values()))) <= set(action["outputs"])
    table = re.findall(r"^\| `([\w-]+)` \| ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert table == list(action["inputs"])
    told = re.search(r"The outputs are `([\w-]+)`, and files: `(\w+)`, `(\w+)` and `(\w+)`", PAGE.read_text())
    assert told
    assert set(told.groups()) == set(action["outputs"])


def test_the_hooks_are_those_of_this_repository(tmp_path: Path) -> None:
    checked(tmp_path, [".pre-commit-config.yaml"], "pre-commit", "validate-config")
    (repo,) = yaml.safe_load(SHOWN[".pre-commit-config.yaml"])["repos"]
    hooks = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in repo["hooks"]] == [hook["id"] for hook in hooks]


@pytest.mark.slow
def test_the_job_for_gitlab_is_valid(tmp_path: Path) -> None:
    """The page names the file in the package instead of repeating it."""
    path = "tutorial_tool/scaffold/ci/gitlab.yml"
    assert f"`{path}`" in PAGE.read_text(encoding="utf-8")
    SHOWN[".gitlab-ci.yml"] = (REPOSITORY / path).read_text(encoding="utf-8")
    checked(tmp_path, [".gitlab-ci.yml"], "check-jsonschema", "--builtin-schema", "vendor.gitlab-ci")


def test_your_own_job_annotates_lines_and_writes_a_summary(tmp_path: Path) -> None:
    script = yaml.safe_load(SHOWN[".github/workflows/own.yml"])["jobs"]["lint"]["steps"][-1]["run"]
    (tmp_path / "page.md").write_text("# Menu\n\nOpen the the menu.\n")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }
    ran = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert ran.stdout.startswith("::warning file=page.md,line=3,")
    assert "repeated-word" in (tmp_path / "summary").read_text()
