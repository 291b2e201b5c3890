"""Sphinx, MyST and Jupyter Book: pages published as files, and labels that links on any page may name."""

from __future__ import annotations

from functools import partial

from tutorial_tool.core import lazy_re
from tutorial_tool.links import urls
from tutorial_tool.links.generators import _programs
from tutorial_tool.links.generators.protocol import Configuration, Generator
from tutorial_tool.links.tree import Tree

_WRITING = lazy_re.compile(r"apidoc|autoapi|autodoc2|autosummary|gallery|breathe|exhale|jsonschema|sphinx_?multi")
"""Extensions that write pages before Sphinx reads them."""
_GENERATED = ("genindex.html", "search.html", "modindex.html")


def read_tree(configuration: Configuration) -> Tree:
    """Read the documents of a folder with a configuration."""
    folder, name, disk, _ = configuration
    text = _programs.read_program(folder, name)
    base, origin = _programs.find_base(text)
    return Tree(
        GENERATOR,
        folder,
        folder,
        base,
        origin,
        generated=_GENERATED,
        whole=_WRITING.search(text) is None,
        prefixes=True,
        static=_programs.existing_folders((folder,), ("_static",), disk),
        slugs="docutils",
    )


GENERATOR = Generator(
    "sphinx",
    "Sphinx",
    r"conf\.py|_toc\.yml|myst\.ya?ml",
    read_tree=read_tree,
    page_path=partial(urls.page_path, ending=".html"),
)
