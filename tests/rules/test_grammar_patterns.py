"""Each pattern of the list of slips has an example that it finds, and one that it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.case_runner import bench
from tutorial_tool.docs.rule_manual import Example
from tutorial_tool.rules import get_rules
from tutorial_tool.rules.text._patterns import SLIPS, Slip


def _findings(root: Path, text: str) -> list[str]:
    page = (
        f"# Lamps\n\n{text}\n\nTurn the lamp on, and wait until the light is green. Then close the door of the room.\n"
    )
    example = Example("bad", 1, {"page.md": page})
    return [str(finding) for finding in bench(root, example, only=get_rules()["grammar"]).findings()]


@pytest.mark.parametrize("pattern", [pytest.param(p, id=p.bad) for p in SLIPS if p.bad])
def test_a_pattern_finds_its_bad_example_and_not_its_good_one(pattern: Slip, tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "good").mkdir()
    assert len(_findings(tmp_path / "bad", pattern.bad)) == 1
    assert _findings(tmp_path / "good", pattern.good) == []
