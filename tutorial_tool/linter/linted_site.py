"""What a run of the linter leaves: a site and its findings."""

from __future__ import annotations

from typing import NamedTuple

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.site import Site


class LintedSite(NamedTuple):
    """A site and its findings."""

    site: Site
    findings: list[Finding]
