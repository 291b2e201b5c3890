"""Sites of other generators: the tests of the plugin's site, unchanged, on what they build of rendered pages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from click.testing import CliRunner

from tests import project, started
from tests.browser import test_harmless as harmless
from tests.browser import test_steps as steps
from tests.browser import test_switcher as switcher
from tests.browser.conftest import CONFIG, DATA, HOME, REPOSITORY, TEMPLATES, served
from tests.browser.test_accessible import violations
from tests.test_plugin import required
from tests.test_reader_features import zensical
from tutorial_tool.cli import main
from tutorial_tool.config.settings import Config
from tutorial_tool.live_preview.beside import Beside
from tutorial_tool.publishing import export
from tutorial_tool.publishing.export.live import Rendering
from tutorial_tool.scaffold import GENERATORS
from tutorial_tool.site import Layout

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


def test_a_step_shows_its_findings_while_somebody_writes(tab: Callable[..., Page], tmp_path: Path) -> None:
    from playwright.sync_api import expect

    templates = {**TEMPLATES, "steps/welcome.md.j2": "---\ntitle: Welcome\n---\n\nOpen the the menu.\n"}
    root = project.write(tmp_path, DATA, templates, {"index.md": HOME})
    (root / "mkdocs.yml").write_text(CONFIG)
    preview = Beside(root, Config())
    options = export.Options(reader_features=True)
    rendering = Rendering(root / "out", Layout(root), options, lambda _site: None, script=preview.script)
    preview.see(rendering.write()[0])
    zensical(root / "out")
    with served(root / "out/site") as url:
        page = tab()
        page.goto(f"{url}guide/swan/welcome/")
        panel = page.locator("aside.tt-writing")
        expect(panel.locator("li")).to_contain_text("repeated word the")
        expect(page.locator("article mark.tt-writing-mark")).to_have_text("the the")
        page.locator(switcher.SWITCH).get_by_role("link", name="Otter").click()
        page.wait_for_url("**/otter/welcome/")
        expect(panel.locator("li")).to_contain_text("repeated word the")
        page.goto(url)
        expect(panel).to_have_count(0)
    preview.server.shutdown()
    preview.server.server_close()


START = "# Home\n\n[Start](developers/quickstart/ios/overview.md){ .tutorial-start }\n"
HERE = {
    path.relative_to(REPOSITORY / "site_templates").as_posix(): path
    for path in (REPOSITORY / "site_templates").rglob("*.*")
}


class Sites(NamedTuple):
    """The tutorial of this repository, and one whose platforms have different steps, as a generator publishes them."""

    ours: str
    small: str


def published(root: Path, generator: str, data: str, templates: dict[str, str], home: str) -> Path:
    """What a generator builds with the configuration that `init` writes for it."""
    done = CliRunner().invoke(main, ["init", str(root), "-y", "--generator", generator])
    assert done.exit_code == 0, done.output
    shutil.rmtree(root / "site_templates")
    project.write(root, data, templates)
    shutil.rmtree(root / "docs_src")
    (root / "docs/index.md").write_text(home)
    here = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    build = ["sh", "-c", GENERATORS[generator].build]
    built = subprocess.run(build, cwd=root, env=here, capture_output=True, text=True, check=False, timeout=600)
    assert built.returncode == 0, built.stdout + built.stderr
    return root / ("public" if generator == "hugo" else "build")


@pytest.fixture(scope="module", params=["hugo", pytest.param("docusaurus", marks=pytest.mark.soak)])
def sites(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    if request.param == "hugo":
        required("hugo")
    elif shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    root = tmp_path_factory.mktemp(request.param)
    own = {name: path.read_text(encoding="utf-8") for name, path in HERE.items()}
    data = (REPOSITORY / "platforms.yaml").read_text(encoding="utf-8")
    with ExitStack() as stack:
        ours = stack.enter_context(served(published(root / "ours", request.param, data, own, START)))
        if request.param == "docusaurus":  # its packages are installed once
            (root / "small").mkdir()
            shutil.move(root / "ours/node_modules", root / "small/node_modules")
        yield Sites(ours, stack.enter_context(served(published(root / "small", request.param, DATA, TEMPLATES, HOME))))


@pytest.mark.parametrize("script", [True, False])
def test_a_platform_leads_to_the_same_step(tab: Callable[..., Page], sites: Sites, script: bool) -> None:
    switcher.test_a_platform_leads_to_the_same_step(tab, sites.ours, script)


@pytest.mark.parametrize(
    "check",
    [
        steps.test_a_step_says_which_of_how_many_it_is,
        steps.test_the_list_of_steps_opens_over_the_page_and_closes_as_menus_do,
        steps.test_previous_and_next_have_titles,
        steps.test_nothing_that_needs_a_script_shows_without_one,
    ],
)
def test_steps_are_as_the_plugin_publishes_them(
    check: Callable[..., None], tab: Callable[..., Page], sites: Sites
) -> None:
    check(tab, sites.ours)


def test_figures_need_no_script(tab: Callable[..., Page], sites: Sites) -> None:
    page = tab(script=False)
    page.goto(sites.ours + steps.STEP)
    figure = page.locator(
        "main img:is([src$='.svg'], [src^='data:image/svg'])"
    ).first  # Docusaurus writes small ones inside
    figure.scroll_into_view_if_needed()
    assert figure.get_attribute("alt") == "Connect page with iOS selected in the list of available inputs"
    assert figure.bounding_box()["width"] > 200  # type: ignore[index]


@pytest.mark.parametrize(
    "check",
    [switcher.test_the_anchor_stays_where_both_pages_have_it, switcher.test_a_platform_without_the_step_says_why],
)
def test_the_switcher_is_as_the_plugin_publishes_it(
    check: Callable[..., None], tab: Callable[..., Page], sites: Sites
) -> None:
    check(tab, sites.small)


def test_no_storage_is_needed(reader: Callable[..., BrowserContext], sites: Sites) -> None:
    switcher.test_everything_works_where_storage_is_blocked(reader, sites.small)


@pytest.mark.parametrize("path", harmless.STEPS)
def test_no_other_host_is_asked(tab: Callable[..., Page], sites: Sites, path: str) -> None:
    harmless.test_a_page_asks_no_other_host(tab, sites.ours, path)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 320])
def test_axe_finds_nothing_in_what_is_ours(tab: Callable[..., Page], sites: Sites, width: int, scheme: str) -> None:
    page = tab(width, scheme=scheme)
    page.goto(sites.ours + steps.STEP)
    assert violations(page, part={"include": [[".tt-head"], [".tt-foot"]]}) == []


def test_a_page_that_changes_without_loading_has_a_switcher_that_works(tab: Callable[..., Page], sites: Sites) -> None:
    page = tab()
    page.goto(sites.ours)
    page.get_by_role("link", name="Start", exact=True).first.click()
    page.wait_for_url("**/ios/overview/")
    page.locator(switcher.SWITCH).get_by_role("link", name="Web").click()
    page.wait_for_url("**/web/overview/")
    page.get_by_label("Mark this step as done").check()
    assert page.locator(".tt-steps a.tt-is-done").count() == 1
