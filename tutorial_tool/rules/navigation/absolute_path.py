"""Links from the host's root, on a site that is published below it."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool import links
from tutorial_tool.config.settings import Config
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.links import Addresses, Reference
from tutorial_tool.rules import rule
from tutorial_tool.site import Page, PageFix, Site


@rule("navigation", Severity.WARNING, yields_to=("foreign-link",))
def check(site: Site, config: Config) -> Iterator[Finding]:
    addresses = links.get_addresses(site)
    everywhere = config.is_requested("absolute-path")
    bases = {tree: tree.base for tree in addresses.pages.trees if tree.base != "/" or everywhere}
    for page in site.pages:
        base = bases.get(addresses.get_tree(page))
        if base is None:
            continue
        for reference, target in addresses.get_links(page):
            if target.kind in ("page", "file") and _lacks_base(addresses, page, reference, base):
                yield _report_link(addresses, page, reference, target.page, base)


def _lacks_base(addresses: Addresses, page: Page, reference: Reference, base: str) -> bool:
    """Return whether a link starts at the root of the host and nothing prepends the site's base."""
    href = reference.href
    if not href.startswith("/") or href.startswith("//") or (base != "/" and href.startswith(base)):
        return False
    is_rewritten = addresses.get_tree(page).root_is_docs and not reference.is_raw
    return not is_rewritten and not addresses.is_prefixed(page, reference)


def _report_link(addresses: Addresses, page: Page, reference: Reference, to: Page | None, base: str) -> Finding:
    path, mark, fragment = reference.href.partition("#")
    why = f", but the site is at `{base}`" if base != "/" else "; it breaks when the site moves below a path"
    if to is None:
        return page.flag(reference.place, f"`{path}` starts at the root of the host{why}")
    address = addresses.suggestions.format_url(page, to, "", raw=reference.is_raw) + mark + fragment
    fix = PageFix(f"link to `{address}`", ((*reference.place, address),), safe=base != "/")
    return page.flag(reference.place, f"`{path}` starts at the root of the host{why}; write `{address}`", fix=fix)
