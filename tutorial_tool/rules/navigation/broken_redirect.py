"""Redirects whose target does not exist, or that form a loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from tutorial_tool import links
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Related, Severity, join_names
from tutorial_tool.core.source import Source, Span
from tutorial_tool.fs import files
from tutorial_tool.links import Addresses, Redirect, Tree, redirect_faults
from tutorial_tool.publishing import redirect_pages
from tutorial_tool.rules import rule
from tutorial_tool.rules._shared import _doubts, _unrendered
from tutorial_tool.site import Site


@rule("navigation", Severity.ERROR)
def check(site: Site, config: Config) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    is_whole = all(addresses.pages.disk.is_folder(tree.docs) for tree in addresses.pages.trees)
    for span, entries in _group_by_span(addresses, config) if is_whole else ():
        reported = [_describe_fault(addresses, tree, redirect) for tree, redirect in entries]
        if all(reported):  # if sites share a file, the entry may be for another site
            doubt = Severity.OFF if all(addresses.is_known(tree) for tree, _ in entries) else Severity.WARNING
            yield Finding("", doubt, f"redirect from `{entries[0][1].old}` {reported[0]}", span)
    yield from _doubts.find_hints(addresses, "redirect")
    yield from chain.from_iterable(map(_report_claimed_url, redirect_pages.find_claimed_urls(site)))


def _group_by_span(addresses: Addresses, config: Config) -> Iterable[tuple[Span, list[tuple[Tree, Redirect]]]]:
    """Group redirects by the span that defines them: several sites may use one file."""
    out: dict[tuple[str, int, int], tuple[Span, list[tuple[Tree, Redirect]]]] = {}
    for tree, redirect in addresses.tables.all_redirects:
        if addresses.has_tests_only(tree) or redirect.is_rewrite:
            continue
        if (span := redirect.span or _find_configured_span(config, redirect)) is not None:
            out.setdefault((span.path, span.start, span.end), (span, []))[1].append((tree, redirect))
    return out.values()


def _describe_fault(addresses: Addresses, tree: Tree, redirect: Redirect) -> str:
    """Describe what is wrong with a redirect; "" if nothing is."""
    page = addresses.redirects.find_published_page(tree, redirect)
    if page:
        return f"overlaps with `{page.path}`, which is published there, too; readers reach only one of them"
    fault = redirect_faults.find_fault(addresses, tree, redirect)
    if fault is None or addresses.doubts.get_redirect_doubt(redirect.span):
        return ""
    if fault.kind == "missing" and _unrendered.build_matcher(addresses.site)(redirect.new):
        return ""  # the error in that template is reported instead
    return fault.message


def _report_claimed_url(claims: list[Redirect]) -> Iterator[Finding]:
    """Report a URL that several pages claim, as without the platform in a template: only one gets it."""
    paths = list(dict.fromkeys(claim.page.path for claim in claims if claim.page))
    named = join_names((f"`{path}`" for path in paths), limit=4)
    message = f"is claimed by several pages: {named}; only `{paths[0]}` is published there"
    first = claims[0]
    span = next((claim.span for claim in claims if claim.page is not first.page and claim.span), None)
    if span is not None:
        also = (Related(first.span, "claimed here, too"),) if first.span and first.span != span else ()
        yield Finding("", Severity.OFF, f"URL `{first.old}` {message}", span, related=also)


def _find_configured_span(config: Config, redirect: Redirect) -> Span | None:
    """Return the span of a redirect's target in the configuration."""
    read = files.read(config.file, root=config.root) if config.file else None
    if not isinstance(read, Source):
        return None
    start = max(read.text.find(f'"{redirect.old}"'), 0)
    at = read.text.find(redirect.new, start + len(redirect.old))
    return read.span(at, at + len(redirect.new)) if at >= 0 else read.span(start, start)
