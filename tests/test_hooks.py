"""The hooks for pre-commit, run by pre-commit in a git repository.

pre-commit clones this tool's repository, builds it and installs it into an environment of its own. The packages that it
needs are those of the tests' environment, not those of an index: what is not proved is that an index has them.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import yaml

from tests.repository import Repository
from tests.test_variants import page

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent.parent
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((HERE / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
PARTS = ("pyproject.toml", "README.md", "hatch_build.py", "LICENSE", ".pre-commit-hooks.yaml", "tutorial_tool")
BAD = "# Menu\n\nOpen the the menu.\n"
GOOD = "# Menu\n\nOpen the menu.\n"

if importlib.util.find_spec("pre_commit") is None and not os.environ.get("CI"):
    pytest.skip("pre-commit is not installed", allow_module_level=True)


class Team:
    """A team's repository, where `git commit` runs the hooks."""

    def __init__(self, folder: Path, tool: Repository, home: Path) -> None:
        self.repository = Repository(folder)
        self.tool, self.home = tool, home

    def uses(self, *hooks: dict[str, object]) -> None:
        rev = self.tool.git("rev-parse", "HEAD")
        repo = {"repo": str(self.tool.folder), "rev": rev, "hooks": list(hooks)}
        self.repository.write({".pre-commit-config.yaml": yaml.safe_dump({"repos": [repo]})})
        self.repository.git("add", "--all")
        self.repository.git("commit", "-q", "-m", "Use the hooks")
        assert self.run("install").returncode == 0

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self._run([sys.executable, "-m", "pre_commit", *arguments])

    def commit(self) -> subprocess.CompletedProcess[str]:
        """Stage all and commit, as people do: git starts the hook, and the hook pre-commit."""
        self.repository.git("add", "--all")
        person = ("-c", "user.name=A Writer", "-c", "user.email=writer@example.com")
        return self._run(["git", *person, "commit", "-m", "A change"])

    def _run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            "GIT_CONFIG_GLOBAL": os.devnull,
            "PRE_COMMIT_HOME": str(self.home),
            "PYTHONPATH": sysconfig.get_path("purelib"),
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
        }
        return subprocess.run(
            command, cwd=self.repository.folder, env=environment, capture_output=True, text=True, check=False
        )


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A repository of this tool, as it stands here."""
    made = Repository(tmp_path_factory.mktemp("tool"))
    for name in PARTS:
        if (HERE / name).is_dir():
            shutil.copytree(HERE / name, made.folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(HERE / name, made.folder / name)
    made.commit("A release")
    return made


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps what it installed: once for all tests."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def team(tmp_path: Path, tool: Repository, home: Path) -> Team:
    return Team(tmp_path / "team", tool, home)


def test_a_commit_fails_is_fixed_and_passes(team: Team) -> None:
    team.repository.commit("Start", {"docs/menu.md": GOOD, "docs/old/menu.md": BAD, "notes.txt": "the the\n"})
    team.repository.commit("Settings", {"tutorial-tool.toml": 'exclude = ["old/"]\n'})
    team.uses({"id": "tutorial-tool-fix"}, {"id": "tutorial-tool-lint"})
    team.repository.write({"docs/menu.md": BAD, "docs/old/menu.md": f"{BAD}\nMore more.\n", "ci.yaml": "a: 1\n"})

    refused = team.commit()
    assert refused.returncode == 1
    assert "files were modified by this hook" in refused.stderr
    assert "Fixed 1: 1 repeated-word" in refused.stderr
    assert (team.repository.folder / "docs/menu.md").read_text() == GOOD
    assert (team.repository.folder / "docs/old/menu.md").read_text().startswith(BAD), "excluded, though it was named"

    accepted = team.commit()
    assert accepted.returncode == 0, accepted.stderr
    assert accepted.stderr.count("Passed") == 2
    assert team.repository.git("log", "-1", "--format=%s") == "A change"


def test_a_commit_is_told_what_it_breaks_elsewhere(team: Team) -> None:
    pages = {"docs/menu.md": "# Menu\n\n## Sound\n\nText.\n", "docs/start.md": "# Start\n\n[Sound](menu.md#sound)\n"}
    team.repository.commit("Start", pages)
    team.uses({"id": "tutorial-tool-lint"})
    team.repository.edit("docs/menu.md", "## Sound", "## Noise")
    refused = team.commit()
    assert refused.returncode == 1
    assert "error[broken-anchor]: `docs/menu.md` has no anchor `#sound`\n --> docs/start.md:3:16" in refused.stderr


def test_only_what_the_commit_brings(team: Team) -> None:
    team.repository.commit("Start", {"docs/menu.md": BAD})
    team.uses({"id": "tutorial-tool-lint", "args": ["--changed-since", "HEAD"]})
    team.repository.write({"docs/new.md": "# New\n\nAll is well.\n"})
    accepted = team.commit()
    assert accepted.returncode == 0, accepted.stderr
    team.repository.write({"docs/new.md": "# New\n\nAll is is well.\n"})
    refused = team.commit()
    assert refused.returncode == 1
    assert "--> docs/new.md:3:5" in refused.stderr
    assert "docs/menu.md" not in refused.stderr


def test_what_a_commit_holds_is_judged_beside_what_it_does_not(team: Team) -> None:
    names = {"ios": "iOS", "web": "Web", "android": "Android"}
    table = "\n| Setting | Value |\n| --- | --- |\n| Status | Active |\n| Screen views | Enabled |\n"
    copies = {f"docs/{slug}/connect.md": page(name) + table for slug, name in names.items()}
    other = "# Order {0}\n\nOrder {0} is cancelled, and a cancelled order {0} is gone. See {0} cancelled ones.\n"
    team.repository.commit("Start", copies | {f"docs/orders/{n}.md": other.format(n) for n in range(6)})
    team.uses({"id": "tutorial-tool-fix"}, {"id": "tutorial-tool-lint", "pass_filenames": True})
    new = "# New\n\nIt is canceled. A canceled order, a canceled list and the canceled one.\n"
    team.repository.write({"docs/new.md": new, "docs/orders/1.md": "# Order 1\n\nIt is cancelled.\n"})
    assert team.commit().returncode == 1
    assert (team.repository.folder / "docs/new.md").read_text().count("cancelled") == 4
    assert "cancelled" in (team.repository.folder / "docs/orders/1.md").read_text()
    team.repository.edit("docs/web/connect.md", "Screen views | Enabled", "Screen views | Disabled")
    refused = team.commit()
    assert "[conflicting-value]: `Screen views` is `Disabled` here and `Enabled` on Android and iOS" in refused.stderr


def test_a_commit_of_other_files_asks_nobody(team: Team) -> None:
    team.repository.commit("Start", {"docs/menu.md": BAD})
    team.uses({"id": "tutorial-tool-fix"}, {"id": "tutorial-tool-lint"})
    team.repository.write({"src/main.py": "print()\n"})
    accepted = team.commit()
    assert accepted.returncode == 0
    assert accepted.stderr.count("(no files to check)Skipped") == 2


@pytest.mark.parametrize(
    "path", ["docs/a.md", "docs/b.mdx", "a.markdown", "site_templates/steps/a.md.j2", "platforms.yaml", "tables/x.yml"]
)
def test_pages_templates_and_data_are_for_both_hooks(path: str) -> None:
    assert all(re.search(hook["files"], path) for hook in HOOKS.values())
    assert re.search(HOOKS["tutorial-tool-lint"]["files"], "docs/images/a.PNG".lower())
    for code in ("site_templates/steps/job/report.bamboo.java", "samples/ios/App.swift"):
        assert re.search(HOOKS["tutorial-tool-lint"]["files"], code)
    assert not any(re.search(hook["files"], "src/main.py") for hook in HOOKS.values())


def test_pre_commit_finds_the_hooks_in_order(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", str(HERE / ".pre-commit-hooks.yaml")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PRE_COMMIT_HOME": str(tmp_path)},
    )
    assert (ran.returncode, ran.stdout) == (0, "")
