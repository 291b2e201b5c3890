"""Lists are told to be read differently where something says that Python-Markdown publishes them, as it does."""

from __future__ import annotations

from pathlib import Path

import markdown
import pytest

from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.linter import engine

STATES = "The order has a state:\n- open\n- closed\n"
NESTED = "- lamps\n  - for halls\n"


def told(folder: Path, text: str, config: str | None, rule: str = "renderer-mismatch") -> list[str]:
    """The items that a rule tells, as typed."""
    (folder / "docs").mkdir()
    (folder / "docs/index.md").write_text(text, encoding="utf-8")
    if config is not None:
        (folder / "mkdocs.yml").write_text(config, encoding="utf-8")
    pages = site.load_plain([folder / "docs/index.md"], folder)
    found = (one for one in engine.run(pages, Config()) if one.rule == rule)
    return [text[one.span.start :].partition("\n")[0] for one in found]


@pytest.mark.parametrize(("text", "item", "lists"), [(STATES, "- open", 0), (NESTED, "- for halls", 1)])
def test_a_list_that_mkdocs_publishes_in_another_way_is_told(text: str, item: str, lists: int, tmp_path: Path) -> None:
    assert told(tmp_path, text, "site_name: Lamps\n") == [item]
    assert markdown.markdown(text).count("<ul>") == lists


def test_a_tree_of_which_nothing_tells_the_engine_is_left_alone(tmp_path: Path) -> None:
    assert told(tmp_path, STATES, None) == []


@pytest.mark.parametrize("extension", ["mdx_truly_sane_lists", "mdx_breakless_lists", "pymdownx.fancylists"])
def test_so_is_one_whose_lists_an_extension_reads(extension: str, tmp_path: Path) -> None:
    assert told(tmp_path, NESTED, f"markdown_extensions:\n  - {extension}\n") == []


@pytest.mark.parametrize(("extension", "wrong"), [("sane_lists", ["2. Save."]), ("mdx_truly_sane_lists", [])])
def test_nor_are_its_numbers_judged(extension: str, wrong: list[str], tmp_path: Path) -> None:
    apart = "# Lamps\n\n1. Look.\n\n   Closely.\n\n2. Save.\n"
    config = f"markdown_extensions:\n  - {extension}\n"
    assert told(tmp_path, apart, config, "broken-list-numbering") == wrong


@pytest.mark.parametrize("extension", ["attr_list", "def_list", "sane_lists", "pymdownx.tasklist"])
def test_others_with_such_names_change_nothing(extension: str, tmp_path: Path) -> None:
    assert told(tmp_path, NESTED, f"markdown_extensions:\n  - {extension}\n") == ["- for halls"]
    assert markdown.markdown(NESTED, extensions=[extension]).count("<ul>") == 1
