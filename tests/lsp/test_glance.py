"""In a large tree, the page that is typed in is looked at while the run over all of it is on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tutorial_tool.linter import scheduler
from tutorial_tool.lsp import links, quick_check
from tutorial_tool.lsp.runs import Runs
from tutorial_tool.lsp.workspace import Snapshot, Workspace


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for number in range(scheduler.MIN_PAGES_TO_RELEASE + 10):
        (tmp_path / f"page-{number}.md").write_text(f"# Page {number}\n\n[Page {number + 1}](page-{number + 1}.md)\n")
    return tmp_path


def found(snapshot: Snapshot, path: Path) -> list[tuple[str, str]]:
    return [(finding.rule, finding.span.text) for finding in snapshot.by_file.get(path, ())]


def raises(error: Exception) -> None:
    raise error


@pytest.mark.asyncio
async def test_a_page_of_a_large_tree_is_glanced_at(tree: Path) -> None:
    last = tree / f"page-{scheduler.MIN_PAGES_TO_RELEASE + 9}.md"
    workspace, told = Workspace([tree]), list[Snapshot]()
    runs = Runs(workspace, told.append, raises)
    workspace.record_change()
    await runs.get_current()
    assert found(told[0], last) == [("broken-link", f"page-{scheduler.MIN_PAGES_TO_RELEASE + 10}.md")]
    workspace.set_text(last, "# The the page\n\n" + last.read_text())
    at_once = await runs.get_current()  # what a glance found, or the run, if that was over before
    assert at_once is not told[0]
    both = [("broken-link", f"page-{scheduler.MIN_PAGES_TO_RELEASE + 10}.md"), ("repeated-word", "The the")]
    assert sorted(found(at_once, last)) == both
    while runs.last_snapshot is told[0]:  # noqa: ASYNC110 - the run tells nobody else
        await asyncio.sleep(0.01)
    assert sorted(found(runs.last_snapshot, last)) == both
    runs.stop()


def test_what_stands_where_the_text_has_changed_is_gone(tree: Path) -> None:
    last = tree / f"page-{scheduler.MIN_PAGES_TO_RELEASE + 9}.md"
    workspace = Workspace([tree])
    checked = workspace.lint().find_checked(last)
    assert checked is not None
    assert quick_check.is_worthwhile(checked)
    after = quick_check.lint_page(checked, last, last.read_text().replace("page-", "pages/page-"))
    assert after.by_file.get(last) is None


def test_links_lead_to_pages_and_sections_that_a_glance_leaves_aside(tree: Path) -> None:
    first, second = tree / "page-0.md", tree / "page-1.md"
    second.write_text("# Page 1\n\n## One part\n\nText.\n\n## The other\n\nText.\n")
    (tree / "picture.png").write_bytes(b"\x89PNG")
    text = "# Page 0\n\n[A page](page-2.md), [a part](page-1.md#the-other), [none](page-1.md#no), ![it](picture.png).\n"
    whole = Workspace([tree]).lint().find_checked(first)
    assert whole is not None
    checked = quick_check.lint_page(whole, first, text)
    source = checked.get_source(first)
    assert source is not None
    led = [
        links.find_target(checked, source, text.index(where)) for where in ("page-2", "page-1.md#the", "page-1.md#no")
    ]
    assert [span and (span.path, span.position.line) for span in led] == [
        ("page-2.md", 1),
        ("page-1.md", 7),
        ("page-1.md", 1),
    ]
    assert links.find_target(checked, source, text.index("picture")) is None


def test_a_small_tree_needs_no_glance(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("# Page\n")
    checked = Workspace([tmp_path]).lint().find_checked(tmp_path / "page.md")
    assert checked is not None
    assert not quick_check.is_worthwhile(checked)
