"""The platform switcher, as a reader uses it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import nine, project
from tests.browser.conftest import CONFIG, build, forget, served
from tests.browser.test_accessible import SETTLED, violations

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser
Reader = Callable[..., "BrowserContext"]
Tab = Callable[..., "Page"]
SWITCH = "nav[aria-label='Platform']"
BLOCKED = (
    "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('blocked', 'SecurityError') }})"
)


def opened(page: Page, url: str) -> Page:
    page.goto(url)
    return page


def switch(page: Page, name: str) -> None:
    page.locator(SWITCH).get_by_role("link", name=name).click()


def test_what_a_reader_did_in_one_test_no_other_one_finds(tab: Tab, tabs: dict[bool, Page], small_site: str) -> None:
    page = opened(tab(320, scheme="dark"), small_site)
    page.evaluate("localStorage.x = sessionStorage.x = 'y'")
    forget(tabs, True)
    page = opened(tab(), small_site)
    assert page.evaluate("[localStorage.x, sessionStorage.x]") == [None, None]
    assert page.evaluate("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]") == [1280, False]


@pytest.mark.parametrize("script", [True, False])
def test_a_platform_leads_to_the_same_step(tab: Tab, our_site: str, script: bool) -> None:
    page = opened(tab(script=script), our_site + "developers/quickstart/ios/create-connection/")
    links = page.locator(SWITCH).get_by_role("link")
    assert links.all_inner_texts() == ["iOS", "Web", "Android"]
    assert page.locator(f"{SWITCH} [aria-current=page]").inner_text() == "iOS"
    switch(page, "Web")
    page.wait_for_url(our_site + "developers/quickstart/web/create-connection/")
    assert page.locator(f"{SWITCH} [aria-current=page]").inner_text() == "Web"


def test_the_anchor_stays_where_both_pages_have_it(tab: Tab, small_site: str) -> None:
    page = opened(tab(), small_site + "guide/swan/finish/#check")
    switch(page, "Otter")
    page.wait_for_url(small_site + "guide/otter/finish/#check")
    page.goto(small_site + "guide/otter/finish/#on-otter")
    switch(page, "Swan")
    page.wait_for_url(small_site + "guide/swan/finish/")


def test_a_platform_without_the_step_says_why(tab: Tab, small_site: str) -> None:
    page = opened(tab(), small_site + "guide/swan/finish/")
    assert page.locator(SWITCH).get_by_role("link").all_inner_texts() == ["Swan", "Otter"]
    assert "Heron does not have this step: Herons stand still. Previous" in page.locator(".tt-head").inner_text()
    page.get_by_role("link", name="Previous: Step 1. Prepare Heron").click()
    page.wait_for_url(small_site + "guide/heron/prepare/")
    page.goto(small_site + "guide/otter/dive/")
    assert "Swan does not have this step. Previous: Step 2. Finish" in page.locator(".tt-head").inner_text()


def test_start_leads_to_the_remembered_platform(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site)
    start = page.locator("a.tutorial-start")
    assert start.get_attribute("href") == "developers/quickstart/ios/overview/"
    page.goto(our_site + "developers/quickstart/ios/overview/")
    switch(page, "Android")
    page.wait_for_url("**/android/overview/")
    page.goto(our_site)
    assert start.inner_text() == "Start the quickstart · Android"
    start.click()
    page.wait_for_url(our_site + "developers/quickstart/android/overview/")


def test_everything_works_where_storage_is_blocked(reader: Reader, small_site: str) -> None:
    context = reader()
    context.add_init_script(BLOCKED)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(small_site + "guide/swan/finish/#check")
    switch(page, "Otter")
    page.wait_for_url(small_site + "guide/otter/finish/#check")
    page.get_by_label("Mark this step as done").check()
    assert page.locator(".tt-steps a.tt-is-done").count() == 1
    assert [error for error in errors if "tutorial.js" in error] == []


def test_content_tabs_follow_the_platform_and_lead_it(tab: Tab, small_site: str) -> None:
    page = opened(tab(), small_site + "guide/otter/welcome/")
    page.goto(small_site)
    assert page.get_by_text("Dive.").is_visible()
    page.locator(".tabbed-labels").get_by_text("Swan").click()
    page.reload()
    assert page.get_by_text("Swim.").is_visible()
    assert page.locator("a.tutorial-start").inner_text() == "Start · Swan"


def test_tabs_of_languages_are_no_platforms(tab: Tab, tmp_path: Path) -> None:
    data = project.DATA.replace("name: Swan,", "name: Java,").replace("name: Otter", "name: Kotlin")
    step = "---\ntitle: Finish\n---\n\n## Check {: #check }\n\n{{ code('build') }}\n"
    code = {"steps/finish/build.groovy": "groovy()\n", "steps/finish/build.kts": "kotlin()\n"}
    templates = {**project.TEMPLATES, "steps/finish.md.j2": step, **code}
    root = project.write(
        tmp_path, data, templates, docs={"index.md": "# Home\n\n[Start](guide/swan/welcome.md){ .tutorial-start }\n"}
    )
    (root / "mkdocs.yml").write_text(CONFIG)
    build(root, root / "site")
    with served(root / "site") as url:
        page = opened(tab(), url + "guide/otter/finish/")
        assert page.get_by_text("kotlin()").is_visible()
        page.goto(url + "guide/swan/finish/")
        assert page.get_by_text("groovy()").is_visible(), "nobody has selected the other one"
        page.locator(".tabbed-labels").get_by_text("Kotlin").click()
        page.goto(url + "guide/swan/welcome/")
        page.goto(url + "guide/swan/finish/")
        assert page.get_by_text("kotlin()").is_visible(), "the reader has selected it"
        page.goto(url)
        assert page.locator("a.tutorial-start").inner_text() == "Start · Java"


def test_start_leads_to_the_last_platform_that_the_tutorial_has(tab: Tab, tmp_path: Path) -> None:
    data = project.DATA.replace("    title: Guide\n", "    title: Guide\n    platforms: [swan, otter]\n")
    data = data.replace("groups:", "  heron: {name: Heron}\ngroups:").replace(
        "\ntables:", "\n  more: {title: More, platforms: [heron], steps: [extra]}\ntables:"
    )
    templates = {**project.TEMPLATES, "steps/extra.md.j2": "# Extra\n\nText.\n"}
    home = "# Home\n\n[Start](guide/swan/welcome.md){ .tutorial-start }\n"
    root = project.write(tmp_path, data, templates, docs={"index.md": home})
    (root / "mkdocs.yml").write_text(CONFIG)
    build(root, root / "site")
    with served(root / "site") as url:
        page = opened(tab(), url + "guide/otter/welcome/")
        page.goto(url + "more/heron/extra/")
        page.goto(url)
        assert page.locator("a.tutorial-start").inner_text() == "Start · Otter"


def test_pages_that_change_without_loading_switch_too(tab: Tab, small_site: str) -> None:
    page = opened(tab(), small_site + "guide/swan/prepare/")
    page.wait_for_load_state("networkidle")  # the theme has read which pages there are
    page.evaluate("window.sameDocument = true")
    switch(page, "Otter")
    page.wait_for_url(small_site + "guide/otter/prepare/")
    page.wait_for_selector(f"{SWITCH} [aria-current=page]:has-text('Otter')")
    page.get_by_label("Mark this step as done").check()
    page.get_by_role("link", name="Next Step 2. Finish").click()
    page.wait_for_selector("h1:has-text('Step 2. Finish')")
    assert page.evaluate("window.sameDocument")
    page.locator(".tt-steps summary").click()
    assert page.locator(".tt-steps a.tt-is-done").all_text_contents() == ["Step 1. Prepare Otter (done)"]


def test_the_keyboard_reaches_it_and_shows_where_it_is(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + "developers/quickstart/ios/create-input/")
    page.locator(".tt-path a").last.focus()
    for name in ("iOS", "Web"):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        assert focused.inner_text() == name
        assert focused.evaluate("e => parseFloat(getComputedStyle(e).outlineWidth)") >= 2
    page.keyboard.press("Enter")
    page.wait_for_url("**/web/create-input/")


@pytest.mark.parametrize("width", [1280, 320])
def test_targets_are_large_and_nothing_is_pushed_sideways(tab: Tab, our_site: str, width: int) -> None:
    page = opened(tab(width), our_site + "developers/quickstart/android/verify-connection/")
    page.locator(".tt-steps summary").click()
    for target in page.locator(".tt-head a, .tt-head summary, .tt-foot a, .tt-foot label").all():
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24, target.inner_text()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, target.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_paper_it_is_the_name_of_the_platform(tab: Tab, our_site: str) -> None:
    page = opened(tab(), our_site + "developers/quickstart/web/create-input/")
    page.emulate_media(media="print")
    light = page.locator(SWITCH).evaluate("one => getComputedStyle(one).color")
    page.emulate_media(media="print", color_scheme="dark")
    page.wait_for_selector('body[data-md-color-scheme="slate"]')
    assert page.locator(SWITCH).evaluate("one => getComputedStyle(one).color") == light, "paper is white"
    assert page.locator(SWITCH).inner_text().split() == ["Platform", "Web"]
    assert page.get_by_text("Step 1 of 5").is_visible()
    assert not page.locator(".tt-next").is_visible()


def many(tmp_path: Path, count: int, *said: str) -> Path:
    """A built site whose tutorial is on this many platforms; those that are `said` replace the ones of their names."""
    platforms = "".join(f"  p{number}: {{name: Platform {number}}}\n" for number in range(count))
    for platform in said:
        name = platform.removesuffix("}").rpartition("name: ")[2]
        platforms = platforms.replace(f"{{name: {name}}}", platform)
    steps = "tutorials:\n  guide: {title: Guide, steps: [prepare]}\n"
    (tmp_path / "platforms.yaml").write_text(f"platforms:\n{platforms}{steps}")
    (tmp_path / "site_templates/steps").mkdir(parents=True)
    (tmp_path / "site_templates/steps/prepare.md.j2").write_text("---\ntitle: Prepare\n---\n\nText.\n")
    (tmp_path / "docs_src").mkdir(exist_ok=True)
    (tmp_path / "docs_src/index.md").write_text("# Home\n")
    (tmp_path / "mkdocs.yml").write_text(CONFIG)
    build(tmp_path, tmp_path / "site")
    return tmp_path / "site"


def test_on_a_phone_platforms_stay_on_one_line_and_show_the_chosen_one(tab: Tab, tmp_path: Path) -> None:
    with served(many(tmp_path, 6)) as url:
        page = opened(tab(320), url + "guide/p5/prepare/")
        boxes = [link.bounding_box() for link in page.locator(".tt-switch a").all()]
        assert len(boxes) == 6
        assert len({round(box["y"]) for box in boxes if box}) == 1
        chosen = page.locator(".tt-switch [aria-current]").bounding_box()
        assert chosen
        assert 0 <= chosen["x"] <= 320 - chosen["width"]
        assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("width", [1280, 320])
def test_more_than_six_platforms_are_a_menu(tab: Tab, tmp_path: Path, width: int) -> None:
    with served(many(tmp_path, 9)) as url:
        page = opened(tab(width), url + "guide/p7/prepare/")
        page.get_by_text("Platform: Platform 7").click()
        head = page.locator(".tt-bar").bounding_box()
        assert head
        assert head["height"] < 2 * 38, "platform and step are on one line"
        page.locator(SWITCH).get_by_role("link", name="Platform 2").click()
        page.wait_for_url("**/guide/p2/prepare/")
        assert not page.locator(SWITCH).get_by_role("link", name="Platform 3").is_visible()
        page.locator(".tt-menu summary").press("Enter")
        focused = page.locator(".tt-menu summary").evaluate("element => getComputedStyle(element).outline")
        assert "solid 3px" in focused
        assert page.locator(SWITCH).get_by_role("link", name="Platform 3").is_visible()
        page.keyboard.press("Escape")
        assert not page.locator(SWITCH).get_by_role("link", name="Platform 3").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_menu_lists_platforms_below_headings(tab: Tab, tmp_path: Path) -> None:
    (tmp_path / "tutorial-tool.toml").write_text("announce-drafts = true\n")
    (tmp_path / "docs_src").mkdir()
    icon = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>"
    (tmp_path / "docs_src/three.svg").write_text(icon)
    sections = ("{icon: three.svg, section: Mobile, name: Platform 3}", "{section: Server, name: Platform 4}")
    site = many(tmp_path, 9, *sections, "{draft: true, name: Platform 5}")
    with served(site) as url:
        page = opened(tab(320), url + "guide/p7/prepare/")
        page.get_by_text("Platform: Platform 7").click()
        assert page.locator(f"{SWITCH} p").all_inner_texts() == ["Mobile", "Server"]
        soon = page.locator(f"{SWITCH} li > span")
        assert soon.inner_text() == "Platform 5 (coming soon)"
        assert "line-through" not in soon.evaluate("element => getComputedStyle(element).textDecoration")
        assert violations(page) == []
        mobile = page.get_by_role("list", name="Mobile")
        assert mobile.get_by_role("link").all_inner_texts() == ["Platform 3"]
        image = mobile.locator("img")
        assert image.evaluate("image => [image.alt, image.naturalWidth > 0, image.width < 24]") == ["", True, True]


def test_a_page_for_all_platforms_shows_one_in_all_its_tabs(tab: Tab, tmp_path: Path) -> None:
    data = nine.DATA.replace("    title: Quickstart\n", "    title: Quickstart\n    combined: true\n")
    root = nine.write(tmp_path, data=data)
    (root / "mkdocs.yml").write_text(CONFIG)
    build(root, root / "site")
    assert "iOS Android Web" in (root / "site/search/search_index.json").read_text()
    with served(root / "site") as url:
        page = opened(tab(), url + "quickstart/create-key/")
        shown = page.locator("article .tabbed-block:visible")
        assert [text.split()[:2] for text in shown.all_inner_texts()] == [["Select", "iOS."], ["Copy", "the"]]
        page.locator(".tabbed-labels").get_by_text("Web, Roku").click()
        assert [text.split()[:2] for text in shown.all_inner_texts()] == [["Select", "JS"], ["Copy", "the"]]
        assert "API secret" not in page.locator("article").inner_text()
        page.goto(url + "quickstart/install/")
        assert "Install @lock/web." in page.locator("article").inner_text()
        assert "lock-kit" not in page.locator("article").inner_text()
        page.goto(url + "quickstart/python/install/")
        page.locator(".tt-menu summary").click()
        page.locator(SWITCH).get_by_role("link", name="All platforms").click()
        page.wait_for_url(url + "quickstart/install/")
        assert "Install lock-python." in page.locator("article").inner_text()
        for width in (1280, 390, 320):
            page = opened(tab(width), url + "quickstart/create-key/")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            table = page.locator(".tt-scroll:visible").first
            assert table.evaluate("table => table.scrollWidth <= table.clientWidth"), "two columns fit a phone"
            page.wait_for_timeout(SETTLED)
            assert violations(page) == []
        page = opened(tab(script=False), url + "quickstart/create-key/")
        page.locator(".tabbed-labels").get_by_text("Roku", exact=True).click()
        assert page.get_by_text("Select Roku.").is_visible()
