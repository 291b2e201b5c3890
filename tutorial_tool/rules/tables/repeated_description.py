"""One description under two settings of a copy: one of them was pasted and not changed."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import variants
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _tables_of_copies
from tutorial_tool.site import Site


@rule("tables", Severity.HINT, needs="tables")
def check(site: Site, config: Config) -> Iterator[Finding]:
    for step in variants.find_steps(site, config.variants):
        if _tables_of_copies.has_repeated_description(step):
            from tutorial_tool.rules._shared import _repeated_copies  # comparing copies is slow to load

            yield from variants.get_cached(step, _repeated_copies.find_repeated_descriptions)
