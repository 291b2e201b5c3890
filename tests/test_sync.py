"""An edit of one variant, carried to its siblings: in a tree of copies, and in parts of a templated tutorial."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tutorial_tool import cli
from tutorial_tool.sync.carry import CarriedEdit, Carrier
from tutorial_tool.sync.edits import LineEdit, find_edits
from tutorial_tool.sync.merge import merge
from tutorial_tool.variants import Variant
from tutorial_tool.variation.model.exchange import Exchange

PAGE = """\
# Install the {name} SDK

The SDK sends what your app tells it, and nothing else.

Add the package `example-{id}` to your {name} app.

Call `Example.{call}(key)` when the app starts.

It may take up to five minutes until the first event arrives.

Open the [{name} settings](../{id}/settings.md) to see your events.

| Setting | Recommended |
| --- | --- |
| Send screen views | Enabled |
| Send crash reports | Enabled |
"""
COPIES = {"ios": ("iOS", "start"), "android": ("Android", "init"), "web": ("Web", "boot")}
IOS, ANDROID, WEB = (Path(f"docs/{name}/install.md") for name in COPIES)


def git(*arguments: str) -> None:
    who = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com"}
    who |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in who.items()}
    subprocess.run(["git", *arguments], check=True, capture_output=True, env={**os.environ, **who})


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for id_, (name, call) in COPIES.items():
        path = Path(f"docs/{id_}/install.md")
        path.parent.mkdir(parents=True)
        path.write_text(PAGE.format(id=id_, name=name, call=call))
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "Copies")
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, ["sync", *arguments])


def test_the_guide_shows_what_is_printed(copies: Path) -> None:
    git("rm", "-rq", "docs/web")
    git("commit", "-qm", "Without the web")
    privacy = "Read about [privacy on iOS](../ios/privacy.md) in an iOS app."
    edit(IOS, "five minutes until the first event arrives.", f"ten minutes until the first event arrives.\n\n{privacy}")
    page = Path(__file__).parent.parent / "docs_src/how-to/sync-copies.md"
    shown = page.read_text().partition("$ tutorial-tool sync\n")[2].partition("```")[0]
    assert [line.rstrip() for line in run().output.splitlines()] == shown.splitlines()


def changed(path: Path) -> list[str]:
    """The lines that a file has besides those that are committed."""
    committed = subprocess.run(["git", "show", f"HEAD:{path.as_posix()}"], check=True, capture_output=True, text=True)
    before = committed.stdout.splitlines()
    return [line for line in path.read_text().splitlines() if line.strip() and line not in before]


@pytest.mark.parametrize(
    ("old", "new", "android"),
    [
        pytest.param("five minutes", "ten minutes", "It may take up to ten minutes until the first event arrives.", id="word"),
        pytest.param(
            "tells it, and", "tells it over HTTPS, and", "The SDK sends what your app tells it over HTTPS, and nothing else.",
            id="words",
        ),
        pytest.param(
            "Call `Example.start(key)` when", "Then call `Example.start(key)` when",
            "Then call `Example.init(key)` when the app starts.", id="beside code of its own",
        ),
        pytest.param(
            "to your iOS app.", "to your iOS app, and call `Example.start(key)` once.",
            "Add the package `example-android` to your Android app, and call `Example.init(key)` once.", id="code",
        ),
        pytest.param(
            "Open the [iOS", "See [privacy](../ios/privacy.md) in an iOS app.\n\nOpen the [iOS",
            "See [privacy](../android/privacy.md) in an Android app.", id="path, name and article",
        ),
        pytest.param(
            "crash reports | Enabled |\n", "crash reports | Enabled |\n| Send logs | Disabled |\n",
            "| Send logs | Disabled |", id="row",
        ),
    ],
)  # fmt: skip
def test_an_edit_is_carried_over(copies: Path, old: str, new: str, android: str) -> None:
    edit(IOS, old, new)
    result = run("--write")
    assert result.exit_code == 0, result.output
    assert changed(ANDROID) == [android]
    assert len(changed(WEB)) == 1
    assert "2 edits carried over, in 2 files" in result.stderr
    again = run()
    assert (again.exit_code, again.stdout) == (0, "")
    assert "nothing to carry over" in again.stderr


def test_what_is_deleted_is_deleted_with_its_blank_line(copies: Path) -> None:
    gone = "It may take up to five minutes until the first event arrives.\n\n"
    edit(IOS, gone, "")
    assert run("--write").exit_code == 0
    name, call = COPIES["android"]
    assert ANDROID.read_text() == PAGE.replace(gone, "").format(id="android", name=name, call=call)


def test_the_default_is_a_patch_that_git_applies(copies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(IOS, "five", "ten")
    monkeypatch.chdir(copies / "docs")
    result = run("--exit-code")
    assert result.exit_code == 1
    assert "+++ b/docs/android/install.md\n" in result.stdout
    assert changed_from(copies, ANDROID) == []
    subprocess.run(["git", "apply", "-"], input=result.stdout.encode(), check=True, cwd=copies)
    assert changed_from(copies, ANDROID) == ["It may take up to ten minutes until the first event arrives."]


def changed_from(folder: Path, path: Path) -> list[str]:
    diff = subprocess.run(
        ["git", "diff", "-U0", path.as_posix()], check=True, capture_output=True, text=True, cwd=folder
    )
    return [line[1:] for line in diff.stdout.splitlines() if line.startswith("+") and not line.startswith("+++")]


def test_suggestions_for_a_review(copies: Path) -> None:
    edit(IOS, "five", "ten")
    lines = [json.loads(line) for line in run("--output-format", "rdjsonl").stdout.splitlines()]
    assert [line["location"]["path"] for line in lines] == ["docs/android/install.md", "docs/web/install.md"]
    assert lines[0]["message"] == "the same edit as in `docs/ios/install.md:9` fits here"
    assert lines[0]["suggestions"][0]["text"] == "It may take up to ten minutes until the first event arrives."


def test_line_ends_and_a_missing_last_one_stay(copies: Path) -> None:
    ANDROID.write_bytes(ANDROID.read_bytes().rstrip(b"\n").replace(b"\n", b"\r\n"))
    git("commit", "-qam", "Windows")
    edit(IOS, "five", "ten")
    edit(IOS, "crash reports | Enabled |\n", "crash reports | Enabled |\n| Send logs | Disabled |\n")
    assert run("--write").exit_code == 0
    content = ANDROID.read_bytes()
    assert content.count(b"\n") == content.count(b"\r\n") == 16
    assert content.endswith(b"\r\n| Send logs | Disabled |")


@pytest.mark.parametrize(
    ("sibling", "old", "new", "reason"),
    [
        ("five minutes", "five", "ten", "the other copy has different text there"),
        ("It may take up to five minutes until the first event arrives.\n\n", "five", "ten", "the other copy has no such text"),
    ],
)  # fmt: skip
def test_nothing_is_proposed_where_a_sibling_differs(
    copies: Path, sibling: str, old: str, new: str, reason: str
) -> None:
    edit(ANDROID, sibling, "two hours" if sibling == "five minutes" else "")
    git("commit", "-qam", "Android differs")
    edit(IOS, old, new)
    result = run("--write")
    assert changed(ANDROID) == []
    assert changed(WEB) == ["It may take up to ten minutes until the first event arrives."]
    assert f"docs/ios/install.md:9 -> docs/android/install.md: {reason}" in result.stderr


def test_a_text_that_names_another_variant_is_left_out(copies: Path) -> None:
    edit(IOS, "and nothing else.", "and nothing else, unlike on Android.")
    result = run()
    assert result.stdout == ""
    assert (
        "docs/ios/install.md:3 -> docs/android/install.md, docs/web/install.md: the text names Android" in result.stderr
    )


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        pytest.param("New in 5.7.1: crash reports.", "the text states a version", id="version"),
        pytest.param("It needs API level 26 or later.", "the text states a version", id="requirement"),
        pytest.param("```swift\nimport Example\n```", "the other copy has no code in `swift`", id="code"),
        pytest.param("See `Example.start(key)`.\n\n- Read on", "", id="carried"),
    ],
)
def test_a_text_of_one_platform_is_left_out(copies: Path, new: str, reason: str) -> None:
    edit(IOS, "Open the [iOS", f"{new}\n\nOpen the [iOS")
    result = run()
    if reason:
        assert result.stdout == ""
        assert f"docs/ios/install.md:11 -> docs/android/install.md, docs/web/install.md: {reason}" in result.stderr
    else:
        assert "+See `Example.init(key)`.\n" in result.stdout


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("`example-ios`", "`example-swift`", "the text no longer names iOS"),
        (
            "---\ntitle: Install\n---\n",
            "---\ntitle: Install\ndescription: Learn to install the iOS SDK in Xcode.\n---\n",
            "the description is the page's own",
        ),
        (
            "title: Install\n---\n",
            "title: Example Docs | How to set up\ndescription: Learn to install the iOS SDK in Xcode.\n---\n",
            "the description is the page's own",
        ),
    ],
)
def test_what_each_page_says_of_itself_is_left_out(copies: Path, old: str, new: str, reason: str) -> None:
    for path in (IOS, ANDROID, WEB):
        path.write_text(f"---\ntitle: Install\n---\n\n{path.read_text()}")
    git("commit", "-qam", "Titles")
    edit(IOS, old, new)
    result = run()
    assert result.stdout == ""
    assert reason in result.stderr


def carries(old: str, new: str, other: str) -> list[bool]:
    exchange = Exchange(Variant("a", "A", ("A",)), Variant("b", "B", ("B",)), {}, {})
    carrier = Carrier(old.split("\n"), new.split("\n"), other.split("\n"), exchange)
    return [isinstance(result, CarriedEdit) for result in carrier.carry()]


def test_a_name_needs_no_other_place_on_the_page_of_its_platform() -> None:
    exchange = Exchange(Variant("ios", "iOS", ("iOS",)), Variant("android", "Android", ("Android",)), {}, {})
    old, other = ["Works on iOS only.", "", "Wait."], ["Works on phones only.", "", "Wait."]
    (result,) = Carrier(old, [*old[:2], "Wait on iOS."], other, exchange).carry()
    assert isinstance(result, CarriedEdit)
    assert result.lines == ("Wait on Android.",)


def test_the_first_word_of_a_sentence_is_no_name() -> None:
    old, other = "Open the app.\n\nWait. See the guide.\n\n- Hold Xcode", "Open the app.\n\nWait."
    assert carries(old, old.replace("the app.", "the app. See the list."), other) == [True]
    assert carries(old, old.replace("the app.", "the app. Xcode starts."), other) == [False], "a name elsewhere"


def test_code_is_carried_to_code_in_the_same_language() -> None:
    code = "```{}\nevent?.addParameter('key')\n```"
    assert carries(code.format("js"), code.format("js").replace("?", ""), code.format("js")) == [True]
    assert carries(code.format("js"), code.format("js").replace("?", ""), code.format("swift")) == [False]


def test_text_before_and_after_code_is_no_code() -> None:
    page = "Start it.\n\n```{}\nopen()\n```\n\nGo on with it."
    swift = page.format("swift")
    for place in ("```swift", "Go on"):
        assert carries(swift, swift.replace(place, f"Read this.\n\n{place}"), page.format("js")) == [True]
    assert carries(swift, swift.replace("open()", "open()\nread()"), page.format("js")) == [False]


def test_a_link_to_a_page_that_the_sibling_lacks_is_left_out(copies: Path) -> None:
    for path in (IOS, WEB):
        (path.parent / "frameworks.md").write_text("# Frameworks\n")
    edit(IOS, "Open the [iOS", "See [frameworks](frameworks.md#all).\n\nOpen the [iOS")
    result = run("--write")
    assert changed(WEB) == ["See [frameworks](frameworks.md#all)."]
    assert changed(ANDROID) == []
    assert "docs/ios/install.md:11 -> docs/android/install.md: `frameworks.md` does not exist\n" in result.stderr


def test_a_name_in_capitals_stays_so() -> None:
    exchange = Exchange(Variant("get", "Get", ("Get", "GET")), Variant("post", "Post", ("Post", "POST")), {}, {})
    assert exchange.translate("`GET /hello` with Get") == "`POST /hello` with Post"


def test_no_half_of_a_block_is_carried_over(copies: Path) -> None:
    text = "<Note>\n\nThe SDK sends what your app tells it, and nothing else.\n\n</Note>"
    edit(IOS, "The SDK sends what your app tells it, and nothing else.", text)
    edit(ANDROID, "Add the package", "Now add this package")
    git("commit", "-qam", "Note")
    result = run("--commit", "HEAD", "docs/ios/install.md", "--to", "android")
    assert [line for line in result.stdout.splitlines() if line.startswith("+") and "Note" in line] == [
        "+<Note>",
        "+</Note>",
    ]
    edit(
        ANDROID,
        "The SDK sends what your app tells it, and nothing else.\n\nNow add this package",
        "It sends data.\n\nTo begin",
    )
    git("commit", "-qam", "Other words")
    result = run("--commit", "HEAD~1", "docs/ios/install.md", "--to", "android")
    assert "Note" not in result.stdout


def test_no_part_of_an_edit_of_code_leaves_code_that_nobody_wrote() -> None:
    code = "```js\nopen()\n{}\nclose()\n```"
    old, new = code.format("read('a')"), code.format("read('a', 1)").replace("close", "wait()\nclose")
    assert carries(old, new, old) == [True, True]
    assert carries(old, new, code.format("load()")) == [False, False]


def test_uncommitted_changes_in_the_same_place_are_a_conflict(copies: Path) -> None:
    edit(IOS, "five", "ten")
    edit(WEB, "five", "eight")
    result = run("--write")
    assert result.exit_code == 2
    assert "tutorial-tool: nothing written: uncommitted changes conflict with 4 edits" in result.stderr
    assert changed(ANDROID) == []
    assert run("--write", "--to", "android", "docs/ios").exit_code == 0
    assert changed(ANDROID) == ["It may take up to ten minutes until the first event arrives."]


def test_what_was_written_is_done(copies: Path) -> None:
    edit(IOS, "# Install the iOS SDK\n", "# Get the iOS SDK\n\nRead this first.\n")
    edit(IOS, "It may take up to five minutes until the first event arrives.\n\n", "")
    edit(IOS, "nothing else.", "no more.")
    assert run("--write").exit_code == 0
    assert "Read this first." in changed(WEB)
    result = run()
    assert result.stdout == ""
    assert result.stderr == "nothing to carry over\n"


def test_uncommitted_changes_elsewhere_stay(copies: Path) -> None:
    edit(IOS, "five", "ten")
    edit(WEB, "nothing else", "nothing more")
    assert run("--write", "docs/ios/install.md").exit_code == 0
    assert changed(WEB) == [
        "The SDK sends what your app tells it, and nothing more.",
        "It may take up to ten minutes until the first event arrives.",
    ]


def test_an_edit_of_an_earlier_commit(copies: Path) -> None:
    edit(IOS, "five", "ten")
    git("commit", "-qam", "Ten")
    edit(IOS, "crash reports", "all crash reports")
    git("commit", "-qam", "All")
    assert "ten minutes" in run("--from", "HEAD~2").stdout
    assert "all crash reports" in run("--from", "HEAD~2").stdout
    of_commit = run("--commit", "HEAD~1").stdout
    assert "ten minutes" in of_commit
    assert "all crash reports" not in of_commit


def test_a_line_is_taken_over_to_settle_a_difference(copies: Path) -> None:
    edit(ANDROID, "It may take up to five minutes", "It can take some minutes")
    edit(WEB, "| Send crash reports | Enabled |\n", "")
    git("commit", "-qam", "Drift")
    assert run("docs/ios/install.md:9", "--to", "Android", "--write").exit_code == 0
    assert changed(ANDROID) == ["It may take up to five minutes until the first event arrives."]
    assert run("docs/ios/install.md:16", "--write").exit_code == 0
    assert changed(WEB) == ["| Send crash reports | Enabled |"]


def test_a_line_that_ends_in_a_link_is_taken_over_whole(copies: Path) -> None:
    for path in (IOS, ANDROID, WEB):
        edit(path, "until the first event arrives.", "until the first event, which [this page explains](../first.md).")
    edit(WEB, "(../first.md).", "(../first.md)")
    git("commit", "-qam", "A link, and a period that is missing")
    assert run("docs/ios/install.md:9", "--to", "web", "--write").exit_code == 0
    minutes = "It may take up to five minutes until the first event"
    assert changed(WEB) == [f"{minutes}, which [this page explains](../first.md)."]


ROWS = """\
| Option | Type | What it does |
| --- | --- | --- |
| `{name}` | {type} | Sends events in batches, every {seconds} seconds, to save the battery. |

Write to us with the name of the user, `{user}`, and the {word} of your app: we answer within a day.
Each answer {verb} a number.

You {aren't} limited to one key, and the {free}key works on all systems.
"""
OWN = {
    "ios": ("batchInterval", "Int", "test_user", "version", ""),
    "android": ("BatchInterval", "Long", "test_user", "version", ""),
    "web": ("batchInterval", "number", "test-user", "version", "free "),
}


@pytest.fixture
def drifted(copies: Path) -> Path:
    """A table whose first columns are each platform's own, and a sentence in which one copy has a slip."""
    for id_, (name, type_, user, word, free) in OWN.items():
        verb, seconds = ("has", 20) if id_ == "android" else ("gets", 10)
        arent = "are not" if id_ == "android" else "aren't"
        text = ROWS.replace("{aren't}", arent).format(
            name=name, type=type_, seconds=seconds, user=user, word=word, verb=verb, free=free
        )
        Path(f"docs/{id_}/install.md").write_text(f"# Options\n\n{text}")
    git("commit", "-qam", "Drift")
    return copies


def test_of_a_row_only_the_words_that_differ_are_taken_over(drifted: Path) -> None:
    assert run("docs/ios/install.md:5", "--to", "android", "--write").exit_code == 0
    assert changed(ANDROID) == [
        "| `BatchInterval` | Long | Sends events in batches, every 10 seconds, to save the battery. |"
    ]


def test_a_slip_within_a_line_is_settled_and_the_next_line_stays(drifted: Path) -> None:
    assert run("docs/ios/install.md:7", "--write").exit_code == 0
    assert changed(ANDROID) == []
    assert changed(WEB) == [
        "Write to us with the name of the user, `test_user`, and the version of your app: we answer within a day."
    ]
    assert run("docs/ios/install.md:8", "--to", "android", "--write").exit_code == 0
    assert changed(ANDROID) == ["Each answer gets a number."]


def test_parts_of_a_word_and_articles_go_together(drifted: Path) -> None:
    assert run("docs/ios/install.md:10", "--to", "web", "--write").exit_code == 0
    assert changed(WEB) == ["You aren't limited to one key, and the key works on all systems."]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("the battery", "power, memory and the battery", "the other copy says more there"),
        ("Sends events", "`Client` sends events", "`Client` may be platform-specific, and lint is not sure that it is"),
        ("in batches", "in Groups", "`Groups` may be platform-specific"),
        ("events", "[events](events.md)", "only links, markup, or each copy's own words differ there"),
        ("Sends events in batches, every", "Never sends events, nor batches, every", "says the opposite"),
    ],
)
def test_what_is_not_settled_has_a_reason(copies: Path, old: str, new: str, reason: str) -> None:
    text = "# Options\n\nSends events in batches, every 10 seconds, to save the battery.\n"
    for path in (IOS, ANDROID):
        path.write_text(text)
    edit(ANDROID, old, new)
    git("commit", "-qam", "Drift")
    assert "the line is empty" in run("docs/ios/install.md:2", "--to", "android").stderr
    assert "the other copy says the same there" in run("docs/ios/install.md:1", "--to", "android").stderr
    result = run("docs/ios/install.md:3", "--to", "android")
    assert reason in result.stderr
    assert result.stdout == ""


def test_tabs_of_one_page_are_settled(copies: Path) -> None:
    page = Path("docs/tabs.md")
    text = '=== "{}"\n\n    Open the {} settings, and choose the {} of events.\n\n'
    names = (("iOS", "list"), ("Android", "list"), ("Web", "lists"))
    page.write_text("# Tabs\n\n" + "".join(text.format(name, name, word) for name, word in names))
    git("add", ".")
    git("commit", "-qm", "Tabs")
    assert run("docs/tabs.md:5", "--write").exit_code == 0
    assert changed(page) == ["    Open the Web settings, and choose the list of events."]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["docs/ios/instal.md"], "there is no file or folder `docs/ios/instal.md`"),
        (["docs/ios/install.md:99"], "`docs/ios/install.md` has 17 lines, not 99"),
        (["docs/ios/install.md:3", "--from", "HEAD"], "FILE:LINE copies a line as it is"),
        (["docs/ios/install.md"], "`docs/ios/install.md` has no changes that its variants could get"),
        (["alone.md:1"], "`alone.md` has no variants"),
        ([], "no page with variants changed since HEAD; to copy a line as it is, name FILE:LINE"),
        (["--from", "HEAD~9"], "there is no revision `HEAD~9` here"),
        (["--commit", "HEAD", "--from", "HEAD"], "--from cannot be combined with --commit"),
        (["--to", "androit"], "unknown variant `androit`; did you mean `android`?"),
        (["--diff", "--write"], "--diff cannot be combined with --write"),
        (["--to", "tv"], "unknown variant `tv`; use one of "),
    ],
)
def test_what_cannot_be_done_is_said(copies: Path, arguments: list[str], message: str) -> None:
    Path("alone.md").write_text("# Alone\n")
    if "--to" in arguments:
        edit(IOS, "five", "ten")
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    for id_ in ("ios", "web"):
        path = Path(f"docs/{id_}/install.md")
        path.parent.mkdir(parents=True)
        path.write_text(PAGE.format(id=id_, name=COPIES[id_][0], call=COPIES[id_][1]))
    assert "is not in the working tree of a git repository" in run().stderr
    edit(WEB, "five", "six")
    assert run("docs/ios/install.md:9", "--write").exit_code == 0
    assert "five minutes" in WEB.read_text()


PROJECT = """\
platforms:
  ios: {name: iOS}
  android: {name: Android}
tutorials:
  start: {title: Start, steps: [add]}
"""


def test_a_name_that_no_page_has_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder `rn-ui-kit` became `Rn Ui Kit`, where the pages say `React Native UI Kit`."""
    monkeypatch.chdir(tmp_path)
    text = "# Grid\n\nThe grid{} shows people.\n\nIt has three columns, and more if there is room for them.\n"
    for id_, name in {"ios": "", "android": " of the Android app", "rn-ui-kit": ""}.items():
        Path(f"docs/{id_}").mkdir(parents=True)
        Path(f"docs/{id_}/grid.md").write_text(text.format(name))
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "Pages")
    edit(Path("docs/ios/grid.md"), "It has three columns,", "The iOS app has three columns,")
    result = run("--write")
    assert changed(Path("docs/android/grid.md")) == [
        "The Android app has three columns, and more if there is room for them."
    ]
    assert "docs/rn-ui-kit/grid.md: no page names `Rn Ui Kit`" in result.output
    assert changed(Path("docs/rn-ui-kit/grid.md")) == []


def test_parts_of_a_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    steps = Path("site_templates/steps")
    (steps / "add").mkdir(parents=True)
    Path("docs_src").mkdir()
    Path("platforms.yaml").write_text(PROJECT)
    (steps / "add.md.j2").write_text("# Add it\n\nFirst things first.\n\n{{ part('how') }}\n")
    for id_, name in (("ios", "iOS"), ("android", "Android")):
        (steps / f"add/how.{id_}.md").write_text(
            f"Open the project of your {name} app.\n\nAdd the package, and build it.\n"
        )
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "Project")
    edit(steps / "add/how.ios.md", "Add the package, and build it.", "Add the package to the iOS app, and build it.")
    assert run("--write").exit_code == 0
    assert changed(steps / "add/how.android.md") == ["Add the package to the Android app, and build it."]


def test_parts_and_code_of_groups_and_in_other_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of groups, which `adopt` writes, had no siblings, and code in another language none either."""
    monkeypatch.chdir(tmp_path)
    steps = Path("site_templates/steps")
    platforms = "platforms: {ios: {name: iOS}, android: {name: Android}, web: {name: Web}, tv: {name: TV}}\n"
    Path("platforms.yaml").write_text(
        platforms + "groups: {web-and-tv: [web, tv]}\ntutorials: {start: {title: Start, steps: [add]}}\n"
    )
    Path("docs_src").mkdir()
    (steps / "add").mkdir(parents=True)
    (steps / "add.md.j2").write_text("# Add it\n\n{{ part('how') }}\n\n{{ code('run') }}\n")
    for name in ("how.ios.md", "how.web-and-tv.md", "how.md"):
        (steps / "add" / name).write_text("Open the project.\n\nAdd the package, and build it.\n")
    for name in ("run.ios.swift", "run.android.kt", "run.web-and-tv.js"):
        (steps / "add" / name).write_text("// Start it\nlamp.start()\n")
    (steps / "add/run.tv.js").write_text("// Start it\nlamp.start()\nlamp.shine()\n")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "Project")
    edit(steps / "add/how.ios.md", "Add the package, and build it.", "Add the package twice, and build it.")
    edit(steps / "add/run.tv.js", "lamp.start()", "lamp.begin()")
    result = run("--write")
    assert result.exit_code == 0, result.output
    for name in ("how.web-and-tv.md", "how.md"):
        assert changed(steps / "add" / name) == ["Add the package twice, and build it."]
    assert changed(steps / "add/run.web-and-tv.js") == ["lamp.begin()"]
    assert "run.android.kt: the other copy's code is in `kt`" in result.output
    git("commit", "-qam", "Twice")
    edit(steps / "add/how.ios.md", "Open the project.", "Open the project of the iOS app.")
    assert "how.web-and-tv.md: the text names iOS" in run("--write").output
    assert "Open the project.\n" in (steps / "add/how.md").read_text()
    edit(steps / "add/how.web-and-tv.md", "Add the package twice", "Add the package never")
    assert run(f"{steps}/add/how.web-and-tv.md:3", "--write").exit_code == 0
    assert "Add the package never, and build it.\n" in (steps / "add/how.ios.md").read_text()


def test_an_edit_of_a_value_is_not_carried_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs_src").mkdir()
    Path("site_templates/steps").mkdir(parents=True)
    Path("site_templates/steps/add.md.j2").write_text("# Add it\n\nOpen the {{ platform.name }} app.\n")
    Path("platforms.yaml").write_text(PROJECT)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "Project")
    edit(Path("platforms.yaml"), "iOS", "iPhone")
    result = run()
    assert result.exit_code == 2
    assert "; change values in `platforms.yaml` for each platform yourself; to copy a line" in result.output


def test_a_merge_leaves_white_space_and_words_of_the_other_side() -> None:
    base, edited = "Open the app and press the button now.", "Open the app and press the red button now."
    assert merge(base, edited, "Please open it. Open the app and\npress the button now, twice.") == (
        "Please open it. Open the app and\npress the red button now, twice."
    )
    assert merge(base, edited, "Open the app and press the blue button now.") is None
    assert merge(base, edited, "Press the button.") is None
    assert merge("tags: [ios, add]", "tags:\n  - ios\n  - add", "tags: [web, add]") is None
    listed = merge("tags: [lamp, add]", "tags:\n  - lamp\n  - add", "tags: [lamp, add]")
    assert listed == "tags:\n  - lamp\n  - add"


def test_lines_that_are_rewritten_are_told_from_those_that_come() -> None:
    old = ["Press the button.", "", "Wait a minute."]
    new = ["Press the red button.", "A lamp shines.", "", "Wait a minute."]
    assert list(find_edits(old, new)) == [LineEdit(0, 1, 0, 1), LineEdit(1, 1, 1, 2)]
