"""The variants of a step side by side: what is told of them, in a terminal and as a page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests import project
from tutorial_tool import cli, site, variants
from tutorial_tool.compare import Cell, Comparison, Row, RowKind
from tutorial_tool.compare.rows import compare_variants
from tutorial_tool.compare.terminal import DrawOptions, render
from tutorial_tool.reporters.safe_text import measure_width, wrap_beside
from tutorial_tool.site import loading

PAGE = """\
---
title: Set an alarm on {name}
---

# Set an alarm on {name}

{name} wakes you up in the morning, as loud as you like.

## Choose a sound

1. Open the menu and choose the sound that you want to hear.

    ![The menu](img/{id}/menu.png)

2. Call `{call}` to try it.

{lamp}

| Setting | Recommended | Description |
| --- | --- | --- |
| Sound | Enabled | Whether a sound is played |
| Light | {light} | Whether a lamp shines |
{wings}
```
{call}
    .wait()
```
"""
LAMP = "The lamp beside the button tells whether an alarm is set."
WINGS = "| Wings | Disabled | Whether it flies |\n"
FINCH = {"name": "Finch", "id": "finch", "call": "finch.ring()", "lamp": LAMP, "light": "Enabled", "wings": WINGS}
HERON = {**FINCH, "name": "Heron", "id": "heron", "call": "Heron::ring"}
RAVEN = {**FINCH, "name": "Raven", "id": "raven", "call": "(ring raven)"}


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8", newline="")


def copies(*changed: dict[str, str], step: str = "alarm") -> None:
    for values in changed or (FINCH, HERON, RAVEN):
        write(f"docs/{values['id']}/{step}.md", PAGE.format(**values))


def comparison(*changed: dict[str, str]) -> Comparison:
    copies(*changed)
    (step,) = variants.find_steps(site.load_plain(sorted(Path.cwd().rglob("*.md")), Path.cwd()))
    return compare_variants(step)


def rows(of: Comparison, kind: RowKind) -> list[Row]:
    return [row for row in of.rows if row.kind is kind]


def marked(cell: Cell) -> list[str]:
    return [cell.text[start:end] for start, end in cell.marks]


def own(cell: Cell) -> list[str]:
    return [cell.text[start:end] for start, end in cell.own_spans]


def compare(*arguments: str, columns: int = 80, color: bool = False) -> Result:
    environment = {"COLUMNS": str(columns), "NO_COLOR": None if color else "1", "FORCE_COLOR": "1" if color else None}
    return CliRunner().invoke(cli.main, ["compare", *arguments], env=environment)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# What differs


def test_what_is_the_platforms_own_is_no_difference() -> None:
    told = comparison()
    assert not told.has_differences
    assert set(told.similarity.values()) == {1.0}
    masked = {row.part: own(row.cells["finch"]) for row in rows(told, RowKind.MASKED)}
    assert masked["heading"] == ["Finch"]
    assert masked["image"] == ["img/finch/menu.png"]
    assert masked["code"] == ["finch.ring()\n    .wait()"]
    assert "`finch.ring()`" in masked["sentence"]


def test_a_term_that_only_one_platform_uses_is_its_own() -> None:
    lever = {"lamp": "The lever beside the button sets the alarm. Push the lever down."}
    told = comparison(
        {**FINCH, "lamp": "The slider beside the button sets the alarm. Push the slider down."}, {**HERON, **lever}
    )
    assert not told.has_differences
    found = [own(row.cells["heron"]) for row in rows(told, RowKind.MASKED) if row.part == "sentence"]
    assert ["lever"] in found


def test_a_value_is_never_a_term() -> None:
    """Nor is a word that both pages know, or a number."""
    assert comparison(FINCH, {**HERON, "light": "Disabled"}).has_differences
    assert comparison(FINCH, {**HERON, "lamp": LAMP.replace("tells", "shows")}).has_differences


def test_a_value_in_code_is_a_value() -> None:
    told = comparison({**FINCH, "light": "`10`"}, {**HERON, "light": "`10`"}, {**RAVEN, "light": "`30`"})
    assert [marked(row.cells["raven"]) for row in rows(told, RowKind.DIFFERENT)] == [["30"]]


def test_a_word_before_the_platforms_name_is_a_difference_where_others_agree() -> None:
    told = comparison({**FINCH, "lamp": "See the levers of Finch."}, {**HERON, "lamp": "See the levers of Heron."},
                      {**RAVEN, "lamp": "See the handles of Raven."})  # fmt: skip
    assert [marked(row.cells["raven"]) for row in rows(told, RowKind.DIFFERENT)] == [["handles"]]


@pytest.mark.parametrize(
    "opened", ["!!! {}\n    Mind the gap.", "> [!{}]\n> Mind the gap.", "::: {}\nMind the gap.\n:::"]
)
def test_a_note_that_is_a_warning_elsewhere_is_a_difference(opened: str) -> None:
    note, warning = ({"lamp": opened.format(word)} for word in ("note", "warning"))
    told = comparison({**FINCH, **note}, {**HERON, **note}, {**RAVEN, **warning})
    (row,) = (row for row in rows(told, RowKind.DIFFERENT) if row.part == "aside")
    assert {name: cell.text for name, cell in row.cells.items()} == {
        "finch": "note",
        "heron": "note",
        "raven": "warning",
    }


def test_an_entity_is_shown_as_readers_see_it() -> None:
    for values in (FINCH, HERON, RAVEN):
        name = "Wait&nbsp;5 &amp; `a&nbsp;b`" if values is FINCH else "Wait 5 & `a&nbsp;b`"
        write(f"docs/{values['id']}/alarm.md", PAGE.format(**values) + f"\n{name}\n")
    (step,) = variants.find_steps(site.load_plain(sorted(Path.cwd().rglob("*.md")), Path.cwd()))
    cells = [row.cells for row in compare_variants(step).rows if "finch" in row.cells]
    assert "Wait 5 & `a&nbsp;b`" in [row["finch"].text for row in cells]


def test_a_link_keeps_its_brackets() -> None:
    told = comparison({**FINCH, "lamp": "[The lamp](lamp.md) tells ([see there](there.md))."}, HERON)
    assert "[The lamp](lamp.md) tells ([see there](there.md))." in [
        row.cells["finch"].text for row in told.rows if "finch" in row.cells
    ]


def test_a_term_where_the_others_agree_is_a_difference_unless_it_recurs() -> None:
    sentences = "The {0} beside the button sets the alarm.", "Push the {0} down."
    for count, marks in ((1, [["slider"]]), (2, [])):
        slider, lever = ({"lamp": " ".join(sentences[:count]).format(word)} for word in ("slider", "lever"))
        told = comparison({**FINCH, **lever}, {**HERON, **lever}, {**RAVEN, **slider})
        assert [marked(row.cells["raven"]) for row in rows(told, RowKind.DIFFERENT)] == marks


def test_a_word_of_a_label_is_a_difference() -> None:
    button = {"lamp": "Then select **Add Lamp**."}
    told = comparison({**FINCH, **button}, {**HERON, "lamp": "Then select **Add Horn**."})
    assert [marked(row.cells["heron"]) for row in rows(told, RowKind.DIFFERENT)] == [["Horn"]]


def test_the_name_of_another_variant_is_a_difference() -> None:
    texts = [{**values, "lamp": f"The lamp tells what {values['name']} does."} for values in (FINCH, HERON)]
    told = comparison(*texts, {**RAVEN, "lamp": "The lamp tells what Heron does."})
    assert [marked(row.cells["raven"]) for row in rows(told, RowKind.DIFFERENT)] == [["Heron"]]
    assert compare("alarm").exit_code == 1


def test_an_address_in_the_front_matter_is_the_platforms_own() -> None:
    for values in (FINCH, HERON):
        text = PAGE.format(**values).replace("---\n", f"---\nredirect: /old/{values['id']}/alarm\n", 1)
        write(f"docs/{values['id']}/alarm.md", text)
    (step,) = variants.find_steps(site.load_plain(sorted(Path.cwd().rglob("*.md")), Path.cwd()))
    (row,) = [row for row in compare_variants(step).rows if row.cells["finch"].text.startswith("/old/")]
    assert (row.part, row.kind, own(row.cells["finch"])) == ("meta", RowKind.MASKED, ["finch"])


def test_a_sentence_in_other_words_is_marked_on_both_sides() -> None:
    told = comparison(FINCH, {**HERON, "lamp": LAMP.replace("beside the button", "next to it")}, RAVEN)
    (row,) = rows(told, RowKind.DIFFERENT)
    assert {name: marked(cell) for name, cell in row.cells.items()} == {
        "finch": ["beside the button"],
        "heron": ["next to it"],
        "raven": ["beside the button"],
    }
    assert told.similarity["heron"] < told.similarity["finch"] == told.similarity["raven"] < 1


def test_what_one_lacks_is_missing() -> None:
    told = comparison(FINCH, {**HERON, "lamp": "", "wings": ""}, RAVEN)
    missing = [(row.part, sorted(row.cells), row.cells["finch"].text) for row in rows(told, RowKind.MISSING)]
    assert missing == [
        ("sentence", ["finch", "raven"], LAMP),
        ("row", ["finch", "raven"], "Wings | Disabled | Whether it flies"),
    ]


def test_rows_of_tables_answer_by_their_keys() -> None:
    told = comparison({**FINCH, "wings": ""}, {**HERON, "light": "Disabled"}, RAVEN)
    (row,) = rows(told, RowKind.DIFFERENT)
    assert row.cells["heron"].text == "Light | Disabled | Whether a lamp shines"
    assert marked(row.cells["heron"]) == ["Disabled"]
    assert [cell.line for cell in row.cells.values()] == [22, 22, 22]


def test_tables_that_are_no_copies_stand_by_their_order() -> None:
    told = comparison({**FINCH, "wings": "", "light": "On"}, HERON)
    assert [row.part for row in told.rows].count("columns") == 1


# In the terminal


def test_variants_stand_side_by_side_while_names_in_code_fit() -> None:
    names = ("finch", "heron", "raven", "swan", "otter", "eagle")
    copies(*({**FINCH, "name": name.title(), "id": name, "call": f"{name}.ring()"} for name in names))
    for count, columns in ((2, 80), (3, 80), (4, 120), (6, 160)):
        done = compare("alarm", "--platforms", ",".join(names[:count]), columns=columns)
        assert done.exit_code == 0, done.output
        lines = done.stdout.splitlines()
        assert max(map(measure_width, lines)) <= columns
        assert {line.count("│") for line in lines[: lines.index("")]} == {count - 1}
        assert all(name.title() in lines[0] for name in names[:count])


def test_more_variants_than_fit_stand_in_blocks_beside_the_first() -> None:
    names = ("finch", "heron", "raven", "swan", "otter", "eagle", "badger", "lynx", "marten", "stork")
    copies(*({**FINCH, "name": name.title(), "id": name, "call": f"{name}()"} for name in names))
    text = compare("alarm").stdout
    blocks = [block.splitlines()[0] for block in text.split("\n\n")[:5]]
    shown = [re.findall(r"[A-Z]\w+", block) for block in blocks]
    assert [len(names) for names in shown] == [3, 3, 3, 3, 2]
    assert {names[0] for names in shown} == {"Badger"}
    assert set().union(*shown) == {name.title() for name in names}


def test_differences_are_marked_without_colour() -> None:
    copies(FINCH, {**HERON, "light": "Disabled", "lamp": ""})
    done = compare("alarm", "--only-differences", columns=100)
    assert done.exit_code == 1
    assert "\x1b" not in done.stdout
    assert "! Light | ⟦Enabled⟧ | Whether a lamp shines" in done.stdout
    assert "│Light | ⟦Disabled⟧ | Whether a lamp shines" in done.stdout
    assert re.search(r"^- The lamp .*│—$", done.stdout, re.MULTILINE)
    assert "Enabled | Whether a sound" not in done.stdout
    assert re.search(
        r"1 differs and 1 is missing on some\.\nText shared with the others: Finch 8\d%, Heron 8\d%\.\n$", done.stdout
    )


def test_colour_dims_what_is_the_platforms_own() -> None:
    copies(FINCH, {**HERON, "light": "Disabled"})
    text = compare("alarm", color=True).stdout
    assert "\x1b[2mimg/finch/menu.png\x1b[0m" in text
    assert "\x1b[33m\x1b[1m\x1b[4mDisabled\x1b[0m" in text
    assert "⟦" not in text


def test_code_keeps_its_lines() -> None:
    copies(FINCH, HERON)
    assert re.search(r"\n~ finch\.ring\(\) +│Heron::ring\n      \.wait\(\) +│    \.wait\(\)\n", compare("alarm").stdout)


@pytest.mark.parametrize(
    "text",
    [
        "日本語の文章はとても幅が広いので折り返します。" * 3,
        "한국어 문장은 폭이 넓습니다. " * 5,
        "e\u0301" * 90,
        "👩‍👩‍👧 and 👍🏽 " * 12,
    ],
)
def test_wide_characters_take_two_columns(text: str) -> None:
    row = Row("sentence", RowKind.SAME, {"finch": Cell(text, text, 1), "heron": Cell("x", "x", 1)})
    told = comparison(FINCH, HERON)
    lines = render(Comparison(told.step, (row,)), DrawOptions(60)).split("\n\n")[0].splitlines()
    assert {measure_width(line.partition("│")[0]) for line in lines} == {2 + 28}
    shown = "".join(line[2:].partition("│")[0].rstrip() for line in lines[3:])
    assert shown.replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("columns", "is_terminal", "line"),
    [
        (60, False, "install  Android 85%, Flutter 85%, iOS 85%, React Native 80%"),
        (60, True, "install  Android 85%, Flutter 85%, iOS 85%, React Native 80%"),
        (45, True, "install  Android 85%, Flutter 85%, iOS 85%,\n         React Native 80%"),
        (14, True, "install\n    Android 85%, Flutter 85%, iOS 85%,\n    React Native 80%"),
    ],
)
def test_a_line_of_a_list_is_wrapped_where_a_terminal_is_too_narrow(
    columns: int, is_terminal: bool, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    assert wrap_beside("install  ", "Android 85%, Flutter 85%, iOS 85%, React Native 80%") == line


def test_a_terminal_that_knows_ascii_only_gets_it() -> None:
    copies(FINCH, {**HERON, "light": "Disabled"})
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "80"}
    command = [sys.executable, "-m", "tutorial_tool", "compare", "alarm"]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"{Disabled}" in done.stdout


def test_what_acts_on_a_terminal_is_spelt_out() -> None:
    copies({**FINCH, "lamp": "The \x1b[31mlamp\x07 \u202eshines beside it."}, HERON)
    text = compare("alarm").stdout
    assert not set(text) & set("\x1b\x07\u202e")
    assert "␛[31m" in text


def test_labels_that_each_has_of_its_own_are_no_difference() -> None:
    text = "# Wake the {}\n\nOpen the cage in the morning, and wait.\n\nSelect **{}** then.\n"
    names = {"finch": "Songs", "heron": "Waters > Fish", "raven": "Tools"}
    files = [f"docs/{id_}/alarm.md" for id_ in names]
    for path, (id_, label) in zip(files, names.items(), strict=True):
        write(path, text.format(id_, label))
    assert compare(*files).exit_code == 0


def test_a_row_is_marked_cell_by_cell() -> None:
    text = "# Wire it\n\nConnect the pins.\n\n| Pin | Board |\n| --- | --- |\n| Clock | {} |\n| Ground | Ground |\n"
    for id_, pin in (("finch", "Enabled"), ("heron", "Clock")):
        write(f"docs/{id_}/wire.md", text.format(pin))
    told = compare("docs/finch/wire.md", "docs/heron/wire.md").stdout
    assert "! Clock | ⟦Enabled⟧" in told
    assert "Clock | ⟦Clock⟧" in told


# What is meant


def test_without_a_name_the_steps_are_listed() -> None:
    copies()
    copies(FINCH, {**HERON, "light": "Disabled"}, step="snooze")
    done = compare()
    assert done.exit_code == 0
    assert done.stdout == ("alarm   Finch 100%, Heron 100%, Raven 100%\nsnooze  Finch 99%, Heron 99%\n")


def test_a_step_whose_copies_are_all_of_one_folder_is_called_as_the_folder(here: Path) -> None:
    for values in (FINCH, HERON):
        write(f"{values['id']}.md", PAGE.format(**values))
    assert compare().stdout == f"{here.name}  Finch 100%, Heron 100%\n"
    assert compare(here.name).stdout == compare("{platform}").stdout


def test_steps_of_one_name_are_told_apart_by_their_paths() -> None:
    write("tutorial-tool.toml", 'variants = ["docs/{part}/{platform}/{step}.md"]\n')
    for folder in ("birds", "beasts"):
        for values in (FINCH, HERON):
            write(f"docs/{folder}/{values['id']}/alarm.md", PAGE.format(**values))
    done = compare("alarm")
    assert done.exit_code == 2
    assert "2 steps are called `alarm`: name one of beasts/alarm, birds/alarm" in done.stderr
    assert compare("beasts/alarm").exit_code == 0
    assert compare("docs/birds", "alarm").exit_code == 0


def test_files_are_compared_whatever_they_are() -> None:
    copies(FINCH, {**HERON, "light": "Disabled"}, RAVEN)
    assert "│Raven" not in compare("docs/finch/alarm.md", "docs/heron/alarm.md").stdout
    assert compare("docs/finch/alarm.md", "docs/raven/alarm.md").exit_code == 0
    assert "│Raven" in compare("docs/finch/alarm.md").stdout
    write("one/notes.md", "# Notes\n\nBuy bread.\n")
    write("other.txt", "# Letters\n\nDear aunt.\n")
    done = compare("one/notes.md", "other.txt")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[1].split() == ["one/notes.md", "│other.txt"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["alram"], "unknown step `alram`; did you mean `alarm`?"),
        (["zzz"], "unknown step `zzz`; `tutorial-tool compare` lists the steps"),
        (["alarm", "zzz"], "there is no file or folder `zzz`; name one step"),
        (["single.md"], "`single.md` has no copy for another platform; name that, too"),
        (["empty"], "no Markdown file"),
        (["lonely"], "no step has copies for two platforms or more here"),
        (["alarm", "--platforms", "finch,swan"], "unknown variant `swan`"),
        (["alarm", "--platforms", "finch"], "no step is on two or more of these variants"),
        (["single.md", "broken.md"], "broken.md:1:1: unreadable-file: "),
    ],
)
def test_what_cannot_be_compared_is_an_error(arguments: list[str], message: str) -> None:
    copies()
    write("single.md", "# Single\n")
    write("lonely/page.md", "# Lonely\n")
    Path("empty").mkdir()
    Path("broken.md").write_bytes(b"\xff\xfe\x00 no text")
    done = compare(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_in_a_project_a_step_is_an_id() -> None:
    project.write(Path())
    assert compare("prepare").stdout.splitlines()[0].split() == ["Swan", "│Otter"]
    assert compare("guide/prepare").exit_code == compare("prepare").exit_code == 1
    assert [line.split()[0] for line in compare().stdout.splitlines()] == ["welcome", "prepare", "finish"]


def test_a_difference_with_a_reason_is_intended(here: Path) -> None:
    """It is shown with its reason, and does not count."""
    project.write(here)
    (step,) = (step for step in variants.find_steps(loading.load(site.Layout.find(here))) if step.id == "prepare")
    (row,) = rows(compare_variants(step), RowKind.INTENDED)
    assert (row.reason, marked(row.cells["otter"])) == ("Otters dive", [])
    text = compare("prepare").stdout
    assert "\n= " in text
    assert "\n  intended: Otters dive\n" in text
    assert "1 differs on purpose." in text
    assert '<th scope="row">intended <span class="note">Otters dive</span></th>' in page("prepare")


def test_a_project_that_cannot_be_rendered_ends_with_2() -> None:
    project.write(Path(), templates={**project.TEMPLATES, "steps/finish.md.j2": "{{ nobody }}"})
    done = compare("prepare")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "finish.md.j2:1:4" in done.stderr


# As a page


class Reader(HTMLParser):
    """What a page holds: its elements with their attributes, and the texts of its cells and headings."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def page(*arguments: str) -> str:
    done = compare(*arguments, "--html", "out/comparison.html")
    assert (done.exit_code, done.stderr) == (0, "")
    return Path("out/comparison.html").read_text(encoding="utf-8")


def test_the_page_has_a_matrix_of_all_steps_and_each_side_by_side() -> None:
    copies()
    copies(FINCH, {**HERON, "light": "Disabled", "lamp": LAMP + " Open the the menu."}, step="snooze")
    read = Reader(page())
    anchors = {attributes["href"] for attributes in read.all("a")}
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert {"#step-1", "#step-2", "#all", "#steps"} == anchors
    assert {str(anchor)[1:] for anchor in anchors} <= set(ids)
    assert len(ids) == len(set(ids))
    assert "no page" in read.texts
    assert any(re.search(r"docs/heron/snooze\.md:\d+:\d+: repeated-word", text) for text in read.texts)
    assert "Disabled" in read.texts
    assert {attributes["scope"] for attributes in read.all("th")} == {"col", "row"}
    assert len(read.all("caption")) == len(read.all("table")) == 3


def test_the_page_counts_as_the_terminal_does_and_shows_bold_as_bold() -> None:
    bold = "Open **Settings > Alarms**. Type `**` and {} it."
    copies({**FINCH, "lamp": bold.format("save")}, {**HERON, "lamp": bold.format("keep")})
    text = page("alarm")
    assert re.search(r"Of \d+ parts, 1 differs\.", text)
    assert "1 differs." in compare("alarm").output
    assert "Open <b>Settings &gt; Alarms</b>." in text
    assert '<span class="own">`**`</span> and <mark>save</mark> it.' in text


def test_the_page_of_one_step_holds_that_step() -> None:
    copies()
    copies(step="snooze")
    assert "snooze" not in page("alarm")


HOSTILE = """<script>alert(1)</script> "><img src=https://evil.example/x.png onerror=alert(1)> </td></table>
[here](javascript:alert(1)) `</span><script>` ![](https://evil.example/y.png) &lt;b&gt; \x1b\u202e {{ x }}."""


def test_hostile_texts_stay_texts_and_no_host_is_asked() -> None:
    hostile = {**FINCH, "lamp": HOSTILE, "light": "<svg onload=alert(1)>", "name": "<b>Finch"}
    for values, folder in ((hostile, "a'\"><script>alert(2)<"), (HERON, "heron")):
        write(f"docs/{folder.replace('/', '')}/alarm.md", PAGE.format(**values))
    write("tutorial-tool.toml", 'variants = ["docs/{platform}/{step}.md"]\n')
    text = page("docs")
    read = Reader(text)
    allowed = {"html", "head", "meta", "title", "style", "body", "a", "header", "h1", "h2", "p", "mark", "span", "main",
               "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "section", "label", "input", "details",
               "summary", "ul", "li"}  # fmt: skip
    assert {tag for tag, _ in read.elements} <= allowed
    names = {name for _, attributes in read.elements for name in attributes}
    assert not {name for name in names if name.startswith("on") or name in ("src", "style", "action")}
    assert all(str(attributes["href"]).startswith("#") for attributes in read.all("a"))
    assert "url(" not in text
    assert "@import" not in text
    assert not set(text) & set("\x1b\u202e")
    (policy,) = [meta["content"] for meta in read.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"


def test_a_step_that_the_data_takes_from_a_platform_is_no_gap() -> None:
    steps = "      - {id: prepare, only: [swan, newt]}\n      - {id: finish, not-on: {otter: Otters never finish}}\n"
    data = project.DATA.replace("      - prepare\n      - finish\n", steps)
    data = data.replace("groups:", "  newt: {name: Newt, extends: swan}\ngroups:")
    welcome = "---\ntitle: Welcome\n---\n\nWelcome.\n"
    project.write(Path(), data, {**project.TEMPLATES, "steps/welcome.md.j2": welcome})
    read = Reader(page())
    assert {"not on this platform", "Otters never finish"} <= set(read.texts)
    assert "no page" not in read.texts


def test_the_findings_of_a_project_stand_at_the_platform_that_they_concern() -> None:
    templates = {**project.TEMPLATES, "steps/prepare/install.otter.md": "Install the the kit.\n"}
    project.write(Path(), templates=templates)
    read = Reader(page("prepare"))
    notes = [text for text in read.texts if re.fullmatch(r"no findings|\d+ (error|warning|hint).*", text)]
    assert [("1 warning" in note) for note in notes[:2]] == [False, True]


NAMES = [
    "(Beta) iOS",
    "[Beta] iOS",
    "{Beta} iOS",
    "`iOS`",
    "i",
    "iOS (i)",
    "iOS",
    "'iOS\"",
    "i & <iOS>",
    "*iOS*",
    "1. iOS",
]


@pytest.mark.parametrize("first", NAMES)
def test_a_name_may_hold_any_character(first: str, here: Path) -> None:
    """Brackets at its start, quotes, markup, one letter, or another platform's name: each is a name."""
    names = [first, *(name for name in NAMES if name != first)][:4]
    platforms = {f"p{number}": {"name": name} for number, name in enumerate(names)}
    data = {"platforms": platforms, "tutorials": {"g": {"title": "G", "path": "{platform}/{step}", "steps": ["open"]}}}
    verb = "{% if platform.id == 'p2' %}go{% else %}wait{% endif %}"
    step = f"# Open {{{{ platform.name }}}}\n\nOpen the {{{{ platform.name }}}} app and {verb}.\n"
    project.write(here, json.dumps(data), {"steps/open.md.j2": step})
    (compared_step,) = variants.find_steps(loading.load(site.Layout.find(here)))
    different = rows(compare_variants(compared_step), RowKind.DIFFERENT)
    if set(names) <= set(NAMES[:7]):  # without markup
        assert [marked(row.cells["p2"])[-1] for row in different] == ["go"]
    commands = (
        *(["compare", "open"], ["compare", "open", "--html", "c.html"], ["where", first], ["lint"], ["render", "out"]),
        *(["adopt", "out", "--dry-run"], ["lint", "out"]),
    )
    for command in commands:
        result = CliRunner().invoke(cli.main, command)
        assert isinstance(result.exception, SystemExit | None), (command, result.output, result.exception)
