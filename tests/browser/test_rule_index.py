"""The index of rules on this repository's own site: filters, which show all without a script."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tutorial_tool.rules import get_rules

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_rules_are_filtered_by_severity_fix_and_words(tab: Callable[..., Page], our_site: str) -> None:
    page = tab()
    page.goto(our_site + "reference/rules/")
    count, rows = page.locator(".rule-filters output"), page.locator("article tbody tr:visible")
    assert count.inner_text() == f"{len(get_rules())} of {len(get_rules())} rules"
    page.get_by_label("Severity").select_option("error")
    errors = sum("error" in (rule.severity, rule.in_project) for rule in get_rules().values())
    assert rows.count() == errors
    page.get_by_label("Words", exact=True).fill("Broken-Link")
    assert "broken-link" in rows.first.inner_text()
    assert page.locator("article h2:visible").count() < page.locator("article h2").count()
    page.get_by_label("Words", exact=True).fill("no such words")
    assert (rows.count(), count.inner_text()) == (0, f"0 of {len(get_rules())} rules")


def test_without_a_script_all_rules_are_listed(tab: Callable[..., Page], our_site: str) -> None:
    page = tab(script=False)
    page.goto(our_site + "reference/rules/")
    assert page.locator("article tbody tr:visible").count() == len(get_rules())
