"""Vale: rules of a style guide."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tutorial_tool.external_linters.tool import LintedFiles, Remark, Tool, iter_entries, parse_severity, require_list
from tutorial_tool.external_linters.typos import SPELLING


def _parse_output(out: str, texts: LintedFiles) -> Iterator[Remark]:
    for path, value in iter_entries(json.loads(out or "{}"), subject="its output"):
        for alert in require_list(value, subject="what it reports about a file"):
            first, last = alert["Span"]
            yield texts.build_remark(
                path,
                alert["Line"],
                first,
                alert["Check"],
                alert["Message"],
                length=last - first + 1,
                severity=parse_severity(alert["Severity"]),
            )


TOOL = Tool(
    "vale",
    "checks the rules of a style guide",
    install="see https://vale.sh/docs/install",
    tested="",
    options=("--no-wrap", "--no-exit", "--output=JSON"),
    read=_parse_output,
    docs="https://vale.sh/docs",
    codes=frozenset((0,)),
    equivalents={
        "Vale.Spelling": (*SPELLING, "typos/typo", "codespell/typo", "cspell/unknown-word"),
        "Vale.Repetition": ("repeated-word",),
        "Vale.Avoid": ("forbidden-word",),
        "Vale.Terms": ("mixed-term", "inconsistent-name"),
    },
)
