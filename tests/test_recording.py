"""The recorded session in the guide is what the commands print now. `UPDATE=1 pytest` records it again."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests import recording
from tests.repository import Repository

DOCS = Path(__file__).parent.parent / "docs_src"
PAGE = DOCS / "how-to/start.md"
TITLE = "Three copies become one template, recorded in a terminal"
COPY = """\
# Install the {name} SDK

The SDK sends what your app tells it, and nothing else. It works
without a network, too: what it cannot send, it keeps for a day.

1. Add the package `example-{folder}` to your app.
2. Call `{call}(key)` when the app starts.
3. Run the app, and open **Events** in your account.

The first event arrives after some minutes.

| Setting | Recommended | What it does |
| --- | --- | --- |
| Screen views | {views} | Sends the name of each screen. |
| Crash reports | Enabled | Sends what came before a crash. |
"""
COPIES = [
    {"folder": "android", "name": "Android", "call": "Example.init", "views": "Disabled"},
    {"folder": "ios", "name": "iOS", "call": "Example.start", "views": "Enabled"},
    {"folder": "web", "name": "Web", "call": "example.load", "views": "Enabled"},
]
COMMANDS = [
    "# Three copies of a page, kept by hand",
    "ls docs/*/*",
    "tutorial-tool lint",
    "# One setting has drifted. Write the page once, and let the data say what differs",
    "tutorial-tool adopt docs --into . --remove-copies",
    "git add . && git commit -qm 'Write it once'",
    "# One edit in the template",
    "sed -i 's/after some minutes/within five minutes/' site_templates/steps/install.md.j2",
    "tutorial-tool diff",
]


def recorded(parent: Path, *, colors: bool) -> list[recording.Ran]:
    folder = parent / "docs-site"  # its name becomes the site's title, and so a part of what is counted
    folder.mkdir()
    repository = Repository(folder)
    repository.commit("Copies", {f"docs/{copy['folder']}/install.md": COPY.format(**copy) for copy in COPIES})
    return recording.record(COMMANDS, folder, colors=colors)


@pytest.fixture(scope="module")
def colored(tmp_path_factory: pytest.TempPathFactory) -> list[recording.Ran]:
    return recorded(tmp_path_factory.mktemp("colored"), colors=True)


@pytest.mark.slow
def test_the_recording_is_what_the_commands_print(
    colored: list[recording.Ran], golden: Callable[[Path, str], None]
) -> None:
    golden(DOCS / "assets/session.svg", recording.drawing(colored, TITLE))


@pytest.mark.slow
def test_the_page_has_the_same_session_as_text(tmp_path: Path) -> None:
    block = re.compile(r"^    ```console\n(.*?)^    ```$", re.MULTILINE | re.DOTALL)
    wanted = "".join(
        f"    {line}".rstrip() + "\n" for line in recording.text(recorded(tmp_path, colors=False)).splitlines()
    )
    page = PAGE.read_text(encoding="utf-8")
    if os.environ.get("UPDATE"):
        page = block.sub(lambda _: f"    ```console\n{wanted}    ```", page)
        PAGE.write_text(page, encoding="utf-8")
    assert block.findall(page) == [wanted]


def test_the_page_keeps_room_for_the_recording(colored: list[recording.Ran]) -> None:
    width, height = recording.size(colored)
    style = (DOCS / "assets/recording.css").read_text(encoding="utf-8")
    if os.environ.get("UPDATE"):
        style = re.sub(r"aspect-ratio: \d+ / \d+", f"aspect-ratio: {width} / {height}", style)
        (DOCS / "assets/recording.css").write_text(style, encoding="utf-8")
    assert re.findall(r"aspect-ratio: (\d+) / (\d+)", style) == [(str(width), str(height))]


def test_the_page_names_the_recording_as_it_names_itself(colored: list[recording.Ran]) -> None:
    named = re.findall(r'<iframe src="../../(.+?)" title="(.+?)"', PAGE.read_text(encoding="utf-8"))
    assert [(DOCS / path).is_file() for path, _ in named] == [True]
    assert f"<title>{named[0][1]}</title>" in recording.drawing(colored, TITLE)


def test_the_drawing_has_every_character_and_asks_for_nothing(colored: list[recording.Ran]) -> None:
    drawn = recording.drawing(colored, TITLE)
    tree = ET.fromstring(drawn)
    shown = [
        "".join(row.itertext()) for row in tree.iter("{http://www.w3.org/2000/svg}text") if row.get("class") == "row"
    ]
    assert "".join(shown) == re.sub(r"\x1b\[[\d;]*m|\n", "", recording.text(colored))
    assert max(map(len, shown)) <= recording.COLUMNS
    assert not re.search(r"<script|url\(|@import|@font-face|\b(?:href|src|on\w+)=", drawn)
    assert set(re.findall(r"https?://[^\"]*", drawn)) == {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"}


def test_the_session_tells_the_whole_story(colored: list[recording.Ran]) -> None:
    for told in ("conflicting-value", "are identical byte for byte", "all 3 platforms"):
        assert told in re.sub(r"\x1b\[[\d;]*m", "", recording.text(colored))


def test_it_can_be_read_while_it_plays(colored: list[recording.Ran]) -> None:
    seconds = [row.second for row in recording.rows(colored)]
    assert all(before <= after for before, after in pairwise(seconds))
    assert 40 <= seconds[-1] <= 62


def luminance(color: str) -> float:
    """The relative luminance of a colour (WCAG 2.2)."""
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colors", [recording.LIGHT, recording.DARK], ids=["light", "dark"])
def test_every_colour_stands_out_from_its_ground(colors: dict[str, str]) -> None:
    for name in colors.keys() - {"ground", "edge"}:
        dark, light = sorted([luminance(colors[name]), luminance(colors["ground"])])
        assert (light + 0.05) / (dark + 0.05) >= 4.5, name


def test_a_long_line_breaks_at_the_last_column_and_keeps_its_colours() -> None:
    (_, first, second) = recording.rows([recording.Ran("x", f"\x1b[31m\x1b[1m{'a' * 95}\x1b[0mb\n")])
    assert first.runs == (("a" * 92, "red bold"),)
    assert second.runs == (("aaa", "red bold"), ("b", ""))
