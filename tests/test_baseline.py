"""Known findings are silent, new ones are told, and what is mended leaves the file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests import project
from tutorial_tool import cli, lint
from tutorial_tool.config.settings import ConfigError
from tutorial_tool.linter import baseline

PAGE = """\
# Sound

Open the the menu.

Choose Sound.

Press the the button, then
press it again.
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8", newline="")


UNNAMED = 'To suppress them, add `baseline = "known.json"` to tutorial-tool.toml.\n'


def tool(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, ["lint", *arguments])


def known(*arguments: str) -> Result:
    """A run that writes the baseline."""
    done = tool("--write-baseline", "known.json", *arguments)
    assert done.exit_code == 0, done.output
    return done


def new(*arguments: str) -> list[str]:
    """What is told beside the baseline, a line for each finding."""
    done = tool("--baseline", "known.json", "--output-format", "concise", "--quiet", *arguments)
    assert done.exit_code == (1 if done.stdout else 0), done.output
    return done.stdout.splitlines()


def messages(path: str = "known.json") -> list[str]:
    """What a baseline knows, as path: rule."""
    told = json.loads(Path(path).read_text(encoding="utf-8"))["files"]
    return [f"{name}: {entry['rule']}" for name, entries in told.items() for entry in entries]


# What is known is silent


def test_known_findings_are_silent(here: Path) -> None:
    write("page.md", PAGE)
    assert known().stderr == f"Wrote 2 findings to known.json.\n{UNNAMED}"
    done = tool("--baseline", "known.json")
    assert (done.exit_code, done.stdout, done.stderr) == (
        0,
        "Nothing found.\n",
        "2 baselined findings suppressed (known.json).\n",
    )
    assert tool("--baseline", "known.json", "--no-baseline").exit_code == 1
    summary = tool("--baseline", "known.json", "--output-format", "markdown").stdout
    assert summary == "### tutorial-tool: nothing found\n\n2 baselined findings suppressed (known.json).\n"


def test_a_new_finding_is_told_alone(here: Path) -> None:
    write("page.md", PAGE)
    known()
    write("page.md", PAGE + "\nTurn the the sound on.\n")
    assert new() == ["page.md:10:6: warning[repeated-word] repeated word `the`"]


@pytest.mark.parametrize(
    "edited",
    [
        "---\ntitle: Sound\n---\n\nThe menus are new.\n\n" + PAGE,
        PAGE.replace("Choose Sound.", "Choose Light, then Sound."),
        PAGE.replace("Open the the menu.", "Open now the the menu."),
        PAGE.replace("button, then\npress", "button,\nthen press"),
        PAGE.replace("\n", "\r\n"),
        "\ufeff" + PAGE,
        PAGE.replace("\n\nPress", "\n\n\n\nPress"),
        PAGE.partition("\n\n")[0] + "\n\nPress the the button, then\n\nOpen the the menu.\n",
    ],
    ids=["lines above", "between", "in the line", "wrapped anew", "line ends", "mark", "blank lines", "moved"],
)
def test_edits_elsewhere_bring_nothing_new(here: Path, edited: str) -> None:
    write("page.md", PAGE)
    known()
    write("page.md", edited)
    assert new() == []


def test_one_mended_does_not_make_room_for_another(here: Path) -> None:
    write("page.md", PAGE)
    known()
    write("page.md", PAGE.replace("Open the the", "Open the") + "\nTurn the sound on.\n\nWait for the the beep.\n")
    assert new() == ["page.md:12:10: warning[repeated-word] repeated word `the`"]


def test_equal_findings_are_counted(here: Path) -> None:
    line = "Open the the menu.\n\n"
    write("page.md", "# Sound\n\n" + 2 * line)
    known()
    write("page.md", "# Sound\n\n" + 3 * line)
    assert len(new()) == 1


def test_another_suggestion_is_no_other_finding(here: Path) -> None:
    write("page.md", "# Sound\n\nPress teh button.\n")
    known()
    text = Path("known.json").read_text()
    assert "`teh` should read `the`" in text
    write("known.json", text.replace("should read `the`", "should read `ten` (or `the`)"))
    assert new() == []


def test_a_cell_is_known_while_all_other_cells_of_its_table_change(here: Path) -> None:
    rows = [f"| {name} | Check | It is about the the {name} here |\n" for name in ("sound", "light", "wings")]
    table = "# Sound\n\n| Setting | Value | Description |\n| --- | --- | --- |\n" + "".join(rows)
    write("page.md", table)
    known()
    write("page.md", table.replace("Check", "Enabled"))
    assert new() == []


# What is mended leaves


def test_what_is_mended_leaves_the_file_with_the_next_write(here: Path) -> None:
    write("page.md", PAGE)
    known()
    write("page.md", PAGE.replace("Open the the", "Open the"))
    assert known().stderr == f"Wrote 1 finding to known.json; 1 is fixed.\n{UNNAMED}"
    write("page.md", PAGE)
    assert new() == ["page.md:3:6: warning[repeated-word] repeated word `the`"]


def test_a_file_that_is_gone_leaves(here: Path) -> None:
    write("page.md", PAGE)
    write("other.md", "# Light\n\nThe the light.\n")
    known()
    Path("other.md").unlink()
    known()
    assert messages() == ["page.md: repeated-word"] * 2


def test_what_was_not_looked_for_stays(here: Path) -> None:
    write("docs/page.md", PAGE)
    write("other.md", "# Light\n\nThe the light. Donâ€™t.\n")
    known()
    write("docs/page.md", "# Sound\n")
    write("other.md", "# Light\n")
    known("docs")
    assert messages() == ["other.md: mojibake", "other.md: repeated-word"]
    known("--select", "mojibake")
    assert messages() == ["other.md: repeated-word"]
    known()
    assert messages() == []


def test_two_writes_give_the_same_bytes(here: Path) -> None:
    write("b.md", PAGE)
    write("a.md", "# Light\n\nThe the light. Donâ€™t.\n")
    known()
    before = Path("known.json").read_bytes()
    write("b.md", "# Sound\n\nChoose Sound.\n\nPress the the button, then\npress it again.\n\nOpen the the menu.\n")
    known()
    entries = [line.rpartition('"mark"')[0] for line in before.decode().splitlines()]
    after = Path("known.json").read_text(encoding="utf-8").splitlines()
    assert [line.rpartition('"mark"')[0] for line in after] == entries
    write("b.md", PAGE)
    known()
    assert Path("known.json").read_bytes() == before


# Files that move


def test_a_renamed_file_is_known(here: Path) -> None:
    write("docs/ios/page.md", PAGE)
    write("docs/web/page.md", PAGE)
    known()
    Path("docs/ios").rename("docs/apple")
    assert new() == []


def test_a_copy_of_a_file_is_new(here: Path) -> None:
    write("docs/ios/page.md", PAGE)
    known()
    write("docs/web/page.md", PAGE)
    assert {line.partition(":")[0] for line in new()} == {"docs/web/page.md"}


def test_copies_that_became_a_template_are_known(here: Path) -> None:
    """What was known of each copy is known of the template that makes them, also where a name stands in braces."""
    for name in ("iOS", "Android", "Web"):
        text = f"# Set up\n\nAdd the package.\n\nOpen a {name} app, and add the {name} app to it. Press the the button.\n\n"
        write(f"docs/{name.lower()}/install.md", text + f"This is an {name} application.\n\nRun it, and wait.\n")
    known()
    done = CliRunner().invoke(cli.main, ["adopt", "docs", "--into", ".", "--remove-copies"])
    assert done.exit_code == 0, done.output
    template = here / "site_templates/steps/install.md.j2"
    assert "Open a {{ platform.name }} app" in template.read_text()
    assert new() == []
    template.write_text(template.read_text() + "\nClose the the app.\n")
    assert [line.split()[1] for line in new()] == ["warning[repeated-word]"]


def test_what_became_a_value_is_known(here: Path) -> None:
    """Nothing around it is as it was; what is told of the project before the copies go leaves it out, too.

    What has a key becomes a value; wording would stay in the template, as `drift()`.
    """
    odd = {"iOS": ("teh shelf", "Enabled"), "Android": ("the wall", "Disabled"), "Web": ("the desk", "Enabled")}
    for name, (place, value) in odd.items():
        text = f"# Set up\n\nOpen the {name} app. Wait until it blinks.\n\n- Place: {place}\n\n"
        table = f"| Setting | Value |\n|---|---|\n| Wake | {value} |\n| Fade | Disabled |\n"
        write(f"docs/{name.lower()}/install.md", text + table)
    known()
    write("tutorial-tool.toml", 'baseline = "known.json"\n')
    done = CliRunner().invoke(cli.main, ["adopt", "docs", "--into", ".", "--remove-copies"])
    assert done.exit_code == 0, done.output
    assert "fails on these" not in done.output
    platforms = here / "platforms.yaml"
    assert "teh" in platforms.read_text()
    assert new() == []
    platforms.write_text(platforms.read_text().replace("the desk", "wich desk"))
    assert [line.split()[1] for line in new()] == ["warning[misspelling]"]


def test_two_copies_of_a_file_that_is_gone_are_both_new(here: Path) -> None:
    write("docs/ios/page.md", PAGE)
    known()
    Path("docs/ios").rename("docs/apple")
    write("docs/web/page.md", PAGE)
    assert len(new()) == 4


# Drift may shrink and never grow

SENTENCES = [
    "Open the menu and choose the sound that you want to hear in the morning.",
    "The volume of the sound grows for a minute until it is as loud as you like.",
    "The lamp beside the button tells you whether an alarm is set for today.",
    "Keep the charger near the bed, for the battery lasts about two nights.",
]
OTHERS = [
    "Open the menu and choose a sound that you want to hear in the morning.",
    "The volume of the sound grows for a minutes until it is as loud as you like.",
    "The lamp beside the button tells you whether the alarm is set for today.",
    "Keep the charger near the beds, for the battery lasts about two nights.",
]


def copies(*drifted: int) -> None:
    """Three copies of a step, of which the one for Finch says some sentences in other words."""
    for name in ("Finch", "Heron", "Raven"):
        told = [OTHERS[i] if name == "Finch" and i in drifted else text for i, text in enumerate(SENTENCES)]
        text = "\n\n".join(f"## Part {'ABCD'[i]}\n\n{sentence}" for i, sentence in enumerate(told))
        write(f"docs/{name.lower()}/alarm.md", f"# Set an alarm on {name}\n\n{name} wakes you up.\n\n{text}\n")


def test_drift_may_shrink(here: Path) -> None:
    copies(0, 1, 2)
    assert "drifted-wording" in "\n".join(everything())
    known()
    for fewer in ((1, 2), (0, 2), (2,), ()):
        copies(*fewer)
        assert new("--fail-on", "hint") == []


def everything() -> list[str]:
    return tool("--output-format", "concise", "--quiet").stdout.splitlines()


@pytest.mark.parametrize("more", [(0, 1, 2), (0, 2), (0, 3, 1)])
def test_drift_never_grows(here: Path, more: tuple[int, ...]) -> None:
    copies(0, 1)
    known()
    copies(*more)
    (told,) = new("--fail-on", "hint")
    assert told.startswith("docs/finch/alarm.md:")
    assert "drifted-wording" in told


def test_growth_is_shown_where_it_is(here: Path) -> None:
    copies(0, 1)
    known()
    copies(0, 1, 3)
    (told,) = new("--fail-on", "hint")
    line = Path("docs/finch/alarm.md").read_text(encoding="utf-8").split("\n").index(OTHERS[3]) + 1
    said = f"`beds` here, and `bed` on Heron and Raven: “{SENTENCES[3]}” (new; known is line 11)"
    assert told == f"docs/finch/alarm.md:{line}:27: hint[drifted-wording] {said}"


def test_of_several_new_places_each_is_shown(here: Path) -> None:
    copies(1)
    known()
    copies(0, 1, 3)
    (told,) = json.loads(tool("--baseline", "known.json", "--output-format", "json").stdout)
    assert SENTENCES[3] in told["message"]
    assert [SENTENCES[0] in item["message"] for item in told["related"] if item["message"].endswith("(new)")] == [True]


@pytest.mark.parametrize("rest", [(2, 3), (3,), ()])
def test_a_mended_image_makes_no_other_one_new(here: Path, rest: tuple[int, ...]) -> None:
    def images(*numbers: int) -> None:
        write("page.md", "# Lamps\n\n" + "".join(f"![](lamp-{number}.png)\n\nLamp {number}.\n\n" for number in numbers))
        for number in numbers:
            write(f"lamp-{number}.png", "")

    images(1, 2, 3)
    known()
    images(*rest)
    assert new("--select", "missing-alt") == []
    images(*rest, 4)
    (told,) = new("--select", "missing-alt")
    assert "lamp-4.png" in told


def test_the_setting_is_named_where_it_has_an_effect(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write(here / "site")
    (here / "site/docs_src/page.md").write_text("# Page\n\nOpen the the menu.\n")
    monkeypatch.chdir(here / "site/docs_src")
    told = tool("--write-baseline", "known.json").output
    assert told.endswith('To suppress them, add `baseline = "docs_src/known.json"` to ../tutorial-tool.toml.\n')
    (here / "site/tutorial-tool.toml").write_text('baseline = "docs_src/known.json"\n')
    assert tool().exit_code == 0
    assert "To suppress" not in tool("--write-baseline", "known.json").output


@pytest.mark.parametrize(
    ("rule", "mistakes"),
    [
        ("vague-link-text", ["Click [here](page.md) for lamp {}.", "To turn lamp {} on, see [here](page.md)."]),
        ("vague-alt", ["![image](lamp-{}.png)", "![screenshot](lamp-{}.png)"]),
        ("heading-order", ["#### Lamp {}", "#### About lamp {}"]),
        ("unknown-word", ["The lampicule of lamp {} glows.", "Lamp {} has a lampicule."]),
        ("unescaped-angle", [f"Lamp {{}} gets <{name}> as its name." for name in ("lamp-a", "lamp-b")] * 3),
        ("raw-html", ["Lamp {} is <b>on</b>.", "The <b>light</b> of lamp {}."]),
    ],
)
def test_a_mended_place_makes_no_other_one_new(here: Path, rule: str, mistakes: list[str]) -> None:
    def put(first: int) -> None:
        parts = [text.format(number) for number, text in enumerate(mistakes) if number >= first]
        write("page.md", "\n\nAll is well.\n\n## Part\n\n".join(["# Lamps", *parts]) + "\n")
        for number in range(2):
            write(f"lamp-{number}.png", "")

    put(0)
    known("--select", rule)
    assert messages() == [f"page.md: {rule}"] * len(mistakes)
    put(1)
    assert new("--select", rule, "--fail-on", "hint") == []


def tables(**values: str) -> None:
    """Three copies of a step, with a table that says what each value is."""
    copies()
    for name, value in values.items():
        rows = f"| Sound | {value} |\n| Light | Enabled |\n| Wings | Disabled |\n"
        path = Path(f"docs/{name}/alarm.md")
        write(str(path), f"{path.read_text()}\n| Setting | Recommended |\n| --- | --- |\n{rows}")


def test_a_conflict_on_another_copy_is_new(here: Path) -> None:
    tables(finch="Disabled", heron="Enabled", raven="Enabled")
    assert any("conflicting-value" in line for line in everything())
    known()
    assert new() == []
    tables(finch="Enabled", heron="Disabled", raven="Enabled")
    (told,) = new()
    assert told.startswith("docs/heron/alarm.md:")


# With the rest of the linter


def test_a_fix_leaves_what_is_known(here: Path) -> None:
    write("page.md", PAGE)
    known()
    write("page.md", PAGE + "\nTurn the the sound on.\n")
    done = tool("--baseline", "known.json", "--fix")
    assert (done.exit_code, Path("page.md").read_text()) == (0, PAGE + "\nTurn the sound on.\n")


def test_what_fixes_leave_is_written_down(here: Path) -> None:
    write("page.md", PAGE + "\n![](sound.png)\n")
    write("sound.png", "")
    known("--fix")
    assert messages() == ["page.md: missing-alt"]


@pytest.mark.parametrize("name", ["json", "sarif", "gitlab", "github", "junit", "concise", "full"])
def test_every_format_leaves_out_what_is_known(here: Path, name: str) -> None:
    write("page.md", PAGE)
    known()
    write("page.md", PAGE + "\nDonâ€™t wait.\n")
    shown = tool("--baseline", "known.json", "--output-format", name).stdout
    assert "mojibake" in shown
    assert "repeated-word" not in shown


def test_statistics_count_what_is_new(here: Path) -> None:
    write("page.md", PAGE)
    known()
    write("page.md", PAGE + "\nTurn the the sound on.\n")
    assert tool("--baseline", "known.json", "--statistics").stdout.split()[:2] == ["1", "repeated-word"]


def test_the_configuration_names_the_baseline(here: Path) -> None:
    write("docs/page.md", PAGE)
    tool("--write-baseline", "ci/known.json")
    write("tutorial-tool.toml", 'baseline = "ci/known.json"\n')
    assert messages("ci/known.json") == ["../docs/page.md: repeated-word"] * 2
    assert tool().exit_code == 0
    assert tool("--write-baseline", "ci/known.json").stderr == "Wrote 2 findings to ci/known.json.\n"
    other = tool("--write-baseline", "ci/other.json").stderr
    assert other.endswith('add `baseline = "ci/other.json"` to tutorial-tool.toml.\n')
    assert lint() == []
    assert tool("--no-baseline").exit_code == 1
    assert tool("--isolated").exit_code == 1


def test_each_configuration_without_the_baseline_is_named(here: Path) -> None:
    for name in ("one", "two"):
        write(f"{name}/tutorial-tool.toml", "")
        write(f"{name}/page.md", PAGE)
    told = tool("--write-baseline", "known.json", "one", "two").stderr
    assert 'add `baseline = "../known.json"` to one/tutorial-tool.toml.' in told
    assert 'add `baseline = "../known.json"` to two/tutorial-tool.toml.' in told


def test_from_any_folder_the_same_is_known(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("docs/page.md", PAGE)
    known()
    write("tutorial-tool.toml", 'baseline = "known.json"\n')
    monkeypatch.chdir(here / "docs")
    assert tool("page.md").exit_code == 0
    assert tool("--baseline", "../known.json").exit_code == 0


def test_a_first_run_with_many_findings_names_the_command(here: Path) -> None:
    write("docs/my page.md", "# Sound\n\n" + "Open the the menu.\n\n" * 30)
    start = "  tutorial-tool lint 'docs/my page.md'"
    done = tool("docs/my page.md")
    assert done.stderr == (
        "Next:\n"
        f"{start} --report html=findings.html              # browse all 30 findings, with filters\n"
        f"{start} --fix --diff                             # show what 30 safe fixes would change\n"
        f"{start} --write-baseline tutorial-baseline.json  # report only new findings from now on\n"
    )
    assert tool("docs/my page.md", "--quiet").stderr == ""
    known()
    assert "--write-baseline" not in tool("--baseline", "known.json").output
    steps = {f"s{number}": "{{ platform.nmae }}" for number in range(30)}
    write(
        "platforms.yaml",
        f"platforms: {{a: {{name: A}}}}\ntutorials: {{t: {{title: T, steps: [{', '.join(steps)}]}}}}\n",
    )
    for step, text in steps.items():
        write(f"site_templates/steps/{step}.md.j2", f"---\ntitle: S\n---\n\n{text}\n")
    done = tool("--show-all")
    assert done.stdout.count("error[undefined-name]") == 30
    assert "--write-baseline" not in done.stderr, "without the data there are no pages"


@pytest.mark.slow
def test_a_project_and_its_build_know_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    templates = {
        **project.TEMPLATES,
        "steps/finish.md.j2": "---\ntitle: End\n---\n\n## C {: #check }\n\nGo to to it.\n",
    }
    project.write(tmp_path, project.DATA, templates)
    (tmp_path / "mkdocs.yml").write_text("site_name: Swans\ndocs_dir: docs_src\nplugins: [tutorial]\n")
    monkeypatch.chdir(tmp_path)
    assert tool().exit_code == 1
    known()
    (tmp_path / "tutorial-tool.toml").write_text('baseline = "known.json"\n')
    assert tool().exit_code == 0
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    built = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "repeated-word" not in built.stderr
    assert (built.returncode, "Aborted" in built.stderr) == (0, False), built.stderr


def test_a_project_in_a_subfolder_has_its_known_findings_in_the_baseline_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = "---\ntitle: End\n---\n\n## C {: #check }\n\nGo to to it.\n"
    project.write(tmp_path / "sdk", project.DATA, {**project.TEMPLATES, "steps/finish.md.j2": end})
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text("# Page\n\nSee the the page.\n")
    monkeypatch.chdir(tmp_path)
    known()
    (tmp_path / "words.txt").write_text("Swanlike\n")
    (tmp_path / "tutorial-tool.toml").write_text('baseline = "known.json"\nvocabulary-file = "words.txt"\n')
    assert tool().exit_code == 0
    before = (tmp_path / "known.json").read_bytes()
    monkeypatch.chdir(tmp_path / "sdk")
    done = tool()
    assert done.exit_code == 0
    assert "(../known.json)" in done.stderr
    assert tool("--write-baseline", "../known.json").exit_code == 0
    assert (tmp_path / "known.json").read_bytes() == before


# What cannot be used

PLACE = '{"rule": "repeated-word", "message": "repeated word `the`", "mark": "0123456789ab 01234567 - 01234567 -"}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "known.json:1:1: not valid JSON: Expecting value"),
        ('{"version": 1,\n  <<<<<<< HEAD\n', "known.json:2:3: unresolved merge conflict; resolve it, or"),
        ("[]", 'known.json:1:1: not a baseline: "version" is missing; delete the file and write a new one'),
        ('{"version": 2}', "known.json:1:13: this baseline is from another version of tutorial-tool"),
        ('{"version": 1}', 'known.json:1:1: "files" should be an object'),
        ('{"version": 1, "files": {"a.md": 3}}', "known.json:1:34: the findings of a file should be a list"),
        ('{"version": 1, "files": {"a.md": [\n3]}}', "known.json:2:1: a finding should be an object"),
        ('{"version": 1, "files": {"a.md": [\n{"rule": 3}]}}', 'known.json:2:10: a finding should have a text "rule"'),
        (
            '{"version": 1, "files": {"a.md": [\n' + PLACE.replace("- 0", "0") + "]}}",
            'known.json:2:69: "mark" should be five hashes',
        ),
        ("[" * 100_000, "known.json: not a baseline"),
        ("9" * 10_000, "known.json: not a baseline"),
        ('{"version": 1, "files": "\x00"}', "known.json: "),
    ],
)
def test_a_broken_baseline_is_an_error_with_its_place(here: Path, text: str, message: str) -> None:
    write("page.md", PAGE)
    write("known.json", text)
    for option in ("--baseline", "--write-baseline"):
        done = tool(option, "known.json")
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith(f"tutorial-tool: {message}")
    assert Path("known.json").read_text() == text


def test_a_baseline_that_is_not_there_is_an_error(here: Path) -> None:
    write("page.md", PAGE)
    done = tool("--baseline", "known.json")
    assert done.exit_code == 2
    assert (
        "there is no baseline `known.json`; `tutorial-tool lint --write-baseline known.json` writes one" in done.stderr
    )


@pytest.mark.parametrize("option", [["--diff"], ["--watch"], ["--stdin-filename", "page.md"]])
def test_options_that_exclude_each_other(here: Path, option: list[str]) -> None:
    assert tool("--write-baseline", "known.json", *option).exit_code == 2


def test_other_files_are_not_overwritten(here: Path) -> None:
    write("page.md", PAGE)
    done = tool("--write-baseline", "page.md")
    assert (done.exit_code, Path("page.md").read_text()) == (2, PAGE)


def test_strange_names_and_texts_are_read_back(here: Path) -> None:
    write("ü \u202e“page”.md", "# Sound\n\nÄ the the \u202e`\\` menu\u0007.\n")
    write("ü “page”.md", "# Sound\n\nÄ the the \u202e`\\` menu\u0007. \U0001f600 Donâ€™t.\n")
    known()
    text = Path("known.json").read_text(encoding="utf-8")
    assert "ü “page”.md" in text
    assert text.replace("\n", "").isprintable()
    assert new() == []


def test_a_baseline_that_is_read_by_itself(here: Path) -> None:
    write("known.json", '{"version": 1, "files": {"a.md": [' + PLACE + "]}}")
    (place,) = baseline.load(here / "known.json").places
    assert (place.path, place.rule, place.facts, place.further) == ("a.md", "repeated-word", ("the",), False)
    with pytest.raises(ConfigError):
        baseline.load(here / "none.json")


@pytest.mark.timeout(20)
def test_thousands_of_known_findings_take_no_time_to_speak_of(here: Path) -> None:
    write("page.md", "# Sound\n\n" + "Open the the menu.\n\n" * 4_000)
    known()
    assert new() == []


def test_a_picture_that_the_baseline_names_is_shown_nowhere(here: Path) -> None:
    write("page.md", "# Otter\n\n![The otter](images/a.png)\n")
    write("images/a.png", "")
    write("images/b.png", "")

    known()
    first = messages()
    known()

    assert first == messages() == ["images/b.png: unused-image"]
    assert new() == []
