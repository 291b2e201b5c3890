"""The GitHub Action, the GitLab template and the problem matcher: their own scripts are run, as the runners run them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from click.testing import CliRunner

from tests import project
from tests.repository import Repository
from tutorial_tool import cli
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import Source
from tutorial_tool.reporters import concise

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).parent.parent
ACTION = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
PACKED = REPOSITORY / "tutorial_tool/scaffold/ci"
GITLAB = PACKED / "gitlab.yml"
MATCHERS = json.loads((PACKED / "problem-matcher.json").read_text(encoding="utf-8"))["problemMatcher"]
PAGE = "# Menu\n\nOpen the the menu.\n"
OFFLINE = {
    # The packages of this environment stand for those of an index; only the tool itself is built and installed.
    "PYTHONPATH": sysconfig.get_path("purelib"),
    "PIP_NO_INDEX": "1",
    "PIP_NO_BUILD_ISOLATION": "0",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


# A runner, as small as the action allows


class Ran(NamedTuple):
    code: int
    log: str
    outputs: dict[str, str]
    summary: str


class Runner:
    """Runs the steps of the action that are scripts, in their order, each with an environment of its own."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self.home = folder, home
        self.steps: dict[str, dict[str, str]] = {"python": {"python-path": sys.executable}}

    def run(self, inputs: Mapping[str, str] | None = None, *, only: str = "", **variables: str) -> Ran:
        given = {name: told.get("default", "") for name, told in ACTION["inputs"].items()} | dict(inputs or {})
        output, summary = self.home / "output", self.home / "summary"
        summary.write_text("")
        code, log = 0, ""
        for step in ACTION["runs"]["steps"]:
            skipped = "run" not in step or (only and step.get("id") != only) or (step.get("id") == "install" != only)
            if skipped or code or not self.holds(step.get("if", ""), given):
                continue
            output.write_text("")
            environment = {
                **{name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "GITLAB_"))},
                **OFFLINE,
                "GITHUB_ACTION_PATH": str(REPOSITORY),
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(summary),
                "RUNNER_TEMP": str(self.home),
                **variables,
                **{name: self.value(text, given) for name, text in step.get("env", {}).items()},
            }
            script = self.home / "script.sh"
            script.write_text(step["run"])
            ran = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
                cwd=self.folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            code, log = ran.returncode, log + ran.stdout
            told = (line.partition("=") for line in output.read_text().splitlines())
            self.steps[step.get("id", "")] = {name: value for name, _, value in told}
        outputs = {name: self.value(told["value"], given) for name, told in ACTION["outputs"].items()}
        return Ran(code, log, outputs, summary.read_text())

    def value(self, text: object, inputs: Mapping[str, str]) -> str:
        """A text with its expressions replaced: inputs, and outputs of steps that ran."""

        def told(found: re.Match[str]) -> str:
            match found[1].split("."):
                case ["inputs", name]:
                    return inputs[name]
                case ["steps", step, "outputs", name]:
                    return self.steps.get(step, {}).get(name, "")
            raise AssertionError(found[0])

        return re.sub(r"\$\{\{ (.+?) \}\}", told, str(text))

    def holds(self, condition: str, inputs: Mapping[str, str]) -> bool:
        parts = [re.fullmatch(r"inputs\.([\w-]+) != '(.*)'", part) for part in condition.split(" && ") if part]
        assert all(parts), condition
        return all(inputs[part[1]] != part[2] for part in parts if part)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runner's folder for temporary files, with the tool installed by the action's own step."""
    folder = tmp_path_factory.mktemp("runner")
    ran = Runner(folder, folder).run(only="install")
    assert ran.code == 0, ran.log
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repository")
    made.commit("Start", {"docs/menu.md": PAGE, "docs/odd name; $(touch owned).md": "# Odd\n\nAll is well.\n"})
    return made


def runner(repository: Repository, home: Path) -> Runner:
    made = Runner(repository.folder, home)
    made.steps["install"] = {"tool": str(home / "tutorial-tool/bin/tutorial-tool")}
    return made


# The action


def test_a_finding_fails_the_job_and_is_told_three_times(repository: Repository, home: Path) -> None:
    ran = runner(repository, home).run(GITHUB_ACTIONS="true", GITHUB_REPOSITORY="a/b", GITHUB_SHA="c0ffee")
    assert ran.code == 1
    assert ran.outputs["exit-code"] == "1"
    assert "\ndocs/menu.md:3:6: warning[repeated-word] repeated word `the`\n" in ran.log
    (result,) = json.loads(Path(ran.outputs["sarif"]).read_text())["runs"][0]["results"]
    assert result["ruleId"] == "repeated-word"
    assert ran.summary.startswith("### tutorial-tool: Found 1 warning in 1 file.\n")
    assert "a/b/blob/c0ffee/docs/menu.md#L3" in ran.summary
    assert ran.outputs["diff"] == ""


def test_nothing_found_passes_and_is_said(repository: Repository, home: Path) -> None:
    repository.edit("docs/menu.md", "the the", "the")
    ran = runner(repository, home).run()
    assert (ran.code, ran.outputs["exit-code"]) == (0, "0")
    assert ran.summary == "### tutorial-tool: nothing found\n"
    assert json.loads(Path(ran.outputs["sarif"]).read_text())["runs"][0]["results"] == []


def test_the_reports_of_two_uses_in_a_job_are_two(repository: Repository, home: Path) -> None:
    first, second = (
        runner(repository, home).run({"paths": path}) for path in ("docs", "docs/odd name; $(touch owned).md")
    )
    found = [json.loads(Path(ran.outputs["sarif"]).read_text())["runs"][0]["results"] for ran in (first, second)]
    assert list(map(len, found)) == [1, 0]


def test_what_cannot_run_ends_with_2_and_leaves_no_report(repository: Repository, home: Path) -> None:
    ran = runner(repository, home).run({"paths": "nowhere\n"})
    assert (ran.code, ran.outputs["exit-code"]) == (2, "2")
    assert (ran.outputs["sarif"], ran.outputs["summary"], ran.summary) == ("", "", "")


@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        ({"fail-on": "error"}, 0),
        ({"args": "--ignore\nrepeated-word\r\n\n"}, 0),
        ({"args": "--select=tables"}, 0),
        ({"paths": "docs/odd name; $(touch owned).md"}, 0),
        ({"paths": "docs/menu.md\r\ndocs/odd name; $(touch owned).md\n"}, 1),
    ],
)
def test_the_inputs_are_options(repository: Repository, home: Path, inputs: dict[str, str], code: int) -> None:
    assert runner(repository, home).run(inputs).code == code


@pytest.mark.parametrize("text", ["$(touch owned)", "`touch owned`", '"; touch owned; "', "x\n::set-output::y"])
def test_an_input_is_never_a_command(repository: Repository, home: Path, text: str) -> None:
    names = set(ACTION["inputs"]) - {"python-version", "annotations"}
    assert len(names) == 7
    ran = runner(repository, home).run(dict.fromkeys(names, text))
    assert (ran.outputs["exit-code"], "stop-commands" in ran.log) == ("2", True), "the scripts ran to their ends"
    assert not list(repository.folder.rglob("owned"))
    assert "set-output" not in outside_of_the_stop(ran.log)


def outside_of_the_stop(log: str) -> str:
    """What of a log the runner reads for commands."""
    return re.sub(r"^::stop-commands::(\w{32})\n.*?^::\1::\n", "", log, flags=re.MULTILINE | re.DOTALL)


def test_the_name_of_a_file_is_no_command_to_the_runner(repository: Repository, home: Path) -> None:
    repository.write({"::add-mask::e.md": PAGE})
    ran = runner(repository, home).run()
    assert "\n::add-mask::e.md:3:6: warning" in ran.log
    assert outside_of_the_stop(ran.log).split() == [
        f"::add-matcher::{PACKED / 'problem-matcher.json'}",
        *("::remove-matcher", "owner=tutorial-tool::", "::remove-matcher", "owner=tutorial-tool-hints::"),
    ]


def test_without_annotations_and_summary(repository: Repository, home: Path) -> None:
    ran = runner(repository, home).run({"annotations": "false", "summary": "false"})
    assert (ran.code, ran.summary, "matcher" in ran.log) == (1, "", False)
    assert Path(ran.outputs["summary"]).read_text().startswith("### tutorial-tool")


def pull_request(repository: Repository) -> None:
    """What a checkout of a pull request has: the target branch as origin's, and the change on top."""
    repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repository.commit("A change", {"docs/new.md": "# New\n\nPress the button button now.\n"})


def test_only_what_a_pull_request_brings(repository: Repository, home: Path) -> None:
    pull_request(repository)
    ran = runner(repository, home).run({"only-changed": "true"}, GITHUB_BASE_REF="main")
    assert re.findall(r"^docs/.*", ran.log, re.MULTILINE) == [
        "docs/new.md:3:11: warning[repeated-word] repeated word `button`"
    ]
    assert "1 older finding suppressed (since origin/main)." in ran.log
    whole = runner(repository, home).run({"only-changed": "true"}, GITHUB_BASE_REF="")
    assert "docs/menu.md:3:6" in whole.log, "a push has no target branch: all is told"
    assert runner(repository, home).run({"only-changed": "HEAD"}).code == 0


def test_what_readers_will_see_change_stands_in_the_summary(tmp_path: Path, home: Path) -> None:
    repository = Repository(project.write(tmp_path / "project"))
    repository.commit()
    repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repository.edit("platforms.yaml", "package: swan-kit", "package: goose-kit")
    repository.commit()
    ran = runner(repository, home).run({"diff": "true"}, GITHUB_BASE_REF="main")
    assert ran.code == 0, ran.log
    assert ran.summary.startswith("### tutorial-tool: Found 1 hint in 1 file.\n")
    assert "+ Install `goose-kit`." in ran.summary
    assert ran.summary.endswith(Path(ran.outputs["diff"]).read_text())
    assert runner(repository, home).run({"diff": "HEAD"}).code == 0
    assert "diff" not in runner(repository, home).run({"diff": "true"}, GITHUB_BASE_REF="").summary
    base = repository.git("rev-parse", "origin/main")
    assert "goose-kit" in runner(repository, home).run({"diff": base, "paths": "platforms.yaml\r\n"}).summary
    assert "Nothing changed for readers" in runner(repository, home).run({"diff": base, "paths": "docs_src\n"}).summary
    wrong = runner(repository, home).run({"diff": "nowhere"})
    assert wrong.code == 2
    assert "there is no revision `nowhere`" in wrong.log


def test_a_change_that_cannot_be_rendered_is_shown_as_far_as_it_goes(tmp_path: Path, home: Path) -> None:
    repository = Repository(project.write(tmp_path / "project", docs={"about.md": "# About\n\nThe guide.\n"}))
    repository.commit()
    repository.edit("docs_src/about.md", "The guide", "Our guide")
    with (tmp_path / "project/site_templates/steps/finish.md.j2").open("a") as template:
        template.write("{{ nothing }}\n")
    ran = runner(repository, home).run({"diff": "HEAD", "fail-on": "error"})
    assert ran.code == 2
    assert ran.log.count("steps/finish.md.j2") >= 2, "told by the linter, and by what compares"
    assert "+ Our guide." in ran.summary
    assert Path(ran.outputs["diff"]).is_file()


def test_a_shallow_checkout_is_told_what_to_do(repository: Repository, home: Path, tmp_path: Path) -> None:
    pull_request(repository)
    shallow = tmp_path / "shallow"
    repository.git("clone", "-q", "--depth", "1", repository.folder.as_uri(), str(shallow))
    ran = Runner(shallow, home)
    ran.steps["install"] = runner(repository, home).steps["install"]
    told = ran.run({"only-changed": "true"}, GITHUB_BASE_REF="elsewhere")
    assert told.code == 2
    assert "fetch-depth: 0" in told.log


# What others say of the files


def checked(*command: str) -> None:
    name = Path(sys.executable).with_name(command[0])
    if not name.exists() and not os.environ.get("CI"):
        pytest.skip(f"{command[0]} is not installed")
    ran = subprocess.run([name, *command[1:]], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("schema", "path"), [("github-actions", REPOSITORY / "action.yml"), ("gitlab-ci", GITLAB)], ids=["github", "gitlab"]
)
def test_the_files_fit_the_schemas_of_their_makers(schema: str, path: Path) -> None:
    checked("check-jsonschema", "--builtin-schema", f"vendor.{schema}", str(path))


def test_zizmor_finds_nothing_at_its_strictest(tmp_path: Path) -> None:
    written = (REPOSITORY / "tutorial_tool/scaffold/files/github.yml").read_text(encoding="utf-8")
    workflow = tmp_path / ".github/workflows/docs.yml"
    workflow.parent.mkdir(parents=True)
    workflow.write_text(written.replace("«build»", "mkdocs build --strict"), encoding="utf-8")
    checked("zizmor", "--offline", "--quiet", "--persona=auditor", "action.yml", ".github", str(workflow))


def test_shellcheck_finds_nothing_in_the_scripts(tmp_path: Path) -> None:
    scripts = [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]
    for number, script in enumerate(scripts):
        path = tmp_path / f"{number}.sh"
        path.write_text(f"#!/bin/bash\nset -eo pipefail\n{script}")
        checked("shellcheck", str(path))


def test_no_expression_stands_in_a_script() -> None:
    assert not [step["run"] for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")]


# GitLab


def test_the_job_for_gitlab_writes_its_reports(repository: Repository) -> None:
    pull_request(repository)
    job = yaml.safe_load(GITLAB.read_text(encoding="utf-8"))["tutorial-tool"]
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", **job["variables"]}
    (script,) = job["script"]

    def run(**variables: str) -> set[str]:
        ran = subprocess.run(
            ["sh", "-e", "-c", script], cwd=repository.folder, env={**environment, **variables}, check=False
        )
        assert ran.returncode == 1
        reports = job["artifacts"]["reports"]
        root = ET.parse(repository.folder / reports["junit"]).getroot()
        issues = json.loads((repository.folder / reports["codequality"]).read_text())
        paths = {issue["location"]["path"] for issue in issues}
        assert {suite.get("name") for suite in root if suite.get("failures") != "0"} == paths
        return paths

    base = repository.git("rev-parse", "origin/main")
    assert run() == {"docs/menu.md", "docs/new.md"}
    assert run(TUTORIAL_TOOL_PATHS="docs/new.md README.md docs/menu.md".replace(" README.md", "")) == run()
    assert run(TUTORIAL_TOOL_ONLY_CHANGED="true", CI_MERGE_REQUEST_DIFF_BASE_SHA=base) == {"docs/new.md"}


# The problem matcher


def annotation(line: str) -> dict[str, Any] | None:
    """What the runner makes of a line: the first matcher that fits."""
    for matcher in MATCHERS:
        (pattern,) = matcher["pattern"]
        if found := re.search(pattern["regexp"], line):
            told = {key: found[group] for key, group in pattern.items() if key != "regexp"}
            return {"severity": matcher.get("severity"), **told}
    return None


@pytest.mark.parametrize(
    "path", ["page.md", "docs/näher dran/a b.md", "a:3:4: x.md", "C:/docs/page.md", "::error::x.md", "[a](b): c.md"]
)
@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.WARNING, Severity.HINT])
@pytest.mark.parametrize("rule", ["repeated-word", "rumdl/MD022"])
def test_the_matcher_reads_every_line(path: str, severity: Severity, rule: str) -> None:
    source = Source(path, "One\n\ttwo: `three`\n")
    finding = Finding(rule, severity, "see x.md:1:2: error[y] z", source.span(5, 8), ("ios", "web"))
    assert annotation(concise.render([finding]).splitlines()[0]) == {
        "file": path,
        "line": "2",
        "column": "2",
        "severity": "notice" if severity is Severity.HINT else str(severity),
        "code": rule,
        "message": "see x.md:1:2: error[y] z (ios, web)",
    }


def test_the_matcher_reads_what_the_command_prints_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text(f"{PAGE}\nTODO: write.\n")
    lines = CliRunner().invoke(cli.main, ["lint", "--output-format", "concise"]).stdout.splitlines()
    told = [annotation(line) for line in lines]
    assert [each and (each["code"], each["severity"]) for each in told] == [
        ("repeated-word", "warning"),
        ("placeholder-text", "notice"),
        None,
        None,
    ]
