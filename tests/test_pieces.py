"""A page that is parsed in pieces is the page that is parsed as a whole."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutorial_tool.links import anchors
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.fragment_cache import FragmentCache
from tutorial_tool.markdown.parser import Dialect, parse_blocks

PAGE = """\
---
title: Connect
---

# Connect {: #connect }

Open your iOS **input**, then [go on](next.md).

1. Open it.

2. Close it.

    ```sh
    run
    ```

| Setting | Value |
| --- | --- |
| Status | `on` |

```py
## no heading

x = 1
```

!!! note "Look"

    ## Inside

    Text with <b id="b">a tag</b>.

Under
=====

> ## Quoted

![A menu](menu.png){: .wide }
"""
LINES = [
    *PAGE.split("\n"), "", "", "", "~~~", "````", "  ```", "    ```", "- a", "  - b", "* c", "**d** e", "***", "+ f",
    "1) g", "===", "---", "===  ", "> h", "<div>", "</div>", "<div markdown>", "<!-- i -->", "<script>", "<br>", "<a",
    "$$", "--8<--", "{% if j %}", "{{ k }}", "[l]: m", "[^n]: o", "*[P]: q", ":   r", "/// s", "::: t", "  text",
    "\tcode", "    code", "[TOC]", "???+ tip", '=== "Tab"', "`", "x `` y", "\\", "&amp;", "\x0b", "\u00a0",
]  # fmt: skip


def same(text: str) -> bool:
    """Whether a page is cut. Whatever is told of its parts is what is told of it as a whole."""
    whole = Document(text, Dialect.PYTHON_MARKDOWN)
    body = whole.front_matter.body if whole.front_matter else 0
    found = FragmentCache().get_blocks(text, body, Dialect.PYTHON_MARKDOWN)
    if found is None:
        return False
    assert found == parse_blocks(re.sub(r"[^\n]", " ", text[:body]) + text[body:], Dialect.PYTHON_MARKDOWN)
    lean = Document(text, Dialect.PYTHON_MARKDOWN, FragmentCache()).lean
    for facts in ("headings", "links", "images", "tags", "anchors"):
        assert getattr(lean, facts) == getattr(whole, facts), facts
    assert anchors.find_anchor_sources(lean) == anchors.find_anchor_sources(whole)
    return True


def test_a_page_with_a_bit_of_everything() -> None:
    assert same(PAGE)


@pytest.mark.parametrize(
    "text", ["", "\n", "text", "    code\n\ntext\n", "```\na\n\nb\n", "a\n\n\n\n\nb", "- a\n\n\n# b\n\nc", '=== "A"']
)
def test_edges(text: str) -> None:
    assert same(text)


@pytest.mark.parametrize("line", ["[a]: b", "<!-- c -->", "::: note", "<script>", ":   what it means", "text\n```\nd"])
def test_what_reaches_over_an_empty_line_leaves_a_page_whole(line: str) -> None:
    assert not same(f"A\n\n{line}\n\nB\n")


@given(st.lists(st.sampled_from(LINES), max_size=25).map("\n".join))
def test_lines_in_any_order(text: str) -> None:
    same(text)


@given(st.lists(st.sampled_from(LINES), max_size=12).map("\n\n".join))
def test_paragraphs_in_any_order(text: str) -> None:
    same(text)


def test_pages_that_are_alike_share_what_was_parsed() -> None:
    pieces = FragmentCache()
    for platform in ("iOS", "Android"):
        pieces.get_blocks(f"# One\n\nOpen {platform}.\n\nThe rest.\n", 0, Dialect.PYTHON_MARKDOWN)
    assert list(pieces._asked) == ["# One\n\n", "Open iOS.\n\n", "The rest.\n", "Open Android.\n\n"]
    pieces.begin_load()
    before = pieces._before["The rest.\n"]
    pieces.get_blocks("The rest.\n", 0, Dialect.PYTHON_MARKDOWN)
    assert pieces._asked == {"The rest.\n": before}, "what was parsed for the last load is not parsed again"
    assert pieces._asked["The rest.\n"] is before
    pieces.begin_load()
    assert list(pieces._before) == ["The rest.\n"], "what nobody asks for is forgotten"


def test_without_marks_nothing_is_parsed_for_who_asks_for_marks_only() -> None:
    pieces = FragmentCache()
    pieces.get_blocks(PAGE, PAGE.index("# Connect"), Dialect.PYTHON_MARKDOWN, marked=True)
    assert "# Connect {: #connect }\n\n" in pieces._asked
    assert not [piece for piece in pieces._asked if piece.startswith("| Setting")]
