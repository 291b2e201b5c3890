"""What a link's destination means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tutorial_tool.site import Page

Kind = Literal["page", "file", "external", "mail", "missing", "self", "unknown"]


@dataclass(frozen=True)
class Target:
    """What a link's destination means.

    `path` is that of the page or file relative to the docs folder, or the URL where it is external; of what is missing
    or unknown it is the address as written, without query and fragment. `fragment` has no `#` and is decoded.
    `page` of an external target is the page of this very site that it leads to. `unknown` is what cannot be told from
    here: a macro, or a part of the site that is not at hand.
    """

    kind: Kind
    page: Page | None = None
    path: str = ""
    fragment: str = ""
    redirected: bool = False
