"""Text with ordinary marks, and tables, read without the library's tokens: the nodes are those that the tokens become."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from markdown_it.parser_block import ParserBlock
from markdown_it.rules_block import table as library_table

from tests.work import calls
from tutorial_tool.core.offsets import Offsets
from tutorial_tool.markdown.ast import Inline
from tutorial_tool.markdown.fast_path import inline
from tutorial_tool.markdown.markdown_it import adapter
from tutorial_tool.markdown.parser import Dialect, parse_blocks
from tutorial_tool.markdown.table_rows import split_row

PARTS = (
    *("word", "two words", "Ünïcode", "1.", ",", ":", "é", "…", "(", ")", "!", "$", "%", "#", "|", "\u00a0", "\u3000"),
    *(" ", "  ", "\n", "  \n", "\n  ", "\t", "*", "**", "***", "_", "__", "`", "``", "[", "]", "](", "[^1]", "[ ]"),
    *("`code`", "`` a`b ``", "**bold**", "*em*", "_em_", "__bold__", "[text](a.md)", '[text](a.md "Title")', "[`c`](#a)"),
    *("[**b**](https://example.com/a?b=c)", "[a](b c)", "![alt](a.png)", "<br>", "&amp;", "&", "&nbsp", "\\*", "\\", "~~"),
    *("{: #id }", "{#id}", "{# a #}", "{{ a }}", "{a}", "$$", "*[HTML]: ", "[a](javascript:b)", "[a](b(c))", "[a](<b>)"),
)  # fmt: skip


def text(chance: random.Random) -> str:
    made = "".join(chance.choice(PARTS) for _ in range(chance.randint(1, 9)))
    return made.strip(" \t\n\u00a0\u3000")


def as_the_library_does(content: str, pieces: list[inline.Piece], dialect: Dialect) -> list[Inline]:
    md = adapter.get_parser(dialect)
    tokens = md.inline.parse(content, md, {}, [])
    return list(adapter.build_nodes(adapter.Cursor(tokens), Offsets(pieces, 0, 1000), content))


def lines(content: str, at: int) -> list[inline.Piece]:
    """The lines of a content as they stand in a page, from a place on, where each is indented by three more."""
    pieces, begin = [], 0
    for line in content.split("\n"):
        lead = len(line) - len(line.lstrip())
        pieces.append((begin + lead, at + lead, len(line) - lead))
        begin, at = begin + len(line) + 1, at + len(line) + 4
    return pieces


def plainly(nodes: object) -> object:
    """Nodes as they can be compared: whatever holds their children."""
    if not isinstance(nodes, (list, tuple)):
        return nodes
    return [
        [plainly(getattr(node, name)) for name in Inline.__slots__] if isinstance(node, Inline) else plainly(node)
        for node in nodes
    ]


@pytest.mark.parametrize("dialect", Dialect)
def test_the_nodes_are_those_that_the_tokens_become(dialect: Dialect) -> None:
    chance, read = random.Random(5), 0
    for _ in range(2000):
        content = text(chance)
        pieces = lines(content, 7)
        nodes = inline.read_nodes(content, pieces)
        if nodes is not None and content:
            read += 1
            assert plainly(nodes) == plainly(as_the_library_does(content, pieces, dialect)), content
    assert read > 300


def test_text_with_ordinary_marks_costs_a_fraction() -> None:
    content = "Select **Save** in [the guide](guide.md), then `run` it: a word, and *one* more. " * 5
    parse_blocks(content)
    pieces = lines(content, 0)
    ours = calls(lambda: inline.read_nodes(content, pieces))
    assert ours < calls(lambda: as_the_library_does(content, pieces, Dialect.GFM)) / 4


CELLS = ("|", "|", "|", " ", "a", "\\", "\\|", "`", "`|`", "b c", "\t", "> ", "- ", "**d**", "é", "\u00a0")


def test_tables_are_the_librarys() -> None:
    """What our rule leaves in a token is what the library's tokens hold."""
    chance, ours = random.Random(3), adapter.get_parser(Dialect.GFM)
    theirs = adapter.get_parser.__wrapped__(Dialect.GFM)
    plain = ParserBlock()
    plain.ruler.__rules__ = theirs.block.ruler.__rules__
    plain.ruler.at("table", library_table, {"alt": ["paragraph", "reference"]})
    theirs.block = plain
    tables = 0
    for _ in range(1500):
        rows = ["".join(chance.choice(CELLS) for _ in range(chance.randint(0, 8))) for _ in range(4)]
        page = "\n".join([chance.choice(("| a | b |", "a | b", rows[0])), "|---|:-:|", *rows[1:]])
        found = [token.meta["rows"] for token in ours.parse(page) if token.type == "table"]
        wanted: list[list[list[str]]] = []
        tokens = theirs.parse(page)
        for before, token in pairwise((*tokens[:1], *tokens)):
            if token.type == "table_open":
                wanted.append([])
            elif token.type == "tr_open":
                wanted[-1].append([])
            elif before.type in ("th_open", "td_open"):
                wanted[-1][-1].append(token.content)
        assert found == wanted, page
        tables += len(found)
    assert tables > 500


@pytest.mark.parametrize("row", ["| a | b |", "|a|b", "  | a |  | b ||", "|", "||", "| a |\u00a0", "\t|a\t| b | "])
def test_a_row_that_a_pipe_opens_has_the_cells_that_one_with_an_escape_has(row: str) -> None:
    escaped = row + "\\"
    places = split_row(row, 0, len(row))
    others = split_row(escaped, 0, len(escaped))[: len(places)]
    shown = [escaped[start:end].removesuffix("\\").rstrip() for start, end in others]
    assert [row[start:end] for start, end in places] == shown
