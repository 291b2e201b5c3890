"""Pages whose lists every Markdown parses alike, so that they need not be parsed both ways."""

from __future__ import annotations

from tutorial_tool.core import lazy_re

_ITEM = lazy_re.compile(r"([1-9]\d{0,5})\. (?=[^\W\d_]|\*\*|[`\"'(])")
_TEXT = lazy_re.compile(r"[^\W_]|[#|`\"'(]|\*\*?[^\W_]|!?\[[^\^\]]")
"""Start of a line of text, a table or a heading that is no item, quote, raw HTML, rule, footnote or macro."""
_FENCE = lazy_re.compile(r"(`{3,}|~{3,})[^`~]*")


def has_only_plain_lists(text: str, start: int) -> bool:
    """Return whether all lists from offset `start` on are plain.

    Plain lists are numbered 1, 2, 3, with one line an item and blank lines around. No line is indented, something
    separates any two lists, and nothing occurs that Markdown dialects parse differently. If any of these is uncertain,
    the result is False.
    """
    reader = _PlainListReader()
    return all(map(reader.accepts_line, text[start:].split("\n"))) and not reader.fence


class _PlainListReader:
    """Reads lines one by one.

    `count` is the number of the last item, `fence` the opening fence of the code around a line, `is_first` whether the
    line is the first after a blank one, and `was_list` whether a list came before that.
    """

    def __init__(self) -> None:
        self.count, self.fence, self.is_first, self.was_list = 0, "", True, False

    def accepts_line(self, line: str) -> bool:
        """Return whether a line is plain."""
        if self.fence:
            return self._accepts_code_line(line)
        is_first, self.is_first = self.is_first, not line
        if not line:
            self.was_list, self.count = self.was_list if is_first else self.count > 0, 0
            return True
        if item := _ITEM.match(line):
            self.count += 1
            is_next = item[1] == str(self.count) and is_first is (self.count == 1)
            return is_next and "]:" not in line and not (is_first and self.was_list)
        if opened := _FENCE.fullmatch(line):
            self.fence = opened[1]
            return is_first
        return not self.count and _TEXT.match(line) is not None and "]:" not in line and not line[:1].isdigit()

    def _accepts_code_line(self, line: str) -> bool:
        is_closing = not line.strip(" ").strip(self.fence[0]) and len(line.strip(" ")) >= len(self.fence)
        self.fence = "" if is_closing else self.fence
        return not (is_closing and line.startswith(" "))
