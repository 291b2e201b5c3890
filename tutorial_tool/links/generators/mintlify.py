"""Mintlify: links to pages as files, and heading ids in its own style."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice

from tutorial_tool.core import lazy_re
from tutorial_tool.links import urls
from tutorial_tool.links.disk import Disk, read_text
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import ELSEWHERE, Tree

_PAGE = lazy_re.compile(r"\"([\w-][\w.-]*(?:/[\w.-]+)+)\"")
_FULL = lazy_re.compile(r"\"href\"\s*:\s*\"https?://[^/\"]+/([\w./-]+?)/?\"")
_SCHEMA = lazy_re.compile(r"\"\$schema\"\s*:\s*\"[^\"]*\bmintlify\b")

_DESCRIBED = lazy_re.compile(r"\{[^{}]*\"(?:open|async)api\"\s*:(?:[^{}]|\{[^{}]*\})*\}")
_LISTED = lazy_re.compile(r"\"pages\"\s*:\s*\[(?!\s*\"[A-Z]+ /)")
_FOLDER = lazy_re.compile(r"\"directory\"\s*:\s*\"/?([^\"]+?)/?\"")


def read_tree(configuration: Configuration) -> Tree | None:
    """Read the pages in the folder of a configuration; None if a `docs.json` is another program's."""
    folder, name, disk, _ = configuration
    text = read_text(folder, name)
    if name == "docs.json" and not _SCHEMA.search(text):
        return None
    return Tree(GENERATOR, folder, folder, slugs="collapsed", generated=tuple(_find_built_folders(folder, text, disk)))


def _find_built_folders(folder: str, text: str, disk: Disk) -> Iterator[str]:
    """Yield the folders that may exist only after a build.

    They are missing folders with many listed pages, those of APIs whose pages a group does not list, and those of full
    URLs in the navigation, which may be other parts of the host.
    """
    missing = Counter[str]()
    for path in dict.fromkeys(_PAGE.findall(text)):
        parents = [path[: match.start()] for match in re.finditer("/", path)]
        absent = (parent for parent in parents if not disk.is_folder(f"{folder}/{parent}"))
        missing.update(islice(absent, 1))
    yield from (parent for parent, pages in missing.items() if pages >= ELSEWHERE)
    groups = (group for group in _DESCRIBED.findall(text) if '"group"' in group or '"tab"' in group)
    described = (_FOLDER.search(group) for group in groups if not _LISTED.search(group))
    yield from (stated[1] if stated else "api-reference" for stated in described)
    yield from (path for path in _FULL.findall(text) if not disk.is_folder(f"{folder}/{path}"))


GENERATOR = Generator(
    "mintlify",
    "Mintlify",
    r"docs\.json|mint\.json",
    precedence=4,
    read_tree=read_tree,
    build_page_path=partial(urls.build_page_path, is_rooted=True),
    is_plain=True,
    states_urls=False,
)
