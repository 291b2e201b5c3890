"""Names that are a slip of another, and those that are not."""

from __future__ import annotations

import pytest

from tutorial_tool.links import anchors, suggestions
from tutorial_tool.links.typos import is_slip
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect


@pytest.mark.parametrize(
    ("name", "other"),
    [
        pytest.param("variqbles", "variables", id="another letter"),
        pytest.param("varibles", "variables", id="a missing letter"),
        pytest.param("variabbles", "variables", id="a letter too many"),
        pytest.param("vairables", "variables", id="two letters exchanged"),
        pytest.param("set-the-tokem-here", "set-the-token-here", id="in a word of several"),
        pytest.param("bid-qarameters", "bid-parameters", id="the first letter of a long word"),
    ],
)
def test_a_letter_inside_a_word_is_a_slip(name: str, other: str) -> None:
    assert is_slip(name, ["another", other])


@pytest.mark.parametrize(
    ("name", "other"),
    [
        pytest.param("setvalue", "getvalue", id="the first letter"),
        pytest.param("on-set-value", "on-get-value", id="the first letter of a word"),
        pytest.param("ios-14-changes", "ios-15-changes", id="a digit"),
        pytest.param("migration", "migrations", id="the end"),
        pytest.param("item-list", "items-list", id="the end of a word"),
        pytest.param("lamp", "lump", id="a short name"),
        pytest.param("sampleRate", "samplerate", id="another case"),
        pytest.param("variables", "constants", id="another name"),
    ],
)
def test_what_may_be_right_is_none(name: str, other: str) -> None:
    assert not is_slip(name, [other])


def test_an_anchor_that_generators_write_in_two_ways_is_a_guess() -> None:
    two, one = (
        suggestions.suggest_anchor("add---remove", ids) for ids in (["add--remove", "add-remove"], ["add-remove"])
    )
    assert [bool(near and near.is_certain) for near in (two, one)] == [False, True]


def test_a_heading_without_letters_is_no_anchor() -> None:
    assert (
        ""
        not in anchors.build_anchors(
            anchors.find_anchor_sources(Document("# ---\n\n## !!\n", Dialect.COMMONMARK)), "any"
        ).ids
    )
