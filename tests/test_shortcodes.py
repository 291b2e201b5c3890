"""Shortcodes of Hugo and tags of Liquid, with the places of what they are given."""

from __future__ import annotations

import pytest

from tutorial_tool.markdown import shortcodes
from tutorial_tool.markdown.shortcodes import PageReference


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ('{{< a "b c" d=e f=`g "h"` >}}', "a", [("", "b c"), ("d", "e"), ("f", 'g "h"')]),
        ('{{%a/b-c d = "e\\"f" %}}', "a/b-c", [("d", 'e\\"f')]),
        ('{{< a\n  b="c > d"\n  e\n>}}', "a", [("b", "c > d"), ("", "e")]),
        ("{{< a b />}}", "a", [("", "b")]),
    ],
)
def test_arguments_stand_where_they_are_written(text: str, name: str, arguments: list[tuple[str, str]]) -> None:
    (found,) = shortcodes.find_shortcodes(f"x {text} y")
    assert (found.name, found.closing) == (name, False)
    assert (found.start, found.end) == (2, 2 + len(text))
    assert [(one.name, one.value) for one in found.arguments] == arguments
    assert [f"x {text} y"[one.start : one.end] for one in found.arguments] == [value for _, value in arguments]


def test_pairs_and_what_is_only_shown() -> None:
    text = '{{< a >}}{{< /a >}}{{</* b */>}}{{%/* c */%}}{{ d }}{{< e %}}{{< f "{{< g >}}'
    assert [(one.name, one.closing) for one in shortcodes.find_shortcodes(text)] == [
        ("a", False),
        ("a", True),
        ("e", False),
    ]


def test_a_page_may_be_wanted_in_another_language() -> None:
    text = '{{< ref "a" >}} and {{< ref path="b" lang="de" >}}'
    assert [shortcodes.get_language(text, text.index(name)) for name in ('a" >', 'b" ')] == ["", "de"]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ('{{< ref "a.md#b" >}}', PageReference("ref", "a.md#b", 9, 15)),
        ('{{% relref path="/a" lang="b" %}}#c', PageReference("ref", "/a", 17, 19)),
        ('{{< ref "{{ .a }}" >}}', None),
        ('{{< link "a.md" >}}', None),
        ("{% link a/b.md %}#c", PageReference("liquid", "a/b.md", 8, 14)),
        ("{{ site.baseurl }}{% post_url 2024-01-02-a %}", PageReference("liquid", "2024-01-02-a", 30, 42)),
        ("{% link {{ a }} %}", None),
        ("a.md", None),
    ],
)
def test_addresses_name_pages(text: str, address: PageReference | None) -> None:
    assert shortcodes.parse_page_reference(text, 0, len(text)) == address
