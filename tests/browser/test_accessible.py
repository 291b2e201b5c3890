"""Pages that everybody can read: what axe-core finds, headings, valid HTML, movement."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import served

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Tab = Callable[..., "Page"]
WIDTHS = (1280, 320)
"""On a computer, and enlarged four times there: no rule of a style sheet tells a wider phone from this one."""
VIEWS = [(scheme, width) for width in WIDTHS for scheme in ("light", "dark")]
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "selectors": False,  # the HTML of an element tells enough
    "preload": False,
}
COLOURS = {**RULES, "runOnly": ["color-contrast"]}
"""In the dark, colours are all that can be otherwise."""
SIDE = {"exclude": [[".md-sidebar--primary"], [".md-header"], [".md-footer"]]}
"""All but what the theme shows around each page alike: it takes most of the time."""
SETTLED = 150
"""Milliseconds in which the theme's script sees a new width, and lets the keyboard reach what can be scrolled."""
STEP = "developers/quickstart/ios/create-connection/"


def addresses(site: Path) -> list[str]:
    """Every page of a built site; those that show all that our pages can hold, first."""
    found = sorted(path.parent.relative_to(site).as_posix() for path in site.rglob("index.html"))
    first = [STEP.rstrip("/"), "developers/quickstart/web/create-input", "."]
    return first + [path for path in found if path not in first]


def violations(page: Page, rules: dict[str, Any] = RULES, part: dict[str, Any] | None = None) -> list[str]:
    from axe_playwright_python.base import AXE_SCRIPT

    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    return [
        f"{page.url} {page.viewport_size}: {found['id']}: {node['html'][:120]}: {node['failureSummary']}"
        for found in page.evaluate("([part, rules]) => axe.run(part || document, rules)", [part, rules])["violations"]
        for node in found["nodes"]
    ]


def views(page: Page, url: str, shown: list[tuple[str, int]] = VIEWS) -> Iterator[str]:
    """Shows a page in several colours and widths, loaded once; gives the colours."""
    page.goto(url)
    for scheme, width in shown:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(SETTLED)
        yield scheme


def in_every_view(
    page: Page, url: str, prepare: Callable[[Page], object] = id, shown: list[tuple[str, int]] = VIEWS[:-1]
) -> list[str]:
    """What axe finds on a page, prepared for each view; the dark has the same colours in both widths."""
    found: list[str] = []
    for scheme in views(page, url, shown):
        prepare(page)
        found += violations(page, RULES if scheme == "light" else COLOURS)
    return found


def opened(page: Page, url: str, width: int) -> Page:
    """A page in one view."""
    list(views(page, url, [("light", width)]))
    return page


def test_axe_finds_nothing_on_the_pages_that_hold_everything(tab: Tab, ours: Path, our_site: str) -> None:
    page = tab()
    assert [found for path in addresses(ours)[:3] for found in in_every_view(page, our_site + path)] == []


def test_axe_finds_nothing_on_other_pages(tab: Tab, ours: Path, our_site: str) -> None:
    """Every fifth page in one of the views, in turn; of steps and manuals of rules, which are made alike, a few."""
    page = tab()
    pages = addresses(ours)[3:]
    steps, manuals = (
        [path for path in pages if path.startswith(start)] for start in ("developers/", "reference/rules/")
    )
    chosen = [path for path in pages if path not in (*steps, *manuals)][::5] + steps[::8] + manuals[::60]
    found = [
        violation
        for number, path in enumerate(chosen)
        for _ in views(page, our_site + path, [VIEWS[number % len(VIEWS)]])
        for violation in violations(page, part=SIDE)
    ]
    assert found == []


@pytest.mark.soak
@pytest.mark.timeout(3600)  # some thousand views
@pytest.mark.parametrize("site", ["ours", "nine"])
def test_axe_finds_nothing_on_any_page_in_any_view(site: str, tab: Tab, request: pytest.FixtureRequest) -> None:
    page, folder = tab(), request.getfixturevalue(site)
    shown = [(scheme, width) for scheme in ("light", "dark") for width in (1280, 390, 320)]
    paths = sorted(path.parent.relative_to(folder).as_posix() for path in folder.rglob("index.html"))
    with served(folder) as url:
        assert [found for path in paths for found in in_every_view(page, url + path, shown=shown)] == []


def in_both_colours(page: Page, wanted: str) -> list[str]:
    """What axe finds on a page as it stands, which shows something."""
    page.locator(wanted).first.wait_for()
    found = violations(page)
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector('body[data-md-color-scheme="slate"]')
    page.wait_for_timeout(SETTLED)
    return found + violations(page, COLOURS)


@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_with_the_search_open(tab: Tab, our_site: str, width: int) -> None:
    page = opened(tab(), our_site + STEP, width)
    page.keyboard.press("s")
    page.locator("input.md-search__input").press_sequentially("connection")
    assert in_both_colours(page, ".md-search-result__link") == []


def test_axe_finds_nothing_with_the_drawer_open(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + STEP, WIDTHS[-1])
    page.locator("header button[for=__drawer]").click()
    assert in_both_colours(page, ".md-nav--primary a:visible") == []


def test_axe_finds_nothing_with_the_list_of_steps_open(tab: Tab, our_site: str) -> None:
    def open_it(page: Page) -> None:
        page.locator(".tt-steps").evaluate("list => { list.open = true }")
        page.get_by_label("Mark this step as done").check()

    assert in_every_view(tab(), our_site + STEP, open_it) == []


def test_the_keyboard_opens_the_drawer_and_the_search(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + STEP, 390)
    drawer = page.get_by_role("button", name="Navigation")
    drawer.press("Enter")
    page.locator(".md-nav--primary a:visible").first.wait_for()
    assert drawer.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Escape")
    assert not page.locator("#__drawer").is_checked()
    page.get_by_role("button", name="Search").press(" ")
    assert page.locator("#__search").is_checked()


def test_a_page_has_one_first_heading_and_skips_no_level(ours: Path) -> None:
    wrong = {}
    for path in addresses(ours):
        html = (ours / path / "index.html").read_text(encoding="utf-8")
        article = html[html.index("<article") : html.index("</article>")]
        levels = [int(level) for level in re.findall(r"<h([1-6])\b", article)]
        if levels.count(1) != 1 or levels[0] != 1 or any(b > a + 1 for a, b in pairwise(levels)):
            wrong[path] = levels
    assert wrong == {}


@pytest.mark.parametrize("name", ["ours", "small"])
def test_html_parses_without_errors_and_no_id_stands_twice(name: str, request: pytest.FixtureRequest) -> None:
    """Of the many pages of the guide, a few as they are; of the others, the article: the rest is on all pages alike."""
    from justhtml import JustHTML

    site: Path = request.getfixturevalue(name)
    guide = set(sorted(site.glob("how-to/**/index.html"))[1:-1]) if name == "ours" else set()
    for number, path in enumerate(sorted(site.rglob("*.html"))):
        html = path.read_text(encoding="utf-8")
        if path in guide and number % 12:
            around, _, rest = html.partition("<article")
            article, _, more = rest.partition("</article>")
            html = f"<!doctype html><title>{path.parent.name}</title><article{article}</article>"
            ids = Counter(re.findall(r'<[a-z][^<>]*? id="?([^"\s>]+)', around + more))
        else:
            ids = Counter()
        parsed = JustHTML(html, collect_errors=True, sanitize=False)
        assert parsed.errors == [], path
        ids.update((node.attrs or {})["id"] or "" for node in parsed.query("[id]"))
        assert [id_ for id_, count in ids.items() if count > 1] == [], path


def test_nothing_moves_for_those_who_ask_for_that(tab: Tab, our_site: str) -> None:
    page = tab()
    page.emulate_media(reduced_motion="reduce")
    page.goto(our_site + STEP)
    moving = page.evaluate(
        """() => [...document.querySelectorAll('*')].filter(element => {
            const style = getComputedStyle(element);
            const longest = list => Math.max(...list.split(',').map(parseFloat));
            return longest(style.transitionDuration) > 0.01 || longest(style.animationDuration) > 0.01;
        }).map(element => element.className)"""
    )
    assert moving == []
