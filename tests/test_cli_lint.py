"""`tutorial-tool lint` and `explain`: what they take, what they print, and how they end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import tutorial_tool
from tests import project
from tests.project import DATA, TEMPLATES
from tests.test_variants import page
from tutorial_tool import cli
from tutorial_tool.config import settings
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.rules import get_rules
from tutorial_tool.site import Page

BAD = "# Menu\n\nOpen the the menu.\n"
GOOD = "# Menu\n\nOpen the menu.\n"
BOTH = "page.md:3:6: warning[repeated-word] repeated word `the`\n"


def tool(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli.main, arguments, input=stdin)


def lint(*arguments: str, stdin: bytes | None = None) -> Result:
    """Lint with one line for each finding."""
    return tool("lint", "--output-format", "concise", "--quiet", *arguments, stdin=stdin)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# How it ends


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        (GOOD, [], 0),
        (BAD, [], 1),
        (BAD, ["--exit-zero"], 0),
        (BAD, ["--fail-on", "error"], 0),
        (BAD, ["--ignore", "repeated-word"], 0),
        ("# Menu\n\nTODO: write this.\n", [], 0),
        ("# Menu\n\nTODO: write this.\n", ["--fail-on", "hint"], 1),
    ],
)
def test_the_exit_code_tells_whether_something_was_found(here: Path, text: str, options: list[str], code: int) -> None:
    write(here, {"page.md": text})
    assert lint("page.md", *options).exit_code == code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.md"], "there is no file or folder"),
        (["none.md:1"], "there is no file or folder"),
        (["page.md:9"], "`page.md` has 4 lines, not 9"),
        (["page.md:1", "code.py"], "cannot be combined with other paths"),
        (["page.md:1", "--fix"], "cannot be combined with --fix"),
        (["empty"], "no Markdown file (.md, .markdown, .mdx, .txt) in `empty`"),
        (["code.py"], "no Markdown file (.md, .markdown, .mdx, .txt) in `code.py`"),
        (["--select", "unnamed-link"], "unknown rule or group `unnamed-link`; did you mean `moved-link`?"),
        (["--select", "repeated-wrod"], "unknown rule or group `repeated-wrod`; did you mean `repeated-word`?"),
        (["--per-file-ignores", "docs"], "write GLOB:NAME,NAME"),
        (["--per-file-ignores", "docs:tabels"], "did you mean `tables`?"),
        (["--output-format", "xml"], "`xml` is not one of"),
        (["--isolated", "--config", "page.md"], "cannot be combined"),
        (["--config", "bad.toml", "page.md"], "bad.toml:1:1: unknown option `fail`; did you mean `fail-on`?"),
        (["--output-file", "page.md/findings.txt", "page.md"], "page.md"),
    ],
)
def test_what_cannot_run_ends_with_2(here: Path, arguments: list[str], message: str) -> None:
    write(here, {"page.md": BAD, "code.py": "", "bad.toml": "fail = 1\n"})
    (here / "empty").mkdir()
    result = lint(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_a_folder_without_pages_ends_with_2(here: Path) -> None:
    assert lint().exit_code == 2


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use stays there")
def test_a_folder_that_is_gone_ends_with_2(tmp_path: Path) -> None:
    (folder := tmp_path / "gone").mkdir()
    script = ["sh", "-c", 'rmdir "$1" && exec "$2" -m tutorial_tool lint', "sh", str(folder), sys.executable]
    ran = subprocess.run(script, cwd=folder, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("tutorial-tool: this folder no longer exists")


def test_a_broken_configuration_ends_with_2(here: Path) -> None:
    write(here, {"page.md": BAD, settings.OWN_FILE: 'select = ["tabels"]\n'})
    result = lint()
    assert result.exit_code == 2
    assert result.stderr == (
        "tutorial-tool: tutorial-tool.toml:1:11: `select`: unknown rule or group `tabels`; did you mean `tables`?\n"
    )
    assert lint("--isolated").exit_code == 1


def test_an_error_of_the_tool_is_one_line(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here, {"page.md": BAD})

    def broken(*_: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("tutorial_tool.linter.session.run", broken)
    result = lint("page.md")
    assert result.exit_code == 2
    assert result.stderr.startswith("tutorial-tool: internal error: RuntimeError: two lines (test_cli_lint.py:")
    assert result.stderr.count("\n") == 1


# What is linted


def test_files_and_folders_are_linted_as_they_are(here: Path) -> None:
    names = "page.md docs/a.markdown docs/b.mdx docs/notes.txt docs/.hidden.md docs/node_modules/x.md docs/old/c.md"
    write(here, {name: BAD.replace("Menu", f"Menu {number}") for number, name in enumerate(names.split())})
    found = "docs/a.markdown docs/b.mdx docs/old/c.md"
    assert lint("docs").stdout.splitlines() == [BOTH.strip().replace("page.md", name) for name in found.split()]
    assert lint("docs/notes.txt").stdout == BOTH.replace("page.md", "docs/notes.txt")
    assert len(lint().stdout.splitlines()) == 4
    assert lint("docs", "--extend-exclude", "old", "--show-files").stdout == "docs/a.markdown\ndocs/b.mdx\n"


def test_named_files_are_judged_beside_all_others_in_context(here: Path) -> None:
    many = "# Order {0}\n\nOrder {0} is cancelled, and a cancelled order {0} is gone. See {0} cancelled ones.\n"
    write(here, {f"docs/p{number}.md": many.format(number) for number in range(6)})
    write(here, {"docs/new.md": "# New\n\nIt is canceled. A canceled order, a canceled list and the canceled one.\n"})
    write(here, {"docs/more.md": "# More\n\nIt is cancelled: [so](p1.md#gone).\n"})
    named = ("docs/new.md", "docs/more.md")
    gone = "docs/more.md:3:28: error[broken-anchor] `docs/p1.md` has no anchor `#gone`"
    assert lint(*named).stdout.splitlines() == [
        gone,
        "docs/more.md:3:7: hint[inconsistent-spelling] inconsistent spelling: `cancelled` here, `canceled` elsewhere",
    ]
    assert lint(*named, "--whole-project").stdout.splitlines() == [
        gone,
        "docs/new.md:3:7: hint[inconsistent-spelling] inconsistent spelling: `canceled` here, `cancelled` elsewhere",
    ]
    assert lint(*named, "--whole-project", "--show-files").stdout.split() == sorted(named)
    lint("docs/more.md", "docs/new.md", "--whole-project", "--fix")
    assert (here / "docs/new.md").read_text().count("cancelled") == 4
    assert (here / "docs/more.md").read_text().count("cancelled") == 1
    write(here, {"docs/p1.md": "# One\n\nIt is canceled.\n", "docs/new.md": "# New\n\nAll is well.\n"})
    assert lint(*named, "--whole-project").stdout.count("\n") == 1, "what stands elsewhere is not told"


def test_in_context_a_mistake_on_many_pages_is_told_of_the_named_one(here: Path) -> None:
    write(here, {f"{name}.md": f"# Page {name}\n\nSee [the other](gone.md).\n" for name in "abcdefgh"})
    message = "error[broken-link] link target `gone.md` not found; the same in 7 more places\n"
    assert lint().stdout == f"a.md:3:17: {message}"
    assert lint("f.md", "h.md", "--whole-project").stdout == f"f.md:3:17: {message}"
    (found,) = json.loads(lint("f.md", "h.md", "--whole-project", "--output-format", "json").stdout)
    assert [place["path"] for place in found["related"]] == ["h.md"]


OLD = "versioned_docs/version-1.0"


def write_versions(here: Path, more: str = "") -> None:
    write(here, {"docusaurus.config.js": f"export default {{ presets: [['classic', {{ docs: {{ {more} }} }}]] }};\n"})
    write(here, {"versions.json": '["1.0"]\n', "docs/page.md": BAD + "\n[One](./gone.md)\n"})
    write(here, {f"{OLD}/page.md": BAD + "\n[One](./one.md)\n", f"{OLD}/one.md": GOOD})
    write(here, {"i18n/de/docusaurus-plugin-content-docs/version-1.0/page.md": BAD})


def test_pages_of_older_versions_are_left_out_unless_they_are_named(here: Path) -> None:
    write_versions(here)
    told = tool("lint", "--output-format", "concise")
    assert re.findall(r"^\S+?:\d", told.stdout, re.MULTILINE) == ["docs/page.md:5", "docs/page.md:3"]
    assert told.stderr == "3 pages of older versions are left out (`tutorial-tool lint versioned_docs` lints them).\n"
    (here / "docusaurus.config.js").rename(here / "siteConfig.js")  # of version 1
    assert lint("--show-files").stdout == "docs/page.md\n"
    lint("--fix")
    assert (here / f"{OLD}/page.md").read_text().startswith(BAD)
    for named in (OLD, "versioned_docs", f"{OLD}/page.md"):
        assert lint(named).stdout == BOTH.replace("page.md", f"{OLD}/page.md"), named
    in_context = tool("lint", f"{OLD}/page.md", "--whole-project", "--output-format", "concise")
    assert in_context.stdout.startswith(BOTH.replace("page.md", f"{OLD}/page.md"))
    assert in_context.stderr == "2 pages of older versions are left out (`tutorial-tool lint i18n` lints them).\n"


@pytest.mark.parametrize("newest", ["docs/next", "docs/v1.10.x", "docs"])
def test_of_numbered_folders_with_the_same_pages_only_the_newest_is_linted(here: Path, newest: str) -> None:
    for folder in ("docs/v0.8.x", "docs/v0.9.x", "docs/v1.2.x", "docs/v1.10.x", newest):
        write(here, {f"{folder}/{name}.md": BAD for name in ("faq", "keys", "setup", "usage")})
    assert lint("--show-files").stdout.split() == [f"{newest}/{name}.md" for name in ("faq", "keys", "setup", "usage")]
    count = 12 if newest == "docs/v1.10.x" else 16
    assert tool("lint").stderr.startswith(f"{count} pages of older versions are left out")


def test_numbered_folders_with_pages_of_their_own_are_all_linted(here: Path) -> None:
    chapters = ("1.1", "1.2", "1.3", "2.1")
    files = [f"course/{chapter}/{name}.md" for chapter in chapters for name in ("index", "exercises", f"v{chapter}")]
    files += [f"docs/{version}/{name}.md" for version in ("1.0", "2.0") for name in ("setup", "usage", "faq", "keys")]
    write(here, dict.fromkeys(files, GOOD))
    assert sorted(lint("--show-files").stdout.split()) == sorted(files)


@pytest.mark.parametrize("configuration", ["", "docusaurus.config.js", "mkdocs.yml"])
def test_a_project_has_pages_in_mdx_where_mkdocs_does_not_publish_them(here: Path, configuration: str) -> None:
    around = {configuration: "docs_dir: docs_src\n"} if configuration else {}
    write(here, {"platforms.yaml": DATA, **TEMPLATES, "docs_src/index.md": GOOD, "docs_src/more.mdx": BAD, **around})
    assert ("docs_src/more.mdx:3" in lint().stdout) is (configuration != "mkdocs.yml")


@pytest.mark.parametrize("configuration", ["docusaurus.config.js", "mkdocs.yml"])
def test_around_a_project_that_mkdocs_does_not_publish_all_pages_are_linted(here: Path, configuration: str) -> None:
    write(here, {"platforms.yaml": DATA, **TEMPLATES, "docs_src/index.md": BAD, "blog/new.md": BAD})
    write(here, {configuration: "docs_dir: docs_src\n", "site_templates/extra.md": BAD})
    write(here, {"markdown/.tutorial-tool.json": '["docs/index.md"]', "markdown/docs/index.md": BAD})
    result = lint().stdout.splitlines()
    found = {line.partition(":")[0] for line in result if line.endswith("repeated word `the`")}
    assert found == {"docs_src/index.md", *(["blog/new.md"] if configuration != "mkdocs.yml" else [])}


def test_rules_neither_judge_nor_compare_pages_of_older_versions(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_versions(here)
    write(here, {f"{folder}/{name}/start.md": page(name) for folder in ("docs", OLD) for name in ("ios", "web")})
    judged: list[str] = []

    def check(page: Page) -> Iterator[Finding]:
        judged.append(page.path)
        yield from ()

    monkeypatch.setitem(vars(get_rules()["grammar"]), "check", check)
    lint()
    assert sorted(judged) == ["docs/ios/start.md", "docs/page.md", "docs/web/start.md"]
    assert f"{OLD}/page.md" in lint(OLD).stdout, "what was kept of it is not that it has no findings"
    assert OLD not in lint("--show-variants").stdout


def test_no_page_of_an_older_version_is_suggested(here: Path) -> None:
    write_versions(here)
    write(
        here,
        {
            f"{OLD}/sensors/temperature.md": "# Temperature\n",
            "docs/page.md": "# P\n\n[T](sensors/temperture.md), [Lamps](sensors/lamps.md)\n",
            "docs/sensors/lamps.md": "# Lamps\n\n[P](../page.md)\n",
        },
    )
    assert "link target `sensors/temperture.md` not found\n" in lint().stdout
    write(here, {"docs/sensors/temperature.md": "# Temperature\n"})
    assert "did you mean `sensors/temperature.md`?" in lint().stdout


def test_the_last_release_is_the_newest_version_where_the_next_one_is_not_published(here: Path) -> None:
    write_versions(here, "includeCurrentVersion: false")
    assert f"{OLD}/page.md" in lint("--show-files").stdout
    write(here, {"api_versions.json": '["2.0", "1.0"]'} | {f"api_{OLD[:-3]}{n}.0/page.md": GOOD for n in (1, 2)})
    shown = lint("--show-files").stdout
    assert ("api_versioned_docs/version-2.0/page.md" in shown, f"api_{OLD}/page.md" in shown) == (True, False)


def test_a_page_that_is_named_is_reported_without_the_navigation_of_others(here: Path) -> None:
    write(here, {"mkdocs.yml": "site_name: A\nnav: [index.md, page.md, gone.md]\n"})
    write(here, {"docs/index.md": GOOD, "docs/page.md": BAD})
    navigation = "mkdocs.yml:2:26: error[broken-link] navigation entry `gone.md` is not a page\n"
    page = BOTH.replace("page.md", "docs/page.md")
    assert lint().stdout == lint("docs").stdout == navigation + page
    assert lint("docs/page.md").stdout == lint("docs/page.md", "docs/index.md").stdout == page
    assert lint("--stdin-filename", "docs/page.md", stdin=BAD.encode()).stdout == page


def test_of_a_line_that_is_named_all_is_told_that_concerns_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = "# Connect\n\nOpen the settings of the app.\n\nIt is ready in {} minutes.\n\n![](a.png)\n\n![](a.png)\n"
    write(here, {f"docs/{name}/connect.md": copy.format(5 + (name == "web")) for name in ("ios", "web", "android")})
    write(here, {f"docs/{name}/a.png": "" for name in ("ios", "web", "android")})
    (number,) = lint("docs/web/connect.md:5").stdout.splitlines()
    assert number.startswith("docs/web/connect.md:5:16: warning[drifted-wording]")
    assert "score " in lint("docs/web/connect.md:5:16", "--why").stdout
    assert lint("docs/web/connect.md:3").stdout == ""
    done = tool("lint", "docs/web/connect.md:3", "--why")
    assert done.stderr.endswith("No finding concerns docs/web/connect.md:3.\n")
    assert "No finding" not in tool("lint", "docs/web/connect.md:5").stderr
    image = "connect.md:9:1: warning[missing-alt] image `a.png` has no alt text\n"
    assert lint("docs/ios/connect.md:9").stdout == f"docs/ios/{image}"
    monkeypatch.chdir(here / "docs/web")
    assert lint("../ios/connect.md:9").stdout == f"../ios/{image}"
    (here / "docs/web/connect.md:9").write_text(BAD)
    assert lint("connect.md:9").exit_code == 2, "a file of that name is meant, which is no Markdown"


def test_in_context_what_two_copies_contradict_each_other_in_is_told_of_both(here: Path) -> None:
    table = "\n| Setting | Value |\n| --- | --- |\n| Status | Active |\n| Screen views | {} |\n"
    write(here, {"docs/ios/connect.md": page("iOS") + table.format("Enabled")})
    write(here, {"docs/web/connect.md": page("Web") + table.format("Disabled")})
    told = [lint(f"docs/{name}/connect.md", "--whole-project").stdout for name in ("ios", "web")]
    assert told[0] == told[1]
    assert "conflicting-value" in told[0]


def test_prose_that_names_other_pages_as_evidence_is_about_its_own_page_only(here: Path) -> None:
    (here / settings.OWN_FILE).unlink(missing_ok=True)
    text = "---\ntitle: Prepare\n---\n\n## Menu {: #menu }\n\n{{ table('settings') }}\n\n"
    names = "".join(f"Use LampBox now. It is LampBox {number}.\n\n" for number in range(12))
    templates = {**project.TEMPLATES, "steps/prepare.md.j2": text + names}
    project.write(here, templates=templates, docs={"index.md": "# Home\n\nThe Lampbox way.\n"})
    assert "docs_src/index.md:3:5: warning[inconsistent-name]" in lint().stdout
    assert "inconsistent-name" not in lint("site_templates").stdout


def test_a_run_says_what_was_compared(here: Path) -> None:
    for name in ("ios", "web"):
        write(here, {f"docs/{name}/connect.md": f"# Connect\n\nStart the app on {name}, and connect it to the lamp.\n"})
    write(here, {settings.OWN_FILE: 'variants = ["docs/{platform}/{step}.md"]\n'})
    said = "Compared 1 set of copies (`docs/{platform}/connect`). `tutorial-tool lint docs --show-variants` lists them."
    assert tool("lint", "docs", "--output-format", "full").stderr.strip() == said
    assert tool("lint", "docs", "--output-format", "full", "--select", "text").stderr == ""
    tabs = '# Install\n\n=== "iOS"\n\n    Open the settings.\n\n=== "Web"\n\n    Open the console.\n'
    write(here, {"docs/install.md": tabs})
    said = said.replace("connect`).", "connect`) and 1 set of tabs.")
    assert tool("lint", "docs", "--output-format", "full").stderr.strip() == said


def test_a_file_that_cannot_be_read_does_not_stop_the_others(here: Path) -> None:
    write(here, {"b.md": BAD})
    (here / "a.md").write_bytes(b"# A\n\ncaf\xe9\n")
    assert lint(".").stdout.splitlines() == [
        "a.md:3:4: error[unreadable-file] byte 8 (0xe9, line 3) is not UTF-8; save the file as UTF-8",
        BOTH.strip().replace("page.md", "b.md"),
    ]


def test_paths_are_relative_to_where_it_runs(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here, {"docs/page.md": BAD, settings.OWN_FILE: 'per-file-ignores = {"docs/old/**" = ["ALL"]}\n'})
    write(here, {"docs/old/page.md": BAD})
    assert lint("docs").stdout == BOTH.replace("page.md", "docs/page.md")
    monkeypatch.chdir(here / "docs")
    assert lint(".").stdout == BOTH
    assert lint(str(here / "docs")).stdout == BOTH


def test_from_a_folder_below_all_is_linted_as_from_the_top(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    links = "# A\n\nSee [gone](gone.md), [b](../b/page.md), and [c](/c.md).\n"
    write(here, {"a/page.md": links, "b/page.md": BAD, "vendor/page.md": BAD})
    (here / "a/empty").mkdir()

    def find_from(folder: str, *paths: str) -> set[tuple[str, str]]:
        monkeypatch.chdir(here / folder)
        lines = (line.split(":", 1) for line in lint(*paths).stdout.splitlines())
        return {(os.path.relpath(name, here), rest) for name, rest in lines}

    from_top = find_from(".")
    assert {Path(name).as_posix() for name, _ in from_top} == {"a/page.md", "b/page.md"}
    assert find_from("a", "..") == find_from("a/empty", "../..") == from_top


def test_the_nearest_configuration_holds_for_each_path(here: Path) -> None:
    write(here, {"a/page.md": BAD, "b/page.md": BAD, f"a/{settings.OWN_FILE}": 'ignore = ["repeated-word"]\n'})
    assert lint("a", "b").stdout == BOTH.replace("page.md", "b/page.md")
    assert lint("a", "b", "--select", "repeated-word").stdout.count("\n") == 2
    assert lint().stdout == lint(".").stdout == BOTH.replace("page.md", "b/page.md")


def test_the_nearest_configuration_says_what_fails(here: Path) -> None:
    write(here, {"page.md": GOOD, "a/page.md": BAD, f"a/{settings.OWN_FILE}": 'fail-on = "error"\n'})
    assert [lint(*paths).exit_code for paths in ((), ("a",), ("page.md", "a"))] == [0, 0, 0]
    write(here, {"page.md": BAD, "a/page.md": GOOD})
    assert [lint(*paths).exit_code for paths in ((), ("a",), ("a", "page.md"))] == [1, 0, 1]
    assert lint("--fail-on", "error").exit_code == 0


def test_the_configuration_above_all_named_paths_says_how_to_report(here: Path) -> None:
    write(here, {"a/page.md": BAD, f"a/{settings.OWN_FILE}": 'output-format = "json"\n'})
    write(here, {"b/page.md": BAD, f"b/{settings.OWN_FILE}": 'output-file = "b.txt"\n'})
    assert "-->" in tool("lint").stdout
    write(here, {settings.OWN_FILE: 'output-format = "concise"\n'})
    for paths in ((), ("a", "b"), ("b", "a"), ("b/page.md", "a/page.md")):
        assert tool("lint", *paths).stdout.startswith("a/page.md:3:6: warning")
        assert tool("lint", "--fix", "--select", "broken-link", *paths).stdout == "Nothing found.\n"
    assert json.loads(tool("lint", "a").stdout)
    assert (tool("lint", "b").stdout, (here / "b/b.txt").is_file()) == ("", True)


def test_globs_of_a_named_configuration_are_relative_to_the_current_folder(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(here, {"a/page.md": BAD, "ci/a/page.md": BAD, "ci/all.toml": 'exclude = ["a/page.md"]\n'})
    assert [line.partition(":")[0] for line in lint("--config", "ci/all.toml").stdout.splitlines()] == ["ci/a/page.md"]
    monkeypatch.chdir(here / "ci")
    assert lint("--config", "all.toml").stdout == ""
    assert lint("--config", "all.toml", "..").stdout == BOTH.replace("page.md", "../a/page.md")


def test_a_configuration_above_leaves_out_what_one_below_would_not(here: Path) -> None:
    write(here, {"a/page.md": BAD, "a/deep/page.md": BAD, "b/page.md": BAD})
    write(here, {settings.OWN_FILE: 'exclude = ["b"]\n', f"b/{settings.OWN_FILE}": "exclude = []\n"})
    write(here, {f"a/{settings.OWN_FILE}": 'exclude = ["deep"]\n'})
    assert lint().stdout == BOTH.replace("page.md", "a/page.md")


def test_a_file_that_cannot_be_read_is_told_whatever_is_selected(here: Path) -> None:
    (here / "page.md").write_bytes(b"# Caf\xe9\n")
    assert lint("--select", "text").exit_code == 1
    assert "page.md:1:6: error[unreadable-file]" in lint("--select", "text").stdout
    assert lint("--ignore", "unreadable-file").stdout == ""


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_file_of_two_names_is_one_page_and_fixed_once(here: Path) -> None:
    write(here, {"page.md": BAD, "docs/index.md": "# Home\n\nThe the end.\n"})
    (here / "b.md").symlink_to("page.md")
    (here / "a.md").symlink_to("page.md")
    (here / "README.md").symlink_to("docs/index.md")
    assert lint(".", "--select", "repeated-word").stdout.count("repeated word") == 2
    assert lint("--fix").exit_code == lint("b.md").exit_code
    assert (here / "docs/index.md").read_text() == "# Home\n\nThe end.\n"
    assert (here / "b.md").is_symlink()


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_page_of_a_project_that_has_two_names_is_fixed_once(here: Path) -> None:
    root = project.write(here)
    (root / "docs_src/one.md").write_text("# One\n\nThe the end.\n")
    (root / "docs_src/two.md").symlink_to("one.md")
    assert lint("--fix").exit_code == 0
    assert (root / "docs_src/two.md").read_text() == "# One\n\nThe end.\n"


def test_the_language_can_be_told(here: Path) -> None:
    slip = "# Menu\n\nClick on the your button.\n"
    write(here, {"page.md": slip, "french.md": "---\nlang: fr\n---\n\n" + slip, settings.OWN_FILE: 'lang = "en-GB"\n'})
    assert [finding.split(":")[0] for finding in lint("--select", "grammar").stdout.splitlines()] == ["page.md"]
    write(here, {settings.OWN_FILE: 'lang = "de"\n'})
    assert lint("--select", "grammar").stdout == ""


def test_a_stated_severity_wins_over_what_a_rule_says_itself(here: Path) -> None:
    write(here, {"page.md": BAD, settings.OWN_FILE: 'severity = {repeated-word = "error", grammar = "hint"}\n'})
    assert lint().stdout == BOTH.replace("warning", "error")


# A project

DONE = "site_templates/steps/finish.md.j2:9:1: warning[repeated-word] repeated word `the` (swan, otter)\n"


@pytest.fixture
def tutorial(here: Path) -> Path:
    templates = {**TEMPLATES, "steps/finish.md.j2": TEMPLATES["steps/finish.md.j2"].replace("Done.", "The the end.")}
    return project.write(here / "tutorial", DATA, templates, {"more.md": BAD})


def only(*arguments: str) -> str:
    return lint("--select", "repeated-word", *arguments).stdout


def test_a_project_is_linted_at_its_sources(tutorial: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = BOTH.replace("page.md", "docs_src/more.md")
    monkeypatch.chdir(tutorial)
    assert only() == more + DONE
    assert only("docs_src") == more
    assert only("site_templates/steps") == DONE
    assert only("platforms.yaml") == ""
    assert only("--isolated", "docs_src/more.md") == more
    monkeypatch.chdir(tutorial / "site_templates")
    assert only() == (more + DONE).replace("docs_src", "../docs_src").replace("site_templates/", "")
    monkeypatch.chdir(tutorial.parent)
    assert only(".") == "".join(f"tutorial/{line}" for line in (more + DONE).splitlines(True))


def test_pages_beside_a_project_are_plain(tutorial: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tutorial, {"README.md": BAD})
    monkeypatch.chdir(tutorial)
    assert only("README.md") == BOTH.replace("page.md", "README.md")
    assert "README.md" not in only()


# Standard input


def test_standard_input_stands_for_a_file(here: Path, tutorial: Path) -> None:
    assert lint("--stdin-filename", "new.md", stdin=BAD.encode()).stdout == BOTH.replace("page.md", "new.md")
    step = tutorial / "site_templates/steps/finish.md.j2"
    text = step.read_bytes().replace(b"The the end", b"A a end")
    found = only_stdin(step, text)
    assert found == f"tutorial/{DONE}".replace("`the`", "`a`")
    assert "UTF-8" in only_stdin(step, b"\xff")


@pytest.mark.parametrize("name", ["docs_src/new.md", "docs_src/more/new.md", "docs_src/guide/swan/new.md"])
def test_standard_input_may_stand_for_a_file_that_is_to_come(tutorial: Path, name: str) -> None:
    found = only_stdin(tutorial / name, b"# New\n\nThe the end.\n")
    assert f"tutorial/{name}:3:1: warning[repeated-word]" in found
    assert "no such file" not in found


def test_a_template_that_is_to_come_is_one_that_no_tutorial_names(tutorial: Path) -> None:
    path = tutorial / "site_templates/steps/new.md.j2"
    told = lint("--stdin-filename", str(path), stdin=b"---\ntitle: New\n---\n\nThe end.\n").stdout
    assert "warning[unused-template]" in told


def only_stdin(path: Path, text: bytes) -> str:
    return lint("--select", "repeated-word", "--stdin-filename", str(path), stdin=text).stdout


def test_fixing_standard_input_prints_the_fixed_text(here: Path) -> None:
    result = lint("--fix", "--stdin-filename", "new.md", stdin=BAD.replace("\n", "\r\n").encode())
    assert result.stdout_bytes == GOOD.replace("\n", "\r\n").encode()
    assert result.exit_code == 0
    broken = lint("--fix", "--stdin-filename", "new.md", stdin=b"caf\xe9\r\n")
    assert (broken.exit_code, broken.stdout_bytes) == (1, b"caf\xe9\r\n")
    assert "UTF-8" in broken.stderr
    unread = tool("lint", "--diff", "--stdin-filename", "new.md", stdin=b"caf\xe9\r\n")
    assert (unread.exit_code, unread.stdout) == (2, "")
    assert "new.md:1:4: unreadable-file: byte 3 (0xe9, line 1) is not UTF-8" in unread.stderr


# Fixes


def test_fix_writes_and_tells(here: Path) -> None:
    write(here, {"page.md": BAD})
    result = tool("lint", "--fix")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "Nothing found.\n", "Fixed 1: 1 repeated-word\n")
    assert (here / "page.md").read_text() == GOOD
    assert tool("lint", "--fix").stderr == ""


def test_diff_shows_and_writes_nothing(here: Path) -> None:
    write(here, {"page.md": BAD})
    result = tool("lint", "--diff")
    assert result.exit_code == 1
    assert "-Open the the menu.\n+Open the menu.\n" in result.stdout
    assert (here / "page.md").read_text() == BAD
    assert tool("lint", "--diff", "--ignore", "repeated-word").exit_code == 0


def test_diff_goes_to_the_file_that_the_command_line_names(here: Path) -> None:
    write(here, {"page.md": BAD, settings.OWN_FILE: 'output-format = "json"\noutput-file = "findings.json"\n'})
    printed, written = tool("lint", "--diff"), tool("lint", "--diff", "-o", "fixes.patch")
    assert (printed.exit_code, written.exit_code, written.stdout) == (1, 1, "")
    assert (here / "fixes.patch").read_text() == printed.stdout
    assert not (here / "findings.json").exists()
    refused = [tool("lint", "--diff", *options) for options in (("--output-format", "json"), ("--statistics",))]
    assert [result.exit_code for result in refused] == [2, 2]
    assert all("it prints a patch" in result.stderr for result in refused)


def test_named_paths_of_a_project_are_fixed_and_no_others(tutorial: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tutorial)
    assert only("--fix", "docs_src") == ""
    assert (tutorial / "docs_src/more.md").read_text() == GOOD
    assert only() == DONE


# Printing


def test_what_is_named_and_cannot_be_linted_is_named_as_it_was(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "empty").mkdir()
    (here / "loop").symlink_to("loop")
    (here / "docs").mkdir()
    monkeypatch.chdir(here / "docs")
    for name, message in (
        ("../empty", "no Markdown file (.md, .markdown, .mdx, .txt) in `../empty`"),
        ("../loop", "the symbolic link `../loop` has no target"),
        ("-", "there is no file or folder `-`; for standard input, use --stdin-filename"),
    ):
        result = tool("lint", name)
        assert (result.exit_code, result.stderr.strip().splitlines()[-1].partition(": ")[2]) == (2, message)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_output_that_nothing_takes_is_one_message(here: Path) -> None:
    write(here, {"page.md": BAD})
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tutorial_tool", "lint"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (2, "tutorial-tool: no space left on device\n")


def test_a_search_of_all_of_the_home_folder_is_announced(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here, {"docs/page.md": GOOD})
    monkeypatch.setenv("HOME", str(here))
    said = f"Searching all of `{here}`, which may take minutes; name a folder to lint less.\n"
    assert [tool("lint", *paths).stderr for paths in ((), ("docs",), ("docs", "."))] == [said, "", said]
    assert tool("lint", "--quiet").stderr == ""


def test_findings_can_go_to_a_file(here: Path) -> None:
    write(here, {"page.md": BAD})
    result = tool("lint", "--output-format", "json", "--output-file", "findings.json")
    assert (result.exit_code, result.output) == (1, "")
    (found,) = json.loads((here / "findings.json").read_text(encoding="utf-8"))
    assert (found["rule"], found["path"], found["line"], found["column"]) == ("repeated-word", "page.md", 3, 6)


def test_a_file_that_the_command_line_names_is_where_it_runs(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(here, {"docs/page.md": BAD, settings.OWN_FILE: 'output-file = "set.txt"\n'})
    monkeypatch.chdir(here / "docs")
    lint(".", "-o", "named.txt")
    lint(".")
    assert sorted(path.name for path in here.rglob("*.txt")) == ["named.txt", "set.txt"]
    assert [(here / name).is_file() for name in ("docs/named.txt", "set.txt")] == [True, True]


def test_statistics_count(here: Path) -> None:
    write(here, {"a.md": BAD, "b.md": BAD})
    result = tool("lint", "--statistics")
    assert result.stdout.startswith("     2  repeated-word  ")
    assert result.exit_code == 1
    counted, *_ = json.loads(tool("lint", "--statistics", "--output-format", "json").stdout)
    assert (counted["rule"], counted["findings"]) == ("repeated-word", 2)


@pytest.mark.parametrize(
    ("environment", "colored"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals(
    here: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], colored: bool
) -> None:
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    write(here, {"page.md": BAD})
    assert ("\x1b[" in tool("lint").stdout) is colored
    assert ("\x1b[" in tool("explain", "repeated-word").stdout) is colored


# The manuals


def test_explain_prints_a_manual() -> None:
    text = tool("explain", "repeated-word").stdout
    assert text.startswith(
        "repeated-word\ntext · warning · fixable with --fix\n\nReports a word that is written twice in a row"
    )
    assert "⟦" not in text
    assert "```" not in text


def test_explain_shows_examples_as_lint_tells_them() -> None:
    text = tool("explain", "heading-order").stdout
    assert (
        "  Reported:\n    # Connect\n\n    ## Create\n\n    #### Options\n    ^^^^^^^^^^^^ heading skips from level 2 to level 4"
        in text
    )
    assert "<!--" not in text


@pytest.mark.skipif(sys.platform == "win32", reason="it has no terminals of this kind")
@pytest.mark.parametrize(("rule", "pages"), [("missing-step", True), ("unsafe-path", False)])
def test_a_long_manual_opens_at_its_begin_on_a_terminal(rule: str, pages: bool) -> None:
    import pty

    mine, theirs = pty.openpty()
    environment = {**os.environ, "PAGER": "grep -c .", "LINES": "30", "COLUMNS": "80"}
    run = [sys.executable, "-m", "tutorial_tool", "explain", rule]
    said = b""
    with subprocess.Popen(run, stdout=theirs, stdin=theirs, env=environment):
        os.close(theirs)
        with suppress(OSError):  # the other end is closed
            while read := os.read(mine, 20_000):
                said += read
    os.close(mine)
    assert said.strip().isdigit() is pages


def test_explain_says_for_what_an_example_holds() -> None:
    text = tool("explain", "broken-list-numbering").stdout
    assert "  Reported (dialect: python-markdown):\n" in text
    assert "  After --fix:\n" in text


def test_explain_lists_every_rule() -> None:
    text = tool("explain").stdout
    assert all(f"\n  {name} " in text for name in get_rules())


def test_explain_suggests() -> None:
    result = tool("explain", "repeated-wrod")
    assert result.exit_code == 2
    assert "unknown rule or group `repeated-wrod`; did you mean `repeated-word`?" in result.stderr


# The function


def test_a_project_whose_data_is_gone_says_so(here: Path) -> None:
    project.write(here)
    write(here, {"mkdocs.yml": "site_name: Birds\nplugins: [tutorial]\n"})
    (here / "platforms.yaml").unlink()
    (told,) = lint().stdout.splitlines()
    assert told.startswith("platforms.yaml:1:1: error[unreadable-file] there is no such file here; name the project")


@pytest.mark.parametrize("text", ["", "# Platforms\n"])
def test_an_empty_data_file_is_the_one_finding(here: Path, text: str) -> None:
    project.write(here)
    write(here, {"platforms.yaml": text})
    (told,) = lint().stdout.splitlines()
    assert told.startswith(
        "platforms.yaml:1:1: error[invalid-data] the file is empty: it needs `platforms` and `tutorials`"
    )


def test_the_function_gives_findings(here: Path) -> None:
    write(here, {"docs/page.md": BAD, "docs/good.md": GOOD.replace("# Menu", "# Good")})
    assert [f"{finding}" for finding in tutorial_tool.lint(["docs"])] == [
        "docs/page.md:3:6: repeated-word: repeated word `the`"
    ]
    assert tutorial_tool.lint(Path("docs/good.md")) == []
    with pytest.raises(FileNotFoundError):
        tutorial_tool.lint("none.md")


# As a program


def program(*arguments: str, **how: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tutorial_tool", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)


def test_it_runs_as_a_program(here: Path) -> None:
    write(here, {"page.md": BAD})
    process = program("lint", "--output-format", "concise")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out.splitlines()[0], err) == (1, BOTH.strip(), "")


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_watch_lints_again_when_a_file_is_saved(here: Path) -> None:
    write(here, {"page.md": GOOD})
    log = here / "log"
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a program inherits it if a script's `&` ignores Ctrl+C
    with log.open("w") as stream:
        command = [sys.executable, "-m", "tutorial_tool", "lint", "--watch", "--output-format", "concise"]
        process = subprocess.Popen(command, stdout=stream, stderr=stream, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    try:
        assert shows(log, "Waiting for changes. Press Ctrl+C to stop.\n", 1)
        write(here, {"page.md": BAD})
        assert shows(log, BOTH, 1)
        assert shows(log, "Waiting for changes. Press Ctrl+C to stop.\n", 2)
        write(here, {"page.md": GOOD})
        assert shows(log, "Nothing found.\n", 2)
        assert shows(log, "Waiting for changes. Press Ctrl+C to stop.\n", 3)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
        assert "Traceback" not in log.read_text()
    finally:
        process.kill()
        process.wait()


def shows(log: Path, text: str, times: int) -> bool:
    """Whether a log comes to hold a text so many times within 20 seconds."""
    for _ in range(200):
        if log.read_text().count(text) >= times:
            return True
        time.sleep(0.1)
    return False


def test_what_was_not_looked_for_is_said_once(here: Path) -> None:
    write(here, {"page.md": GOOD, "more/page.md": "# More\n\nGo on.\n"})
    code = (
        "import sys\nfrom tutorial_tool.spelling import known_misspellings\nfrom tutorial_tool.cli import main\n"
        "known_misspellings.find_program = lambda: None\nmain()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, "lint"], cwd=here, capture_output=True, text=True, check=False, timeout=60
    )
    assert ran.returncode == 0
    assert ran.stderr.count("`typos` is not installed") == 1
    quiet = subprocess.run(
        [sys.executable, "-c", code, "lint", "-q"], cwd=here, capture_output=True, text=True, check=False
    )
    assert quiet.stderr == ""


def test_a_folder_that_is_left_aside_is_linted_where_it_is_named(here: Path) -> None:
    write(here, {"node_modules/kit/docs/page.md": BAD, "node_modules/kit/docs/node_modules/x.md": BAD})
    assert lint(".").exit_code == 2
    assert lint("node_modules/kit/docs").stdout == BOTH.replace("page.md", "node_modules/kit/docs/page.md")


def test_what_others_wrote_is_left_aside_in_the_root(here: Path) -> None:
    names = ("vendor/kit/page.md", "third_party/page.md", "docs/bower_components/kit/page.md", "docs/vendor/page.md")
    write(here, dict.fromkeys(names, BAD))
    assert lint(".").stdout == BOTH.replace("page.md", "docs/vendor/page.md")
    assert lint("vendor").stdout == BOTH.replace("page.md", "vendor/kit/page.md")


def test_a_site_that_was_built_is_left_aside_unless_it_is_named(here: Path) -> None:
    write(here, {"page.md": BAD, "docs/site/index.html": "", "docs/site/guide/page.md": BAD, "docs/site/llms.txt": ""})
    assert "docs/site/guide/page.md" in lint(".").stdout, "any folder with a page of HTML"
    write(here, {"docs/site/sitemap.xml": ""})
    assert lint(".").stdout == BOTH
    assert lint("docs/site").stdout == BOTH.replace("page.md", "docs/site/guide/page.md")


def test_what_tests_read_is_left_aside_unless_it_is_named(here: Path) -> None:
    names = (
        "tests/unit/fixtures/page.md",
        "tests/data/out/page.md",
        "lib/testdata/page.md",
        "docs/tests/fixtures/page.md",
    )
    write(here, dict.fromkeys(names, BAD))
    assert lint(".").stdout == BOTH.replace("page.md", "docs/tests/fixtures/page.md")
    assert lint("tests/unit/fixtures").stdout == BOTH.replace("page.md", "tests/unit/fixtures/page.md")


def test_a_project_without_pages_is_told(here: Path) -> None:
    write(here, {"platforms.yaml": "platforms:\n  web: {name: Web}\n", "page.md": BAD})
    ran = tool("lint")
    assert (ran.exit_code, ran.stdout) == (0, "Nothing found.\n")
    assert ran.stderr == "there is no page in `docs_src`: only the data was checked.\n"
    write(here, {"docs_src/page.md": "# Menu\n"})
    assert "there is no page" not in tool("lint").stderr


# Files that programs name


def test_excluded_files_that_are_named_are_left_out_where_that_is_asked(here: Path) -> None:
    write(here, {"page.md": BAD, "old/page.md": BAD, "drafts/a/b.md": BAD, "data.yaml": "a: 1\n"})
    options = ("--exclude", "old,drafts", "--force-exclude")
    assert lint("old/page.md", "--exclude", "old").stdout == BOTH.replace("page.md", "old/page.md")
    assert lint("old/page.md", "page.md", "drafts", "data.yaml", *options).stdout == BOTH
    assert lint(".", *options).stdout == BOTH
    write(here, {settings.OWN_FILE: 'exclude = ["old/"]\nforce-exclude = true\n'})
    assert lint("old/page.md").exit_code == 0


@pytest.mark.parametrize("named", ["old/page.md", "old", "data.yaml"])
def test_nothing_is_wrong_where_exclusion_leaves_nothing(here: Path, named: str) -> None:
    write(here, {"old/page.md": BAD, "data.yaml": "a: 1\n"})
    result = tool("lint", named, "--exclude", "old", "--force-exclude", "--output-format", "json")
    assert (result.exit_code, result.stdout) == (0, "[]\n")
    assert result.stderr == "nothing to lint: the named files are excluded or are not Markdown\n"
    assert lint(named, "--exclude", "old", "--force-exclude", "--show-files").stdout == ""


def test_an_exclusion_that_leaves_nothing_is_told(here: Path) -> None:
    write(here, {"page.md": "# Menu\n"})
    ran = lint("--exclude", "**")
    assert ran.exit_code == 2
    assert "no Markdown file (.md, .markdown, .mdx) in this folder that `exclude` leaves" in ran.stderr
    project.write(here)
    ran = tool("lint", "--exclude", "**")
    assert ran.exit_code == 0
    assert "`exclude` excludes all of the files: nothing is reported." in ran.stderr
    assert "`exclude`" not in tool("lint", "--exclude", "docs_src/**").stderr
    write(here, {"docs_src/other.md": BAD})
    assert "docs_src/other.md" in lint("docs_src/other.md", "--exclude", "docs_src").stdout
    assert "docs_src/other.md" not in lint(".", "--exclude", "docs_src").stdout


def test_excluded_standard_input_comes_out_as_it_went_in(here: Path) -> None:
    write(here, {"old/page.md": GOOD})
    options = ("--exclude", "old", "--force-exclude", "--fix", "--stdin-filename", "old/page.md")
    assert lint(*options, stdin=BAD.encode()).stdout == BAD


def test_several_reports_of_one_run(here: Path) -> None:
    write(here, {"page.md": BAD})
    reports = ("--report", "json=out.json", "--report", "markdown=reports/out.md")
    assert lint("page.md", *reports).stdout == BOTH
    assert json.loads((here / "out.json").read_text())[0]["rule"] == "repeated-word"
    assert "<code>repeated-word</code>" in (here / "reports/out.md").read_text()


@pytest.mark.parametrize(
    ("report", "message"),
    [("sarif", "write FORMAT=FILE"), ("json=", "write FORMAT=FILE"), ("xml=a", "unknown format `xml`")],
)
def test_a_report_has_a_format_and_a_file(here: Path, report: str, message: str) -> None:
    write(here, {"page.md": BAD})
    result = lint("page.md", "--report", report)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("variables", "link"),
    [
        ({}, "| page.md:3:6 |"),
        (
            {
                "GITHUB_ACTIONS": "true",
                "GITHUB_SERVER_URL": "https://github.com",
                "GITHUB_REPOSITORY": "a/b",
                "GITHUB_SHA": "c0ffee",
            },
            "| [page.md:3:6](https://github.com/a/b/blob/c0ffee/page.md#L3) |",
        ),
        (
            {"GITLAB_CI": "true", "CI_PROJECT_URL": "https://gitlab.com/a/b", "CI_COMMIT_SHA": "c0ffee"},
            "| [page.md:3:6](https://gitlab.com/a/b/-/blob/c0ffee/page.md#L3) |",
        ),
        (
            {"GITLAB_CI": "true", "CI_PROJECT_URL": "https://x.example", "CI_COMMIT_SHA": "1", "CI_PROJECT_DIR": ".."},
            "(https://x.example/-/blob/1/docs/page.md#L3)",
        ),
    ],
)
def test_markdown_leads_to_the_files_of_the_commit(
    here: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], link: str
) -> None:
    for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE", "GITLAB_CI", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    (here / "docs").mkdir()
    monkeypatch.chdir(here / "docs")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    write(here, {"docs/page.md": BAD})
    assert link in tool("lint", "page.md", "--output-format", "markdown").stdout
