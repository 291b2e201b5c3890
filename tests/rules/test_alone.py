"""A page that is linted without those beside it: what these may have is not called missing."""

from __future__ import annotations

from pathlib import Path

from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.linter import engine

STEP = "# Step {0}. Do part {0}\n\n1. Do one thing.\n2. Do another.\n3. Do the third.\n\nIn step 4 you look at all of it.\n"
OTHER = "# Look\n\nIf you just completed step 7.3, wait for the page.\n"


def missing(*pages: Path, root: Path) -> list[str]:
    found = engine.run(site.plain(pages, root), Config())
    return [one.message for one in found if one.rule == "stale-step-reference"]


def test_a_step_that_another_page_may_be_is_not_missing(tmp_path: Path) -> None:
    steps = [tmp_path / f"part{number}.md" for number in range(1, 5)]
    for number, path in enumerate(steps, 1):
        path.write_text(STEP.format(number), encoding="utf-8")
    assert missing(*steps, root=tmp_path) == []
    assert missing(steps[1], root=tmp_path) == []
    for path in steps[2:]:
        path.unlink()
    nobody_is = "`step 4` not found: the steps of this page end at 3"
    assert missing(*steps[:2], root=tmp_path) == [nobody_is, nobody_is]


def test_so_is_a_dotted_one(tmp_path: Path) -> None:
    (tmp_path / "look.md").write_text(OTHER, encoding="utf-8")
    assert missing(tmp_path / "look.md", root=tmp_path) == [
        "`step 7.3` not found: no step or section here has such a number"
    ]
    (tmp_path / "wait.md").write_text("# Wait\n", encoding="utf-8")
    assert missing(tmp_path / "look.md", root=tmp_path) == []
