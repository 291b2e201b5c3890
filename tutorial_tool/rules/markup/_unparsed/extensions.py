"""Markup on Python-Markdown pages that needs an extension: without it, the markup is rendered literally."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool.config.plugin_options import EXTENSIONS
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data import iter_named
from tutorial_tool.links import Tree
from tutorial_tool.links.generators.mkdocs import get_plugins
from tutorial_tool.markdown.document import Document, Range
from tutorial_tool.markdown.parser import Block, Dialect, Inline
from tutorial_tool.site import Page, page_facts


class ExtensionUse(NamedTuple):
    """Markup on a page: its kind, one of `READERS`, and its span."""

    kind: str
    place: Range


_EXTRA = ("extra", "pymdownx.extra")
READERS: Mapping[str, tuple[str, ...]] = {
    "admonition": ("admonition",),
    "details": ("pymdownx.details",),
    "tab": ("pymdownx.tabbed",),
    "footnote": ("footnotes", *_EXTRA),
    "definition": ("def_list", *_EXTRA),
    "attributes": ("attr_list", *_EXTRA),
    "abbreviation": ("abbr", *_EXTRA),
    "markdown in HTML": ("md_in_html", *_EXTRA),
    "indented fence": ("pymdownx.superfences", "pymdownx.extra"),
    "keys": ("pymdownx.keys",),
    "icon": ("pymdownx.emoji",),
    "strike": ("pymdownx.tilde", "markdown_del_ins"),
    "task": ("pymdownx.tasklist",),
    "snippet": ("pymdownx.snippets",),
    "mark": ("pymdownx.mark",),
}
"""The extensions that parse each kind; the first is the one to add."""
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
_FIRST = {"!!!": "admonition", "???": "details", "===": "tab"}
_KEYS = lazy_re.compile(
    r"(?<![\w+])\+\+(?=[^\s+]*(?:ctrl|cmd|command|alt|shift|enter|tab|esc|space|del|option|win|meta|arrow|f\d))"
    r"[\w-]+(?:\+[\w-]+)*\+\+(?![\w+])"
)
_FAMILIES = ("material", "fontawesome", "octicons", "simple")
_ICON = lazy_re.compile(rf"(?<![\w:]):(?:{'|'.join(_FAMILIES)})-[a-z0-9-]+:(?!\w)")
_TASK = lazy_re.compile(r"[-*+][ \t]+\[[ xX]\](?=[ \t]+\S)")
_SNIPPET = lazy_re.compile(r"-{2,}8<-{2,}[ \t]+[\"'][^\n]*")
_MARK = lazy_re.compile(r"(?<![=\w!<>`])==(?=[^\s=])[^=\n]{1,200}(?<=[^\s=])==(?![=\w])")
_MARKDOWN = lazy_re.compile(r"<[a-z]+[ ][^<>]*\bmarkdown\b(?:=[\"']?\w+[\"']?)?[ ]*>")


def find_enabled_extensions(tree: Tree) -> frozenset[str] | None:
    """Return the extensions that a `mkdocs.yml` enables; None if something else may enable others."""
    used = get_plugins(tree)
    if tree.node is None or tree.node.get("hooks") is not None or tree.node.get("INHERIT") is not None:
        return None
    names = frozenset(
        name.removeprefix("markdown.extensions.") for name, _ in iter_named(tree.node, "markdown_extensions")
    )
    names |= frozenset(name for plugin in used for name in _ADDED.get(plugin, ()))
    are_known = all(name in _STANDARD or name.startswith(("pymdownx.", "material.", "materialx.")) for name in names)
    return names if are_known and used <= _PLUGINS else None


def find_setting_span(tree: Tree) -> Span | None:
    """Return the span of the extensions in a `mkdocs.yml`, or of where they would be."""
    assert tree.node is not None
    key = next((key for key, _ in tree.node.items if strip_origins(key.text) == "markdown_extensions"), None)
    return key.span if key else tree.config.span(0) if tree.config else None


@page_facts.register
def find_uses(page: Page) -> tuple[ExtensionUse, ...]:
    """Return the uses of extensions' markup on a page for Python-Markdown, in order."""
    if page.publishing_dialect is not Dialect.PYTHON_MARKDOWN:
        return ()
    document = page.document
    matches = (*_find_block_uses(document), *_find_inline_uses(document), *_find_text_uses(document))
    return tuple(sorted(matches, key=lambda use: use.place))


def _find_block_uses(document: Document) -> Iterator[ExtensionUse]:
    text = document.text
    for block, _ in document.walk():
        at = block.start + len(text[block.start : block.end]) - len(text[block.start : block.end].lstrip(" \t>"))
        line = Range(at, (text + "\n").index("\n", at))
        if block.kind == "container":
            kind = _FIRST.get(text[at : at + 3]) or (block.info if block.info in ("definition", "footnote") else "")
            if kind:
                yield ExtensionUse(kind, line)
        elif block.kind == "code" and block.fence:
            opened = text.index(block.fence, block.start)
            if opened != text.rfind("\n", 0, opened) + 1:
                yield ExtensionUse("indented fence", Range(opened, (text + "\n").index("\n", opened)))
        elif block.kind == "item" and (task := _TASK.match(text, at)):
            yield ExtensionUse("task", Range(*task.span()))
        elif block.kind == "macro" and (snippet := _SNIPPET.match(text, at)):
            yield ExtensionUse("snippet", Range(*snippet.span()))
        elif block.kind == "html" and (opening := _MARKDOWN.match(text, at)):
            yield ExtensionUse("markdown in HTML", Range(*opening.span()))


def _find_inline_uses(document: Document) -> Iterator[ExtensionUse]:
    text = document.text
    for node, block in document.get_inlines():
        written = text[node.start : node.end]
        if node.kind == "attrs" and (
            written.startswith("{:") or text[node.start - 1] in ")]`*" or _ends_heading(text, node, block)
        ):
            yield ExtensionUse("attributes", Range(node.start, node.end))
        elif node.kind == "note" and written.startswith("*["):
            yield ExtensionUse("abbreviation", Range(node.start, node.end))
        elif node.kind == "emphasis" and written.startswith("~~"):
            yield ExtensionUse("strike", Range(node.start, node.end))


def _ends_heading(text: str, node: Inline, block: Block) -> bool:
    return block.kind == "heading" and not text[node.end : (text + "\n").index("\n", node.end)].strip()


def _find_text_uses(document: Document) -> Iterator[ExtensionUse]:
    text = document.text
    patterns = [("keys", _KEYS)] if "++" in text else []
    patterns += [("icon", _ICON)] if any(f":{family}-" in text for family in _FAMILIES) else []
    patterns += [("mark", _MARK)] if "==" in text else []
    for prose in document.get_prose() if patterns else ():
        for kind, pattern in patterns:
            for match in pattern.finditer(prose):
                yield ExtensionUse(kind, prose.locate(match))
