"""Defects put into templates, parts and data at random are reported where they stand, to the character."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from tutorial_tool.config.settings import Config
from tutorial_tool.core.source import Source
from tutorial_tool.linter import engine
from tutorial_tool.site import Layout, Site, loading

ROOT = Path(__file__).parent.parent
BROKEN = "itâ€™s "
MARK = BROKEN.strip()[2:5]
AT_ONCE = 20
"""Defects in one run: few enough to stand on lines of their own."""


def places(read: Site) -> list[tuple[Source, int]]:
    """Where a word may be put in: before a word of prose that some page shows, in its template, part or data file."""
    out = set()
    for page in (page for page in read.pages if page.generated):
        for prose in page.document.get_prose():
            for word in re.finditer(r"(?<= )[a-z]{3,}", prose):
                span, exact = page.get_source_span(*prose.locate(word))
                before = span.source.text[span.start - 1 : span.start]
                if exact and span.text == word[0] and before == " ":
                    out.add((span.source, span.start))
    return sorted(out, key=lambda place: (place[0].path, place[1]))


def one_a_line(chosen: list[tuple[Source, int]]) -> list[tuple[Source, int]]:
    """The places without those on a line that has one already."""
    lines: dict[tuple[str, int], tuple[Source, int]] = {}
    for source, at in chosen:
        lines.setdefault((source.path, source.get_position(at).line), (source, at))
    return list(lines.values())


def seeded(chosen: list[tuple[Source, int]]) -> tuple[dict[str, str], set[tuple[str, int, int, str]]]:
    """The changed texts by path; path, line, column and text of each defect."""
    texts: dict[str, str] = {}
    expected = set()
    for source, at in sorted(chosen, key=lambda place: -place[1]):
        text = texts.get(source.path, source.text)
        texts[source.path] = text[:at] + BROKEN + text[at:]
        line, column = source.get_position(at)
        expected.add((source.path, line, column + 2, MARK))
    return texts, expected


def check(count: int) -> None:
    layout = Layout.find(ROOT)
    read = loading.load(layout)
    every = places(read)
    assert {source.path.rpartition(".")[2] for source, _ in every} == {"j2", "md", "yaml"}
    chance = random.Random(7)
    told = exact = 0
    while told < count:
        texts, expected = seeded(one_a_line(chance.sample(every, AT_ONCE)))
        found = engine.run(loading.load(layout, texts), Config().merge_command_line(select=("mojibake",)))
        places_found = {(f.span.path, *f.span.position, f.span.text) for f in found}
        lines_found = {place[:2] for place in places_found}
        assert lines_found == {place[:2] for place in expected}, "each on its line, and none elsewhere"
        told += len(expected)
        exact += len(expected & places_found)
    assert exact >= 0.99 * told


@pytest.mark.slow
def test_seeded_defects_are_reported_where_they_stand() -> None:
    check(100)


@pytest.mark.soak
def test_a_thousand_seeded_defects_are_reported_where_they_stand() -> None:
    check(1000)
