"""The recorded session as readers meet it: whole at first, line by line for those who ask, and never moving unasked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import REPOSITORY

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Tab = Callable[..., "Page"]


def opened(page: Page) -> Page:
    page.goto((REPOSITORY / "docs_src/assets/session.svg").as_uri())
    return page


def shown(page: Page) -> float:
    """The part of the rows that can be seen."""
    rows: list[bool] = page.locator(".row").evaluate_all(
        "rows => rows.map(row => getComputedStyle(row).visibility === 'visible')"
    )
    return sum(rows) / len(rows)


def at(page: Page, seconds: float) -> None:
    """Where the recording would be after some seconds, without waiting for them."""
    page.evaluate("time => document.getAnimations().forEach(row => row.currentTime = time)", seconds * 1000)


def test_it_is_whole_plays_for_who_asks_and_ends_whole(tab: Tab) -> None:
    page = opened(tab())
    assert shown(page) == 1
    assert not page.locator("#pause").is_visible()
    page.locator("#play").press(" ")
    assert shown(page) < 0.1
    at(page, 20)
    assert 0.1 < shown(page) < 1
    at(page, 90)
    assert shown(page) == 1


def test_it_can_be_paused_and_stopped_with_the_keyboard(tab: Tab) -> None:
    page = opened(tab())
    states = "[...new Set(document.getAnimations().map(row => row.playState))]"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert page.evaluate(states) == ["running"]
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert page.evaluate(states) == ["paused"]
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    assert (page.evaluate(states), shown(page)) == ([], 1)


def test_it_stays_whole_on_paper_and_for_those_who_want_no_movement(tab: Tab) -> None:
    page = opened(tab())
    page.locator("#play").check()
    page.emulate_media(media="print")
    assert (shown(page), page.locator("#controls").is_visible()) == (1, False)
    page.emulate_media(media="screen", reduced_motion="reduce")
    assert (shown(page), page.locator("#controls").is_visible()) == (1, False)
