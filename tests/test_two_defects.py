"""Two defects that stand in one sentence, row or table are two findings: neither hides the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.linter import engine

PAGE = """\
# Connect your {name} app

Open the dashboard and choose your project there.

1. Select **{name}** from the list of inputs.
2. Click **Connect** and wait for the green mark.

The connection of your {name} app may take up to 5 minutes, and then the first events arrive.
Keep your device close while the app sends its first events.

| Setting | Type | Retries | Description |
| --- | --- | --- | --- |
| Purchases | boolean | 5 | Sends an event for each purchase. |
| Views | boolean | 5 | Sends an event for each screen. |
| Logs | string | 3 | Logs are large, and seldom needed. |
"""
NAMES = {"android": "Android", "ios": "iOS", "web": "Web"}
VIEWS = "| Views | boolean | 5 | Sends an event for each screen. |\n"


def found(folder: Path, **edits: list[tuple[str, str]]) -> set[tuple[str, str]]:
    """The platforms and rules of what is found in three copies, after some edits of each."""
    for slug, name in NAMES.items():
        text = PAGE.format(name=name)
        for old, new in edits.get(slug, []):
            assert old in text
            text = text.replace(old, new)
        path = folder / slug / "connect.md"
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
    tree = site.load_plain(sorted(folder.rglob("*.md")), folder)
    return {(finding.span.path.partition("/")[0], finding.rule) for finding in engine.run(tree, Config())}


def test_copies_without_defects_have_no_findings(tmp_path: Path) -> None:
    assert found(tmp_path) == set()


@pytest.mark.parametrize(
    "typo", [("purchase.", "purchse."), ("| Logs |", "| Lgos |"), ("| Description", "| Descripton")]
)
def test_a_misspelling_hides_no_missing_row(tmp_path: Path, typo: tuple[str, str]) -> None:
    assert ("ios", "missing-row") in found(tmp_path, ios=[(VIEWS, ""), typo])


def test_a_number_in_words_hides_no_conflict(tmp_path: Path) -> None:
    in_words, twice = VIEWS.replace("5", "five"), VIEWS.replace("5", "10")
    told = found(tmp_path, ios=[(VIEWS, in_words)], web=[(VIEWS, twice)])
    assert ("web", "conflicting-value") in told


def test_a_missing_row_makes_no_conflict_of_what_each_has_of_its_own(tmp_path: Path) -> None:
    """Where each platform has its own number in one row, two that are left have their own in another, too."""

    def with_own(first: int) -> list[tuple[str, str]]:
        purchases = (
            "| boolean | 5 | Sends an event for each purchase",
            f"| boolean | {first} | Sends an event for each purchase",
        )
        return [purchases, (VIEWS, VIEWS.replace("5", str(first + 1)))]

    told = found(tmp_path, android=with_own(10), ios=with_own(20), web=[*with_own(30), (VIEWS.replace("5", "31"), "")])
    assert told == {("web", "missing-row")}


@pytest.mark.parametrize(
    ("text", "doubled", "other", "rule"),
    [("Logs are large, and seldom", "Logs are are large, and seldom", "Logs are large, and rarely", "drifted-cell")],
)
def test_a_doubled_word_makes_no_text_another(tmp_path: Path, text: str, doubled: str, other: str, rule: str) -> None:
    told = found(tmp_path, ios=[(text, doubled)], web=[(text, other)])
    assert told == {("ios", "repeated-word"), ("web", rule)}


def test_a_broken_letter_is_no_other_word(tmp_path: Path) -> None:
    text = [("may take up to", "can't take more than")]
    told = found(tmp_path, android=text, ios=[("may take up to", "canâ€™t take more than")], web=text)
    assert told == {("ios", "mojibake")}
