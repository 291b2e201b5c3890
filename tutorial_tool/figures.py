"""Pictures that are generated where an author has drawn none."""

from __future__ import annotations

import textwrap
from xml.sax.saxutils import escape

from tutorial_tool.context import Figure

WIDTH, LINE = 640, 28


def draw(figure: Figure) -> str:
    """An SVG that stands for a figure: a frame with what the picture is to show."""
    lines = textwrap.wrap(_printable(figure.alt or figure.name), 52) or [figure.name]
    height = 96 + LINE * len(lines)
    text = "".join(
        f'<text x="{WIDTH // 2}" y="{64 + LINE * i}" text-anchor="middle">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    title = escape(_printable(figure.alt or figure.name))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img">'
        f"<title>{title}</title>"
        "<style>rect{fill:#f5f6fa;stroke:#6b7280;stroke-width:2}text{fill:#1f2937;font:18px sans-serif}"
        "@media(prefers-color-scheme:dark){rect{fill:#1f2430;stroke:#9ca3af}text{fill:#e5e7eb}}</style>"
        f'<rect x="2" y="2" width="{WIDTH - 4}" height="{height - 4}" rx="12"/>{text}</svg>\n'
    )


def _printable(text: str) -> str:
    """The text without the characters that XML does not allow."""
    return "".join(c for c in text if c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff")
