"""Sites of other generators: the tests of the plugin's site, unchanged, on what they build of rendered pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests import project, started
from tests.browser import test_switcher as switcher
from tests.browser.conftest import CONFIG, DATA, HOME, TEMPLATES, served
from tests.test_reader_features import zensical

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def zensical_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root = project.write(tmp_path_factory.mktemp("zensical"), DATA, TEMPLATES, {"index.md": HOME})
    (root / "mkdocs.yml").write_text(CONFIG)
    done = started.run("tutorial_tool", "render", "out", "--reader-features", cwd=root)
    assert done.returncode == 0, done.stderr
    zensical(root / "out")
    with served(root / "out/site") as url:
        yield url


@pytest.mark.parametrize(
    "check",
    [
        switcher.test_the_anchor_stays_where_both_pages_have_it,
        switcher.test_a_platform_without_the_step_says_why,
        switcher.test_content_tabs_follow_the_platform_and_lead_it,
        switcher.test_pages_that_change_without_loading_switch_too,
    ],
)
def test_zensical_publishes_a_switcher_that_works_as_the_plugins_does(
    check: Callable[..., None], tab: Callable[..., Page], zensical_site: str
) -> None:
    check(tab, zensical_site)


def test_zensical_needs_no_storage(reader: Callable[..., BrowserContext], zensical_site: str) -> None:
    switcher.test_everything_works_where_storage_is_blocked(reader, zensical_site)
