"""What an author sees while serving, in a browser: the panel of findings and the overview, for everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_accessible import VIEWS, views, violations
from tests.test_plugin import change, made, served, shows

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

pytestmark = pytest.mark.browser
Reader = Callable[..., "BrowserContext"]


@pytest.fixture(scope="module")
def writing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page with a finding, while it is served."""
    root = made(tmp_path_factory.mktemp("writing"))
    change(root / "site_templates/steps/finish.md.j2", "Done.", "Go to <b>the the</b> end.")
    with served(root) as url:
        page = url + "guide/swan/finish/"
        assert shows(page, "`the` stands twice")
        yield page


def test_axe_finds_nothing_with_the_panel_open(reader: Reader, writing: str) -> None:
    found: list[str] = []
    for page in views(reader(), writing, VIEWS):
        assert page.get_by_text("`the` stands twice").is_visible()
        found += violations(page)
    assert found == []


def test_axe_finds_nothing_on_the_overview(reader: Reader, writing: str) -> None:
    overview = writing.replace("guide/swan/finish/", "_tutorial/")
    assert [each for page in views(reader(), overview, VIEWS) for each in violations(page)] == []


def test_the_text_that_is_meant_is_marked_and_the_panel_fits_a_phone(reader: Reader, writing: str) -> None:
    page = reader(width=320).new_page()
    page.goto(writing)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.locator("mark.tt-writing-mark").all_inner_texts() == ["the the"]
    page.locator(".tt-writing summary").click()
    assert not page.get_by_text("`the` stands twice").is_visible()
    page.reload()
    assert not page.get_by_text("`the` stands twice").is_visible(), "it stays closed"


def test_old_addresses_keep_the_anchor(reader: Reader, tmp_path: Path) -> None:
    from tests.browser.conftest import build
    from tests.browser.conftest import served as published

    root = made(tmp_path)
    change(
        root / "site_templates/steps/finish.md.j2",
        "title: Finish\n",
        "title: Finish\nredirect_from: /old/{{ platform.id }}/\n",
    )
    build(root, root / "site/docs")
    with published(root / "site") as url:
        for javascript in (True, False):
            page = reader(java_script_enabled=javascript).new_page()
            page.goto(url + "docs/old/otter/#check")
            page.wait_for_url("**/guide/otter/finish/#check" if javascript else "**/guide/otter/finish/")
            assert page.get_by_role("heading", level=1).inner_text() == "Step 2. Finish"
