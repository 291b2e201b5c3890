"""Our model of Python-Markdown's lists says what Python-Markdown does, and the fixes of lists do what they say."""

from __future__ import annotations

import re
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import markdown
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.work import soon
from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source
from tutorial_tool.linter import engine
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules.markup._lists.published import Element, parse_page

EXTENSIONS = ["tables", "admonition", "attr_list", "md_in_html", "pymdownx.superfences", "pymdownx.details"]
WORD = re.compile(r"item\d+")


class Lists(HTMLParser):
    """The items of a page, as a browser shows them: each with its number, or None for a bullet."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[list[int | None]] = []
        self.current: list[int | None] = []
        self.numbers: dict[str, int | None] = {}
        self.fresh = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in ("ol", "ul"):
            self.open.append([0 if tag == "ol" else None])
        elif tag == "li":
            counter = self.open[-1]
            counter[0] = None if counter[0] is None else counter[0] + 1
            self.current.append(counter[0])
            self.fresh = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ol", "ul"):
            self.open.pop()
        elif tag == "li":
            self.current.pop()

    def handle_data(self, data: str) -> None:
        for word in WORD.findall(data):
            if self.current and self.fresh:
                self.numbers[word] = self.current[-1]
            self.fresh = False


def published(text: str) -> dict[str, int | None]:
    lists = Lists()
    lists.feed(markdown.markdown(text, extensions=EXTENSIONS))
    return lists.numbers


def modelled(text: str) -> dict[str, int | None]:
    lines = text.split("\n")
    out: dict[str, int | None] = {}

    def visit(element: Element) -> None:
        for number, child in enumerate(element.children, 1):
            if child.tag == "li" and (words := WORD.findall(lines[child.first])):
                out[words[-1]] = number if element.tag == "ol" else None
            visit(child)

    visit(parse_page(text))
    return out


BLOCKS = {
    "item": "{n}. item{id} text",
    "bullet": "- item{id}",
    "text": "some words",
    "picture": "![](x.png)",
    "table": "| a | b |\n| - | - |\n| 1 | 2 |",
    "code": "```\ncode\n\nmore\n```",
    "aside": "<aside>\n    hi\n</aside>",
    "quote": "> quoted\n> more",
    "heading": "## Heading",
    "rule": "---",
    "note": "!!! note\n    text",
    "comment": "<!-- a comment -->",
}
piece = st.tuples(
    st.sampled_from([*BLOCKS, "item", "item", "item"]), st.sampled_from([0, 0, 0, 2, 3, 4, 4, 8]), st.booleans()
)


def page(pieces: list[tuple[str, int, bool]]) -> str:
    """A page of such pieces: kind, indentation, whether a blank line follows. Items are counted 1, 2, 3.

    A blank line always follows a quotation: what code does that it takes in without one is no shape of a page.
    """
    out, number = [], 0
    for id_, (kind, indent, blank) in enumerate(pieces, 100):
        number += kind == "item"
        lines = BLOCKS[kind].format(n=number, id=id_).split("\n")
        out += [" " * indent + line if line else "" for line in lines] + [""] * (blank or kind == "quote")
    return "\n".join(out) + "\n"


@given(st.lists(piece, min_size=1, max_size=10))
def test_the_model_numbers_items_as_python_markdown_does(pieces: list[tuple[str, int, bool]]) -> None:
    assert modelled(page(pieces)) == published(page(pieces))


@pytest.mark.soak
@settings(max_examples=20_000)
@given(st.lists(piece, min_size=1, max_size=14))
def test_the_model_numbers_items_as_python_markdown_does_at_length(pieces: list[tuple[str, int, bool]]) -> None:
    assert modelled(page(pieces)) == published(page(pieces))


def linted(text: str, folder: Path, *rules: str) -> tuple[list[Finding], Source]:
    (folder / "page.md").write_text(text, encoding="utf-8")
    loaded = site.load_plain([folder / "page.md"], folder, dialect=Dialect.PYTHON_MARKDOWN)
    found = engine.run(loaded, Config(root=folder, select=rules))
    return [finding for finding in found if finding.rule in rules], loaded.pages[0].source


steps = st.lists(
    st.tuples(
        st.just("item") | st.sampled_from(["text", "picture", "table", "code", "aside", "note", "bullet"]),
        st.sampled_from([0, 0, 0, 3, 4]),
        st.just(True),
    ),
    min_size=3,
    max_size=10,
)


@given(steps)
def test_a_fixed_list_is_published_with_the_numbers_that_were_typed(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[tuple[str, int, bool]]
) -> None:
    text = page([(kind, 0 if kind == "item" else indent, blank) for kind, indent, blank in pieces])
    found, source = linted(text, tmp_path_factory.mktemp("page"), "broken-list-numbering")
    for finding in found:
        if finding.fix:
            after = source.apply(finding.fix.edits)
            assert after.split() == text.split(), "only white space was added"
            first = WORD.findall(text[finding.span.start :])[0]
            assert published(text)[first] != int(finding.span.text[:-1]) == published(after)[first]


@given(st.lists(piece, min_size=1, max_size=10))
def test_every_item_that_is_told_is_published_otherwise(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[tuple[str, int, bool]]
) -> None:
    text = page(pieces)
    found, _ = linted(text, tmp_path_factory.mktemp("page"), "broken-list-numbering")
    for finding in found:
        first = WORD.findall(text[finding.span.start :])[0]
        assert published(text).get(first) != int(finding.span.text[:-1])


def test_lists_of_hostile_shape_cost_little_time() -> None:
    for shape in (
        "1. a\n",
        "- " * 400 + "a\n",
        "> " * 400 + "a\n",
        "```a\n",
        "---\n",
        "# a\n",
        "<div>\n",
        "1. a\n\nb\n\n",
    ):
        soon(partial(parse_page, shape * 5000))
