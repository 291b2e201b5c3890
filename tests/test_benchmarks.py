"""What the guide says about speed is what was measured."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def shown(seconds: float) -> str:
    return f"{seconds:.3f}" if seconds < 1 else f"{seconds:.1f}"


def test_each_figure_in_the_guide_was_measured() -> None:
    rows = json.loads((ROOT / "benchmarks/results.json").read_text(encoding="utf-8"))
    measured = {shown(row[kind]) for row in rows for kind in ("least", "wall")}
    guide = (ROOT / "docs_src/explanation/speed.md").read_text(encoding="utf-8")
    told = re.findall(r"(?<![\d.])\d+\.\d+(?![\d.])", guide)
    assert len(told) > 20
    assert set(told) <= measured


def test_each_tool_showed_that_it_did_the_work() -> None:
    rows = json.loads((ROOT / "benchmarks/results.json").read_text(encoding="utf-8"))
    assert {"tutorial-tool", "rumdl", "mkdocs", "zensical"} <= {row["tool"] for row in rows}
    assert all(row["done"] and row["measured"] for row in rows)
    table = (ROOT / "benchmarks/results.md").read_text(encoding="utf-8")
    assert all(f"{row['least']:.3f}" in table for row in rows)


def test_the_replay_of_history_fits_what_it_measures() -> None:
    assert importlib.import_module("benchmarks.sync_replay").Clone
