"""The target of a link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tutorial_tool.site import Page

Kind = Literal["page", "file", "external", "mail", "missing", "self", "unknown"]


@dataclass(frozen=True)
class Target:
    """The target of a link.

    `path` is that of the page or file relative to the docs folder, or the URL if it is external; of a missing or
    unknown target it is the URL as written, without query and fragment. `fragment` has no `#` and is decoded. `page` of
    an external target is the page of this site that it points to. `unknown` is what cannot be determined here: a macro,
    or a part of the site that was not loaded.
    """

    kind: Kind
    page: Page | None = None
    path: str = ""
    fragment: str = ""
    redirected: bool = False
