"""The figures that CI holds count what they say."""

from __future__ import annotations

import ast
import json

from benchmarks import house

OLD = """
LIMIT = 3
NAME = "text"

def heard_it(told):
    if told and LIMIT or NAME:
        said = [found for found in told if found]
        for _each in said:
            assert _each
    def inner():
        return 1 if NAME else 2
"""


def test_branches_of_a_function_are_counted_without_those_within() -> None:
    outer, inner = house.find_functions(ast.parse(OLD))
    assert [house.measure_complexity(function) for function in (outer, inner)] == [7, 2]


def test_names_and_thresholds_are_counted_where_they_are_bound() -> None:
    tree = ast.parse(OLD)
    assert house.count_old_idiom(tree) == 2  # the function and `said`: parameters and reads are no bindings
    assert [name for name in house.find_bound_names(tree) if house.VAGUE.fullmatch(name)] == ["each", "found"]
    assert sum(house.is_threshold(statement) for statement in tree.body) == 1


def test_functions_and_their_docstrings_begin_with_a_verb() -> None:
    text = """
class Page:
    @property
    def title(self): "The title."
    def __len__(self): "How long it is."
    def _find_links(self): "Find the links."
    def links_of(self): "The links of it."
"""
    functions = list(house.find_nameable(ast.parse(text)))
    assert [function.name for function in functions] == ["_find_links", "links_of"]
    assert [house.is_named_by_verb(function) for function in functions] == [True, False]
    assert [house.is_described_by_verb(function) for function in functions] == [True, False]


def test_each_figure_with_a_goal_has_a_limit() -> None:
    limits = json.loads(house.LIMITS.read_text(encoding="utf-8"))
    assert set(limits) == {name for name, goal in house.GOALS.items() if goal is not None}
