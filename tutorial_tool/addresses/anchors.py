"""The anchors of a page, as the renderer that publishes it makes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from tutorial_tool import lazy_re
from tutorial_tool.document import Document, Range
from tutorial_tool.parser import Block, Dialect, Inline
from tutorial_tool.sections import python_markdown_slug

Style = Literal["python-markdown", "github", "any"]
"""Whose ids headings get; `any` where it is not known: what either would make is right."""


class Anchors(NamedTuple):
    """The anchors that a page is known to have. `whole` unless something may bring others: a macro, an include.

    `only` are those that Python-Markdown would make and GitHub would not, where either may publish the page.
    """

    ids: frozenset[str]
    whole: bool = True
    only: frozenset[str] = frozenset()


_ESCAPED = lazy_re.compile(r"\\([!-/:-@\[-`{-~])")
_COUNTED = lazy_re.compile(r"(.*)_(\d+)")
_PUNCTUATION = lazy_re.compile(r"[^\w\- ]")
_FROM_ELSEWHERE = lazy_re.compile(
    r"--8<--|-8<-|\{%[-\s]*include|\{!\s*[\w./]|^:::\s*[\w.]+\.[\w.]+\s*$|^\{\{[<%]?\s*\w|\{%", re.MULTILINE
)
"""Snippets, includes and generated reference pages: they bring headings that do not stand here."""
_INCLUDED = lazy_re.compile(r"^import\s+\w+\s+from\s+[\"'][^\"']+\.mdx?[\"']", re.MULTILINE)
_SWALLOWED = lazy_re.compile(r"\n[ \t]*#{1,6}[ \t]")
"""A heading right behind raw HTML: part of it to CommonMark, a heading to Python-Markdown."""
_NAMING = ("id", "name", "title", "label", "header", "heading", "summary", "anchor")
"""Attributes from whose text components make an anchor."""


def of(document: Document, style: Style) -> Anchors:
    """The anchors of a page."""
    headings = [_heading(block) for block in _headings(document)]
    written = {id_: place for id_, place in document.anchors.items() if style == "github" or _holds(document, place)}
    ids = {_ESCAPED.sub(r"\1", id_) for id_ in written}
    stated = {heading.id for heading in document.headings if heading.id}
    texts = [text for text, heading in zip(headings, document.headings, strict=True) if not heading.id]
    python = set[str]()
    if style != "github":
        taken = stated | {id_ for id_, place in written.items() if _is_attribute_list(document.text, place.start)}
        python.update(_named(texts, taken, python_markdown_slug, _next_python_markdown))
    if style != "python-markdown":
        ids.update(_github(headings))
        ids.update(_components(document))
    only = frozenset(python - ids) if style == "any" else frozenset[str]()
    return Anchors(frozenset(ids | python), _is_whole(document, headings), only)


def _is_whole(document: Document, headings: Iterable[str]) -> bool:
    text = document.text
    if any("{{" in heading or "\ufffc" in heading for heading in headings):
        return False
    if brings_text(document):
        return False
    html = (block for block, _ in document.walk() if block.kind == "html")
    return not any(_SWALLOWED.search(text, block.start, block.end) for block in html)


def brings_text(document: Document) -> bool:
    """Whether a page takes text from elsewhere: by a snippet, an include, a macro or an import."""
    text = document.text
    return bool(_FROM_ELSEWHERE.search(text) or ("import" in text and _INCLUDED.search(text)))


def _is_attribute_list(text: str, start: int) -> bool:
    return start > 0 and text[start - 1] == "#"


def _holds(document: Document, place: Range) -> bool:
    """Whether an id is one to Python-Markdown: an attribute list stands in a heading or cell, on a line of its own, or
    right behind what it belongs to."""
    text = document.text
    if not _is_attribute_list(text, place.start):
        return True
    before = text[: text.rfind("{", 0, place.start)]
    line = before[before.rfind("\n") + 1 :]
    return not line.strip() or not line[-1:].isspace() or line.lstrip()[:1] in "#|" or _in_block(document, place)


def _in_block(document: Document, place: Range) -> bool:
    kinds = ("heading", "table")
    return any(block.kind in kinds and block.start <= place.start < block.end for block, _ in document.walk())


def _headings(document: Document) -> Iterator[Block]:
    return (block for block, _ in document.walk() if block.kind == "heading")


def _heading(block: Block) -> str:
    return " ".join("".join(_words(block.inlines)).split())


def _words(inlines: Iterable[Inline]) -> Iterator[str]:
    """A heading's text as its slug is made of it: code counts, pictures and tags do not; a macro is not known."""
    for node in inlines:
        if node.kind in ("text", "escape", "code"):
            yield node.text
        elif node.kind == "break":
            yield " "
        elif node.kind == "macro":
            yield "\ufffc"
        elif node.kind in ("emphasis", "link", "autolink"):
            yield from _words(node.children)


def github_slug(text: str) -> str:
    """The id that GitHub, and the generators that follow it, give a heading."""
    return _PUNCTUATION.sub("", text.strip().lower()).replace(" ", "-")


def _next_python_markdown(id_: str) -> str:
    """The id that Python-Markdown tries after a taken one."""
    counted = _COUNTED.fullmatch(id_)
    return f"{counted[1]}_{int(counted[2]) + 1}" if counted else f"{id_}_1"


def _named(
    texts: Iterable[str], taken: set[str], slug: Callable[[str], str], following: Callable[[str], str]
) -> Iterator[str]:
    used = set(taken)
    reached: dict[str, str] = {}  # from where to try on: a page of equal headings would take the square of their number
    for text in texts:
        wanted = slug(text)
        id_ = reached.get(wanted, wanted)
        while not id_ or id_ in used:
            id_ = following(id_)
        reached[wanted] = id_
        used.add(id_)
        yield id_


def _github(texts: Iterable[str]) -> Iterator[str]:
    """GitHub counts how often a slug was asked for, and tries the numbers from there."""
    asked: dict[str, int] = {}
    for text in texts:
        slug = id_ = github_slug(text)
        while id_ in asked:
            asked[slug] += 1
            id_ = f"{slug}-{asked[slug]}"
        asked[id_] = 0
        yield id_


def _components(document: Document) -> Iterator[str]:
    """What the components of a page may make anchors of."""
    if document.dialect not in (Dialect.MDX, Dialect.DOCUSAURUS, Dialect.HUGO):
        return
    for tag in document.tags:
        if tag.name[:1].isupper():
            for name in _NAMING:
                if found := tag.attributes.get(name):
                    yield found.value
                    yield github_slug(found.value)
