"""The anchors of a page, as the renderer that publishes it generates them."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import find_line_start
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.links import heading_ids, tab_ids
from tutorial_tool.links.references import unescape_markdown
from tutorial_tool.links.tab_ids import Tab, Tabs
from tutorial_tool.markdown.ast import Inline
from tutorial_tool.markdown.document import Document, Range
from tutorial_tool.markdown.headings import build_python_markdown_slug, extract_words
from tutorial_tool.markdown.parser import Block, Dialect

Style = Literal[
    "python-markdown", "github", "any", "hugo", "vitepress", "vuepress", "kramdown", "docutils", "collapsed", "cased"
]
"""The style of heading IDs; `any` if unknown: accepts the IDs of several styles."""
_WITHOUT_PYTHON = ("github", "hugo", "vitepress", "vuepress", "collapsed", "cased")


class Anchors(NamedTuple):
    """The known anchors of a page.

    `is_complete` unless a macro, an include or the like may add others. `non_github_ids` are those that Python-Markdown
    or a host would generate and GitHub would not, where any of them may publish the page. `shortcodes` are the Hugo
    shortcodes that may add others.
    """

    ids: frozenset[str]
    is_complete: bool = True
    non_github_ids: frozenset[str] = frozenset()
    shortcodes: frozenset[str] = frozenset()


_COUNTED = lazy_re.compile(r"(.*)_(\d+)")
_FROM_ELSEWHERE = lazy_re.compile(
    r"--8<--|-8<-|\{%[-\s]*include|\{!\s*[\w./]|^#+\s+:::\s|^:::\s*(?:[\w.]+\.[\w.]+\s*$|[\w.-]+[ \t]*\n[ \t]+:\w)"
    r"|^\{\{[<%]?\s*\w|\{%(?!\s*(?:end\w+|code|columns?|content-ref|embed|file|hint|stepper|step|tabs?)\b)",
    re.MULTILINE,
)
"""Snippets, includes and generated pages, but not GitBook blocks: they add headings that are not in the page's text."""
_SIGNS = ("8<-", "{%", "{!", "{{", ":::")  # Each of these contains at least one: a cheap check before the search
_WITHOUT_HEADINGS = frozenset(
    "figure highlight details gist instagram param qr ref relref tweet twitter x vimeo youtube".split()
)
"""Hugo's built-in shortcodes."""
_INCLUDED = lazy_re.compile(r"^import\s+[^\"'();]{1,400}?\sfrom\s+[\"'][^\"']+\.mdx?[\"']", re.MULTILINE)
_PARTS = lazy_re.compile(r"^(?:includes[ \t]*:[ \t]*(?:\n[ \t]*-|\[)|(?:openapi|ref)[ \t]*:[ \t]*\S)", re.MULTILINE)
"""Front matter that adds parts to the page: Slate's includes, an API in Mintlify, a page in TanStack's docs."""
_CONTAINER = lazy_re.compile(r"^[ \t]*:{3,}[^\n{]*\{#([\w-]+)[^\n}]*\}[ \t]*$", re.MULTILINE)
_DEFINITION = lazy_re.compile(r"\n[ \t>]*:[ \t]")
_TERMS = lazy_re.compile(r"^[ \t>]*(?P<term>[^\s:][^\n]*)\n\n?[ \t>]*:[ \t]", re.MULTILINE)  # In a definition list
_UNSPACED = lazy_re.compile(r"\n#{1,6}(?![ \t#])([^\n]+)")  # A heading in Python-Markdown alone
_TARGETS = lazy_re.compile(r"^[ \t]*(?:\(([^\s()]+)\)=|:?(?:name|label):[ \t]*(\S+))[ \t]*$", re.MULTILINE)
"""MyST targets. Directive options may be between lines of hyphens, without a leading colon."""
_INCLUDING = ("nclude", "NCLUDE", "{{#template")  # Every page that `_INCLUDES` matches contains one of these
_INCLUDES = lazy_re.compile(
    r"<!--\s*@include:|^[ \t]*<include[\s>]|\[!(?:INCLUDE|Include|include)\b"
    r"|^!!!\s*include\s*\(|\{\{#(?:include|template)\s+(?![^\s{}]*\.(?:rs|toml|json|ya?ml|c|h|cpp|py|js|ts|go|sh|css|java|kt|swift)\b)",
    re.MULTILINE,
)
"""Include syntax of VitePress, Fumadocs, DocFX, VuePress and mdBook."""
_LIQUID = lazy_re.compile(
    r"\{%-?\s*(?!(?:link|post_url|highlight|raw|comment|assign|if|elsif|else|unless|end\w+)\b)\w|^\{\{", re.MULTILINE
)
"""Liquid tags that may add headings."""
_DIRECTIVE = lazy_re.compile(r"^[ \t]*(?:`{3,}|~{3,}|:{3,})[ ]*\{([\w:.+-]+)\}", re.MULTILINE)
_WITHOUT_ANCHORS = frozenset(
    """attention caution danger error hint important note tip warning seealso admonition dropdown details versionadded
    versionchanged deprecated epigraph figure image margin sidebar aside div container only tab-set tab-item grid
    grid-item grid-item-card card button-link button-ref topic rubric code code-block code-cell literalinclude toctree
    mermaid raw table list-table csv-table math index contents highlight""".split()
)
"""MyST directives that add no headings, and no anchors except their names."""
_OWN_COMPONENT = lazy_re.compile(r"^import (\w+) from [\"'](?:@site/|@/|~|\.|/)(?![^\"'\n]*\.mdx?[\"'])", re.MULTILINE)
_ALONE = lazy_re.compile(r"^<([A-Z]\w*)(?:[ ]+(?:[\w-]+=\"[^\"\n]*\"[ ]+)*:[\w-]+=\"[^\"\n]*\")?[ ]*/>", re.MULTILINE)
_SWALLOWED = lazy_re.compile(r"\n[ \t]*#{1,6}[ \t]")
"""A heading right after raw HTML: part of the HTML in CommonMark, a heading in Python-Markdown."""
_UNWRAPPED = "```mdx-code-block"  # Docusaurus renders the content of this fence as if it were not fenced
_NAMING = ("id", "name", "title", "label", "header", "heading", "summary", "anchor")
"""Attributes from whose text components build an anchor."""


_BRACKETED = (Dialect.MDX, Dialect.COMMONMARK, Dialect.GFM)
_IN_COMMENT = lazy_re.compile(r"\{/\*[ ]*#([\w-]+)[ ]*\*/\}\s*\Z")
_IN_BRACKETS = lazy_re.compile(r"(.*?)(?<!\s)\s*(?:\[!?toc\]\s*)?\[(?:#([\w.-]+)|!?toc)\]")


class AnchorSources(NamedTuple):
    """The sources of a page's anchors: heading texts with their explicit ids, and other ids in the source.

    `targets` are MyST targets, and ids in brackets after headings.
    """

    headings: tuple[tuple[str, str | None], ...]
    written_ids: tuple[WrittenId, ...]
    components: tuple[str, ...]
    targets: tuple[str, ...]
    is_complete: bool
    shortcodes: frozenset[str] = frozenset()
    tabs: tuple[Tab, ...] = ()


class WrittenId(NamedTuple):
    """An id in the source; whether Python-Markdown reads it, and whether it is in an attribute list."""

    id: str
    is_python_markdown: bool
    is_attribute: bool


def find_anchor_sources(document: Document) -> AnchorSources:
    """Return the sources of a page's anchors."""
    stated = [_split_heading_id(document, block) for block in _iter_headings(document)]
    written = tuple(
        WrittenId(id_, _is_python_markdown_id(document, place), _is_attribute_list(document.text, place.start))
        for id_, place in document.anchors.items()
    )
    pairs = zip(stated, document.headings, strict=True)
    headings = tuple((text, heading.id or id_) for (text, id_), heading in pairs)
    is_myst = document.dialect is Dialect.MYST
    targets = [match[1] or match[2] for match in _TARGETS.finditer(document.text)] if is_myst else []
    targets += (id_ for _, id_ in stated if id_)
    targets += (*_find_spaced_slugs(document), *_iter_term_slugs(document), *_CONTAINER.findall(document.text))
    unspaced = _UNSPACED.findall(f"\n{document.text}") if document.dialect is Dialect.PYTHON_MARKDOWN else ()
    targets += map(build_python_markdown_slug, unspaced)
    calls = _find_lone_shortcodes(document) if document.dialect is Dialect.HUGO else frozenset[str]()
    tabs = tab_ids.find_tabs(document) if document.dialect is Dialect.PYTHON_MARKDOWN else ()
    is_whole = _is_complete(document, (text for text, id_ in headings if not id_))
    return AnchorSources(headings, written, tuple(_find_component_ids(document)), tuple(targets), is_whole, calls, tabs)


_ATTRIBUTES = lazy_re.compile(r"\s*\{\w[^{}]*\}\s*\Z")
_PICTURE = "\ufeff"  # A placeholder for images, which no ID includes


def _find_spaced_slugs(document: Document) -> Iterator[str]:
    """Yield GitHub's ids of headings with images, tags or runs of spaces: it keeps the spaces there.

    VitePress keeps the names of entities, and mdBook drops attributes in braces.
    """
    for block in _iter_headings(document):
        value = "".join(_iter_texts(block.inlines))
        if _PICTURE in value or "  " in value.strip():
            yield build_github_slug(value)
        if (match := _ATTRIBUTES.search(value)) and document.dialect is Dialect.COMMONMARK:
            yield build_github_slug(value[: match.start()])
        if "&" in (source := document.text[block.start : block.end]) and ";" in source:
            yield heading_ids.build_vitepress_id(source)


def _iter_term_slugs(document: Document) -> Iterator[str]:
    """Yield the ids of terms in definition lists: Hugo numbers them together with headings, others read `{#id}`."""
    for match in _TERMS.finditer(document.text) if _DEFINITION.search(document.text) else ():
        term, _, id_ = match["term"].partition("{#")
        yield from (slug := build_github_slug(term), f"{slug}-1", id_.partition("}")[0])


def _iter_texts(inlines: Iterable[Inline]) -> Iterator[str]:
    for node in inlines:
        if node.kind in ("text", "escape", "code"):
            yield strip_origins(node.text)
        elif node.kind in ("image", "html"):
            yield _PICTURE
        else:
            yield from _iter_texts(node.children)


def _split_heading_id(document: Document, block: Block) -> tuple[str, str | None]:
    """Split a heading into its text and the id at its end (Nextra, Fumadocs; Docusaurus: in a comment)."""
    text, comment = extract_words(block.inlines), _IN_COMMENT.search(document.text, block.start, block.end)
    if comment:
        return text.rstrip(" \ufffc"), comment[1]
    if document.dialect not in _BRACKETED or not text.endswith("]"):
        return text, None
    match = _IN_BRACKETS.fullmatch(text)
    return (match[1], match[2]) if match else (text, None)


def build_anchors(result: AnchorSources, style: Style, tabs: Tabs = "") -> Anchors:
    """Return the anchors generated from these sources. `tabs` decides which ids the titles of tabs get."""
    is_python = style not in _WITHOUT_PYTHON
    written = [item for item in result.written_ids if not is_python or item.is_python_markdown]
    ids = {*(unescape_markdown(item.id) for item in written), *result.targets}
    texts = [text for text, id_ in result.headings if not id_]
    others, only = set[str](), set[str]()
    if is_python:
        others = set(numbered := _build_python_slugs(result, written, texts))
        left = iter(numbered)
        ids.update(tab_ids.build_ids(result.tabs, [id_ or next(left) for _, id_ in result.headings], tabs))
    for make in heading_ids.BY_STYLE.get(style, ()):
        ids.update(_number_github_slugs(texts, make))
        ids.update(_number_from_two(map(make, texts)) if style == "vuepress" else ())
    if style != "python-markdown":
        own = heading_ids.build_cased_id if style == "cased" else None
        slugs = list(_number_github_slugs([text for text, _ in result.headings], own))
        ids.update(slugs)
        ids.update(f"_{slug}" for slug in slugs if slug[:1].isdigit())  # as in VitePress
        ids.update(_iter_component_ids(result.components, style))
    if style == "any":
        others.update(
            _number_github_slugs(texts, heading_ids.build_collapsed_id),
            _number_github_slugs(texts, heading_ids.build_cased_id),
            _number_github_slugs(texts, heading_ids.collapse_punctuation),
        )
        only = others - ids
    return Anchors(frozenset(filter(None, ids | others)), result.is_complete, frozenset(only), result.shortcodes)


def _iter_component_ids(names: Iterable[str], style: Style) -> Iterator[str]:
    """Yield the ids of tabs and the like; Mintlify's fields have a prefix."""
    yield from names
    if style == "collapsed":
        yield from (f"{start}{heading_ids.build_collapsed_id(name)}" for name in names for start in ("", "param-"))


def _build_python_slugs(result: AnchorSources, written: Iterable[WrittenId], texts: Iterable[str]) -> list[str]:
    """Return the ids that Python-Markdown gives to headings without an explicit id."""
    taken = {id_ for _, id_ in result.headings if id_} | {item.id for item in written if item.is_attribute}
    return list(_number_slugs(texts, taken, build_python_markdown_slug, _increment_id))


def _is_complete(document: Document, headings: Iterable[str]) -> bool:
    text = document.text
    if document.front_matter and not text[document.front_matter.body :].strip():
        return False  # a template renders the whole page
    if not document.headings and _is_rendered_by_component(document):
        return False
    if any("{{" in heading or "\ufffc" in heading for heading in headings):
        return False
    if document.dialect is not Dialect.HUGO and has_included_text(document):
        return False
    if "/>" in text and any(match[1] in find_own_components(text) for match in _ALONE.finditer(text)):
        return False  # a component of the site, with no attribute or one that Vue binds, is alone on a line
    html = (block for block, _ in document.walk() if block.kind == "html")
    return not any(_SWALLOWED.search(text, block.start, block.end) for block in html)


def _is_rendered_by_component(document: Document) -> bool:
    """Return whether a component renders a page without headings, or other pages include it."""
    if any(tag.name[:1].isupper() for tag in document.tags) or _UNWRAPPED in document.text:
        return True
    return not document.anchors and any(link.href.startswith("#") for link in document.links)


def find_own_components(text: str) -> frozenset[str]:
    """Return the components that a page imports from the site itself."""
    return frozenset(_OWN_COMPONENT.findall(text)) if "\nimport" in f"\n{text}" else frozenset()


def has_included_text(document: Document) -> bool:
    """Return whether a page takes text from elsewhere: by a snippet, an include, a macro or an import."""
    text, front = document.text, document.front_matter
    if document.dialect is Dialect.HUGO:
        return bool(_find_lone_shortcodes(document))
    if front and _PARTS.search(text, front.start, front.end):
        return True
    directives = frozenset(_DIRECTIVE.findall(text))
    if "include" in directives or (document.dialect is Dialect.MYST and not directives <= _WITHOUT_ANCHORS):
        return True
    if any(sign in text for sign in _INCLUDING) and _contains_outside_code(document, _INCLUDES):
        return True
    if document.dialect is Dialect.KRAMDOWN:
        return _contains_outside_code(document, _LIQUID)
    brings = any(sign in text for sign in _SIGNS) and _contains_outside_code(document, _FROM_ELSEWHERE)
    return brings or ("\nimport" in f"\n{text}" and _contains_outside_code(document, _INCLUDED))


def _contains_outside_code(document: Document, pattern: re.Pattern[str]) -> bool:
    """Return whether a pattern matches outside code: what is included in code has no headings."""
    matches = [match.start() for match in pattern.finditer(document.text)]
    if not matches:
        return False
    blocks = ((block.start, block.end) for block, _ in document.walk() if block.kind == "code")
    code = sorted([*blocks, *((span.start, span.end) for span in document.code_spans)])
    nearest = (bisect(code, (at, len(document.text) + 1)) - 1 for at in matches)
    return any(before < 0 or code[before][1] <= at for at, before in zip(matches, nearest, strict=True))


def _find_lone_shortcodes(document: Document) -> frozenset[str]:
    """Return the Hugo shortcodes alone at the start of a line: they may add text with headings."""
    text = document.text
    paired = {shortcode.name for shortcode in document.shortcodes if shortcode.closing}
    single = (call for call in document.shortcodes if call.name not in paired | _WITHOUT_HEADINGS)
    lone = (call for call in single if not text[find_line_start(text, call.start) : call.start].strip())
    return frozenset(call.name for call in lone)


def _is_attribute_list(text: str, start: int) -> bool:
    return start > 0 and text[start - 1] == "#"


def _is_python_markdown_id(document: Document, place: Range) -> bool:
    """Return whether Python-Markdown reads an id.

    It reads an attribute list in a heading or cell, on a separate line, or directly after its element.
    """
    text = document.text
    if not _is_attribute_list(text, place.start):
        return True
    before = text[: text.rfind("{", 0, place.start)]
    line = before[before.rfind("\n") + 1 :]
    is_behind = not line.strip() or not line[-1:].isspace() or line.lstrip()[:1] in "#|"
    return is_behind or _is_in_heading_or_table(document, place)


def _is_in_heading_or_table(document: Document, place: Range) -> bool:
    kinds = ("heading", "table")
    return any(block.kind in kinds and block.start <= place.start < block.end for block, _ in document.walk())


def _iter_headings(document: Document) -> Iterator[Block]:
    return (block for block, _ in document.walk() if block.kind == "heading")


def build_github_slug(text: str) -> str:
    r"""Return the id that GitHub, and the generators that follow it, give a heading.

    Marks stay, such as marks of vowels and the selector that turns a character into an emoji (Ruby's `\p{Word}`).
    """
    return heading_ids.hyphenate_text(text.strip().lower(), keep=heading_ids.is_mark)


def _increment_id(id_: str) -> str:
    """Return the id that Python-Markdown tries after one that is taken."""
    counted = _COUNTED.fullmatch(id_)
    return f"{counted[1]}_{int(counted[2]) + 1}" if counted else f"{id_}_1"


def _number_slugs(
    texts: Iterable[str], taken: set[str], slug: Callable[[str], str], following: Callable[[str], str]
) -> Iterator[str]:
    used = set(taken)
    reached: dict[str, str] = {}  # where to continue counting: otherwise, a page of equal headings takes quadratic time
    for text in texts:
        expected = slug(text)
        id_ = reached.get(expected, expected)
        while not id_ or id_ in used:
            id_ = following(id_)
        reached[expected] = id_
        used.add(id_)
        yield id_


def _number_github_slugs(texts: Iterable[str], make: Callable[[str], str] | None = None) -> Iterator[str]:
    """Number equal slugs as GitHub does: count the requests for a slug, and try numbers from there.

    `make` builds the slugs of another generator.
    """
    asked: dict[str, int] = {}
    for text in texts:
        slug = id_ = (make or build_github_slug)(text)
        while id_ in asked:
            asked[slug] += 1
            id_ = f"{slug}-{asked[slug]}"
        asked[id_] = 0
        yield id_


def _number_from_two(slugs: Iterable[str]) -> Iterator[str]:
    """Yield VuePress 1's ids of the second and later of equal headings: `setup-2`, `setup-3`."""
    for slug, times in Counter(slugs).items():
        yield from (f"{slug}-{number}" for number in range(2, times + 1))


def _find_component_ids(document: Document) -> Iterator[str]:
    """Yield possible anchors of the components and shortcodes of a page."""
    for shortcode in document.shortcodes:
        for argument in shortcode.arguments:
            yield argument.value
            yield build_github_slug(argument.value)
    if document.dialect not in (Dialect.MDX, Dialect.DOCUSAURUS, Dialect.HUGO):
        return
    for tag in document.tags:
        if tag.name[:1].isupper():
            for name in _NAMING:
                if attribute := tag.attributes.get(name):
                    yield attribute.value
                    yield build_github_slug(attribute.value)
