"""What an author sees while serving, and nobody else: the findings of each page, and an overview of all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from tutorial_tool import lazy_re, variants
from tutorial_tool.compare import page as comparison
from tutorial_tool.compare.choosing import Found
from tutorial_tool.config import Config
from tutorial_tool.evidence import of_page
from tutorial_tool.finding import Finding
from tutorial_tool.plugin_options import EDITOR
from tutorial_tool.site import Page, Site
from tutorial_tool.source import Span
from tutorial_tool.targets import Target
from tutorial_tool.writing.app import OVERVIEW, App, place
from tutorial_tool.writing.lookout import Lookout

__all__ = ["EDITOR", "OVERVIEW", "App", "Author", "Lookout", "overview", "panel", "place"]

_MARKS = lazy_re.compile(r"[*_`]+|!?\[|\]\([^)]*\)|\{[:#][^}]*\}")
_LONGEST = 200
"""Characters of a text that is looked for on the page."""


class Author(NamedTuple):
    """How links of the panel lead to sources and manuals: `manual` gives the address of a rule's, if it is there."""

    root: Path
    editor: str
    manual: Callable[[str], str | None]

    def open(self, span: Span) -> str:
        """The address that opens a place in the author's editor."""
        path = quote((self.root / span.path).as_posix(), safe="/:")
        told = {"{path}": path.removeprefix("/"), "{line}": span.position.line, "{column}": span.position.column}
        return re.sub(r"\{path\}|\{line\}|\{column\}", lambda match: str(told[match[0]]), self.editor)


def panel(page: Page | None, findings: Iterable[Finding], author: Author, overview: str) -> str:
    """The panel of a page: its findings, each with its rule's manual and its place. `overview` is an address."""
    found = list(dict.fromkeys(of_page(page, findings))) if page is not None else []
    rows = [
        {
            "finding": finding,
            "place": str(finding.span),
            "open": author.open(finding.span),
            "manual": author.manual(finding.rule),
            "text": _shown(finding.span.text),
        }
        for finding in found
    ]
    return _template("panel.html").render(
        rows=rows, overview=overview, style=_asset("panel.css"), script=_asset("panel.js")
    )


def overview(site: Site, config: Config, findings: Sequence[Finding]) -> str:
    """A page with the matrix of steps and platforms, each step side by side, and what no platform shows."""
    target = Target(site.layout.root, config, (), site.layout)
    steps = [Found(target, step) for step in variants.of(site, config.variants)]
    never = [finding for finding in findings if finding.rule == "never-rendered"]
    rest = [finding for finding in findings if finding not in never]
    after = _template("overview.html").render(never=never, rest=rest)
    return comparison.written(steps, lambda _target, _site: list(findings), after)


def _shown(text: str) -> str:
    """A text of a source as the page may show it: its marks taken off, on one line; empty where it is too long."""
    plain = " ".join(_MARKS.sub("", text).split())
    return plain if len(plain) <= _LONGEST else ""


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _template(name: str) -> Template:
    return _environment().get_template(name)


@cache
def _asset(name: str) -> Markup:
    return Markup((Path(__file__).parent / name).read_text(encoding="utf-8"))  # noqa: S704 -- a file of our own
