"""What users read in messages, help, errors, guide and rule pages has no word of the old idiom."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import tutorial_tool
from tutorial_tool import cli
from tutorial_tool.config import settings
from tutorial_tool.rules import get_rules

PACKAGE = Path(tutorial_tool.__file__).parent
DATA = ("compile", "sub", "fullmatch", "split")
"""Calls on patterns and lists of words, which nobody reads as text."""
PAGES = ("docs_src", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "tutorial_tool/rules")
FILES = ("scaffold/files/**/*", "scaffold/ci/*", "mkdocs_plugin/live_preview/*.html", "publishing/theme/**/*.html")
PROSE = re.compile(r"[a-z`'}] [a-z`{]")
"""A string with two words in a row is text for people; names, patterns and templates of files seldom have them."""

QUOTED = re.compile(r"(?<![^\s:;,])'[^'\n]+'(?![^\s:;,.?])")
FOREIGN = re.compile(
    r"xpected |Encountered unknown tag|not supported between|does not export|No module named|-src |^import "
)
"""Texts that other programs read or write."""


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


def find_quoted(tree: ast.Module) -> Iterator[str]:
    """Return the texts of a module with straight single quotes around what they name, outside of code in backticks.

    Quotes next to a bracket or another character of code are code: `label('role')`, `['Setup', 'Apps']`.
    """
    prose = {id(node) for node in texts(tree)}
    for node in ast.walk(tree):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        shown = [part for part in parts if isinstance(part, ast.FormattedValue) or id(part) in prose]
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in shown)
        if QUOTED.search(re.sub(r"`[^`]*`", "", text)) and re.search(r"[a-z] [a-z]", text):
            yield text


def test_what_a_message_names_is_in_backticks() -> None:
    quoted = [
        f"{path.relative_to(PACKAGE).as_posix()}: {text}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for text in find_quoted(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert [text for text in quoted if not FOREIGN.search(text.partition(": ")[2])] == []
    (told,) = find_quoted(ast.parse("""f"unknown key '{key}' in `{name}`; write label('x')" """))
    assert told == "unknown key 'x' in `x`; write label('x')"


def commands(tree: ast.Module) -> Iterator[str]:
    """Return the docstrings of commands, which their help prints."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any("command" in ast.unparse(each) for each in node.decorator_list):
            yield ast.get_docstring(node) or ""


def strings(path: Path) -> Iterator[str]:
    """Return what users may read of a module, each text on a line of its own behind its place."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [(node.lineno, str(node.value)) for node in texts(tree) if PROSE.search(str(node.value))]
    for line, text in (*found, *((1, text) for text in commands(tree))):
        yield f"`{path.relative_to(PACKAGE).as_posix()}:{line}` {' '.join(text.split())}\n"


def shown() -> Iterator[str]:
    """Return the lines of files that `init` writes and of HTML that readers and authors see, without their markup."""
    for path in sorted(path for pattern in FILES for path in PACKAGE.glob(pattern) if path.is_file()):
        text = re.sub(r"<(style|script).*?</\1>|<[^>]*>|\{[{%].*?[%}]\}", " ", path.read_text("utf-8"), flags=re.DOTALL)
        yield from (
            f"`{path.relative_to(PACKAGE)}` {' '.join(line.split())}\n" for line in text.splitlines() if line.strip()
        )


def lint(*arguments: str) -> tuple[int, str]:
    """Lint with the words that are forbidden here."""
    command = ["lint", "--config", "tests/words/lint.toml", "--select", "forbidden-word", *arguments]
    ran = subprocess.run(
        [sys.executable, "-m", "tutorial_tool", *command],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.returncode, ran.stdout + ran.stderr


def test_no_string_in_the_code_has_an_old_word(tmp_path: Path) -> None:
    page = tmp_path / "strings.md"
    written = [text for path in sorted(PACKAGE.rglob("*.py")) for text in strings(path)]
    page.write_text("\n".join([*written, *shown()]), encoding="utf-8")
    assert page.read_text(encoding="utf-8").count("\n\n") > 2_000
    assert lint(str(page)) == (0, "Nothing found.\n")
    page.write_text("`cli.py:1` what is told twice\n", encoding="utf-8")
    assert lint(str(page))[0] == 1


def test_no_name_that_users_type_has_an_old_word(tmp_path: Path) -> None:
    schema = json.loads((PACKAGE.parent / "docs_src/platforms.schema.json").read_text(encoding="utf-8"))
    keys = {key for table in _objects(schema) for key in table.get("properties", ())}
    options = [name for command in cli.COMMANDS for each in _command(command).params for name in each.opts]
    names = sorted({*keys, *options, *settings.OPTIONS, *get_rules(), *cli.COMMANDS})
    assert len(names) > 200
    page = tmp_path / "names.md"
    page.write_text("\n\n".join(name.strip("-").replace("-", " ") for name in names), encoding="utf-8")
    assert lint(str(page)) == (0, "Nothing found.\n")


def _command(name: str) -> click.Command:
    command = cli.main.get_command(click.Context(cli.main), name)
    assert command is not None
    return command


def _objects(value: object) -> Iterator[dict[str, Any]]:
    """Return the tables in a JSON value, however deep."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(each)


def test_the_guide_has_no_old_word() -> None:
    assert lint(*PAGES) == (0, "Nothing found.\n")
