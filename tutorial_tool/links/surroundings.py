"""What stands beside the linted pages: other pages, and files that name pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tutorial_tool.config.settings import BASELINE
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.fs.globs import OF_OTHERS, OF_TESTS, matches
from tutorial_tool.links.disk import SUFFIXES, make_relative
from tutorial_tool.links.tree import Tree
from tutorial_tool.site import output_manifest

if TYPE_CHECKING:
    from tutorial_tool.links.pages import Pages

_NAMING = (
    *".css .scss .html .js .jsx .ts .tsx .yml .yaml .toml .json .vue .astro .rst .ipynb .adoc".split(),
    *SUFFIXES,
)
_BEGIN = 200  # Characters in which a file says what it is
_NEAR = 3  # How many folders deep files that name pictures are looked for


def is_fully_loaded(pages: Pages, tree: Tree) -> bool:
    """Whether all pages in the folder of a tree are linted, less what others or `render` wrote, what tests or templates
    read, and what its generator does not publish: a README beside its configuration, or a site below."""
    others = tuple(f"{pages.root.rstrip('/')}/{name}/" for name in (*OF_OTHERS, pages.site.layout.templates))
    results = (file for file in pages.disk.walk(pages.get_folder(tree)) if not file.startswith(others))
    lacking = (file for file in results if file.lower().endswith(SUFFIXES) and file not in pages.by_file)
    is_rendered = output_manifest.build_filter(pages.site.layout.root)
    lacking = (
        file for file in lacking if pages.publishes(tree, file) and not is_rendered(make_relative(file, pages.root))
    )
    return all(matches(OF_TESTS, make_relative(file, pages.root)) for file in lacking)


def iter_sources(pages: Pages) -> Iterator[Source]:
    """The files beside the pages that may name another: templates, data, configurations, styles, other pages.

    A baseline names what is missing and what is not shown: it is none of them.
    """
    yield from pages.site.sources.values()
    roots = (pages.get_folder(tree) if tree.is_plain else tree.root for tree in pages.trees)
    for file in dict.fromkeys(file for root in dict.fromkeys(roots) for file in pages.disk.walk(root, _NEAR)):
        names = file.endswith(_NAMING) and file not in pages.by_file
        read = files.read(file, root=pages.root) if names else None
        if isinstance(read, Source) and BASELINE not in read.text[:_BEGIN]:
            yield read
