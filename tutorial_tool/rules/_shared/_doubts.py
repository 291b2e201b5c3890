"""One hint for each group of unresolved link targets: the likely cause, and the setting that resolves it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import join, normpath

from tutorial_tool.core.diagnostics import MAX_NAMED, Finding, Related, Severity, join_names
from tutorial_tool.core.source import Span
from tutorial_tool.fs import files
from tutorial_tool.links import Addresses, Reference
from tutorial_tool.links.doubt import MIN_FAILING, Doubt, Kind
from tutorial_tool.site import Page

_NOUNS = {"page": "links", "picture": "images", "anchor": "anchors", "redirect": "redirects"}
_IF_GENERATED = "if they are generated, list them in `generated-urls`"


def find_hints(addresses: Addresses, kind: Kind) -> Iterator[Finding]:
    """Yield one finding for each group of doubtful targets of a kind, at its first location."""
    explained = set[str]()
    for doubt in addresses.doubts.all_doubts:
        if doubt.kind != kind or (doubt.explanation in explained and len(doubt.places) < MIN_FAILING):
            continue  # or the explanation has already been reported
        explained.add(doubt.explanation)
        spans = list(_iter_spans(addresses, doubt))
        message = f"{len(doubt.places)} {_NOUNS[kind]} {_explain_doubt(doubt)}"
        related = tuple(Related(span, "another one") for span in spans[1:])
        why = f"{doubt.targets} different targets, {doubt.share:.0%} of those with {doubt.feature}, fail this way"
        yield Finding("", Severity.HINT, message, spans[0], related=related, why=(why,))


def describe_evidence(addresses: Addresses, kind: Kind, page: Page, reference: Reference) -> tuple[str, ...]:
    """Explain why a link target is considered broken.

    The evidence: the generator of the page and how it was recognized, where the target was looked for, and how many
    such targets resolve.
    """
    tree = addresses.get_tree(page)
    name, where = tree.generator.title, files.format_path(Path(tree.root), Path(addresses.pages.root))
    names = addresses.pages.disk.list_entries(tree.root)
    found_by = [file for file in names if re.fullmatch(tree.generator.configuration, file)]
    reason = f"`{normpath(join(where, min(found_by)))}` says" if found_by else f"files in `{where}` say"
    hosting = "; it is read as on GitHub" if addresses.is_known(tree) else ""
    unknown = f"no configuration says what publishes the page{hosting}"
    publisher = f"{name} publishes the page, as {reason}" if name else unknown
    existing, used = addresses.doubts.get_target_counts(kind, page, reference)
    share = f"{existing} of {used} different targets in this form exist"
    return publisher, *_describe_attempts(addresses, kind, page, reference), share


def _describe_attempts(addresses: Addresses, kind: Kind, page: Page, reference: Reference) -> Iterator[str]:
    """Describe where a target was looked for: the files that were tried, or the anchors."""
    if kind == "anchor":
        to = addresses.anchors.get_target_page(addresses.resolve_reference(page, reference))
        yield from [f"the anchors of `{to.path}` were compared: {len(addresses.get_anchors(to))}"] if to else []
        return
    paths = addresses.list_tried_files(page, reference)
    yield from [f"looked for {join_names((f'`{path}`' for path in paths), limit=MAX_NAMED)}"] if paths else []


_EXPLAINED = {
    "checked": "have no page, though the build stops at broken links",
    "case": "differ from an existing anchor only in case: if the generator keeps capitals, set `keep-anchor-case`",
    "count": "end in a number, as if their page had the heading several times",
    "marks": "differ from an existing anchor only in punctuation",
    "part": "are not on their own page, which may be part of others",
    "dot": "contain a period, which no heading of their pages has in its anchor",
    "route": "contain a slash, like those that a script of the site reads",
    "component": "are not on pages with `<{detail}>`, which may render headings",
    "language": "have a page only in the main language: if the site falls back to it, set `fallback-language`",
    "folder": "point below {folder}, where no page was found",
    "base": "would work without `{detail}`: if the site is published there, set its URL",
    "affix": "start with `{detail}`, as if the generator or a component had built them",
    "end": "would work with `{detail}` at the end, as if the site chose a page",
    "backslash": "would work with `/` for `\\`, as if the publisher replaced it",
    "path-case": "differ from an existing file only in case, as if the site ignored it",
    "start": "would work from a folder above",
    "helper": "are in a helper that completes URLs",
    "dynamic": "contain brackets, as a placeholder for many pages",
    "sign": "have a special character, as if the site's own program read them",
    "name": "name a page or file in another folder, as if the site looked them up by name",
    "slug": "have no suffix, as if a site other than GitHub published their pages",
    "circle": "form a loop, so their file is ignored",
}
_ANSWERED = ("case", "path-case", "language", "circle", "base", "backslash")  # `generated-urls` is no remedy


def _explain_doubt(doubt: Doubt) -> str:
    name, _, detail = doubt.explanation.partition("=")
    if name == "language" and doubt.kind == "anchor":
        return f"are from pages in another language, not from the page shown: {_IF_GENERATED}"
    where = doubt.feature.partition("=/")[2]
    folder = f"`/{where}`" if doubt.feature.startswith(("to=", "from=")) else "their folders"
    message = _EXPLAINED[name].format(detail=detail, folder=folder)
    return message if name in _ANSWERED else f"{message}: {_IF_GENERATED}"


def _iter_spans(addresses: Addresses, doubt: Doubt) -> Iterator[Span]:
    """Yield the first few locations of a doubt."""
    shown = doubt.places[: 1 + MAX_NAMED]
    if doubt.kind == "redirect":
        stated = [redirect.span for _, redirect in addresses.tables.all_redirects if redirect.span]
        spans = {(span.path, span.start): span for span in stated}
        yield from map(spans.__getitem__, shown)
        return
    pages = {page.path: page for page in addresses.site.pages}
    for path, start in shown:
        page = pages[path]
        places = (reference.place for reference in addresses.pages.get_references(page))
        yield page.get_source_span(*next(place for place in places if place.start == start))[0]
