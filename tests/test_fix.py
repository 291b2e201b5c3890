"""Fixes change what they say and nothing else, and what reads worse after them is taken back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import project
from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Fix, Severity
from tutorial_tool.core.source import Edit, Source, Span
from tutorial_tool.fs import files
from tutorial_tool.linter import engine, fix_guard, fixer, targets
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.linted_site import LintedSite
from tutorial_tool.site import loading


def finding(*edits: Edit, rule: str = "misspelling", safe: bool = True, message: str = "") -> Finding:
    return Finding(rule, Severity.WARNING, message, edits[0].span, fix=Fix("mend it", edits, safe))


def edit(source: Source, old: str, new: str) -> Edit:
    at = source.text.index(old)
    return Edit(source.span(at, at + len(old)), new)


def after(source: Source, *edits: Edit) -> str:
    return fixer.apply_edits(source, edits).raw


# Planning


def test_fixes_that_do_not_overlap_are_made_at_once() -> None:
    page = Source("page.md", "Thi page has a eror.\n")
    both = [finding(edit(page, "eror", "error")), finding(edit(page, "Thi", "This"))]
    chosen = fixer.plan_fixes(both)
    assert [f.span.text for f in chosen] == ["Thi", "eror"]
    assert after(page, *fixer.collect_edits(chosen)["page.md"]) == "This page has a error.\n"


def test_a_fix_that_overlaps_waits_whole() -> None:
    page = Source("page.md", "one two three\n")
    first = finding(edit(page, "one two", "1 2"))
    second = finding(edit(page, "two", "2"), edit(page, "three", "3"))
    assert fixer.plan_fixes([second, first]) == [first]


def test_a_fix_whose_own_edits_overlap_is_never_made() -> None:
    page = Source("page.md", "one two\n")
    assert fixer.plan_fixes([finding(edit(page, "one two", "1"), edit(page, "two", "2"))]) == []


def test_one_edit_that_two_rules_want_is_made_once() -> None:
    page = Source("page.md", "Thi page\n")
    twice = fixer.plan_fixes([finding(edit(page, "Thi", "This")), finding(edit(page, "Thi", "This"), rule="grammar")])
    assert len(twice) == 2
    assert fixer.collect_edits(twice) == {"page.md": [edit(page, "Thi", "This")]}


def test_what_is_not_reported_is_not_fixed(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Page\n\nTurn teh lamp on.\n", encoding="utf-8")
    (target,) = targets.find((), LookupOptions(tmp_path))
    assert [str(finding.severity) for finding in target.lint().findings] == ["warning"]
    assert fixer.run_rounds(target.lint, at_least=Severity.ERROR).counts == {}
    assert fixer.run_rounds(target.lint, at_least=Severity.WARNING).counts == {"misspelling": 1}


def test_unsafe_fixes_and_those_that_change_nothing_are_left() -> None:
    page = Source("page.md", "Thi page\n")
    guess = finding(edit(page, "Thi", "This"), safe=False)
    assert fixer.plan_fixes([guess, finding(edit(page, "page", "page"))]) == []
    assert fixer.plan_fixes([guess], unsafe=True) == [guess]


# Bytes


TEXT = st.text(st.sampled_from("ab ⟦é\U0001f600|#-\n\r"), max_size=60)


@given(TEXT, st.booleans(), st.data())
def test_bytes_outside_of_the_edits_stay(raw: str, bom: bool, data: st.DataObject) -> None:
    page = Source("page.md", "\ufeff" * bom + raw)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(page.text)), max_size=8, unique=True)))
    spans = [Span(page, *pair) for pair in zip(cuts[::2], cuts[1::2], strict=False)]
    edits = [Edit(span, data.draw(st.text("xy\n", max_size=4))) for span in spans]
    new = fixer.apply_edits(page, edits)
    assert new.bom is page.bom
    ends = re.compile(r"\r\n|\r|\n")
    kept = _outside(page.raw.removeprefix("\ufeff"), [(span.start, span.end) for span in spans])
    assert new.raw.removeprefix("\ufeff") == "".join(
        part + (ends.sub("\n", edits[i].text).replace("\n", page.newline) if i < len(edits) else "")
        for i, part in enumerate(kept)
    )


def _outside(raw: str, spans: list[tuple[int, int]]) -> list[str]:
    """The parts of a raw text around spans that count `\\r\\n` as one: the slow and simple way."""
    units = re.findall(r"\r\n|[\s\S]", raw)
    bounds = [0, *(bound for span in spans for bound in span), len(units)]
    return ["".join(units[start:end]) for start, end in zip(bounds[::2], bounds[1::2], strict=True)]


@given(TEXT, st.data())
def test_planned_edits_never_overlap(raw: str, data: st.DataObject) -> None:
    page = Source("page.md", raw)
    places = st.tuples(st.integers(0, len(page.text)), st.integers(0, len(page.text))).map(sorted)
    edits = st.builds(lambda place, text: Edit(Span(page, *place), text), places, st.text("xy", max_size=2))
    fixes = data.draw(st.lists(st.lists(edits, min_size=1, max_size=3).map(lambda made: finding(*made)), max_size=8))
    chosen = fixer.plan_fixes(fixes)
    page.apply(fixer.collect_edits(chosen).get("page.md", []))  # raises where they overlap
    assert chosen == fixer.plan_fixes(reversed(fixes)) or len({fixer._get_sort_key(f) for f in fixes}) < len(fixes)


def test_mixed_line_ends_and_a_missing_last_one_stay() -> None:
    page = Source("page.md", "\ufeffone\r\ntwo\nthree\rfour")
    assert after(page, edit(page, "three", "3")) == "\ufeffone\r\ntwo\n3\rfour"


def test_edits_of_what_an_overlay_shows_are_made_in_the_file() -> None:
    page = Source("page.md", "one\r\ntwo\nthree\r\n")
    shown = page.replace_text(page.text)
    assert after(page, edit(shown, "two", "2")) == "one\r\n2\nthree\r\n"


# What a fix must not do to YAML


def in_yaml(before: str, *changes: tuple[str, str], path: str = "platforms.yaml") -> str | None:
    source = Source(path, before)
    edits = {path: [edit(source, *change) for change in changes]}
    return fix_guard.check_files(edits, {path: after(source, *edits[path])})


DATA = "a:\n  title: 'Its name'\n  text: Old words  # a comment\nb: [x, y]\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Old", "New"),
        ("Old words", "New words"),
        ("comment", "remark: [1"),
        ("  text: Old words  # a comment\n", ""),
        ("Old words", '"New: words"'),
        ("b: [x, y]\n", "b: [x, y]\nc: d\n"),
        (", y", ""),
    ],
)
def test_a_value_that_reads_back_is_kept(old: str, new: str) -> None:
    assert in_yaml(DATA, (old, new)) is None


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Its", "It's", "would no longer be read"),
        ("Old", "New:", "would no longer be read"),
        ("words", "words # two", "would read `Old words` where it should read `Old words # two`"),
        ("Old words", "- New", "would no longer be read"),
        ("x,", "x y", "would read another value where it should read `y`"),
        ("  text", "text", "would read the end of a mapping where it should read `Old words`"),
        ("b: [x, y]\n", "    b: [x, y]\n", "would"),
    ],
)
def test_a_value_that_reads_otherwise_is_harm(old: str, new: str, reason: str) -> None:
    assert reason in (in_yaml(DATA, (old, new)) or "nothing")


def test_front_matter_is_read_again_too() -> None:
    page = "---\ntitle: Old words\n---\n\nText: more\n"
    assert in_yaml(page, ("Old", "New"), path="page.md") is None
    assert in_yaml(page, ("Old", "New:"), path="page.md") is not None
    assert in_yaml(page, ("Text", "More: text"), path="page.md") is None
    assert in_yaml(page, ("---\n\n", "\n"), path="page.md") == "page.md would lose its front matter"


def test_line_ends_never_merge() -> None:
    assert "line ends" in (in_yaml("a\rb\nc\n", ("b", ""), path="page.md") or "nothing")


# Rounds, with rules of this test's own


class Rules:
    """Stands for the linter: a project of Markdown pages, and rules that are pairs of words."""

    def __init__(self, root: Path, *rules: tuple[str, str, str], errors: Iterable[tuple[str, str]] = ()) -> None:
        self.root, self.rules, self.errors = root, rules, list(errors)
        self.loads = 0

    def __call__(self, overlay: Mapping[str, str]) -> LintedSite:
        self.loads += 1
        read = loading.load(site.Layout(self.root), overlay)
        found = list(read.findings)
        for source in read.sources.values():
            for name, old, new in self.rules:
                found += [
                    Finding(name, Severity.WARNING, old, place, fix=Fix(old, (Edit(place, new),)))
                    for place in _places(source, old)
                ]
            for name, bad in self.errors:
                found += [Finding(name, Severity.ERROR, bad, place) for place in _places(source, bad)]
        return LintedSite(read, found)


def _places(source: Source, word: str) -> list[Span]:
    return [source.span(match.start(), match.end()) for match in re.finditer(re.escape(word), source.text)]


def pages(root: Path, **texts: str) -> Path:
    (root / "docs_src").mkdir(parents=True)
    (root / "platforms.yaml").write_bytes(b"platforms: {swan: {name: Swan}}\n")
    for name, text in texts.items():
        (root / "docs_src" / f"{name}.md").write_bytes(text.encode())
    return root


def read(root: Path, name: str) -> str:
    return (root / "docs_src" / f"{name}.md").read_bytes().decode()


def test_fixing_writes_what_it_fixed_and_a_second_run_nothing(tmp_path: Path) -> None:
    lint = Rules(pages(tmp_path, a="\ufeffThi page.\r\nAnd thi.", b="Good.\n"), ("misspelling", "hi page", "his page"))
    result = fixer.run_rounds(lint)
    assert result.counts == {"misspelling": 1}
    assert fixer.write(result, tmp_path) == []
    assert read(tmp_path, "a") == "\ufeffThis page.\r\nAnd thi."
    assert fixer.run_rounds(lint).changes == {}


def test_a_fix_may_need_what_another_did(tmp_path: Path) -> None:
    lint = Rules(pages(tmp_path, a="aa\n"), ("first", "aa", "bc"), ("second", "bc", "d"), ("third", "d", "ok"))
    result = fixer.run_rounds(lint)
    assert result.counts == {"first": 1, "second": 1, "third": 1}
    assert result.linted.findings == []
    assert result.changes["docs_src/a.md"].after.text == "ok\n"


def test_rules_that_undo_each_other_are_named_and_the_others_stand(tmp_path: Path) -> None:
    lint = Rules(pages(tmp_path, a="x eror\n"), ("to-y", "x", "y"), ("to-x", "y", "x"), ("spelling", "eror", "error"))
    result = fixer.run_rounds(lint)
    assert result.changes["docs_src/a.md"].after.text == "x error\n"
    assert result.counts == {"spelling": 1}
    assert "`to-x` and `to-y` undo each other in docs_src/a.md" in {t.reason for t in result.reverted_fixes}


def test_a_rule_that_never_ends_is_rolled_back(tmp_path: Path) -> None:
    lint = Rules(pages(tmp_path, a="x eror\n"), ("growing", "x", "xx"), ("spelling", "eror", "error"))
    result = fixer.run_rounds(lint)
    assert result.changes["docs_src/a.md"].after.text == "x error\n"
    assert [t.reason for t in result.reverted_fixes] == ["`growing` never stops changing in docs_src/a.md"]


def test_a_fix_that_brings_an_error_is_taken_back_alone(tmp_path: Path) -> None:
    lint = Rules(
        pages(tmp_path, a="one two three four\n"),
        *(("count", word, digit) for word, digit in [("one", "1"), ("two", "2"), ("three", "3"), ("four", "4")]),
        errors=[("unlucky", "3")],
    )
    result = fixer.run_rounds(lint)
    assert result.changes["docs_src/a.md"].after.text == "1 2 three 4\n"
    assert [str(taken) for taken in result.reverted_fixes] == [
        "docs_src/a.md:1:9: count: the fix was reverted: it brings unlucky at docs_src/a.md:1:5: 3"
    ]


def test_a_fix_that_was_taken_back_hides_no_other(tmp_path: Path) -> None:
    rules = [("first", "one two", "3"), ("second", "two", "2")]
    lint = Rules(pages(tmp_path, a="one two\n"), *rules, errors=[("unlucky", "3")])
    assert fixer.run_rounds(lint).changes["docs_src/a.md"].after.text == "one 2\n"


def test_an_error_that_only_moves_is_not_new(tmp_path: Path) -> None:
    lint = Rules(pages(tmp_path, a="one\nbad\n"), ("count", "one", "a\nb\n1"), errors=[("known", "bad")])
    assert fixer.run_rounds(lint).changes["docs_src/a.md"].after.text == "a\nb\n1\nbad\n"


def test_a_fix_that_changes_other_words_is_taken_back(tmp_path: Path) -> None:
    page = "Start here.\n\nSome prose.\n"
    lint = Rules(pages(tmp_path, a=page), ("fence", "Start here.\n", "```\n"), ("upper", "Some", "Any"))
    result = fixer.run_rounds(lint)
    assert result.changes["docs_src/a.md"].after.text == "Start here.\n\nAny prose.\n"
    assert [t.reason for t in result.reverted_fixes] == ["other words of a.md would change: `Some` to nothing"]


@pytest.mark.parametrize(
    ("page", "old", "new", "mark"),
    [
        ("## **Steps.**\n", ".**", "", "**"),
        ("Run `make.`\n", ".`", ".", "`"),
        ("See ~~this one.~~\n", "one.~~", "one", "~~"),
    ],
)
def test_a_fix_that_takes_one_end_of_markup_is_taken_back(
    tmp_path: Path, page: str, old: str, new: str, mark: str
) -> None:
    result = fixer.run_rounds(Rules(pages(tmp_path, a=page), ("period", old, new)))
    assert result.changes == {}
    assert [t.reason for t in result.reverted_fixes] == [f"`{mark}` in a.md would be shown as text"]


def test_a_value_that_a_template_tests_is_not_changed(tmp_path: Path) -> None:
    (tmp_path / "site_templates/steps").mkdir(parents=True)
    (tmp_path / "site_templates/steps/go.md.j2").write_text(
        "---\ntitle: Go\n---\n\n{% if platform.name == 'Swan' %}Swim.{% endif %}\n"
    )
    (tmp_path / "platforms.yaml").write_text(
        "platforms: {swan: {name: Swan}}\ntutorials: {t: {title: T, path: 't/{platform}/{step}', steps: [go]}}\n"
    )
    result = fixer.run_rounds(Rules(tmp_path, ("rename", "name: Swan", "name: Gull")))
    assert result.changes == {}
    assert [t.reason for t in result.reverted_fixes] == ["other words of t/swan/go.md would change: `Swim` to nothing"]


def test_a_project_is_fixed_where_its_text_was_written(tmp_path: Path) -> None:
    data = project.DATA.replace("setting: Sound", "setting: 'Sound â€“ on'").replace("Swan menu", "the the menu")
    templates = {**project.TEMPLATES, "steps/prepare/install.animals.md": "It wonâ€™t hurt.\n"}
    root = project.write(tmp_path, data, templates)
    settings = Config(root=root, select=("mojibake", "repeated-word"))

    def lint(overlay: Mapping[str, str]) -> LintedSite:
        read = loading.load(site.Layout.find(root), overlay)
        return LintedSite(read, engine.run(read, settings))

    result = fixer.run_rounds(lint)
    assert (result.counts, result.reverted_fixes) == ({"mojibake": 2, "repeated-word": 1}, ())
    assert fixer.write(result, root) == []
    assert (root / "platforms.yaml").read_text() == data.replace("â€“", "–").replace("the the", "the")
    assert (root / "site_templates/steps/prepare/install.animals.md").read_text() == "It won’t hurt.\n"
    assert fixer.run_rounds(lint).changes == {}


ASIDE = "# T\n\nText.\n\n<aside>\nLook here.\n</aside>\n"


@pytest.mark.parametrize("more", ["", "\n!!! note\n\n    It stands here already.\n\n1. d\n\n    ```\n    e\n    ```\n"])
def test_a_fix_that_writes_what_nothing_reads_is_taken_back(tmp_path: Path, more: str) -> None:
    """MkDocs reads notes with an extension alone, which a site may not have turned on."""
    rule = "raw-html"
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text(ASIDE + more)
    (tmp_path / "tutorial-tool.toml").write_text(f'extend-select = ["{rule}"]\n')

    def fixed(extensions: str) -> fixer.FixResult:
        (tmp_path / "mkdocs.yml").write_text(f"site_name: S\nmarkdown_extensions: [{extensions}]\n")
        (target,) = targets.find([Path("docs/index.md")], LookupOptions(tmp_path))
        return fixer.run_rounds(target.lint)

    refused = fixed("tables")
    assert [taken.finding.rule for taken in refused.reverted_fixes] == [rule]
    assert refused.reverted_fixes[0].reason.startswith("it brings unparsed-markup at docs/index.md:")
    assert rule not in refused.counts
    assert [finding.fix for finding in refused.linted.findings if finding.rule == rule] == [None]
    made = fixed("admonition, pymdownx.superfences")
    assert (made.reverted_fixes, made.counts[rule]) == ((), 1)


def test_the_diff_is_one_that_patch_reads(tmp_path: Path) -> None:
    result = fixer.run_rounds(Rules(pages(tmp_path, a="Thi page.\r\nEnd"), ("misspelling", "Thi ", "This ")))
    assert result.diff == (
        "--- docs_src/a.md\n+++ docs_src/a.md\n@@ -1,2 +1,2 @@\n"
        "-Thi page.\r\n+This page.\r\n End\n\\ No newline at end of file\n"
    )
    assert read(tmp_path, "a") == "Thi page.\r\nEnd"


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    result = fixer.run_rounds(Rules(pages(tmp_path, a="eror\n", b="eror\n"), ("misspelling", "eror", "error")))
    (tmp_path / "docs_src/a.md").write_text("Rewritten, eror and all.\n")
    assert fixer.write(result, tmp_path) == ["docs_src/a.md: not fixed: it was changed by another program meanwhile"]
    assert read(tmp_path, "a") == "Rewritten, eror and all.\n"
    assert read(tmp_path, "b") == "error\n"


def test_a_file_keeps_its_mode_and_mixed_line_ends(tmp_path: Path) -> None:
    root = pages(tmp_path, a="eror\r\none\ntwo\r\n")
    (root / "docs_src/a.md").chmod(0o750)
    fixer.write(fixer.run_rounds(Rules(root, ("misspelling", "eror", "error"))), root)
    assert read(root, "a") == "error\r\none\ntwo\r\n"
    assert (root / "docs_src/a.md").stat().st_mode & 0o777 == 0o750


def test_nobody_else_writes_meanwhile(tmp_path: Path) -> None:
    result = fixer.run_rounds(Rules(pages(tmp_path, a="eror\n"), ("misspelling", "eror", "error")))
    with files.lock(tmp_path), pytest.raises(files.FolderLocked):
        fixer.write(result, tmp_path, seconds=0.05)
