"""What users read in messages, help and errors has no word of the old idiom; `idiom_left.txt` lists what is left."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import tutorial_tool

PACKAGE = Path(tutorial_tool.__file__).parent
LEFT = Path(__file__).parent / "idiom_left.txt"
"""How many hits each module still has: a count may shrink and never grow. `UPDATE=1` writes the file."""

IDIOM = re.compile(
    r"\b(?:tell|tells|told|stands?(?! for\b| in for\b)|pictures?|mend(?:s|ed|ing)?|settled?|settles|abilit(?:y|ies)|silent|silenced?"
    r"|(?<!mail )(?<!email )(?<!IP )address(?:es)?|as one types|at its (?:begin|end)|be it|by itself|else's|no page or file"
    r"|leads? (?:nowhere|to no)|nothing closes|other hosts?|the odd one|hand(?:s|ed)? over|at a glance|comes? again"
    r"|a tie|leaves? aside|left aside|is meant|are known|is known|write(?:s)? down|signs?(?! in| up| of)|manuals?)\b"
)
PROSE = re.compile(r"[a-z`'}] [a-z`{]")
"""A string with two words in a row is text for people; names, patterns and templates of files seldom have them."""


def texts(tree: ast.Module) -> Iterator[ast.Constant]:
    """Return the strings of a module that a user may read: no docstrings, and no regular expressions."""
    hidden: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            hidden.add(id(node.value))
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in (
            "compile",
            "sub",
            "fullmatch",
        ):
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
    counts = {name: len(lines) for name, lines in found.items() if lines}
    if "UPDATE" in os.environ:
        LEFT.write_text("".join(f"{name} {count}\n" for name, count in counts.items()), encoding="utf-8")
    left = Counter({name: int(count) for name, count in map(str.split, LEFT.read_text(encoding="utf-8").splitlines())})
    grown = {name: found[name] for name, count in counts.items() if count > left[name]}
    assert not grown, "see `docs_src/explanation/concepts.md#words`, or run with UPDATE=1 if the word is right here"


def test_the_guide_has_no_old_word() -> None:
    root = PACKAGE.parent
    command = ["lint", "--config", "tests/words/lint.toml", "--select", "forbidden-word", "docs_src", "README.md"]
    ran = subprocess.run(
        [sys.executable, "-m", "tutorial_tool", *command], cwd=root, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "Nothing found.\n"), ran.stdout + ran.stderr
