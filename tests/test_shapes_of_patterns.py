"""Shapes made from the rules' own patterns: each literal that one begins with, again and again, and never closed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.work import calls, soon
from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.linter import engine

pytestmark = pytest.mark.slow

PACKAGE = Path(site.__file__).parent.parent
READERS = ("rules", "markdown", "spelling", "links")
KB = 1024


def literals() -> list[str]:
    """What stands as it is in the patterns of rules and readers."""
    paths = (path for folder in READERS for path in sorted((PACKAGE / folder).rglob("*.py")))
    return sorted({found for path in paths for pattern in _patterns(path) for found in _literals(pattern)})


def _patterns(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("re.compile", "lazy_re.compile"):
            for part in ast.walk(node.args[0]):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


def _literals(pattern: str) -> Iterator[str]:
    for found in re.findall(r"(?:[^\\\[\](){}|?*+.^$]|\\[^\w])+", pattern):
        literal = re.sub(r"\\(.)", r"\1", found)
        if literal.strip() and len(literal) <= 30:
            yield literal


def linted(root: Path, text: str) -> list[Finding]:
    return engine.run(site.load_plain([root / "a.md"], root, {"a.md": text}), Config(root, select=("ALL",)))


def repeated(literal: str, size: int) -> str:
    return f"# A page\n\n{(literal * (size // len(literal) + 1))[:size]}\n"


LITERALS = literals()
GROUPS = [LITERALS[first::40] for first in range(40)]


def test_the_patterns_are_found() -> None:
    assert len(LITERALS) > 400


def check(root: Path, literal: str, size: int) -> None:
    small, large = (calls(partial(linted, root, repeated(literal, wide))) for wide in (size, 4 * size))
    assert large <= 4.6 * max(small, 20_000), (literal, small, large)


@pytest.mark.parametrize("number", range(len(GROUPS)))
def test_a_literal_of_a_pattern_again_and_again_is_read_in_proportion(number: int, tmp_path: Path) -> None:
    linted(tmp_path, "A page.\n")
    for literal in GROUPS[number][:1]:
        for ending in ("", " ", "\n"):
            check(tmp_path, literal + ending, KB)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("number", range(len(GROUPS)))
def test_each_literal_of_each_pattern_is_read_in_proportion(number: int, tmp_path: Path) -> None:
    for literal in GROUPS[number]:
        for ending in ("", " ", "\n"):
            check(tmp_path, literal + ending, 2 * KB)
            soon(partial(linted, tmp_path, repeated(literal + ending, 32 * KB)))
