"""Find a template tag's output on the pages of each platform by the origins of their text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby

from tutorial_tool.core.source import Span
from tutorial_tool.core.traced import Run, strip_origins
from tutorial_tool.reporters.overview import SCREEN_LINES
from tutorial_tool.site import Page, Site


def group_texts(site: Site, tag: Span) -> dict[str, list[str]]:
    """Return each text that a tag prints, with the names of the platforms whose pages have it."""
    out: dict[str, list[str]] = {}
    line = tag.source.text[tag.source.get_line_start(tag.position.line) : tag.start]
    indentation = line if line.isspace() else ""
    for page in site.pages:
        name = strip_origins(page.place.platform.name) if page.place else page.path
        for text in dict.fromkeys(_iter_printed(page, tag)):
            text = text.replace(f"\n{indentation}", "\n")
            names = out.setdefault(text, [])
            names += [] if name in names else [name]
    return out


def _iter_printed(page: Page, tag: Span) -> Iterable[str]:
    """Yield the output of a tag on a page: several texts if it is in a loop or a macro."""

    def is_printed(run: Run) -> bool:
        return any(span and span[1:] == tag[1:] and span.path == tag.path for span in (run.span, *run.via))

    text, offset = page.plain, 0
    for is_output, runs in groupby(page.text.runs, is_printed):
        start, offset = offset, offset + sum(run.length for run in runs)
        if is_output:
            yield text[start:offset]


def describe_texts(by_text: Mapping[str, list[str]]) -> str:
    """Describe the output by platform as Markdown, with equal texts once."""
    if not by_text:
        return ""
    if len({tuple(names) for names in by_text.values()}) == 1 and len(by_text) > 1 and all(map(_is_short, by_text)):
        items = (f"- {_format_code(text)}" for text in by_text)
        return "\n".join(["Prints, each time it is reached", "", *items])
    if len(by_text) == 1:
        (text,) = by_text
        return f"Prints {_format_code(text)}" if _is_short(text) else f"Prints\n\n{_format_fence(text)}"
    if all(map(_is_short, by_text)):
        rows = [
            f"| {', '.join(names)} | {_format_code(text).replace('|', chr(92) + '|')} |"
            for text, names in by_text.items()
        ]
        return "\n".join(["| On | Prints |", "| --- | --- |", *rows])
    return "\n\n".join(f"**{', '.join(names)}**\n\n{_format_fence(text)}" for text, names in by_text.items())


def _is_short(text: str) -> bool:
    return "\n" not in text and len(text) <= 200


def _format_code(text: str) -> str:
    ticks = "``" if "`" in text else "`"
    pad = " " if "`" in text else ""
    return f"{ticks}{pad}{text}{pad}{ticks}" if text.strip() else "nothing"


def _format_fence(text: str) -> str:
    lines = text.split("\n")
    more = f"\n… {len(lines) - SCREEN_LINES} more lines" if len(lines) > SCREEN_LINES else ""
    fence = "````" if "```" in text else "```"
    return f"{fence}markdown\n" + "\n".join(lines[:SCREEN_LINES]) + more + f"\n{fence}"
