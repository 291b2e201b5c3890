"""Links whose target is not here, but may well be elsewhere."""

from __future__ import annotations

import re
from posixpath import basename, splitext

from tutorial_tool.core import lazy_re
from tutorial_tool.links import Addresses, Reference
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page

_SOURCE = lazy_re.compile(r"/|^www\.|@|\.(?:md|rst|txt|ipynb)(?:#|$)")
_NUMBERED = lazy_re.compile(r"(^|/)\d+[-_.][ ]?(?=[^\W\d_])")
_FOR_WRITERS = lazy_re.compile(
    r"(?:agents|claude|gemini|contributing|copilot-instructions|skill)\b|.*style[-_ ]?guide", re.IGNORECASE
)
"""Files in which people and programs are told how to write."""
_QUOTED = lazy_re.compile(r"[\"“]([^\"“”\n]*)[\"”]")
_LINK = lazy_re.compile(r"\[[^\[\]]*\]\([^()\s]*\)")
_WORDS_AROUND = lazy_re.compile(r"\w|\.\.\.|…")


def is_elsewhere(of: Addresses, page: Page, reference: Reference) -> bool:
    """Whether an address counts from the pages that bring this one in, or is no source's, and Sphinx may know it: a
    label, something documented in code, its output."""
    if page.dialect is Dialect.MYST and reference.kind not in ("toctree", "doc"):
        return reference.href.endswith(".html") or not _SOURCE.search(reference.href)
    if not reference.is_path and (
        reference.href in ("url", "URL", "link") or of.is_right_elsewhere(page, reference.href)
    ):
        return True
    return of.is_snippet(page) or of.labels.is_target(page, reference.href) or _is_sample(page, reference)


def _is_sample(page: Page, reference: Reference) -> bool:
    """Whether rules for those who write quote a link as what another page should have, with words around it."""
    if not _FOR_WRITERS.match(basename(page.path)):
        return False
    text = page.plain
    start, end = text.rfind("\n", 0, reference.place.start) + 1, reference.place.end
    stop = (text.find("\n", end) + 1 or len(text) + 1) - 1
    for quoted in _QUOTED.finditer(text, start, stop):
        if quoted.start() < reference.place.start and end < quoted.end():
            return _WORDS_AROUND.search(_LINK.sub("", quoted[1])) is not None
    return False


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
