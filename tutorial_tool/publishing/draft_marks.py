"""Draft marks while serving: a note at the top with what is missing, and marks in the text."""

from __future__ import annotations

import html
import re

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.site import Page, Site

NOTE = "Draft: this page is not published."  # Shown to authors above a draft, never published


def mark_draft(content: str, site: Site, page: Page) -> str:
    """Return the HTML of a draft with a note above it and its placeholders marked."""
    assert page.place is not None
    strings = site.model.strings
    words = html.escape(strings["to-be-written"])
    content = re.sub(rf"«{re.escape(words)}: [^«»<>]*»(?![^<]*>)", r"<mark>\g<0></mark>", content)  # not in tags
    items = "".join(
        f"<li>{_render_finding(finding)}</li>" for finding in site.unfinished_by_address.get(page.place.address, ())
    )
    note = f'<p class="admonition-title">{NOTE}</p>'
    return f'<div class="admonition warning tt-draft">{note}<ul>{items}</ul></div>{content}'


def _render_finding(finding: Finding) -> str:
    place = f"{finding.span.path}:{finding.span.position.line}"
    return f"{html.escape(finding.message)} <small>({html.escape(place)})</small>"
