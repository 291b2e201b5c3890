"""Pages that everybody can read: what axe-core finds, headings, valid HTML, movement."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser
Reader = Callable[..., "BrowserContext"]
WIDTHS = (1280, 390, 320)
VIEWS = [(scheme, width) for scheme in ("light", "dark") for width in WIDTHS]
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "resultTypes": ["violations"],
    "selectors": False,  # the HTML of an element tells enough
    "preload": False,
}
COLOURS = {**RULES, "runOnly": ["color-contrast"]}
SETTLED = 150
"""Milliseconds in which the theme's script sees a new width, and lets the keyboard reach what can be scrolled."""
STEP = "developers/quickstart/ios/create-connection/"


def addresses(site: Path) -> list[str]:
    """Every page of a built site; those that show all that our pages can hold, first."""
    found = sorted(path.parent.relative_to(site).as_posix() for path in site.rglob("index.html"))
    first = [STEP.rstrip("/"), "developers/quickstart/web/create-input", "."]
    return first + [path for path in found if path not in first]


def violations(page: Page, rules: dict[str, Any] = RULES) -> list[str]:
    from axe_playwright_python.base import AXE_SCRIPT

    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    return [
        f"{page.url} {page.viewport_size}: {found['id']}: {node['html'][:120]}: {node['failureSummary']}"
        for found in page.evaluate("rules => axe.run(rules)", rules)["violations"]
        for node in found["nodes"]
    ]


def views(context: BrowserContext, url: str, shown: list[tuple[str, int]]) -> Iterator[Page]:
    """A page in several colours and widths, loaded once."""
    page = context.new_page()
    page.goto(url)
    for scheme, width in shown:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(SETTLED)
        yield page


def in_every_view(context: BrowserContext, url: str, prepare: Callable[[Page], object] = id) -> list[str]:
    """What axe finds on a page, prepared for each view; in the dark, colours are all that can be otherwise."""
    found: list[str] = []
    for (scheme, _), page in zip(VIEWS, views(context, url, VIEWS), strict=True):
        prepare(page)
        found += violations(page, RULES if scheme == "light" else COLOURS)
    return found


def test_axe_finds_nothing_on_the_pages_that_hold_everything(reader: Reader, ours: Path, our_site: str) -> None:
    context = reader()
    assert [found for path in addresses(ours)[:3] for found in in_every_view(context, our_site + path)] == []


def test_axe_finds_nothing_on_other_pages(reader: Reader, ours: Path, our_site: str) -> None:
    """Every third page in one of the six views, in turn; of steps and manuals of rules, which are made alike, a few."""
    context = reader()
    pages = addresses(ours)[3:]
    steps, manuals = ([path for path in pages if path.startswith(start)] for start in ("developers/", "guide/rules/"))
    chosen = [path for path in pages if path not in (*steps, *manuals)][::3] + steps[::5] + manuals[::40]
    found = [
        violation
        for number, path in enumerate(chosen)
        for page in views(context, our_site + path, [VIEWS[number % len(VIEWS)]])
        for violation in violations(page)
    ]
    assert found == []


@pytest.mark.soak
def test_axe_finds_nothing_on_any_page_in_any_view(reader: Reader, ours: Path, our_site: str) -> None:
    context = reader()
    assert [found for path in addresses(ours)[3:] for found in in_every_view(context, our_site + path)] == []


@pytest.mark.parametrize(("scheme", "width"), VIEWS)
def test_axe_finds_nothing_with_the_search_or_the_drawer_open(
    reader: Reader, our_site: str, scheme: str, width: int
) -> None:
    (page,) = views(reader(), our_site + STEP, [(scheme, width)])
    page.keyboard.press("s")
    page.locator("input.md-search__input").press_sequentially("connection")
    page.locator(".md-search-result__link").first.wait_for()
    assert violations(page) == []
    if width < WIDTHS[0]:
        page.reload()
        page.locator("header label[for=__drawer]").click()
        page.locator(".md-nav--primary a:visible").first.wait_for()
        assert violations(page) == []


def test_axe_finds_nothing_with_the_list_of_steps_open(reader: Reader, our_site: str) -> None:
    def opened(page: Page) -> None:
        page.locator(".tt-steps").evaluate("list => { list.open = true }")
        page.get_by_label("I have done this step").check()

    assert in_every_view(reader(), our_site + STEP, opened) == []


def test_the_keyboard_opens_the_drawer_and_the_search(reader: Reader, our_site: str) -> None:
    (page,) = views(reader(), our_site + STEP, [("light", 390)])
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
    from justhtml import JustHTML

    site: Path = request.getfixturevalue(name)
    for path in sorted(site.rglob("*.html")):
        parsed = JustHTML(path.read_text(encoding="utf-8"), collect_errors=True, sanitize=False)
        assert parsed.errors == [], path
        ids: Counter[Any] = Counter((node.attrs or {})["id"] for node in parsed.query("[id]"))
        assert [id_ for id_, count in ids.items() if count > 1] == [], path


def test_nothing_moves_for_those_who_ask_for_that(reader: Reader, our_site: str) -> None:
    page = reader(reduced_motion="reduce").new_page()
    page.goto(our_site + STEP)
    moving = page.evaluate(
        """() => [...document.querySelectorAll('*')].filter(element => {
            const style = getComputedStyle(element);
            const longest = list => Math.max(...list.split(',').map(parseFloat));
            return longest(style.transitionDuration) > 0.01 || longest(style.animationDuration) > 0.01;
        }).map(element => element.className)"""
    )
    assert moving == []
