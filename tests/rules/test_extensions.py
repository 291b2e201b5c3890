"""The extensions of Python-Markdown that a `mkdocs.yml` turns on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutorial_tool import links, site
from tutorial_tool.rules.markup._unparsed import extensions
from tutorial_tool.site import Site


def plain(folder: Path, text: str, config: str = "site_name: Lamp\n") -> Site:
    (folder / "docs").mkdir()
    (folder / "mkdocs.yml").write_text(config, encoding="utf-8")
    (folder / "docs/index.md").write_text(text, encoding="utf-8")
    return site.load_plain([folder / "docs/index.md"], folder)


@pytest.mark.parametrize(
    ("config", "names"),
    [
        (
            "markdown_extensions:\n  - admonition\n  - markdown.extensions.toc: {permalink: true}\n",
            {"admonition", "toc"},
        ),
        ("markdown_extensions:\n  pymdownx.details: {}\n", {"pymdownx.details"}),
        ("plugins: [search]\n", set()),
        ("plugins: [some-callouts]\n", None),
        ("markdown_extensions: [our.notes]\n", None),
        ("hooks: [hooks.py]\n", None),
        ("INHERIT: ../base.yml\n", None),
    ],
)
def test_extensions_are_known_unless_something_may_turn_on_others(
    config: str, names: set[str] | None, tmp_path: Path
) -> None:
    of = links.get_addresses(plain(tmp_path, "Hold it.\n", f"site_name: Lamp\n{config}"))
    assert extensions.find_enabled_extensions(of.pages.trees[0]) == names


def test_our_plugin_turns_on_what_tutorials_are_written_for(tmp_path: Path) -> None:
    of = links.get_addresses(plain(tmp_path, "Hold it.\n", "site_name: Lamp\nplugins: [tutorial]\n"))
    assert {"admonition", "attr_list", "pymdownx.tabbed"} <= (
        extensions.find_enabled_extensions(of.pages.trees[0]) or set()
    )
