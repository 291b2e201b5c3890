"""Which platforms a step can be read on, and where it stands among the steps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import project
from tests.browser.conftest import DATA, TEMPLATES
from tutorial_tool.publishing import platform_switcher, theme
from tutorial_tool.site import Page, Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return project.load(project.write(tmp_path, DATA, TEMPLATES))


def shown(site: Site, page: str) -> list[tuple[str, str | None, str, str | None]]:
    def path(page: Page | None) -> str | None:
        return page.path if page else None

    choices = platform_switcher.list_choices(site, project.page(site, page))
    return [(choice.platform.id, path(choice.page), choice.reason, path(choice.instead)) for choice in choices]


def test_a_step_on_every_platform(site: Site) -> None:
    assert shown(site, "otter/prepare") == [
        ("swan", "guide/swan/prepare.md", "", None),
        ("otter", "guide/otter/prepare.md", "", None),
        ("heron", "guide/heron/prepare.md", "", None),
    ]


def test_a_step_that_a_platform_lacks(site: Site) -> None:
    assert shown(site, "swan/finish")[2] == ("heron", None, "Herons stand still", "guide/heron/prepare.md")
    assert shown(site, "otter/dive")[0] == ("swan", None, "", "guide/swan/finish.md")


def test_a_reader_goes_on_with_the_next_step_that_the_platform_has(tmp_path: Path) -> None:
    data = DATA.replace("      - prepare\n", "      - {id: prepare, only: [otter]}\n")
    site = project.load(
        project.write(tmp_path, data, {**TEMPLATES, "steps/welcome.md.j2": "---\ntitle: Hello\n---\n\nHi.\n"})
    )
    choices = {
        choice.platform.id: choice
        for choice in platform_switcher.list_choices(site, project.page(site, "otter/prepare"))
    }
    found = {id_: (one.instead.step, one.is_before) for id_, one in choices.items() if one.instead}
    assert found == {"swan": ("finish", False), "heron": ("welcome", True)}


ZOO = """\
platforms: {swan: {name: Swan}, heron: {name: Heron}, crane: {name: Crane}, stork: {name: Stork}}
groups: {waders: [heron, crane]}
tutorials:
  guide:
    title: Guide
    steps: [start, {id: swim, not-on: {waders: "They stand still.", stork: "It flies <b>"}}, finish]
"""


def test_many_platforms_without_a_step_have_a_line_for_each_reason(tmp_path: Path) -> None:
    templates = {f"steps/{id_}.md.j2": f"---\ntitle: To {id_}\n---\n\nText.\n" for id_ in ("start", "swim", "finish")}
    site = project.load(project.write(tmp_path, ZOO, templates)).require_valid()
    page = project.page(site, "swan/swim")
    head, _ = theme.render_surroundings(
        site, page, str, lambda page: page.title, "", home=None, anchors=lambda _: set(), heading=False
    )
    notes = re.findall(r'<p class="tt-note">(.*?)</p>', head)
    assert notes == ["Heron, Crane: They stand still.", "Stork: It flies &lt;b&gt;."]
    told = re.findall(r'class="tt-lacks" href="([^"]*)".*?title="([^"]*)">(\w+)<', head)
    assert told[0] == (
        "guide/heron/finish.md",
        "Heron does not have this step: They stand still. Continue with “To finish”",
        "Heron",
    )
    assert [name for _, _, name in told] == ["Heron", "Crane", "Stork"]


def test_a_platform_without_the_tutorial_is_no_choice(tmp_path: Path) -> None:
    data = DATA.replace("    title: Guide", "    title: Guide\n    platforms: [swan, otter]").replace(
        "not-on: {heron: ", "not-on: {swan: "
    )
    site = project.load(project.write(tmp_path, data, TEMPLATES))
    assert [id_ for id_, *_ in shown(site, "otter/prepare")] == ["swan", "otter"]


def test_progress_counts_the_steps_with_numbers(site: Site) -> None:
    progress = platform_switcher.compute_progress(site, project.page(site, "otter/finish"))
    assert (progress.number, progress.count, len(progress.pages)) == (2, 3, 4)
    assert platform_switcher.compute_progress(site, project.page(site, "swan/welcome")).number is None


def test_a_tutorial_starts_with_its_first_step(site: Site) -> None:
    starts = {platform: page.path for platform, page in platform_switcher.find_first_pages(site)["guide"].items()}
    assert starts == {platform: f"guide/{platform}/welcome.md" for platform in ("swan", "otter", "heron")}
