"""Markup that the renderer of the page does not parse, so that it is shown literally or stops the build."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from tutorial_tool import links
from tutorial_tool.config.plugin_options import EXTENSIONS
from tutorial_tool.core import merge_markers
from tutorial_tool.core.diagnostics import MAX_PLACES, Finding, Related, Severity
from tutorial_tool.core.merge_markers import MergeMarker
from tutorial_tool.core.source import Span, is_within
from tutorial_tool.links import Tree
from tutorial_tool.links.generators.mkdocs import READ_TAGS, get_plugins
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.rules import rule
from tutorial_tool.rules.markup._unparsed import (
    admonitions,
    directives,
    extensions,
    inline_marks,
    other_generators,
    raw_blocks,
)
from tutorial_tool.site import Page, PageFix, Site, page_facts
from tutorial_tool.site.fact_index import collect_facts


# Merge conflict markers in the text of a page, for `unparsed-markup`.
@page_facts.register
def find_conflict_marks(page: Page) -> tuple[MergeMarker, ...]:
    """Find the merge conflict markers of a page outside code, where they may be examples."""
    text = page.plain
    marks = list(merge_markers.find_markers(text))
    if not marks:
        return ()
    body = page.document.body_start  # front matter is reported with its other errors
    shown = [
        (block.start, block.end)
        for block, _ in page.document.walk()
        if block.kind in ("code", "esm") or (block.kind == "html" and text.startswith("<pre", block.start))
    ]
    return tuple(mark for mark in marks if mark.start >= body and not is_within(mark.start, shown))


_READ_IN_HTML = {"md_in_html", "extra", "pymdownx.extra"}
_TURN_ON = ", and add `md_in_html` to `markdown_extensions`"


@rule("markup", Severity.WARNING, yields_to=("malformed-table", "broken-link"))
def check(site: Site) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    for page, marks in collect_facts(site, find_conflict_marks).items():
        yield from (page.flag((mark.start, mark.end), mark.message, severity=Severity.ERROR) for mark in marks)
    yield from _report_comments(site)
    yield from _report_literal_markers(site, addresses)
    for page, raws in collect_facts(site, raw_blocks.find_raw_blocks).items():
        if (names := _find_extensions(site, addresses.get_tree(page))) is not None:
            yield from _report_raw_blocks(page, raws, names)
    yield from _report_extensions(site, addresses)
    yield from _report_foreign_markup(site, addresses)
    for page, lines in collect_facts(site, directives.find_container_lines).items():
        if addresses.get_tree(page).generator.has_containers:
            yield from _report_containers(page, lines)


@page_facts.register
def _find_open_comment(page: Page) -> Range | None:
    """Find the unclosed comment that hides the rest of a page."""
    at = page.plain.rfind("<!--")
    if at < 0 or "-->" in page.plain[at:]:
        return None
    html = (block for block, _ in page.document.walk() if block.kind == "html")
    return next((Range(at, at + 4) for block in html if block.start <= at < block.end), None)


def _report_comments(site: Site) -> Iterator[Finding]:
    for page, place in collect_facts(site, _find_open_comment).items():
        assert place is not None
        python = page.dialect is Dialect.PYTHON_MARKDOWN
        what = "it is rendered literally" if python else "the rest of the page is not shown"
        yield page.flag(place, f"unclosed comment: {what}")


def _report_literal_markers(site: Site, addresses: links.Addresses) -> Iterator[Finding]:
    for page, literal in collect_facts(site, inline_marks.find_literal_markers).items():
        for place, message, title, edits, is_bold_in_old_mdx in literal:
            if not (is_bold_in_old_mdx and addresses.get_tree(page).old_mdx):
                yield page.flag(place, message, fix=PageFix(title, edits) if edits else None)
    for page, in_page in collect_facts(site, admonitions.find_broken_admonitions).items():
        yield from (page.flag(box.place, box.message) for box in in_page)


def _report_extensions(site: Site, of: links.Addresses) -> Iterator[Finding]:
    """Report each missing extension once, at the first block that needs it."""
    groups = _group_places(site, of, extensions.find_uses, lambda kind, _, names: names & {*extensions.READERS[kind]})
    for (file, kind), places in groups.items():
        (span, written), *others = places.items()
        shown = "this indented fence" if "`" in written else f"`{written.strip()}`"
        message = f"{shown} is not parsed{_format_more(others)}; add `{extensions.READERS[kind][0]}` to"
        yield _build_finding(f"{message} `markdown_extensions` in {file}", span, others)


def _report_foreign_markup(site: Site, of: links.Addresses) -> Iterator[Finding]:
    """Report each kind of admonition or tag of another generator once for its site, at its first place."""

    def is_parsed(kind: str, tree: Tree, names: frozenset[str]) -> bool:
        is_filled_in = kind in ("{{", "{%") and not READ_TAGS.isdisjoint(get_plugins(tree))
        return is_filled_in or (kind == "[!" and "pymdownx.quotes" in names)

    for places in _group_places(site, of, other_generators.find_foreign_markup, is_parsed).values():
        (span, written), *others = places.items()
        instead = other_generators.get_equivalent(written)
        has = f"; Python-Markdown has `{instead}`" if instead else ""
        yield _build_finding(f"`{written}` is rendered literally{_format_more(others)}{has}", span, others)


def _group_places(
    site: Site,
    of: links.Addresses,
    find: Callable[[Page], tuple[Range, ...]],
    is_parsed: Callable[[str, Tree, frozenset[str]], object],
) -> Mapping[tuple[str, str], Mapping[Span, str]]:
    """Group markup that a site does not parse by its configuration and first two characters.

    Markup of a template is one place, however many platforms show it.
    """
    result: dict[tuple[str, str], dict[Span, str]] = defaultdict(dict)
    for page, places in collect_facts(site, find).items():
        tree = of.get_tree(page)
        names = _find_extensions(site, tree)
        for place in places if names is not None else ():
            written = page.plain[slice(*place)]
            if names is not None and not is_parsed(written[:2], tree, names):
                file = tree.config.path if tree.config else "mkdocs.yml"
                result[file, written[:2]].setdefault(page.get_source_span(*place)[0], written)
    return result


def _find_extensions(site: Site, tree: Tree) -> frozenset[str] | None:
    names = extensions.find_enabled_extensions(tree)
    return names.union(EXTENSIONS) if names is not None and site.is_project else names  # `render` adds them


def _format_more(others: Sequence[object]) -> str:
    return f" (and {len(others)} more)" if others else ""


def _build_finding(message: str, span: Span, others: Sequence[tuple[Span, str]]) -> Finding:
    related = tuple(Related(other, "also here") for other, _ in others[:MAX_PLACES])
    return Finding("", Severity.OFF, message, span, related=related)


def _report_raw_blocks(page: Page, raws: Sequence[raw_blocks.RawBlock], names: frozenset[str]) -> Iterator[Finding]:
    """Report Markdown in HTML, once per page."""
    if closed := [raw for raw in raws if raw.is_closed]:
        first, *others = closed
        lacking = "" if names & _READ_IN_HTML else _TURN_ON
        more = f" (and in {len(others)} more)" if others else ""
        asking = _describe_remedy(page.plain[slice(*first.tag)], first.open_elements)
        related = [(page, first.marker, "as here"), *((page, raw.tag, "also in this") for raw in others[:MAX_PLACES])]
        message = f"Markdown in HTML is rendered literally{more}; {asking}{lacking}"
        yield page.flag(first.tag, message, related=related)
    for item in raws:
        if not item.is_closed:
            message = f"unclosed `{page.plain[slice(*item.tag)]}`: what follows is rendered literally"
            yield page.flag(item.tag, message, related=[(page, item.marker, "as here")])


def _describe_remedy(tag: str, around: tuple[str, ...]) -> str:
    """Describe how to enable Markdown in elements: each one around the Markdown needs the attribute."""
    if len(around) > 1:
        return f"write `markdown` into the tags around it: {', '.join(f'`<{name}>`' for name in around)}"
    return f"write `{tag[:-1].rstrip(' /')} markdown>`"


def _report_containers(page: Page, lines: directives.ContainerLines) -> Iterator[Finding]:
    if lines.repeated:
        yield page.flag(lines.repeated.place, "this opens another container: write `:::` to close the one above")
    elif lines.unclosed:
        yield page.flag(lines.unclosed.place, "unclosed container: it contains the rest of the page")
    if lines.overlapping and not lines.repeated:
        yield page.flag(lines.overlapping.place, "unclosed container: write `:::` before the next one opens")
    if lines.unmatched:
        yield page.flag(lines.unmatched.place, "unmatched end of a container, rendered literally")
