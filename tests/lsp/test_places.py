"""Columns are counted in the units that the client asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from tutorial_tool.core.source import Source
from tutorial_tool.lsp import places

TEXT = "swan 🦢 é\u0301\n\nsecond: 🦦🦦|\r\nlast\u2028line"


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 16), ("utf-16", 12), ("utf-32", 10)])
def test_a_column_counts_code_units(encoding: str, column: int) -> None:
    source = Source("page.md", TEXT)
    offset = source.text.index("|")
    assert places.compute_position(source, offset, encoding) == types.Position(2, column)
    assert places.compute_offset(source, types.Position(2, column), encoding) == offset


@given(st.text(alphabet="ab🦢é\n\r\u2028\x0b\ud83d", max_size=30), st.sampled_from(("utf-8", "utf-16", "utf-32")))
def test_every_place_is_found_again(text: str, encoding: str) -> None:
    source = Source("page.md", text)
    for offset in range(len(source.text) + 1):
        assert places.compute_offset(source, places.compute_position(source, offset, encoding), encoding) == offset


def test_a_place_outside_of_the_text_is_moved_to_its_end() -> None:
    source = Source("page.md", "🦢\nab\n")
    assert places.compute_offset(source, types.Position(0, 99), "utf-16") == 1
    assert places.compute_offset(source, types.Position(0, 1), "utf-16") == 0  # in the middle of the swan
    assert places.compute_offset(source, types.Position(9, 0), "utf-16") == 5


def test_a_file_has_the_same_path_again(tmp_path: Path) -> None:
    path = tmp_path / "a b (1) é+@.md"
    assert places.parse_uri(places.build_uri(path)) == path
    assert places.parse_uri(path.as_uri()) == path
    assert places.parse_uri("untitled:Untitled-1") is None
