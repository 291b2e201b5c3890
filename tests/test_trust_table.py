"""SECURITY.md says who is trusted with what: each line names the tests that prove it, and they are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests import project, started

TESTS = Path(__file__).parent
TEXT = (TESTS.parent / "SECURITY.md").read_text(encoding="utf-8")
TABLE = TEXT.partition("## Who is trusted with what")[2].partition("\n## ")[0]
LINES = [line.strip("|").split(" | ") for line in TABLE.splitlines() if line.startswith("| ")][2:]


def functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_the_table_is_read() -> None:
    assert len(LINES) >= 18


@pytest.mark.parametrize("cells", LINES, ids=lambda cells: cells[0].strip())
def test_each_line_is_proved_by_tests(cells: list[str]) -> None:
    assert len(cells) == 4
    proofs = re.findall(r"`((?:\w+/)?test_\w+\.py)::(test_\w+)`", cells[3])
    assert proofs
    assert [(file, name) for file, name in proofs if name not in functions(TESTS / file)] == []


@pytest.mark.slow
def test_lint_runs_no_hook_that_a_build_runs(tmp_path: Path) -> None:
    root, ran = project.write(tmp_path / "project"), tmp_path / "ran"
    (root / "hook.py").write_text(f"import pathlib\npathlib.Path({str(ran)!r}).touch()\n")
    (root / "docs_src").mkdir(exist_ok=True)
    (root / "mkdocs.yml").write_text(
        "site_name: Example\ndocs_dir: docs_src\ntheme: {name: mkdocs}\nhooks: [hook.py]\nplugins: [{tutorial: {lint: false}}]\n"
    )
    for command in ("lint --no-cache", "inventory", "render out"):
        started.run("tutorial_tool", *command.split(), cwd=root)
        assert not ran.exists()
    started.run("mkdocs", "build", "-q", cwd=root)
    assert ran.exists()
