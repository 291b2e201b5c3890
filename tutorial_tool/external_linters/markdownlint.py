"""markdownlint-cli2: Markdown style. Its text output is parsed: other formats need extra packages."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.external_linters.rumdl import OF_LINES, SAME
from tutorial_tool.external_linters.tool import (
    MARKDOWN,
    LintedFiles,
    Remark,
    Tool,
    UnreadableOutput,
    convert_utf16_column,
    parse_severity,
)

_LINE = lazy_re.compile(
    r"(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))? (?P<level>error|warning) (?P<code>[\w-]+)(?:/\S+)? (?P<said>.*)"
)


def _parse_output(out: str, texts: LintedFiles) -> Iterator[Remark]:
    for line in out.splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            raise UnreadableOutput(f"it printed `{line[:200]}`")
        number = int(match["line"])
        source = texts.get_source(match["path"])
        column = None
        if match["column"] and match["code"] not in OF_LINES:
            column = convert_utf16_column(source.get_line_text(min(number, source.line_count)), int(match["column"]))
        yield texts.build_remark(
            source.path, number, column, match["code"], match["said"], severity=parse_severity(match["level"])
        )


TOOL = Tool(
    "markdownlint-cli2",
    "checks the style of Markdown",
    install="npm install --save-dev markdownlint-cli2",
    tested="0.22",
    options=("--no-globs",),
    read=_parse_output,
    docs="https://github.com/DavidAnson/markdownlint/blob/main/doc/{lower}.md",
    prefix=":",  # marks a path, not a glob
    suffixes=MARKDOWN,
    on_stderr=True,
    from_npm=True,
    equivalents={"*": ("rumdl/{code}",), **{code: (*ours, f"rumdl/{code}") for code, ours in SAME.items()}},
)
