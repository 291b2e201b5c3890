"""The page that `compare --html` writes, as readers meet it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tests import project
from tests.browser.test_accessible import VIEWS, in_every_view
from tutorial_tool import cli

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
REPOSITORY = Path(__file__).parent.parent.parent


def written(root: Path, folder: Path) -> str:
    """The address of the comparison of a project."""
    path = folder / "comparison.html"
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(root)
        done = CliRunner().invoke(cli.main, ["compare", "--html", str(path)])
    assert done.exit_code == 0, done.output
    return path.as_uri()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(REPOSITORY, tmp_path_factory.mktemp("comparison"))


def test_everybody_can_read_it(tab: Callable[..., Page], address: str, tmp_path: Path) -> None:
    """A small one in each view, as what stands in its many rows is alike."""
    small = written(project.write(tmp_path), tmp_path)
    assert in_every_view(tab(), small) == []
    assert in_every_view(tab(), address, shown=VIEWS[:1]) == []


def test_it_asks_no_host_and_says_nothing_to_the_console(tab: Callable[..., Page], address: str) -> None:
    page = tab()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(address)
    assert asked == [address]
    assert said == []


def test_the_keyboard_leads_from_the_matrix_to_a_step_and_leaves_out_what_is_the_same(
    tab: Callable[..., Page], address: str
) -> None:
    page = tab()
    page.goto(address)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**#steps")
    page.keyboard.press("Tab")
    before = page.locator("tr.same:visible").count()
    page.keyboard.press("Space")
    assert page.locator("tr.same:not(.heading):visible").count() == 0 < before
    assert page.locator("tr.different:visible").count() > 0
    page.get_by_role("link", name="create-output").press("Enter")
    page.wait_for_url("**#step-4")
    assert page.get_by_role("heading", name="create-output").is_visible()
    assert page.evaluate("location.hash") == "#step-4"
