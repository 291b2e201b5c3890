"""Redirects: old URLs of a site and their targets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tutorial_tool import data
from tutorial_tool.core.lazy_re import MAX_REPEATS
from tutorial_tool.core.source import Source, Span
from tutorial_tool.data import forms
from tutorial_tool.links.target import Redirect
from tutorial_tool.links.tree import SEVERAL
from tutorial_tool.site import Page
from tutorial_tool.site.front import FORMER, FORMER_KEYS


def read_former_urls(page: Page) -> tuple[Redirect, ...]:
    """Return the former URLs that a page's front matter names."""
    front = page.document.front_matter
    if front is None or not FORMER.search(page.document.front_text, front.start, front.end):
        return ()
    text = page.plain
    source = page.source if page.source.text == text else Source(page.path, text)
    node = forms.load_front_matter(source, front)
    stated = node.items if isinstance(node, data.Mapping) else ()
    values = (value for key, value in stated if key.plain.lower() in FORMER_KEYS)
    return tuple(redirect for value in values for redirect in _iter_former_urls(page, value))


def _iter_former_urls(page: Page, value: data.Node) -> Iterator[Redirect]:
    """Yield the redirects of one value: former URLs of the page, or a mapping from old to new URLs."""
    if isinstance(value, data.Mapping):
        for old, new in value.items:
            if old.text.startswith("/") and isinstance(new, data.Scalar):
                yield Redirect(old.plain, new.plain, _get_source_span(page, new.span))
        return
    for item in value.items if isinstance(value, data.Sequence) else (value,):
        if isinstance(item, data.Scalar) and item.text:
            yield Redirect(item.plain, "", _get_source_span(page, item.span), page)
        elif isinstance(item, data.Mapping) and (source := data.get_text(item, "from")):
            target = data.get_text(item, "to")
            target = target if target.startswith(("/", "http")) else ""  # otherwise a section of the page
            yield Redirect(source, target, _get_source_span(page, item.span), page, from_page=True)


def _get_source_span(page: Page, span: Span) -> Span:
    return page.get_source_span(span.start, span.end)[0]


class Table:
    """The targets of old URLs. Keys are URLs without host, base and slashes at the ends.

    `pages` are the keys of pages: a pattern that matches most of them is misread.
    """

    def __init__(self, pages: Sequence[str] = ()) -> None:
        self._pages = pages
        self._exact: dict[str, Redirect] = {}
        self._patterns: list[tuple[re.Pattern[str], Redirect]] = []

    def add(self, key: str, redirect: Redirect) -> None:
        if is_pattern(key):
            is_read = key.strip("*/") and key.count("*") <= MAX_REPEATS
            if is_read and not self._is_misread(pattern := _compile_pattern(key)):
                self._patterns.append((pattern, redirect))
        else:
            self._exact.setdefault(key, redirect)

    def _is_misread(self, pattern: re.Pattern[str]) -> bool:
        taken = sum(pattern.fullmatch(key) is not None for key in self._pages)
        return 2 * taken > len(self._pages) > SEVERAL  # few pages may all have moved

    def get(self, key: str) -> tuple[Redirect, str] | None:
        """Return the redirect of a key, and its target, or None."""
        if result := self._exact.get(key):
            return result, result.new
        for pattern, redirect in self._patterns:
            if match := pattern.fullmatch(key):
                return redirect, _fill_target(redirect.new, match)
        return None


def is_pattern(address: str) -> bool:
    """Return whether an old URL is a pattern."""
    return "*" in address or re.search(r"(?:^|/):\w", address) is not None


def _compile_pattern(key: str) -> re.Pattern[str]:
    """Compile a pattern: `*` is anything (`:splat` in the target), `:name` one part, `:name*` several."""
    out = ""
    for part in re.split(r"(/?\*|:\w+[*+]?)", key):
        if part.endswith("*") and not part.startswith(":"):
            out += "(?:/?(?P<splat>.*))" if "<splat>" not in out else ".*"
        elif re.fullmatch(r":[A-Za-z]\w*[*+]?", part):
            name = part[1:].rstrip("*+")
            what = ".*" if part[-1] in "*+" else "[^/]+"
            out += f"(?P<{name}>{what})" if f"<{name}>" not in out else what
        else:
            out += re.escape(part)
    return re.compile(out)


def _fill_target(new: str, match: re.Match[str]) -> str:
    groupdict = match.groupdict()
    return re.sub(r":(\w+)[*+]?", lambda name: groupdict.get(name[1]) or ("" if name[1] in groupdict else name[0]), new)
