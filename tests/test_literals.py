"""Data that is written out in programs: what is computed is not known, and nothing is too deep or too broken."""

from __future__ import annotations

import pytest

from tutorial_tool.links import literals
from tutorial_tool.links.literals import List, Object, Text

PROGRAM = """{
  // a comment, with 'quotes' and {braces}
  title: 'Shop', "tag-line": `Lamps`, made: `${shop}`,
  pages: ['one', 'two' + suffix, ...others, require.resolve('./three'), require('./four').five],
  nested: {one: ({two: ['three']})} as const,
  edit: ({locale}, page) => `x/${page}`, copy: ({page}) => ({to: page}),
  call() { return {pages: ['no']} },
  typed: [1, true, null] satisfies Pages, /* the end */
}"""


def texts(value: literals.Value) -> list[str]:
    return [each.value for each in literals.iter_values(value) if isinstance(each, Text)]


def test_plain_data_is_read_with_its_places() -> None:
    read = literals.parse_value(PROGRAM, 0)
    assert isinstance(read, Object)
    assert [key.value for key, _ in read.items] == [
        *("title", "tag-line", "made", "pages", "nested", "edit", "copy", "typed")
    ]
    title = read.get_text("title")
    assert title is not None
    assert PROGRAM[title.start : title.end] == title.value == "Shop"
    assert read.get("made") is None


def test_a_function_that_is_not_called_takes_nothing_of_what_follows() -> None:
    read = literals.parse_value('{open: require, name: "Shop"}', 0)
    assert isinstance(read, Object)
    assert [key.value for key, _ in read.items] == ["open", "name"]


def test_what_is_computed_is_not_known() -> None:
    read = literals.parse_value(PROGRAM, 0)
    pages = read.get("pages") if isinstance(read, Object) else None
    assert isinstance(pages, List)
    assert [each.value if each else None for each in pages.items if not isinstance(each, (List, Object))] == [
        "one",
        None,
        None,
        "./three",
        None,
    ]
    assert texts(read) == ["Shop", "Lamps", "one", "./three", "three"]


@pytest.mark.parametrize(
    "text", ["", "]", "'", "/*", "{,,:;}", "[(]", "{a", "[" * 9000, "{a:" * 9000, "`" * 9001, "x" * 9000]
)
def test_no_text_is_too_broken(text: str) -> None:
    literals.parse_value(text, 0)
