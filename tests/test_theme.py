"""What stands around a step, in the HTML that each engine and theme writes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import project
from tests.browser.conftest import DATA, TEMPLATES, build
from tests.test_plugin import required

CONFIG = "site_name: Example\ndocs_dir: docs_src\nplugins: [search, tutorial: {lint: false}]\n"


def built(root: Path, more: str, *, engine: str = "mkdocs") -> Path:
    project.write(root, DATA, TEMPLATES)
    (root / "mkdocs.yml").write_text(CONFIG + more)
    build(root, root / "site", "--strict", engine=engine)
    return root / "site"


def links(html: str, part: str) -> list[str]:
    """The addresses within a part of a page, by the class of its element."""
    after = html[html.index(f'class="{part}"') :]
    return re.findall(r'href="([^"]*)"', after[: re.search("</nav>|</details>", after).end()])  # type: ignore[union-attr]


@pytest.mark.parametrize("theme", ["material", "mkdocs", "readthedocs"])
def test_every_theme_shows_it(tmp_path: Path, theme: str) -> None:
    site = built(tmp_path, f"theme: {{name: {theme}}}\n")
    html = (site / "guide/swan/prepare/index.html").read_text()
    assert links(html, "tt-switch") == ["./", "../../otter/prepare/", "../../heron/prepare/"]
    assert links(html, "tt-next") == ["../welcome/", "../finish/"]
    assert html.count("<h1>Step 1. Prepare Swan</h1>") == 1
    for asset in re.findall(r'(?:href|src)="([^"]*assets/tutorial-tool/[^"]*)"', html):
        assert (site / "guide/swan/prepare" / asset).is_file(), asset


def test_properdocs_shows_it(tmp_path: Path) -> None:
    required("properdocs")
    site = built(tmp_path, "theme: {name: material}\n", engine="properdocs")
    html = (site / "guide/otter/finish/index.html").read_text()
    assert links(html, "tt-switch") == ["../../swan/finish/", "./"]
    assert "Heron does not have this step: Herons stand still." in html
    assert (site / "assets/tutorial-tool/tutorial.js").is_file()


def test_pages_that_are_files_are_linked_as_files(tmp_path: Path) -> None:
    html = (built(tmp_path, "use_directory_urls: false\n") / "guide/swan/prepare.html").read_text()
    assert links(html, "tt-switch") == ["prepare.html", "../otter/prepare.html", "../heron/prepare.html"]
    assert links(html, "tt-steps")[0] == "welcome.html"


def test_a_search_finds_the_step_and_not_what_surrounds_it(tmp_path: Path) -> None:
    index = (built(tmp_path, "theme: {name: material}\n") / "search/search_index.json").read_text()
    assert "Open the menu" in index
    assert "Mark this step as done" not in index


def test_all_pages_count_the_same_steps(tmp_path: Path) -> None:
    site = built(tmp_path, "")
    assert "All 2 steps" in (site / "guide/swan/welcome/index.html").read_text()
    assert "Step 1 of 2" in (site / "guide/swan/prepare/index.html").read_text()


def test_words_can_be_replaced(tmp_path: Path) -> None:
    words = 'strings: {platform: Plattform, progress: "Schritt {number} von {count}", previous: Zurück}\n'
    project.write(tmp_path, DATA + words, TEMPLATES)
    (tmp_path / "mkdocs.yml").write_text(CONFIG)
    build(tmp_path, tmp_path / "site")
    html = (tmp_path / "site/guide/swan/prepare/index.html").read_text()
    assert 'aria-label="Plattform"' in html
    assert "Schritt 1 von 2" in html
    assert "Zurück" in html


def test_a_copy_that_somebody_keeps_is_a_step_like_others(tmp_path: Path) -> None:
    project.write(tmp_path, DATA, TEMPLATES, {"guide/swan/finish.md": "# Ende & Q\n\n## Check {: #check }\n\nDone.\n"})
    (tmp_path / "mkdocs.yml").write_text(CONFIG)
    build(tmp_path, tmp_path / "site")
    html = (tmp_path / "site/guide/swan/finish/index.html").read_text()
    assert links(html, "tt-switch")[0] == "./"
    assert len(re.findall("<h1", html)) == 1
    assert "<strong>Ende &amp; Q</strong>" in (tmp_path / "site/guide/swan/prepare/index.html").read_text()


def test_a_tutorial_for_one_platform_has_no_switcher(tmp_path: Path) -> None:
    data = project.DATA.replace("    title: Guide", "    title: Guide\n    platforms: [swan]")
    project.write(tmp_path, data, project.TEMPLATES)
    (tmp_path / "mkdocs.yml").write_text(CONFIG)
    build(tmp_path, tmp_path / "site")
    html = (tmp_path / "site/guide/swan/prepare/index.html").read_text()
    assert "tt-switch" not in html
    assert "Step 1 of 2" in html


def test_an_environment_of_another_plugin_has_the_templates_of_material(tmp_path: Path) -> None:
    (tmp_path / "hook.py").write_text(
        "def on_post_build(config):\n"
        "    env = config.theme.get_env()\n"
        "    for name in ('partials/search.html', 'partials/progress.html', 'material/partials/search.html'):\n"
        "        env.get_template(name)\n"
    )
    assert built(tmp_path, "theme: {name: material, font: false}\nhooks: [hook.py]\n").is_dir()


def test_figures_follow_the_dark_colours_of_the_theme(tmp_path: Path) -> None:
    html = (built(tmp_path, "theme: {name: mkdocs, color_mode: auto}\n") / "guide/swan/prepare/index.html").read_text()
    assert '[data-bs-theme="dark"] .tt-' in html
    assert "prefers-color-scheme" not in html[html.index('class="tt-head"') :]
