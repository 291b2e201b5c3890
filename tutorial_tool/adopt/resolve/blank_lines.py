"""Unify blank lines around what some copies have between texts of all, if a parser reads the same blocks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from tutorial_tool.adopt.lines import Column, is_blank
from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import Document
from tutorial_tool.markdown.parser import Dialect

_COMPONENT = lazy_re.compile(r"(?:^|\n)[ \t]*</?[A-Z]")
_BLANK = lazy_re.compile(r"\n[ \t]*\n")
_BLANK_ENDS = lazy_re.compile(r"\A(?:[ \t]*\n)+|(?<=\n)(?:[ \t]*\n)+\Z")
Texts = dict[str, str]  # Texts by platform


def unify_blank_lines(columns: Sequence[Column], platforms: Sequence[str]) -> tuple[Texts, int]:
    """Return the copies' texts with even blank lines, and in how many places these differed."""
    groups = groupby(columns, key=lambda column: len(column) == len(platforms) and not is_blank(column))
    parts = [(is_common, list(group)) for is_common, group in groups]
    texts = [{p: "".join(c[p].text for c in part if p in c) for p in platforms} for _, part in parts]
    count = 0
    for index, (is_common, part) in enumerate(parts[:-1]):
        if index and not is_common and next(iter(part[0].values())).kind != "front":
            before, texts[index] = texts[index], _unify_ends(texts[index])
            if not all(_reads_alike(texts, index, platform, before[platform]) for platform in platforms):
                texts[index] = before
            count += texts[index] != before
    return {platform: "".join(text[platform] for text in texts) for platform in platforms}, count


def _unify_ends(texts: Texts) -> Texts:
    """Return the texts with a blank line before and after them where one of them has one."""
    bodies = {platform: _BLANK_ENDS.sub("", text) for platform, text in texts.items()}
    own = [text for platform, text in texts.items() if bodies[platform]]
    before = {not text.partition("\n")[0].strip() for text in own}
    after = {not text.removesuffix("\n").rpartition("\n")[2].strip() for text in own}
    if not own or (len(before) == len(after) == 1 and len(own) == len(texts)):
        return texts
    opening, closing = ("\n" if True in ends else "" for ends in (before, after))
    return {p: f"{opening}{body}{closing}" if body else opening or closing for p, body in bodies.items()}


def _reads_alike(texts: Sequence[Texts], index: int, platform: str, before: str) -> bool:
    """Return whether a copy has the same blocks with the text `before` in a place."""
    start, end = ("".join(text[platform] for text in side) for side in (texts[:index], texts[index + 1 :]))
    after = texts[index][platform]
    return before == after or _find_blocks(f"{start}{before}{end}") == _find_blocks(f"{start}{after}{end}")


def _find_blocks(text: str) -> list[tuple[str, str | bool]]:
    """Return the kind and the text of each block, without white space; of lists, whether they have blank lines."""
    dialect = Dialect.MDX if _COMPONENT.search(text) else Dialect.GFM
    return [
        (block.kind, bool(_BLANK.search(text, block.start, block.end)))
        if block.kind == "list"
        else (block.kind, "" if block.children else "".join(text[block.start : block.end].split()))
        for block, _ in Document(text, dialect).walk()
    ]
