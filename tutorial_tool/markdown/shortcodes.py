"""Page syntax that a generator replaces: Hugo's shortcodes, and Jekyll's Liquid tags that name a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from tutorial_tool.core import lazy_re


class Argument(NamedTuple):
    """An argument of a shortcode; `name` is empty for a positional one. The span excludes quotes."""

    name: str
    value: str
    start: int
    end: int


class Shortcode(NamedTuple):
    """A shortcode, `{{< name … >}}`, with its arguments."""

    name: str
    closing: bool
    arguments: tuple[Argument, ...]
    start: int
    end: int

    def get(self, *names: str) -> Argument | None:
        """Return the first argument with one of the names; an empty name means the first positional one."""
        return next((argument for name in names for argument in self.arguments if argument.name == name), None)


class PageReference(NamedTuple):
    """A page reference in a shortcode or tag: its kind, and its path and span as typed."""

    kind: Literal["ref", "liquid"]
    path: str
    start: int
    end: int


MAX_LENGTH = 20_000  # Characters of a shortcode, or of another construct on several lines
_OPENED = lazy_re.compile(r"\{\{(?P<mark>[<%])\s*(?P<close>/?)\s*(?P<name>[A-Za-z][\w./-]*)(?=[\s/<>%])")
_ARGUMENT = lazy_re.compile(
    r"(?:(?P<name>[A-Za-z_][\w-]*)\s*=\s*)?(?:\"(?P<quoted>(?:[^\"\\]|\\.)*)\"|`(?P<raw>[^`]*)`|(?P<bare>[^\s\"`=<>]+))"
)
_LINK = lazy_re.compile(
    r"(?:\{\{[^{}]{0,200}\}\}/?)?\{%-?[ \t]*(?:link|post_url)[ \t]+(?P<path>[^\s%{}]{1,500})[ \t]*-?%\}"
)
REFERS = ("ref", "relref")  # Shortcodes that become a page's URL


def find_shortcodes(text: str, start: int = 0, end: int | None = None) -> Iterator[Shortcode]:
    """Yield the shortcodes in part of a text, in order, except escaped ones (`{{</* … */>}}`)."""
    end = len(text) if end is None else end
    while (at := text.find("{{", start, end)) >= 0:
        read = _parse_shortcode(text, at, end)
        if read is not None:
            yield read
        escaped = text.find("*/", at, end) + 2 if text.startswith("/*", at + 3) else 0  # it may end in another's tag
        start = read.end if read else max(escaped, at + 2)


def parse_shortcode(text: str, start: int, end: int | None = None) -> Shortcode | None:
    """Return the shortcode that starts at an offset."""
    return _parse_shortcode(text, start, len(text) if end is None else end)


def _parse_shortcode(text: str, start: int, end: int) -> Shortcode | None:
    opened = _OPENED.match(text, start, end)
    if opened is None:
        return None
    last = text.find((">" if opened["mark"] == "<" else "%") + "}}", opened.end(), min(end, start + MAX_LENGTH))
    if last < 0:
        return None
    arguments = tuple(_parse_arguments(text, opened.end(), last))
    return Shortcode(opened["name"].rstrip("/"), bool(opened["close"]), arguments, start, last + 3)


def _parse_arguments(text: str, start: int, end: int) -> Iterator[Argument]:
    for match in _ARGUMENT.finditer(text, start, end):
        if match[0] == "/":  # the end of a self-closing shortcode
            continue
        group = next(group for group in ("quoted", "raw", "bare") if match[group] is not None)
        yield Argument(match["name"] or "", match[group], *match.span(group))


def parse_page_reference(text: str, start: int, end: int) -> PageReference | None:
    """Return the page that a link destination names by `ref`, `relref`, `link` or `post_url`."""
    if text.startswith("{{", start) and (read := parse_shortcode(text, start, end)):
        return get_page_reference(read)
    named = _LINK.match(text, start, end) if text.startswith("{", start) else None
    return PageReference("liquid", named["path"], *named.span("path")) if named else None


def get_language(text: str, place: int) -> str:
    """Return the target language of the shortcode around an offset, or "" if it names none."""
    start = text.rfind("{{", 0, place)
    read = parse_shortcode(text, start) if start >= 0 else None
    argument = read.get("lang") if read and place < read.end else None
    return argument.value if argument else ""


def get_page_reference(read: Shortcode) -> PageReference | None:
    """Return the page that a shortcode refers to, if any."""
    argument = read.get("", "path") if read.name in REFERS and not read.closing else None
    if argument and "{{" not in argument.value:
        return PageReference("ref", argument.value, argument.start, argument.end)
    return None
