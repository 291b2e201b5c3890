"""Where the pages of tutorials stand: in the navigation that is typed, or among the folders of a site that types none."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests import project
from tutorial_tool.core.traced import strip_origins
from tutorial_tool.publishing import navigation
from tutorial_tool.publishing.navigation import folders
from tutorial_tool.site import Site

OTHER = '  other: {title: Other, path: "PATH", steps: [welcome, prepare, finish]}\n'


def read(root: Path, path: str, docs: str, second: str = "") -> tuple[Site, list[str]]:
    """A site with hand-written pages beside its home page, and those. `second` is the path of a second tutorial."""
    text = project.DATA.replace("path: guide/{platform}/{step}", f'path: "{path}"')
    text = text.replace("tables:\n", (OTHER.replace("PATH", second) if second else "") + "tables:\n", 1)
    site = project.load(project.write(root, text, docs={f"{name}.md": "# Page\n" for name in docs.split()}))
    assert not site.errors
    return site, [page.path for page in site.pages if not page.place]


def outline(nav: list[Any]) -> str:
    """A navigation in a line. Three dots are the steps of a platform, in their order."""
    out = []
    for entry in nav:
        for title, value in entry.items() if isinstance(entry, dict) else [("", entry)]:
            out.append(f"{title}[{outline(value)}]" if isinstance(value, list) else value.removesuffix(".md"))
    steps = r"(?:[\w-]+/)*(?:\w+-)?welcome(?:-\w+)? (?:[\w-]+/)*(?:\w+-)?prepare(?:-\w+)? (?:[\w-]+/)*(?:\w+-)?finish(?:-\w+)?"
    return re.sub(steps, "...", " ".join(out))


@pytest.mark.parametrize(("path", "docs", "told"), [
    ("guide/{platform}/{step}", "", "index Guide[Swan[...] Otter[...]]"),
    ("guide/{platform}/{step}", "about/us zoo/all", "index About[about/us] Guide[Swan[...] Otter[...]] Zoo[zoo/all]"),
    ("start/{platform}/{step}", "start/index zoo/all", "index Guide[start/index Swan[...] Otter[...]] Zoo[zoo/all]"),
    ("start-up/{platform}/{step}", "start-up/faq start-up/a/b start-up/z/b",
     "index Start up[start-up/faq A[start-up/a/b] Swan[...] Otter[...] Z[start-up/z/b]]"),
    ("start/{platform}/{step}", "start/otter/README start/otter/faq start/swan/faq start/old/a",
     "index Start[Old[start/old/a] Swan[... start/swan/faq] Otter[start/otter/README ... start/otter/faq]]"),
    ("dev/start/{platform}/{step}", "dev/zoo", "index Dev[dev/zoo Guide[Swan[...] Otter[...]]]"),
    ("dev/start/{platform}/{step}", "zoo/all", "index Guide[Swan[...] Otter[...]] Zoo[zoo/all]"),
    ("{platform}/{step}", "about", "index about Guide[Swan[...] Otter[...]]"),
    ("{platform}/{step}", "otter/faq pike/a", "index Swan[...] Otter[... otter/faq] Pike[pike/a]"),
    ("{platform}/start/{step}", "otter/faq swan/faq", "index Otter[otter/faq Guide[...]] Swan[swan/faq Guide[...]]"),
    ("start/{platform}-{step}", "start/faq", "index Start[start/faq Swan[...] Otter[...]]"),
    ("{step}-{platform}", "start/faq", "index Start[start/faq] Guide[Swan[...] Otter[...]]"),
])  # fmt: skip
def test_a_tutorial_stands_in_the_place_of_its_folder(tmp_path: Path, path: str, docs: str, told: str) -> None:
    site, others = read(tmp_path, path, docs)
    assert outline(navigation.build_nav(site, None, others)) == told


@pytest.mark.parametrize(("path", "second", "told"), [
    ("start/{platform}/{step}", "start/{platform}/o-{step}",
     "index Start[start/faq Guide[Swan[...] Otter[...]] Other[Swan[...] Otter[...]]]"),
    ("start/a/{platform}/{step}", "start/b/{platform}/{step}",
     "index Start[start/faq Guide[Swan[...] Otter[...]] Other[Swan[...] Otter[...]]]"),
    ("{platform}/{step}", "{platform}/o-{step}",
     "index Start[start/faq] Guide[Swan[...] Otter[...]] Other[Swan[...] Otter[...]]"),
])  # fmt: skip
def test_tutorials_with_one_folder_keep_their_sections(tmp_path: Path, path: str, second: str, told: str) -> None:
    site, others = read(tmp_path, path, "start/faq", second)
    assert outline(navigation.build_nav(site, None, others)) == told


@pytest.mark.parametrize(("path", "docs", "told"), [
    ("start/{platform}/{step}", "start/index a/b", "index A[a/b] Guide[start/index Swan[...] Otter[...]]"),
    ("dev/start/{platform}/{step}", "zoo/all", "index Dev[Guide[Swan[...] Otter[...]]] Zoo[zoo/all]"),
    ("{platform}/{step}", "otter/faq", "index Swan[...] Otter[... otter/faq]"),
    ("start/{platform}-{step}", "start/faq", "index Start[... ... start/faq]"),
])  # fmt: skip
def test_a_plugin_that_arranges_folders_gets_folders(tmp_path: Path, path: str, docs: str, told: str) -> None:
    site, others = read(tmp_path, path, docs)
    assert outline(folders.build_folder_nav(site, others, {}, strip_origins)) == told


SWAN, OTTER = ([f"guide/{name}/{step}.md" for step in ("welcome", "prepare", "finish")] for name in ("swan", "otter"))


@pytest.mark.parametrize(("said", "told"), [
    ([{"Learn": [{"Swans": SWAN}, {"Otters": [OTTER[0], OTTER[2]]}]}], "Learn[Swans[...] Otters[...]]"),
    ([{"Learn": [{"Swans": SWAN[1:]}, {"Otters": [{"First": OTTER[0]}, OTTER[1], "more.md"]}]}],
     "Learn[Swans[...] Otters[... more]]"),
    ([{"Learn": ["a.md", {"Swans": SWAN}]}, "more.md"], "Learn[a Swans[...] Otter[...]] more"),
    ([{"Otters": OTTER}, "more.md"], "Swan[...] Otters[...] more"),
    ([{"Swans": [{"Begin": SWAN[:2]}, {"End": SWAN[2:]}]}, "more.md"],
     "Swans[Begin[guide/swan/welcome guide/swan/prepare] End[guide/swan/finish]] Otter[...] more"),
    ([{"Start": SWAN[0]}, "more.md"],
     "guide/swan/welcome more Guide[Swan[guide/swan/prepare guide/swan/finish] Otter[...]]"),
    ([*SWAN, "more.md"], "... more Guide[Otter[...]]"),
    ([SWAN[0], SWAN[2], {"X": "more.md", "Y": "other.md"}], "... more other Guide[Otter[...]]"),
    ([{"Swans": SWAN[0], "Go on": SWAN[2], "Otters": OTTER}, "more.md"],
     "guide/swan/welcome guide/swan/finish Otters[...] guide/swan/prepare more"),
    (["more.md", {"Learn": "tutorial:guide"}], "more Learn[Swan[...] Otter[...]]"),
    ([], "Guide[Swan[...] Otter[...]]"),
])  # fmt: skip
def test_pages_that_the_navigation_does_not_name_stand_beside_those_that_it_does(
    tmp_path: Path, said: list[Any], told: str
) -> None:
    site, others = read(tmp_path, "guide/{platform}/{step}", "")
    before = repr(said)
    assert outline(navigation.build_nav(site, said, others)) == told
    assert repr(said) == before, "what is typed stays, for the next build of a server"
