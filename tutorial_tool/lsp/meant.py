"""The name that a finding says was meant, written in place of the one that stands there."""

from __future__ import annotations

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.core.source import Edit, Span

_RULES = frozenset(("invalid-data", "undefined-name", "invalid-template"))
_MEANT = lazy_re.compile(r"did you mean (['`])(?P<name>[^'`\n]+)\1\?$")
_QUOTED = lazy_re.compile(r"['`]([^'`\n]+)['`]")


def edit(finding: Finding) -> Edit | None:
    """The edit, where the message names what is meant, and what it is meant for stands at the finding's place."""
    found = _MEANT.search(finding.message) if finding.rule in _RULES and finding.exact else None
    if found is None:
        return None
    place = _odd(finding.span, _QUOTED.findall(finding.message[: found.start()]))
    return Edit(place, found["name"]) if place and found["name"] != place.text else None


def _odd(span: Span, named: list[str]) -> Span | None:
    """Where the last of some names stands that is at a place."""
    for name in reversed(named):
        at = span.text.rfind(name)
        if at >= 0 and span.text.count(name) == 1:
            return span.cut(at, at + len(name))
    return None
