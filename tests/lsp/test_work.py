"""A key press costs as much as what it changes: counted, not timed."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import project
from tests.work import calls, calls_of
from tutorial_tool.lsp.workspace import Workspace
from tutorial_tool.markdown import parser
from tutorial_tool.site import Page, figures

SECTION = "## Section {}\n\nA paragraph of a page says something here, and then something else, about number {}.\n\n"


def parsed(work: Callable[[], object]) -> int:
    """How many texts a call parses as Markdown."""
    return calls_of(parser.parse_blocks.__code__, work)


def drawn(work: Callable[[], object]) -> int:
    """How many figures a call draws."""
    return calls_of(figures.FigureRenderer._draw_template.__code__, work)


def pressed(root: Path, path: Path, count: Callable[[Callable[[], object]], int]) -> tuple[int, int]:
    """What the first run costs, and the one after a key press in a file."""
    Workspace([root]).lint()  # what is loaded once, such as rules and word lists, counts for neither
    workspace, text = Workspace([root]), path.read_text()
    workspace.set_text(path, text)
    first = count(workspace.lint)
    workspace.set_text(path, text + "\nOne more key.\n")
    return first, count(workspace.lint)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Eight long pages beside a small project."""
    text = "# Page\n\n" + "".join(map(SECTION.format, range(10), range(10)))
    return project.write(tmp_path, docs={f"page-{number}.md": f"{text}\nPage {number}.\n" for number in range(8)})


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    """Eight long steps of a small project."""
    text = "---\ntitle: Finish\n---\n\n" + "".join(map(SECTION.format, range(10), range(10)))
    templates = {f"steps/step-{number}.md.j2": text for number in range(8)}
    listed = "".join(f"      - step-{number}\n" for number in range(8))
    data = project.DATA.replace("      - finish\n", f"      - finish\n{listed}")
    return project.write(tmp_path, data, {**project.TEMPLATES, **templates})


def test_a_key_in_a_page_parses_that_page(pages: Path) -> None:
    first, after = pressed(pages, pages / "docs_src/page-3.md", parsed)
    assert first > 8
    assert after == 1


def test_a_key_in_a_page_costs_a_part_of_the_whole(pages: Path) -> None:
    first, after = pressed(pages, pages / "docs_src/page-3.md", calls)
    assert after < first / 4


def test_a_key_in_a_template_parses_that_step(steps: Path) -> None:
    first, after = pressed(steps, steps / "site_templates/steps/step-3.md.j2", parsed)
    assert first > 16
    assert after <= 2 * 2  # a page for each platform: as the template says it, and with the numbers of its sections


def test_a_key_in_a_template_costs_a_part_of_the_whole(steps: Path) -> None:
    first, after = pressed(steps, steps / "site_templates/steps/step-3.md.j2", calls)
    assert after < first / 3


@pytest.mark.parametrize("name", ["docs_src/page-3.md", "site_templates/steps/finish.md.j2"])
def test_many_keys_leave_nothing_behind(pages: Path, name: str, request: pytest.FixtureRequest) -> None:
    gc.freeze()  # what other tests left is neither walked through nor counted
    request.addfinalizer(gc.unfreeze)
    workspace, text = Workspace([pages]), (pages / name).read_text()
    left = []
    for number in range(15):
        workspace.set_text(pages / name, f"{text}\n{'One more word. ' * (number % 3)}\n")
        workspace.lint()
        gc.collect()
        left.append(sum(type(each) is Page for each in gc.get_objects()))
    assert len(set(left[4:])) <= 3, left  # the texts come again each third time


PANEL = "{{ figure('panel', kind='settings', table='settings', alt='The settings') }}"
"""A figure that marks the settings that the text names."""


@pytest.fixture
def panel(tmp_path: Path) -> Path:
    """A step whose table is seen in a figure only; returns its template."""
    text = f"---\ntitle: Finish\n---\n\n{PANEL}\n\nDone.\n"
    prepare = project.TEMPLATES["steps/prepare.md.j2"].replace("{{ table('settings') }}", "Nothing.")
    project.write(tmp_path, templates={**project.TEMPLATES, "steps/finish.md.j2": text, "steps/prepare.md.j2": prepare})
    return tmp_path / "site_templates/steps/finish.md.j2"


def test_a_figure_is_drawn_again_only_where_the_text_names_its_settings(panel: Path) -> None:
    workspace, text = Workspace([panel.parents[2]]), panel.read_text().replace("#check", "")
    workspace.set_text(panel, text)
    workspace.lint()
    workspace.set_text(panel, text.replace("Done.", "You are done."))
    assert drawn(workspace.lint) == 0
    workspace.set_text(panel, text.replace("Done.", "Turn the Sound on."))
    assert drawn(workspace.lint) == 2  # a panel for each platform
    (checked,) = workspace.lint().checked
    fresh = checked.target.load(checked.texts)
    assert {path: figure.svg for path, figure in checked.site.figures.items()} == {
        path: figure.svg for path, figure in fresh.figures.items()
    }


def test_what_only_a_figure_asks_for_stays_asked_for(panel: Path) -> None:
    workspace, text = Workspace([panel.parents[2]]), panel.read_text()
    for number in range(3):
        workspace.set_text(panel, text.replace("Done.", f"Done, {number}."))
        (checked,) = workspace.lint().checked
        assert "unused-data: unused table `settings`" not in "\n".join(map(str, checked.findings))
        assert ("tables", "settings") in checked.site.requested_names
