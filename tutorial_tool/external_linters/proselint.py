"""proselint: advice on English style."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.external_linters.tool import LintedFiles, Remark, Tool, iter_entries, require_list


def _parse_output(out: str, texts: LintedFiles) -> Iterator[Remark]:
    for address, value in iter_entries(json.loads(out)["result"], subject="its result"):
        source = texts.get_source(unquote(urlsplit(address).path))
        for advice in require_list(value["diagnostics"], subject="what it reports about a file"):
            start, end = advice["span"]  # from 1
            yield texts.build_remark_at(
                source.path, start - 1, end - 1, advice["check_path"], advice["message"], Severity.HINT
            )


TOOL = Tool(
    "proselint",
    "gives advice on English style",
    install="pip install proselint",
    tested="0.16",
    options=("check", "--output-format", "json"),
    read=_parse_output,
    docs="https://github.com/amperser/proselint",
    equivalents={"lexical_illusions": ("repeated-word",)},
)
