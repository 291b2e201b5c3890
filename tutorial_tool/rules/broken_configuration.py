"""The configuration of MkDocs that is no YAML: no site is built of it, and nothing of the site is known."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import addresses, lazy_re
from tutorial_tool.finding import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.site import Site

_TEMPLATE = lazy_re.compile(r"\{[{%]")
"""What is filled in before the file is read as YAML."""


@rule("project", Severity.ERROR)
def check(site: Site) -> Iterator[Finding]:
    for tree in addresses.of(site).trees:
        source = tree.faults[0].span.source if tree.faults else None
        if source is not None and not _TEMPLATE.search(source.text):
            site.sources.setdefault(source.path, source)
            yield from tree.faults
