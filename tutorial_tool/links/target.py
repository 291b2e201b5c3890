"""The target of a link, and a redirect from an old URL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tutorial_tool.core.source import Span
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


@dataclass(frozen=True)
class Redirect:
    """A redirect between two URLs as written. `page` is the page whose front matter sets it, if any.

    `is_file`: the new URL is the path of a page's file, from the folder of pages; `from_page`: the old one is relative
    to the URL of the page, as a folder. `is_rewrite`: the old URL shows what is at the new one, maybe of another host.
    `is_forced`: a page at the old URL is never shown.
    """

    old: str
    new: str
    span: Span | None = None
    page: Page | None = None
    is_file: bool = False
    from_page: bool = False
    is_rewrite: bool = False
    is_forced: bool = False
