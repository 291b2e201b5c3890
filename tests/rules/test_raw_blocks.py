"""Markdown in HTML is told where Python-Markdown publishes it as it stands, and only there."""

from __future__ import annotations

import markdown
import pytest

from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules.markup._unparsed import raw_blocks

SHOWN = [
    "<div>\n\nHold **it**.\n\n</div>\n",
    "<details>\n<summary>More</summary>\n\n[Buy](buy.md)\n\n</details>\n\nText.\n",
    "<table><tr><td>`it`</td></tr></table>\n",
    "Text.\n\n<div>Hold\n\n## More\n",
    "<p>\n\n- one\n- two\n\n</p>\n",
]
READ = [
    "Hold <span>**it**</span>.\n",
    "> <div>\n> **it**\n> </div>\n",
    "<div></div>\n\nHold **it**.\n",
    "<br>\n\nHold **it**.\n",
    "```html\n<div>\n**it**\n</div>\n```\n",
]


@pytest.mark.parametrize("text", SHOWN)
def test_what_is_published_as_it_stands_is_told(text: str) -> None:
    (found,) = raw_blocks.find_in_document(Document(text, Dialect.PYTHON_MARKDOWN))
    assert text[slice(*found.marker)] in markdown.markdown(text, extensions=["fenced_code"])
    assert text[found.tag.start] == "<"


@pytest.mark.parametrize("text", READ)
def test_what_is_read_is_not(text: str) -> None:
    assert not list(raw_blocks.find_in_document(Document(text, Dialect.PYTHON_MARKDOWN)))
    shown = markdown.markdown(text, extensions=["fenced_code"])
    assert "**it**" not in shown.replace("&lt;div&gt;\n**it**", "")


@pytest.mark.parametrize(
    "text", ["<pre>\n**it**\n</pre>\n", "<div>\n<code>**it**</code>\n</div>\n", "<!--\n**it**\n-->\n"]
)
def test_what_shows_code_or_nothing_is_left_alone(text: str) -> None:
    assert not list(raw_blocks.find_in_document(Document(text, Dialect.PYTHON_MARKDOWN)))


def test_the_elements_around_the_markdown_are_told() -> None:
    (found,) = raw_blocks.find_in_document(Document("<table><tr><th>A<br></th><td>`it`", Dialect.PYTHON_MARKDOWN))
    assert found.open_elements == ("table", "tr", "td")
    assert not found.is_closed
