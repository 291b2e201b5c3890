"""Reference pages, one for each function, class, rule or request: similar, but not copies."""

from __future__ import annotations

import re

from tutorial_tool.core import lazy_re
from tutorial_tool.markdown.document import CONTEXT
from tutorial_tool.spelling import lists
from tutorial_tool.variants import names, paths

_HUMP = lazy_re.compile(r"[a-z0-9][A-Z]|[A-Z][A-Z][a-z]")  # A capital within a word, as in `PaymentMethod`
_IDENTIFIER = lazy_re.compile(r"(?=[a-z]|\w+_)\w+")  # The name of a function or constant: `useStore`, `No_SuchStore`
_JOINED = lazy_re.compile(r"\w[-_.:]\w")  # Words joined by a punctuation mark, as in `no-unused-name`
_CODE = lazy_re.compile(r"^([`~]{3,}).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_REQUEST = lazy_re.compile(
    r"^[ \t>#*|`]*(?P<method>GET|POST|PUT|PATCH|DELETE)[`*| \t:]+(?:https?://[^\s/`]+)?(?P<path>/[^\s`*|)?]+)",
    re.MULTILINE,
)
"""A request that a page documents: HTTP method and path."""
_PACKAGE = lazy_re.compile(r"(?<!\S)`?@[a-z\d][\w.-]*/[a-z\d]")
"""A title that is a package name with its scope: `@acme/mail-sender`."""
_SYMBOL = lazy_re.compile(r"(?:\w+ )?(?:Class|Enum\w*|Function|Interface|Module|Struct|Trait|Type Alias|Variable): .+")
"""A title that says what kind of symbol the page documents, as TypeDoc writes it."""
_RELEASES = frozenset(("changelog", "changes", "history", "news", "releases", "releasenotes"))
"""Release notes: those of several packages have the same text about different releases."""


def is_about_identifier(path: str, text: str, slug: str) -> bool:
    """Return whether a page documents an identifier or a request that its path calls `slug`."""
    name, title = paths.get_parts(path)[-1], names.find_title(text).replace("\\", "")
    if paths.is_index(path) and _PACKAGE.search(title):
        return any(map(lists.is_known, paths.get_tokens(slug)))
    if _SYMBOL.fullmatch(title):
        return True
    if _is_identifier(name, title):
        capital = names.count_in_sentences(slug, names.extract_prose(text))[1]
        if not capital or _HUMP.search(name):
            return True
    return _is_documented(title.strip("`"), name, text) or bool(_REQUEST.search(text[:CONTEXT]))


def lists_releases(path: str) -> bool:
    """Return whether a page is a list of releases, which each package has."""
    name = path.rpartition("/")[2].rpartition(".")[0].lower()
    return "".join(filter(str.isalpha, name)) in _RELEASES


def _is_identifier(name: str, title: str) -> bool:
    """Return whether a title has the name of a file verbatim, and that is an identifier."""
    if title == f"`{name}`" or f"{name}(" in title:
        return True
    if _HUMP.search(name) and _HUMP.search(title) and title.lower() == name.lower():
        return True
    return (_HUMP.search(name) or _JOINED.search(name)) is not None and contains_word(title, name)


def _is_documented(title: str, name: str, text: str) -> bool:
    """Return whether a title is an identifier in its page's code with the words of the file's name.

    For example, `use-store`.
    """
    is_identifier = _IDENTIFIER.fullmatch(title) and _HUMP.search(title) and _JOINED.search(name)
    letters = title.replace("_", "").lower()
    is_same = bool(is_identifier) and letters == "".join(paths.get_tokens(name))
    return is_same and any(title in match[0] for match in _CODE.finditer(text))


def contains_word(text: str, word: str) -> bool:
    """Return whether a text has a word that is not part of a longer one."""
    return word in text and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None
