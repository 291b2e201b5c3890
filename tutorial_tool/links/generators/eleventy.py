"""Eleventy: a folder of templates, whose headings have no ids unless a plugin adds them."""

from __future__ import annotations

from tutorial_tool.core import lazy_re
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree

_TEMPLATES = (".njk", ".liquid", ".webc", ".html", ".11ty.js", ".11ty.ts", ".hbs", ".mustache", ".ejs", ".haml", ".pug")
_INPUT = lazy_re.compile(r"\binput\s*:\s*[\"']([^\"']+)[\"']")
_COPIED = lazy_re.compile(r"\baddPassthroughCopy\(\s*\{([^{}]*)\}")
_INTO = lazy_re.compile(r":\s*[\"'](?:\./)?/?([^\"']+)[\"']")


def read_tree(configuration: Configuration) -> Tree | None:
    """Read a site; None if its folder of templates does not exist."""
    folder, name, disk, _ = configuration
    text = _programs.read_program(folder, name)
    stated = _INPUT.search(text)
    docs = _programs.find_folder(folder, stated and stated[1], "", disk)
    base, origin = _programs.find_base(text)
    copied = tuple(path for match in _COPIED.finditer(text) for path in _INTO.findall(match[1]))
    if not docs:
        return None
    return Tree(GENERATOR, folder, docs, base, origin, adds_base=True, slugs="github", has_ids=False, generated=copied)


GENERATOR = Generator(
    "eleventy",
    "Eleventy",
    r"\.eleventy\.c?js|eleventy\.config\.[cm]?[jt]s",
    read_tree=read_tree,
    precedence=3,
    templates=_TEMPLATES,
)
