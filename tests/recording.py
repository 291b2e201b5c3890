"""Records a terminal session: runs commands, and draws what they print as one SVG that can be played.

Nothing in a recording is typed by hand. It shows the whole session; who selects Play sees it line by line, and can pause.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

COLUMNS = 92
PADDING, BAR, LINE, GAP, CHARACTER = 18, 44, 20, 10, 8.4
"""Lengths in the drawing's own pixels; a character of 14 pixels is about 8.4 wide in most fonts."""
LIGHT = {
    "ground": "#f6f8fa",
    "edge": "#c9d1d9",
    "text": "#1f2328",
    "dim": "#57606a",
    "red": "#b3261e",
    "green": "#1a6b2d",
    "yellow": "#7d5500",
    "blue": "#0b57a4",
    "cyan": "#0b6470",
}
DARK = {
    "ground": "#14171c",
    "edge": "#3b424c",
    "text": "#e4e7eb",
    "dim": "#a0a8b3",
    "red": "#ff938a",
    "green": "#84d690",
    "yellow": "#ecc163",
    "blue": "#8ab8ff",
    "cyan": "#74d3df",
}
CLASSES = {1: "bold", 2: "dim", 4: "under", 9: "struck", 31: "red", 32: "green", 33: "yellow", 34: "blue", 36: "cyan"}
"""What the numbers of an escape sequence ask for (ECMA-48, 8.3.117): those that the tool prints, and no others."""

_SEQUENCE = re.compile(r"\x1b\[([\d;]*)m")


@dataclass(frozen=True)
class Ran:
    """A command, and all that it printed."""

    command: str
    printed: str


@dataclass(frozen=True)
class Row:
    """A line of the screen: runs of text with their classes, its place below the bar, and the second at which it appears."""

    runs: tuple[tuple[str, str], ...]
    y: int
    second: float


def record(commands: Sequence[str], folder: Path, *, colors: bool) -> list[Ran]:
    """Run commands after each other, as on a terminal with or without colours. One that cannot run is an error."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | {
        "PATH": path,
        "LC_ALL": "C.UTF-8",
    }
    environment |= {"FORCE_COLOR": "1", "NO_COLOR": ""} if colors else {"FORCE_COLOR": "", "NO_COLOR": "1"}
    environment |= {
        f"GIT_{who}_{what}": "writer@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "NO_MKDOCS_2_WARNING": "1"}
    ran = []
    for command in commands:
        done = subprocess.run(
            command, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            encoding="utf-8", timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode in (0, 1), f"{command} ends with {done.returncode}: {done.stdout}"
        ran.append(Ran(command, done.stdout))
    return ran


def text(session: Sequence[Ran]) -> str:
    """A session as the guide shows it in blocks."""
    return "".join(f"$ {ran.command}\n{ran.printed}" for ran in session)


def _runs(line: str) -> Iterator[tuple[str, str]]:
    """The runs of a printed line: text, and the classes in which it is shown."""
    classes: list[str] = []
    for number, part in enumerate(_SEQUENCE.split(line)):
        if number % 2:
            for code in map(int, part.split(";") if part else "0"):
                classes = [*classes, CLASSES[code]] if code else []
        elif part:
            yield part, " ".join(classes)


def _wrapped(runs: Iterator[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Runs in rows, broken where a terminal breaks them: at its last column."""
    rows: list[list[tuple[str, str]]] = [[]]
    left = COLUMNS
    for run, classes in runs:
        while run:
            if not left:
                rows.append([])
                left = COLUMNS
            rows[-1].append((run[:left], classes))
            run, left = run[left:], max(0, left - len(run))
    return rows


def rows(session: Sequence[Ran]) -> list[Row]:
    """The rows of the screen. After what a command printed, there is time to read it, nine words in two seconds, and a gap."""
    found: list[Row] = []
    y, now, quiet = PADDING, 0.0, True
    for ran in session:
        told = "dim" if ran.command.startswith("#") else "bold"
        y += GAP if found and (told == "dim" or not quiet) else 0
        for number, line in enumerate([None, *ran.printed.splitlines()]):
            shown = iter([("$ ", "green bold"), (ran.command, told)]) if line is None else _runs(line)
            for row in _wrapped(shown):
                found += [Row(tuple(row), y, round(now, 2))]
                y += LINE
            now += 0.08 if number else 0.9
        quiet = not ran.printed
        now += len((ran.printed or ran.command).split()) / 4.5 if ran.printed or told == "dim" else 0.6
    return found


def _colors(colors: dict[str, str]) -> str:
    return " ".join(f"--{name}: {color};" for name, color in colors.items())


def _style() -> str:
    return f"""
:root {{ color-scheme: light dark; {_colors(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_colors(DARK)} }} }}
@media print {{ :root {{ {_colors(LIGHT)} }} }}
text {{ font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; fill: var(--text); }}
.bold {{ font-weight: bold; }} .under {{ text-decoration: underline; }} .struck {{ text-decoration: line-through; }}
{" ".join(f".{name} {{ fill: var(--{name}); }}" for name in LIGHT if name not in ("ground", "edge", "text"))}
#window {{ fill: var(--ground); stroke: var(--edge); }} #bar {{ stroke: var(--edge); }}
#controls {{ display: none; }}
form {{ display: flex; gap: 8px; font: 14px system-ui, sans-serif; color: var(--text); }}
label {{ display: flex; gap: 6px; align-items: center; height: 28px; padding: 0 10px; border: 1px solid var(--edge); border-radius: 6px; cursor: pointer; }}
label:hover, label:focus-within {{ border-color: var(--blue); }}
input {{ margin: 0; accent-color: var(--blue); }}
form:not(:has(#play:checked)) label:has(#pause) {{ display: none; }}
@keyframes appear {{ from {{ visibility: hidden; }} to {{ visibility: visible; }} }}
@media screen and (prefers-reduced-motion: no-preference) {{
  #controls {{ display: inline; }}
  :root:has(#play:checked) .row {{ animation: appear 1ms step-end var(--at) backwards; }}
  :root:has(#pause:checked) .row {{ animation-play-state: paused; }}
}}
"""


def _drawn(row: Row) -> str:
    spans, column = [], 0
    for run, classes in row.runs:
        x, width = PADDING + column * CHARACTER, len(run) * CHARACTER
        style = f' class="{classes}"' if classes else ""
        spans.append(f'<tspan x="{x:g}" textLength="{width:g}"{style}>{escape(run, quote=False)}</tspan>')
        column += len(run)
    return f'<text class="row" y="{BAR + row.y + 14}" style="--at: {row.second:g}s">{"".join(spans)}</text>'


def size(session: Sequence[Ran]) -> tuple[int, int]:
    """The width and the height of the drawing."""
    return round(COLUMNS * CHARACTER + 2 * PADDING), BAR + rows(session)[-1].y + LINE + PADDING


def drawing(session: Sequence[Ran], title: str) -> str:
    """The session as an SVG that needs no script, no font and no other file."""
    width, height = size(session)
    lines = "\n".join(map(_drawn, rows(session)))
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" lang="en">
<title>{escape(title)}</title>
<style>{_style()}</style>
<rect id="window" x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8"/>
<path id="bar" d="M0 {BAR}.5H{width}"/>
<text x="{width - PADDING}" y="27" text-anchor="end" class="dim" aria-hidden="true">Terminal</text>
<foreignObject id="controls" x="{PADDING}" y="8" width="220" height="30">
<form xmlns="http://www.w3.org/1999/xhtml">
<label><input type="checkbox" id="play" autocomplete="off"/>Play</label>
<label><input type="checkbox" id="pause" autocomplete="off"/>Pause</label>
</form>
</foreignObject>
{lines}
</svg>
"""
