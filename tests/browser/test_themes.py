"""Steps in the themes that come with MkDocs: what stands on a page once, and can be read in the dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests import project
from tests.browser.conftest import DATA, TEMPLATES, build, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Tab = Callable[..., Page]

STEP = "guide/swan/prepare/"


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The addresses of a site by its theme."""
    root = project.write(tmp_path_factory.mktemp("themes"), DATA, TEMPLATES, {"index.md": "# Home\n"})
    config = "site_name: S\nsite_url: https://example.com/\nedit_uri: edit/\nrepo_url: https://example.com/r\ndocs_dir: docs_src\n"
    for theme in ("mkdocs, color_mode: auto", "readthedocs"):
        plugins = f"plugins: [tutorial: {{lint: false}}]\ntheme: {{name: {theme}, highlightjs: false}}\n"
        (root / "mkdocs.yml").write_text(config + plugins)
        build(root, root / "site" / theme.partition(",")[0])
    with served(root / "site") as url:
        yield {theme: f"{url}{theme}/" for theme in ("mkdocs", "readthedocs")}


def opened(page: Page, url: str) -> Page:
    page.goto(url)
    return page


def test_a_step_has_its_links_once_in_readthedocs(tab: Tab, sites: dict[str, str]) -> None:
    page = opened(tab(), sites["readthedocs"] + STEP)
    assert page.locator(".rst-footer-buttons:visible, .wy-breadcrumbs li.breadcrumb-item:visible").count() == 0
    assert page.locator(".tt-next a:visible").count() == 2
    page.goto(sites["readthedocs"])
    assert page.locator(".wy-breadcrumbs li:visible").count() > 0, "on any other page they stay"


def test_no_frame_is_empty_where_a_step_has_no_headings(tab: Tab, sites: dict[str, str]) -> None:
    page = opened(tab(), sites["mkdocs"] + "guide/swan/welcome/")
    assert page.locator(".bs-sidebar").count() == 1
    assert not page.locator(".bs-sidebar").is_visible()


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs"])
def test_a_table_fills_its_frame(theme: str, tab: Tab, sites: dict[str, str]) -> None:
    page = opened(tab(), sites[theme] + STEP)
    page.wait_for_selector(".tt-copy")
    frame, table = (page.locator(css).first.bounding_box() for css in (".tt-scroll", ".tt-rows"))
    assert frame is not None
    assert table is not None
    assert abs(frame["width"] - table["width"]) < 4
    assert abs(frame["height"] - table["height"]) < 4


def test_the_head_of_a_table_can_be_read_in_the_dark(tab: Tab, sites: dict[str, str]) -> None:
    page = opened(tab(scheme="dark"), sites["mkdocs"] + STEP)
    colours = page.locator(".tt-rows th").first.evaluate(
        "cell => [getComputedStyle(cell).color, getComputedStyle(cell).backgroundColor]"
    )
    light, dark = (sum(map(int, colour.strip("rgb()").split(","))) for colour in colours)
    assert light - dark > 400
