"""What one run leaves in memory for the next: the findings stay the same, and no work is done twice."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.project import TEMPLATES, write
from tests.work import calls
from tutorial_tool import cache, site
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source
from tutorial_tool.linter.config_lookup import LookupOptions
from tutorial_tool.linter.targets import Target, find
from tutorial_tool.rules import get_rules
from tutorial_tool.site import Layout, Memory, Page, loading
from tutorial_tool.site.source_cache import SourceCache

COPIES = Path(__file__).parent / "copies"
OLD = 1_600_000_000


def told(findings: list[Finding]) -> list[object]:
    """Findings as they can be compared between two runs, which have sources of their own."""

    def place(span: tuple[Source, int, int]) -> object:
        return span[0].path, span[0].raw, *span[1:]

    return [
        (
            *(f.rule, f.severity, f.message, place(f.span), f.platforms, f.exact),
            [(place(item.span), item.message) for item in f.related],
            f.fix and (f.fix.title, f.fix.safe, [(place(edit.span), edit.text) for edit in f.fix.edits]),
        )
        for f in findings
    ]


def target(root: Path) -> Target:
    (found,) = find((), LookupOptions(root, overrides=(("extend_select", ("ALL",)),)))
    return found


EDITS = (
    ("platforms.yaml", "Otter", "Beaver"),
    ("platforms.yaml", "Enabled", "Enabeld"),
    ("site_templates/steps/prepare.md.j2", "Open", "Open the the"),
    ("site_templates/steps/prepare.md.j2", "## ", "## New "),
    ("site_templates/steps/welcome.md.j2", "Start", "Strat"),
    ("site_templates/steps/finish.md.j2", "\n\n", "\n\nSee [there](nowhere.md).\n\n"),
    ("docs_src/index.md", "a", "teh a"),
    ("docs_src/index.md", "\n", "\r\n"),
)


@pytest.mark.slow
def test_after_each_of_many_edits_a_run_with_a_memory_finds_what_one_without_finds(tmp_path: Path) -> None:
    chance = random.Random(7)
    write(tmp_path)
    (tmp_path / "docs_src").mkdir(exist_ok=True)
    (tmp_path / "docs_src" / "index.md").write_text("# Home\n\nRead [the guide](guide/swan/welcome.md).\n")
    before = {name: (tmp_path / name).read_text() for name, _, _ in EDITS}
    memory = Memory()
    for _ in range(40):
        name, old, new = chance.choice(EDITS)
        text = before[name] if chance.random() < 0.4 else (tmp_path / name).read_text().replace(old, new, 1)
        if chance.random() < 0.5:
            overlay = {name: text}
        else:
            overlay = {}
            (tmp_path / name).write_text(text)
        with_memory = target(tmp_path).lint(overlay, memory).findings
        assert told(with_memory) == told(target(tmp_path).lint(overlay).findings)


def test_a_page_that_did_not_change_is_neither_read_nor_parsed_nor_judged_again(tmp_path: Path) -> None:
    for number in range(20):
        text = "".join(f"Sentence {number} of this page says **what** the `{i}` does.\n\n" for i in range(60))
        (tmp_path / f"page-{number}.md").write_text(f"# Page {number}\n\n{text}")
        os.utime(tmp_path / f"page-{number}.md", (OLD, OLD))
    memory, tree = Memory(), target(tmp_path)
    first = calls(lambda: tree.lint(memory=memory))
    changed = {"page-3.md": "# Page 3\n\nAnother text.\n"}
    assert calls(lambda: tree.lint(changed, memory)) < first / 3


@pytest.mark.parametrize("rule", [r for r in get_rules().values() if r.level == "Page"], ids=lambda rule: rule.name)
def test_a_rule_of_pages_sees_no_more_than_the_text_and_its_dialect(rule: object) -> None:
    paths = sorted((COPIES / "payments-sdk").rglob("*.md")) + sorted((COPIES / "television").rglob("*.md"))
    pages = site.load_plain(paths, COPIES).pages
    assert pages
    for page in pages:
        assert told(list(direct(rule, page))) == told([page.remap_finding(f) for f in direct(rule, page.detached_page)])


def direct(rule: object, page: Page | None) -> list[Finding]:
    """What a rule says of a page, with the configuration if it wants one."""
    assert page is not None
    check, wants = rule.check, rule.parameters  # type: ignore[attr-defined]
    return list(check(page, **({"config": Config(COPIES)} if "config" in wants else {})))


def test_a_text_that_no_file_can_hold_is_judged_where_it_stands(tmp_path: Path) -> None:
    write(
        tmp_path,
        templates={**TEMPLATES, "steps/finish.md.j2": "---\ntitle: End\n---\n\nRead {{ '\\r' }}the the end.\n"},
    )
    pages = [page for page in loading.load(Layout.find(tmp_path)).pages if page.step == "finish"]
    assert pages
    assert all(page.detached_page is None for page in pages)
    assert "repeated-word" in {finding.rule for finding in target(tmp_path).lint(memory=Memory()).findings}


def test_a_file_that_was_left_alone_is_the_same_source_and_one_that_was_not_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("one")
    os.utime(file, (OLD, OLD))
    sources = SourceCache()
    first = sources.read(file, tmp_path)
    assert sources.read(file, tmp_path) is first
    file.write_text("two")
    os.utime(file, (OLD, OLD))  # as a careless copy does: the same size, the same time
    second = sources.read(file, tmp_path)
    assert isinstance(second, Source)
    assert second.text == "two"
    file.unlink()
    assert isinstance(sources.read(file, tmp_path), Finding)


def test_a_file_that_is_saved_twice_within_a_tick_of_the_clock_is_read_twice(tmp_path: Path) -> None:
    assert cache.COARSE_TICK_NANOSECONDS >= 2_000_000_000
    file, sources = tmp_path / "a.md", SourceCache()
    for text in ("one", "two", "six", "ten"):
        file.write_text(text)
        read = sources.read(file, tmp_path)
        assert isinstance(read, Source)
        assert read.text == text
