"""What people read when something is wrong says what to do next; each command shows examples."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests import project
from tutorial_tool import cli
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.linter import session
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.rules import GROUPS, get_rules


def ran(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, list(arguments))


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_the_help_of_a_command_ends_with_examples(command: str) -> None:
    text = ran(command, "--help").stdout
    assert f"\n    tutorial-tool {command}" in text.partition("Options:")[0]
    assert "..." not in ran("--help").stdout.partition("Commands:")[2], "a summary is cut off"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["build"], "unknown command `build`; MkDocs has it: `mkdocs build --strict`"),
        (["check"], "unknown command `check`; did you mean `lint`?"),
        (["lnt"], "unknown command `lnt`; did you mean `lint`?"),
        (["xyz"], f"unknown command `xyz`; use one of {', '.join(cli.COMMANDS)}"),
        (["help"], "unknown command `help`; did you mean `--help`?"),
        (["-v"], "No such option `-v`."),
        (["schema", "xyz"], "Got unexpected extra argument `xyz`"),
        (["lint", "xyz"], "there is no file or folder `xyz`"),
        (["lint"], "in this folder; name another folder, or start with `tutorial-tool init DIR`"),
        (["lint", "--select", "xyz"], "unknown rule or group `xyz`; `tutorial-tool explain` lists them"),
        (["explain", "xyz"], "unknown rule or group `xyz`; `tutorial-tool explain` lists them"),
        (["explain", "tabels"], "unknown rule or group `tabels`; did you mean `tables`?"),
        (["render", "out"], "or write one with `tutorial-tool init DIR`"),
        (
            ["init", "/dev/null/x", "--yes"],
            "tutorial-tool: nothing was written: `/dev/null/x/platforms.schema.json`: not a directory",
        ),
        (["adopt", "."], "name the copies of one step, file by file"),
    ],
)
def test_a_message_says_what_to_do(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = ran(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["where", "prepare", "--kind", "table"], "unknown table `prepare`"),
        (["render", "."], "`.` contains other files; name an empty folder, or add --force"),
        (["serve", "xyz"], "`xyz` is not installed; name the command of a server\n"),
    ],
)
def test_a_message_in_a_project_names_what_was_given(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    done = ran(*arguments)
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


def test_a_command_line_without_a_command_gets_the_help_alone() -> None:
    assert ran().stderr == ran("--help").stdout


def test_the_rules_that_compare_copies_have_one_name_in_all_groups(tmp_path: Path) -> None:
    chosen = {line.split()[0] for line in ran("explain", "copies").stdout.splitlines()[1:] if line}
    assert {"conflicting-value", "foreign-link", "foreign-image", "missing-step", "drifted-wording"} <= chosen
    assert not chosen & {"mixed-values", "broken-link", "misspelling"}
    only, without = Config(tmp_path, select=("copies",)), Config(tmp_path, select=("tables",), ignore=("copies",))
    for rule in get_rules().values():
        assert (only.get_severity(rule, Severity.OFF) is not None) == (rule.name in chosen), rule.name
        runs = rule.group == "tables" and rule.name not in chosen
        assert (without.get_severity(rule, rule.severity) is not None) == runs, rule.name


def test_the_rules_of_a_group_are_explained() -> None:
    text = ran("explain", "tables").stdout
    names = [line.split()[0] for line in text.splitlines()[1:] if line]
    assert names == [rule.name for rule in get_rules().values() if rule.group == "tables"]
    whole = ran("explain").stdout
    assert [line for line in whole.splitlines() if line and not line.startswith(" ")] == list(GROUPS)
    assert text.strip() in whole


# One defect is one finding, at the place that is to be mended

STEP = "site_templates/steps/prepare.md.j2"
HOME = {"index.md": "---\ntitle: Home\n---\n\n[Start](guide/swan/prepare.md)\n"}


def found(folder: Path, data: str = project.DATA, **templates: str) -> list[str]:
    """What the linter finds in the small project with other data or templates, errors and warnings only."""
    texts = {**project.TEMPLATES, **{f"steps/{name}.md.j2": text for name, text in templates.items()}}
    project.write(folder, data, texts, HOME)
    findings = session.run(session.Request(LookupOptions(folder))).findings
    return [str(finding) for finding in findings if finding.severity.is_at_least(Severity.WARNING)]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "guide/{platform}/{step}",
            "guide/{plattform}/{step}",
            "platforms.yaml:12:17: invalid-data: `path` may use `{tutorial}`, `{platform}`, `{step}`, not `{plattform}`; did you mean `platform`?",
        ),
        (
            "- prepare",
            "- {id: prepare, only: []}",
            "platforms.yaml:15:14: invalid-data: no platform has the step `prepare`: `only` and `not-on` leave none; remove it from `steps`, or name a platform",
        ),
        (
            "- prepare",
            "- {id: prepare, not-on: {animals: No}}",
            "platforms.yaml:15:14: invalid-data: no platform has the step `prepare`: `only` and `not-on` leave none; remove it from `steps`, or name a platform",
        ),
        (
            "- prepare",
            "- {id: prepare, only: [swna]}",
            "platforms.yaml:15:30: invalid-data: `only`: unknown platform or group `swna`; did you mean `swan`?",
        ),
        (
            "- prepare",
            "- {id: prepare, not-on: [zig]}",
            "platforms.yaml:15:31: invalid-data: `not-on` should be a mapping of platforms and reasons, such as `{server: It has no screens}`, not a list",
        ),
        ("    title: Guide", "    titel: Guide", "platforms.yaml:11:5: invalid-data: unknown key `titel` in `guide`; did you mean `title`?"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_data_is_one_finding(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert project.DATA.count(old) == 1
    assert found(tmp_path, project.DATA.replace(old, new)) == [said]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "---\ntitel: Prepare\n---\n\n## Menu {: #menu }\n\n{{ table('settings') }}\n",
            f"{STEP}:2:1: invalid-template: the template has no title, but `titel`; did you mean `title`? [swan, otter]",
        ),
        (
            "## Menu {: #menu }\n\n{{ table('settings') }}\n",
            f"{STEP}:1:1: invalid-template: the template has no title: write `title: …` in its front matter, between two lines of `---` at the top [swan, otter]",
        ),
        (
            "---\ntitle: Prepare\n---\n\n{% if platform.can('fly') %}\n\nA word.\n",
            f"{STEP}:5:4: invalid-template: `{{% if %}}` is not closed: write `{{% endif %}}` where it ends [swan, otter]",
        ),
        (
            "---\ntitle: Prepare\n---\n\n{{ figure('menu', atl='The menu') }}\n",
            f"{STEP}:5:4: invalid-template: figure() needs `alt`; did you mean it by `atl`? [swan, otter]",
        ),
    ],
)
def test_a_mistake_in_a_template_is_one_finding(text: str, said: str, tmp_path: Path) -> None:
    assert found(tmp_path, prepare=text) == [said]


def test_a_region_that_is_not_closed_is_told_where_it_begins(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("import swan\n# [start:init]\nswan.start()\n")
    data = project.DATA.replace("can: [fly]}", "can: [fly], code: {init: 'app.py#init'}}")
    text = "---\ntitle: Prepare\n---\n\n## Menu {: #menu }\n\n{{ table('settings') }}\n\n{{ code('init') }}\n"
    assert found(tmp_path, data, prepare=text) == [
        "app.py:2:1: undefined-name: region `init` is not closed: write a comment with [end:init] after its last line [swan, otter]"
    ]


def test_front_matter_of_a_part_and_code_without_a_line_are_told_in_their_files(tmp_path: Path) -> None:
    folder = tmp_path / "site_templates/steps/prepare"
    folder.mkdir(parents=True)
    (folder / "note.md").write_text("---\ntitle: Note\n---\n\nA note.\n")
    (folder / "rules.md").write_text("---\n\nBetween two lines.\n\n---\n")
    (folder / "stop.py").write_text("\n")
    text = "---\ntitle: Prepare\n---\n\n## Menu {: #menu }\n\n{{ table('settings') }}\n\n"
    said = found(tmp_path, prepare=text + "{{ part('note') }}\n\n{{ part('rules') }}\n\n{{ code('stop') }}\n")
    assert said == [
        "site_templates/steps/prepare/note.md:1:1: front-matter: a part has no front matter, and this would be text on "
        "the page: remove these lines",
        "site_templates/steps/prepare/stop.py:1:1: missing-code: the file is empty, and so is the code on the page",
    ]


def test_a_path_of_code_is_looked_at_whether_or_not_a_template_shows_it(tmp_path: Path) -> None:
    data = project.DATA.replace("can: [fly]}", "can: [fly], code: {start: [app.py, '../app.py#init']}}")
    said = "platforms.yaml:2:113: unsafe-path: the code path `../app.py#init` leaves the folder through `..`"
    assert found(tmp_path, data) == [said]


def test_what_is_broken_all_the_same_is_told(tmp_path: Path) -> None:
    """A template that cannot be rendered hides no broken link to something else."""
    text = "---\ntitle: Prepare\n---\n\n{% if platform %}\n"
    (tmp_path / "docs_src").mkdir()
    project.write(
        tmp_path,
        project.DATA,
        {**project.TEMPLATES, "steps/prepare.md.j2": text},
        {"index.md": "# Home\n\n[x](nowhere.md)\n"},
    )
    told = [str(finding) for finding in session.run(session.Request(LookupOptions(tmp_path))).findings]
    assert "docs_src/index.md:3:5: broken-link: link target `nowhere.md` not found" in told


def test_a_value_that_the_data_lacks_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used = (
        "---\ntitle: {{ platform.values.title }}\n---\n\nGet {{ platform.values.size }}, {{ platform.values.size }}.\n"
    )
    again = "---\ntitle: Prepare\n---\n\n{{ platform.values.size }} or {{ platform.values.packige }}, {{ platform.values.packige }}.\n"
    templates = {**project.TEMPLATES, "steps/welcome.md.j2": used, "steps/prepare.md.j2": again}
    monkeypatch.chdir(project.write(tmp_path, templates=templates))
    told = ran("lint", "--select", "undefined-name", "--output-format", "concise").stdout.splitlines()
    of_swan = [line.partition("error[undefined-name] ")[2] for line in told if "`swan`" in line]
    lacks = "`values` of platform `swan` has no"
    slip = f"{lacks} `packige` (platforms.yaml:2:3); did you mean `package`? (swan, otter)"
    assert of_swan == [
        f"{lacks} `size` (platforms.yaml:2:3); write `values: {{size: …}}` there; 2 more places ask for it (swan, otter)",
        slip,
        slip,
        f"{lacks} `title` (platforms.yaml:2:3); write `values: {{title: …}}` there (swan, otter)",
    ], "a slip is mended at each place"


def told_of(root: Path, text: str) -> str:
    """What lint prints for a step with a text, in a project whose platform `otter` alone has a value with a hyphen."""
    data = project.DATA.replace("extends: swan", "extends: swan\n    values: {install-place: Xcode}", 1)
    text = f"---\ntitle: Prepare\n---\n\n## Menu {{: #menu }}\n\n{text}\n"
    project.write(root, data, {**project.TEMPLATES, "steps/prepare.md.j2": text})
    return ran("lint", "--output-format", "concise").output


@pytest.mark.parametrize(
    "written", ["Open {{ platform.values.install-place }}.", "{% if platform.values.install-place %}x{% endif %}"]
)
def test_a_hyphen_in_a_name_is_a_minus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert "did you mean `platform.values['install-place']`? Here, `-` is a minus (" in told_of(tmp_path, written)


def test_a_hyphen_before_a_default_is_a_minus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "`-` is a minus: put a name" in told_of(tmp_path, "{{ platform.values.package-place | default('a') }}")


def test_a_value_that_another_platform_has_may_be_optional(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    output = told_of(tmp_path, "{% if platform.values['install-place'] %}x{% endif %}")
    assert "write `values: {install-place: …}` there, or test `is defined` first (swan)" in output
    assert "did you mean" not in output


def test_a_name_of_code_that_is_not_there_is_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    output = told_of(tmp_path, "{{ code('conect') }}")
    assert output.count("conect`") == 1
    assert "misspelled-code" not in output


def test_what_errors_keep_from_being_checked_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert " pages could not be rendered: the links, tables, and data on them" in told_of(tmp_path, "{{ nothing }}")
    assert "could not be rendered" not in told_of(tmp_path, "Text.")


def test_what_stops_a_project_is_no_matter_for_a_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = "---\ntitle: Welcome\n---\n\n" + "".join(
        f"{{{{ platform.values.v{number} }}}} the the\n\n" for number in range(30)
    )
    monkeypatch.chdir(project.write(tmp_path, templates={**project.TEMPLATES, "steps/welcome.md.j2": lacking}))
    assert "--write-baseline" not in ran("lint").output
    (tmp_path / "site_templates/steps/welcome.md.j2").write_text(lacking.replace("{{ platform.values.v", "{{ 1"))
    assert "--write-baseline" in ran("lint").output
