"""What links know of a site generator: its facts and functions, in one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tutorial_tool.links import urls

if TYPE_CHECKING:
    from tutorial_tool.links.disk import Disk
    from tutorial_tool.links.tree import Tree

PagePath = Callable[["Tree", str, Mapping[str, str]], str]
"""Takes a tree, the path of a page below its docs folder, and what the page's front matter states of its URL."""


class Configuration(NamedTuple):
    """A file or folder that a generator is recognized by; findings name paths from the folder `root`."""

    folder: str
    name: str
    disk: Disk
    root: str


def _read_nothing(_configuration: Configuration) -> Tree | None:
    return None


@dataclass(frozen=True, eq=False)
class Generator:
    """A site generator, or the absence of one.

    `name` tells it from others, "" where no generator publishes the pages; `title` is how it writes its own name.
    `configuration` is a pattern of the names that it is recognized by; those of a lower `precedence` are asked first.
    `read_tree` reads a folder with such a configuration; None where it turns out to be another program's.
    `read_beside` does so where the configuration is in a folder beside the pages, `read_page` where a page is in a
    folder that is published by convention.
    `page_path` gives the path of a page's URL below the base of its tree.
    `is_plain` where pages are read as files, at the paths that they have; `is_exact` where URLs follow from the paths
    of files alone and nothing is guessed.
    """

    name: str
    title: str = ""
    configuration: str = ""
    precedence: int = 2
    read_tree: Callable[[Configuration], Tree | None] = _read_nothing
    read_beside: Callable[[str, Disk], Tree | None] | None = None
    read_page: Callable[[str, Disk], Tree | None] | None = None
    page_path: PagePath = urls.page_path
    is_plain: bool = False
    is_exact: bool = False
