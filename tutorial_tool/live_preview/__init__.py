"""What only an author sees while serving: findings of each page, and an overview of all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from tutorial_tool import variants
from tutorial_tool.compare import page as comparison
from tutorial_tool.compare.selection import FoundStep
from tutorial_tool.config.plugin_options import EDITOR as EDITOR
from tutorial_tool.config.settings import Config
from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import MAX_LISTED, Finding
from tutorial_tool.core.grouping import group_pairs
from tutorial_tool.core.source import READABLE, Span
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.linter.targets import Target
from tutorial_tool.live_preview.hosts import MARKDOWN, SCRIPT
from tutorial_tool.live_preview.hosts import OVERVIEW as OVERVIEW
from tutorial_tool.rules.finding_index import filter_by_page
from tutorial_tool.site import Page, Site

_MARKUP = lazy_re.compile(r"[*_`]+|!?\[|\]\([^)]*\)|\{[:#][^}]*\}")
_CODE = lazy_re.compile(r"`+([^`]+)`+")


class Author(NamedTuple):
    """How panel links open sources and rule documentation: `find_rule_url` returns a rule's URL, if any."""

    root: Path
    editor: str
    find_rule_url: Callable[[str], str | None]

    def build_editor_url(self, span: Span) -> str:
        """Return the URL that opens a span in the author's editor."""
        path = quote((self.root / span.path).as_posix(), safe="/:")
        values = {"{path}": path.removeprefix("/"), "{line}": span.position.line, "{column}": span.position.column}
        return re.sub(r"\{path\}|\{line\}|\{column\}", lambda match: str(values[match[0]]), self.editor)


class BuildProblems(NamedTuple):
    """Problems elsewhere: errors, or why the last build ended. `is_old`: pages are from the build before."""

    errors: Sequence[Finding] = ()
    stuck: str = ""
    is_old: bool = False


NOTHING = BuildProblems()


def render_panel(
    page: Page | None, findings: Iterable[Finding], author: Author, overview: str, problems: BuildProblems = NOTHING
) -> str:
    """Render a page's panel: its findings, each with rule documentation and location. `overview` is a URL."""
    matches = list(dict.fromkeys(filter_by_page(page, findings))) if page is not None else []
    return _get_template("panel.html").render(
        rows=_build_rows((finding for finding in matches if finding not in problems.errors), author),
        elsewhere=_build_rows(problems.errors, author),
        is_old=problems.is_old,
        stuck=problems.stuck,
        overview=overview,
        markdown=f"{overview}{MARKDOWN}?page={quote(page.path)}" if page is not None else "",
        style=_load_asset("panel.css"),
        script=_load_asset("panel.js"),
    )


def render_broken_page(
    findings: Sequence[Finding], author: Author, overview: str, anchors: Sequence[str], *, is_kept: bool
) -> str:
    """Render the HTML in place of a page that can't be built. `is_kept`: the others are older.

    `anchors` are the targets of links.
    """
    rows = [{**row, "line": _split_line(row["finding"].span)} for row in _build_rows(findings[:MAX_LISTED], author)]
    return _get_template("broken.html").render(
        rows=rows,
        more=len(findings) - len(rows),
        overview=overview,
        anchors=anchors,
        is_kept=is_kept,
        style=_load_asset("broken.css"),
    )


def _build_rows(findings: Iterable[Finding], author: Author) -> list[dict[str, Any]]:
    return [
        {
            "finding": finding,
            "place": str(finding.span),
            "open": author.build_editor_url(finding.span),
            "manual": author.find_rule_url(finding.rule),
            "text": _format_excerpt(finding.span.text),
        }
        for finding in findings
    ]


def _split_line(span: Span) -> tuple[str, str, str] | None:
    """Return the line of a span as text before, in and after it. None for a blank or overlong line."""
    line = span.source.get_line_text(span.position.line)
    start = span.position.column - 1
    end = min(start + max(span.end - span.start, 1), len(line))
    return (line[:start], line[start:end], line[end:]) if line.strip() and len(line) <= READABLE else None


class OverviewContent(NamedTuple):
    """Content of the overview: the site, the linter's findings, and errors, which come first.

    `find_url` returns a page's URL relative to the overview.
    """

    site: Site
    findings: Sequence[Finding]
    problems: BuildProblems
    find_url: Callable[[str], str | None]


def render_overview(content: OverviewContent, config: Config, author: Author) -> str:
    """Render a page with all errors, the steps and platforms, each step side by side, and unused text."""
    site, target = content.site, Target(content.site.layout.root, config, (), content.site.layout)
    steps = [FoundStep(target, step) for step in variants.find_steps(site, config.variants)]
    dead_text = [finding for finding in content.findings if finding.rule == "dead-template-text"]
    errors = content.problems.errors
    rest = [finding for finding in content.findings if finding not in dead_text and finding not in errors]
    rows = {
        "errors": _build_rows(errors, author),
        "never": _build_rows(dead_text, author),
        "rest": _build_rows(rest, author),
    }
    pages = _group_pages(site, rest)
    for row in rows["rest"]:
        shown = ((_format_page_name(page), content.find_url(page.path)) for page in pages.get(row["finding"], ()))
        row["pages"] = [(name, address) for name, address in shown if address]
    above = _get_template("overview.html").render(**rows, stuck=content.problems.stuck, is_old=content.problems.is_old)
    below = _get_template("never.html").render(never=rows["never"], is_whole=not errors)

    def list_links(page: Page) -> list[tuple[str, str]]:
        address = content.find_url(page.path)
        page_link = [("Page", address)] if address else []
        return [
            *page_link,
            ("Markdown", f"{MARKDOWN}?page={quote(page.path)}"),
            ("Edit", author.build_editor_url(page.source.span(0))),
        ]

    frame = comparison.PageFrame("Dashboard", above, below, list_links, SCRIPT.read_text(encoding="utf-8"))
    return comparison.render_page(steps, lambda _target, _site: list(content.findings), frame)


def _group_pages(site: Site, findings: Sequence[Finding]) -> dict[Finding, list[Page]]:
    return group_pairs(
        (finding, page) for page in site.pages for finding in dict.fromkeys(filter_by_page(page, findings))
    )


def _format_page_name(page: Page) -> str:
    """Return a name that identifies a page: its title and platform."""
    title = strip_origins(page.title) or page.path
    return f"{title} ({strip_origins(page.place.platform.name)})" if page.place else title


def _format_excerpt(text: str) -> str:
    """Return source text without markers on one line; "" if it is too long."""
    plain = " ".join(_MARKUP.sub("", text).split())
    return plain if len(plain) <= READABLE else ""


@cache
def _get_environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["coded"] = _render_code
    return environment


def _render_code(message: str) -> Markup:
    parts = _CODE.split(message)
    return Markup("").join(Markup("<code>{}</code>").format(part) if i % 2 else part for i, part in enumerate(parts))


def _get_template(name: str) -> Template:
    return _get_environment().get_template(name)


@cache
def _load_asset(name: str) -> Markup:
    return Markup((Path(__file__).parent / name).read_text(encoding="utf-8"))  # noqa: S704 -- a file of our own
