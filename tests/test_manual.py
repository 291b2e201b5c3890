"""How manuals are read: blocks, files, marks and messages."""

from __future__ import annotations

import re

import pytest

from tutorial_tool.docs import rule_manual, rule_pages
from tutorial_tool.docs.rule_manual import Example, ExampleFile, MalformedManual, Mark


def only(*lines: str) -> Example:
    (example,) = rule_manual.parse_examples("\n".join(lines))
    return example


def test_marks_and_messages_are_taken_off() -> None:
    example = only(
        '```md title="bad"',
        "Open ⟦thi⟧ page⟦⟧.",
        "<!-- ^ `thi` should read `this` -->",
        "<!-- ^ something is missing -->",
        "The end.",
        "```",
    )
    assert example.files == {"page.md": "Open thi page.\nThe end.\n"}
    assert example.marks == (
        Mark("page.md", 5, 8, "`thi` should read `this`"),
        Mark("page.md", 13, 13, "something is missing"),
    )


def test_several_files_are_a_project_and_messages_may_name_platforms() -> None:
    example = only(
        '```yaml title="bad"',
        "=== platforms.yaml",
        "platforms:",
        "  ios: {nmae: ⟦iOS",
        "  too⟧}",
        "  # ^[ios, web] wrong",
        "=== site_templates/a.md.j2",
        "{{ ⟦x⟧ }}",
        "{# ^[] unknown #}",
        "```",
    )
    assert example.is_project
    assert example.files["platforms.yaml"] == "platforms:\n  ios: {nmae: iOS\n  too}\n"
    assert example.marks == (
        Mark("platforms.yaml", 25, 34, "wrong", ("ios", "web")),
        Mark("site_templates/a.md.j2", 3, 4, "unknown", ()),
    )


def test_people_see_the_files_of_an_example_one_by_one() -> None:
    text = """\
# rule

```yaml title="bad"
=== platforms.yaml
a: 1
=== site_templates/a.md.j2
One.

Two ⟦lines
too⟧.
{# ^ wrong #}
```

```md title="fixed unsafe"
Right.
```"""
    heading, _, data, template, between, fixed = rule_manual.iter_content(text)
    assert (heading, between) == ("# rule", "")
    assert data == ExampleFile("", "yaml", "platforms.yaml", "```", ("a: 1",), ())
    lines = ("One.", "", "Two lines", "too.", "{# ^ wrong #}")
    assert template == ExampleFile("Reported", "jinja", "site_templates/a.md.j2", "```", lines, (3, 4))
    assert fixed == ExampleFile("After --fix --unsafe-fixes", "md", "", "```", ("Right.",), ())


def test_pages_show_each_file_under_its_name_with_what_is_wrong_in_it() -> None:
    page = rule_pages.build_pages("rules")["rules/repeated-word.md"]
    front, _, page = page.partition("\n---\n\n")
    assert front == "---\nsearch:\n  exclude: true", "examples of mistakes are nothing to search for"
    assert page.startswith("# repeated-word\n\n*text* · warning · fixable with `--fix` · since 0.1.0\n")
    assert '```md title="Reported" hl_lines="' in page
    assert '```md title="After --fix"\n' in page
    assert not set(rule_manual.OPEN + rule_manual.CLOSE) & set("".join(rule_pages.build_pages("rules").values()))
    assert not re.search(r"^=== \S+\.\w+$", "".join(rule_pages.build_pages("rules").values()), re.MULTILINE)


def test_a_title_may_say_more() -> None:
    assert only('```md title="fixed unsafe"', "x", "```").unsafe
    assert only('```md title="good also=a,b lang=de"', "x", "```").also == {"a", "b"}
    assert only('```mdx title="good dialect=mdx"', "x", "```").config == (("dialect", "mdx"),)


def test_a_longer_fence_holds_a_fence_and_other_blocks_are_prose() -> None:
    example = only("```md", "⟦not read⟧", "```", '````md title="good"', "```", '=== "Tab"', "```", "````")
    assert (example.line, example.files) == (4, {"page.md": '```\n=== "Tab"\n```\n'})


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["```bad", "x", "```"], 'line 1: an example block starts with ```md title="bad"'),
        (['```md title="bad"', "⟦x⟧"], "line 1: the block is not closed"),
        (['```md title="bad"', "x", "```"], "line 1: a `bad` block has marks, and no other has"),
        (['```md title="good"', "⟦x⟧", "<!-- ^ y -->", "```"], "line 1: a `bad` block has marks, and no other has"),
        (['```md title="bad"', "⟦x⟧", "```"], "line 1: 1 marks and 0 messages in page.md"),
        (['```md title="bad"', "⟦x", "<!-- ^ y -->", "```"], "line 1: 1 marks and 1 messages in page.md"),
        (['```md title="bad"', "x⟧", "```"], "a ⟧ closes nothing: x⟧"),
        (['```md title="good unsafe"', "x", "```"], "line 1: `unsafe` means nothing in a `good` block"),
        (['```python title="good"', "x", "```"], "line 1: a block in `python` names its file: `=== path`"),
        (['```md title="good"', "x", "=== a.md", "```"], "line 1: the block starts before its first `=== path`"),
    ],
)
def test_a_manual_that_cannot_be_read_says_why(lines: list[str], message: str) -> None:
    with pytest.raises(MalformedManual) as caught:
        only(*lines)
    assert str(caught.value) == message


def test_people_read_a_manual_without_marks() -> None:
    assert rule_manual.strip_marks("Open ⟦thi⟧ page.") == "Open thi page."
