"""Read the front matter of a page, with spans in the page's text."""

from __future__ import annotations

import re

from tutorial_tool import data
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.source import Source
from tutorial_tool.core.traced import Traced, strip_origins

_TAGS = lazy_re.compile(r"^[ \t]*(?:(?:\{\{[^{}]*\}\}|\{%[^{}]*%\}|<%[^<>]*%>)[ \t]*)+$", re.MULTILINE)
"""A line of template tags: another program writes entries."""
_FILLED = lazy_re.compile(
    r"\{\{#(?:each|if|unless|with) |:[ \t]*\[?\*content\]?$|\A---\n(?:\w+:[ \t]*\[?\{\{[^{}\n]*\}\}\]?\n)++---$",
    re.MULTILINE,
)
"""Handlebars; DocFX's name for the text below, which it adds to a generated page; or nothing but placeholders."""
FORMER_KEYS = ("aliases", "redirect_from", "redirects", "redirectfrom", "old_urls")
"""Entries that list former URLs of a page."""
FORMER = lazy_re.compile(rf"^(?:{'|'.join(FORMER_KEYS)})[ \t]*:", re.MULTILINE | re.IGNORECASE)


def read_front_matter(text: Traced) -> data.LoadedYaml | None:
    """Return a text's front matter as `data.load_traced` reads it; None if there is none.

    Unclosed front matter has no entries and is reported. Front matter that another program fills in is not read.
    """
    if data.find_empty_front_matter(text):
        return None
    matter = data.find_front_matter(text) or data.find_front_matter_at_end(text)
    loaded = data.load_traced(text, matter.start, matter.end) if matter else None
    if (
        (loaded is None or loaded.findings)
        and text.startswith("---")
        and (end := data.find_entries_end(strip_origins(text)))
    ):
        return data.LoadedYaml(None, (_report_unclosed(text, end),))
    if matter and loaded and loaded.findings:
        plain = strip_origins(text)
        is_template = _FILLED.search(plain) or _TAGS.search(plain, matter.start, matter.end)
        if data.is_text(plain, matter) or is_template:
            return None
    return loaded


def _report_unclosed(text: Traced, end: int) -> Finding:
    """Report unclosed front matter at its start; its last entry ends at `end`."""
    fence, last_entry = text.get_runs_between(0, 3)[0].span, text.get_runs_between(end - 2, end - 1)[0].span
    if fence is None or last_entry is None:  # printed entirely by one value
        fence = last_entry = Source("", strip_origins(text)).span(0, 3)
    line = last_entry.position.line
    message, severity = f"write `---` on a line of its own below line {line}", Severity.ERROR
    if strip_origins(text).startswith("---", end):  # Hugo and JavaScript generators close it here
        message, severity = f"write only `---` in line {line + 1}", Severity.WARNING
    message = f"the front matter that starts here is not closed: {message}"
    return Finding("front-matter", severity, message, fence.source.span(fence.start, fence.start + 3))


def find_entry_text(node: data.Node | None, key: str) -> Traced | None:
    """Return the text of an entry, if it has one."""
    entry = data.get_node(node, key)
    return entry.text if isinstance(entry, data.Scalar) and entry.text else None


def get_entry_text(front: data.LoadedYaml | None, key: str) -> str:
    """Return the text of an entry, or an empty string."""
    return (find_entry_text(front.node, key) if front else None) or ""
