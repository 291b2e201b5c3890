"""The fixes of all rules, on pages put together by chance: they settle, and touch no byte that they do not name."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.linter import engine, fixer, targets
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.linted_site import LintedSite

FRAGMENTS = [
    "# Heading {n}",
    "You wonâ€™t see line {n} of the the page.",
    "Words {n} with a break  ",
    "Words {n} at an end \t",
    "",
    "   ",
    "1. First {n}",
    "2. Second {n}",
    "![](picture-{n}.png)",
    "    Indented {n} ",
    "- Item {n}: cafÃ©",
    "> Quoted {n} and and so on",
    "| A {n} | B |",
    "| --- | --- |",
    "| a {n} | the the | ",
    "<aside>",
    "Aside {n}",
    "</aside>",
    '<a href="page-{n}.md">Next >></a>',
    "```",
    "code {n} ",
    "!!! note",
    '=== "Tab {n}"',
    "{{% if x{n} %}} ",
    "---",
    "title: A title {n} ",
    "Text<br/>{n}",
]
PAGES = st.lists(st.tuples(st.sampled_from(FRAGMENTS), st.sampled_from(["\n", "\r\n", "\r"])), max_size=14)
LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")


def page(lines: Iterable[tuple[str, str]], *, one_end: bool, bom: bool, closed: bool) -> str:
    """A page of fragments, each with a number of its own, so that its lines can be told apart afterwards."""
    made = [fragment.format(n=f"n{n}") + ("\r\n" if one_end else end) for n, (fragment, end) in enumerate(lines)]
    text = "".join(made)
    return "\ufeff" * bom + (text if closed else text.rstrip("\r\n"))


def fixed(root: Path, *, unsafe: bool) -> fixer.FixResult:
    config = Config(root=root, select=("ALL",))

    def load(overlay: Mapping[str, str]) -> LintedSite:
        read = site.load_plain([root / "page.md"], root, overlay)
        return LintedSite(read, engine.run(read, config))

    result = fixer.run_rounds(load, unsafe=unsafe)
    assert fixer.write(result, root) == []
    return result


def ends(raw: str) -> dict[str, str]:
    """The line end of every line that can be told apart."""
    return {match[1]: match[2] for match in LINE.finditer(raw) if re.search(r"n\d+", match[1])}


def check(lines: list[tuple[str, str]], one_end: bool, bom: bool, closed: bool, unsafe: bool) -> None:
    """Fixes a page twice: the second time changes nothing, and no line end went but with its line."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.md"
        raw = page(lines, one_end=one_end, bom=bom, closed=closed)
        file.write_bytes(raw.encode())
        left = fixed(Path(folder), unsafe=unsafe)
        after = file.read_bytes().decode()
        assert after.startswith("\ufeff") is raw.startswith("\ufeff")
        was, now = ends(raw), ends(after)
        kept = (was.keys() & now.keys()) - {LINE.findall(raw)[-2][0] if raw else ""}  # what ends the last line may go
        assert {line: now[line] for line in kept} == {line: was[line] for line in kept}
        refused = {(taken.finding.rule, taken.finding.message) for taken in left.reverted_fixes}
        wanted = fixer.plan_fixes(left.linted.findings, unsafe=unsafe)
        assert {(finding.rule, finding.message) for finding in wanted} <= refused
        assert fixed(Path(folder), unsafe=unsafe).changes == {}
        assert file.read_bytes().decode() == after


HOW = (PAGES, st.booleans(), st.booleans(), st.booleans(), st.booleans())


@settings(max_examples=60)
@given(*HOW)
def test_fixes_settle_and_keep_line_ends(
    lines: list[tuple[str, str]], one_end: bool, bom: bool, closed: bool, unsafe: bool
) -> None:
    check(lines, one_end, bom, closed, unsafe)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@settings(max_examples=10_000)
@given(*HOW)
def test_fixes_of_10_000_pages_settle_and_keep_line_ends(
    lines: list[tuple[str, str]], one_end: bool, bom: bool, closed: bool, unsafe: bool
) -> None:
    check(lines, one_end, bom, closed, unsafe)


def test_a_heading_keeps_its_address_where_pages_that_lead_to_it_are_not_at_hand(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One\n\nSee [the door](b.md#use-teh-door) of the house.\n", encoding="utf-8")
    page = tmp_path / "b.md"
    page.write_text("# Two\n\nRead teh page.\n\n## Use teh door\n\nText.\n", encoding="utf-8")
    (target,) = targets.find([page], LookupOptions(tmp_path))
    result = fixer.run_rounds(target.lint)
    assert result.changes["b.md"].after.text == page.read_text(encoding="utf-8").replace("Read teh", "Read the")
    assert [back.reason for back in result.reverted_fixes] == [
        "#use-teh-door would change a URL that pages outside this run may link to"
    ]
    page.write_text("# Two\n\n## Use teh door\n\nText.\n", encoding="utf-8")
    (tmp_path / "a.md").unlink()  # now the page is all there is
    (target,) = targets.find([page], LookupOptions(tmp_path))
    assert "## Use the door" in fixer.run_rounds(target.lint).changes["b.md"].after.text
