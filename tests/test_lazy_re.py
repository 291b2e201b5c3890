"""Patterns at a module's top level are compiled when they are first used. Here, all of them are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from re import _parser as parser  # type: ignore[attr-defined]

import pytest

import tutorial_tool
from tutorial_tool.core import lazy_re

PACKAGE = Path(tutorial_tool.__file__).parent
WRITTEN = [path for path in sorted(PACKAGE.rglob("*.py")) if "lazy_re.compile(" in path.read_text(encoding="utf-8")]


def shown(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def patterns(value: object) -> Iterator[re.Pattern[str]]:
    """The patterns that a module's variable holds, in tuples and dictionaries, too."""
    if type(value) is type(lazy_re.compile("")):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from patterns(item)
    elif isinstance(value, dict):
        yield from patterns([*value.items()])


def test_every_pattern_is_a_regular_expression() -> None:
    for path in WRITTEN:
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        for pattern in patterns([*vars(import_module(name)).values()]):
            assert pattern.groups == re.compile(pattern.pattern, pattern.flags).groups, path


def repeats_a_refusal(tree: object, *, is_possessive: bool = False) -> bool:
    """Whether a parsed pattern has `(?!…)` or `(?<!…)` in something that is repeated possessively."""
    if isinstance(tree, parser.SubPattern | tuple | list):
        if tree and str(tree[0]) == "ASSERT_NOT" and is_possessive:
            return True
        is_possessive |= bool(tree) and str(tree[0]) == "POSSESSIVE_REPEAT"
        return any(repeats_a_refusal(part, is_possessive=is_possessive) for part in tree)
    return False


def test_no_pattern_fails_on_python_3_11_2() -> None:
    """There, `(?:(?!b).)*+b` finds nothing. `(?>(?:(?!b).)*)b` does the same, and finds it."""
    assert repeats_a_refusal(parser.parse("(?:(?!b).)*+b"))
    for path in WRITTEN:
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        for pattern in patterns([*vars(import_module(name)).values()]):
            assert not repeats_a_refusal(parser.parse(pattern.pattern, pattern.flags)), (path, pattern.pattern)


def at_the_top(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that are made while a module is loaded."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from at_the_top(child)


def compiles(path: Path) -> bool:
    """Whether a module compiles a pattern of text while it is loaded."""
    for call in at_the_top(ast.parse(path.read_text(encoding="utf-8"))):
        told = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
        if ast.unparse(call.func) == "re.compile" and not isinstance(told, bytes):
            return True
    return False


def test_no_module_compiles_patterns_while_it_is_loaded() -> None:
    assert [shown(path) for path in PACKAGE.rglob("*.py") if compiles(path)] == [], "write lazy_re.compile"


def test_a_lazy_pattern_does_what_a_pattern_does() -> None:
    lazy, eager = lazy_re.compile(r"(\w)-(?P<b>\w)", re.IGNORECASE), re.compile(r"(\w)-(?P<b>\w)", re.IGNORECASE)
    text = "a-b, C-D"
    assert [match.span() for match in lazy.finditer(text)] == [match.span() for match in eager.finditer(text)]
    assert lazy.sub(r"\2", text) == eager.sub(r"\2", text)
    assert lazy.split(text) == eager.split(text)
    assert lazy.findall(text) == eager.findall(text)
    assert lazy.groupindex == eager.groupindex
    assert lazy.pattern == eager.pattern
    assert lazy.flags == eager.flags


def test_a_pattern_is_compiled_when_it_is_used() -> None:
    wrong = lazy_re.compile("(")
    with pytest.raises(re.error, match="missing \\)"):
        wrong.search("")
