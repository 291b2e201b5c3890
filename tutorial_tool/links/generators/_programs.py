"""Values that can be read from configurations written as programs: constants, URLs, folders."""

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
_NAME = lazy_re.compile(r"\$\{(\w+)\}|(?<=: )([A-Za-z_]\w+)(?=,)")
_FROM_ENVIRONMENT = lazy_re.compile(r"\bprocess\.env(?:\.\w+|\[[\"']\w+[\"']\])\s*(?:\|\||\?\?)\s*(?=[\"'`])")
"""A variable of the environment in front of the value that is used without it."""
_OLD_MDX = lazy_re.compile(
    r"\"(?:@docusaurus/core\"\s*:\s*\"[^\d\"]*[012]|@mdx-js/mdx\"\s*:\s*\"[^\d\"]*[01]|gatsby-plugin-mdx\"\s*:\s*\"[^\d\"]*[0-3])\."
)
_TRAILING_SLASH = lazy_re.compile(r"\btrailingSlash\s*:\s*(true|false)\b")


def read_program(folder: str, name: str) -> str:
    """Read a program, with constants substituted in template strings and as values: `${BASE}/`, `base: BASE,`."""
    text = _FROM_ENVIRONMENT.sub("", read_text(folder, name))
    constants = {match[1]: match[3] for match in _CONSTANT.finditer(text)}
    quoted = {name: f'"{value}"' for name, value in constants.items()}
    return _NAME.sub(lambda match: (constants if match[1] else quoted).get(match[1] or match[2], match[0]), text)


def has_old_mdx(folder: str) -> bool:
    """Return whether a program has MDX 1."""
    return _OLD_MDX.search(read_text(folder, "package.json")) is not None


def find_base(text: str) -> tuple[str, str]:
    """Return the base of a site's URLs, with slashes at both ends, and its scheme and host, "" if not set."""
    base, origin = _BASE.search(text), _ORIGIN.search(text)
    path = base[1] if base else origin[2] if origin else ""
    return urls.normalize_base(split_url(path).path), origin[1] if origin else ""


def find_trailing_slash(text: str) -> bool | None:
    """Return the value of `trailingSlash`, or None if it is not set."""
    match = _TRAILING_SLASH.search(text)
    return match[1] == "true" if match else None


def find_folder(folder: str, stated: str | None, default: str, disk: Disk) -> str | None:
    """Return the folder of pages that a configuration sets, or the default one; None if it does not exist.

    A folder outside that of the configuration counts as not set.
    """
    path = normpath(join(folder, stated or default))
    path = path if f"{path}/".startswith(f"{folder.rstrip('/')}/") else normpath(join(folder, default))
    return path if not (stated or default) or disk.is_folder(path) else None


def select_existing_folders(parents: Iterable[str], names: tuple[str, ...], disk: Disk) -> tuple[str, ...]:
    """Return the static folders that exist; VitePress has its own among the pages."""
    paths = (normpath(join(parent, name)) for parent in dict.fromkeys(parents) for name in names)
    return tuple(path for path in paths if disk.is_folder(path))


# Navigation


_QUOTED = lazy_re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`([^`$]*)`")
_COMMENT = lazy_re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
_KEY = lazy_re.compile(r"^(?P<key>id|slug)[ \t]*:[ \t]*(?P<quote>[\"']?)(?P<value>[^\s\"'#]+)(?P=quote)", re.MULTILINE)


def strip_comments(text: str) -> str:
    """Strip the comments of a program."""
    return _COMMENT.sub("", text)


def find_texts(text: str) -> frozenset[str]:
    """Return the quoted strings of a program."""
    return frozenset(next(filter(None, match.groups()), "") for match in _QUOTED.finditer(text))


def find_sources(pages: Pages, folder: str, names: str) -> Iterator[Source]:
    """Yield the files in a folder whose names match a pattern."""
    for name in sorted(pages.disk.list_entries(folder)):
        if re.fullmatch(names, name) and (source := read_source(pages, folder, name)):
            yield source


def read_source(pages: Pages, folder: str, name: str) -> Source | None:
    """Read a file under the name that findings use; None if it does not exist."""
    file = normpath(join(folder, name))
    read = files.read(file, root=pages.root) if pages.disk.is_file(file) else None
    return read if isinstance(read, Source) else None


def find_values(source: Source, pattern: re.Pattern[str]) -> Iterator[literals.Value]:
    """Yield the values that begin after each match of a pattern."""
    return (literals.parse_value(source.text, match.end()) for match in pattern.finditer(source.text))


def read_stated(file: str, pages: Pages, key: str) -> str | None:
    """Return the `id` or `slug` in the front matter of a page, or None."""
    if page := pages.by_file.get(file):
        return urls.read_stated(page.document).get(key)
    read = files.read(file, root=pages.root)
    text = read.text if isinstance(read, Source) else ""
    front = text.split("\n---", 1)[0] if text.startswith("---") else ""
    return next((match["value"] for match in _KEY.finditer(front) if match["key"] == key), None)
