"""Included pages: expands snippets of `pymdownx.snippets` and whole pages in place, to find their anchors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.links.disk import Disk
from tutorial_tool.links.tree import Tree
from tutorial_tool.markdown import shortcodes
from tutorial_tool.site import Page, page_facts

MARK = "8<-"
_LINE = lazy_re.compile(
    r"""^(?P<indent>[ \t]*)-{1,}8<-{1,}[ \t]+(?P<quote>["'])(?P<name>[^"'\n:]+)(?P=quote)[ \t]*$""", re.MULTILINE
)
"""A snippet that is a whole file. Parts of files and lists of files are not expanded."""
_INCLUDE = lazy_re.compile(
    r"\{\{#(?:include|template)\s+([^\s:{}]+\.md)|<!--\s*@include:\s*([^\s{}<>#]+\.md)"
    r"|^!!!\s*include\s*\(([^()\n]+\.md)\)\s*!!!"
    r"|\{%-?\s*include(?:_relative)?\s+([^\s%{}]+\.md)|\{!-?\s*([^\s{}!]+\.md)\s*-?!\}"
    r"|^[ \t]*(?:`{3,}|:{3,})[ ]*\{include\}[ \t]+(\S+\.md)[ \t]*$",
    re.MULTILINE,
)
"""Includes of mdBook, VitePress, a VuePress plugin, Jekyll, Python-Markdown, and MyST, with the path of each page."""
_DEEPEST, _LARGEST = 6, 2_000_000  # Maximum nesting depth of snippets, and maximum characters of a page with them


def expand_text(text: str, tree: Tree, root: str, known: dict[str, Source | Finding]) -> str:
    """Return a page's text with its snippets expanded. What cannot be read is unchanged.

    Findings name paths relative to `root`. `known` caches the files that were read.
    """
    folders = [normpath(join(tree.root, folder)) for folder in _get_base_paths(tree)]

    def find(match: re.Match[str], _folder: str) -> tuple[str, str] | None:
        for file in (join(folder, match["name"].strip()) for folder in folders):
            if file not in known:
                known[file] = files.read(file, root=root)
            if isinstance(read := known[file], Source):
                return file, read.text
        return None

    return _expand_text(text, _LINE, find, "")


_PAGE = lazy_re.compile(
    r"<!--[ \t]*@include:[ \t]*([^\s{}<>#]+\.md)[ \t]*-->|\{\{#(?:include|template)[ \t]+([^\s:{}]+\.md)[^{}\n]*\}\}"
    r"|^!!![ \t]*include[ \t]*\([ \t]*([^()\n]+\.md)[ \t]*\)[ \t]*!!!|<include\s[^<>]*?\bfrom=\"([^\"]+)\"[^<>]*>",
    re.MULTILINE,
)
"""A whole page that VitePress, VuePress or mdBook includes, or a part of one in Writerside."""


def expand_pages(text: str, folder: str, tree: Tree, disk: Disk, root: str) -> str:
    """Return a page's text with included pages expanded, by paths relative to its folder, or by name."""

    def find(match: re.Match[str], folder: str) -> tuple[str, str] | None:
        path = next(filter(None, match.groups()))
        folders = (folder, tree.docs, tree.root) if match[3] else (folder,)
        walked = chain.from_iterable(map(disk.walk, tree.folders)) if match[4] else ()
        named = (file for file in walked if basename(file) == path)
        tried = [join(tree.docs, path[2:])] if path.startswith("@/") else [join(base, path) for base in folders]
        reads = ((file, files.read(file, root=root)) for file in map(normpath, chain(tried, named)))
        return next(((file, read.text) for file, read in reads if isinstance(read, Source)), None)

    return _expand_text(text, _PAGE, find, folder)


def _expand_text(
    text: str,
    pattern: re.Pattern[str],
    find: Callable[[re.Match[str], str], tuple[str, str] | None],
    folder: str,
    depth: int = 0,
) -> str:
    """Return a text with included files in place of what `pattern` matches, recursively.

    `find` returns the path and text of the file for a match in a folder, or None. A match is unchanged if it has no
    file, if the included text would exceed two million characters, or if it is nested too deep.
    """
    out, at, size = [], 0, 0
    for match in pattern.finditer(text) if depth <= _DEEPEST else ():
        file, brought = find(match, folder) or ("", "")
        if not file or size + len(brought) > _LARGEST:
            continue
        inner = _expand_text(_strip_front_matter(brought), pattern, find, dirname(file), depth + 1)
        size += len(inner)
        indent = match.groupdict().get("indent", "")
        lines = (indent + line if line else "" for line in inner.split("\n"))
        out += [text[at : match.start()], "\n".join(lines)]
        at = match.end()
    return "".join([*out, text[at:]])


_NAMED = lazy_re.compile(r"\{\{#(?:include|rustdoc_include|playground|template)[ \t]+([^\s:{}]+)")
"""A file, or a part of one, that mdBook includes."""


class MissingFile(NamedTuple):
    """A missing file that a page includes: the name as written, and its offsets."""

    name: str
    start: int
    end: int
    folders: tuple[str, ...]  # Folders to search


def may_include_files(page: Page) -> bool:
    """Return whether a page may include files."""
    return MARK in page.plain or _NAMED.search(page.plain) is not None


def find_missing(text: str, folder: str, tree: Tree, disk: Disk) -> Iterator[MissingFile]:
    """Yield the included files that are missing from an existing folder."""
    if tree.generator.includes == "snippets":
        if MARK not in text:
            return
        bases = [normpath(join(tree.root, base)) for base in _get_base_paths(tree)] if _is_plain(tree) else []
        matches = ((match["name"].strip(), match.start("name")) for match in _LINE.finditer(text))
    else:
        bases = [folder] if tree.generator.proves_includes else []
        matches = ((match[1], match.start(1)) for match in _NAMED.finditer(text) if text[match.start() - 1] != "\\")
    for name, start in matches if bases else ():
        files = [normpath(join(base, name)) for base in bases]
        folders = tuple(dirname(file) for file in files if disk.is_folder(dirname(file)))
        if folders and "://" not in name and not any(map(disk.is_file, files)):
            yield MissingFile(name, start, start + len(name), folders)


@lru_cache(maxsize=64)
def _is_plain(tree: Tree) -> bool:
    """Return whether the snippets' folders are known: the extension is enabled, and its paths are plain."""
    on = tree.node is not None and "pymdownx.snippets" in dict(data.iter_named(tree.node, "markdown_extensions"))
    return on and not tree.adds_pages and not any(sign in base for base in _get_base_paths(tree) for sign in "$!{")


_JINJA = lazy_re.compile(r"\{%-?[ \t]*include[ \t]+([\"'])(?P<name>[^\"'\n]+\.md)\1")


@page_facts.register
def find_named_files(page: Page) -> set[str]:
    """Return the paths of a page's snippets, as far as they are below the folder that they are relative to."""
    text = page.document.text
    patterns = (*([_LINE] if MARK in text else []), *([_JINJA] if "{%" in text else []))
    names = (match["name"].strip() for pattern in patterns for match in pattern.finditer(text))
    return {normpath(f"/{name}") for name in names}


@page_facts.register
def find_included_pages(page: Page) -> set[str]:
    """Return the paths of pages that a page includes with other engines' syntax, as written."""
    text = page.document.text
    if ".md" not in text:
        return set()
    including = _INCLUDE.finditer(text) if any(sign in text for sign in ("include", "{{#template", "{!")) else ()
    matches = {next(filter(None, match.groups())) for match in including}
    calls = (call for call in shortcodes.find_shortcodes(text) if call.name not in shortcodes.REFERS)
    return matches | {argument.value for call in calls for argument in call.arguments if argument.value.endswith(".md")}


def _strip_front_matter(text: str) -> str:
    """Return a snippet without its front matter."""
    front = data.find_front_matter(text)
    return text[front.body :] if front else text


@lru_cache(maxsize=64)
def _get_base_paths(tree: Tree) -> tuple[str, ...]:
    """Return the folders of snippets, relative to that of the configuration."""
    for name, options in data.iter_named(tree.node, "markdown_extensions") if tree.node is not None else ():
        stated = options.get("base_path") if name == "pymdownx.snippets" and isinstance(options, data.Mapping) else None
        if isinstance(stated, data.Scalar):
            return (stated.plain,)
        if isinstance(stated, data.Sequence):
            return tuple(item.plain for item in stated.items if isinstance(item, data.Scalar))
    return (".",)
