"""What makes a finding the same one after lines have moved: its rule, its file, the text at its place.

Not its message or platforms: a better wording, or one platform more, is no new finding.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence

from tutorial_tool.finding import Finding
from tutorial_tool.source import Span

NEAR = 80
"""How many characters before a place and from it on are looked at: a line may be a whole file."""


def fingerprints(findings: Sequence[Finding]) -> Iterator[str]:
    """A fingerprint for each finding, in their order; equal ones are told apart by counting them."""
    seen: Counter[tuple[str, ...]] = Counter()
    for finding in findings:
        key = finding.rule, finding.span.path, finding.span.text, _around(finding.span)
        seen[key] += 1
        text = "\0".join((*key, str(seen[key])))
        yield hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _around(span: Span) -> str:
    """The text of the line around a place, which tells it from others like it."""
    line, source = span.position.line, span.source
    start = max(source.line_start(line), span.start - NEAR)
    return source.text[start : min(source.line_end(line), span.start + NEAR)].strip()
