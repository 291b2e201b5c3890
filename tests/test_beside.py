"""Other linters beside this one: what they find on the published pages is told at its source, as if it were ours."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from tests import project
from tutorial_tool import external_linters
from tutorial_tool.cli import main
from tutorial_tool.config import settings
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.external_linters import mirror_project, running
from tutorial_tool.external_linters.tool import LintedFiles, UnreadableOutput, convert_utf16_column
from tutorial_tool.rules import get_rules

PAGE = "# Page\n\n## Two\nAn acommodation of teh page.\n"
posix = pytest.mark.skipif(os.name == "nt", reason="the program is a script")


def lint(folder: Path, *arguments: str, monkeypatch: pytest.MonkeyPatch) -> Result:
    monkeypatch.chdir(folder)
    return CliRunner().invoke(main, ["lint", "--output-format", "concise", *arguments])


def needs(name: str) -> str:
    path = running.find_program(external_linters.TOOLS[name], Path.cwd())
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def program(folder: Path, name: str, script: str) -> None:
    """A program of that name, which the search for tools finds first."""
    path = folder / "node_modules/.bin" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{textwrap.dedent(script)}", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


# The places


def test_a_finding_of_a_page_stands_at_its_template_once_with_its_platforms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    templates = {**project.TEMPLATES, "steps/finish.md.j2": "---\ntitle: Finish\n---\n\n## Check {: #check }\nDone.\n"}
    project.write(tmp_path, templates=templates)
    ran = lint(tmp_path, "--with", "rumdl", "--select", "rumdl/MD022", monkeypatch=monkeypatch)
    assert ran.stdout.splitlines() == [
        "site_templates/steps/finish.md.j2:5:1: warning[rumdl/MD022] Expected 1 blank line below heading (swan, otter)",
        "Found 1 warning in 1 file.",
    ]
    assert ran.exit_code == 1


def test_a_finding_of_a_value_stands_in_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = project.DATA.replace("swan-kit", "teh-swan-kit").replace("{setting: Sound,", "{setting: Teh Sound,")
    project.write(tmp_path, data)
    ran = lint(tmp_path, "--with", "typos", "--select", "typos", monkeypatch=monkeypatch)
    places = [line.partition(": ")[0] for line in ran.stdout.splitlines()[:-1]]
    lines = data.splitlines()
    expected = [
        (number, line.lower().index("teh") + 1) for number, line in enumerate(lines, 1) if "teh" in line.lower()
    ]
    assert places == [f"platforms.yaml:{line}:{column}" for line, column in expected]
    assert "(swan, otter)" in ran.stdout


def test_what_the_tool_itself_wrote_is_told_once_at_the_tag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "---\ntitle: Finish\n---\n\nA table:\n{{ table('settings') }}\nThe end.\n\n## Check {: #check }\n"
    project.write(tmp_path, templates={**project.TEMPLATES, "steps/finish.md.j2": text})
    (tmp_path / ".rumdl.toml").write_text("[global]\nenable = ['MD058']\n")
    ran = lint(tmp_path, "--with", "rumdl", "--select", "rumdl", monkeypatch=monkeypatch)
    found = [line for line in ran.stdout.splitlines() if "finish" in line]
    assert found
    assert all(line.startswith("site_templates/steps/finish.md.j2:6:") for line in found)
    assert all(line.endswith("(swan, otter)") for line in found)


def test_what_the_engine_makes_gives_rumdl_nothing_to_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures, tables, code and links are written as Markdown linters like them, in the Markdown of the engine."""
    project.write(tmp_path)
    ran = lint(tmp_path, "--with", "rumdl", "--select", "rumdl", monkeypatch=monkeypatch)
    assert (ran.stdout, ran.exit_code) == ("Nothing found.\n", 0), ran.output


def test_files_of_a_tree_are_told_where_they_stand_whatever_their_names_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["-rf.md", "two words.md", "[id].md", "ünï/côde.md"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + PAGE.replace("\n", "\r\n").encode())
    ran = lint(tmp_path, "--with", "rumdl,typos", "--select", "rumdl/MD022,typos", monkeypatch=monkeypatch)
    for name in names:
        for place in ("3:1", "4:4", "4:20"):
            assert f"{name}:{place}: warning[" in ran.stdout
    assert ran.stdout.endswith("Found 12 warnings in 4 files.\n")
    assert all((tmp_path / name).read_bytes().startswith(b"\xef\xbb\xbf# Page\r\n") for name in names)


# One report


def test_all_reports_have_the_rules_of_other_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text(PAGE)
    told = ("--with", "rumdl", "--select", "rumdl/MD022", "--output-format")
    for format_ in ("full", "concise", "json", "github", "gitlab", "junit"):
        assert "rumdl/MD022" in lint(tmp_path, *told, format_, monkeypatch=monkeypatch).stdout
    sarif = json.loads(lint(tmp_path, *told, "sarif", monkeypatch=monkeypatch).stdout)
    (rule,) = sarif["runs"][0]["tool"]["driver"]["rules"]
    assert (rule["id"], rule["helpUri"]) == ("rumdl/MD022", "https://rumdl.dev/md022/")
    assert "A rule of rumdl" in rule["help"]["text"]
    counted = lint(tmp_path, *told[:-1], "--statistics", monkeypatch=monkeypatch).stdout
    assert counted == "     1  rumdl/MD022  A rule of rumdl, which checks the style of Markdown.\n"


def test_one_defect_is_one_finding_and_ours_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text(PAGE)
    ran = lint(tmp_path, "--with", "typos", "--with", "codespell", "--output-format", "json", monkeypatch=monkeypatch)
    found = json.loads(ran.stdout)
    assert [finding["rule"] for finding in found] == ["misspelling", "misspelling"]
    related = [item["message"] for item in found[1]["related"]]
    assert related == ["typos/typo: `teh` should read `the`", "codespell/typo: `teh` should read `the`"]


def test_two_tools_that_see_one_defect_tell_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text("# Page\n\nSee `teh` code.\n")
    ran = lint(tmp_path, "--with", "typos,codespell", monkeypatch=monkeypatch)
    assert ran.stdout.splitlines()[0] == "page.md:3:6: warning[typos/typo] `teh` should read `the`"
    assert "codespell" not in ran.stdout


def test_the_two_linters_of_one_family_yield_to_each_other() -> None:
    assert "rumdl/MD007" in get_rules()["markdownlint-cli2/MD007"].yields_to
    assert {"missing-alt", "rumdl/MD045"} <= set(get_rules()["markdownlint-cli2/MD045"].yields_to)


def test_the_words_of_other_tools_are_silenced_as_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    told = ("--with", "rumdl", "--ignore", "text", "--ignore")
    assert "MD022" not in lint(tmp_path, *told, "rumdl/MD022", monkeypatch=monkeypatch).stdout
    assert "rumdl" not in lint(tmp_path, *told, "rumdl", monkeypatch=monkeypatch).stdout
    page.write_text(PAGE.replace("## Two", "<!-- tutorial-tool: ignore[rumdl/MD022] tight -->\n\n## Two"))
    assert lint(tmp_path, *told, "grammar", monkeypatch=monkeypatch).stdout == "Nothing found.\n"
    page.write_text(PAGE.replace("## Two\n", "<!-- tutorial-tool: ignore[rumdl/MD022] tight -->\n\n## Two\n\n"))
    assert "unused-ignore" in lint(tmp_path, *told, "grammar", monkeypatch=monkeypatch).stdout
    assert lint(tmp_path, "--ignore", "text", monkeypatch=monkeypatch).stdout == "Nothing found.\n"


def test_the_configuration_names_tools_their_rules_and_severities(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.md").write_text(PAGE)
    (tmp_path / "old.md").write_text(PAGE.replace("# Page", "# Old"))
    (tmp_path / "tutorial-tool.toml").write_text(
        'with = ["rumdl"]\nignore = ["text"]\n[severity]\n"rumdl/MD022" = "hint"\n'
        '[per-file-ignores]\n"old.md" = ["rumdl"]\n'
    )
    ran = lint(tmp_path, monkeypatch=monkeypatch)
    assert ran.stdout.startswith("page.md:3:1: hint[rumdl/MD022] Expected 1 blank line below heading\n")
    assert "old.md" not in ran.stdout
    assert ran.exit_code == 0


def test_a_baseline_keeps_the_findings_of_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text(PAGE)
    (tmp_path / "tutorial-tool.toml").write_text('with = ["rumdl"]\nbaseline = "known.json"\n')
    lint(tmp_path, "--write-baseline", "known.json", monkeypatch=monkeypatch)
    assert "rumdl/MD022" in (tmp_path / "known.json").read_text()
    assert lint(tmp_path, monkeypatch=monkeypatch).stdout == "Nothing found.\n"
    (tmp_path / "tutorial-tool.toml").write_text('baseline = "known.json"\n')
    lint(tmp_path, "--write-baseline", "known.json", monkeypatch=monkeypatch)
    assert "rumdl/MD022" in (tmp_path / "known.json").read_text(), "nobody looked whether it is mended"


def test_a_fix_of_ours_is_followed_by_what_the_tools_say_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text(PAGE)
    ran = lint(tmp_path, "--with", "rumdl", "--fix", monkeypatch=monkeypatch)
    assert "the page." in (tmp_path / "page.md").read_text()
    assert "Fixed 2: 2 misspelling" in ran.stderr
    assert ran.stdout.splitlines()[0] == "page.md:3:1: warning[rumdl/MD022] Expected 1 blank line below heading"


def test_what_is_on_standard_input_is_what_tools_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text("# Page\n")
    monkeypatch.chdir(tmp_path)
    arguments = ["lint", "--with", "rumdl", "--stdin-filename", "page.md", "--select", "rumdl"]
    ran = CliRunner().invoke(main, arguments, input="# Page\n\n\n\nText.\n")
    assert "rumdl/MD012" in ran.stdout


def test_explain_tells_what_a_rule_of_a_tool_is() -> None:
    ran = CliRunner().invoke(main, ["explain", "rumdl/MD022"])
    assert ran.exit_code == 0
    assert "A rule of rumdl, which checks the style of Markdown." in ran.stdout
    assert "https://rumdl.dev/md022/" in ran.stdout
    assert CliRunner().invoke(main, ["explain", "rumdle/MD022"]).exit_code == 2


# The tools' own configuration


def test_the_configuration_of_a_tool_is_found_where_the_tool_looks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the folder of the repository, above the project, with the files that it names."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".codespellrc").write_text("[codespell]\nignore-words = ok.txt\n")
    root = project.write(tmp_path / "site", docs={"page.md": "# Page\n\nA `teh` and `recieve`.\n"})
    (root / ".codespellrc").write_text("[codespell]\nignore-words = words/ok.txt\n")
    (root / "words").mkdir()
    (root / "words/ok.txt").write_text("teh\n")
    (tmp_path / "_typos.toml").write_text("[default.extend-words]\nrecieve = 'recieve'\n")
    told = ("--with", "typos,codespell", "--select", "typos,codespell")
    ran = lint(root, *told, monkeypatch=monkeypatch)
    assert ran.stdout.splitlines()[:2] == [
        "docs_src/page.md:3:4: warning[typos/typo] `teh` should read `the`",
        "docs_src/page.md:3:14: warning[codespell/typo] `recieve` should read `receive`",
    ]


def test_links_to_pictures_and_pages_that_are_published_lead_somewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = {"page.md": "# Page\n\n![A swan](img/swan.png) [Step](guide/swan/prepare.md) [No](guide/swan/none.md)\n"}
    root = project.write(tmp_path, docs=docs)
    (root / "docs_src/img").mkdir()
    (root / "docs_src/img/swan.png").write_bytes(b"\x89PNG")
    ran = lint(root, "--with", "rumdl", "--select", "rumdl/MD057", monkeypatch=monkeypatch)
    assert ran.stdout.splitlines()[0].startswith("docs_src/page.md:3:")
    assert "none.md" in ran.stdout
    assert "Found 1 error" in ran.stdout


@posix
def test_a_tool_that_mends_reaches_no_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    script = (
        "import sys\nfor path in sys.argv[1:]:\n    if path.startswith(':'):\n        open(path[1:], 'w').write('x')\n"
    )
    program(tmp_path, "markdownlint-cli2", script)
    lint(tmp_path, "--with", "markdownlint-cli2", monkeypatch=monkeypatch)
    assert page.read_text() == PAGE


def test_the_private_folder_has_pages_of_its_own_and_is_gone_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "docs/ios").mkdir(parents=True)
    (tmp_path / "docs/ios/old.md").write_text("old\n")
    (tmp_path / "docs/shared.css").write_text("css\n")
    texts = {"docs/ios/old.md": "new\n", "docs/web/page.md": "page\n"}
    with mirror_project(tmp_path, texts, ["docs/img/figure.svg"]) as folder:
        assert {path: (folder / path).read_text() for path in texts} == texts
        assert (folder / "docs/shared.css").read_text() == "css\n"
        assert (folder / "docs/img/figure.svg").exists()
        if os.name != "nt":
            assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
    assert not folder.exists()
    assert (tmp_path / "docs/ios/old.md").read_text() == "old\n"
    assert not (tmp_path / "docs/img").exists()


# What goes wrong


def test_a_tool_that_is_not_installed_is_one_line_and_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if running.find_program(external_linters.TOOLS["vale"], tmp_path):
        pytest.skip("vale is installed")
    (tmp_path / "page.md").write_text("# Page\n\nThe the page.\n")
    ran = lint(tmp_path, "--with", "vale", monkeypatch=monkeypatch)
    assert ran.exit_code == 2
    assert "repeated-word" in ran.stdout
    assert ran.stderr == (
        "tutorial-tool: `vale`, which `with` names, is not installed: see https://vale.sh/docs/install\n"
    )
    ran = lint(tmp_path, "--with", "vale", "--with-missing", "note", monkeypatch=monkeypatch)
    assert ran.exit_code == 1
    assert ran.stderr == "`vale`, which `with` names, is not installed: see https://vale.sh/docs/install\n"
    ran = lint(tmp_path, "--with", "vale", "--write-baseline", "known.json", monkeypatch=monkeypatch)
    assert ran.exit_code == 2
    assert not (tmp_path / "known.json").exists()


@posix
def test_what_a_revision_had_is_told_by_the_same_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tool stands in `node_modules`, which no revision has."""
    script = """\
        import json, pathlib, sys
        files = [path for path in sys.argv[1:] if path.endswith(".md")]
        message = {"line": 3, "column": 1, "ruleId": "no-bad", "message": "bad", "severity": 2}
        bad = lambda path: [message] if "bad" in pathlib.Path(path).read_text() else []
        print(json.dumps([{"filePath": path, "messages": bad(path)} for path in files]))
    """
    program(tmp_path, "textlint", script)
    (tmp_path / ".gitignore").write_text("node_modules\n")
    (tmp_path / "old.md").write_text("# Old\n\nbad\n")
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    (tmp_path / "new.md").write_text("# New\n\nbad\n")
    ran = lint(tmp_path, "--with", "textlint", "--changed-since", "HEAD", "--ignore", "text", monkeypatch=monkeypatch)
    assert ran.stdout.splitlines() == ["new.md:3:1: error[textlint/no-bad] bad", "Found 1 error in 1 file."]
    assert ran.exit_code == 1, ran.stderr


@posix
@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("import sys\nprint('no config here')\nsys.exit(3)", "textlint failed: it ended with code 3: no config here"),
        ("print('garbage')", "textlint failed: what it printed cannot be read: garbage (textlint 15 has been tested)"),
        ("print('[{}]')", "textlint failed: what it printed cannot be read (textlint 15 has been tested)"),
        ("print('[' * 100000)", "textlint failed: what it printed cannot be read "),
        ('print(\'[{"filePath": "/etc/x", "messages": [{}]}]\')', "textlint failed: it reports on `/etc/x`, "),
        ("import os\nos.kill(os.getpid(), 11)", "textlint failed: it ended with code -11"),
    ],
)
def test_a_tool_that_fails_is_one_line(script: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text("# Page\n")
    program(tmp_path, "textlint", script)
    ran = lint(tmp_path, "--with", "textlint", monkeypatch=monkeypatch)
    assert ran.exit_code == 2
    assert ran.stdout == "Not everything was checked. Nothing found in the rest.\n"
    assert ran.stderr.startswith(f"tutorial-tool: {line}")
    assert len(ran.stderr.splitlines()) == 1


@posix
def test_a_tool_that_hangs_is_ended_with_what_it_started(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Page\n")
    pids = tmp_path / "pid"
    script = f"""\
        import os, subprocess, sys, time
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        open({str(pids)!r}, "w").write(str(child.pid))
        time.sleep(60)
    """
    program(tmp_path, "textlint", script)
    texts = {"page.md": "# Page\n"}
    tool, path = external_linters.TOOLS["textlint"], str(tmp_path / "node_modules/.bin/textlint")
    started = time.monotonic()
    with pytest.raises(running.LinterFailed, match="took more than 1 second"):
        running.run_tool(tool, [path], ["page.md"], LintedFiles(texts, tmp_path), tmp_path, seconds=1)
    assert time.monotonic() - started < 20
    for _ in range(50):
        state = subprocess.run(
            ["ps", "-o", "stat=", "-p", pids.read_text()], capture_output=True, text=True, check=False
        )
        if state.stdout.strip()[:1] in ("", "Z"):
            return
        time.sleep(0.1)
    pytest.fail("what the tool started is still there")


def test_a_wrong_name_of_a_tool_is_an_error_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.md").write_text("# Page\n")
    ran = lint(tmp_path, "--with", "rumdle", monkeypatch=monkeypatch)
    assert ran.exit_code == 2
    assert "`rumdle` is not a supported linter; did you mean `rumdl`?" in ran.stderr
    (tmp_path / "tutorial-tool.toml").write_text('with = ["typo"]\nignore = ["rumdl/MD022", "rmdl/MD022"]\n')
    ran = lint(tmp_path, monkeypatch=monkeypatch)
    assert ran.exit_code == 2
    assert "tutorial-tool.toml:1:9: `with`: should be one of rumdl, " in ran.stderr
    assert "tutorial-tool.toml:2:26: `ignore`: unknown rule or group `rmdl/MD022`" in ran.stderr


@pytest.mark.slow
@posix
def test_a_run_with_another_tool_is_never_told_from_the_cache(tmp_path: Path) -> None:
    """A tool that was missing may be there the next time, and nothing in the folder tells it."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text("# Page\n")
    (tmp_path / "bin").mkdir()
    command = [sys.executable, "-m", "tutorial_tool", "lint", "--with", "textlint", "--with-missing", "note"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}

    def said() -> str:
        folder = tmp_path / "docs"
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stderr

    assert said() == said() == ("`textlint`, which `with` names, is not installed: npm install --save-dev textlint\n")
    program(tmp_path, "textlint", "print('[]')\n")
    (tmp_path / "node_modules/.bin/textlint").rename(tmp_path / "bin/textlint")
    (tmp_path / "node_modules/.bin").rmdir()
    assert said() == ""


@posix
def test_files_that_are_not_trusted_run_no_other_tool(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Page\n")
    program(tmp_path, "textlint", f"open({str(tmp_path / 'ran')!r}, 'w')\nprint('[]')\n")
    (tmp_path / "tutorial-tool.toml").write_text('with = ["textlint"]\n')
    command = [sys.executable, "-m", "tutorial_tool", "lint"]

    def ran(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, check=False)

    left = ran("--untrusted")
    assert (left.returncode, left.stdout) == (0, "Nothing found.\n"), left.stderr
    assert left.stderr == "`with` was ignored: other tools may run code from files, and these are not trusted.\n"
    assert ran("--untrusted", "--with", "textlint").returncode == 2
    assert not (tmp_path / "ran").exists()
    assert ran("--with", "textlint").returncode == 0
    assert (tmp_path / "ran").exists()


def test_a_tool_whose_rules_are_all_left_out_is_not_run_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.md").write_text(PAGE)
    ran = lint(tmp_path, "--with", "rumdl", "--select", "mojibake", monkeypatch=monkeypatch)
    assert ran.stderr == "rumdl was not run: all of its rules are ignored; `--extend-select rumdl` enables them.\n"


def test_many_pages_fit_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / ("long" * 40)
    folder.mkdir()
    for number in range(1000):
        (folder / f"page-{number}.md").write_text("# Page\n\nSee `teh`.\n")
    ran = lint(tmp_path, "--with", "typos", "--select", "typos", monkeypatch=monkeypatch)
    assert ran.stdout.splitlines()[-1] == "Found 1,000 warnings in 1,000 files."
    paths = [f"{folder.name}/page-{number}.md" for number in range(1000)]
    parts = list(running.split_chunks(paths))
    assert [path for part in parts for path in part] == paths
    assert len(parts) > 1


# The table of tools


def test_the_configuration_knows_the_tools_that_there_are() -> None:
    assert tuple(external_linters.TOOLS) == settings.TOOLS


def test_the_rules_that_tools_yield_to_exist() -> None:
    named = {name for tool in external_linters.TOOLS.values() for others in tool.rules.values() for name in others}
    ours = {name for name in named if "/" not in name}
    assert ours <= set(get_rules())
    assert {name.partition("/")[0] for name in named - ours} <= set(external_linters.TOOLS)


def test_javascript_counts_in_units_of_16_bits() -> None:
    assert [convert_utf16_column("a😀b", column) for column in (1, 2, 4, 5)] == [1, 2, 3, 4]


LINES = "# Très 😀\n\nAn 😀 acommodation.\n"


@pytest.mark.parametrize(
    ("name", "out", "expected"),
    [
        (
            "vale",
            '{"page.md": [{"Check": "Vale.Spelling", "Line": 3, "Span": [6, 17], "Message": "Did you?", "Severity": "suggestion"}]}',
            ("acommodation", "Vale.Spelling", Severity.HINT),
        ),
        ("cspell", "page.md\t3\t7\tacommodation\tUnknown word\n", ("acommodation", "unknown-word", Severity.WARNING)),
        (
            "markdownlint-cli2",
            'page.md:3:7 warning MD034/no-bare-urls Bare URL used [Context: "x"]\n',
            ("acommodation.", "MD034", Severity.WARNING),
        ),
        (
            "markdownlint-cli2",
            "page.md:1 error MD022/blanks-around-headings Headings\n",
            ("# Très 😀", "MD022", Severity.ERROR),
        ),
        (
            "textlint",
            '[{"filePath": "page.md", "messages": [{"line": 3, "column": 7, "ruleId": "r", "message": "m", "severity": 1}]}]',
            ("acommodation.", "r", Severity.WARNING),
        ),
        ("codespell", "page.md:3: acommodation ==> accommodation\n", ("acommodation", "typo", Severity.WARNING)),
    ],
)
def test_what_tools_print_is_read_in_their_own_units(
    name: str, out: str, expected: tuple[str, str, Severity], tmp_path: Path
) -> None:
    (told,) = external_linters.TOOLS[name].read(out, LintedFiles({"page.md": LINES}, tmp_path))
    assert (LINES[told.start : told.end], told.code, told.severity) == expected


@pytest.mark.parametrize("name", ["codespell", "cspell", "markdownlint-cli2"])
def test_lines_that_no_tool_prints_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableOutput):
        list(external_linters.TOOLS[name].read("Segmentation fault\n", LintedFiles({"page.md": LINES}, tmp_path)))


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("rumdl", "rumdl/MD022"),
        ("markdownlint-cli2", "markdownlint-cli2/MD022"),
        ("typos", "typos/typo"),
        ("codespell", "codespell/typo"),
        ("cspell", "cspell/unknown-word"),
        ("vale", "vale/Vale.Spelling"),
    ],
)
def test_each_tool_finds_something_at_its_place(
    name: str, rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs(name)
    (tmp_path / "page.md").write_text("# Page 😀\n\n## Two\nA 😀 very very `teh` recieve thing.\n")
    (tmp_path / ".vale.ini").write_text("[*.md]\nBasedOnStyles = Vale\n")
    ran = lint(tmp_path, "--with", name, "--select", name, monkeypatch=monkeypatch)
    words = {"MD022": "3:1", "typo": "4:16", "lexical_illusions": "4:5"}
    place = words.get(rule.partition("/")[2], "4:21")
    assert any(line.startswith(f"page.md:{place}: ") and f"[{rule}]" in line for line in ran.stdout.splitlines()), (
        ran.output
    )


KEYS = (
    "file line column rule message severity type path line_num byte_offset typo corrections Check Line Span Message"
    " Severity filePath messages ruleId result diagnostics span check_path page.md file:///page.md"
).split()
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.sampled_from(["page.md", "error", "warning", "typo", "MD022", "", "a b", "../x"]),
    st.lists(st.integers(), max_size=3),
)
SHAPES = st.recursive(
    st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=8),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)),
    max_leaves=4,
)


@given(st.sampled_from(sorted(external_linters.TOOLS)), st.one_of(SHAPES.map(json.dumps), st.text(max_size=40)))
def test_whatever_a_tool_prints_is_read_or_refused(name: str, out: str) -> None:
    texts = LintedFiles({"page.md": LINES}, Path("/nowhere"))
    try:
        told = list(external_linters.TOOLS[name].read(out, texts))
    except (UnreadableOutput, *running.READING_ERRORS):
        told = []
    for remark in told:
        assert 0 <= remark.start <= remark.end <= len(LINES)
        assert remark.code.split() == [remark.code]
        assert isinstance(remark.message, str)


def test_linting_without_other_tools_loads_nothing_of_them(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Page\n")
    code = "import sys\nfrom tutorial_tool import lint\nlint('page.md')\nprint('tutorial_tool.external_linters' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert ran.stdout == "False\n"


def test_a_missing_program_is_looked_for_in_the_project_first(tmp_path: Path) -> None:
    if os.name == "nt" or not shutil.which("true"):
        pytest.skip("needs a program to link to")
    program(tmp_path, "cspell", "")
    found = running.find_program(external_linters.TOOLS["cspell"], tmp_path / "below")
    assert found == str(tmp_path / "node_modules/.bin/cspell")


def test_a_configuration_alone_starts_no_code_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.md").write_text("# Page\n")
    (tmp_path / "tutorial-tool.toml").write_text('with = ["cspell"]\n')
    program(tmp_path, "cspell", f"import pathlib; pathlib.Path({str(tmp_path / 'ran')!r}).touch()")
    told = lint(tmp_path, monkeypatch=monkeypatch)
    assert told.exit_code == 2
    assert "cspell was not run: it runs JavaScript from the repository" in told.stderr
    assert not (tmp_path / "ran").exists()
    lint(tmp_path, "--with", "cspell", monkeypatch=monkeypatch)
    assert (tmp_path / "ran").exists()
