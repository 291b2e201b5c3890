"""Links whose target is not here, but may well be elsewhere."""

from __future__ import annotations

from tutorial_tool.core import lazy_re
from tutorial_tool.links import Addresses, Reference
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page

_SOURCE = lazy_re.compile(r"/|^www\.|@|\.(?:md|rst|txt|ipynb)(?:#|$)")


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
