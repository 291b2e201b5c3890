"""Code in several languages: one is shown at a time, in any theme, with a mouse, a keyboard, and on paper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import project
from tests.browser.conftest import build, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Tab = Callable[..., "Page"]
FILES = {
    "steps/finish.md.j2": "---\ntitle: Finish\n---\n\n## Check {: #check }\n\n1. Run it.\n\n    {{ code('run') }}\n",
    "steps/finish/run.py": "def f():\n    return {}\n",
    "steps/finish/run.rs": "fn main() {\n    let y = 1;\n}\n",
}


@pytest.mark.parametrize("theme", ["material", "mkdocs", "readthedocs"])
def test_one_language_is_shown_at_a_time(tab: Tab, tmp_path: Path, theme: str) -> None:
    root = project.write(tmp_path, templates={**project.TEMPLATES, **FILES}, docs={"index.md": "# Home\n"})
    config = f"site_name: S\ndocs_dir: docs_src\ntheme: {{name: {theme}}}\nplugins: [search, {{tutorial: {{lint: false}}}}]\n"
    (root / "mkdocs.yml").write_text(config)
    build(root, root / "site")
    with served(root / "site") as url:
        page = tab(script=False)
        page.goto(url + "guide/swan/finish/")
        python, rust = page.get_by_text("def f():"), page.get_by_text("fn main()")
        assert (python.is_visible(), rust.is_visible()) == (True, False)
        page.locator(".tabbed-labels label", has_text="Rust").click()
        assert (python.is_visible(), rust.is_visible()) == (False, True)
        assert (
            page.locator(".tabbed-block code", has_text="fn main").inner_text().strip()
            == FILES["steps/finish/run.rs"].strip()
        )
        page.keyboard.press("ArrowLeft")
        assert (python.is_visible(), rust.is_visible()) == (True, False)
        page.emulate_media(media="print")
        assert theme == "material" or rust.is_visible()
