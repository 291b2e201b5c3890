"""Pages whose lists every Markdown reads alike, so that nobody needs to read them both ways."""

from __future__ import annotations

from tutorial_tool.core import lazy_re

_ITEM = lazy_re.compile(r"([1-9]\d{0,5})\. (?=[^\W\d_]|\*\*|[`\"'(])")
_TEXT = lazy_re.compile(r"[^\W_]|[#|`\"'(]|\*\*?[^\W_]|!?\[[^\^\]]")
"""How a line of text, a table or a heading begins that is no item, quotation, raw HTML, rule, note or macro."""
_FENCE = lazy_re.compile(r"(`{3,}|~{3,})[^`~]*")


def has_only_plain_lists(text: str, start: int) -> bool:
    """Whether all lists from `start` on are counted 1, 2, 3, one line an item, with blank lines around each.

    No line is indented, between two lists stands something else, and nothing stands there that Markdowns read in ways
    of their own. Where one of these is not plain to see, the answer is no.
    """
    count, was_list, fence = 0, False, ""
    is_first = True  # of the lines between two blank ones
    for line in text[start:].split("\n"):
        if fence:
            if line.strip(" ").strip(fence[0]) or len(line.strip(" ")) < len(fence):
                continue
            if line.startswith(" "):
                return False
            fence = ""
        elif not line:
            was_list, count, is_first = was_list if is_first else count > 0, 0, True
        elif item := _ITEM.match(line):
            count += 1
            if item[1] != str(count) or "]:" in line or (is_first is not (count == 1)) or (is_first and was_list):
                return False
            is_first = False
        elif opened := _FENCE.fullmatch(line):
            if not is_first:
                return False
            fence, is_first = opened[1], False
        elif count or not _TEXT.match(line) or "]:" in line or line[:1].isdigit():
            return False
        else:
            is_first = False
    return not fence
