"""Blocks that are read without the library: the tree of a page is the one that the library's tokens become."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.rules_block.table import MAX_AUTOCOMPLETED_CELLS

from tests.test_dispatch import LINES
from tests.work import calls
from tutorial_tool.markdown import table_rows
from tutorial_tool.markdown.dialects import Dialect
from tutorial_tool.markdown.fast_path import blocks
from tutorial_tool.markdown.fast_path.blocks import SIGNS, BlockReader, Token, UnsupportedSyntax
from tutorial_tool.markdown.markdown_it import dispatch
from tutorial_tool.markdown.parser import Block, parse_blocks

ORDINARY = """\
# Heading
## Another one ##
### \u00a0
####### None
#tag
Words that go on
*em* at the beginning of a line
**Bold**: words
_em_, too
`code` first
~~struck~~
[text](a.md) first
![alt](a.png)
(in brackets)
"quoted"
1. One
1) One
2. Two
10. Ten
2026. A year
- item
- **Bold**
* other
+ plus
-word
--flag
*
-
1.
- - twice
- | a | b |
| a | b |
|---|:-:|
| 1 | 2 |
| 1 | 2 | 3 |
| 1 |
| a \\| b | `c|d` |
| --- |
a | b
--|--
```
```sh
``` a ` b
````
~~~
***
* * *
___
---
===
: words
:smile: words
/path/to
$5 a month
50 % of it
%5
? what
! what
word [a]: b
Words at the end.\u00a0
\u2028
import x
importance of it
""".splitlines()
STEP = (
    "1. Step",
    "2. Step",
    "- item",
    "   words",
    "   ```sh",
    "   code",
    "   ```",
    "   - nested",
    "",
    "",
    "  - nested",
)


def text(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.3:
        return "\n".join(chance.choice(STEP) for _ in range(14))
    indents = (0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 8) if kind < 0.8 else (0,)
    choices = (*ORDINARY, *ORDINARY, *LINES) if kind < 0.6 else ORDINARY
    lines = (" " * chance.choice(indents) + chance.choice((*choices, *[""] * (len(choices) // 3))) for _ in range(12))
    return "\n".join(lines) + chance.choice(("", "\n", "\n\n", "\n  "))


def not_ordinary(_reader: BlockReader, _line: int) -> tuple[list[Token], int]:
    raise UnsupportedSyntax


def by_the_library(page: str, dialect: Dialect) -> list[Block]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BlockReader, "read_block", not_ordinary)
        return parse_blocks(page, dialect)


@pytest.mark.parametrize("dialect", Dialect)
def test_the_tree_is_the_librarys(dialect: Dialect, monkeypatch: pytest.MonkeyPatch) -> None:
    chance, read, plainly = random.Random(11), 0, BlockReader.read_block

    def counted(reader: BlockReader, line: int) -> tuple[list[Token], int]:
        nonlocal read
        out = plainly(reader, line)
        read += out[0][0].type in ("bullet_list_open", "ordered_list_open", "table", "fence")
        return out

    monkeypatch.setattr(BlockReader, "read_block", counted)
    for _ in range(700):
        page = text(chance)
        assert parse_blocks(page, dialect) == by_the_library(page, dialect), page
    assert read > 300


def test_an_ordinary_page_does_without_the_library() -> None:
    page = "# Heading\n\nWords, and [a link](a.md).\n\n1. **One**\n\n   ```sh\n   code\n   ```\n\n2. Two\n\n| a |\n| --- |\n| b |\n"
    program = f"import sys; from tutorial_tool.markdown.parser import parse_blocks; parse_blocks({page!r}); print('markdown_it' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert told.stdout == "False\n"


def test_ordinary_blocks_cost_less() -> None:
    page = "# Heading\n\nWords that go on,\nand on.\n\n1. Step\n\n   ```sh\n   code\n   ```\n\n2. Step\n\n" * 20
    parse_blocks(page)
    by_the_library(page, Dialect.GFM)
    assert calls(lambda: parse_blocks(page)) < calls(lambda: by_the_library(page, Dialect.GFM)) * 0.8


def test_what_is_taken_from_the_library_is_what_it_has() -> None:
    assert set(table_rows.WHITE) == set(MD_TRIM_CHARS)
    assert table_rows.MOST_ADDED == MAX_AUTOCOMPLETED_CELLS
    assert {sign for signs in dispatch._SIGNS.values() for sign in signs} <= SIGNS
    assert blocks.measure_lines("a\n  b\n\tc\n").columns == [0, 2, 4, 0]
