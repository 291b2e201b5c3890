"""One hint for each doubt about the addresses of a site: what explains it, and the setting that answers it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tutorial_tool.core.diagnostics import Finding, Related, Severity
from tutorial_tool.core.source import Span
from tutorial_tool.fs import files
from tutorial_tool.links import Addresses, Reference
from tutorial_tool.links.doubt import Doubt, Kind
from tutorial_tool.site import Page

_NAMED = 3  # How many further places a hint shows
_NOUNS = {"page": "links", "picture": "images", "anchor": "anchors", "redirect": "redirects"}
_MADE = "if they are generated, list them in `generated-addresses`"


def hints(of: Addresses, kind: Kind) -> Iterator[Finding]:
    """One for each doubt about addresses of a kind, at the first one."""
    for doubt in of.doubts.of_kind(kind):
        spans = list(_spans(of, doubt))
        message = f"{len(doubt.places)} {_NOUNS[kind]} {_explained(doubt)}"
        related = tuple(Related(span, "another one") for span in spans[1:])
        yield Finding("", Severity.HINT, message, spans[0], related=related, why=_evidence(doubt))


def evidence(of: Addresses, kind: Kind, page: Page, reference: Reference) -> tuple[str, ...]:
    """Why an address of a page is taken to be wrong: who publishes the page, and how many such addresses hold."""
    tree = of.tree(page)
    name = tree.generator.title
    where = files.shown(Path(tree.root), Path(of.root))
    who = f"{name} publishes the page: its configuration is in `{where}`" if name else "no configuration says what"
    if not name:
        who += " publishes the page; it is read as on GitHub" if of.is_known(tree) else " publishes the page"
    index, asked = of.doubts.share(kind, page, reference)
    return who, f"{index} of {asked} different targets in this form exist"


def _evidence(doubt: Doubt) -> tuple[str, ...]:
    return (f"{doubt.targets} different targets, {doubt.share:.0%} of those with {doubt.shape}, fail this way",)


def _explained(doubt: Doubt) -> str:
    name, _, detail = doubt.why.partition("=")
    where = doubt.shape.partition("=/")[2]
    folder = f"`/{where}`" if doubt.shape.startswith(("to=", "from=")) else "their folders"
    match name:
        case "case":
            message = "differ from an existing anchor only in case: if the generator keeps capitals, "
            return f"{message}set `keep-anchor-case`"
        case "marks":
            return f"differ from an existing anchor only in punctuation: {_MADE}"
        case "part":
            return f"are not on their own page, which may be part of others: {_MADE}"
        case "route":
            return f"contain a slash, like those that a script of the site reads: {_MADE}"
        case "component":
            return f"are not on pages with `<{detail}>`, which may render headings: {_MADE}"
        case "language" if doubt.kind == "anchor":
            return f"are from pages in another language, not from the page shown: {_MADE}"
        case "language":
            message = "have a page only in the main language: if the site falls back to it, "
            return f"{message}set `fallback-language`"
        case "folder":
            return f"point below {folder}, where no page was found: {_MADE}"
        case "start":
            return f"would work from the folder above: {_MADE}"
        case "helper":
            return f"are in a helper that completes URLs: {_MADE}"
        case "dynamic":
            return f"contain brackets, as a placeholder for many pages: {_MADE}"
        case _:
            return "form a loop, so their file is ignored"


def _spans(of: Addresses, doubt: Doubt) -> Iterator[Span]:
    """The first places of a doubt."""
    if doubt.kind == "redirect":
        value = {(span.path, span.start): span for _, redirect in of.redirects.all if (span := redirect.span)}
        yield from (value[place] for place in doubt.places[: 1 + _NAMED])
        return
    pages = {page.path: page for page in of.site.pages}
    for path, start in doubt.places[: 1 + _NAMED]:
        page = pages[path]
        place = next(reference.place for reference in of.references(page) if reference.place.start == start)
        yield page.source_span(*place)[0]
