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

from tests import project
from tests.browser import test_harmless as harmless
from tests.browser import test_steps as steps
from tests.browser import test_switcher as switcher
from tests.browser.conftest import DATA, HOME, REPOSITORY, TEMPLATES, served
from tests.browser.test_accessible import violations
from tests.test_plugin import required
from tests.test_reader_features import comes
from tutorial_tool.cli import main
from tutorial_tool.scaffold import GENERATORS

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser


START = "# Home\n\n[Start](developers/quickstart/ios/overview.md){ .tutorial-start }\n"
HERE = {
    path.relative_to(REPOSITORY / "site_templates").as_posix(): path
    for path in (REPOSITORY / "site_templates").rglob("*.*")
}


HERE_FIRST = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
INSTALLED = ["zensical", "hugo", pytest.param("docusaurus", marks=pytest.mark.soak)]
BUILT = {"zensical": "rendered/site", "hugo": "public", "docusaurus": "build"}


class Sites(NamedTuple):
    """The tutorial of this repository, and one whose platforms have different steps, as a generator publishes them."""

    ours: str
    small: str


def initialized(root: Path, generator: str, data: str, templates: dict[str, str], home: str) -> None:
    """The project that `init` writes for a generator, with other data, templates, and home page."""
    if generator != "docusaurus":
        required(generator)
    elif shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    done = CliRunner().invoke(main, ["init", str(root), "-y", "--generator", generator])
    assert done.exit_code == 0, done.output
    shutil.rmtree(root / "site_templates")
    project.write(root, data, templates)
    docs = root / GENERATORS[generator].docs
    if docs.name != "docs_src":
        shutil.rmtree(root / "docs_src")
    (docs / "index.md").write_text(home)
    if (config := root / "mkdocs.yml").exists() and home == HOME:  # whose pages change without loading
        text = config.read_text().replace("features: [", "features: [navigation.instant, ")
        config.write_text(f"site_url: https://example.com/docs/\n{text}")


def published(root: Path, generator: str, data: str, templates: dict[str, str], home: str) -> Path:
    """What a generator builds with the configuration that `init` writes for it."""
    initialized(root, generator, data, templates, home)
    build = ["sh", "-c", GENERATORS[generator].build]
    built = subprocess.run(build, cwd=root, env=HERE_FIRST, capture_output=True, text=True, check=False, timeout=600)
    assert built.returncode == 0, built.stdout + built.stderr
    return root / BUILT[generator]


@pytest.mark.parametrize("generator", INSTALLED)
def test_a_step_shows_its_findings_while_somebody_writes(
    tab: Callable[..., Page], tmp_path: Path, generator: str
) -> None:
    from playwright.sync_api import expect

    templates = {**TEMPLATES, "steps/welcome.md.j2": "---\ntitle: Welcome\n---\n\nOpen the the menu.\n"}
    initialized(tmp_path, generator, DATA, templates, HOME)
    build = GENERATORS[generator].build.partition(" && ")[2]
    command = (sys.executable, "-m", "tutorial_tool", "serve", "sh", "-c", f"{build} && touch built; exec sleep 900")
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=tmp_path, env=HERE_FIRST, stdout=log, stderr=log)
    try:
        assert comes((tmp_path / "built").exists, 600), (tmp_path / "log").read_text()
        with served(tmp_path / BUILT[generator]) as url:
            page = tab()
            page.goto(f"{url}guide/swan/welcome/")
            panel = page.locator("aside.tt-writing")
            expect(panel.locator("li")).to_contain_text("repeated word the")
            expect(page.locator("mark.tt-writing-mark")).to_have_text("the the")
            page.locator(switcher.SWITCH).get_by_role("link", name="Otter").click()
            page.wait_for_url("**/otter/welcome/")
            expect(panel.locator("li")).to_contain_text("repeated word the")
            page.goto(url)
            expect(panel).to_have_count(0)
    finally:
        process.terminate()
        process.wait()


@pytest.fixture(scope="module", params=INSTALLED)
def sites(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
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


@pytest.mark.parametrize("sites", ["zensical"], indirect=True)
@pytest.mark.parametrize(
    "check",
    [
        switcher.test_content_tabs_follow_the_platform_and_lead_it,
        switcher.test_pages_that_change_without_loading_switch_too,
    ],
)
def test_material_tabs_and_pages_work_as_on_the_plugins_site(
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
