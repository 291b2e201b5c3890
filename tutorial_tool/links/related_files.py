"""Files that are not linted but matter to links: other pages, and files that name images."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tutorial_tool.config.settings import BASELINE
from tutorial_tool.core.source import Source
from tutorial_tool.fs import files
from tutorial_tool.fs.globs import OF_OTHERS, OF_TESTS, matches
from tutorial_tool.links.disk import SUFFIXES, make_relative
from tutorial_tool.links.tree import MAX_LEVELS, Tree
from tutorial_tool.site import output_manifest

if TYPE_CHECKING:
    from tutorial_tool.links.pages import Pages

_NAMING = (
    *".css .scss .html .topic .js .jsx .ts .tsx .yml .yaml .toml .json .vue .astro .rst .ipynb .adoc".split(),
    *SUFFIXES,
)


def is_fully_loaded(pages: Pages, tree: Tree) -> bool:
    """Return whether all pages in the folder of a tree are linted.

    Pages that others or `render` wrote do not count, nor those that tests or templates read, nor those that its
    generator does not publish: a README next to its configuration, or a site below.
    """
    others = tuple(f"{pages.root.rstrip('/')}/{name}/" for name in (*OF_OTHERS, pages.site.layout.templates))
    results = (file for file in pages.disk.walk(pages.get_folder(tree)) if not file.startswith(others))
    lacking = (file for file in results if file.lower().endswith(SUFFIXES) and file not in pages.by_file)
    is_rendered = output_manifest.build_filter(pages.site.layout.root)
    lacking = (
        file for file in lacking if pages.publishes(tree, file) and not is_rendered(make_relative(file, pages.root))
    )
    return all(matches(OF_TESTS, make_relative(file, pages.root)) for file in lacking)


def iter_sources(pages: Pages) -> Iterator[Source]:
    """Yield the files that may name others: templates, data, configurations, styles, pages not linted.

    A baseline is none of them, as it names what is missing and what is not shown.
    """
    yield from pages.site.sources.values()
    roots = (pages.get_folder(tree) if tree.is_plain else tree.root for tree in pages.trees)
    for file in dict.fromkeys(file for root in dict.fromkeys(roots) for file in pages.disk.walk(root, MAX_LEVELS)):
        names = file.endswith(_NAMING) and file not in pages.by_file
        read = files.read(file, root=pages.root) if names else None
        if isinstance(read, Source) and BASELINE not in read.text:
            yield read
