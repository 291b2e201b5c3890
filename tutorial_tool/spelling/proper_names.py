"""List names that are always capitalized: a known slip for one is capitalized, too, and is no name."""

from __future__ import annotations

from functools import cache

from tutorial_tool.spelling import word_lists

_NAMES = """
January February March April May June July August September October November December
Monday Tuesday Wednesday Thursday Friday Saturday Sunday
America American Australia Britain British Canada China Chinese England English Europe European France French Germany
German India Indian Italian Italy Japan Japanese Spain Spanish
Amazon Android Angular Apple Azure Chrome Debian Docker Edge Facebook Firefox GitHub GitLab Google Internet Java
JavaScript Kotlin Kubernetes Linux Macintosh Microsoft MongoDB MySQL Postgres PostgreSQL Python Safari Swift Twitter
TypeScript Ubuntu Unix Windows YouTube
"""
_BY_LETTERS = {name.lower(): name for name in _NAMES.split()}

AUTONYMS = frozenset(
    """
    Afrikaans Bosanski Català Cymraeg Dansk Deutsch Eesti English Español Esperanto Euskara Filipino Français Gaeilge
    Galego Hrvatski Indonesia Italiano Kiswahili Latviešu Lietuvių Magyar Melayu Nederlands Norsk Polski Português
    Română Shqip Slovenčina Slovenščina Srpski Suomi Svenska Tagalog Türkçe Íslenska Čeština
    """.split()
)
"""Names of languages in those languages, as in links to translations."""


_JOINED = str.maketrans("", "", ". ")  # `NodeJS` for `Node.js`


@cache
def get_fixed_spellings() -> dict[str, str]:
    """Return the names with only one correct spelling, however frequent others are, by lowercase letters."""
    names = [name.replace("_", " ") for name in word_lists.read_words("names")]
    return {name.translate(_JOINED).lower(): name for name in names}


_ORDINARY = frozenset("march may august china amazon apple edge chrome google swift windows".split())
_NOT_IN_DOCS = frozenset("angular docker java python".split())  # Also ordinary words, but not in documentation


def get_unambiguous_name(word: str) -> str | None:
    """Return the spelling of a name that is no other word in lower case; None if there is none."""
    return None if word.lower() in _ORDINARY | _NOT_IN_DOCS else get_cased_name(word)


def get_cased_name(word: str) -> str | None:
    """Return the spelling of a name given in any case; None if it is no name."""
    return _BY_LETTERS.get(word.lower())


@cache
def get_lowercase_names() -> dict[str, str]:
    """Return one-word names that have no other meaning in lower case in documentation, by lowercase form."""
    names = {**get_fixed_spellings(), **{lower: name for lower, name in _BY_LETTERS.items() if lower not in _ORDINARY}}
    return {lower: name for lower, name in names.items() if name.isalpha() and name.lower() == lower}
