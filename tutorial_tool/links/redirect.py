"""A redirect from an old URL, set by the configuration of a generator or by a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutorial_tool.core.source import Span
    from tutorial_tool.site import Page


@dataclass(frozen=True)
class Redirect:
    """A redirect between two URLs as written. `page` is the page whose front matter sets it, if any.

    `is_file`: the new URL is the path of a page's file, from the folder of pages; `from_page`: the old one is relative
    to the URL of the page, as a folder. `is_rewrite`: the old URL shows what is at the new one, maybe of another host.
    """

    old: str
    new: str
    span: Span | None = None
    page: Page | None = None
    is_file: bool = False
    from_page: bool = False
    is_rewrite: bool = False
