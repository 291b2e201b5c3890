"""The texts of the product's screens: how lists are read, and which labels of a page are among them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from tests import project
from tests.work import soon
from tutorial_tool import lint
from tutorial_tool.cli import main
from tutorial_tool.config import settings
from tutorial_tool.core.source import Source
from tutorial_tool.markdown.document import Document
from tutorial_tool.rules.text.unknown_ui_label import find_labels
from tutorial_tool.spelling import ui_strings
from tutorial_tool.spelling.ui_strings import Strings
from tutorial_tool.spelling.ui_strings.readers import MalformedStrings, get_reader


def strings(*texts: str) -> Strings:
    return Strings(((Source("en.json", "\n".join(texts)), texts),))


def read(name: str, text: str) -> list[str]:
    return list(get_reader(name)(text))


def found(folder: Path, page: str, *texts: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the rule says of a page, with a list of strings."""
    monkeypatch.chdir(folder)
    (folder / "page.md").write_text(page, encoding="utf-8")
    body = "".join(f'"{index}" = "{text}";\n' for index, text in enumerate(texts))
    (folder / "en.strings").write_text(body, encoding="utf-8")
    (folder / settings.OWN_FILE).write_text('select = ["unknown-ui-label"]\nui-strings = ["en.strings"]\n')
    return [f"{finding.span.text}: {finding.severity}: {finding.message}" for finding in lint("page.md")]


# Lists


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("flat.json", '{"save": "Save", "open": "Open"}', ["Save", "Open"]),
        ("i18next.json", '{"menu": {"item_one": "{{count}} item", "list": ["A", "B"]}}', ["{{count}} item", "A", "B"]),
        ("app_en.arb", '{"@@locale": "en", "save": "Save", "@save": {"description": "A button"}}', ["Save"]),
        (
            "messages.json",
            '{"save": {"message": "Save $FILE$", "description": "A button", "placeholders": {"file": {"content": "$1"}}}}',
            ["Save $FILE$"],
        ),
        ("formatjs.json", '{"a1": {"defaultMessage": "Save", "description": "A button"}}', ["Save"]),
        (
            "Localizable.xcstrings",
            '{"sourceLanguage": "en", "version": "1.0", "strings": {"Save": {}, "key": {"localizations": {"en":'
            ' {"stringUnit": {"state": "new", "value": "Open"}}, "de": {"stringUnit": {"value": "Auf"}}}}}}',
            ["Save", "Open"],
        ),
        (
            "Localizable.strings",
            '/* a button */\n"save" = "Save \\"%@\\"";\n// old\nopen.now = "Open\\nnow \\U2026";\n',
            ['Save "%@"', "Open\nnow …"],
        ),
        (
            "strings.xml",
            '<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2"><string name="a">Don\\\'t\n  save</string>'
            '<plurals name="b"><item quantity="one">One <xliff:g id="n">%d</xliff:g> file</item></plurals>'
            '<string name="c">"Quoted"</string><string name="d">@string/a</string></resources>',
            ["Don't save", "One %d file", "Quoted"],
        ),
        (
            "de.po",
            '# head\nmsgid ""\nmsgstr "Language: de\\n"\n\n#: main.c:1\nmsgid "Save"\nmsgstr "Sichern"\n\n'
            'msgid ""\n"Open "\n"now"\nmsgstr ""\n\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d Datei"\n'
            'msgstr[1] "%d Dateien"\n\n#~ msgid "Old"\n#~ msgstr "Alt"\n',
            ["Sichern", "Open now", "%d Datei", "%d Dateien"],
        ),
    ],
)
def test_lists_of_all_kinds_are_read(name: str, text: str, expected: list[str]) -> None:
    assert read(name, text) == expected


@pytest.mark.parametrize(
    ("name", "text", "message", "at"),
    [
        ("en.json", '{"a": "A" "b"}', "not valid JSON: ", 10),
        ("en.json", "[" * 200_000, "is nested too deeply", 0),
        ("en.strings", '"a" = "A";\n"b" = ;\n', 'an entry is written `"key" = "value";`', 11),
        ("strings.xml", '<!DOCTYPE a [<!ENTITY b "c">]><resources/>', "a list of strings has no document type", 0),
        ("strings.xml", "<resources>\n  <string>\n</resources>", "not valid XML: mismatched tag", 25),
        ("de.po", 'msgid "a"\nmsgstrs "b"\n', 'a line is written `msgid "text"`', 10),
        ("en.csv", "a,b", "lists of UI strings end with .json, ", 0),
    ],
)
def test_a_list_that_cannot_be_read_is_told_at_its_place(name: str, text: str, message: str, at: int) -> None:
    with pytest.raises(MalformedStrings) as caught:
        read(name, text)
    assert str(caught.value).startswith(message)
    assert caught.value.at == at


@given(
    st.sampled_from(["a.json", "a.strings", "a.xml", "a.po"]),
    st.text(alphabet='"\\;={}[]<>/*msgid str:,\n#a', max_size=60),
)
def test_any_text_is_read_or_refused(name: str, text: str) -> None:
    try:
        list(get_reader(name)(text))
    except MalformedStrings as wrong:
        at = wrong.at
    else:
        at = 0
    assert 0 <= at <= len(text)


def test_strings_of_xcode_in_utf_16_are_read(tmp_path: Path) -> None:
    (tmp_path / "en.strings").write_bytes('"a" = "Übersicht";\n'.encode("utf-16"))
    told, wrong = ui_strings.read(["en.strings"], tmp_path)
    assert not wrong
    assert "Übersicht" in told


# Labels


def test_signs_of_keys_and_what_follows_a_label_do_not_count() -> None:
    told = strings("&File", "_Edit", "Save && Close", "Sa&ve as…", "Name:", "Datei(&D)", "Q&A", "snake_case")
    labels_ = ("File", "Edit", "Save & Close", "Save as", "Save as...", "Name", "Datei", "Q&A", "snake_case", "+ File")
    assert [label for label in labels_ if label not in told] == []
    assert "Fil" not in told


def test_a_gap_stands_for_any_text() -> None:
    told = strings(
        "Delete %1$s", "{count} of {total} files", "Hi {{name}}!", "%@", "{n, plural, one {# day} other {# days}} left"
    )
    fits = ("Delete Berlin", "3 of 5 files", "Hi Ann!", "2 days left")
    assert [label for label in fits if label not in told] == []
    assert [label for label in ("Remove Berlin", "3 files", "anything") if label in told] == []


def test_capitals_throughout_are_a_style() -> None:
    assert "SAVE CHANGES" in strings("Save changes")
    assert "Save changes" in strings("SAVE CHANGES")


@pytest.mark.parametrize(
    ("label", "kind", "text"),
    [("Save Changes", "case", "Save changes"), ("Sve changes", "near", "Save changes"), ("Exprot", "near", "Export")],
)
def test_the_string_that_is_meant(label: str, kind: str, text: str) -> None:
    like = strings("Save changes", "Export", "Step 1").find_similar(label)
    assert like is not None
    assert (like.kind, like.text, like.span.text) == (kind, text, text)


@pytest.mark.parametrize("label", ["Step 2", "Connect", "Sav", "E"])
def test_what_is_far_from_all_strings_is_like_none(label: str) -> None:
    assert strings("Save changes", "Export", "Step 1").find_similar(label) is None


def test_strings_with_many_gaps_take_no_long_time() -> None:
    told = strings("{a}" + "a{b}" * 200 + "c")
    assert "a" * 5000 not in told
    soon(lambda: "a" * 5000 in told)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Click **Save**, and then **Close**.", ["Save", "Close"]),
        ("From the dashboard, navigate to **Connections > Connect**.", ["Connections", "Connect"]),
        ("Go to **File** → **Export --> As PDF**.", ["File", "Export", "As PDF"]),
        ("Tapping the **Next** button opens it. Use the **Advanced** tab.", ["Next", "Advanced"]),
        ("Press **Enter**, press **Ctrl+S**, click **Delete**, click **Ctrl + S**.", ["Delete"]),
        ("This is **important**. **Note:** do not click *twice*.", []),
        ("The **Save** dialog. In **Berlin**, it rains.", []),
        ("Open **docs/page.md**, select **`code`**, choose **--flag**, open **page.md**.", []),
        ("Click **Save the file. Then wait for it.**", []),
        ("| Do |\n| --- |\n| Click **Save** |", ["Save"]),
        ("1. Select\n   **Save**", ["Save"]),
    ],
)
def test_labels_are_what_a_sentence_does_something_to(text: str, expected: list[str]) -> None:
    document = Document(text + "\n")
    assert [label.text for label in find_labels(document)] == expected
    assert all(document.text[label.start : label.end] == label.text for label in find_labels(document))


# The rule


def test_a_slip_is_a_warning_and_a_word_that_may_be_right_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "# Page\n\nClick **Ssave**, open **Rules**, click **Xcode Cloud**, click **Role list**. Open **User change list**.\n"
    assert found(
        tmp_path, page, "Save", "Roles", "Rolelist", "User changes list", "User changes", monkeypatch=monkeypatch
    ) == [
        "Ssave: warning: label `Ssave` is not a UI string; did you mean `Save`?",
        "Rules: hint: label `Rules` is not a UI string; did you mean `Roles`?",
        "Xcode Cloud: hint: label `Xcode Cloud` is not a UI string",
        "Role list: warning: label `Role list` is not a UI string; did you mean `Rolelist`?",
        "User change list: warning: label `User change list` is not a UI string; did you mean `User changes list`?",
    ]


def test_the_closest_string_of_several_words_is_named_in_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "# Page\n\nClick **Include user change events**, then **Include app**.\n"
    assert found(tmp_path, page, "Include user changes", "Include user change", "App", monkeypatch=monkeypatch) == [
        "Include user change events: hint: label `Include user change events` is not a UI string; the closest is"
        " `Include user changes`",
        "Include app: hint: label `Include app` is not a UI string",
    ]


def test_what_a_control_is_called_may_be_bold_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "# Page\n\nSelect the **Browse tab**, open the **Swan menu**, click the **Sav button**, open the **Brwse tab**.\n"
    assert found(tmp_path, page, "Browse", "Swan menu", "Save", monkeypatch=monkeypatch) == [
        "Sav button: hint: label `Sav button` is not a UI string",
        "Brwse: warning: label `Brwse` is not a UI string; did you mean `Browse`?",
    ]


def test_words_that_are_stressed_are_no_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "# Page\n\nSelect **all** rows, open **both**, click **twice**, choose **one**, pick **wisely**.\n"
    assert found(tmp_path, page, "All", "Bot", "Twice", "Wise", "One", monkeypatch=monkeypatch) == []


def test_the_first_column_of_a_table_of_settings_is_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "| Send Events | on |\n| Send Views | on |\n| Include metadata | on |\n| Send Profles | on |\n"
    page = f"# Page\n\n| Setting | Value |\n| --- | --- |\n{rows}"
    told = ("Send Events", "Send Views", "Include metadata", "Send Profiles")
    assert found(tmp_path, page, *told, monkeypatch=monkeypatch) == [
        "Send Profles: warning: label `Send Profles` is not a UI string; did you mean `Send Profiles`?"
    ]
    assert found(tmp_path, page, "Send Events", "Send Profiles", monkeypatch=monkeypatch) == []


def test_a_page_that_is_not_english_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "---\nlang: de\n---\n\n# Seite\n\nClick **Ssave**.\n"
    assert found(tmp_path, page, "Save", monkeypatch=monkeypatch) == []


def test_each_platform_is_held_to_its_own_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    template = "---\ntitle: Finish\n---\n\nClick **Save now**, then **{{ platform.label('menu') }}**, then **Helpp**.\n\n## Check {: #check }\n"
    data = project.DATA.replace("Swan menu", "Swn menu").replace('"Otter\\u2019s menu"', "Otter menu")
    templates = {**project.TEMPLATES, "steps/finish.md.j2": template}
    project.write(tmp_path, data, templates)
    (tmp_path / "swan.strings").write_text('"a" = "Save now"; "b" = "Swan menu"; "c" = "Open";\n')
    (tmp_path / "otter.xml").write_text("<r><string>Save Now</string><string>Otter menu</string></r>")
    (tmp_path / "all.json").write_text('{"help": "Help"}')
    (tmp_path / settings.OWN_FILE).write_text(
        'select = ["unknown-ui-label"]\n[ui-strings]\nswan = ["swan.strings"]\notter = ["otter.xml"]\nALL = ["all.json"]\n'
    )
    monkeypatch.chdir(tmp_path)
    assert [f"{finding.span}: {finding.message} {finding.platforms}" for finding in lint()] == [
        "platforms.yaml:2:37: label `Swn menu` is not a UI string; did you mean `Swan menu`? ('swan',)",
        "site_templates/steps/finish.md.j2:5:9: label `Save now` is `Save Now` in the product ('otter',)",
        "site_templates/steps/finish.md.j2:5:67: label `Helpp` is not a UI string; did you mean `Help`? ('swan', 'otter')",
    ]


def test_a_label_that_only_differs_in_capitals_is_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found(
        tmp_path, "# Page\n\nClick **Save Changes** and **Ssave changes**.\n", "Save changes", monkeypatch=monkeypatch
    )
    ran = CliRunner().invoke(main, ["lint", "--fix"])
    assert ran.exit_code == 1
    assert (tmp_path / "page.md").read_text() == "# Page\n\nClick **Save changes** and **Ssave changes**.\n"


def test_lists_that_cannot_be_read_end_the_run_with_all_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text("# Page\n")
    (tmp_path / "en.json").write_text('{\n "a": 1\n"b"}')
    (tmp_path / settings.OWN_FILE).write_text('ui-strings = ["en.json", "none.json", "words.csv"]\n')
    (tmp_path / "words.csv").write_text("a\n")
    ran = CliRunner().invoke(main, ["lint"])
    assert ran.exit_code == 2
    lines = [line.removeprefix("tutorial-tool: ") for line in ran.stderr.splitlines()]
    assert lines[0].startswith("en.json:3:1: not valid JSON: ")
    assert lines[1] == "none.json:1:1: the file cannot be read: no such file or directory"
    assert lines[2].startswith("words.csv:1:1: lists of UI strings end with .json, .arb, ")
    (tmp_path / settings.OWN_FILE).write_text("ui-strings = {ios = 'a.json'}\n")
    ran = CliRunner().invoke(main, ["lint"])
    assert "tutorial-tool.toml:1:21: `ui-strings`: should be a list" in ran.stderr
