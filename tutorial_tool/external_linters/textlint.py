"""textlint: rules that a project selects from packages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePath

from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.external_linters.tool import (
    MARKDOWN,
    LintedFiles,
    Remark,
    Tool,
    UnreadableOutput,
    convert_utf16_column,
    require_list,
)

_LEVELS = {0: Severity.HINT, 1: Severity.WARNING, 2: Severity.ERROR, 3: Severity.HINT}
"""Its severities by number: none, warning, error, info."""


def _parse_output(out: str, texts: LintedFiles) -> Iterator[Remark]:
    if "No rules found" in out:
        raise UnreadableOutput("it has no rules: its configuration, `.textlintrc.json`, names none that are installed")
    for file in require_list(json.loads(out or "[]"), subject="its output"):
        for value in require_list(file["messages"], subject="what it reports about a file"):
            source = texts.get_source(PurePath(file["filePath"]).as_posix())
            line, column = value["line"], value["column"]
            at = convert_utf16_column(source.get_line_text(min(line, source.line_count)), column)
            if value["severity"] not in _LEVELS:
                raise UnreadableOutput(f"it calls a severity `{value['severity']}`")
            yield texts.build_remark(
                source.path, line, at, value["ruleId"], value["message"], severity=_LEVELS[value["severity"]]
            )


TOOL = Tool(
    "textlint",
    "runs the rules that a project selects",
    install="npm install --save-dev textlint",
    tested="15",
    options=("--no-color", "--format", "json"),
    read=_parse_output,
    docs="https://textlint.org/docs/",
    suffixes=MARKDOWN,
    from_npm=True,
    equivalents={"common-misspellings": ("misspelling", "typos/typo", "codespell/typo", "cspell/unknown-word")},
)
