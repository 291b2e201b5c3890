"""mdBook: the chapters that `SUMMARY.md` names, each published as a file."""

from __future__ import annotations

import re
from functools import partial

from tutorial_tool.core import lazy_re
from tutorial_tool.links import urls
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree

_SOURCE = lazy_re.compile(r"^[ \t]*src[ \t]*=[ \t]*[\"']([^\"']+)[\"']", re.MULTILINE)
_GENERATED = ("print.html", "toc.html", "404.html")


def read_tree(configuration: Configuration) -> Tree | None:
    """Read a book; None where its folder of chapters is not there."""
    folder, name, disk, _ = configuration
    text = _programs.read_program(folder, name)
    source = _SOURCE.search(text)
    docs = _programs.find_folder(folder, source and source[1], "src", disk)
    base, origin = _programs.find_base(text)
    return Tree(GENERATOR, folder, docs, base, origin, generated=_GENERATED, slugs="github") if docs else None


GENERATOR = Generator(
    "mdbook",
    "mdBook",
    r"book\.toml",
    read_tree=read_tree,
    page_path=partial(urls.page_path, ending=".html"),
    resolves_files=True,
)
