"""The values that copies of a settings table recommend: which columns hold them, and when two words say one thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from tutorial_tool import lazy_re
from tutorial_tool.align.tables import Copy, shared_columns
from tutorial_tool.document import TableCell
from tutorial_tool.states import folded, states

_SHORT = 3
"""Words of a cell that holds a value, and no description."""
_UNSPACED = lazy_re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff]")
"""Letters of scripts that have no spaces between words: Thai, Japanese, Chinese."""
_LETTERS = 8
"""How many of these a value has at most."""
_LITERAL = lazy_re.compile(r"\b(?:type|example|sample|format|version|package|class|method|platforms?)\b", re.IGNORECASE)


def value_columns(copies: Mapping[str, Copy]) -> Iterator[str]:
    """The titles of columns that hold values on every copy: short texts, that are no literals of a platform."""
    for title in shared_columns(copies)[1:]:
        cells = [
            folded(row[copy.columns.index(title)].text)
            for copy in copies.values()
            for row in copy.table.rows
            if copy.columns.index(title) < len(row)
        ]
        filled = [cell for cell in cells if cell]
        short = sum(map(is_short, filled))
        if filled and not _LITERAL.search(title) and short >= 0.6 * len(filled):
            yield title


def is_short(text: str) -> bool:
    """Whether a text may be a value: it has few words."""
    words = len(text.split())
    return words <= _SHORT and (text.isascii() or len(_UNSPACED.findall(text)) <= _LETTERS)


def is_mixed(cells: Iterable[TableCell]) -> bool:
    """Whether values differ in the kind of word more than in what they say: `Yes`, `Allowed`; `TLS`, `SSL/TLS`."""
    texts = sorted({folded(cell.text) for cell in cells}, key=len)
    known = [states().get(text) for text in texts]
    if any(known) and not all(known):
        return not any(char.isdigit() for text in texts for char in text)
    return (
        len(texts) == 2
        and "," not in texts[1]
        and not known[0]
        and re.search(rf"\b{re.escape(texts[0])}\b", texts[1]) is not None
    )
