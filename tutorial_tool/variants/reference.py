"""Pages of reference, one for each function, class, rule or request: much alike, and copies of nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.spelling import lists
from tutorial_tool.variants import paths
from tutorial_tool.variants.names import in_sentences, prose_of, title_of

_HUMP = lazy_re.compile(r"[a-z0-9][A-Z]|[A-Z][A-Z][a-z]")
"""A capital within a word, as in `PaymentMethod`."""
_IDENTIFIER = lazy_re.compile(r"(?=[a-z]|\w+_)\w+")
"""A name of a function or constant: `useStore`, `No_SuchStore`."""
_JOINED = lazy_re.compile(r"\w[-_.:]\w")
"""Words that are joined by a sign, as in `no-unused-name`."""
_CODE = lazy_re.compile(r"^([`~]{3,}).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_REQUEST = lazy_re.compile(
    r"^[ \t>#*|`]*(?P<method>GET|POST|PUT|PATCH|DELETE)[`*| \t:]+(?:https?://[^\s/`]+)?(?P<path>/[^\s`*|)?]+)",
    re.MULTILINE,
)
"""A request that a page documents: the method of HTTP and the path."""
_NUMBERED = lazy_re.compile(r"(?P<number>\d+)[-_. ]+(?P<name>.+)")
_PACKAGE = lazy_re.compile(r"(?<!\S)`?@[a-z\d][\w.-]*/[a-z\d]")
"""A title that is a package's name with its scope: `@acme/mail-sender`."""
_MOST = 2 / 3
_RELEASES = frozenset(("changelog", "changes", "history", "news", "releases", "releasenotes"))
"""Files that tell what is new: those of several packages say the same of unlike releases."""


class Reading(NamedTuple):
    """What a page tells of itself.

    Whether its title is an identifier; whether it may be one, where most pages around it are told by theirs; whether
    its text writes the name of the variant with a capital, more often than as an ordinary word; the request that it
    documents, if any.
    """

    is_entry: bool
    may_be: bool
    is_named: bool
    request: str


def read(path: str, text: str, slug: str) -> Reading:
    """What a page tells of itself, where its path calls it `slug`."""
    lower, capital = in_sentences(slug, prose_of(text))
    name = _parts(path)[-1]
    title = title_of(text).replace("\\", "")
    is_code = slug in name and _is_in_code(name, text)
    is_entry = _is_identifier(name, title) and (not capital or (is_code and _HUMP.search(name) is not None))
    is_entry = is_entry or _is_documented(title.strip("`"), name, text) or _is_command(title.strip("`"), name, text)
    if paths.is_index(path) and _PACKAGE.search(title) and _is_named(slug, lower, capital):
        is_entry = may_be = False
    else:
        may_be = _writes(title, name) and (is_code or capital <= lower)
    request = _REQUEST.search(text) if "/" in text else None
    return Reading(is_entry, may_be, capital > lower, f"{request['method']} {request['path']}" if request else "")


def _is_named(slug: str, lower: int, capital: int) -> bool:
    """Whether a text writes a slug as a name, or never in a sentence, and it is no word of a language: `mailgun`."""
    return capital > lower or not (lower or any(map(lists.known, paths.tokens(slug))))


def is_entry(path: str, text: str) -> bool:
    """Whether the title of a page is an identifier, which the name of its file is, too."""
    return _is_identifier(_parts(path)[-1], title_of(text).replace("\\", ""))


def tells_releases(path: str) -> bool:
    """Whether a page is a list of releases, of which each package has its own."""
    name = path.rpartition("/")[2].rpartition(".")[0].lower()
    return "".join(filter(str.isalpha, name)) in _RELEASES


def are_entries(readings: Iterable[Reading], *, among: bool) -> bool:
    """Whether half the pages of a group, or more, are told by identifiers. `among` others that are?"""
    found = [reading.is_entry or (among and reading.may_be) for reading in readings]
    return 2 * sum(found) >= len(found)


def are_requests(readings: Iterable[Reading]) -> bool:
    """Whether most pages of a group document a request each, and none names a platform."""
    every = list(readings)
    requests = [reading.request for reading in every if reading.request]
    is_each = len(requests) == len(set(requests)) >= max(2, _MOST * len(every))
    return is_each and not any(reading.is_named for reading in every)


def are_lessons(pages: Mapping[str, str], slugs: Mapping[str, str]) -> bool:
    """Whether pages are numbered one after the other, and called by no names: lessons, `01-set-up` and `02-use-cases`.

    `pages` are texts by path, `slugs` what each path calls its page.
    """
    names = [_NUMBERED.match(paths.parts(path)[-1]) for path in pages]
    numbers = [int(match["number"]) for match in names if match]
    if len(numbers) < len(pages) or len(set(numbers)) < len(numbers):
        return False
    return 2 * sum(_is_called(slugs[path], text) for path, text in pages.items()) < len(pages)


def _is_called(slug: str, text: str) -> bool:
    """Whether a text says a slug as a name, or with its number: `a 10-inch screen`."""
    found = _NUMBERED.match(slug)
    if found and any(in_sentences(slug, prose_of(text))):
        return True
    lower, capital = in_sentences(found["name"] if found else slug, prose_of(text))
    return capital > lower


def folders(pages: Mapping[str, str], of: Iterable[str]) -> frozenset[str]:
    """Those of some folders below which most pages have identifiers for titles. `pages` are texts by path."""
    found = {path: is_entry(path, text) for path, text in pages.items()}
    out = set()
    for folder in set(of):
        below = [found[path] for path in pages if path.startswith(folder)]
        if sum(below) > max(1, len(below) / 2):
            out.add(folder)
    return frozenset(out)


def folder_of(path: str) -> str:
    """The folder in which a page stands, that of an index the one around it: what its path begins with."""
    return "".join(f"{part}/" for part in _parts(path)[:-1])


def _parts(path: str) -> tuple[str, ...]:
    """The parts of a path without a file that only tells the language: `FileReader/it.md` is about `FileReader`."""
    parts = paths.parts(path)
    return parts[:-1] if len(parts) > 1 and paths.is_language(parts[-1]) else parts


def _is_identifier(name: str, title: str) -> bool:
    """Whether a title writes the name of a file letter for letter, and that is an identifier."""
    if title == f"`{name}`" or f"{name}(" in title:
        return True
    is_spaced = "_" in name and title == name.lower().replace("_", " ")
    if is_spaced or (_HUMP.search(name) and _HUMP.search(title) and title.lower() == name.lower()):
        return True
    return (_HUMP.search(name) or _JOINED.search(name)) is not None and _writes(title, name)


def _is_documented(title: str, name: str, text: str) -> bool:
    """Whether a title is an identifier of code on its page, of which the file's name has the words: `use-store`."""
    is_one = _IDENTIFIER.fullmatch(title) and _HUMP.search(title) and _JOINED.search(name)
    letters = title.replace("_", "").lower()
    return bool(is_one) and letters == "".join(paths.tokens(name)) and _is_in_code(title, text)


def _is_command(title: str, name: str, text: str) -> bool:
    """Whether a title in small letters is a command in the code of its page, whose last word ends the file's name."""
    words = title.split()
    if len(words) < 2 or title != title.lower() or paths.tokens(name)[-1:] != words[-1:]:
        return False
    return _is_in_code(title, text)


def _writes(title: str, name: str) -> bool:
    return name in title and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", title) is not None


def _is_in_code(name: str, text: str) -> bool:
    return any(name in match[0] for match in _CODE.finditer(text))
