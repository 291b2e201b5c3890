"""The parts of a page that are for one platform each: adjacent tabs, components, blocks and headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.core.source import blank_text
from tutorial_tool.markdown.document import Range
from tutorial_tool.site import Page
from tutorial_tool.variants import known_names

_FENCE = lazy_re.compile(
    r"^[ \t>]*(?P<marks>`{3,}+|~{3,}+)[^\n]*\n(?:.*?^[ \t>]*(?P=marks)[`~]*[ \t]*$|.*)", re.MULTILINE | re.DOTALL
)
_INDENTED = lazy_re.compile(r"^(?P<indent> *)===[+!]*[ ]+\"(?P<label>[^\"\n]*)\"[ ]*$", re.MULTILINE)
_COLONS = lazy_re.compile(r"^::: ?(?P<label>[a-z][\w+#.-]*)[ \t]*\n.*?^:::[ \t]*$", re.MULTILINE | re.DOTALL)
_DOCFX = lazy_re.compile(r"^#{1,6}[ ]+\[(?P<label>[^\]\n]+)\]\(#tab/[^)\n]+\)[ \t]*$", re.MULTILINE)
_DOCFX_END = lazy_re.compile(r"^(?:\*\*\*|---)[ \t]*$", re.MULTILINE)
_CONTAINER = lazy_re.compile(r"(?ms)^[ \t]*(?P<marks>:{3,}) ?tabs\b(?P<body>.*?)^[ \t]*(?P=marks)[ \t]*$")
_CONTAINER_TAB = lazy_re.compile(r"^[ \t]*(?:==|@tab(?::active)?) +(?P<label>[^\n{]*[^\s{])[^\n]*$", re.MULTILINE)
_TAG = lazy_re.compile(
    r"<(?P<close>/?)(?P<name>[A-Z][\w.]*)(?P<attributes>(?:[^<>{}\"']|\"[^\"]*\"|'[^']*'|\{[^{}]*\})*?)(?P<self>/?)>"
    r"|\{\{[<%]\s*(?P<close2>/?)(?P<name2>[a-z][\w/-]*)(?P<attributes2>[^\n{}]{0,400}?)(?P<self2>/?)\s*[>%]\}\}"
    r"|\{%-?\s*(?P<close3>end|/|)(?P<name3>[a-z][\w-]*)(?P<attributes3>[^\n{}]{0,400}?)(?P<self3>/?)\s*-?%\}"
)
"""The tag of a component, a Hugo shortcode, or a tag of GitBook, Liquid, and Markdoc."""
_COMMENT = lazy_re.compile(r"\{/\*.*?\*/\}|<!--.*?-->", re.DOTALL)
_LABELS = ("label", "title", "name", "header", "value", "filters", "platform", "platforms", "sdk", "lang", "language",
           "os", "framework", "id")  # fmt: skip
"""Attributes that name the platform of a component, by priority."""
_ATTRIBUTE = lazy_re.compile(r"(?P<name>[\w-]+)\s*=\s*\{?[\"'\[](?P<value>(?<=\[)[^\]]*|(?<=\")[^\"]*|(?<=')[^']*)")
_POSITIONAL = lazy_re.compile(r"\s*(?P<quote>[\"']?)(?P<value>[^\"'=]+?)(?P=quote)\s*\Z")
"""The label in `{{< tab "iOS" >}}` and `{{% tab iOS %}}`."""
_PACKAGE_MANAGERS = frozenset(("npm", "pnpm", "yarn", "bun", "pip", "poetry", "uv", "cargo", "gem", "maven", "gradle"))
_LANGUAGES = frozenset(
    "python py ruby rb php java javascript js typescript ts node nodejs node.js go golang rust swift kotlin scala dart"
    " c c++ cpp c# csharp .net dotnet objc objective-c elixir perl bash curl shell r".split()
)


class Tab(NamedTuple):
    """One part of a page: its label, the label's span, and its own span, with its markup."""

    label: str
    label_span: Range
    start: int
    end: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names in its label: that of one component may be for several."""
        return tuple(name.strip(" \"'") for name in self.label.strip("[]").split(",") if name.strip(" \"'"))


class Tabset(NamedTuple):
    """Adjacent parts of a page, each for one name."""

    tabs: tuple[Tab, ...]

    @property
    def has_platform_labels(self) -> bool:
        """Whether most of its labels are known names, and not those of package managers."""
        names = [name for tab in self.tabs for name in tab.names]
        platforms = [name for name in names if is_platform(name)]
        return len(platforms) > 1 and 2 * len(platforms) > len(names)

    @property
    def has_language_labels(self) -> bool:
        """Whether all its labels are programming languages."""
        return all(_normalize_label(name) in _LANGUAGES for tab in self.tabs for name in tab.names)


def _normalize_label(label: str) -> str:
    return re.sub(r"\s*\(.*\)", "", label).strip().lower().replace(" ", "-")


def is_platform(label: str) -> bool:
    """Return whether a label names a platform: `Android (Kotlin)` does, `npm` does not."""
    slug = _normalize_label(label)
    return slug not in _PACKAGE_MANAGERS and known_names.is_known_name(slug)


def find_tabsets(page: Page) -> tuple[Tabset, ...]:
    """Return the tabsets of a page, in the order in which they start."""
    return tuple(tabset for tabset in page.get_cached(_find_rows) if len(tabset.tabs) > 1)


def find_lone_tabs(page: Page) -> tuple[Tab, ...]:
    """Return the isolated tabs for a platform, in the order in which they start.

    If the page has adjacent tabs, only tabs of the same kinds.
    """
    rows = page.get_cached(_find_rows)
    kinds = {_get_kind(page, tab) for tabset in rows if len(tabset.tabs) > 1 for tab in tabset.tabs}
    lone_tabs = [tabset.tabs[0] for tabset in rows if len(tabset.tabs) == 1]
    of_platforms = (tab for tab in lone_tabs if all(map(is_platform, tab.names)))
    return tuple(tab for tab in of_platforms if not kinds or _get_kind(page, tab) in kinds)


def _get_kind(page: Page, tab: Tab) -> str:
    """Return the start of a tab's markup: `===`, `<TabItem`."""
    return page.plain[tab.start : tab.end].split(None, 1)[0].rstrip(">")


def _find_rows(page: Page) -> tuple[Tabset, ...]:
    text = _FENCE.sub(lambda match: blank_text(match[0]), page.plain)  # markers in code do not count
    tabsets = [*(_find_indented(text, page.plain) if "===" in text else ()), *_find_marked_tabs(text)]
    tabsets += [*(_find_colon_blocks(text) if ":::" in text else ()), *_find_components(text), *_find_headings(page)]
    return tuple(sorted(tabsets, key=lambda tabset: tabset.tabs[0].start))


def _group_adjacent(text: str, tabs: Iterable[Tab]) -> Iterator[Tabset]:
    """Yield tabs with only white space and comments between them as sets, including sets of one."""
    adjacent: list[Tab] = []
    for tab in sorted(tabs, key=lambda tab: tab.start):
        if adjacent and _COMMENT.sub("", text[adjacent[-1].end : tab.start]).strip():
            yield Tabset(tuple(adjacent))
            adjacent = []
        adjacent.append(tab)
    if adjacent:
        yield Tabset(tuple(adjacent))


def _find_indented(text: str, plain: str) -> Iterator[Tabset]:
    """Find tabs of Python-Markdown: `=== "iOS"`, with a body indented by four more columns.

    Code is blank in `text`; `plain` has it, and so determines where a tab ends.
    """
    by_indent: dict[str, list[Tab]] = {}
    for match in _INDENTED.finditer(text):
        pattern = rf"(?:\n(?:[ \t]*$|{match['indent']}(?: {{4}}|\t)[^\n]*))*"
        body = re.compile(pattern, re.MULTILINE).match(text, match.end())
        end = len(plain[: body.end()].rstrip()) if body else match.end()
        tab = Tab(match["label"], Range(*match.span("label")), match.start(), end)
        by_indent.setdefault(match["indent"], []).append(tab)
    for tabs in by_indent.values():
        yield from _group_adjacent(text, tabs)


def _find_colon_blocks(text: str) -> Iterator[Tabset]:
    """Find blocks for one language each: `:::python` to `:::`."""
    blocks = (match for match in _COLONS.finditer(text) if is_platform(match["label"]))
    tabs = (Tab(block["label"], Range(*block.span("label")), *block.span()) for block in blocks)
    yield from _group_adjacent(text, tabs)


def _find_marked_tabs(text: str) -> Iterator[Tabset]:
    """Find tabs that a line begins.

    In DocFX, a heading that links to `#tab/ios`; in a container of VitePress or VuePress, `== iOS` or `@tab iOS`.
    """
    yield from _group_adjacent(text, _split_at_markers(text, _DOCFX, 0, len(text))) if "](#tab/" in text else ()
    for container in _CONTAINER.finditer(text) if ":::" in text else ():
        yield from _group_adjacent(text, _split_at_markers(text, _CONTAINER_TAB, *container.span("body")))


def _split_at_markers(text: str, marker: re.Pattern[str], start: int, end: int) -> Iterator[Tab]:
    """Yield the tabs of a range, each up to the next marker or a horizontal rule."""
    markers = list(marker.finditer(text, start, end))
    for match, limit in zip(markers, [*(later.start() for later in markers[1:]), end], strict=False):
        rule = _DOCFX_END.search(text, match.end(), limit)
        yield Tab(match["label"], Range(*match.span("label")), match.start(), rule.start() if rule else limit)


class _OpenTag(NamedTuple):
    name: str
    start: int
    label: tuple[str, int, int] | None


def _find_components(text: str) -> Iterator[Tabset]:
    """Find adjacent components of one kind: `<TabItem label="iOS">`, `<Platform name="ios">`."""
    stack: list[_OpenTag] = []
    siblings: dict[tuple[str, int], list[Tab]] = {}  # by kind and the offset of the parent
    for match in _TAG.finditer(text):
        syntax = next(syntax for syntax in ("", "2", "3") if match[f"name{syntax}"])
        name = match[f"name{syntax}"]
        if match[f"self{syntax}"]:
            continue
        if not match[f"close{syntax}"]:
            stack.append(_OpenTag(name, match.start(), _get_label(match, syntax)))
        elif any(tag.name == name for tag in stack):
            while stack[-1].name != name:
                stack.pop()  # unclosed
            tag = stack.pop()
            if tag.label:
                tab = Tab(tag.label[0], Range(*tag.label[1:]), tag.start, match.end())
                siblings.setdefault((name, stack[-1].start if stack else -1), []).append(tab)
    for tabs in siblings.values():
        yield from _group_adjacent(text, tabs)


def _get_label(tag: re.Match[str], syntax: str) -> tuple[str, int, int] | None:
    start, attributes = tag.start(f"attributes{syntax}"), tag[f"attributes{syntax}"]
    by_name = {match["name"].lower(): match for match in _ATTRIBUTE.finditer(attributes)}
    positional = _POSITIONAL.match(attributes) if syntax else None
    label = next((by_name[name] for name in _LABELS if name in by_name), positional)
    return (label["value"], start + label.start("value"), start + label.end("value")) if label else None


def _find_headings(page: Page) -> Iterator[Tabset]:
    """Find adjacent sections whose headings are names."""
    headings = page.document.headings
    adjacent: list[Tab] = []
    level = 0
    for index, heading in enumerate(headings):
        is_named = is_platform(heading.text) and not _DOCFX.match(page.plain, heading.start)
        if heading.level < level or (heading.level == level and not is_named):
            yield from [Tabset(tuple(adjacent))] if len(adjacent) > 1 else []
            adjacent, level = [], 0
        if is_named and (not adjacent or heading.level == level):
            level = heading.level
            end = next((later.start for later in headings[index + 1 :] if later.level <= level), len(page.plain))
            start = max(page.plain.find(heading.text, heading.start, end), heading.start)
            adjacent.append(Tab(heading.text, Range(start, start + len(heading.text)), heading.start, end))
    yield from [Tabset(tuple(adjacent))] if len(adjacent) > 1 else []
