"""A rule's decorator is also read as text, so that its module is loaded late: both say the same."""

from __future__ import annotations

from dataclasses import fields
from importlib import import_module

import pytest

from tutorial_tool import rules
from tutorial_tool.linter import requirements
from tutorial_tool.rules import Rule, all_rules

CHECKED = [rule for rule in all_rules().values() if rule.level]


@pytest.mark.parametrize("read", CHECKED, ids=lambda rule: rule.name)
def test_the_text_of_a_rule_says_what_its_module_makes(read: Rule) -> None:
    made: Rule = import_module(f"{rules.__name__}.{read.group}.{read.name.replace('-', '_')}").check
    for field in fields(Rule):
        if field.name != "declared":
            assert getattr(read, field.name) == getattr(made, field.name), field.name
    assert read.check is made.declared
    assert made.declared is not None


@pytest.mark.parametrize("rule", CHECKED, ids=lambda rule: rule.name)
def test_what_a_rule_needs_is_known(rule: Rule) -> None:
    assert rule.needs in ("", *requirements.OF_A_PAGE, *requirements.OF_A_SITE)
