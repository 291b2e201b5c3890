"""Links whose target is not here, but may well be elsewhere."""

from __future__ import annotations

from posixpath import splitext

from tutorial_tool.core import lazy_re
from tutorial_tool.links import Addresses, Reference
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page

_SOURCE = lazy_re.compile(r"/|^www\.|@|\.(?:md|rst|txt|ipynb)(?:#|$)")
_NUMBERED = lazy_re.compile(r"(^|/)\d+[-_.][ ]?(?=[^\W\d_])")


def is_elsewhere(of: Addresses, page: Page, reference: Reference) -> bool:
    """Whether an address counts from the pages that bring this one in, or is no source's, and Sphinx may know it: a
    label, something documented in code, its output."""
    if page.dialect is Dialect.MYST and reference.kind not in ("toctree", "doc"):
        return reference.href.endswith(".html") or not _SOURCE.search(reference.href)
    if not reference.is_path and (
        reference.href in ("url", "URL", "link") or of.is_right_elsewhere(page, reference.href)
    ):
        return True
    return of.is_snippet(page) or of.labels.is_target(page, reference.href)


def is_numbered(of: Addresses, page: Page, reference: Reference) -> bool:
    """Whether a page answers whose file has a number before its name, which many generators leave out of addresses."""
    path = reference.href.partition("#")[0].rstrip("/")
    if of.tree(page).is_exact:
        return False
    suggestion = of.suggestions.page(page, reference.href, raw=reference.raw, kind=reference.kind)
    if not suggestion or not _NUMBERED.search(suggestion.address):
        return False
    names = suggestion.address.partition("#")[0], path
    steps = [_NUMBERED.sub(r"\1", splitext(name)[0]).removeprefix("./") for name in names]
    return steps[0].removesuffix("/index") == steps[1]
