"""Links with a missing target, and the likely intended target."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename, splitext

from tutorial_tool.core.diagnostics import Finding, join_names, suggest_name
from tutorial_tool.links import Addresses, Reference, suggestions
from tutorial_tool.links.disk import make_relative
from tutorial_tool.site import Page, PageFix


def flag_missing(addresses: Addresses, page: Page, reference: Reference) -> Finding:
    """Report a link whose target is missing, with the first explanation that applies."""
    return (
        _flag_elsewhere(addresses, page, reference)
        or _flag_unpublished(addresses, page, reference)
        or _flag_suggestion(addresses, page, reference)
    )


def _flag_elsewhere(addresses: Addresses, page: Page, reference: Reference) -> Finding | None:
    """Report a link whose target has another URL: after a move, or since links in HTML are not rewritten."""
    path, mark, fragment = reference.href.partition("#")
    is_html = reference.kind == "html" and path.endswith((".md", ".markdown"))
    moved = None if reference.is_path else addresses.redirects.follow_file(page, path)
    if moved and moved.page:
        address = addresses.suggestions.format_url(page, moved.page, path, raw=reference.is_raw) + mark + fragment
        message = f"`{path}` has moved to `{address}`"
    elif is_html and (url := addresses.find_published_url(page, path)):
        address = url + mark + fragment
        message = f"`{path}` is not published: links in HTML are not rewritten; write `{address}`"
    else:
        return None
    return page.flag(reference.place, message, fix=_build_link_fix(reference, address))


def _flag_unpublished(addresses: Addresses, page: Page, reference: Reference) -> Finding | None:
    """Report a link whose target exists, but in another language or outside the published files."""
    path = reference.href.partition("#")[0]
    if reference.kind == "ref" and (other := addresses.targets.find_hugo_page(page, path)) is not None:
        name = other.path if isinstance(other, Page) else path
        message = f"`{path}` exists in another language only, as `{name}`; translate it, or set `lang`"
        return page.flag(reference.place, message)
    if outside := addresses.find_escaped_docs(page, path):
        return page.flag(reference.place, f"`{path}` is outside `{outside}`, so it is not published")
    return None


def _flag_suggestion(addresses: Addresses, page: Page, reference: Reference) -> Finding:
    """Report a link whose target is missing, with the likely intended one."""
    href, place = reference.href, reference.place
    if lacks_slash(addresses, page, reference):
        message = f"link target `{href}` not found; did you mean `/{href}`?"
        return page.flag(place, message, fix=_build_link_fix(reference, f"/{href}", safe=False))
    message = f"link target `{href.partition('#')[0]}` not found"
    suggestion = addresses.suggestions.suggest_page(page, href, raw=reference.is_raw, kind=reference.kind)
    if suggestion is None:
        return page.flag(place, message + addresses.pages.format_searched_folder(page, reference))
    other = addresses.resolve_href(page, suggestion.address, raw=reference.is_raw).page if page.place else None
    if other is not None and other.platform not in (None, page.platform):
        return page.flag(place, message + _describe_absence(page, other))
    is_safe = suggestion.is_certain and addresses.is_proven(page, "page", reference)
    fix = _build_link_fix(reference, suggestion.address, safe=is_safe)
    is_own = addresses.resolve_href(page, suggestion.address.partition("#")[0]).page is page  # nobody intends that
    return page.flag(place, f"{message}; did you mean `{suggestion.address}`?", fix=None if is_own else fix)


def _build_link_fix(reference: Reference, address: str, *, safe: bool = True) -> PageFix:
    return PageFix(f"link to `{address}`", ((*reference.place, address),), safe)


def _describe_absence(page: Page, other: Page) -> str:
    """Explain why a page's platform lacks a page of a step that another platform has."""
    if page.place is None or other.place is None or page.tutorial != other.tutorial:
        return ""
    reason = page.place.tutorial.get_absence_reason(other.place.step, page.place.platform)
    if reason is None:
        return ""
    return f": {page.place.platform.name} does not have the step `{other.step}`" + (f" ({reason})" if reason else "")


def names_file(href: str) -> bool:
    """Return whether a URL is the relative path of a page's file: that holds for every generator."""
    path = href.partition("#")[0]
    return not path.startswith("/") and path.endswith((".md", ".mdx", ".markdown"))


def lacks_slash(addresses: Addresses, page: Page, reference: Reference) -> bool:
    """Return whether a broken URL only lacks a leading slash: on a page at the root, that may make no difference."""
    if reference.is_path or reference.href.startswith(("/", ".")):
        return False
    own = addresses.resolve_href(page, f"/{splitext(basename(page.path))[0]}").page
    is_at_root = own is page and not addresses.get_tree(page).recognized
    return not is_at_root and addresses.resolve_href(page, f"/{reference.href}").kind in ("page", "file")


def find_missing_includes(addresses: Addresses, page: Page) -> Iterator[Finding]:
    """Find files that the page includes and that are missing."""
    for lost in addresses.find_missing_snippets(page):
        beside = (addresses.pages.disk.list_entries(folder).items() for folder in lost.folders)
        names = sorted({name for entries in beside for name, is_folder in entries if not is_folder})
        near = suggestions.find_best_match(basename(lost.name), names, suggestions.NEAR_BESIDE)
        expected = lost.name[: -len(basename(lost.name))] + near if near else ""
        fix = PageFix(f"include `{expected}`", ((lost.start, lost.end, expected),), safe=False) if near else None
        searched = join_names((f"`{make_relative(folder, addresses.pages.root)}`" for folder in lost.folders), " and ")
        message = f"included file `{lost.name}` not found{suggest_name(expected) or f' in {searched}'}"
        yield page.flag((lost.start, lost.end), message, fix=fix)
