"""A browser and built sites for the tests that look at pages as readers do."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests import nine as nine_platforms
from tests import project, started

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

REPOSITORY = Path(__file__).parent.parent.parent
ENVIRONMENT = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONDONTWRITEBYTECODE": "1"}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each test here needs a browser and a built site: none of them is in the README's command."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)


CONFIG = """\
site_name: Example
site_url: https://example.com/docs/
docs_dir: docs_src
theme: {name: material, font: false, features: [navigation.footer, navigation.instant, content.tabs.link]}
plugins: [search, tutorial: {lint: false}]
"""
DATA = project.DATA.replace(
    "groups:", '  heron: {name: Heron, extends: swan, labels: {menu: "Heron"}}\ngroups:'
).replace(
    "      - finish\n",
    '      - {id: finish, not-on: {heron: "Herons stand still"}}\n      - {id: dive, only: [otter]}\n',
)
TEMPLATES = {
    **project.TEMPLATES,
    "steps/welcome.md.j2": "---\ntitle: Welcome\n---\n\nStart with {{ link('prepare') }}.\n",
    "steps/prepare/start.otter.py": "dive()\n",
    "steps/prepare/start.heron.py": "stand()\n",
    "steps/prepare/install.md": "Install `{{ platform.values.package }}`.\n",
    "steps/finish.md.j2": "---\ntitle: Finish\n---\n\n## Check {: #check }\n\n## On {{ platform.name }}\n\nDone.\n",
    "steps/dive.md.j2": "---\ntitle: Dive\n---\n\nDive.\n",
}
HOME = """\
# Home

[Start](guide/swan/welcome.md){ .tutorial-start }

=== "Swan"

    Swim.

=== "Otter"

    Dive.
"""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The system's Chromium: where there is none, the tests skip at a user's, and fail in CI.

    It ends with these tests: its loop of events would keep those of the language server from having their own.
    """
    missing = "playwright is not installed" if find_spec("playwright") is None else "there is no Chromium"
    if find_spec("playwright") is None or CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture
def reader(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """A reader's browser: nothing is remembered from another test."""
    opened: list[BrowserContext] = []

    def make(width: int = 1280, **options: Any) -> BrowserContext:
        opened.append(browser.new_context(viewport={"width": width, "height": 800}, **options))
        return opened[-1]

    yield make
    for context in opened:
        context.close()


@pytest.fixture(scope="package")
def tabs(browser: Browser) -> dict[bool, Page]:
    """The tabs that tests share, as the start of one takes longer than a page does: with scripts, and without."""
    return {}


@pytest.fixture
def tab(browser: Browser, tabs: dict[bool, Page]) -> Iterator[Callable[..., Page]]:
    """A tab that remembers nothing from another test but what is in its cache: how a page comes at first is for `reader`."""

    def make(width: int = 1280, *, script: bool = True, scheme: Literal["light", "dark"] = "light") -> Page:
        if script not in tabs:
            tabs[script] = browser.new_context(java_script_enabled=script).new_page()
        page = tabs[script]
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(media="null", color_scheme=scheme, reduced_motion="null")
        return page

    yield make
    for script in list(tabs):
        forget(tabs, script)


def forget(tabs: dict[bool, Page], script: bool) -> None:
    """Leave nothing to the next test, not even the tab where that fails."""
    page = tabs.pop(script)
    with suppress(Exception):
        page.evaluate("location.protocol === 'about:' || [localStorage, sessionStorage].forEach(each => each.clear())")
        page.context.clear_permissions()
        page.goto("about:blank")
        tabs[script] = page
    if script not in tabs:
        page.context.close()


class Quiet(SimpleHTTPRequestHandler):
    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path, handler: type[Quiet] = Quiet) -> Iterator[str]:
    """The address at which a folder is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def build(root: Path, target: Path, *options: str, engine: str = "mkdocs") -> None:
    done = started.run(
        engine, "build", "-q", "-f", "mkdocs.yml", "-d", str(target), *options, cwd=root, env=ENVIRONMENT
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def ours() -> Path:
    """The site of this repository, built: once in a run, and only to be read."""
    return started.shared("ours", lambda folder: build(REPOSITORY, folder / "docs")) / "docs"


@pytest.fixture(scope="package")
def our_site(ours: Path) -> Iterator[str]:
    """The address of the site of this repository: below a folder, as many sites are.

    The thread that serves it ends with these tests: beside one, the linter starts no other process.
    """
    with served(ours.parent) as url:
        yield url + "docs/"


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site whose platforms have different steps, built, with pages that change without loading."""
    root = project.write(tmp_path_factory.mktemp("small"), DATA, TEMPLATES, {"index.md": HOME})
    (root / "mkdocs.yml").write_text(CONFIG)
    build(root, root / "site/docs")
    return root / "site/docs"


@pytest.fixture(scope="session")
def nine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tutorial on nine platforms, with a neutral page for each step, built."""
    data = nine_platforms.DATA.replace("    title: Quickstart\n", "    title: Quickstart\n    combined: true\n")
    root = nine_platforms.write(tmp_path_factory.mktemp("nine"), data=data)
    (root / "mkdocs.yml").write_text(CONFIG)
    build(root, root / "site/docs")
    return root / "site/docs"


@pytest.fixture(scope="package")
def small_site(small: Path) -> Iterator[str]:
    with served(small.parent) as url:
        sitemap = small / "sitemap.xml"  # Material changes only to pages that it lists
        sitemap.write_text(sitemap.read_text().replace("https://example.com/", url))
        yield url + "docs/"
