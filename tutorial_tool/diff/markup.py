"""Detect differences outside of the compared parts: other blocks or markup around the same words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import unified_diff
from itertools import pairwise

from tutorial_tool.core import lazy_re
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.diff import PageChange
from tutorial_tool.markdown import directive_comments
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Block
from tutorial_tool.site import Page

_ID = lazy_re.compile(r"(?<=\S)[ \t]*\{:?[ \t]*#[^\s{}]+[ \t]*\}[ \t]*$", re.MULTILINE)
"""An explicit heading ID, without other attributes."""


def has_unexplained_change(changes: Sequence[PageChange], old: Page, new: Page) -> bool:
    """Return whether something differs that the changes do not explain: other blocks, or other markup.

    `changes` are all of them, including those of links that follow their pages.
    """
    if any(change.how != "changed" or change.kind in ("row", "columns", "code") for change in changes):
        return False  # additions and removals change the blocks anyway
    if _get_block_shape(old) != _get_block_shape(new):
        return True
    one_is_made = old.generated != new.generated  # so are its heading IDs; lost ones are reported as anchors
    return not changes and _get_body_words(old, no_ids=one_is_made) != _get_body_words(new, no_ids=one_is_made)


def _get_block_shape(page: Page) -> list[tuple[str, str, bool]]:
    """Return the blocks of a page with their parents, and whether each list is loose."""
    text = directive_comments.strip_comments(page.plain, page.dialect)
    document = page.document if len(text) == len(page.text) else Document(text, page.dialect)
    walked = document.walk()
    return [(block.kind, parent.kind if parent else "", _is_loose(block, document.text)) for block, parent in walked]


def _is_loose(block: Block, text: str) -> bool:
    """Return whether a list is loose: blank lines separate its items, or the blocks of one."""
    if block.kind != "list":
        return False
    inner = [pair for item in block.children for pair in pairwise(item.children)]
    between = [*pairwise(block.children), *inner]
    return any(text[before.start : after.start].rstrip(" \t").endswith("\n\n") for before, after in between)


def _get_body_words(page: Page, *, no_ids: bool) -> list[str]:
    """Return the words of a page below its front matter, with markup."""
    text = strip_origins(directive_comments.strip_comments(page.text, page.dialect))
    body = text[directive_comments.find_body_start(text) :]
    return (_ID.sub("", body) if no_ids else body).split()


def build_change(old: Page, new: Page) -> PageChange:
    """Build a change of the differing lines, for differences outside of the text."""
    texts = (directive_comments.strip_comments(page.text, page.dialect) for page in (old, new))
    was, is_ = (strip_origins(text).splitlines() for text in texts)
    lines = list(unified_diff(was, is_, lineterm="", n=0))[2:]
    removed = "\n".join(line[1:] for line in lines if line.startswith("-"))
    added = "\n".join(line[1:] for line in lines if line.startswith("+"))
    offset = new.plain.find(added.partition("\n")[0]) if added else -1
    source, _ = new.get_source_span(max(offset, 0), max(offset, 0) + 1)
    return PageChange("markup", "changed", removed, added, source=source)
