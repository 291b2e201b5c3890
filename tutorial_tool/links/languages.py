"""What Hugo's configuration says of addresses: the languages of a site, and where the pages of each stand."""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """A language of a site: the folder of its pages, and what its addresses begin with (`de/`)."""

    code: str
    folder: str
    prefix: str


class Hugo(NamedTuple):
    """What Hugo's configuration says of URLs.

    `whole` where all content is in the languages' folders, `knows_urls` where that of elsewhere has known URLs.
    """

    languages: tuple[Language, ...]  # The default one stands first
    keeps_case: bool = False
    whole: bool = True
    knows_urls: bool = True
