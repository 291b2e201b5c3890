"""Each format, held by a whole file: `UPDATE=1 pytest` rewrites it, and the diff is to be read."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tutorial_tool import report
from tutorial_tool.finding import Finding, Fix, Related, Severity
from tutorial_tool.report.fingerprint import fingerprints
from tutorial_tool.source import Edit, Source

GOLDEN = Path(__file__).parent / "golden"

PAGE = Source(
    "docs/näher dran/page 1.md",
    "# Title\n\nOpen teh menu.\n\n\tTab, 漢字 and wörd.\nEvil \x1b[31m text\n" + "x" * 300 + " end\n",
)
DATA = Source("platforms.yaml", "platforms:\n  ios: {name: iOS}\n  web: {name: Web}\n")


def found(source: Source, words: str, rule: str, severity: Severity, message: str, **more: object) -> Finding:
    at = source.text.index(words)
    return Finding(rule, severity, message, source.span(at, at + len(words)), **more)  # type: ignore[arg-type]


def findings() -> list[Finding]:
    teh = PAGE.text.index("teh")
    safe = Fix("replace by `the`", (Edit(PAGE.span(teh, teh + 3), "the"),))
    unsafe = Fix(
        "replace by `word`",
        (Edit(PAGE.span(PAGE.text.index("wörd"), PAGE.text.index("wörd") + 4), "word"),),
        safe=False,
    )
    there = Related(DATA.span(DATA.text.index("Web")), "the other: 50%, a,b")
    return [
        found(PAGE, "teh", "repeated-word", Severity.ERROR, "`teh` should read `the`", fix=safe, related=(there,)),
        found(PAGE, "wörd", "repeated-word", Severity.HINT, "`wörd`, 100%: odd\nsecond line", fix=unsafe),
        found(PAGE, "\x1b[31m", "mojibake", Severity.WARNING, "control \x1b character"),
        found(PAGE, "end", "mojibake", Severity.WARNING, "far to the right"),
        found(PAGE, "Title\n\nOpen", "grammar", Severity.WARNING, "two lines"),
        found(DATA, "iOS", "grammar", Severity.ERROR, "wrong name", platforms=("ios", "web"), exact=False),
        Finding("unreadable-file", Severity.ERROR, "is not UTF-8", Source("empty.md", "").span(0)),
        Finding("grammar", Severity.WARNING, "nothing here", DATA.span(len(DATA.text))),
    ]


@pytest.mark.parametrize("name", report.FORMATS)
def test_a_report_as_a_whole(name: str) -> None:
    text = report.render(name, findings())
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE"):
        golden.write_text(text, encoding="utf-8", newline="")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", report.FORMATS)
def test_nothing_found(name: str) -> None:
    text = report.render(name, [])
    assert text.endswith("\n") or name == "github"
    assert name not in ("json", "gitlab") or json.loads(text) == []
    assert name not in ("full", "concise") or text == "Nothing found.\n"


@pytest.mark.parametrize("name", report.FORMATS)
def test_no_control_character_reaches_a_terminal(name: str) -> None:
    text = report.render(name, findings())
    assert "\x1b" not in text


def test_colours_are_written_only_when_asked_for() -> None:
    assert "\x1b[" not in report.render("full", findings()[:2])
    assert "\x1b[31m" in report.render("full", findings()[:2], color=True)


def test_the_mark_stands_below_wide_characters() -> None:
    frame = report.render("full", findings()[1:2]).splitlines()
    line, mark = frame[3].split("|")[1], frame[4].split("|")[1]
    assert line == "     Tab, 漢字 and wörd."
    assert mark.index("^") == line.index("wörd") + 2, "two characters take two columns each"
    assert mark.count("^") == 4


def test_places_in_json_count_code_points_from_1() -> None:
    entry = json.loads(report.render("json", findings()))[1]
    assert (entry["line"], entry["column"], entry["end_line"], entry["end_column"]) == (5, 14, 5, 18)
    assert entry["fix"]["edits"][0]["text"] == "word"
    assert json.loads(report.render("json", findings()))[5]["exact"] is False


def test_fingerprints_are_unique_and_survive_edits_elsewhere() -> None:
    same = [findings()[0], findings()[0]]
    assert len(set(fingerprints([*findings(), *same]))) == len(findings()) + 2
    moved = Source(PAGE.path, "New first line.\n" + PAGE.text)
    again = found(moved, "teh", "repeated-word", Severity.ERROR, "another message")
    assert list(fingerprints([again])) == list(fingerprints([findings()[0]]))


def test_junit_is_xml() -> None:
    root = ET.fromstring(report.render("junit", findings()))
    assert [suite.get("tests") for suite in root] == ["5", "2", "1"]


def test_sarif_is_valid() -> None:
    try:
        from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Log
    except ImportError:
        if os.environ.get("CI"):
            raise
        pytest.skip("pydantic-sarif is not installed")
    log = Log.model_validate_json(report.render("sarif", findings()))
    run = log.runs[0]
    assert run.results is not None
    assert len(run.results) == len(findings())
    shown = json.loads(report.render("sarif", findings()))["runs"][0]
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in shown["results"]}
    assert "docs/n%C3%A4her%20dran/page%201.md" in uris
    assert all(rule["help"]["markdown"].startswith("# ") for rule in shown["tool"]["driver"]["rules"])
