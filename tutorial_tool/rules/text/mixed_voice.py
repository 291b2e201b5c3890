"""Report a page that speaks half as `we` and half to `you`."""

from __future__ import annotations

from collections.abc import Iterator

from tutorial_tool.core import lazy_re
from tutorial_tool.core.diagnostics import Finding, Severity
from tutorial_tool.markdown.document import Range
from tutorial_tool.rules import rule
from tutorial_tool.rules.base import FACTOR, HABIT
from tutorial_tool.site import Page

_VOICE = lazy_re.compile(r"(?<![\w.-])(?:(?P<we>[Ww]e|[Oo]ur|[Ll]et['’]s)|(?P<you>[Yy]ou|[Yy]our))(?![\w-])")


@rule("text", Severity.OFF)
def check(page: Page) -> Iterator[Finding]:
    places: dict[str, list[Range]] = {"we": [], "you": []}
    for prose in page.document.get_prose():
        for match in _VOICE.finditer(prose):
            places[match.lastgroup or ""].append(prose.locate(*match.span()))
    (few, rare), (many, usual) = sorted(places.items(), key=lambda voice: len(voice[1]))
    if len(rare) >= HABIT and len(usual) < FACTOR * len(rare):
        again = [(page, place, f"also `{page.plain[slice(*place)]}`") for place in rare[1:]]
        yield page.flag(rare[0], f"mixed voice: `{few}` ({len(rare)}) and `{many}` ({len(usual)})", again=again)
