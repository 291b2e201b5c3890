"""All rules, as declared in their modules: the declarations are read without loading the modules.

A page in a detached folder needs half of the rules, and loading the others takes longer than linting the page.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.rules import base
from tutorial_tool.rules.base import Rule, rule

_DECORATOR = lazy_re.compile(r"^@(?:\w+\.)?rule\(", re.MULTILINE)
_HEADER = lazy_re.compile(r"^def \w+\(", re.MULTILINE)


def _load_rule(path: Path) -> Rule:
    """Return the rule that a module declares.

    Raises:
        Exception: The module declares no rule, or its decorator is wrong: whatever reading it raised.
    """
    text = path.read_text(encoding="utf-8")
    function = next(_parse_header(text), None) or next(_iter_rule_functions(ast.parse(text)), None)
    if function is None:
        raise ValueError("no function is decorated with `@rule(…)`")
    try:
        return _build_rule(path, function)
    except _NotLiteralError:
        loaded = import_module(f"{base.__package__}.{path.parent.name}.{path.stem}").check
        assert isinstance(loaded, Rule)
        return loaded


def _parse_header(text: str) -> Iterator[ast.FunctionDef]:
    """Parse the decorated function without its body: parsing the whole module takes ten times as long."""
    decorator = _DECORATOR.search(text)
    header = decorator and _HEADER.search(text, decorator.end())
    if not decorator or not header:
        return
    end = header.start()
    while end < len(text):
        end = text.find("\n", end) + 1 or len(text)
        try:
            yield from _iter_rule_functions(ast.parse(f"{text[decorator.start() : end]}\n    pass"))
        except SyntaxError:
            continue
        return


def _iter_rule_functions(module: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and _get_rule_calls(node):
            yield node


def _get_rule_calls(function: ast.FunctionDef) -> list[ast.Call]:
    """Return the decorators `@rule(…)` of a function, also as `@base.rule(…)`."""
    calls = [node for node in function.decorator_list if isinstance(node, ast.Call)]
    return [node for node in calls if ast.unparse(node.func).rpartition(".")[2] == "rule"]


def _build_rule(path: Path, function: ast.FunctionDef) -> Rule:
    call = _get_rule_calls(function)[0]
    keywords = {keyword.arg or "": _evaluate_literal(keyword.value) for keyword in call.keywords}
    declaration = rule(*map(_evaluate_literal, call.args), **keywords)
    if declaration.group != path.parent.name:
        raise ValueError(f"the rule is of the group `{declaration.group}`, and in the folder `{path.parent.name}`")
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    types = {arg.arg: ast.unparse(arg.annotation) if arg.annotation else "" for arg in parameters}
    return declaration.build_rule(path.stem, types)


class _NotLiteralError(Exception):
    """An argument of a decorator has to be computed."""


def _evaluate_literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Severity":
        return Severity[node.attr]
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise _NotLiteralError from None


_ENGINE: Mapping[str, tuple[str, Severity]] = {
    "invalid-data": ("project", Severity.ERROR),
    "invalid-template": ("project", Severity.ERROR),
    "undefined-name": ("project", Severity.ERROR),
    "missing-part": ("project", Severity.WARNING),
    "missing-code": ("project", Severity.WARNING),
    "missing-figure": ("project", Severity.HINT),
    "page-collision": ("project", Severity.ERROR),
    "unsafe-path": ("project", Severity.ERROR),
    "unreadable-file": ("project", Severity.ERROR),
    "unfinished-check": ("project", Severity.WARNING),
    "unused-ignore": ("project", Severity.WARNING),
    "unknown-ignore": ("project", Severity.WARNING),
    "front-matter": ("markup", Severity.ERROR),
    "unreachable-link": ("navigation", Severity.ERROR),
    "moved-link": ("navigation", Severity.HINT),
}
"""Reported by loading, rendering and the linter itself: rules with documentation, but without a check."""
OUTSIDE = frozenset(("unreachable-link", "moved-link"))
"""Rules that check external links, and report only in runs that do so."""


class _Rules(dict[str, Rule]):
    """The built-in rules. A rule of another tool (`rumdl/MD022`) is built on request: only it has a list."""

    def __missing__(self, name: str) -> Rule:
        return _build_tool_rule(name)


@cache
def _build_tool_rule(name: str) -> Rule:
    """Build a rule of another tool; the tool sets its severity unless the configuration does.

    Raises: KeyError for a name that is not `tool/code` of a known tool.
    """
    from tutorial_tool import external_linters

    tool, slash, code = name.partition("/")
    if not slash or tool not in external_linters.TOOLS:
        raise KeyError(name)
    other = external_linters.TOOLS[tool]
    severity, text = Severity.WARNING, external_linters.format_documentation(other, code)
    return Rule(
        name,
        tool,
        severity,
        severity,
        yields_to=other.get_overriding_rules(code),
        documentation=text,
        url=other.build_rule_url(code),
    )


@cache
def get_rules() -> Mapping[str, Rule]:
    """Return every built-in rule by name, in alphabetical order; rules of other tools by `[name]` only.

    A module that cannot be read is skipped, and is among the `describe_broken_modules()`.
    """
    rules = {name: Rule(name, group, severity, severity) for name, (group, severity) in _ENGINE.items()}
    for path in base.FOLDER.glob("[!_]*/[!_]*.py"):
        try:
            rule = _load_rule(path)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one module, the other rules run
            base.BROKEN[path] = f"{type(error).__name__}: {error}"
        else:
            rules[rule.name] = rule
    return _Rules(sorted(rules.items()))


def describe_broken_modules() -> list[str]:
    """Return one message for each rule module that could not be read or loaded in this process."""
    return [f"{path}: this rule cannot be loaded: {reason}" for path, reason in sorted(base.BROKEN.items())]
