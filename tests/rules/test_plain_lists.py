"""A page whose lists are said to be plain has no list that is published with other numbers."""

from __future__ import annotations

import random

import pytest

from tutorial_tool.core.source import Source
from tutorial_tool.core.traced import trace_span
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules.markup._lists.items import PageLists
from tutorial_tool.rules.markup._lists.plain import has_only_plain_lists
from tutorial_tool.rules.markup.broken_list_numbering import _find_broken_lists, _report_misnumbered
from tutorial_tool.site import Page

LINES = (
    *("1. One", "2. **Two** more", "3. `three`", '4. "four"', "1. First", "2. x", "5. Five", "10. Ten", "1.  One"),
    *("", "", "", "Words go on", "# Heading", "## 2. A", "| a | b |", "|---|---|", "| 1. x |", "2.", "1. ", "12"),
    *("```", "```sh", "``` ", "~~~", "~~~ py", "````", "``` a ` b", "**Bold** words", "**", "*", "*em*", "- item"),
    *("[link](a.md)", "![alt](a.png)", "[^1]: note", "[a]: b", "(x)", "    indented", " 1. One", "> quote", "<b>", "---"),
)  # fmt: skip


def page(text: str) -> Page:
    source = Source("page.md", text)
    return Page("page.md", source, trace_span(source.get_full_span()), dialect=Dialect.PYTHON_MARKDOWN)


def random_text(chance: random.Random) -> str:
    def part() -> str:
        if chance.random() < 0.5:
            return "\n".join(f"{number}. Item" for number in range(1, chance.randint(2, 5)))
        return "\n".join(chance.choice(LINES) for _ in range(chance.randint(1, 4)))

    return "\n\n".join(part() for _ in range(chance.randint(1, 4)))


def test_plain_lists_are_published_as_they_are_numbered() -> None:
    chance, plain = random.Random(4), 0
    for _ in range(4000):
        text = random_text(chance)
        if has_only_plain_lists(text, 0):
            plain += 1
            one = page(text)
            reading = PageLists(one)
            assert not [
                restarts for parent in reading.root.walk() for restarts in _find_broken_lists(parent, reading.lines)
            ], text
            assert not list(_report_misnumbered(one, reading, set())), text
    assert plain > 300


@pytest.mark.parametrize(
    "text",
    [
        "1. One\n2. Two\n\nWords\n\n3. Three",
        "1. One\n\n2. Two",
        "1. One\n\n    Words\n\n2. Two",
        "1. One\n```\ncode\n```\n2. Two",
        "Words\n1. One\n2. Two",
        "1. One\n   - a\n2. Two",
        "1. One\n\n[a]: b\n\n1. Other\n2. More",
        "```\n1. One",
    ],
)
def test_what_is_not_plain_is_read_both_ways(text: str) -> None:
    assert not has_only_plain_lists(text, 0)


def test_a_list_in_code_is_none() -> None:
    assert has_only_plain_lists("Words\n\n```\n2. two\n\n    4. four\n```\n\n1. One\n2. Two", 0)
