"""markdownlint-cli2: the style of Markdown. Its lines are read, for its other formats are packages of their own."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.external_linters.rumdl import OF_LINES, SAME
from tutorial_tool.external_linters.tool import MARKDOWN, Remark, Texts, Tool, Unreadable, from_utf16, severity

_LINE = lazy_re.compile(
    r"(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))? (?P<level>error|warning) (?P<code>[\w-]+)(?:/\S+)? (?P<said>.*)"
)


def _read(out: str, texts: Texts) -> Iterator[Remark]:
    for line in out.splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            raise Unreadable(f"it printed `{line[:200]}`")
        number = int(match["line"])
        source = texts.source(match["path"])
        column = None
        if match["column"] and match["code"] not in OF_LINES:
            column = from_utf16(source.get_line_text(min(number, source.line_count)), int(match["column"]))
        yield texts.remark(source.path, number, column, match["code"], match["said"], severity=severity(match["level"]))


TOOL = Tool(
    "markdownlint-cli2",
    "checks the style of Markdown",
    install="npm install --save-dev markdownlint-cli2",
    tested="0.22",
    options=("--no-globs",),
    read=_read,
    docs="https://github.com/DavidAnson/markdownlint/blob/main/doc/{lower}.md",
    prefix=":",  # a path, and no glob
    suffixes=MARKDOWN,
    on_stderr=True,
    from_npm=True,
    same={"*": ("rumdl/{code}",), **{code: (*ours, f"rumdl/{code}") for code, ours in SAME.items()}},
)
