"""What users read in messages, help, errors, guide and rule pages has no word of the old idiom."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import tutorial_tool

PACKAGE = Path(tutorial_tool.__file__).parent
IDIOM = re.compile(
    r"\b(?:tell(?! them apart)|tells|told|stands?(?! for\b| in for\b)|pictures?(?!\|)|mend(?:s|ed|ing)?|settled?|settles"
    r"|abilit(?:y|ies)|capabilit(?:y|ies)|silent|silenced?"
    r"|(?<!mail )(?<!email )(?<!IP )(?<!-)address(?:es)?|as one types|at its (?:begin|end)|be it|by itself|else's|no page or file"
    r"|leads? (?:nowhere|to no)|nothing closes|other hosts?|the odd one|hand(?:s|ed)? over|at a glance|comes? again"
    r"|a tie|leaves? aside|left aside|is meant|are known|is known|write(?:s)? down|signs?(?! in| up| of)|manuals?)\b"
)
DATA = ("compile", "sub", "fullmatch", "split")
"""Calls on patterns and lists of words, which nobody reads as text."""
PAGES = ("docs_src", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "tutorial_tool/rules")
PROSE = re.compile(r"[a-z`'}] [a-z`{]")
"""A string with two words in a row is text for people; names, patterns and templates of files seldom have them."""


def texts(tree: ast.Module) -> Iterator[ast.Constant]:
    """Return the strings of a module that a user may read: no docstrings, and no regular expressions."""
    hidden: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            hidden.add(id(node.value))
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in DATA:
            hidden |= {id(part) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in hidden:
            yield node


def commands(tree: ast.Module) -> Iterator[str]:
    """Return the docstrings of commands, which their help prints."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any("command" in ast.unparse(each) for each in node.decorator_list):
            yield ast.get_docstring(node) or ""


def hits(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [node.value for node in texts(tree) if isinstance(node.value, str) and PROSE.search(node.value)]
    return [f"{word[0]}: {text}" for text in (*found, *commands(tree)) for word in IDIOM.finditer(text)]


def test_no_string_gets_an_old_word() -> None:
    found = {path.relative_to(PACKAGE).as_posix(): hits(path) for path in sorted(PACKAGE.rglob("*.py"))}
    assert {name: lines for name, lines in found.items() if lines} == {}, (
        "docs_src/explanation/concepts.md has the words"
    )


def test_the_guide_has_no_old_word() -> None:
    root = PACKAGE.parent
    command = ["lint", "--config", "tests/words/lint.toml", "--select", "forbidden-word", *PAGES]
    ran = subprocess.run(
        [sys.executable, "-m", "tutorial_tool", *command], cwd=root, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "Nothing found.\n"), ran.stdout + ran.stderr
