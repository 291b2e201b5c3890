"""The page that `compare --html` writes, as readers meet it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tests.browser.test_accessible import in_every_view
from tutorial_tool import cli

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

pytestmark = pytest.mark.browser
REPOSITORY = Path(__file__).parent.parent.parent


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(REPOSITORY)
    done = CliRunner().invoke(cli.main, ["compare", "--html", str(tmp_path / "comparison.html")])
    assert done.exit_code == 0, done.output
    return (tmp_path / "comparison.html").as_uri()


def test_everybody_can_read_it(reader: Callable[..., BrowserContext], address: str) -> None:
    assert in_every_view(reader(), address) == []


def test_it_asks_no_host_and_says_nothing_to_the_console(reader: Callable[..., BrowserContext], address: str) -> None:
    page = reader().new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(address)
    assert asked == [address]
    assert said == []


def test_the_keyboard_leads_from_the_matrix_to_a_step_and_leaves_out_what_is_the_same(
    reader: Callable[..., BrowserContext], address: str
) -> None:
    page = reader().new_page()
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
