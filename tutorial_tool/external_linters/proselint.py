"""proselint: advice on English style."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from tutorial_tool.core.diagnostics import Severity
from tutorial_tool.external_linters.tool import Remark, Texts, Tool, entries, items


def _read(out: str, texts: Texts) -> Iterator[Remark]:
    for address, value in entries(json.loads(out)["result"], of="its result"):
        source = texts.source(unquote(urlsplit(address).path))
        for advice in items(value["diagnostics"], of="what it reports about a file"):
            start, end = advice["span"]  # from 1
            yield texts.remark_at(
                source.path, start - 1, end - 1, advice["check_path"], advice["message"], Severity.HINT
            )


TOOL = Tool(
    "proselint",
    "gives advice on English style",
    install="pip install proselint",
    tested="0.16",
    options=("check", "--output-format", "json"),
    read=_read,
    docs="https://github.com/amperser/proselint",
    same={"lexical_illusions": ("repeated-word",)},
)
