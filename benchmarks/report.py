"""What was measured, as a table in Markdown and as a plot."""

from __future__ import annotations

import datetime as dt
import json
import math
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One tool at one kind of work. `least` and `most` are CPU seconds of all runs, `wall` those of the best."""

    work: str
    tool: str
    version: str
    pages: int
    least: float
    most: float
    wall: float
    memory: float
    done: str
    """What shows that it did the work."""
    measured: str = ""
    """The day, and the kind of machine."""


def merged(path: Path, rows: Sequence[Row]) -> list[Row]:
    """The rows of earlier runs that are kept, with those of this one in place of the same work; written back."""
    told = f"{dt.datetime.now(dt.UTC).date()}, {machine()}"
    kept = [Row(**row) for row in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []
    new = {(row.work, row.pages) for row in rows}
    out = [row for row in kept if (row.work, row.pages) not in new] + [replace(row, measured=told) for row in rows]
    write(path, json.dumps([asdict(row) for row in out], indent=1) + "\n")
    return out


def machine() -> str:
    """The kind of machine: how many processors of what kind, system, Python."""
    return (
        f"{os.cpu_count()} processors ({platform.machine()}), {platform.system()}, Python {platform.python_version()}"
    )


def table(rows: Sequence[Row], reference: str) -> str:
    """The rows of each work, the reference first, each with how many times the reference's CPU it took."""
    out = []
    for work in dict.fromkeys((row.work, row.pages) for row in rows):
        held = [row for row in rows if (row.work, row.pages) == work]
        base = next((row.least for row in held if row.tool == reference), held[0].least) or 0.001
        out += [
            f"\n### {work[0]}, {work[1]:,} pages\n",
            "| Tool | CPU, s | Spread | Ratio | Clock, s | Memory, MiB | Done |",
        ]
        out += ["| --- | --: | --: | --: | --: | --: | --- |"]
        for row in sorted(held, key=lambda row: (row.tool != reference, row.least)):
            spread = f"+{(row.most / row.least - 1) * 100:.0f} %" if row.least else ""
            name = f"{row.tool} {row.version}".strip()
            numbers = f"{row.least:.3f} | {spread} | {row.least / base:.2f} | {row.wall:.3f} | {row.memory:.0f}"
            out.append(f"| {name} | {numbers} | {row.done} |")
    return "\n".join(out) + "\n"


_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 640, 360, 60, 20, 40
_COLOURS = ("#0b6e99", "#b5520b", "#3d7a2a", "#7a3d8f", "#8a6d00", "#a02040")


def plot(rows: Sequence[Row], title: str) -> str:
    """Seconds of CPU over the number of pages, a line for each tool, both axes in powers of ten, as SVG."""
    tools = list(dict.fromkeys(row.tool for row in rows))
    xs = sorted({row.pages for row in rows})
    low = math.floor(math.log10(max(min(row.least for row in rows), 0.001)))
    high = math.ceil(math.log10(max(row.least for row in rows)))
    left, right = math.log10(xs[0]), math.log10(xs[-1])

    def x(pages: float) -> float:
        return _LEFT + (math.log10(pages) - left) / ((right - left) or 1) * (_WIDTH - _LEFT - 130)

    def y(seconds: float) -> float:
        return _TOP + (high - math.log10(max(seconds, 0.001))) / ((high - low) or 1) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"',
        'font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
    ]
    for power in range(low, high + 1):
        at = y(10.0**power)
        parts.append(f'<path d="M{_LEFT} {at:.1f}H{_WIDTH - 130}" stroke="#cccccc"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>')
    below = f'y="{_HEIGHT - 20}" text-anchor="middle"'
    parts += [f'<text x="{x(pages):.1f}" {below}>{pages:,}</text>' for pages in xs]
    parts.append(f'<text x="{(_LEFT + _WIDTH - 130) / 2:.0f}" y="{_HEIGHT - 4}" text-anchor="middle">pages</text>')
    taken: list[float] = []
    for number, tool in enumerate(tools):
        held = sorted((row for row in rows if row.tool == tool), key=lambda row: row.pages)
        colour = _COLOURS[number % len(_COLOURS)]
        points = " ".join(f"{x(row.pages):.1f},{y(row.least):.1f}" for row in held)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(row.pages):.1f}" cy="{y(row.least):.1f}" r="3" fill="{colour}"/>' for row in held]
        at = y(held[-1].least)
        while any(abs(at - other) < 14 for other in taken):
            at += 4
        taken.append(at)
        parts.append(f'<text x="{x(held[-1].pages) + 8:.1f}" y="{at + 4:.1f}" fill="{colour}">{escape(tool)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
