"""What other rules ask of a page with a fence that nothing closes."""

from __future__ import annotations

from tutorial_tool.rules.finding_index import Findings
from tutorial_tool.site import Page


def is_swallowed(page: Page, found: Findings) -> bool:
    """Whether a fence makes code of all that follows on a page: that is told, and not what comes of it."""
    return any(finding.rule == "unclosed-fence" for finding in found.about([page.source]))
