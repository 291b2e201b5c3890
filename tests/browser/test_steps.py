"""Where a reader is among the steps, and which are done."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Tab = Callable[..., "Page"]
STEP = "developers/quickstart/ios/create-connection/"


def opened(page: Page, url: str) -> Page:
    page.goto(url)
    return page


def test_a_step_says_which_of_how_many_it_is(tab: Tab, our_site: str) -> None:
    page = opened(tab(script=False), our_site + STEP)
    assert page.locator(".tt-steps summary").inner_text() == "Step 4 of 5"
    assert page.locator(".tt-meter i").count() == 5
    assert page.locator(".tt-meter i.tt-here").count() == 1
    page.locator(".tt-steps summary").click()
    assert page.locator(".tt-steps a").all_inner_texts() == [
        "Overview",
        "Step 1. Create an input",
        "Step 2. Verify your input",
        "Step 3. Set up your output",
        "Step 4. Create a connection",
        "Step 5. Verify your connection",
    ]
    assert page.locator(".tt-steps [aria-current=page]").inner_text() == "Step 4. Create a connection"
    page.goto(our_site + "developers/quickstart/ios/overview/")
    assert page.locator(".tt-steps summary").inner_text() == "All 5 steps"


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_the_list_of_steps_opens_below_its_title_where_the_platforms_fill_a_line(
    direction: str, tab: Tab, our_site: str
) -> None:
    page = opened(tab(), our_site + STEP)
    page.evaluate(f"document.documentElement.dir = '{direction}'")
    page.add_style_tag(content=".tt-switch { width: 100% }")
    page.locator(".tt-steps summary").click()
    title, panel = (page.locator(css).bounding_box() for css in (".tt-steps summary", ".tt-steps__panel"))
    assert title is not None
    assert panel is not None
    assert panel["x"] - 20 < title["x"]
    assert title["x"] + title["width"] < panel["x"] + panel["width"] + 20
    assert 0 <= panel["y"] - title["y"] - title["height"] < 20


def test_the_list_of_steps_opens_over_the_page_and_closes_as_menus_do(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + STEP)
    heading, title = page.locator("h1"), page.locator(".tt-steps summary")
    before = heading.bounding_box(), title.bounding_box()
    title.press("Enter")
    assert page.locator(".tt-steps a").first.is_visible()
    assert (heading.bounding_box(), title.bounding_box()) == before
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert not page.locator(".tt-steps a").first.is_visible()
    assert page.locator(":focus").inner_text() == "Step 4 of 5"
    title.click()
    page.mouse.click(400, 400)  # beside the list
    assert not page.locator(".tt-steps a").first.is_visible()


def test_breadcrumbs_lead_back(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + STEP)
    crumbs = page.get_by_role("navigation", name="Breadcrumbs")
    assert crumbs.get_by_role("listitem").all_inner_texts() == ["Home", "Quickstart", "iOS"]
    crumbs.get_by_role("link", name="Quickstart").click()
    page.wait_for_url(our_site + "developers/quickstart/ios/overview/")


def test_previous_and_next_have_titles(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + STEP)
    foot = page.get_by_role("navigation", name="Previous and next step")
    assert [text.split("\n") for text in foot.get_by_role("link").all_inner_texts()] == [
        ["Previous", "Step 3. Set up your output"],
        ["Next", "Step 5. Verify your connection"],
    ]
    foot.get_by_role("link", name="Next").click()
    page.wait_for_url("**/ios/verify-connection/")
    assert foot.get_by_role("link").count() == 1
    assert page.locator(".md-footer__link:visible").count() == 0, "they stand once on a page"


def test_the_side_navigation_has_the_steps_of_the_platform(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + STEP)
    shown = page.locator(".md-nav--primary a.md-nav__link:visible").all_inner_texts()
    steps = page.locator(".tt-steps a").all_text_contents()
    assert [text.strip() for text in shown][-len(steps) :] == steps


def test_done_steps_are_remembered_and_can_be_cleared(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + STEP)
    page.get_by_label("Mark this step as done").check()
    page.goto(our_site + "developers/quickstart/ios/overview/")
    marked = page.locator("a.tt-is-done")
    assert {" ".join(text.split()) for text in marked.all_text_contents()} == {"Step 4. Create a connection (done)"}
    assert marked.count() == 2, "in the list of steps and in the side navigation"
    page.goto(our_site + "developers/quickstart/web/overview/")
    assert marked.count() == 0, "each platform has its own"
    page.goto(our_site + STEP)
    assert page.get_by_label("Mark this step as done").is_checked()
    page.locator(".tt-steps summary").click()
    page.get_by_role("button", name="Clear progress").click()
    assert marked.count() == 0
    assert not page.get_by_label("Mark this step as done").is_checked()
    page.reload()
    assert marked.count() == 0


def test_nothing_that_needs_a_script_shows_without_one(tab: Tab, our_site: str) -> None:
    page = opened(tab(script=False), our_site + STEP)
    page.locator(".tt-steps summary").click()
    assert not page.locator(".tt-done").is_visible()
    assert not page.locator(".tt-clear").is_visible()
    assert page.get_by_role("link", name="Next").last.is_visible()


def test_the_side_navigation_leaves_out_other_platforms(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + STEP)
    leads_to = page.locator(".md-nav--primary a").evaluate_all("links => links.map(link => link.pathname)")
    assert any("/quickstart/ios/" in path for path in leads_to)
    assert not [path for path in leads_to if "/quickstart/web/" in path or "/quickstart/android/" in path]
