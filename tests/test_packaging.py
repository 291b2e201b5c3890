"""What leaves the repository: the wheel, the lock, and the commands that the README tells people to paste."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from tests import project
from tutorial_tool import cli

REPOSITORY = Path(__file__).parent.parent
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


def requirement_names(requirements: list[str]) -> set[str]:
    names = [re.match(r"[\w.-]+", r) for r in requirements]
    return {name[0].lower() for name in names if name}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)]
    run = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return folder


def test_the_wheel_has_all_of_the_package(built: Path) -> None:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    package = REPOSITORY / "tutorial_tool"
    files = {p.relative_to(REPOSITORY).as_posix() for p in package.rglob("*") if p.is_file() and p.suffix != ".pyc"}
    assert packed == files
    assert "tutorial_tool/py.typed" in packed


def test_the_source_archive_has_what_its_tests_need(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = [
        "README.md",
        "LICENSE",
        "requirements.lock",
        "mkdocs.yml",
        ".ci/run",
        "tests/conftest.py",
        "platforms.yaml",
    ]
    assert set(needed) <= names
    assert not [name for name in names if name.startswith((".git/", ".venv", "site/"))]


PRIVATE = {"mkdocs", "markdown-it-py", "jinja2"}
"""Packages whose private hooks are used: a new major version must be tried first."""


def test_each_direct_dependency_has_a_lower_bound_and_there_are_few() -> None:
    assert len(PROJECT["dependencies"]) <= 16
    for requirement in PROJECT["dependencies"]:
        name = next(iter(requirement_names([requirement])))
        assert re.search(r">=[\d.]+", requirement), requirement
        assert (",<" in requirement) == (name in PRIVATE), requirement


def test_every_python_from_the_oldest_on_may_install_it() -> None:
    assert PROJECT["requires-python"] == ">=3.11"
    assert "Programming Language :: Python :: 3.14" in PROJECT["classifiers"]


def test_the_package_page_leads_into_the_repository_that_releases(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    address = "https://git.example.com/docs/tool"
    run = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, check=False, env={**os.environ, "REPO_URL": address}
    )
    assert run.returncode == 0, run.stderr
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        about = wheel.read(next(name for name in wheel.namelist() if name.endswith("METADATA"))).decode()
    assert f"Project-URL: Issues, {address}/issues" in about
    assert f"]({address}/raw/HEAD/docs_src/assets/step.png)" in about
    assert not re.findall(r"\]\((?![a-z]+:|#)[^)]*\)", about.partition("\n\n")[2])


def test_actions_of_the_release_are_pinned() -> None:
    workflow = text(".github/workflows/release.yml")
    assert list(yaml.safe_load(workflow)["jobs"]) == ["build", "publish"]
    used = re.findall(r"uses: (\S+)", workflow)
    assert len(used) == 5
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name) for name in used)


def test_the_lock_holds_every_dependency_by_hash_and_names_no_host() -> None:
    lock = text("requirements.lock")
    entries = re.split(r"\n(?=\w)", lock)[1:]
    assert all("--hash=sha256:" in entry for entry in entries)
    locked = {entry.split("==")[0].lower() for entry in entries}
    extras = [requirement for extra in PROJECT["optional-dependencies"].values() for requirement in extra]
    assert requirement_names(PROJECT["dependencies"] + extras) <= locked
    assert not re.search(r"://|^--|@ ", lock, re.MULTILINE)
    assert re.findall(r"^#    uv pip compile pyproject\.toml .* -o requirements\.lock$", lock, re.MULTILINE)


def test_ci_runs_what_the_readme_tells_people_to_paste() -> None:
    serve, test = re.findall(r"^```bash\n(.+)\n```$", text("README.md"), re.MULTILINE)
    start = "python3 -m venv .venv && "
    assert serve == start + ".venv/bin/pip install -q . && .venv/bin/mkdocs serve"
    assert test == start + '.venv/bin/pip install -q -e ".[test]" && .venv/bin/python -m pytest -q -n auto'
    script = text(".ci/run")
    assert '\n.venv-ci/bin/python -m pytest -q -n auto -m "not soak"\n' in script  # the README's, and the slow ones
    assert '-e ".[test]"' in script


@pytest.mark.parametrize("package", ["click", "yaml", "markdown_it"])
def test_a_package_that_is_missing_is_named(package: str, tmp_path: Path) -> None:
    (tmp_path / "platforms.yaml").write_text("platforms: {}\n")
    (tmp_path / "docs_src").mkdir()
    (tmp_path / "docs_src/page.md").write_text("# Page\n\n> Open teh menu.\n")
    missing = f"import sys; sys.path.insert(0, {str(REPOSITORY)!r}); sys.modules[{package!r}] = None"
    start = "sys.argv = ['tutorial-tool', 'lint', '--no-cache']; from tutorial_tool.__main__ import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", f"{missing}; {start}"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert run.stderr.startswith(f"tutorial-tool: package `{package}` is missing; install the whole of tutorial-tool")
    assert run.stderr.count("\n") == 1


def test_the_entry_points_lead_somewhere() -> None:
    points = PROJECT["entry-points"]
    assert (
        points["mkdocs.plugins"]
        == points["properdocs.plugins"]
        == {"tutorial": "tutorial_tool.mkdocs_plugin:TutorialPlugin"}
    )
    from tutorial_tool.mkdocs_plugin import TutorialPlugin

    assert TutorialPlugin.__name__ == "TutorialPlugin"


@pytest.mark.parametrize("name", [".pre-commit-hooks.yaml", "action.yml"])
def test_the_commands_of_the_integrations_exist(name: str) -> None:
    used = re.findall(r'tutorial-tool"? (lint)((?: --[a-z-]+)*)', text(name))
    assert used
    runner = CliRunner()
    for command, options in used:
        told = runner.invoke(cli.main, [command, "--help"]).output
        assert all(option in told for option in options.split()), (name, told)


def test_the_hooks_see_pages_templates_and_data() -> None:
    for hook in yaml.safe_load(text(".pre-commit-hooks.yaml")):
        seen = [
            f
            for f in ("a/b.md", "s/x.md.j2", "platforms.yaml", "d/platforms.yml", "t/x.yaml", "x.py")
            if re.search(hook["files"], f)
        ]
        assert seen == ["a/b.md", "s/x.md.j2", "platforms.yaml", "d/platforms.yml", "t/x.yaml"]  # data may include it


NOT_IN_CORE = {"ast-grep-py", "mkdocs", "mkdocs-material", "typos"}
WITHOUT_MKDOCS = """
import sys
sys.modules.update(dict.fromkeys(("mkdocs", "material", "markdown", "pymdownx")))  # to import one raises
from tutorial_tool.__main__ import main
sys.argv = ["tutorial-tool", *sys.argv[1:]]
main()
"""


def test_core_has_the_dependencies_of_the_package_but_for_mkdocs() -> None:
    core = tomllib.loads((REPOSITORY / ".ci/core/pyproject.toml").read_text(encoding="utf-8"))["project"]
    shared = [line for line in PROJECT["dependencies"] if not requirement_names([line]) & NOT_IN_CORE]
    assert core["dependencies"] == shared
    assert core["scripts"] == PROJECT["scripts"]
    assert core["requires-python"] == PROJECT["requires-python"]


@pytest.mark.parametrize("command", ["lint --no-cache", "render out --reader-features", "compare prepare", "inventory"])
def test_the_commands_of_core_need_no_mkdocs(tmp_path: Path, command: str) -> None:
    project.write(tmp_path)
    run = [sys.executable, "-c", WITHOUT_MKDOCS, *command.split()]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == (command.startswith("compare")), done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_the_container_installs_what_the_lock_names() -> None:
    lines = text("Containerfile").splitlines()
    installs = [line for line in lines if "pip install" in line]
    assert "--require-hashes" in installs[0]
    assert "--no-index" in installs[1], "nothing that the lock does not name"
    copied = [name for line in lines if line.startswith("COPY") for name in line.split()[1:-1]]
    assert all((REPOSITORY / name).exists() for name in copied)
    assert {"USER nobody", 'ENTRYPOINT ["tutorial-tool"]'} <= set(lines)
    assert "docker build --file Containerfile" in text(".github/workflows/ci.yml")
