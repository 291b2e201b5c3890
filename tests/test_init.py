"""A new project builds and has no findings, whatever it is called; a site that stands keeps every comment."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import tutorial_tool
from tests import started
from tests.repository import Repository
from tutorial_tool import cli, scaffold, site
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source
from tutorial_tool.data.model import shapes
from tutorial_tool.linter import session, targets
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.site import loading

ODD = ["C++", ".NET", "iOS / iPadOS", "Ünïcode", "C", "C#", "日本語", "con", "web: beta", "A | B", "{{ x }}", "{% if %}", "{#",
       "[a](b)", "<b>x</b>", "</title><script>x</script>", "*x*", "`x`", "'", '"', "\\", "- x", "# x", "1.10", "on", "null",
       "~", "a, b", "&amp;", "«title»", "😀"]  # fmt: skip
NAMES = st.one_of(st.sampled_from(ODD), st.text(min_size=1, max_size=20)).map(scaffold.normalize_name).filter(bool)


def ran(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(cli.main, ["init", *arguments], input=typed)


def findings(folder: Path) -> list[Finding]:
    return list(session.run(session.Request(LookupOptions(folder))).findings)


def built(folder: Path) -> str:
    """What a strict build prints; it must not fail."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = started.run("mkdocs", "build", "--strict", "-q", cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def written(folder: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("noted", "named", "is_local"),
    [
        (None, f"tutorial-tool>={tutorial_tool.__version__}", False),
        ('{"url": "file:///home/me/clone", "dir_info": {}}', "tutorial-tool @ file:///home/me/clone", True),
        (
            '{"url": "https://git.example.com/t.git", "vcs_info": {"vcs": "git", "commit_id": "a1b2"}}',
            "tutorial-tool @ git+https://git.example.com/t.git@a1b2",
            False,
        ),
        ('{"url": "file:///clone/.ci/core", "dir_info": {}}', "tutorial-tool @ file:///clone", True),
    ],
)
def test_the_requirement_is_what_was_installed(
    noted: str | None, named: str, is_local: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        def read_text(self, name: str) -> str | None:
            return noted if name == "direct_url.json" else None

    def distribution(name: str) -> Installed:
        if name == "tutorial-tool" and "/core" in (noted or ""):  # then only the core is installed
            raise metadata.PackageNotFoundError(name)
        return Installed()

    scaffold._read_install_source.cache_clear()
    monkeypatch.setattr(metadata, "distribution", distribution)
    try:
        assert (scaffold.build_requirement(), scaffold.is_installed_from_folder()) == (named, is_local)
    finally:
        scaffold._read_install_source.cache_clear()


def test_a_new_project_builds_and_has_no_findings(tmp_path: Path) -> None:
    folder = tmp_path / "lamp"
    done = ran(str(folder))
    assert done.exit_code == 0, done.output
    where = (
        "requirements.txt points to a local folder, which CI does not have.\n"
        "For CI, replace it with, for example: tutorial-tool @ git+https://git.example.com/docs/tutorial-tool.git\n"
    )
    assert done.output.endswith(
        f"\n{where}Next:\n  cd {folder}\n  pip install -r requirements.txt\n  tutorial-tool lint\n  mkdocs serve\n"
    )
    assert files(folder) == {
        ".editorconfig", ".github/workflows/docs.yml", ".gitignore", ".pre-commit-config.yaml", ".vscode/extensions.json",
        ".vscode/settings.json", "README.md", "docs_src/index.md", "mkdocs.yml", "platforms.schema.json", "platforms.yaml",
        "requirements.txt", "site_templates/steps/check.md.j2", "site_templates/steps/install-the-package.md.j2",
    }  # fmt: skip
    assert findings(folder) == []
    assert built(folder) == ""
    assert {"ios", "android"} == {path.name for path in (folder / "site/quickstart").iterdir() if path.is_dir()}


def test_the_names_in_the_navigation_differ(tmp_path: Path) -> None:
    ran(str(tmp_path / "lamp"))
    built(tmp_path / "lamp")
    html = (tmp_path / "lamp/site/index.html").read_text()
    tabs = re.findall(r'<a href="[^"]*" class="md-tabs__link">\s*(.*?)\s*</a>', html, re.DOTALL)
    assert tabs == ["Home", "Quickstart"]
    assert '<h1 id="quickstart">Quickstart' in html


def test_what_it_writes_teaches(tmp_path: Path) -> None:
    ran(str(tmp_path / "lamp"))
    steps = tmp_path / "lamp/site_templates/steps"
    text = "".join(path.read_text() for path in steps.iterdir())
    for call in (
        "{{ platform.values.package }}",
        "{{ table('app-settings') }}",
        "{{ figure(",
        "{{ link('check') }}",
        "{# ",
    ):
        assert call in text


def steps(text: str) -> list[str]:
    """The commands of a CI file, in their order."""
    (job,) = [job for key, job in (yaml.safe_load(text).get("jobs") or yaml.safe_load(text)).items()]
    return job.get("script") or [step["run"] for step in job["steps"] if "run" in step]


@pytest.mark.slow
@pytest.mark.parametrize(("ci", "path"), [("github", ".github/workflows/docs.yml"), ("gitlab", ".gitlab-ci.yml")])
def test_the_commands_of_the_ci_file_run(ci: str, path: str, tmp_path: Path) -> None:
    ran(str(tmp_path), "--ci", ci)
    install, *rest = steps((tmp_path / path).read_text())
    assert install == "pip install -r requirements.txt"
    *where, named = (tmp_path / "requirements.txt").read_text().splitlines()
    assert named.startswith("tutorial-tool @ file:///"), "pip can install it here"
    assert where[1:] == ["# tutorial-tool @ git+https://git.example.com/docs/tutorial-tool.git"]
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "NO_MKDOCS_2_WARNING": "1"}
    assert [command.split()[0] for command in rest] == ["tutorial-tool", "mkdocs"]
    for command in rest:
        done = subprocess.run(
            command.split(), cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_no_ci_file(tmp_path: Path) -> None:
    ran(str(tmp_path), "--ci", "none")
    assert not {".github/workflows/docs.yml", ".gitlab-ci.yml"} & files(tmp_path)


@pytest.mark.slow
def test_the_hooks_run_at_a_commit(tmp_path: Path) -> None:
    pytest.importorskip("pre_commit")
    ran(str(tmp_path / "lamp"))
    repository = Repository(tmp_path / "lamp")
    repository.git("add", "--all")
    scripts = str(Path(sys.executable).parent)
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(tmp_path / "home"),
    }

    def hooks() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pre_commit", "run", "--all-files"]
        return subprocess.run(
            command, cwd=repository.folder, env=environment, capture_output=True, text=True, check=False
        )

    assert hooks().returncode == 0
    page = repository.folder / "docs_src/index.md"
    page.write_text(page.read_text() + "\nOpen the the menu, or [another page](nowhere.md).\n")
    done = hooks()
    assert done.returncode == 1
    assert "Open the menu" in page.read_text()
    assert "broken-link" in done.stdout


def test_editors_know_the_data(tmp_path: Path) -> None:
    ran(str(tmp_path))
    text = (tmp_path / "platforms.yaml").read_text()
    named = text.partition("\n")[0].removeprefix("# yaml-language-server: $schema=")
    schema = json.loads((tmp_path / named).read_text())
    assert schema == shapes.build_json_schema()
    Draft202012Validator(schema).validate(yaml.load(text, yaml.BaseLoader))


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NAMES, st.lists(NAMES, min_size=1, max_size=4), NAMES)
def test_any_name_will_do(tmp_path_factory: pytest.TempPathFactory, title: str, names: list[str], step: str) -> None:
    answers = scaffold.Answers(title, scaffold.build_ids(names, "platform"), step)
    folder = written(tmp_path_factory.mktemp("any"), scaffold.build_tutorial(answers) | scaffold.build_site(answers))
    (target,) = targets.find([], LookupOptions(folder))
    found = target.lint().findings
    # Titles such as `0 .` or in the wrong encoding are reported, and should be; so are platforms named like a word.
    assume(not {finding.rule for finding in found} & {"grammar", "mojibake", "typed-platform"})
    assert found == []
    read = loading.load(site.Layout.find(folder))
    pages = [page for page in read.pages if page.place]
    assert {page.path for page in pages} >= {answers.start_page}
    assert [str(platform.name) for platform in read.model.platforms.values()] == [*dict.fromkeys(names)]
    assert len(pages) == 2 * len(set(names))
    assert {page.title for page in pages if page.step == answers.first} == {step}
    assert {str(tutorial.title) for tutorial in read.model.tutorials.values()} == {title}


def test_markup_in_names_is_text_in_the_site(tmp_path: Path) -> None:
    name = "</title><script>alert(1)</script>"
    done = ran(str(tmp_path), "--title", name, "--platform", name, "--platform", '"><b>', "--step", name)
    assert done.exit_code == 0, done.output
    built(tmp_path)
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 4
    assert not [page for page in pages if "<script>alert" in page.read_text(encoding="utf-8")]


def test_ids_are_short_and_differ() -> None:
    assert scaffold.build_ids(["C++", "C", "C#", "c", "日本", "iOS / iPadOS", "con"], "platform") == {
        "c-plus-plus": "C++", "c": "C", "c-sharp": "C#", "c-2": "c", "platform": "日本", "ios-ipados": "iOS / iPadOS",
        "platform-con": "con",
    }  # fmt: skip


def test_ids_can_be_told(tmp_path: Path) -> None:
    ran(str(tmp_path), "--platform", "net=.NET", "--platform", "Net", "--platform", "a=b=c")
    platforms = yaml.safe_load((tmp_path / "platforms.yaml").read_text())["platforms"]
    assert {id_: told["name"] for id_, told in platforms.items()} == {"net": ".NET", "net-2": "Net", "a": "b=c"}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--title", " \x07 "], "Invalid value for `--title`: must not be blank"),
        (["--platform", "x="], "Invalid value for `--platform`: the name of a platform must not be blank"),
        (["--platform", "x=A", "--platform", "A"], "Invalid value for `--platform`: two platforms have the name `A`"),
        (["--platform", "x=A", "--platform", "x=B"], "Invalid value for `--platform`: two platforms have the id `x`"),
        (["--platform", "iOS", "--platform", "ios"], "two platforms have the name `ios`"),
        (["--step", "One", "--step", "Two"], "only one first step; `tutorial-tool new-step` adds others"),
        (["--platform", "a:b=Foo"], "`a:b` is not an id: use letters, digits, - and _"),
    ],
)
def test_what_cannot_be_a_project(arguments: list[str], problem: str, tmp_path: Path) -> None:
    done = ran(str(tmp_path / "x"), *arguments)
    assert done.exit_code == 2
    assert problem in done.output
    assert not (tmp_path / "x").exists()


def test_nothing_that_stands_there_is_overwritten(tmp_path: Path) -> None:
    written(tmp_path, {"README.md": "mine", "platforms.yaml": "mine"})
    done = ran(str(tmp_path))
    assert done.exit_code == 2
    assert done.stderr == (
        f"tutorial-tool: {tmp_path}/platforms.yaml exists\n"
        f"tutorial-tool: {tmp_path}/README.md exists\n"
        "tutorial-tool: nothing was written: name another folder; --keep leaves a README and settings as they are, "
        "--force overwrites all of these\n"
    )
    assert files(tmp_path) == {"README.md", "platforms.yaml"}
    assert ran(str(tmp_path), "--keep").exit_code == 2  # the data is no setting
    assert ran(str(tmp_path), "--force").exit_code == 0
    assert "mine" not in (tmp_path / "README.md").read_text() + (tmp_path / "platforms.yaml").read_text()
    assert ran(str(tmp_path), "--keep").stdout == f"Nothing to write: {tmp_path} has all of these files already.\n"


def test_settings_that_stand_there_can_be_kept(tmp_path: Path) -> None:
    written(tmp_path, {"README.md": "mine", ".gitignore": "/mine/\n"})
    assert ran(str(tmp_path), "--keep").exit_code == 0
    assert (tmp_path / "README.md").read_text() == "mine"
    assert (tmp_path / ".gitignore").read_text() == "/mine/\n"
    assert findings(tmp_path) == []


def test_all_or_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "site_templates/steps/check.md.j2").mkdir(parents=True)
    before = files(tmp_path)
    done = ran(str(tmp_path), "--force")
    assert done.exit_code == 2
    assert "nothing was written" in done.stderr
    assert files(tmp_path) == before


def test_a_slip_in_a_name_is_told(tmp_path: Path) -> None:
    done = ran(str(tmp_path), "--step", "Step 3. Add it")
    assert done.exit_code == 0
    assert "step-3-add-it.md.j2:2:13: warning[typed-number]" in done.stdout


# A site that stands already

SITES = {
    "a list": "site_name: S  # ours\nplugins:\n  - search:  # finds\n      lang: en\n  # the last one\n  - tags  # here\ntheme: material\n",
    "a list at the margin": "site_name: S\ntheme: material\nplugins:\n- search\n\n# more\nextra: {}\n",
    "brackets": "plugins: [search]  # one\nsite_name: S\ntheme: material\n",
    "a mapping": "site_name: S\ntheme: material\nplugins:\n  search: {lang: en}\n  tags: {}\n",
    "no plugins": "site_name: S\ntheme: material\n# the end\n",
    "an empty key": "site_name: S\nplugins:\ntheme: material\n",
    "tags of Python": "site_name: S\ntheme: material\nplugins: [search]\nmarkdown_extensions:\n  - pymdownx.emoji:\n      emoji_index: !!python/name:material.extensions.emoji.twemoji\n",
    "Windows' line ends": "site_name: S\r\ntheme: material\r\nplugins:\r\n  - search\r\n",
}  # fmt: skip


@pytest.mark.parametrize("before", SITES.values(), ids=SITES)
def test_a_site_that_stands_gets_the_plugin(before: str, tmp_path: Path) -> None:
    written(tmp_path, {"docs/index.md": "# Home\n\nWelcome.\n", "README.md": "mine\n"})
    (tmp_path / "mkdocs.yml").write_bytes(before.encode())
    done = ran(str(tmp_path), "--title", "Lamp")
    assert done.exit_code == 0, done.output
    after = (tmp_path / "mkdocs.yml").read_bytes().decode()
    kept = [line for line in before.splitlines() if "plugins:" not in line]
    assert [line for line in after.splitlines() if line in kept] == kept
    assert ("\r\n" in after) == ("\r\n" in before)
    assert "\nInstall `tutorial-tool" in done.output
    assert "and link to lamp/ios/install-the-package.md" in done.output
    assert files(tmp_path) - {"README.md", "docs/index.md", "mkdocs.yml"} == {
        "platforms.schema.json", "platforms.yaml", "site_templates/steps/check.md.j2",
        "site_templates/steps/install-the-package.md.j2",
    }  # fmt: skip
    assert findings(tmp_path) == []


def test_the_site_that_stood_builds_with_the_tutorial(tmp_path: Path) -> None:
    text = "site_name: S\ntheme: material\nnav:\n  - index.md\n"
    written(tmp_path, {"mkdocs.yml": text, "docs/index.md": "# Home\n\nWelcome.\n"})
    ran(str(tmp_path), "--title", "Lamp")
    built(tmp_path)
    assert (tmp_path / "site/lamp/ios/check/index.html").is_file()
    assert (tmp_path / "site/search/search_index.json").is_file()  # MkDocs' own plugin still runs


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("mkdocs.yml", "INHERIT: ../base.yml\nsite_name: S\n", "mkdocs.yml inherits its plugins. Add the plugin to mkdocs.yml"),
        ("mkdocs.yml", "plugins: [search # x\n  ]\n", "Add the plugin to mkdocs.yml, beside those that are there:"),
        ("mkdocs.yml", "plugins: []\n", "Add the plugin to mkdocs.yml, beside those that are there:"),
        ("mkdocs.yml", "plugins: [search\n", "Add the plugin to mkdocs.yml, beside those that are there:"),
        ("zensical.toml", "", "zensical.toml cannot use the MkDocs plugin: run `tutorial-tool render DIR`, and publish the pages in DIR/docs."),
    ],
)  # fmt: skip
def test_what_cannot_be_edited_is_said(name: str, text: str, told: str, tmp_path: Path) -> None:
    written(tmp_path, {name: text})
    done = ran(str(tmp_path))
    assert done.exit_code == 0
    assert told in done.output
    assert (tmp_path / name).read_text() == text


def test_a_site_with_the_plugin_stays_as_it_is(tmp_path: Path) -> None:
    text = "site_name: S\nplugins:\n  - tutorial:\n      lint: false\n"
    written(tmp_path, {"mkdocs.yml": text})
    assert ran(str(tmp_path)).exit_code == 0
    assert (tmp_path / "mkdocs.yml").read_text() == text


@pytest.mark.parametrize("plugins", ["[search, i18n]", "\n  - search\n  - i18n:\n      docs_structure: folder"])
def test_nothing_is_written_into_a_site_that_would_lose_the_pages(plugins: str, tmp_path: Path) -> None:
    written(tmp_path, {"mkdocs.yml": f"site_name: S\nplugins: {plugins}\n"})
    done = ran(str(tmp_path))
    assert done.exit_code == 2
    assert "the plugin `i18n` publishes files of the docs folder only" in done.output
    assert files(tmp_path) == {"mkdocs.yml"}
    assert ran(str(tmp_path / "other")).exit_code == 0
    below = written(tmp_path / "below", {"mkdocs.yml": "INHERIT: ../mkdocs.yml\nsite_name: T\n"})
    assert "../mkdocs.yml:" in ran(str(below)).output
    assert files(below) == {"mkdocs.yml"}


# On a terminal


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are Unix'")
def test_it_asks_on_a_terminal(tmp_path: Path) -> None:
    import pty

    command = [sys.executable, "-m", "tutorial_tool", "init", str(tmp_path / "lamp")]
    ours, theirs = pty.openpty()
    os.write(ours, b"Lamp\nWeb, .NET\n\nnone\n")
    subprocess.run(command, stdin=theirs, stdout=theirs, stderr=theirs, check=True, timeout=60)
    os.close(theirs)
    shown = b"".join(read_all(ours)).decode()
    assert "Title of the tutorial [Quickstart]: " in shown
    assert "Platforms (comma-separated) [iOS, Android]: " in shown
    read = loading.load(site.Layout.find(tmp_path / "lamp")).model
    assert [str(platform.name) for platform in read.platforms.values()] == ["Web", ".NET"]
    assert list(read.tutorials["lamp"].steps) == ["install-the-package", "check"]
    assert not (tmp_path / "lamp/.github").exists()


def read_all(descriptor: int) -> Iterator[bytes]:
    try:
        while chunk := os.read(descriptor, 4096):
            yield chunk
    except OSError:  # the other end is closed
        return


def test_the_data_reads_as_typed() -> None:
    text = scaffold.build_tutorial(scaffold.Answers("T", {"x": "on"}, "S"))["platforms.yaml"]
    assert "name: on," in text or 'name: "on"' in text
    assert Source("platforms.yaml", text).newline == "\n"


@pytest.mark.parametrize("generator", ["mkdocs", "zensical", "hugo", "docusaurus"])
def test_a_new_project_has_no_finding_as_its_generator_publishes_it(tmp_path: Path, generator: str) -> None:
    assert ran(str(tmp_path / "new"), "--generator", generator, "--yes").exit_code == 0
    assert [str(finding) for finding in findings(tmp_path / "new")] == []
    with (tmp_path / "new/site_templates/steps/check.md.j2").open("a") as step:
        step.write("\n1. Open it.\n\n    ```text\n    a fence below an item\n    ```\n\n2. Close it.\n")
    assert [str(finding) for finding in findings(tmp_path / "new")] == []
