"""typos: known misspellings, in any text."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tutorial_tool.external_linters.tool import LintedFiles, Remark, Tool

SPELLING = ("misspelling", "mojibake", "repeated-word", "grammar", "inconsistent-spelling", "unknown-word")
"""Our rules that report the same words as a spelling checker."""


def _parse_output(out: str, texts: LintedFiles) -> Iterator[Remark]:
    for line in out.splitlines():
        value = json.loads(line)
        if value["type"] != "typo" or "line_num" not in value:  # a note on a binary file, or a typo in a file's name
            continue
        source = texts.get_source(value["path"])
        before = source.get_line_text(value["line_num"]).encode("utf-8", "surrogatepass")[: value["byte_offset"]]
        column, word = len(before.decode("utf-8", "replace")) + 1, value["typo"]
        yield texts.build_remark(
            source.path, value["line_num"], column, "typo", _format_message(value), length=len(word)
        )


def _format_message(reported: dict[str, list[str]]) -> str:
    better = " or ".join(f"`{word}`" for word in reported.get("corrections", ()))
    return f"`{reported['typo']}` should read {better}" if better else f"`{reported['typo']}` is not allowed"


TOOL = Tool(
    "typos",
    "finds known misspellings",
    install="pip install typos",
    tested="1.28 to 1.52",
    options=("--force-exclude", "--no-check-filenames", "--color", "never", "--format", "json"),
    read=_parse_output,
    docs="https://github.com/crate-ci/typos",
    codes=frozenset((0, 2)),
    equivalents={"*": SPELLING},
)
