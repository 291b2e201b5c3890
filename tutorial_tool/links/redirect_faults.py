"""What is wrong with a redirect: it leads in a circle, to nothing, or to an anchor that is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.fs.globs import matches
from tutorial_tool.links.redirect import Redirect
from tutorial_tool.links.tree import Tree

if TYPE_CHECKING:
    from tutorial_tool.links.resolving import Addresses

_FILLED = lazy_re.compile(r"[:\[*$(]")  # What marks a part of an address that is filled with what the old one holds


class Fault(NamedTuple):
    """What is wrong with a redirect, and what to call it."""

    kind: Literal["circle", "missing", "anchor"]
    message: str


def find_fault(addresses: Addresses, tree: Tree, redirect: Redirect) -> Fault | None:
    """The fault of a redirect that a configuration tells; None where there is none, or nobody can know."""
    if redirect.page is not None:
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
    if target.kind == "missing" and not is_made:
        return Fault("missing", f"points to `{redirect.new}`, which is not a page or file")
    is_lost = target.page and target.fragment and addresses.has_anchor(target.page, target.fragment) is False
    if is_lost and not any(
        other.old.strip("/") == redirect.new.strip("/") for _, other in addresses.redirects.all_redirects
    ):
        return Fault("anchor", f"points to `{redirect.new}`, but that page has no anchor `#{target.fragment}`")
    return None
