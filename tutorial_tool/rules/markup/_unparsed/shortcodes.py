"""Hugo shortcodes that are unclosed, unmatched or unterminated: each of them stops the build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutorial_tool.core import lazy_re
from tutorial_tool.links import Addresses
from tutorial_tool.links.shortcode_templates import ShortcodeTemplates
from tutorial_tool.markdown import shortcodes
from tutorial_tool.markdown.document import Range
from tutorial_tool.markdown.parser import Dialect
from tutorial_tool.site import Page, page_facts


class ShortcodeUse(NamedTuple):
    """An opening shortcode by its name, and its span."""

    name: str
    place: Range


class ShortcodeUses(NamedTuple):
    """The shortcodes of a page: unclosed ones, names of closed ones, unmatched and unterminated ones."""

    open: tuple[ShortcodeUse, ...] = ()
    closed: tuple[str, ...] = ()
    unmatched: tuple[ShortcodeUse, ...] = ()
    unterminated: Range | None = None

    def __bool__(self) -> bool:
        return any(self)


_BEGIN = lazy_re.compile(r"\{\{[<%][ \t]*+/?[ \t]*+[A-Za-z][\w./-]*")
_NAMELESS = lazy_re.compile(r"\{\{[<%][ \t]*+/[ \t]*+[%>]\}\}")  # Closes any paired shortcode
_HOLDING = frozenset(("highlight", "details", "comment"))  # Hugo's built-in paired shortcodes
_MIN_CLOSED = 3  # How often a shortcode must be closed elsewhere to count as paired


@page_facts.register
def find_uses(page: Page) -> ShortcodeUses:
    """Find the shortcodes of a page for Hugo, which parses them in code, too."""
    if page.dialect is not Dialect.HUGO or "{{" not in page.plain or _NAMELESS.search(page.plain):
        return ShortcodeUses()
    front = page.document.front_matter
    body = front.body if front else 0
    opened, closed, stray, names = list[ShortcodeUse](), list[str](), list[ShortcodeUse](), Counter[str]()
    for shortcode in shortcodes.find_shortcodes(page.plain, body):
        use = ShortcodeUse(shortcode.name, Range(shortcode.start, shortcode.end))
        if not shortcode.closing:
            if page.plain[shortcode.end - 4] != "/":
                opened.append(use)
                names[shortcode.name] += 1
        elif names[shortcode.name]:
            closed.append(shortcode.name)
            names[shortcode.name] -= 1
            del opened[next(at for at in range(len(opened) - 1, -1, -1) if opened[at].name == shortcode.name)]
        else:
            stray.append(use)
    return ShortcodeUses(tuple(opened), tuple(closed), tuple(stray), _find_unterminated(page.plain, body))


def _find_unterminated(text: str, start: int) -> Range | None:
    """Find the first shortcode that does not end before another one begins or its paragraph ends."""
    for match in _BEGIN.finditer(text, start):
        mark = ">}}" if text[match.start() + 2] == "<" else "%}}"
        end = text.find(mark, match.end())
        stop = min(
            at if at >= 0 else len(text) for at in (text.find("{{", match.end()), text.find("\n\n", match.end()))
        )
        if end < 0 or stop < end:
            return Range(*match.span())
    return None


def find_problems(addresses: Addresses, reported: Mapping[Page, ShortcodeUses]) -> Iterator[tuple[Page, Range, str]]:
    """Yield what stops the build, from the pages' shortcodes: the page, the span and the reason."""
    closed = Counter(name for uses in reported.values() for name in uses.closed)
    unclosed = Counter(name for uses in reported.values() for name in {use.name for use in uses.open})
    templates = ShortcodeTemplates(addresses.pages.disk)
    for page, uses in reported.items():
        if uses.unterminated:
            end = ">}}" if page.plain[uses.unterminated.start + 2] == "<" else "%}}"
            yield page, uses.unterminated, f"unclosed shortcode tag: `{end}` is missing"
            continue
        for use in uses.unmatched:
            yield page, use.place, f"unmatched end of shortcode `{use.name}`"
        for use in uses.open:
            holds = templates.has_inner_content(addresses.get_tree(page), use.name)
            if holds is None:
                holds = use.name in _HOLDING or (closed[use.name] >= _MIN_CLOSED and unclosed[use.name] == 1)
            if holds:
                yield page, use.place, f"unclosed shortcode `{use.name}`"
