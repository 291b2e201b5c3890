"""Fences that Python-Markdown publishes as text, since it does not read what stands behind their language."""

from __future__ import annotations

import re
from typing import NamedTuple

from tutorial_tool.cache.results import Results
from tutorial_tool.core import lazy_re
from tutorial_tool.data import Mapping, Sequence, is_on, named, text_at
from tutorial_tool.links import Tree
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules._shared import _extensions
from tutorial_tool.site import Page, page_facts

_USUAL = lazy_re.compile(r"\.?[\w#.+-]*|\{[^{}]*\}|[\w#.+-]+ hl_lines=\"[\d -]+\"")
"""What each of the two readers takes."""
_LINES = lazy_re.compile(r"\{(?P<lines>\d+(?:-\d+)?(?:, ?\d+(?:-\d+)?)*)\}")
"""The lines to mark as other tools write them: `{1,3-4}`."""
_SUPERFENCES = ("pymdownx.superfences", "pymdownx.extra")


class Fence(NamedTuple):
    """What is typed behind the signs of a fence, without the blanks around it, and its place."""

    info: str
    place: Range

    @property
    def rest(self) -> Range:
        """What stands behind the language."""
        language = self.info.split(maxsplit=1)[0]
        behind = self.info[len(language) :].lstrip()
        return Range(self.place.end - len(behind), self.place.end) if behind else self.place

    @property
    def meant(self) -> str:
        """The same as both readers take it: with the lines to mark, or the language alone; "" where it has none."""
        marked = _LINES.search(self.info)
        language = re.split(r"[\s{,:]", self.info)[0]
        lines = marked["lines"].replace(" ", "").replace(",", " ") if marked else ""
        return f'{language} hl_lines="{lines}"' if lines else language


class Reader(NamedTuple):
    """What reads the fences of a site: the extension that does, and the names that it gives to readers of its own."""

    name: str
    relaxed: bool = False
    custom: frozenset[str] = frozenset()

    def reads(self, info: str, results: Results) -> bool:
        """Whether it makes code of a fence."""
        if _USUAL.fullmatch(info) is not None or info.split(maxsplit=1)[0] in self.custom:
            return True
        return results.get(lambda: _is_read(self, info), "fence", self.name, self.relaxed, info)


def _is_read(reader: Reader, info: str) -> bool:
    from markdown import markdown  # few pages have a fence that is asked about

    options = {reader.name: {"relaxed_headers": True}} if reader.relaxed else {}
    return "<pre" in markdown(f"```{info}\nx\n```\n", extensions=[reader.name], extension_configs=options)


def reader(tree: Tree) -> Reader | None:
    """The reader of a site's fences; None where something else may read them, too."""
    names = _extensions.turned_on(tree)
    if names is None or tree.node is None:
        return None
    if names.isdisjoint(_SUPERFENCES):
        return Reader("fenced_code")  # MkDocs turns it on
    options = dict(named(tree.node, "markdown_extensions")).get(_SUPERFENCES[0])
    if not isinstance(options, Mapping):
        return Reader(_SUPERFENCES[0])
    fences = options.get("custom_fences")
    custom = (
        frozenset(text_at(item, "name") for item in fences.items) if isinstance(fences, Sequence) else frozenset[str]()
    )
    return Reader(_SUPERFENCES[0], is_on(options, "relaxed_headers"), custom)


@page_facts.of_each
def unusual(page: Page) -> tuple[Fence, ...]:
    """The fences of a page for Python-Markdown with more than a language behind their signs."""
    if page.published_by is not Dialect.PYTHON_MARKDOWN:
        return ()
    result = []
    for block in page.document.code_blocks:
        if block.fence and block.info and not _USUAL.fullmatch(block.info):
            start = page.plain.index(block.info, block.start)
            result.append(Fence(block.info, Range(start, start + len(block.info))))
    return tuple(result)
