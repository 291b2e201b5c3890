"""What makes a finding the same one after lines have moved: its rule, its file, the text at its place.

Not its message or platforms: a better wording, or one platform more, is no new finding.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence

from tutorial_tool.finding import Finding


def fingerprints(findings: Sequence[Finding]) -> Iterator[str]:
    """A fingerprint for each finding, in their order; equal ones are told apart by counting them."""
    seen: Counter[tuple[str, ...]] = Counter()
    for finding in findings:
        line = finding.span.source.line_text(finding.span.position.line).strip()
        key = finding.rule, finding.span.path, finding.span.text, line
        seen[key] += 1
        text = "\0".join((*key, str(seen[key])))
        yield hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
