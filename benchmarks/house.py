"""Print the figures of the code beside their goals; `--check` and `--shrink` hold and lower those in `house.json`."""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "tutorial_tool"
LIMITS = Path(__file__).with_name("house.json")
"""What each figure with a goal may be at most: the figure of the last commit that lowered it."""

GOALS: dict[str, int | None] = {
    "lines of code": 60_000,
    "modules": None,
    "flat modules in the root": 4,
    "private modules in rules": 25,
    "numeric thresholds": 200,
    "names of the old idiom": 0,
    "vague names": 0,
    "functions without a verb": 0,
    "docstrings without a verb": 0,
    "complexity, 90th percentile": 8,
    "complexity, worst": 15,
    "functions above complexity 15": 0,
    "longest import chain": 20,
    "longest rule page": 150,
    "lines of tests": None,
}

VERBS = frozenset(Path(__file__).with_name("verbs.txt").read_text(encoding="utf-8").split())
"""The verbs with which names of functions and their docstrings begin."""
OLD_IDIOM = re.compile(r"\b(told|said|heard|mine|theirs)\b")
VAGUE = re.compile(r"found|each|every|one")
BRANCHES = (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.IfExp, ast.comprehension, ast.Assert, ast.match_case)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass
class Module:
    """A parsed module of the package; `name` is its path below the package."""

    name: str
    text: str
    tree: ast.Module

    @property
    def is_private_rule(self) -> bool:
        file = self.name.rpartition("/")[2]
        return self.name.startswith("rules/") and file.startswith("_") and file != "__init__.py"


def read_modules() -> list[Module]:
    paths = sorted(PACKAGE.rglob("*.py"))
    texts = [(path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8")) for path in paths]
    return [Module(name, text, ast.parse(text)) for name, text in texts]


def find_functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def measure_complexity(function: ast.AST) -> int:
    """Count the branches of a function, without those of functions and classes within."""
    complexity = 1
    nodes = list(ast.iter_child_nodes(function))
    while nodes:
        node = nodes.pop()
        if isinstance(node, SCOPES):
            continue
        complexity += isinstance(node, BRANCHES)
        complexity += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
        nodes += ast.iter_child_nodes(node)
    return complexity


def is_threshold(statement: ast.stmt) -> bool:
    """Whether a statement of a module gives a number a name."""
    value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)


def find_bound_names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id.strip("_")


def find_nameable(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions whose names are ours to choose and say what they do: neither properties nor special ones."""
    for function in find_functions(tree):
        decorators = " ".join(map(ast.unparse, function.decorator_list))
        if not function.name.startswith("__") and "property" not in decorators and "override" not in decorators:
            yield function


def is_named_by_verb(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return function.name.strip("_").partition("_")[0] in VERBS


def is_described_by_verb(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    description = ast.get_docstring(function)
    return not description or description.split()[0].lower().strip(".,:;") in VERBS


def count_old_idiom(tree: ast.Module) -> int:
    functions = sum(bool(OLD_IDIOM.search(function.name.replace("_", " "))) for function in find_functions(tree))
    return functions + sum(bool(OLD_IDIOM.fullmatch(name)) for name in find_bound_names(tree))


def measure_import_chain() -> list[str]:
    """Return the longest chain of modules that import each other, imports within functions included."""
    import grimp  # an extra for contributors: the tests of this module run without it

    graph = grimp.build_graph("tutorial_tool", exclude_type_checking_imports=True)
    longest: dict[str, list[str]] = {}

    def follow(module: str, above: tuple[str, ...]) -> list[str]:
        if module not in longest:
            imported = sorted(graph.find_modules_directly_imported_by(module) - {*above, module})
            chains = [follow(name, (*above, module)) for name in imported]
            longest[module] = [module, *max(chains, key=len, default=[])]
        return longest[module]

    return max((follow(module, ()) for module in sorted(graph.modules)), key=len)


def measure(modules: list[Module]) -> tuple[dict[str, int], dict[str, str]]:
    """Return each figure, and for some of them where it was measured."""
    complexities = sorted(
        (measure_complexity(function), f"{module.name}:{function.name}")
        for module in modules
        for function in find_functions(module.tree)
    )
    pages = [path for path in (PACKAGE / "rules").rglob("*.md") if "cases" not in path.parts]
    lengths = {path.name: path.read_text(encoding="utf-8").count("\n") for path in pages}
    tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")]
    chain = measure_import_chain()
    values = {
        "lines of code": sum(module.text.count("\n") for module in modules),
        "modules": len(modules),
        "flat modules in the root": sum("/" not in module.name for module in modules),
        "private modules in rules": sum(module.is_private_rule for module in modules),
        "numeric thresholds": sum(is_threshold(statement) for module in modules for statement in module.tree.body),
        "names of the old idiom": sum(count_old_idiom(module.tree) for module in modules),
        "vague names": sum(bool(VAGUE.fullmatch(name)) for module in modules for name in find_bound_names(module.tree)),
        "functions without a verb": sum(
            not is_named_by_verb(function) for module in modules for function in find_nameable(module.tree)
        ),
        "docstrings without a verb": sum(
            not is_described_by_verb(function) for module in modules for function in find_nameable(module.tree)
        ),
        "complexity, 90th percentile": complexities[int(len(complexities) * 0.9)][0],
        "complexity, worst": complexities[-1][0],
        "functions above complexity 15": sum(complexity > 15 for complexity, _ in complexities),
        "longest import chain": len(chain),
        "longest rule page": max(lengths.values()),
        "lines of tests": sum(text.count("\n") for text in tests),
    }
    places = {
        "complexity, worst": complexities[-1][1],
        "longest import chain": f"{chain[0]} to {chain[-1]}",
        "longest rule page": max(lengths, key=lengths.__getitem__),
    }
    return values, places


def print_figures(values: dict[str, int], places: dict[str, str], limits: dict[str, int]) -> None:
    print(f"{'':32}{'today':>8}{'limit':>8}{'goal':>8}")
    for name, value in values.items():
        goal = GOALS[name]
        shown = "" if goal is None else f"{goal:,}"
        print(f"{name:32}{value:8,}{limits.get(name, value):8,}{shown:>8}  {places.get(name, '')}".rstrip())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="Fail where a figure is over its limit.")
    parser.add_argument("--shrink", action="store_true", help="Lower the limits to today's figures.")
    options = parser.parse_args()
    limits: dict[str, int] = json.loads(LIMITS.read_text(encoding="utf-8")) if LIMITS.exists() else {}
    values, places = measure(read_modules())
    print_figures(values, places, limits)
    if options.shrink:
        lowered = {
            name: min(value, limits.get(name, value)) for name, value in values.items() if GOALS[name] is not None
        }
        LIMITS.write_text(json.dumps(lowered, indent=2) + "\n", encoding="utf-8")
    over = [name for name, value in values.items() if value > limits.get(name, value)]
    if options.check and over:
        sys.exit(f"Over the limit in {LIMITS.name}: {', '.join(over)}. Shrink it elsewhere in the same change.")


if __name__ == "__main__":
    main()
