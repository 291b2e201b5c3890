"""What is still to be written, and the commands that begin it: `todo`, `add-platform`, `new-step`, `rename`."""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests import nine
from tutorial_tool.cli import main
from tutorial_tool.scaffold import transaction
from tutorial_tool.templating.places import PageId


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return nine.write(tmp_path)


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def test_todo_lists_what_each_platform_lacks_with_places_and_owners(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".github").mkdir()
    (folder / ".github/CODEOWNERS").write_text("# who\n* @docs\n/site_templates/ @writers @leads\n")
    done = run("todo")
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[0] == "iOS: 100% written, nothing to do"
    verify = folder / "site_templates/steps/verify.md.j2"
    text = verify.read_text()
    verify.write_text("---\ntitle: Verify\n---\n")
    assert "steps/verify.md.j2:1:1: the step `verify` is empty: its page has no text" in run("todo", "ios").output
    verify.write_text(text)
    (heading,) = [line for line in lines if line.startswith("Unity")]
    assert heading == "Unity (draft): 66% written, 5 to do"
    assert lines[-1] == (
        "  site_templates/steps/start.md.j2:7:4: no code `start` for `unity`: "
        "write `site_templates/steps/start/start.unity.<extension>`, or `start.<extension>` for all platforms @writers @leads"
    )
    assert lines[-2].startswith("  platforms.yaml:35:7: row `secret` lacks `value` on unity")
    assert lines[-2].endswith(" @docs")
    (folder / "docs").mkdir()
    monkeypatch.chdir(folder / "docs")  # places are relative to the working folder
    assert run("todo").output.splitlines()[-2].startswith("  ../platforms.yaml:35:7: ")
    assert "\n    ../platforms.yaml:" in run("where", "unity").output
    assert run("new-step", "later").output.startswith("Changed ../platforms.yaml\n")
    (folder / "platforms.yaml").write_text("platforms: {")
    assert run("render", "build").stderr.startswith("../platforms.yaml:1:12: ")


def test_todo_as_markdown_and_json(folder: Path) -> None:
    text = run("todo", "unity", "--output-format", "markdown").output
    assert text.startswith("## Unity (draft): 66% written, 5 to do\n\n- [ ] platform `unity` has no label `input`")
    (status,) = json.loads(run("todo", "unity", "--output-format", "json").output)
    assert (status["platform"], status["draft"], status["needed"] - status["written"]) == ("unity", True, 5)
    assert {item["rule"] for item in status["items"]} == {"undefined-name", "invalid-data", "missing-code"}
    assert status["items"][0]["path"] == "platforms.yaml"


def test_todo_lists_reviews_that_are_due_with_owners_in_the_data(folder: Path) -> None:
    data = nine.DATA.replace("{name: iOS,", '{name: iOS, owners: ["@mobile"], review-after: 2026-01-31,')
    data = data.replace("- verify", '- {id: verify, owners: ["@qa"], review-after: 2026-02-01, only: [ios, unity]}')
    (folder / "platforms.yaml").write_text(data.replace("- start", "- {id: start, review-after: 2999-01-01}"))
    lines = run("todo", "ios").output.splitlines()
    assert lines[0] == "iOS: 100% written, 2 to do"
    assert [line.split(": ", 1)[1] for line in lines[1:]] == [
        "platform `ios` was due for review on 2026-01-31; review it, and set a new date @mobile",
        "step `verify` was due for review on 2026-02-01; review it, and set a new date @qa",
    ]
    assert "due for review" not in run("todo", "web").output
    assert "due for review on 2026-02-01" in run("todo", "unity").output
    done = run("lint", "--no-cache")
    assert "hint[review-due]: platform `ios` was due for review on 2026-01-31" in done.output
    assert done.exit_code == 0


def test_a_day_of_review_is_a_date(folder: Path) -> None:
    (folder / "platforms.yaml").write_text(nine.DATA.replace("{name: iOS,", "{name: iOS, review-after: 31.1.2026,"))
    assert "should be a date such as 2027-03-01, not `31.1.2026`" in run("lint", "--no-cache").output


def test_todo_of_an_unknown_platform(folder: Path) -> None:
    done = run("todo", "unitty")
    assert (done.exit_code, done.output) == (2, "tutorial-tool: unknown platform `unitty`; did you mean `unity`?\n")


def test_add_platform_writes_a_draft_that_stops_nobody(folder: Path) -> None:
    before = {page.path: page.plain for page in nine.load(folder).pages}
    done = run("add-platform", "xamarin", "--like", "android")
    assert done.exit_code == 0, done.output
    assert done.output.startswith("Changed platforms.yaml\nWrote site_templates/steps/start/start.xamarin.kt\n")
    data = (folder / "platforms.yaml").read_text()
    assert "  xamarin:\n    name: Xamarin\n    draft: true" in data
    assert "mobile: [ios, android, xamarin, react-native, flutter]" in data
    assert data.index("  android:") < data.index("  xamarin:") < data.index("  web:")
    stub = (folder / "site_templates/steps/start/start.xamarin.kt").read_text()
    assert stub.startswith("// TODO(xamarin): adapt this copy of start.android.kt to Xamarin, and delete this line\n")
    assert {page.path: page.plain for page in nine.load(folder).pages} == before
    assert run("lint").output == "Nothing found.\n"
    left = run("todo", "xamarin").output
    assert "platform `xamarin` has no label `input`" in left
    assert "site_templates/steps/start/start.xamarin.kt:1:4: adapt this copy" in left


def test_add_platform_reads_its_own_entry_back(folder: Path) -> None:
    run("add-platform", "apple-tv", "--like", "react-native", "--name", "tvOS: TV")
    platform = nine.load(folder, drafts=True).model.platforms["apple-tv"]
    assert platform.draft
    assert platform.name == "tvOS: TV"
    assert platform.can == {"secret"}
    assert platform.groups == ("mobile",)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("unity", "--like", "web"), "platform or group `unity` already exists"),
        (("new", "--like", "webb"), "unknown platform `webb`; did you mean `web`?"),
        (("a b", "--like", "web"), "`a b` is not an id: use letters, digits, - and _, as in `a-b`"),
    ],
)
def test_add_platform_refuses(folder: Path, args: tuple[str, ...], message: str) -> None:
    done = run("add-platform", *args)
    assert (done.exit_code, done.output) == (2, f"tutorial-tool: {message}\n")
    assert (folder / "platforms.yaml").read_text() == nine.DATA


def test_a_dry_run_writes_nothing(folder: Path) -> None:
    done = run("add-platform", "xamarin", "--like", "android", "--dry-run")
    assert "Would change platforms.yaml" in done.output
    assert (folder / "platforms.yaml").read_text() == nine.DATA


def test_add_platform_to_data_in_braces_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    nine.write(tmp_path, data="platforms: {ios: {name: iOS}}\ntutorials: {a: {title: A, steps: [verify]}}\n")
    done = run("add-platform", "web", "--like", "ios")
    assert done.exit_code == 2
    assert done.output.startswith("tutorial-tool: platforms.yaml:1:13: write `ios` on a line of its own first")


def test_new_step_is_a_draft_after_another_one(folder: Path) -> None:
    done = run("new-step", "share-key", "--after", "start", "--title", "Share: a key")
    assert done.exit_code == 0, done.output
    assert "      - start\n      - {id: share-key, draft: true}\n" in (folder / "platforms.yaml").read_text()
    assert run("lint").output == "Nothing found.\n"
    page = nine.load(folder, drafts=True).by_address[PageId("quickstart", "share-key", "ios")]
    assert page.title == "Share: a key"
    assert "step `share-key` is a draft; finish it, and delete `draft`" in run("todo", "ios").output
    again = run("new-step", "share-key")
    assert again.output == "tutorial-tool: tutorial `quickstart` already has a step `share-key`\n"


def test_rename_changes_data_and_templates_and_no_page(folder: Path) -> None:
    before = {page.path: page.plain for page in nine.load(folder).pages}
    done = run("rename", "platform.values.sdk", "package")
    assert done.exit_code == 0, done.output
    assert done.output == (
        "Changed 7 places in platforms.yaml\nChanged 1 place in site_templates/steps/install.md.j2\n"
    )
    assert "sdk:" not in (folder / "platforms.yaml").read_text()
    assert {page.path: page.plain for page in nine.load(folder).pages} == before
    assert run("lint").output == "Nothing found.\n"


def test_rename_of_a_capability_reaches_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    nine.write(tmp_path, data=nine.DATA.replace("- verify", "- {id: verify, needs: [secret]}"))
    assert run("rename", "secret", "key-secret", "--kind", "feature").exit_code == 0
    assert "{id: verify, needs: [key-secret]}" in (tmp_path / "platforms.yaml").read_text()
    assert run("lint").output == "Nothing found.\n"


def notes(folder: Path, path: str, old: bytes, new: str) -> None:
    """What a rename leaves that was killed before it wrote this file."""
    (folder / transaction.FILE).write_text(
        json.dumps({path: [sha256(old).hexdigest(), b64encode(new.encode()).decode()]})
    )


def test_rename_finishes_what_was_interrupted(folder: Path) -> None:
    path = folder / "site_templates/steps/verify.md.j2"
    notes(folder, "site_templates/steps/verify.md.j2", path.read_bytes(), "Verify.\n")
    done = run("rename", "platform.values.sdk", "package")
    assert done.output == "Finished a change that was interrupted, in site_templates/steps/verify.md.j2\n"
    assert path.read_text() == "Verify.\n"
    assert not (folder / transaction.FILE).exists()


@pytest.mark.parametrize("path", ["run.py", "mkdocs_hook.toml", ".git/a.yml", "../a.yml", "site_templates/../run.py"])
def test_notes_of_a_stranger_write_templates_and_data_only(folder: Path, path: str) -> None:
    for name in ("run.py", "mkdocs_hook.toml", ".git/a.yml", "../a.yml"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("old")
    old = (folder / path).read_bytes()
    notes(folder, path, old, "new")
    assert "Changed 7 places" in run("rename", "platform.values.sdk", "package").output
    assert (folder / path).read_bytes() == old
    assert not (folder / transaction.FILE).exists()


def test_a_file_that_changed_since_is_not_overwritten(folder: Path) -> None:
    notes(folder, "site_templates/steps/verify.md.j2", b"something else", "Verify.\n")
    assert "Changed 7 places" in run("rename", "platform.values.sdk", "package").output


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("sdkk", "x"), "unknown name `sdkk`; did you mean `sdk`?"),
        (("secret", "x"), "several things are called `secret`: feature secret, row options.secret; say which,"),
        (("platform.values.sdk", "entry"), "value `entry` already exists"),
        (("options.key.option", "x"), "unknown name"),
    ],
)
def test_rename_refuses_and_writes_nothing(folder: Path, args: tuple[str, ...], message: str) -> None:
    done = run("rename", *args)
    assert done.exit_code == 2
    assert message in done.output, done.output
    assert (folder / "platforms.yaml").read_text() == nine.DATA


def test_a_platform_stands_behind_the_comments_of_the_one_before_it(folder: Path) -> None:
    """The comments say what that one is to write: below another, they would be about it."""
    for id_, like in (("tizen", "web"), ("webos", "tizen")):
        assert run("add-platform", id_, "--like", like).exit_code == 0
    data = (folder / "platforms.yaml").read_text()
    own = data[data.index("  tizen:") : data.index("  webos:")]
    assert "#   sdk: '@lock/web'" in own.replace('"', "'")
    assert data.index("  webos:") < data.index("  react-native:")


def test_what_all_platforms_lack_is_listed_once(folder: Path) -> None:
    nine.write(folder, data=nine.DATA.replace("- verify\n", "- {id: verify, draft: true}\n"))
    lines = run("todo").output.splitlines()
    assert lines[0] == "All platforms, 1 to do"
    assert "step `verify` is a draft" in lines[1]
    assert sum("step `verify` is a draft" in line for line in lines) == 1
    assert any(line.startswith("iOS: ") and line.endswith("% written, nothing else to do") for line in lines)
    alone = run("todo", "ios").output.splitlines()
    assert alone[0].endswith("% written, 1 to do")


def test_a_row_that_is_a_draft_is_listed_where_it_is_one(folder: Path) -> None:
    nine.write(folder, data=nine.DATA.replace("value: Your key}", "value: Your key, draft: [roku]}"))
    assert "row `key` is a draft; finish it, and delete `draft`" in run("todo", "roku").output
    assert "row 'key'" not in run("todo", "web").output


def test_each_platform_is_told_of_its_own_file(folder: Path) -> None:
    for path in (folder / "site_templates/steps/start").iterdir():
        path.unlink()
    for platform in ("ios", "web", "unity"):
        (line,) = [line for line in run("todo", platform).output.splitlines() if "no code `start`" in line]
        assert f"for `{platform}`: write `site_templates/steps/start/start.{platform}.<extension>`" in line


def test_a_platform_stands_in_the_section_of_the_menu_that_the_other_is_in(folder: Path) -> None:
    data = folder / "platforms.yaml"
    data.write_text(data.read_text().replace("web: {name: Web,", "web: {name: Web, section: 'Browsers: all',"))
    assert run("add-platform", "tizen", "--like", "web").exit_code == 0
    section = nine.load(folder, drafts=True).model.platforms["tizen"].section
    assert section == "Browsers: all"
