"""Mistakes that authors make: each is one finding, at its place, that says what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import project
from tests.project import DATA, TEMPLATES
from tests.test_messages import found
from tutorial_tool.linter import session
from tutorial_tool.linter.config_lookup import LookupOptions

PREPARE, FINISH = TEMPLATES["steps/prepare.md.j2"], TEMPLATES["steps/finish.md.j2"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("      - finish", "      - {id: finish, template: x.md.j2}", "platforms.yaml:16:22: invalid-data: unknown key `template` in an entry of `steps`; the step's `id` is the name of its template: site_templates/steps/ID.md.j2"),
        ("    title: Guide", "    title: Guide\n    labels: {a: b}", "platforms.yaml:12:5: invalid-data: unknown key `labels` in `guide`; it belongs to an entry of `platforms`"),
        ("      - finish", "      - finish\n      - finish", "platforms.yaml:17:9: invalid-data: step `finish` is repeated here"),
        ("      - finish", "      - fin ish", "platforms.yaml:16:9: invalid-data: an entry of `steps` should be an id of letters, digits, - and _, not `fin ish`; write `fin-ish`"),
        ("can: [fly]", "can: [fly, swim dive]", "platforms.yaml:2:89: invalid-data: an entry of `can` should be an id of letters, digits, - and _, not `swim dive`; write `swim-dive`"),
        ("{setting: Sound, value: Enabled}", "{setting: Sound, value: {{ rate }}}", "platforms.yaml:22:38: invalid-data: a value that starts with `{{` is a mapping to YAML: put it in quotes"),
        ("  sound: {setting", "  sound: {seting", "platforms.yaml:22:15: invalid-data: unknown column `seting`; did you mean `setting`?"),
        ("  animals: [swan", "  animals: [animals, swan", "platforms.yaml:8:13: invalid-data: group `animals` includes itself through `animals`; remove it"),
        ("    extends: swan", "    extends: otter", "platforms.yaml:5:14: invalid-data: platform `otter` extends itself: otter > otter"),
        ("guide/{platform}/{step}", "guide/{platform}", "platforms.yaml:12:11: page-collision: `prepare` on `swan` and `welcome` on `swan` are both at guide/swan.md; name {step} in the path"),
        ("tutorials:", "<<<<<<< HEAD\n=======\n>>>>>>> new\ntutorials:", "platforms.yaml:9:1: invalid-data: unresolved merge conflict: keep one side, and delete `<<<<<<<`, `=======`, and `>>>>>>>`"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_data_is_one_finding_that_says_what_to_do(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    assert DATA.count(old) == 1
    assert found(tmp_path, DATA.replace(old, new)) == [said]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("title: Finish\n---", "title: Finish\n", "1:1: front-matter: the front matter that starts here is not closed: write `---` on a line of its own below line 2"),
        ("---\ntitle", "\n---\ntitle", "2:1: front-matter: front matter starts in the first line of a file: remove what is above this `---` [swan, otter]"),
        ("---\ntitle", "title", "1:1: front-matter: front matter is between two lines of `---`: write one above this line [swan, otter]"),
        ("Done.", "<<<<<<< HEAD\nDone.\n=======\nWell done.\n>>>>>>> new", "9:1: invalid-template: unresolved merge conflict: keep one side, and delete `<<<<<<<`, `=======`, and `>>>>>>>` [swan, otter]"),
        ("Done.", "{{ link(welcome) }}", "9:9: undefined-name: `welcome` is not defined; put a name of the data in quotes: `'welcome'` [swan, otter]"),
        ("Done.", "{{ platform.name | uper }}", "9:20: invalid-template: unknown filter `uper`; did you mean `upper`? [swan, otter]"),
        ("Done.", "{{ table('settings', colums=['value']) }}", "9:4: invalid-template: table() knows no `colums`; did you mean `columns`? [swan, otter]"),
        ("Done.", "{{ platform.package }}", "9:13: undefined-name: platform `swan` has no `package` (platforms.yaml:2:3); write platform.values.package [swan, otter]"),
        ("Done.", "{{ platform.labels.menu }}", "9:13: undefined-name: platform `swan` has no `labels` (platforms.yaml:2:3); write platform.label('…') [swan, otter]"),
        ("Done.", "{{ platform.name.", "9:1: invalid-template: `{{` is not closed: write `}}` where it ends [swan, otter]"),
        ("Done.", "{% include 'steps/prepare/instal.animals.md' %}", "9:12: invalid-template: unknown template `steps/prepare/instal.animals.md`; did you mean `steps/prepare/install.animals.md`? [swan, otter]"),
        ("Done.", "{{ drift('Done', {'oter': 'Over'}) }}.", "9:20: undefined-name: unknown platform `oter`; did you mean `otter`? [swan, otter]"),
        ("Done.", "{{ drift('Done', 'Over') }}.", "9:19: invalid-template: `others` should be a mapping, such as `{'ios': '…'}`, not `Over` [swan, otter]"),
        ("prepare#menu", "prepare#meun", "5:14: undefined-name: step `prepare` has no section `meun` on `swan`; did you mean `menu`? [swan, otter]"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_template_is_one_finding_that_says_what_to_do(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    text = FINISH.replace(old, new, 1)
    told = found(tmp_path, finish=text)
    assert [line for line in told if "finish.md.j2" in line] == [f"site_templates/steps/finish.md.j2:{said}"]


def test_a_file_of_nearly_the_right_name_is_named(tmp_path: Path) -> None:
    templates = {
        name.replace("finish", "finnish").replace("start.swan", "strat.swan"): text for name, text in TEMPLATES.items()
    }
    project.write(tmp_path, templates=templates, docs={"images/swan/prepare/mneu.png": ""})
    (tmp_path / "platforms.yaml").write_text(DATA.replace("      - finish\n", ""))
    text = PREPARE.replace(", kind='menu', path=['Menu']", "")
    (tmp_path / "site_templates/steps/prepare.md.j2").write_text(text)
    (tmp_path / "site_templates/steps/welcome.md.j2").write_text("---\ntitle: Welcome\n---\n\nHello.\n")
    told = {finding.rule: finding.message for finding in project.load(tmp_path).findings}
    assert told["missing-code"].endswith("; did you mean site_templates/steps/prepare/strat.swan.py?")
    assert told["missing-figure"].endswith("or use a `kind`; did you mean `docs_src/images/swan/prepare/mneu.png`?")
    (tmp_path / "platforms.yaml").write_text(DATA)
    (wrong,) = project.load(tmp_path).errors
    assert wrong.message.endswith("; there is site_templates/steps/finnish.md.j2: rename it, or the step")


def test_one_run_tells_of_mistakes_in_data_and_in_templates(tmp_path: Path) -> None:
    data = DATA.replace("value: Disabled", "value: Disbled")
    texts = {
        "finish": FINISH.replace("Done.", "{{ dnoe }}\n\n{{ doen }}"),
        "welcome": "---\ntitle: Hello\n---\n\n{% if %}\n",
    }
    assert [line.partition(" [")[0] for line in found(tmp_path, data, **texts)] == [
        "platforms.yaml:25:16: invalid-data: column `value` does not allow `Disbled`; did you mean `Disabled`?",
        "site_templates/steps/finish.md.j2:9:4: undefined-name: `dnoe` is not defined",
        "site_templates/steps/finish.md.j2:11:4: undefined-name: `doen` is not defined",
        "site_templates/steps/welcome.md.j2:5:7: invalid-template: a name or value is missing in this tag",
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("labels: {menu: Swan menu}", "lables: {menu: Swan menu}"),
        ("values: {package: swan-kit}", "valeus: {package: swan-kit}"),
        ("  otter:\n", "  swan:\n"),
        ("      - finish", "      - fi nish"),
        ("  settings:\n    columns", "  sett ings:\n    columns"),
        ("platforms:\n", "platfroms:\n"),
        ("tutorials:\n", "tutorials\n"),
    ],
)
def test_what_follows_from_a_mistake_in_the_data_is_not_told(old: str, new: str, tmp_path: Path) -> None:
    assert DATA.count(old) == 1
    tested = FINISH.replace("Done.", "{% if platform.id == 'swan' %}Done.{% endif %}")
    told = found(tmp_path, DATA.replace(old, new), finish=tested)
    assert len([line for line in told if ": platform-test: this compares platforms" not in line]) == 1, told


def test_a_data_file_that_cannot_be_read_is_one_finding(tmp_path: Path) -> None:
    project.write(tmp_path, docs={"index.md": "---\ntitle: Home\n---\n\n[Start](guide/swan/prepare.md)\n"})
    (tmp_path / "platforms.yaml").write_bytes(DATA.encode("utf-16"))
    told = session.run(session.Request(LookupOptions(tmp_path))).findings
    assert [str(finding) for finding in told] == [
        "platforms.yaml:1:1: unreadable-file: the file is UTF-16; save it as UTF-8"
    ]


def test_a_step_that_was_renamed_is_told_once_and_links_to_it_are_not(tmp_path: Path) -> None:
    """The template has the old name: one of the two is to be renamed, and links may mean either."""
    told = found(tmp_path, DATA.replace("      - prepare\n", "      - prepared\n"))
    assert [line.partition(":")[0] for line in told] == ["platforms.yaml"], told
    assert "there is site_templates/steps/prepare.md.j2: rename it, or the step" in told[0]


@pytest.mark.parametrize(
    ("data", "template"),
    [(DATA, FINISH.replace("Done.", "{{ dnoe }}")), (DATA.replace("labels:", "lables:", 1), FINISH)],
)
def test_a_navigation_may_name_what_a_mistake_keeps_from_being_rendered(
    data: str, template: str, tmp_path: Path
) -> None:
    nav = "nav:\n  - index.md\n  - guide/swan/finish.md\n  - guide/otter/finish.md\n"
    (tmp_path / "mkdocs.yml").write_text(f"site_name: Birds\ndocs_dir: docs_src\nplugins: [tutorial]\n{nav}")

    assert found(tmp_path) == []
    assert len(found(tmp_path, data, finish=template)) == 1
