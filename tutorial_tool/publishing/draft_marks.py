"""What a page that is a draft shows while serving: that it is one, and what it lacks, at the top and in place."""

from __future__ import annotations

import html
import re

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.site import Page, Site

_NOTE = "Draft: this page is not published."  # What authors read above a draft; readers never do
_UNWRITTEN = lazy_re.compile(r"«[^«»<>]*»(?![^<]*>)")  # A text that is to be written, outside of tags


def marked(content: str, site: Site, page: Page) -> str:
    """The HTML of a draft with a note above it, and with what is to be written marked."""
    assert page.place is not None
    strings = site.model.strings
    words = html.escape(strings["to-be-written"])
    content = _UNWRITTEN.sub(lambda match: _marked(match, words), content)
    items = "".join(f"<li>{_item(finding)}</li>" for finding in site.lacking.get(page.place.address, ()))
    note = f'<p class="admonition-title">{_NOTE}</p>'
    return f'<div class="admonition warning tt-draft">{note}<ul>{items}</ul></div>{content}'


def _marked(match: re.Match[str], words: str) -> str:
    return f"<mark>{match[0]}</mark>" if match[0].startswith(f"«{words}: ") else match[0]


def _item(finding: Finding) -> str:
    place = f"{finding.span.path}:{finding.span.position.line}"
    return f"{html.escape(finding.message)} <small>({html.escape(place)})</small>"
