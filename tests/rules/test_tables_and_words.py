"""What settings tables tell, and which article a word takes."""

from __future__ import annotations

import pytest

from tutorial_tool.markdown.document import Document, Table
from tutorial_tool.rules._shared._tables import find_value_columns, find_values
from tutorial_tool.rules.tables.mixed_values import split_outliers
from tutorial_tool.rules.text.wrong_article import get_article


def table(header: str, *rows: str) -> Table:
    return Document("\n".join([header, "|".join("---" for _ in header.split("|")), *rows])).tables[0]


def test_a_column_of_states_is_told_from_one_of_other_text() -> None:
    settings = table(
        "Setting | Value | Description", "A | Enabled | Sends it.", "B | Off. | Sends it too.", "C | Check | No."
    )
    assert [[(value.row, value.state.on) for value in column] for column in find_value_columns(settings)] == [
        [(0, True), (1, False), (2, True)]
    ]


def test_a_column_of_literals_tells_no_states() -> None:
    assert find_values(table("Setting | Default", "A | true", "B | on", "C | off"), 1) == []


def test_values_of_two_variants_are_compared_like_those_of_one_column() -> None:
    ios = table("Setting | Value", "A | Enabled", "B | Enabled", "C | Disabled")
    web = table("Setting | Value", "A | Check", "B | Active", "C | Disabled")
    odd, usual = split_outliers([*find_values(ios, 1), *find_values(web, 1)])
    assert [value.cell.text for value in odd] == ["Check"]
    assert [value.cell.text for value in usual] == ["Enabled", "Enabled"]


@pytest.mark.parametrize(
    ("article", "words"),
    [
        ("a", "user unit unique URL UI UUID one-time European 7-day 100 1-minute GCS device use-case"),
        (
            "an",
            "hour SDK API iOS 8-bit 11 18 honest heir unintended uninstall HTML x-axis eSIM mParticle item HTTPS html HttpOnly",
        ),
        (None, "SQL FAQ RAM historic 1100 SAML Xcode"),
    ],
)
def test_the_article_follows_the_sound(article: str | None, words: str) -> None:
    assert {word: get_article(word) for word in words.split()} == dict.fromkeys(words.split(), article)
