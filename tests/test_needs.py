"""A rule is asked only where there is what it cannot do without."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import project
from tutorial_tool import site
from tutorial_tool.config.settings import Config
from tutorial_tool.linter import requirements
from tutorial_tool.site import Layout, Site, loading

TABLE = "| Setting | Value |\n| --- | --- |\n| Sound | `On` |\n"
COPY = (
    "# Start\n\nOpen the {name} app, select **Keys**, and copy the key of your project.\n\nThen wait for the message.\n"
)


def plain(folder: Path, **texts: str) -> Site:
    paths = [folder / f"{name}.md" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    return site.load_plain(paths, folder)


@pytest.mark.parametrize(
    ("need", "config"),
    [
        ("inventory", Config(inventory="inventory.json")),
        ("ui-strings", Config(ui_strings=(("ALL", ("en.json",)),))),
        ("vocabularies", Config(vocabulary_file="words.txt")),
        ("vocabularies", Config(vocabularies=("styles",))),
    ],
)
def test_what_the_configuration_brings(tmp_path: Path, need: str, config: Config) -> None:
    read = plain(tmp_path, page="# Title\n")
    assert requirements.is_met_on_site(need, read, config)
    assert not requirements.is_met_on_site(need, read, Config())


@pytest.mark.parametrize(
    ("need", "text"),
    [
        ("tables", TABLE),
        ("images", "![A menu](menu.png)\n"),
        ("code", "```sh\nls\n```\n"),
        ("fences", ":::{note}\nText.\n:::\n"),
        ("front-matter", "---\ntitle: Two\n---\n\n# Two\n"),
        ("html", "A <b>word</b>.\n"),
        ("more-than-ascii", "A café.\n"),
    ],
)
def test_what_stands_on_a_page(tmp_path: Path, need: str, text: str) -> None:
    read = plain(tmp_path, one="# One\n", two=text)
    assert [requirements.is_met_on_page(page, need) for page in read.pages] == [False, True]
    assert requirements.is_met_on_site(need, read, Config())
    assert not requirements.is_met_on_site(need, plain(tmp_path, one="# One\n"), Config())


def test_what_several_pages_bring(tmp_path: Path) -> None:
    one = plain(tmp_path, start=COPY)
    two = plain(tmp_path, **{"start-ios": COPY.format(name="iOS"), "start-android": COPY.format(name="Android")})
    assert not requirements.is_met_on_site("pages", one, Config())
    assert requirements.is_met_on_site("pages", two, Config())
    stated = Config(variants=("start-{platform}.md",))
    assert not requirements.is_met_on_site("copies", one, stated)
    assert requirements.is_met_on_site("copies", two, stated)


def test_what_a_project_brings(tmp_path: Path) -> None:
    project.write(tmp_path)
    assert requirements.is_met_on_site("project", loading.load(Layout.find(tmp_path)), Config())
    assert not requirements.is_met_on_site("project", plain(tmp_path, page="# Title\n"), Config())


def test_a_rule_without_a_need_is_always_asked(tmp_path: Path) -> None:
    read = plain(tmp_path, page="# Title\n")
    assert requirements.is_met_on_site("", read, Config())
    assert requirements.is_met_on_page(read.pages[0], "")
