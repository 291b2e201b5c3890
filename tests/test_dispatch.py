"""Asking only the rules that a line's sign allows gives the same tokens as asking all of them."""

from __future__ import annotations

import random

import pytest
from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock

from tests.work import calls
from tutorial_tool.markdown.dialects import Dialect
from tutorial_tool.markdown.markdown_it import adapter

LINES = """\
!!! note "Title"
=== "Tab"
    code
- item
2) item
10. item
> quotation
| a | b |
|---|:-:|
---
===
```
~~~ text
:::note
/// tab
:::
///
[^1]: A footnote
Term
: what it means
{% macro %}
{{ value }}
{expression}
<div markdown>
</div>
<Tab name={1}>
import x from 'y'
export const a = 1
$$
[reference]: https://example.com "Title"
*[HTML]: a language
--8<--
-8<- "file.md"
# Heading
#none
Words that go on
\tindented by a tab
+ plus
***
[TOC]
<!-- comment
-->
""".splitlines()


def as_the_library_does(dialect: Dialect) -> MarkdownIt:
    """The same rules, each asked at each line."""
    theirs = adapter.get_parser.__wrapped__(dialect)
    plain = ParserBlock()
    plain.ruler.__rules__ = theirs.block.ruler.__rules__
    theirs.block = plain
    return theirs


def text(chance: random.Random) -> str:
    lines = (" " * chance.choice((0, 0, 0, 1, 2, 3, 4, 5, 8)) + chance.choice((*LINES, "", "")) for _ in range(12))
    return "\n".join(lines)


@pytest.mark.parametrize("dialect", Dialect)
def test_the_tokens_are_those_of_the_library(dialect: Dialect) -> None:
    chance, ours, theirs = random.Random(2), adapter.get_parser(dialect), as_the_library_does(dialect)
    for _ in range(150):
        page = text(chance)
        assert [t.as_dict() for t in ours.parse(page)] == [t.as_dict() for t in theirs.parse(page)], page


def test_words_are_asked_about_by_few_rules() -> None:
    page = "Words that go on,\nand on.\n\n" * 200

    def work(md: MarkdownIt) -> int:
        md.block.parse("Words.", md, {}, [])
        return calls(lambda: md.block.parse(page, md, {}, []))

    assert work(adapter.get_parser(Dialect.MDX)) < work(as_the_library_does(Dialect.MDX)) / 2
