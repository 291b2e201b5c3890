"""A redirect: what the configuration of a generator, or a page, says of an old address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutorial_tool.core.source import Span
    from tutorial_tool.site import Page


@dataclass(frozen=True)
class Redirect:
    """From an address to another, both as written. `page` is the page whose front matter tells it, if one does.

    `is_file` where the new one is the path of a page's file, from the folder of pages; `from_page` where the old one
    counts from the URL of the page, as a folder.
    """

    old: str
    new: str
    span: Span | None = None
    page: Page | None = None
    is_file: bool = False
    from_page: bool = False
