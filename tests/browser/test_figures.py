"""Figures and tables as readers see them: on a phone, in the dark, by keyboard, with a screen reader, without a script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

Reader = Callable[..., "BrowserContext"]
Tab = Callable[..., "Page"]
STEPS = "developers/quickstart/"
STEP = STEPS + "ios/create-connection/"

OUTSIDE = """() => [...document.querySelectorAll('.tt-figure > svg')].flatMap(svg => {
  const box = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter(text => {
    const it = text.getBoundingClientRect();
    return it.left < box.left || it.right > box.right || it.top < box.top || it.bottom > box.bottom;
  }).map(text => text.textContent);
})"""
OVERLAPPING = """() => [...document.querySelectorAll('.tt-figure > svg')].flatMap(svg => {
  const shapes = [...svg.querySelectorAll('text, circle, rect.fig-key[height="24"], rect.fig-off')]
    .map(shape => [shape, shape.getBoundingClientRect()]);
  return shapes.flatMap(([a, one], i) => shapes.slice(i + 1).filter(([b, two]) =>
    (a.tagName === 'text' || b.tagName === 'text') && (a.parentNode !== b.parentNode || a.parentNode === svg)
      && one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 3 && two.top < one.bottom - 3
    ).map(([b]) => `${a.textContent || a.tagName} over ${b.textContent || b.tagName}`));
})"""
SHIFT = """() => new Promise(done => {
  let sum = 0;
  new PerformanceObserver(list => list.getEntries().forEach(entry => { sum += entry.value; }))
    .observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(sum), 300);
})"""


def opened(page: Page, url: str) -> Page:
    page.goto(url)
    return page


def test_all_words_of_all_figures_can_be_read(tab: Tab, ours: Path, our_site: str) -> None:
    page = tab()
    seen = 0
    for path in sorted((ours / STEPS).rglob("index.html")):
        if "tt-figure" not in path.read_text(encoding="utf-8"):
            continue
        page.goto(our_site + path.parent.relative_to(ours).as_posix() + "/")
        for width in (1280, 320):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(OUTSIDE) == [], page.url
            assert page.evaluate(OVERLAPPING) == [], page.url
            sizes = page.locator(".tt-figure text").evaluate_all(
                "all => all.map(text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"
            )
            assert all(size >= 13 for size in sizes), (page.url, width)
            seen += len(sizes)
    assert seen > 200


def test_the_text_of_a_figure_can_be_selected(tab: Tab, our_site: str) -> None:
    page = opened(tab(320), our_site + STEP)
    page.locator(".tt-figure text", has_text="Send as Batch").dblclick()
    assert page.evaluate("getSelection().toString().trim()") in ("Send", "as", "Batch")


def test_a_screen_reader_hears_what_a_figure_shows(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + STEP)
    panel = page.get_by_role("img", name="Settings of the connection, each in the state that the table recommends")
    assert panel.count() == 1
    told = panel.evaluate("svg => document.getElementById(svg.getAttribute('aria-describedby')).textContent")
    assert told.startswith("Connection Status: Active; Metadata Field Exclusion: Cleared; Send as Batch: Disabled;")


def test_figures_follow_the_colours_that_the_reader_selects(tab: Tab, our_site: str) -> None:
    page = opened(tab(scheme="dark"), our_site + STEP)
    face = page.locator(".tt-figure .fig-face").first
    fill = "shape => getComputedStyle(shape).fill"
    page.wait_for_selector('body[data-md-color-scheme="slate"]')
    assert face.evaluate(fill) == "rgb(29, 33, 44)"
    page.locator("label[for=__palette_1]").click()
    page.wait_for_selector('body[data-md-color-scheme="default"]')
    assert face.evaluate(fill) == "rgb(255, 255, 255)"


def test_a_figure_on_its_own_follows_the_system(tab: Tab, our_site: str) -> None:
    for scheme, fill in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(29, 33, 44)")):
        page = opened(tab(scheme=scheme), our_site + "images/ios/create-connection/connection-settings.svg")
        assert page.locator(".fig-face").first.evaluate("shape => getComputedStyle(shape).fill") == fill


def test_figures_and_tables_need_no_script(tab: Tab, our_site: str) -> None:
    page = opened(tab(script=False), our_site + STEP)
    assert page.locator(".tt-figure text", has_text="Add Connection").is_visible()
    assert page.locator(".tt-copy").count() == 0
    assert page.locator(".tt-scroll[tabindex='0']").count() == 1


def test_nothing_moves_while_a_page_loads(reader: Reader, our_site: str) -> None:
    for width in (320, 1280):
        page = opened(reader(width).new_page(), our_site + STEP)
        page.wait_for_selector(".tt-copy")
        assert page.evaluate(SHIFT) < 0.01


def test_a_wide_table_is_scrolled_by_keyboard_and_does_not_push_the_page(tab: Tab, our_site: str) -> None:
    page = opened(tab(320), our_site + STEP)
    page.wait_for_selector(".tt-copy")
    region = page.get_by_role("group", name="4.1 Create the connection")
    region.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('.tt-scroll').scrollLeft > 0")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate("document.activeElement.blur()")
    page.reload()
    page.wait_for_selector(".tt-copy")
    assert region.get_attribute("tabindex") is None, "there is nothing to scroll"


def test_a_table_is_read_by_its_headers(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + STEP)
    assert page.get_by_role("columnheader").all_inner_texts() == [
        "Connection Setting",
        "Recommended Setting",
        "Description",
    ]
    assert page.get_by_role("rowheader").first.inner_text() == "Connection Status"


def test_a_table_is_copied_as_text(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + STEP)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = page.get_by_role("button", name="Copy as text")
    box = button.bounding_box()
    assert box is not None
    assert box["height"] >= 24
    button.focus()
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("Copied").wait_for(state="attached")
    lines = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert lines[0] == "Connection Setting\tRecommended Setting\tDescription"
    assert lines[1] == "Connection Status\tActive\tmParticle forwards no data until the connection is active."
    assert len(lines) == 10


def test_the_button_is_there_once_after_pages_that_change_in_place(tab: Tab, small_site: str) -> None:
    page = opened(tab(), small_site + "guide/swan/prepare/")
    page.wait_for_selector(".tt-copy")
    page.locator(".tt-foot a").first.click()
    page.wait_for_url("**/welcome/")
    page.go_back()
    page.wait_for_url("**/prepare/")
    page.wait_for_selector(".tt-copy")
    page.wait_for_timeout(200)
    assert page.locator(".tt-copy").count() == 1
