"""What an author sees while serving, in a browser: the panel of findings and the overview, for everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_accessible import in_every_view
from tests.test_plugin import change, made, served, shows

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Tab = Callable[..., "Page"]


@pytest.fixture(scope="module")
def writing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page with a finding, while it is served."""
    root = made(tmp_path_factory.mktemp("writing"))
    change(root / "site_templates/steps/finish.md.j2", "Done.", "Go to <b>the the</b> end.")
    with served(root) as url:
        page = url + "guide/swan/finish/"
        assert shows(page, "repeated word <code>the</code>")
        yield page


def test_axe_finds_nothing_with_the_panel_open(tab: Tab, writing: str) -> None:
    def opened(page: Page) -> None:
        if not page.get_by_text("repeated word the").is_visible():  # on a phone
            page.locator(".tt-writing summary").click()
        assert page.get_by_text("repeated word the").is_visible()

    assert in_every_view(tab(), writing, opened) == []


def test_axe_finds_nothing_on_the_overview(tab: Tab, writing: str) -> None:
    overview = writing.replace("guide/swan/finish/", "_tutorial/")
    assert in_every_view(tab(), overview) == []


def test_the_overview_comes_again_by_itself(tab: Tab, tmp_path: Path) -> None:
    root = made(tmp_path)
    with served(root) as url:
        assert shows(url + "_tutorial/", "All text in the templates is on a page.")
        page = tab()
        page.goto(url + "_tutorial/")
        page.wait_for_timeout(500)  # it asks what the state of the site is
        change(root / "site_templates/steps/finish.md.j2", "Done.", "Go to the the end.")
        page.get_by_text("repeated word the").first.wait_for(timeout=20_000)
        change(root / "site_templates/steps/finish.md.j2", "Go to the the end.", "Done.")
        page.get_by_text("repeated word the").first.wait_for(state="detached", timeout=20_000)


def test_axe_finds_nothing_where_a_page_cannot_be_built(tab: Tab, tmp_path: Path) -> None:
    root = made(tmp_path)
    change(root / "site_templates/steps/finish.md.j2", "Done.", "{{ dnoe }}")
    with served(root) as url:
        assert shows(url + "guide/swan/finish/", "Build error.")
        for path in ("guide/swan/finish/", "guide/swan/prepare/", "_tutorial/"):
            assert in_every_view(tab(), url + path) == [], path


def test_the_text_that_is_meant_is_marked_and_the_panel_fits_a_phone(tab: Tab, writing: str) -> None:
    page = tab(320)
    page.goto(writing)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.locator("mark.tt-writing-mark").all_inner_texts() == ["the the"]
    assert not page.get_by_text("repeated word the").is_visible(), "it would cover the page"
    page.locator(".tt-writing summary").click()
    assert page.get_by_text("repeated word the").is_visible()
    page.reload()
    assert page.get_by_text("repeated word the").is_visible(), "it stays open"


def test_a_panel_that_the_author_closes_stays_closed(tab: Tab, writing: str) -> None:
    page = tab()
    page.goto(writing)
    assert page.get_by_text("repeated word the").is_visible()
    page.locator(".tt-writing summary").click()
    page.reload()
    assert not page.get_by_text("repeated word the").is_visible()


def test_old_addresses_keep_the_anchor(tab: Tab, tmp_path: Path) -> None:
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
            page = tab(script=javascript)
            page.goto(url + "docs/old/otter/#check")
            page.wait_for_url("**/guide/otter/finish/#check" if javascript else "**/guide/otter/finish/")
            assert page.get_by_role("heading", level=1).inner_text() == "Step 2. Finish"
