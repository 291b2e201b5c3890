"""Unwritten content of each platform: where it is, who owns it, and how much is done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.core.grouping import group_by, group_pairs
from tutorial_tool.core.source import Source
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.data.model.parts import Platform
from tutorial_tool.reporters.as_json import format_json
from tutorial_tool.rules.drift import missing_step
from tutorial_tool.rules.project import review_due
from tutorial_tool.site import Page, Site

Owners = Callable[[str], Sequence[str]]  # Returns the owners of a file, by its path relative to the project
STUB = "TODO({platform})"  # Marks a file that `add-platform` copied, until it is adapted
_MARK = lazy_re.compile(r"TODO\((?P<platform>[\w-]+)\)")
_UNWRITTEN = frozenset(("missing-part", "missing-code", "missing-figure"))
"""Rules that report missing texts, also of published pages."""
_COUNTED = frozenset(("labels", "values", "part", "code"))  # Kinds of texts that are written for each platform


@dataclass(frozen=True)
class Item:
    """One item to write, and its location."""

    message: str
    path: str
    line: int
    column: int
    rule: str
    owners: tuple[str, ...]

    @property
    def location(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Status:
    """Progress of a platform: texts `written`, texts `needed`, and what is left."""

    platform: Platform
    written: int
    needed: int
    items: tuple[Item, ...]

    @property
    def percent(self) -> int:
        """The percentage, rounded down: 100 only if nothing is missing."""
        return 100 * self.written // self.needed if self.needed else 100

    @property
    def title(self) -> str:
        draft = " (draft)" if self.platform.draft else ""
        return f"{strip_origins(self.platform.name)}{draft}: {self.percent}% written"


def build_status(site: Site, platforms: Iterable[Platform], owners: Owners) -> list[Status]:
    """Return the status of some platforms. `site` must be loaded with its drafts."""
    findings = [*site.errors, *site.unfinished, *(finding for finding in site.findings if finding.rule in _UNWRITTEN)]
    findings += [*missing_step.find_empty_steps(site), *_find_stubs(site), *_find_drafts(site), *_find_due(site)]
    by_id = group_pairs((id_, finding) for finding in findings for id_ in set(finding.platforms))
    pages = group_by(site.pages, lambda page: page.platform)
    return [
        _build_platform_status(site, platform, by_id.get(platform.id, []), pages.get(platform.id, []), owners)
        for platform in platforms
    ]


def _find_due(site: Site) -> Iterator[Finding]:
    """Yield the platforms and steps that are due for review."""
    places = {**site.places, **site.drafts}.values()
    for item, _, message in review_due.find_due(site.model):
        ids = (place.platform.id for place in places if item in (place.platform, place.step))
        yield Finding(review_due.NAME, Severity.HINT, message, item.key, tuple(dict.fromkeys(ids)))


def _build_platform_status(
    site: Site, platform: Platform, own: list[Finding], pages: list[Page], owners: Owners
) -> Status:
    steps = {step.key: step.owners for tutorial in site.model.tutorials.values() for step in tutorial.steps.values()}
    items = [
        _build_item(finding, platform.id, steps.get(finding.span) or platform.owners or owners(finding.span.path))
        for finding in sorted(own, key=lambda finding: (finding.span.path, finding.span.start, finding.message))
    ]
    requested = sum(len({(ask.kind, ask.key) for ask in page.dependencies if ask.kind in _COUNTED}) for page in pages)
    needed = len(pages) + requested + _count_cells(site, platform, pages)
    unwritten = sum(item.rule != review_due.NAME for item in items)
    return Status(platform, max(needed - unwritten, 0), needed, tuple(items))


def _count_cells(site: Site, platform: Platform, pages: Iterable[Page]) -> int:
    """Return the number of table cells on a platform's pages."""
    tables = [site.model.tables[id_] for id_ in {id_ for page in pages for id_, _ in page.tables}]
    return sum(len(table.get_rows(platform, drafts=True)) * len(table.get_columns(platform)) for table in tables)


def _find_stubs(site: Site) -> Iterator[Finding]:
    """Yield the files that are unadapted copies of another platform's."""
    for path in sorted(f"{site.layout.templates}/{name}" for name in site.template_names):
        source = site.sources.get(path)
        for mark in _MARK.finditer(source.text) if source else ():
            if mark["platform"] in site.model.platforms:
                span = source.span(*mark.span()) if source else Source(path, "").span(0)
                yield Finding("stub", Severity.WARNING, "adapt this copy", span, (mark["platform"],))


def _find_drafts(site: Site) -> Iterator[Finding]:
    """Yield the steps and rows that are drafts themselves, not just on a draft platform."""
    for address, place in site.drafts.items():
        if place.step.draft.includes(place.platform):
            message = f"step `{address.step}` is a draft; finish it, and delete `draft`"
            yield Finding("draft", Severity.WARNING, message, place.step.key, (address.platform,))
    for row in (row for table in site.model.tables.values() for row in table.rows.values()):
        ids = tuple(p.id for p in site.model.platforms.values() if row.draft.includes(p) and not row.is_omitted(p))
        message = f"row `{row.id}` is a draft; finish it, and delete `draft`"
        yield Finding("draft", Severity.WARNING, message, row.key, ids)


def _build_item(finding: Finding, platform: str, owners: Sequence[str]) -> Item:
    position, message = finding.span.position, finding.message
    if finding.rule in _UNWRITTEN:  # it names the first of several platforms, and its file
        message = re.sub(rf"(?<=[`.]){re.escape(finding.platforms[0])}(?=[`.])", platform, message)
    return Item(message, finding.span.path, position.line, position.column, finding.rule, tuple(owners))


def list_items(statuses: Sequence[Status]) -> Iterator[tuple[str, list[Item]]]:
    """Yield each platform's heading and items; those that all platforms share come first, once."""
    lists = [status.items for status in statuses]
    shared = [item for item in lists[0] if all(item in items for items in lists)] if len(lists) > 1 else []
    titles = [(status.title, [item for item in status.items if item not in shared]) for status in statuses]
    for title, items in [("All platforms", shared), *titles] if shared else titles:
        yield f"{title}, {len(items)} to do" if items else f"{title}, nothing{' else' if shared else ''} to do", items


def render_text(statuses: Sequence[Status]) -> str:
    """Render for a terminal: a line for each platform, and one for each item."""
    out = []
    for heading, items in list_items(statuses):
        out += [heading, *(f"  {item.location}: {item.message}{_format_owners(item)}" for item in items)]
    return "\n".join(out) + "\n"


def render_markdown(statuses: Sequence[Status]) -> str:
    """Render for an issue or pull request: a task list for each platform."""
    out = []
    for heading, items in list_items(statuses):
        tasks = [f"- [ ] {item.message} (`{item.location}`){_format_owners(item)}" for item in items]
        out.append("\n".join([f"## {heading}", "", *tasks]).rstrip())
    return "\n\n".join(out) + "\n"


def render_json(statuses: Sequence[Status]) -> str:
    """Render for other programs: a list of platforms."""
    reported = [
        {
            "platform": status.platform.id,
            "name": strip_origins(status.platform.name),
            "draft": status.platform.draft,
            "written": status.written,
            "needed": status.needed,
            "items": [{**vars(item), "owners": list(item.owners)} for item in status.items],
        }
        for status in statuses
    ]
    return format_json(reported)


def _format_owners(item: Item) -> str:
    return f" {' '.join(item.owners)}" if item.owners else ""


RENDERERS = {"text": render_text, "markdown": render_markdown, "json": render_json}
