"""What is plain to see of configurations that are programs: constants, addresses, folders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from posixpath import join, normpath
from typing import TYPE_CHECKING

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.links import literals, urls
from tutorial_tool.links.disk import Disk, read_text
from tutorial_tool.links.urls import split_url

if TYPE_CHECKING:
    from tutorial_tool.links.pages import Pages

_BASE = lazy_re.compile(r"\b(?:baseUrl|base|baseurl|baseURL)[\"']?\s*[:=]\s*[\"'`]?(/[^\"'`\s,$]*+)(?!\$)")
_ORIGIN = lazy_re.compile(r"\b(?:url|site|baseURL)[\"']?\s*[:=]\s*[\"']?(https?://[^\"'/\s,]+)([^\"'\s,]*)")
_CONSTANT = lazy_re.compile(r"^(?:export[ \t]+)?const[ \t]+(\w+)[ \t]*=[ \t]*([\"'`])([^\"'`\n$]*)\2", re.MULTILINE)
_NAME = lazy_re.compile(r"\$\{(\w+)\}")
_TRAILING_SLASH = lazy_re.compile(r"\btrailingSlash\s*:\s*(true|false)\b")


def read_program(folder: str, name: str) -> str:
    """Read a program, with its constants written out where a template names them: `${BASE}/`."""
    text = read_text(folder, name)
    constants = {match[1]: match[3] for match in _CONSTANT.finditer(text)} if "${" in text else {}
    return _NAME.sub(lambda match: constants.get(match[1], match[0]), text) if constants else text


def find_base(text: str) -> tuple[str, str]:
    """Find the base of a site's URLs, from slash to slash, and its scheme and host, "" where none is stated."""
    base, origin = _BASE.search(text), _ORIGIN.search(text)
    path = base[1] if base else origin[2] if origin else ""
    return urls.normalize_base(split_url(path).path), origin[1] if origin else ""


def find_trailing_slash(text: str) -> bool | None:
    """Find what `trailingSlash` says; None where it says nothing."""
    match = _TRAILING_SLASH.search(text)
    return match[1] == "true" if match else None


def find_folder(folder: str, stated: str | None, default: str, disk: Disk) -> str | None:
    """Find the folder of pages that a configuration states, or the default one; None where it is not there."""
    path = normpath(join(folder, stated or default))
    path = path if f"{path}/".startswith(f"{folder.rstrip('/')}/") else normpath(join(folder, default))
    return path if not (stated or default) or disk.is_folder(path) else None


def select_existing_folders(parents: Iterable[str], names: tuple[str, ...], disk: Disk) -> tuple[str, ...]:
    """Keep the folders of files that are there: VitePress has its own among the pages."""
    paths = (join(parent, name) for parent in dict.fromkeys(parents) for name in names)
    return tuple(path for path in paths if disk.is_folder(path))


# Navigation


_QUOTED = lazy_re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`([^`$]*)`")
_COMMENT = lazy_re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
_KEY = lazy_re.compile(r"^(?P<key>id|slug)[ \t]*:[ \t]*(?P<quote>[\"']?)(?P<value>[^\s\"'#]+)(?P=quote)", re.MULTILINE)
_FRONT_CHARACTERS = 3000  # Characters of a page that is not linted in which its front matter is looked for


def strip_comments(text: str) -> str:
    """Strip the comments of a program."""
    return _COMMENT.sub("", text)


def find_texts(text: str) -> frozenset[str]:
    """Find the quoted texts of a program."""
    return frozenset(next(filter(None, match.groups()), "") for match in _QUOTED.finditer(text))


def find_sources(pages: Pages, folder: str, names: str) -> Iterator[Source]:
    """Read the files in a folder whose names match a pattern."""
    for name in sorted(pages.disk.list_entries(folder)):
        if re.fullmatch(names, name) and (source := read_source(pages, folder, name)):
            yield source


def read_source(pages: Pages, folder: str, name: str) -> Source | None:
    """Read a file with the name that findings give it; None where it is not there."""
    file = normpath(join(folder, name))
    read = files.read(file, root=pages.root) if pages.disk.is_file(file) else None
    return read if isinstance(read, Source) else None


def find_values(source: Source, pattern: re.Pattern[str]) -> Iterator[literals.Value]:
    """Read the values that begin behind what a pattern finds."""
    return (literals.parse_value(source.text, match.end()) for match in pattern.finditer(source.text))


def read_stated(file: str, pages: Pages, key: str) -> str | None:
    """Read what the front matter of a page states as its `id` or `slug`."""
    if page := pages.by_file.get(file):
        return urls.read_stated(page.document).get(key)
    read = files.read(file, root=pages.root)
    text = read.text[:_FRONT_CHARACTERS] if isinstance(read, Source) else ""
    front = text.split("\n---", 1)[0] if text.startswith("---") else ""
    return next((match["value"] for match in _KEY.finditer(front) if match["key"] == key), None)
