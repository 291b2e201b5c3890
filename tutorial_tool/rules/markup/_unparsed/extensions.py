"""The extensions of Python-Markdown that a site turns on, and the blocks on its pages that need one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tutorial_tool.config.plugin_options import EXTENSIONS
from tutorial_tool.core.source import find_line_start
from tutorial_tool.data import iter_named
from tutorial_tool.links import Tree
from tutorial_tool.links.generators.mkdocs import get_plugins
from tutorial_tool.markdown.document import Document, Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page, page_facts

READERS = {
    "!!": ("admonition",),
    "??": ("pymdownx.details",),
    "==": ("pymdownx.tabbed",),
    "``": ("pymdownx.superfences", "pymdownx.extra"),
    "~~": ("pymdownx.superfences", "pymdownx.extra"),
}
"""The extensions that parse a block that starts so, or an indented fence; the first is the one to add."""

_STANDARD = frozenset(
    """abbr admonition attr_list codehilite def_list extra fenced_code footnotes legacy_attrs legacy_em md_in_html meta
    nl2br sane_lists smarty tables toc wikilinks mdx_truly_sane_lists mdx_breakless_lists mdx_math markdown_katex
    markdown_include.include plantuml_markdown markdown_del_ins""".split()
)
"""Extensions whose syntax is known, other than those of `pymdownx` and Material."""
_PLUGINS = frozenset(
    """search tutorial redirects macros minify git-revision-date git-revision-date-localized git-authors git-committers
    awesome-pages awesome-nav literate-nav section-index glightbox social privacy offline meta exclude include-markdown
    table-reader autorefs open-in-new-tab autolinks-plugin optimize group info tags blog rss print-site pdf-export
    with-pdf include_dir_to_nav same-dir panzoom spellcheck mkdocstrings gen-files mike api-autonav search-index typeset
    markdownextradata linkcheck htmlproofer""".split()
)
"""Plugins of MkDocs that neither parse markup of these kinds nor enable an extension."""
_ADDED = {"tutorial": tuple(EXTENSIONS)}


@lru_cache(maxsize=64)
def find_enabled_extensions(tree: Tree) -> frozenset[str] | None:
    """Return the extensions that a `mkdocs.yml` enables; None if something else may enable others."""
    if not tree.generator.has_extensions or tree.node is None:
        return None
    if tree.node.get("hooks") is not None or tree.node.get("INHERIT") is not None:
        return None
    used = get_plugins(tree)
    names = frozenset(
        name.removeprefix("markdown.extensions.") for name, _ in iter_named(tree.node, "markdown_extensions")
    )
    names |= frozenset(name for plugin in used for name in _ADDED.get(plugin, ()))
    are_known = all(name in _STANDARD or name.startswith(("pymdownx.", "material.", "materialx.")) for name in names)
    return names if are_known and used <= _PLUGINS else None


@page_facts.register
def find_uses(page: Page) -> tuple[Range, ...]:
    """Find the admonitions, tabs, and indented fences on a page for Python-Markdown."""
    return tuple(_iter_uses(page.document)) if page.publishing_dialect is Dialect.PYTHON_MARKDOWN else ()


def _iter_uses(document: Document) -> Iterator[Range]:
    text = document.text
    for block, _ in document.walk():
        if block.kind == "container" or block.fence:
            at = text.index(block.fence, block.start) if block.fence else block.start
            at += len(text[at : block.end]) - len(text[at : block.end].lstrip(" \t>"))
            if text[at : at + 2] in READERS and (not block.fence or at != find_line_start(text, at)):
                yield Range(at, (text + "\n").index("\n", at))
