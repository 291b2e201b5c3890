"""Faults of redirects: a circle, a missing target, or a missing anchor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.fs.globs import matches
from tutorial_tool.links.target import Redirect
from tutorial_tool.links.tree import Tree

if TYPE_CHECKING:
    from tutorial_tool.links.resolver import Addresses

_FILLED = lazy_re.compile(r"[:\[*$(]")  # Marks a part of a URL that is filled in from the old URL


class Fault(NamedTuple):
    """The fault of a redirect, and its message."""

    kind: Literal["circle", "missing", "anchor"]
    message: str


def find_fault(addresses: Addresses, tree: Tree, redirect: Redirect) -> Fault | None:
    """Return the fault of a redirect set by a configuration; None if it has none, or that is unknown."""
    if redirect.page is not None or redirect.is_rewrite:
        return None
    if addresses.redirects.is_circular(tree, redirect):
        by_way = "" if redirect.new == redirect.old else f" through `{redirect.new}`"
        return Fault("circle", f"redirects to itself{by_way}")
    if _FILLED.search(redirect.new.removeprefix("https:").removeprefix("http:")):
        return None
    own = redirect.span is None
    target = addresses.redirects.resolve_destination(tree, redirect.new, own=own, is_file=redirect.is_file)
    made = addresses.site.addressing.generated
    is_made = made and matches(made, target.path.removeprefix(tree.base).strip("/"))
    is_reversed = addresses.targets.find_at_root(tree, redirect.old) is not None  # a map from new URLs to old ones
    if target.kind == "missing" and not is_made and not is_reversed:
        return Fault("missing", f"points to `{redirect.new}`, which is not a page or file")
    is_lost = target.page and target.fragment and addresses.has_anchor(target.page, target.fragment) is False
    olds = (other.old.strip("/") for _, other in addresses.tables.all_redirects)
    if is_lost and redirect.new.strip("/") not in olds:
        return Fault("anchor", f"points to `{redirect.new}`, but that page has no anchor `#{target.fragment}`")
    return None
