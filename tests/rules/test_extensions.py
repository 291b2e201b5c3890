"""What pages use, and the extension that reads it: Python-Markdown itself is asked what it publishes without."""

from __future__ import annotations

from pathlib import Path

import markdown
import pytest

from tutorial_tool import links, site
from tutorial_tool.rules.markup._unparsed import extensions
from tutorial_tool.site import Site

USUAL = ["toc", "tables", "fenced_code"]
"""What MkDocs turns on by itself."""
SAMPLES = {
    "admonition": ("!!! note\n\n    Hold it.\n", "!!! note"),
    "details": ("??? note\n\n    Hold it.\n", "??? note"),
    "tab": ('=== "Web"\n\n    Hold it.\n', "=== &quot;Web&quot;"),
    "footnote": ("Hold it.[^1]\n\n[^1]: A while.\n", "^1"),
    "definition": ("Lamp\n:   It shines.\n", ":   It shines."),
    "attributes": ("[Buy](buy.md){ .button }\n", "{ .button }"),
    "abbreviation": ("*[LED]: A diode\n\nAn LED.\n", "*[LED]"),
    "markdown in HTML": ("<div markdown>\nHold **it**.\n</div>\n", "**it**"),
    "indented fence": ("1.  Run it:\n\n    ```sh\n    lamp\n    ```\n", "sh\nlamp"),
    "keys": ("Press ++ctrl+p++.\n", "++ctrl+p++"),
    "icon": ("Look :material-check: here.\n", ":material-check:"),
    "strike": ("Hold ~~it~~ them.\n", "~~it~~"),
    "task": ("- [ ] Hold it.\n", "[ ]"),
    "snippet": ('--8<-- "lamp.md"\n', "--8&lt;--"),
    "mark": ("Hold ==it== now.\n", "==it=="),
}


def plain(folder: Path, text: str, config: str = "site_name: Lamp\n") -> Site:
    (folder / "docs").mkdir()
    (folder / "mkdocs.yml").write_text(config, encoding="utf-8")
    (folder / "docs/index.md").write_text(text, encoding="utf-8")
    return site.load_plain([folder / "docs/index.md"], folder)


@pytest.mark.parametrize("kind", SAMPLES)
def test_what_no_extension_reads_is_published_as_it_stands(kind: str, tmp_path: Path) -> None:
    text, signs = SAMPLES[kind]
    (page,) = plain(tmp_path, text).pages
    assert [use.kind for use in extensions.find_uses(page)] == [kind]
    html = markdown.markdown(text, extensions=USUAL)
    assert signs in html.replace('"', "&quot;").replace("--8<--", "--8&lt;--")
    if kind not in ("icon", "snippet"):  # the one needs a theme, the other a file
        assert signs not in markdown.markdown(text, extensions=[*USUAL, extensions.READERS[kind][0]])


def test_no_sample_lacks() -> None:
    assert SAMPLES.keys() == extensions.READERS.keys()


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
