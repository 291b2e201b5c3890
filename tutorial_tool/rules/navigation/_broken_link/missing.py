"""Links whose target is not there, and what was meant."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename

from tutorial_tool.core.diagnostics import Finding
from tutorial_tool.links import Addresses, Reference, suggestions
from tutorial_tool.links.suggestions import Suggestion
from tutorial_tool.site import Page, PageFix

_NEAR = 0.85  # How alike a label is, of 1, that may be meant


def flag_missing(of: Addresses, page: Page, reference: Reference) -> Finding:
    href, place = reference.href, reference.place
    path, mark, fragment = href.partition("#")
    if not reference.is_path and (moved := of.redirects.moved(page, path)):
        address = of.suggestions.written(page, moved, path, raw=reference.raw) + mark + fragment
        fix = PageFix(f"link to `{address}`", ((*place, address),))
        return page.flag(place, f"`{path}` has moved to `{address}`", fix=fix)
    if reference.kind == "html" and path.endswith((".md", ".markdown")) and (meant := of.published(page, path)):
        address = meant + mark + fragment
        fix = PageFix(f"link to `{address}`", ((*place, address),))
        message = f"`{path}` is not published: links in HTML are not rewritten; write `{address}`"
        return page.flag(place, message, fix=fix)
    if reference.kind == "ref" and (other := of.readings.of_hugo(page, path)) is not None:
        name = other.path if isinstance(other, Page) else path
        text = f"`{path}` exists in another language only, as `{name}`; translate it, or set `lang`"
        return page.flag(place, text)
    if outside := of.outside(page, path):
        return page.flag(place, f"`{path}` is outside `{outside}`, so it is not published")
    if lacks_slash(of, page, reference):
        slash = PageFix(f"link to `/{href}`", ((*place, f"/{href}"),), safe=False)
        return page.flag(place, f"link target `{href}` not found; did you mean `/{href}`?", fix=slash)
    suggestion = of.suggestions.page(page, href, raw=reference.raw, kind=reference.kind)
    other = of.resolve(page, suggestion.address, raw=reference.raw).page if suggestion and page.place else None
    if other is not None and other.place and other.platform != page.platform:
        return page.flag(place, f"link target `{path}` not found{_lacking(page, other)}")
    near = f"; did you mean `{suggestion.address}`?" if suggestion else ""
    edits = ((*place, suggestion.address),) if suggestion else ()
    is_safe = suggestion is not None and suggestion.sure and of.is_proven(page, "page", reference)
    guess = (
        PageFix(f"link to `{suggestion.address}`", edits, is_safe)
        if suggestion and not _is_own(of, page, suggestion)
        else None
    )
    return page.flag(place, f"link target `{path}` not found{near}", fix=guess)


def _is_own(of: Addresses, page: Page, suggestion: Suggestion) -> bool:
    """Whether what is suggested is the very page that a link stands on: nobody meant that."""
    path = suggestion.address.partition("#")[0]
    return of.resolve(page, path).page is page


def _lacking(page: Page, other: Page) -> str:
    """Why a page's platform has no page of a step that another platform has."""
    if page.place is None or other.place is None or page.tutorial != other.tutorial:
        return ""
    reason = page.place.tutorial.absence(other.place.step, page.place.platform)
    if reason is None:
        return ""
    return f": {page.place.platform.name} does not have the step `{other.step}`" + (f" ({reason})" if reason else "")


def names_file(href: str) -> bool:
    """Whether an address names the file of a page, counted from its own: that is so whoever publishes it."""
    path = href.partition("#")[0]
    return not path.startswith("/") and path.endswith((".md", ".mdx", ".markdown"))


def lacks_slash(of: Addresses, page: Page, reference: Reference) -> bool:
    """Whether an address that leads nowhere does so for want of a slash at its beginning."""
    is_bare = not reference.is_path and not reference.href.startswith(("/", "."))
    return is_bare and of.resolve(page, f"/{reference.href}").kind in ("page", "file")


def find_label(of: Addresses, page: Page, reference: Reference, label: str) -> Iterator[Finding]:
    """A slip in a label of Sphinx: one that is like no other may be that of a program, or of another project."""
    if near := suggestions.best(label, sorted(of.labels.known(of.tree(page))), _NEAR):
        mark = "#" * reference.href.startswith("#")
        fix = PageFix(f"use `{mark}{near}`", ((*reference.place, f"{mark}{near}"),), safe=False)
        yield page.flag(reference.place, f"no page has the label `{label}`; did you mean `{mark}{near}`?", fix=fix)


def find_missing_includes(of: Addresses, page: Page) -> Iterator[Finding]:
    """Files that are to stand here, as a snippet or an include, and are not there."""
    for lost in of.lost(page):
        beside = (of.disk.entries(folder).items() for folder in lost.folders)
        names = sorted({name for entries in beside for name, is_folder in entries if not is_folder})
        near = suggestions.best(basename(lost.name), names, suggestions.NEAR_BESIDE)
        wanted = lost.name[: -len(basename(lost.name))] + near if near else ""
        fix = PageFix(f"include `{wanted}`", ((lost.start, lost.end, wanted),), safe=False) if near else None
        meant = f"; did you mean `{wanted}`?" if near else ""
        yield page.flag((lost.start, lost.end), f"included file `{lost.name}` not found{meant}", fix=fix)
