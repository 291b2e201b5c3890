"""`tutorial-tool where`: lists the pages and templates that use a name."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tutorial_tool.cli import names
from tutorial_tool.cli.shell import PROJECT, UNTRUSTED, fail, find_layout, print_first_error, relocate_path, uses_color
from tutorial_tool.core.diagnostics import MAX_NAMED, format_count, join_names, shorten_text
from tutorial_tool.reporters import as_json
from tutorial_tool.reporters.safe_text import make_visible

if TYPE_CHECKING:
    from tutorial_tool.site import Page, Site
    from tutorial_tool.site.symbols import Name, Occurrence, SymbolIndex

KINDS = (
    *("platform", "group", "tutorial", "step", "section", "field", "label", "value", "feature"),
    *("code", "table", "column", "row", "word", "part", "figure", "template", "macro"),
)


@click.command("where")
@click.argument("name", metavar="[NAME]", required=False, shell_complete=names.NAME)
@click.option(
    "--kind", "kinds", metavar="KIND", type=click.Choice(KINDS), multiple=True, help=f"One of: {', '.join(KINDS)}."
)
@click.option("--json", "is_json", is_flag=True, help="Print JSON: a list with an object for each name.")
@PROJECT
@UNTRUSTED
def command(name: str | None, kinds: tuple[str, ...], is_json: bool, project: Path) -> None:
    """Find references: where NAME is defined and used, and on which pages it shows; or where a text comes from.

    NAME is the id of a platform, group, tutorial, step, table, or figure; a label, value, feature, or code name
    (input, or platform.labels.input); a row or column (settings.send-as-batch), or a word that a column allows; a part
    (create-input/install), a section (create-input#keys), a template, or a macro. If several things have the name,
    all are shown. Anything else is a text: the lines of templates, parts, code, and data that it comes from are listed,
    with the pages. Without NAME, all names are listed. Exits with 0, or with 2 if there is no such name or text.

    \b
    Examples:
      tutorial-tool where platform.values.sdk
      tutorial-tool where connection-settings.send-as-batch
      tutorial-tool where input --kind label --json
      tutorial-tool where "Add the package"
    """
    from tutorial_tool.site import loading, symbols
    from tutorial_tool.site.symbols.matching import filter_names, find_names, format_hint

    read = loading.load(find_layout(project))
    uses = symbols.build_index(read)
    print_first_error(read, "Until that is fixed, the pages are unknown.")
    known = filter_names(uses.names, kinds)
    expected = find_names(name, uses.names, [symbols.SymbolKind(kind) for kind in kinds]) if name else known
    if name and not expected:
        rows = [] if kinds or is_json else _find_text_origins(read, name)
        rows = rows or fail(f"unknown {' or '.join(kinds) or 'name'} `{name}`{format_hint(name, known)}")
        click.echo("\n".join(_format_columns(rows)))
    elif is_json:
        click.echo(as_json.format_json([_serialize_name(uses, item) for item in expected]), nl=False)
    elif name:
        click.echo("\n\n".join("\n".join(_describe_name(uses, item)) for item in expected))
    else:
        for entry in expected:
            click.echo(make_visible(f"{entry.kind:<9} {entry.id}"))


# --- Text


def _find_text_origins(site: Site, text: str) -> list[tuple[str, str]]:
    """Return the locations in templates, parts, code, and data of a text, each with its pages."""
    shown = re.compile(r"[*_`]*(?:\]\([^)]*\))?\s+[*_`\[]*".join(map(re.escape, text.split())))  # ignoring markup
    origins: dict[str, list[Page]] = {}
    for page in site.pages:
        for run in (run for match in shown.finditer(page.plain) for run in page.text.get_runs_between(*match.span())):
            if run.span and page not in (
                pages := origins.setdefault(relocate_path(site.layout.root, str(run.span)), [])
            ):
                pages.append(page)
    return [(place, "; ".join(_summarize_pages(site, pages))) for place, pages in origins.items()]


def _describe_name(uses: SymbolIndex, name: Name) -> Iterator[str]:
    shown = make_visible(str(name))
    yield click.style(shown, bold=True) if uses_color(sys.stdout) else shown
    defined, used = uses.definitions.get(name, ()), uses.uses.get(name, ())
    yield "  defined:" if defined else "  defined nowhere"
    yield from _list_places(uses.site, defined, _format_definition)
    table = f" by its name; table `{name.table}` shows it" if name.table else ""
    yield "  used:" if used else f"  used nowhere{table}"
    yield from _list_places(uses.site, used, partial(_describe_use, uses))
    pages = uses.find_pages(name)
    yield f"  {format_count(len(pages), 'page')}:" if pages else "  on no page"
    yield from (f"    {make_visible(line)}" for line in _summarize_pages(uses.site, pages))


def _list_places(site: Site, places: Iterable[Occurrence], describe: Callable[[Occurrence], str]) -> Iterator[str]:
    rows = [(relocate_path(site.layout.root, str(place.span)), describe(place)) for place in places]
    return _format_columns(rows)


def _format_columns(rows: list[tuple[str, str]]) -> Iterator[str]:
    longest = max((len(place) for place, _ in rows), default=0)
    for place, about in rows:
        yield make_visible(f"    {place:<{longest}}  {about}".rstrip())


def _format_definition(place: Occurrence) -> str:
    if not place.exact or place.value is None:
        return place.context
    value = place.value.text.strip()
    if "\n" in value:
        return place.level or ""
    before = f"{place.level}: " if place.level else ""
    return (before + shorten_text(value) if place.value != place.span else before.rstrip(": ")).strip()


def _describe_use(uses: SymbolIndex, place: Occurrence) -> str:
    pages = "; ".join(_summarize_pages(uses.site, uses.find_place_pages(place)))
    via = f"through {', '.join(importers)}" if (importers := _find_importers(uses, place)) else ""
    return "; ".join(filter(None, (place.context, pages, via)))


def _find_importers(uses: SymbolIndex, place: Occurrence) -> list[str]:
    """Return the templates that include the one at a location, unless it belongs to a step."""
    from tutorial_tool.site.symbols import Name, SymbolKind

    folder = f"{uses.site.layout.templates}/"
    template = place.span.path.removeprefix(folder)
    if template.startswith(("steps/", "figures/")):
        return []
    users = uses.uses.get(Name(SymbolKind.TEMPLATE, template), ())
    return list(dict.fromkeys(user.span.path.removeprefix(folder) for user in users))


def _summarize_pages(site: Site, pages: list[Page]) -> list[str]:
    """Return a short list of pages: steps with their platforms, other pages by path."""
    steps: dict[tuple[str, str], list[str]] = {}
    others = []
    for page in pages:
        if page.place is None:
            others.append(relocate_path(site.layout.root, f"{site.layout.docs}/{page.path}"))
        else:
            steps.setdefault((page.place.tutorial.id, page.place.step.id), []).append(page.place.platform.id)
    value = []
    for (tutorial, step), platforms in steps.items():
        before = f"{tutorial}/" if len(site.model.tutorials) > 1 else ""
        value.append(f"{before}{step} ({_summarize_platforms(platforms, site.model.platforms)})")
    return value + others


def _summarize_platforms(platforms: Collection[str], known: Iterable[str]) -> str:
    lacking = [id_ for id_ in known if id_ not in platforms]
    if not lacking and len(platforms) > 1:
        return "all platforms"
    if len(lacking) == 1 and len(platforms) > MAX_NAMED:
        return f"all platforms but {lacking[0]}"
    return join_names(platforms)


# --- JSON


def _serialize_name(uses: SymbolIndex, name: Name) -> dict[str, Any]:
    definitions = [
        {
            **_serialize_place(place),
            "platform": place.level,
            "value": place.value.text if place.exact and place.value else None,
        }
        for place in uses.definitions.get(name, ())
    ]
    used = [
        {
            **_serialize_place(place),
            "by-way-of": _find_importers(uses, place),
            "pages": [*map(_serialize_page, uses.find_place_pages(place))],
        }
        for place in uses.uses.get(name, ())
    ]
    facts = {"kind": name.kind, "id": name.id, "definitions": definitions, "uses": used}
    return {**facts, "pages": [*map(_serialize_page, uses.find_pages(name))]}


def _serialize_place(place: Occurrence) -> dict[str, Any]:
    return {**as_json.serialize_span(place.span), "exact": place.exact, "how": place.context}


def _serialize_page(page: Page) -> dict[str, Any]:
    return {"path": page.path, "tutorial": page.tutorial, "step": page.step, "platform": page.platform}
