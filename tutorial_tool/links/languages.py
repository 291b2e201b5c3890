"""What Hugo's configuration says of addresses: the languages of a site, and where the pages of each stand."""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """A language of a site: the folder of its pages, and what its addresses begin with (`de/`)."""

    code: str
    folder: str
    prefix: str


class Hugo(NamedTuple):
    """What Hugo's configuration says of addresses. `whole`: all content stands in the languages' folders."""

    languages: tuple[Language, ...]
    """The default one stands first."""
    keeps_case: bool = False
    whole: bool = True
