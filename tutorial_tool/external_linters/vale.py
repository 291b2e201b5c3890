"""Vale: the rules of a style guide."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tutorial_tool.external_linters.tool import Remark, Texts, Tool, entries, items, severity
from tutorial_tool.external_linters.typos import SPELLING


def _read(out: str, texts: Texts) -> Iterator[Remark]:
    for path, value in entries(json.loads(out or "{}"), of="its output"):
        for alert in items(value, of="what it reports about a file"):
            first, last = alert["Span"]
            yield texts.remark(
                path,
                alert["Line"],
                first,
                alert["Check"],
                alert["Message"],
                length=last - first + 1,
                severity=severity(alert["Severity"]),
            )


TOOL = Tool(
    "vale",
    "checks the rules of a style guide",
    install="see https://vale.sh/docs/install",
    tested="",
    options=("--no-wrap", "--no-exit", "--output=JSON"),
    read=_read,
    docs="https://vale.sh/docs",
    codes=frozenset((0,)),
    same={
        "Vale.Spelling": (*SPELLING, "typos/typo", "codespell/typo", "cspell/unknown-word"),
        "Vale.Repetition": ("repeated-word",),
        "Vale.Avoid": ("forbidden-word",),
        "Vale.Terms": ("mixed-term", "inconsistent-name"),
    },
)
