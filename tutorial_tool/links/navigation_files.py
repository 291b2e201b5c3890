"""The files in which generators that are no MkDocs keep their navigation: which pages they name, and where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from posixpath import dirname, join, normpath
from typing import Literal, NamedTuple

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source, Span
from tutorial_tool.core.traced import plain
from tutorial_tool.links import literals
from tutorial_tool.links.literals import List, Object, Text, Value

Trust = Literal["hosted", "built", "slip"]
"""What it tells that a page is not there: `hosted`, that no program writes pages before the site is published; `built`,
that one may; `slip`, that the entry may name more than a file beside it."""


class Named(NamedTuple):
    """A page that a navigation names, as it is written there.

    `files` are the paths where it may stand, with a suffix or without, `urls` its addresses below the base of the site.
    `stands` where it is known to be there all the same.
    """

    name: str
    span: Span
    files: tuple[str, ...]
    trust: Trust = "built"
    urls: tuple[str, ...] = ()
    stands: bool = False


Reader = Callable[[Source, str], Iterator[Named]]  # Takes a file, and the folder that it stands in
_PATH = lazy_re.compile(r"(?!\.\.\.|[\w+.-]+:|/)[^\s*?#|{}<>\[\]!$,;:\"'`\\]+(?: [^\s*?#|{}<>\[\]!$,;:\"'`\\]+)*")
"""What can be nothing but a relative path: no pattern, no address, no operation of an API."""
_WORDLESS = lazy_re.compile(r"\S+")
_SOURCE = lazy_re.compile(r"[^\s*]+\.(?:mdx?|markdown|qmd|ipynb|[rR]md)")


def reader(name: str, beside: Callable[[str], bool]) -> Reader | None:
    """What reads a file of a name, if it may be one of navigation. `beside` tells whether another stands there."""
    for pattern, read, mark in _READERS:
        if pattern.fullmatch(name) and (not mark or beside(mark)):
            return read
    return None


# Data


def _texts(node: data.Node | None, key: str = "") -> Iterator[tuple[str, data.Scalar]]:
    """The texts in a node in their order, each with the key that it, or the list around it, stands under."""
    todo = [(key, node)]
    while todo:
        key, entry = todo.pop()
        if isinstance(entry, data.Scalar):
            yield key, entry
        elif isinstance(entry, data.Sequence):
            todo += [(key, item) for item in reversed(entry.items)]
        elif isinstance(entry, data.Mapping):
            todo += [(plain(name.text), value) for name, value in reversed(entry.items)]


def _root(source: Source) -> data.Node | None:
    return data.load_yaml(source).node


def _scalar(node: data.Scalar, *folders: str, trust: Trust = "built") -> Named:
    name = plain(node.text)
    return Named(name, node.span, tuple(normpath(join(folder, name)) for folder in folders), trust)


def _of_fern(source: Source, folder: str) -> Iterator[Named]:
    """`docs.yml` of Fern, and the files of its versions and products; paths count from the file."""
    for key, node in _texts(_root(source)):
        if key in ("path", "summary") and _SOURCE.fullmatch(plain(node.text)):
            yield _scalar(node, folder, dirname(folder), trust="hosted")


def _of_mystmd(source: Source, folder: str) -> Iterator[Named]:
    for key, node in _texts(data.at(_root(source), "project", "toc")):
        if key == "file" and _PATH.fullmatch(plain(node.text)):
            yield _scalar(node, folder)


def _of_jupyter_book(source: Source, folder: str) -> Iterator[Named]:
    """`_toc.yml`; a project of Sphinx may keep it in a folder of its own."""
    root = _root(source)
    for key, node in _texts(root):
        if (key == "file" or (key == "root" and data.at(root, "root") is node)) and _PATH.fullmatch(plain(node.text)):
            yield _scalar(node, folder, dirname(folder))


_OF_QUARTO = frozenset("contents chapters appendices href file part section left right tools menu sidebar".split())


def _of_quarto(source: Source, folder: str) -> Iterator[Named]:
    root = _root(source)
    made = data.text_at(root, "quartodoc", "dir") or ("reference" if data.at(root, "quartodoc") else "")
    for part in (data.at(root, "website", "sidebar"), data.at(root, "website", "navbar"), data.at(root, "book")):
        for key, node in _texts(part):
            name = plain(node.text).lstrip("/")
            if key in _OF_QUARTO and _SOURCE.fullmatch(name) and not (made and name.startswith(f"{made.strip('/')}/")):
                yield Named(plain(node.text), node.span, (normpath(join(folder, name)),))


def _of_awesome(source: Source, folder: str) -> Iterator[Named]:
    """`.nav.yml` of awesome-nav, `.pages` of awesome-pages: pages and folders beside it."""
    root = _root(source)
    todo = [data.at(root, key) for key in ("arrange", "nav")]
    while todo:
        node = todo.pop()
        if isinstance(node, data.Sequence):
            todo += reversed(node.items)
        elif isinstance(node, data.Mapping):
            todo += [] if node.get("glob") is not None else reversed([value for _, value in node.items])
        elif isinstance(node, data.Scalar) and _PATH.fullmatch(plain(node.text)):
            is_page = _SOURCE.fullmatch(plain(node.text)) is not None
            yield _scalar(node, folder, trust="built" if is_page else "slip")


def _of_tocs(keys: tuple[str, ...], trust: Trust, source: Source, folder: str) -> Iterator[Named]:
    """Entries that name files under a key."""
    for key, node in _texts(_root(source)):
        path = re.split(r"[?#]", plain(node.text))[0]
        if key in keys and _SOURCE.fullmatch(path) and _PATH.fullmatch(path):
            yield Named(plain(node.text), node.span, (normpath(join(folder, path)),), trust)


# JSON and programs


def _named(source: Source, text: Text, folder: str, trust: Trust = "built") -> Named:
    return Named(text.value, source.span(text.start, text.end), (normpath(join(folder, text.value)),), trust)


def _object(source: Source, key: str) -> Value:
    """What a file in JSON says under a key."""
    root = literals.value_at(source.text, 0)
    return root.get(key) if isinstance(root, Object) else None


def _of_mintlify(source: Source, folder: str) -> Iterator[Named]:
    """Pages by their paths without suffix; a description of an API may bring in others."""
    if source.path.endswith("docs.json") and "mintlify" not in source.text:
        return
    for entry in literals.inside(_object(source, "navigation")):
        if not isinstance(entry, Object):
            continue
        pages, root = entry.get("pages"), entry.text("root")
        texts = [item for item in pages.items if isinstance(item, Text)] if isinstance(pages, List) else []
        trust: Trust = "built" if entry.has("openapi") or entry.has("asyncapi") else "hosted"
        for text in (*([root] if root else ()), *texts):
            name = text.value.lstrip("/")
            if _PATH.fullmatch(name) and _WORDLESS.fullmatch(name):
                yield Named(text.value, source.span(text.start, text.end), (normpath(join(folder, name)),), trust)


def _of_fumadocs(source: Source, folder: str) -> Iterator[Named]:
    pages = _object(source, "pages")
    for text in pages.items if isinstance(pages, List) else ():
        if isinstance(text, Text) and _PATH.fullmatch(text.value) and "---" not in text.value:
            yield _named(source, text, folder, "slip")


_EXPORTED = lazy_re.compile(r"\bexport\s+default\s+|\bmodule\.exports\s*=\s*|\A\s*(?=\{)")
_NO_PAGES = ("separator", "menu")


def _of_nextra(source: Source, folder: str) -> Iterator[Named]:
    """Keys of `_meta.json` or `_meta.js`: the pages and folders beside it, or routes of the program."""
    match = _EXPORTED.search(source.text)
    root = literals.value_at(source.text, match.end()) if match else None
    for key, value in root.items if isinstance(root, Object) else ():
        kind = value.text("type") if isinstance(value, Object) else None
        is_page = isinstance(value, Text) or (
            isinstance(value, Object) and not value.has("href") and not (kind and kind.value in _NO_PAGES)
        )
        if is_page and _PATH.fullmatch(key.value):
            yield _named(source, key, folder, "slip")


_READERS: tuple[tuple[re.Pattern[str], Reader, str], ...] = (
    (lazy_re.compile(r"mint\.json|docs\.json"), _of_mintlify, ""),
    (lazy_re.compile(r"docs\.yml"), _of_fern, "fern.config.json"),
    (lazy_re.compile(r"myst\.ya?ml"), _of_mystmd, ""),
    (lazy_re.compile(r"_toc\.ya?ml"), _of_jupyter_book, ""),
    (lazy_re.compile(r"_quarto\.ya?ml"), _of_quarto, ""),
    (lazy_re.compile(r"sidebars\.ya?ml"), partial(_of_tocs, ("page",), "built"), "redocly.yaml"),
    (lazy_re.compile(r"(?:toc|TOC)\.yml"), partial(_of_tocs, ("href", "topicHref", "homepage"), "slip"), "docfx.json"),
    (lazy_re.compile(r"_meta\.(?:json|[jt]sx?)"), _of_nextra, ""),
    (lazy_re.compile(r"meta\.json"), _of_fumadocs, "source.config.ts"),
)
"""By the name of a file: what reads it, and the file in a folder around it without which it is of another kind."""
OF_MKDOCS: tuple[tuple[str, str], ...] = ((".nav.yml", "awesome-nav"), (".pages", "awesome-pages"))
"""The files in which plugins of MkDocs keep the navigation of a folder."""
of_awesome: Reader = _of_awesome
