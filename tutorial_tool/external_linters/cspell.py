"""cspell: words that are in no dictionary."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from tutorial_tool.external_linters.tool import LintedFiles, Remark, Tool, UnreadableOutput, convert_utf16_column
from tutorial_tool.external_linters.typos import SPELLING


def _parse_output(out: str, texts: LintedFiles) -> Iterator[Remark]:
    for line in filter(None, out.splitlines()):
        parts = line.split("\t")
        if len(parts) != 5:
            raise UnreadableOutput(f"it printed `{line[:200]}`")
        address, row, column, word, value = parts
        source = texts.get_source(unquote(urlsplit(address).path) if address.startswith("file:") else address)
        at = convert_utf16_column(source.get_line_text(min(int(row), source.line_count)), int(column))
        code = "unknown-word" if value.lower().startswith("unknown") else "forbidden-word"
        message = f"`{word}` is not in any dictionary" if code == "unknown-word" else f"`{word}`: {value.lower()}"
        yield texts.build_remark(source.path, int(row), at, code, message, length=len(word))


TOOL = Tool(
    "cspell",
    "checks words against dictionaries",
    install="npm install --save-dev cspell",
    tested="9",
    options=(
        "lint",
        "--no-color",
        "--no-progress",
        "--no-summary",
        "--no-cache",
        "--no-must-find-files",
        "--issue-template",
        "$filename\t$row\t$col\t$text\t$message",
    ),
    read=_parse_output,
    docs="https://cspell.org/docs/Configuration/",
    from_npm=True,
    equivalents={"*": (*SPELLING, "typos/typo", "codespell/typo", "forbidden-word")},
)
